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

void rda_icrc_key_of(struct rda_icrc_key *key, uint32_t capture, const struct rda_meta *meta,
		     const struct rda_packet *packet)
{
	memset(key, 0, sizeof(*key)); /* padding too: keys are compared as bytes */
	memcpy(&key->source, &packet->source, sizeof(key->source));
	key->capture = capture;
	key->tap = meta->tap;
	key->carrier = packet->carrier;
}

void rda_icrc_note(struct rda_icrc_source *source, enum rda_icrc_check check, uint64_t place)
{
	if (check == RDA_ICRC_CHECK_MISMATCH && source->good == 0 &&
	    source->mismatched < RDA_ICRC_ABSENT_PACKETS)
		source->doubted[source->mismatched] = place;
	source->good += check == RDA_ICRC_CHECK_MATCH;
	source->mismatched += check == RDA_ICRC_CHECK_MISMATCH;
}

void rda_icrc_copied(struct rda_icrc_source *source, enum rda_icrc_check check)
{
	source->good -= check == RDA_ICRC_CHECK_MATCH;
	source->mismatched -= check == RDA_ICRC_CHECK_MISMATCH;
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
