/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Flows found by their keys. The way of nearly all packets is one look at `recent`; a flow that is
 * closed, or may be, is not kept there.
 */
#include "analyzer/track/flows.h"

#include "analyzer/base/cold.h"
#include "analyzer/base/fetch.h"
#include "analyzer/base/psn.h"
#include "analyzer/track/roce/account.h"

#include <glib.h>
#include <string.h>

void rda_flows_init(struct rda_flows *flows, uint64_t seed)
{
	memset(flows, 0, sizeof(*flows));
	rda_table_init(&flows->table, sizeof(struct rda_flow_key), sizeof(struct rda_flow), seed);
	flows->recent = g_new0(struct rda_flow *, RDA_FLOWS_RECENT);
	flows->recent_mask = RDA_FLOWS_RECENT - 1;
}

static void cleanup_flow(void *flow)
{
	rda_flow_cleanup(flow);
}

void rda_flows_cleanup(struct rda_flows *flows)
{
	rda_table_cleanup(&flows->table, cleanup_flow);
	g_free(flows->recent);
}

void rda_flows_spend(struct rda_flows *flows)
{
	g_free(flows->recent);
	flows->recent = g_new0(struct rda_flow *, 2);
	flows->recent_mask = 1;
	flows->latest = NULL;
}

/* The last four bytes: all that differs in IPv4 addresses and LIDs. */
static uint32_t end_of(const struct rda_address *address)
{
	uint32_t end;

	memcpy(&end, address->bytes + sizeof(address->bytes) - sizeof(end), sizeof(end));
	return end;
}

/* Two places side by side, of flows to this QP: the latest that was looked for is in the first. */
RDA_INLINE uint32_t place_of(const struct rda_flows *flows, uint32_t source, uint32_t destination,
			     uint32_t dest_qp)
{
	uint64_t mixed = source * UINT64_C(0x9e3779b97f4a7c15) +
			 destination * UINT64_C(0xa0761d6478bd642f) +
			 dest_qp * UINT64_C(0xe7037ed1a0b428db);

	return (uint32_t)(mixed >> 32) & flows->recent_mask & ~1u;
}

RDA_INLINE struct rda_flow **places_of(const struct rda_flows *flows,
				       const struct rda_address *source,
				       const struct rda_address *destination, uint32_t dest_qp)
{
	return &flows->recent[place_of(flows, end_of(source), end_of(destination), dest_qp)];
}

static void forget(struct rda_flows *flows, const struct rda_flow *flow)
{
	struct rda_flow **places =
		places_of(flows, &flow->key.source, &flow->key.destination, flow->key.dest_qp);

	for (unsigned i = 0; i < 2; i++)
		if (places[i] == flow)
			places[i] = NULL;
	if (flows->latest == flow)
		flows->latest = NULL;
}

/* Three places for each flow. What was in the old ones is found in the table once more. */
RDA_COLD static void grow(struct rda_flows *flows)
{
	flows->recent_mask = flows->recent_mask * 2 + 1;
	g_free(flows->recent);
	flows->recent = g_new0(struct rda_flow *, (size_t)flows->recent_mask + 1);
}

static void keep(struct rda_flows *flows, struct rda_flow *flow)
{
	struct rda_flow **places;

	if (flows->table.count > (flows->recent_mask + 1) / 3 &&
	    flows->recent_mask < UINT32_MAX / 2)
		grow(flows);
	places = places_of(flows, &flow->key.source, &flow->key.destination, flow->key.dest_qp);
	places[1] = places[0];
	places[0] = flow;
}

/* Of IPv4 addresses, nearly all, four bytes are compared. */
RDA_INLINE bool is_same(const struct rda_address *one, const struct rda_address *two)
{
	return one->kind == two->kind && end_of(one) == end_of(two) &&
	       (one->kind == RDA_ADDRESS_IP4 ||
		memcmp(one->bytes, two->bytes, sizeof(one->bytes)) == 0);
}

/*
 * Whether it is a life of the key that rda_flow_key_of would make. Field by field: the packet was
 * just written, and words that span two of its fields wait until it is in memory, a twentieth of
 * the time of a packet.
 */
RDA_INLINE bool is_of_packet(const struct rda_flow *flow, const struct rda_meta *meta,
			     const struct rda_packet *packet)
{
	const struct rda_flow_key *own = &flow->key;

	if (own->dest_qp != packet->bth.dest_qp || own->tap != meta->tap)
		return false;
	if (packet->plain && flow->plain) /* nearly always: two comparisons instead of nine */
		return end_of(&own->source) == end_of(&packet->source) &&
		       end_of(&own->destination) == end_of(&packet->destination);
	return own->carrier == packet->carrier && is_same(&own->source, &packet->source) &&
	       is_same(&own->destination, &packet->destination) &&
	       own->datagram == rda_flow_is_datagram(packet) &&
	       (!own->datagram || own->src_qp == packet->deth.src_qp);
}

static struct rda_flow *latest_of(struct rda_flow *head)
{
	return head && rda_flow_rare(head)->latest ? head->rare->latest : head;
}

static bool is_closed(const struct rda_flow *flow)
{
	return rda_flow_rare(flow)->closed_place != 0;
}

struct rda_flow *rda_flows_latest(const struct rda_flows *flows, const struct rda_flow_key *key)
{
	return latest_of(rda_table_find(&flows->table, key));
}

RDA_APART struct rda_flow *rda_flows_find(const struct rda_flows *flows,
					  const struct rda_meta *meta,
					  const struct rda_packet *packet)
{
	struct rda_flow_key key;

	rda_flow_key_of(&key, meta, packet);
	return rda_flows_latest(flows, &key);
}

/* ---- a look ahead ---------------------------------------------------------------------------- */

uint32_t rda_flows_place(const struct rda_flows *flows, uint32_t source, uint32_t destination,
			 uint32_t dest_qp)
{
	return place_of(flows, source, destination, dest_qp);
}

void rda_flows_fetch_place(const struct rda_flows *flows, uint32_t place)
{
	rda_fetch(&flows->recent[place]);
}

void rda_flows_fetch_keys(const struct rda_flows *flows, uint32_t place)
{
	for (unsigned i = 0; i < 2; i++)
		if (flows->recent[place + i])
			rda_fetch(flows->recent[place + i]);
}

struct rda_flow *rda_flows_guess(const struct rda_flows *flows, uint32_t place, uint32_t source,
				 uint32_t dest_qp)
{
	for (unsigned i = 0; i < 2; i++) {
		struct rda_flow *flow = flows->recent[place + i];

		if (flow && flow->key.dest_qp == dest_qp && end_of(&flow->key.source) == source)
			return flow;
	}
	return NULL;
}

/* ---- ends ------------------------------------------------------------------------------------ */

/* From now on packets of its key are another flow's. */
static void close(struct rda_flows *flows, struct rda_flow *flow, uint64_t place, int64_t time_ns)
{
	if (!is_closed(flow)) {
		rda_flow_make_rare(flow)->closed_place = place;
		rda_flow_make_rare(flow)->closed_ns = time_ns;
	}
	forget(flows, flow);
}

/* The same where a request shows it. */
static void end_life(struct rda_flows *flows, struct rda_flow *flow, uint64_t place,
		     int64_t time_ns)
{
	rda_account_was_reset(flow);
	close(flows, flow, place, time_ns);
}

static void mark_over(struct rda_flows *flows, struct rda_flow *flow)
{
	flow->over = true;
	forget(flows, flow);
}

void rda_flows_over(struct rda_flows *flows, struct rda_flow *flow)
{
	mark_over(flows, flow);
	if (flow->peer)
		mark_over(flows, flow->peer);
}

/* A QP is made for one service, and has it as long as it is there; of which packets told that may
 * be damaged tells nothing. */
static bool is_other_service(const struct rda_flow *flow, const struct rda_packet *packet)
{
	int8_t service = packet->opcode->transport;

	return service != RDA_TRANSPORT_NONE && flow->transport_told && service != flow->transport;
}

/* Of another service, or a request that does not go on with those before (roce/reset.c). */
static bool is_restart(const struct rda_flow *flow, const struct rda_posting *posting)
{
	if (is_other_service(flow, posting->packet))
		return true;
	if (!flow->account || !(posting->packet->opcode->roles & RDA_ROLE_REQUEST))
		return false;
	return flow->over ? rda_account_is_reset_after_end(flow, posting)
			  : rda_account_is_reset(flow, posting);
}

/* ---- lives ----------------------------------------------------------------------------------- */

static struct rda_flow *begin(struct rda_flows *flows, const struct rda_flow_key *key,
			      struct rda_flow *before, const struct rda_meta *meta, uint64_t place)
{
	struct rda_flow_key next = *key;
	struct rda_flow *flow, *first;

	next.life = before ? before->key.life + 1 : 0;
	flow = rda_table_get(&flows->table, &next, NULL);
	rda_flow_init(flow, flows->table.count - 1, meta->time_ns);
	flow->number = flows->made++;
	flow->first_place = place;
	flows->taps = MAX(flows->taps, MIN(meta->tap, RDA_FLOWS_TAPS_MAX - 1) + 1);
	if (!before)
		return flow;
	rda_flow_make_rare(flow)->before = before;
	first = rda_table_find(&flows->table, key);
	flow->rare->first = first;
	if (first)
		rda_flow_make_rare(first)->latest = flow;
	return flow;
}

/* The flow of a packet that is not where flows are found at once. */
RDA_APART static struct rda_flow *look_up(struct rda_flows *flows,
					  const struct rda_posting *posting, bool *made)
{
	uint64_t place = posting->place;
	struct rda_flow_key key;
	struct rda_flow *flow;

	rda_flow_key_of(&key, posting->meta, posting->packet);
	flow = rda_flows_latest(flows, &key);
	if (flow && !is_closed(flow) && is_restart(flow, posting)) {
		end_life(flows, flow, place, posting->meta->time_ns);
		if (flow->peer)
			end_life(flows, flow->peer, place, posting->meta->time_ns);
	}
	if (!flow || is_closed(flow)) {
		flow = begin(flows, &key, flow, posting->meta, place);
		*made = true;
	}
	if (!flow->over)
		keep(flows, flow);
	return flow;
}

/* Cheap, and false for nearly all packets. */
RDA_INLINE bool may_restart(const struct rda_flow *flow, const struct rda_packet *packet)
{
	uint32_t beyond;

	if (!(packet->opcode->roles & RDA_ROLE_REQUEST))
		return false;
	if (!flow->account)
		return is_other_service(flow, packet);
	beyond = (packet->bth.psn - (uint32_t)rda_account_progress(flow->account)->next) &
		 RDA_PSN_MASK;
	return beyond > RDA_RESET_PSNS; /* or behind */
}

/* The flow of a packet that is not that of the one before. */
RDA_APART static struct rda_flow *find(struct rda_flows *flows, const struct rda_posting *posting,
				       bool *made)
{
	const struct rda_packet *packet = posting->packet;
	struct rda_flow **places =
		places_of(flows, &packet->source, &packet->destination, packet->bth.dest_qp);

	for (unsigned i = 0; i < 2; i++)
		if (places[i] && is_of_packet(places[i], posting->meta, packet) &&
		    !may_restart(places[i], packet))
			return flows->latest = places[i];
	return look_up(flows, posting, made);
}

struct rda_flow *rda_flows_of(struct rda_flows *flows, const struct rda_posting *posting,
			      bool *made)
{
	struct rda_flow *latest = flows->latest;

	*made = false;
	if (latest && is_of_packet(latest, posting->meta, posting->packet) &&
	    !may_restart(latest, posting->packet))
		return latest; /* packets come in bursts */
	return find(flows, posting, made);
}

struct rda_flow *rda_flows_of_key(struct rda_flows *flows, const struct rda_flow_key *key,
				  const struct rda_meta *meta, uint64_t place, bool *made)
{
	struct rda_flow *flow = rda_flows_latest(flows, key);

	*made = !flow;
	return flow ? flow : begin(flows, key, NULL, meta, place);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Whether a flow that began just before its QP was named is the one that is meant. */
static bool is_meant(const struct rda_flow *flow, const struct rda_cm_pair *pair, unsigned from,
		     const struct rda_meta *meta)
{
	int32_t own = pair->sides[from].first_psn, other = pair->sides[!from].first_psn;
	int64_t ahead;

	if (meta->time_ns - flow->first_time_ns > RDA_FLOWS_SWAPPED_NS || flow->over)
		return false;
	if (flow->request_packets)
		return own >= 0 && flow->first_psn == (uint32_t)own;
	ahead = other >= 0 ? rda_psn_widen(other, rda_flow_answers(flow)->first_psn) - other : -1;
	return ahead >= 0 && ahead < RDA_RESET_PSNS;
}

static void tie_at(struct rda_flows *flows, struct rda_cm_pair *pair, unsigned from,
		   uint8_t carrier, uint32_t tap, const struct rda_meta *meta, uint64_t place)
{
	struct rda_flow_key key;
	struct rda_flow *flow;

	memset(&key, 0, sizeof(key)); /* padding too: keys are compared as bytes */
	memcpy(&key.source, &pair->sides[from].address, sizeof(key.source));
	memcpy(&key.destination, &pair->sides[!from].address, sizeof(key.destination));
	key.carrier = carrier;
	key.dest_qp = pair->sides[!from].qpn;
	key.tap = tap;
	flow = rda_flows_latest(flows, &key);
	if (!flow || (flow->pair == pair && !pair->retired) || is_closed(flow))
		return;
	if (!pair->retired && is_meant(flow, pair, from, meta)) {
		flow->pair = pair;
		flow->path_mtu = pair->path_mtu;
		pair->flows[from] = flow;
	} else {
		close(flows, flow, place, meta->time_ns);
	}
}

void rda_flows_tie(struct rda_flows *flows, struct rda_cm_pair *pair, const struct rda_meta *meta,
		   uint64_t place)
{
	static const uint8_t carriers[] = {RDA_CARRIER_ROCEV2, RDA_CARRIER_ROCEV1,
					   RDA_CARRIER_INFINIBAND};

	for (unsigned i = 0; pair && i < sizeof(carriers); i++)
		for (unsigned from = 0; from < 2; from++) {
			for (uint32_t tap = 0; tap < flows->taps; tap++)
				tie_at(flows, pair, from, carriers[i], tap, meta, place);
			if (meta->tap >= flows->taps)
				tie_at(flows, pair, from, carriers[i], meta->tap, meta, place);
		}
}

const struct rda_flow *rda_flows_back(const struct rda_flows *flows, const struct rda_flow *flow)
{
	struct rda_flow_key key;

	if (flow->peer)
		return flow->peer;
	if (flow->key.datagram)
		rda_flow_reverse_key(&key, flow, flow->key.src_qp, flow->key.tap);
	else if (flow->pair)
		rda_flow_reverse_key(&key, flow, rda_cm_sender(flow->pair, flow)->qpn,
				     flow->key.tap);
	else
		return NULL;
	key.life = flow->key.life;
	return rda_table_find(&flows->table, &key);
}

/* Numbers are in order, as flows are. */
bool rda_flows_has(const struct rda_flows *flows, uint32_t number)
{
	uint32_t low = 0, high = flows->table.count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct rda_flow *flow = flows->table.items[middle];

		if (flow->number == number)
			return true;
		if (flow->number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

/* ---- fewer ----------------------------------------------------------------------------------- */

struct sifting {
	const uint32_t *moved;
	void (*end)(struct rda_flow *flow);
};

static bool stays(const void *item, void *context)
{
	const struct rda_flow *flow = item;

	return ((const struct sifting *)context)->moved[flow->index] != RDA_GONE;
}

static void drop(void *item, void *context)
{
	((const struct sifting *)context)->end(item);
	rda_flow_cleanup(item);
	g_free(item);
}

void rda_flows_sift(struct rda_flows *flows, const uint32_t *moved,
		    void (*end)(struct rda_flow *flow))
{
	struct sifting sifting = {moved, end};

	rda_table_sift(&flows->table, stays, drop, &sifting);
	for (uint32_t i = 0; i < flows->table.count; i++)
		((struct rda_flow *)flows->table.items[i])->index = i;
	memset(flows->recent, 0, ((size_t)flows->recent_mask + 1) * sizeof(*flows->recent));
	flows->latest = NULL;
}
