/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The judgement on ICRCs that do not fit, source by source.
 */
#include "analyzer/track/roce/icrc_source.h"

#include "dissectors/icrc.h"

#include <string.h>

enum rda_icrc_check rda_icrc_check(const struct rda_frame *frame, const struct rda_packet *packet)
{
	struct rda_crc crc;

	if (!rda_icrc(frame, packet, &crc))
		return RDA_ICRC_CHECK_NONE;
	if (crc.stored == crc.computed)
		return RDA_ICRC_CHECK_MATCH;
	return rda_ip4_checksum_fails(frame, packet) ? RDA_ICRC_CHECK_DAMAGED
						     : RDA_ICRC_CHECK_MISMATCH;
}

/* ---- ways ------------------------------------------------------------------------------------ */

void rda_icrc_key_of(struct rda_icrc_key *key, uint32_t capture, const struct rda_meta *meta,
		     const struct rda_packet *packet)
{
	memset(key, 0, sizeof(*key)); /* padding too: keys are compared as bytes */
	memcpy(&key->source, &packet->source, sizeof(key->source));
	memcpy(&key->receiver, &packet->destination, sizeof(key->receiver));
	key->capture = capture;
	key->tap = meta->tap;
	key->carrier = packet->carrier;
}

void rda_icrc_ways_init(struct rda_icrc_ways *ways, uint64_t hash_seed)
{
	rda_table_init(&ways->table, sizeof(struct rda_icrc_key), sizeof(struct rda_icrc_source),
		       hash_seed);
	rda_icrc_ways_went(ways);
}

void rda_icrc_ways_cleanup(struct rda_icrc_ways *ways)
{
	rda_table_cleanup(&ways->table, NULL);
}

void rda_icrc_ways_went(struct rda_icrc_ways *ways)
{
	memset(ways->latest, 0, sizeof(ways->latest));
}

static struct rda_icrc_source *look_up(struct rda_icrc_ways *ways, uint32_t capture,
				       const struct rda_meta *meta, const struct rda_packet *packet)
{
	struct rda_icrc_key key;

	rda_icrc_key_of(&key, capture, meta, packet);
	return rda_table_get(&ways->table, &key, NULL);
}

/* Two words of an address. */
struct halves {
	uint64_t high, low;
};

static inline struct halves halves_of(const struct rda_address *address)
{
	struct halves halves;

	memcpy(&halves, address->bytes, sizeof(halves));
	return halves;
}

static inline bool is_same(const struct rda_address *address, struct halves halves, uint8_t kind)
{
	struct halves own = halves_of(address);

	return own.high == halves.high && own.low == halves.low && address->kind == kind;
}

struct rda_icrc_source *rda_icrc_way(struct rda_icrc_ways *ways, uint32_t capture,
				     const struct rda_meta *meta, const struct rda_packet *packet)
{
	const struct halves source = halves_of(&packet->source);
	const struct halves receiver = halves_of(&packet->destination);
	const uint64_t mixed = source.low * UINT64_C(0x9e3779b97f4a7c15) +
			       receiver.low * UINT64_C(0xa0761d6478bd642f);
	struct rda_icrc_source **latest = &ways->latest[(mixed >> 32) % RDA_ICRC_LATEST];
	const struct rda_icrc_key *key = *latest ? &(*latest)->key : NULL;

	if (!key || !is_same(&key->source, source, packet->source.kind) ||
	    !is_same(&key->receiver, receiver, packet->destination.kind) ||
	    key->capture != capture || key->tap != meta->tap || key->carrier != packet->carrier)
		*latest = look_up(ways, capture, meta, packet);
	return *latest;
}

const struct rda_icrc_source *rda_icrc_way_of(const struct rda_icrc_ways *ways, uint32_t capture,
					      const struct rda_flow_key *flow)
{
	struct rda_icrc_key key;

	memset(&key, 0, sizeof(key)); /* padding too: keys are compared as bytes */
	memcpy(&key.source, &flow->source, sizeof(key.source));
	memcpy(&key.receiver, &flow->destination, sizeof(key.receiver));
	key.capture = capture;
	key.tap = flow->tap;
	key.carrier = flow->carrier;
	return rda_table_find(&ways->table, &key);
}

/* ---- checks ---------------------------------------------------------------------------------- */

void rda_icrc_note(struct rda_icrc_source *source, enum rda_icrc_check check, uint64_t place)
{
	if (check == RDA_ICRC_CHECK_MISMATCH && source->good == 0 &&
	    source->mismatched < RDA_ICRC_ABSENT_PACKETS)
		source->doubted[source->mismatched] = place;
	source->good += check == RDA_ICRC_CHECK_MATCH;
	source->mismatched += check == RDA_ICRC_CHECK_MISMATCH;
	source->damaged += check == RDA_ICRC_CHECK_DAMAGED;
}

void rda_icrc_copied(struct rda_icrc_source *source, enum rda_icrc_check check)
{
	source->good -= check == RDA_ICRC_CHECK_MATCH;
	source->mismatched -= check == RDA_ICRC_CHECK_MISMATCH;
	source->mismatched_copies += check == RDA_ICRC_CHECK_MISMATCH;
}

static bool has_icrc(const struct rda_icrc_source *source)
{
	uint64_t all = source->good + source->mismatched;

	if (source->good == 0)
		return false;
	return all < RDA_ICRC_ABSENT_PACKETS ||
	       source->mismatched * 100 < all * RDA_ICRC_ABSENT_PERCENT;
}

enum rda_icrc_verdict rda_icrc_judge(const struct rda_icrc_source *source,
				     enum rda_icrc_check check)
{
	switch (check) {
	case RDA_ICRC_CHECK_NONE: return RDA_ICRC_NOT_CHECKABLE;
	case RDA_ICRC_CHECK_MATCH: return RDA_ICRC_GOOD;
	case RDA_ICRC_CHECK_DAMAGED: return RDA_ICRC_BAD;
	default: return source && has_icrc(source) ? RDA_ICRC_BAD : RDA_ICRC_ABSENT;
	}
}

bool rda_icrc_was_damaged(const struct rda_icrc_source *source, uint64_t place)
{
	if (!source || !place || !has_icrc(source))
		return false;
	for (unsigned i = 0; i < RDA_ICRC_ABSENT_PACKETS && source->doubted[i]; i++)
		if (source->doubted[i] == place)
			return true;
	return false;
}

bool rda_icrc_from_the_first(const struct rda_icrc_source *source)
{
	return source && has_icrc(source) && !source->doubted[RDA_ICRC_ABSENT_PACKETS - 1];
}

/* ---- the end --------------------------------------------------------------------------------- */

static void add(struct rda_table *to, const struct rda_icrc_key *key,
		const struct rda_icrc_source *from)
{
	struct rda_icrc_source *sum = rda_table_get(to, key, NULL);

	sum->good += from->good;
	sum->mismatched += from->mismatched;
	sum->damaged += from->damaged;
	sum->mismatched_copies += from->mismatched_copies;
}

void rda_icrc_join(struct rda_table *to, const struct rda_table *from)
{
	for (uint32_t i = 0; i < from->count; i++) {
		const struct rda_icrc_source *way = from->items[i];

		add(to, &way->key, way);
	}
}

struct rda_icrc_key rda_icrc_sender_key(const struct rda_icrc_key *way)
{
	struct rda_icrc_key key;

	memcpy(&key, way, sizeof(key)); /* padding too: keys are compared as bytes */
	memset(&key.receiver, 0, sizeof(key.receiver));
	return key;
}

void rda_icrc_senders(struct rda_table *senders, const struct rda_table *ways)
{
	rda_table_init(senders, sizeof(struct rda_icrc_key), sizeof(struct rda_icrc_source),
		       ways->seed);
	for (uint32_t i = 0; i < ways->count; i++) {
		const struct rda_icrc_source *way = ways->items[i];
		struct rda_icrc_key key = rda_icrc_sender_key(&way->key);

		add(senders, &key, way);
	}
}

void rda_icrc_leave(struct rda_table *left, const struct rda_icrc_source *way,
		    const struct rda_table *senders, bool sender_stays, bool receiver_stays)
{
	struct rda_icrc_source judged = {.damaged = way->damaged}, copies = {.good = 0};
	struct rda_icrc_key key = rda_icrc_sender_key(&way->key);

	if (sender_stays) {
		add(left, &key, way);
		return;
	}
	/* nobody's: what is damaged is so in any case, and all others have no ICRC */
	if (rda_icrc_judge(rda_icrc_sender(senders, &way->key), RDA_ICRC_CHECK_MISMATCH) ==
	    RDA_ICRC_BAD) {
		judged.damaged += way->mismatched;
		copies.damaged = way->mismatched_copies;
	} else {
		judged.mismatched = way->mismatched + way->mismatched_copies;
	}
	memset(&key.source, 0, sizeof(key.source));
	add(left, &key, &copies); /* a receiver got a packet once */
	if (receiver_stays)
		memcpy(&key.receiver, &way->key.receiver, sizeof(key.receiver));
	add(left, &key, &judged);
}

const struct rda_icrc_source *rda_icrc_sender(const struct rda_table *senders,
					      const struct rda_icrc_key *way)
{
	struct rda_icrc_key key = rda_icrc_sender_key(way);

	return rda_table_find(senders, &key);
}
