/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pairing, best evidence first:
 *
 *   1. the QP numbers themselves: named by UD packets, by CM (cm), or in clear (exchange)
 *   2. the UDP source port, equal in both directions: as the product of the QPNs makes it, or borne
 *      by one flow only each way (source_port)
 *   3. responses whose PSNs lie among the other flow's requests, and fit no other (responses)
 *   4. nothing else is left between the two hosts (only_candidate)
 *
 * Where all pairs of two hosts so far have one source port in both directions, rules 3 and 4 join
 * no others. What rule 3 has joined is a guess as well (only_candidate) where ports tell otherwise
 * in the end (pair_port.h).
 * Each rule runs over all flows before the next, so that a weak rule never takes a flow from a
 * strong one, and among the flows of one tap before it runs across taps: a tap per direction is
 * common, two taps that see both directions are too. Rule 2 looks among the flows between two hosts
 * with one source port, rules 3 and 4 among all flows between two hosts: sorting brings such groups
 * together.
 */
#include "analyzer/track/pair.h"

#include "analyzer/base/fetch.h"
#include "analyzer/base/psn.h"
#include "analyzer/track/pair_order.h"
#include "analyzer/track/pair_port.h"
#include "analyzer/track/roce/request.h"
#include "analyzer/track/roce/source_port.h"

#include <glib.h>
#include <string.h>

struct pairing {
	const struct rda_table *flows;
	struct rda_flow **peer; /* of each flow, by index; NULL: none yet */
	uint8_t *by;		/* enum rda_paired_by, by index */
	GPtrArray *from[2];	/* the unpaired flows of the group at hand, by direction */
	GArray *back;		/* struct back, of from[1] */
	uint64_t joins;		/* 1 and more: for `back` */
	uint64_t compared;
	uint32_t groups_not_compared;
	/* pairs of the group at hand, of which both directions have one source port, or not */
	uint64_t equal_ports, other_ports;
};

/* The partner of a flow that goes back, as it was after so many joins. */
struct back {
	uint64_t joins;
	struct rda_flow *partner;
};

static struct rda_flow *flow_at(const struct pairing *p, uint32_t index)
{
	return p->flows->items[index];
}

static bool is_paired(const struct pairing *p, const struct rda_flow *flow)
{
	return p->peer[flow->index] != NULL;
}

static void join(struct pairing *p, struct rda_flow *a, struct rda_flow *b, enum rda_paired_by by)
{
	p->peer[a->index] = b;
	p->peer[b->index] = a;
	p->by[a->index] = p->by[b->index] = (uint8_t)by;
	p->joins++;
}

/* The flow that goes the other way between the same hosts to a given QP, at one tap. */
static struct rda_flow *find_reverse(const struct pairing *p, const struct rda_flow *flow,
				     uint32_t dest_qp, uint32_t tap)
{
	struct rda_flow *reverse;
	struct rda_flow_key key;

	rda_flow_reverse_key(&key, flow, dest_qp, tap);
	key.life = flow->key.life; /* each tap sees as many */
	reverse = rda_table_find(p->flows, &key);
	if (reverse && reverse->pair == flow->pair)
		return reverse;
	reverse = flow->pair ? flow->pair->flows[rda_cm_sender(flow->pair, flow) ==
						 &flow->pair->sides[RDA_CM_ACTIVE]]
			     : NULL;
	return reverse && reverse->key.tap == tap ? reverse : NULL;
}

/* The QPN that a flow's sender must have, when the packets or an exchange say so. */
static bool known_sender(const struct rda_flow *flow, uint32_t *qpn, enum rda_paired_by *by)
{
	if (flow->key.datagram) { /* UD packets name both QPs, TCP's ports both ends of iWARP's */
		*qpn = flow->key.src_qp;
		*by = flow->key.carrier == RDA_CARRIER_IWARP ? RDA_PAIRED_BY_SOURCE_PORT
							     : RDA_PAIRED_BY_ONLY_CANDIDATE;
		return true;
	}
	if (!flow->pair)
		return false;
	*qpn = rda_cm_sender(flow->pair, flow)->qpn;
	*by = flow->pair->by;
	return true;
}

/* Rule 1, among flows of the same tap or with those of another. */
static void pair_by_numbers(struct pairing *p, uint32_t tap, bool same_tap)
{
	for (uint32_t i = 0; i < p->flows->count; i++) {
		struct rda_flow *flow = flow_at(p, i), *reverse;
		enum rda_paired_by by;
		uint32_t qpn;

		if (is_paired(p, flow) || !known_sender(flow, &qpn, &by))
			continue;
		reverse = find_reverse(p, flow, qpn, same_tap ? flow->key.tap : tap);
		if (reverse && reverse != flow && !is_paired(p, reverse))
			join(p, flow, reverse, by);
	}
}

/* Whether one of them ended before the other began. */
static bool are_apart(const struct rda_flow *a, const struct rda_flow *b)
{
	return rda_flow_ended_before(a, b) || rda_flow_ended_before(b, a);
}

/*
 * Service types must agree where both are known, their lives must meet, and what was set up in the
 * capture has the peer that was named.
 */
static bool may_pair(const struct pairing *p, const struct rda_flow *a, const struct rda_flow *b)
{
	if (a->pair != b->pair || are_apart(a, b) ||
	    (p->equal_ports && !p->other_ports && rda_flow_ports_differ(a, b)))
		return false;
	return a->transport == RDA_TRANSPORT_NONE || b->transport == RDA_TRANSPORT_NONE ||
	       a->transport == b->transport;
}

/* READs and ATOMICs are answered with responses of their own. */
static bool asks_for_responses(const struct rda_flow *flow)
{
	for (unsigned kind = 0; kind < RDA_MESSAGE_COUNT; kind++)
		if (kind != RDA_MESSAGE_SEND && kind != RDA_MESSAGE_WRITE &&
		    rda_flow_messages(flow, (enum rda_message)kind).count)
			return true;
	return false;
}

/* Its READs and ATOMICs would be in the capture if it sent any: no PSNs of its requests are
 * missing. */
static bool asks_for_nothing(const struct rda_flow *flow)
{
	return flow->requests.count == 1 && !asks_for_responses(flow);
}

/* It sent other answers than ACKs and NAKs. Of packets that were cut that is not known. */
static bool gives_responses(const struct rda_flow *flow)
{
	const struct rda_flow_rare *rare = rda_flow_rare(flow);
	uint64_t others = rda_flow_answers(flow)->acks + rare->rnr_naks;

	for (unsigned i = 0; i < RDA_NAK_COUNT; i++)
		others += rare->naks[i];
	return !flow->cut && rda_flow_answers(flow)->packets > others;
}

/* Where nothing is asked for in between so many PSNs are no loss: the QP was set up anew. */
static bool lies_between_lives(const struct rda_flow *a, int64_t psn)
{
	return !rda_flow_rare(a)->read_count && rda_ranges_hole(&a->requests, psn) > RDA_RESET_PSNS;
}

/*
 * Whether b answers a: its responses lie among the PSNs that a's requests took. The last READ may
 * take more PSNs than its request shows; its length bounds them at the smallest MTU. Responses to
 * READs and ATOMICs answer none that asked for nothing.
 */
static bool answers(const struct rda_flow *a, const struct rda_flow *b)
{
	int64_t first, last, begin, end;

	if (!a->request_packets || !rda_flow_answers(b)->packets || !a->requests.count ||
	    (gives_responses(b) && asks_for_nothing(a)))
		return false;
	begin = rda_ranges_array(&a->requests)[0].begin;
	end = rda_ranges_end(&a->requests, begin);
	if (rda_flow_rare(a)->read_count) {
		const struct rda_read *read =
			&a->rare->reads[(a->rare->read_count - 1) % RDA_READS_KEPT];

		end = MAX(end, read->psn + read->length / 256 + 1);
	}
	first = rda_psn_widen(begin, rda_flow_answers(b)->first_psn);
	last = rda_psn_widen(end, rda_flow_answers(b)->last_psn);
	return first >= begin && first < end && last >= begin && last < end &&
	       !lies_between_lives(a, first) && !lies_between_lives(a, last);
}

/* What two flows of a group must have besides, by the rule that is tried. */
enum rule { BY_PRODUCT, BY_PORT, BY_RESPONSES };

static bool fits(const struct rda_flow *flow, const struct rda_flow *other, enum rule rule)
{
	switch (rule) {
	case BY_PRODUCT:
		return rda_source_port_of_qps(flow->key.dest_qp, other->key.dest_qp) ==
		       flow->source_port;
	case BY_RESPONSES: return answers(flow, other) || answers(other, flow);
	case BY_PORT:
	default: return true;
	}
}

/* The only partner of a flow that is possible among the others, and its index; or NULL. */
static struct rda_flow *only_partner(struct pairing *p, const struct rda_flow *flow,
				     GPtrArray *others, enum rule rule, guint *index)
{
	struct rda_flow *found = NULL;

	for (guint i = 0; i < others->len; i++) {
		struct rda_flow *other = others->pdata[i];

		p->compared++;
		if (is_paired(p, other) || !may_pair(p, flow, other) || !fits(flow, other, rule))
			continue;
		if (found)
			return NULL;
		found = other;
		*index = i;
	}
	return found;
}

/*
 * The only partner of flow `index` of those that go back. It is looked for once between two pairs
 * that are made, or a thousand flows that all have this one as their partner would look a thousand
 * times at each other.
 */
static struct rda_flow *partner_back(struct pairing *p, guint index, enum rule rule)
{
	struct back *back = &g_array_index(p->back, struct back, index);
	guint ignored;

	if (back->joins != p->joins) {
		back->joins = p->joins;
		back->partner =
			only_partner(p, p->from[1]->pdata[index], p->from[0], rule, &ignored);
	}
	return back->partner;
}

/* Rules 2 and 3, for the group at hand: each is the other's only partner. */
static void pair_by(struct pairing *p, enum rule rule, enum rda_paired_by by)
{
	g_array_set_size(p->back, 0);
	g_array_set_size(p->back, p->from[1]->len); /* zeroed */
	p->joins++;
	for (guint i = 0; i < p->from[0]->len; i++) {
		struct rda_flow *flow = p->from[0]->pdata[i], *other;
		guint index;

		if (is_paired(p, flow))
			continue;
		other = only_partner(p, flow, p->from[1], rule, &index);
		if (other && partner_back(p, index, rule) == flow)
			join(p, flow, other, by);
	}
}

static struct rda_flow *only_unpaired(const struct pairing *p, GPtrArray *flows)
{
	struct rda_flow *found = NULL;

	for (guint i = 0; i < flows->len; i++) {
		if (is_paired(p, flows->pdata[i]))
			continue;
		if (found)
			return NULL;
		found = flows->pdata[i];
	}
	return found;
}

/* Small enough to compare every flow with every other? */
static bool may_compare(struct pairing *p)
{
	if (p->from[0]->len <= RDA_PAIR_COMPARE_MAX || p->from[1]->len <= RDA_PAIR_COMPARE_MAX)
		return true;
	p->groups_not_compared++;
	return false;
}

static void pair_port_group(struct pairing *p)
{
	if (!may_compare(p))
		return;
	pair_by(p, BY_PRODUCT, RDA_PAIRED_BY_SOURCE_PORT);
	pair_by(p, BY_PORT, RDA_PAIRED_BY_SOURCE_PORT);
}

static void pair_host_group(struct pairing *p)
{
	struct rda_flow *a, *b;

	if (may_compare(p))
		pair_by(p, BY_RESPONSES, RDA_PAIRED_BY_RESPONSES);
	a = only_unpaired(p, p->from[0]);
	b = only_unpaired(p, p->from[1]);
	if (a && b && may_pair(p, a, b))
		join(p, a, b, RDA_PAIRED_BY_ONLY_CANDIDATE);
}

/* One more flow of the group at hand, which is to be paired, or tells how others are. */
static void add_to_group(struct pairing *p, struct rda_flow *flow)
{
	const struct rda_flow *peer = p->peer[flow->index];

	if (!peer)
		g_ptr_array_add(p->from[rda_flow_is_upward(flow)], flow);
	else if (rda_flow_ports_differ(flow, peer))
		p->other_ports++;
	else
		p->equal_ports += flow->source_port_known && peer->source_port_known;
}

/* Brings flows that compare equal together, and has each such group paired by a rule: of those with
 * one port the unpaired ones alone. */
static void pair_in_groups(struct pairing *p, rda_flow_order compare, bool with_port,
			   void (*pair_group)(struct pairing *))
{
	GPtrArray *flows = g_ptr_array_new();
	bool unpaired = false;

	for (uint32_t i = 0; i < p->flows->count; i++) {
		struct rda_flow *flow = flow_at(p, i);

		if (flow->key.datagram)
			continue;
		unpaired |= !is_paired(p, flow);
		if (!with_port || (!is_paired(p, flow) && flow->source_port_known))
			g_ptr_array_add(flows, flow);
	}
	if (unpaired)
		rda_order_sort(flows, compare);
	for (guint begin = 0, end; unpaired && begin < flows->len; begin = end) {
		g_ptr_array_set_size(p->from[0], 0);
		g_ptr_array_set_size(p->from[1], 0);
		p->equal_ports = p->other_ports = 0;
		for (end = begin;
		     end < flows->len && compare(flows->pdata[begin], flows->pdata[end]) == 0;
		     end++)
			add_to_group(p, flows->pdata[end]);
		pair_group(p);
	}
	g_ptr_array_free(flows, TRUE);
}

/* ---- from pairs to connections -------------------------------------------------------------- */

static enum rda_service service_of(const struct rda_flow *flow)
{
	if (!flow)
		return RDA_SERVICE_UNKNOWN;
	if (flow->key.carrier == RDA_CARRIER_IWARP)
		return RDA_SERVICE_IWARP;
	if (flow->management)
		return RDA_SERVICE_CM;
	switch (flow->transport) {
#define RDA_T(ID)                                                                                  \
	case RDA_TRANSPORT_##ID: return RDA_SERVICE_##ID;
		RDA_TRANSPORTS(RDA_T)
#undef RDA_T
	default: return RDA_SERVICE_UNKNOWN;
	}
}

static uint32_t mtu_of(const struct rda_flow *flow)
{
	return flow && !flow->full_payload_varies ? flow->full_payload : 0;
}

/* The QPN of the flow's sender: on the wire (UD), by the other flow, by CM, or unknown. */
static uint32_t sender_qpn(const struct pairing *p, const struct rda_flow *flow)
{
	const struct rda_flow *peer = p->peer[flow->index];

	if (flow->key.datagram)
		return flow->key.src_qp;
	if (peer)
		return peer->key.dest_qp;
	return flow->pair ? rda_cm_sender(flow->pair, flow)->qpn : RDA_QPN_UNKNOWN;
}

static void connect(const struct pairing *p, struct rda_connection *connection,
		    const struct rda_flow *flow, struct rda_seat *seats)
{
	const struct rda_flow *peer = p->peer[flow->index];

	connection->carrier = flow->key.carrier;
	connection->paired_by = p->by[flow->index];
	connection->endpoints[0] = (struct rda_endpoint){flow->key.source, sender_qpn(p, flow), -1};
	connection->endpoints[1] =
		(struct rda_endpoint){flow->key.destination, flow->key.dest_qp, -1};
	if (flow->key.carrier == RDA_CARRIER_IWARP) {
		connection->endpoints[0].qpn = connection->endpoints[1].qpn = RDA_QPN_UNKNOWN;
		connection->endpoints[0].port = flow->key.src_qp & 0xffff;
		connection->endpoints[1].port = flow->key.dest_qp & 0xffff;
	}
	connection->flows[0] = flow;
	connection->flows[1] = peer;
	connection->service = (uint8_t)service_of(flow);
	if (connection->service == RDA_SERVICE_UNKNOWN)
		connection->service = (uint8_t)service_of(peer);
	connection->path_mtu =
		flow->pair && flow->pair->path_mtu ? flow->pair->path_mtu : mtu_of(flow);
	if (!connection->path_mtu)
		connection->path_mtu = mtu_of(peer);
	if (peer)
		seats[peer->index] = (struct rda_seat){connection->id, 1};
	seats[flow->index] = (struct rda_seat){connection->id, 0};
}

static void list_connections(const struct pairing *p, struct rda_pairs *pairs)
{
	pairs->connections = g_new0(struct rda_connection, p->flows->count);
	pairs->seats = g_new(struct rda_seat, p->flows->count);
	for (uint32_t i = 0; i < p->flows->count; i++) {
		struct rda_flow *flow = flow_at(p, i), *peer = p->peer[i];

		rda_fetch_item(p->flows->items, i, p->flows->count, 0);
		rda_fetch_item(p->flows->items, i, p->flows->count, RDA_FETCH_LINE);
		rda_fetch_item(p->flows->items, i, p->flows->count,
			       offsetof(struct rda_flow, first_time_ns));
		rda_fetch_item(p->flows->items, i, p->flows->count,
			       offsetof(struct rda_flow, pair));
		if (peer && peer->index < i)
			continue;
		pairs->connections[pairs->count].id = pairs->count;
		connect(p, &pairs->connections[pairs->count], flow, pairs->seats);
		pairs->count++;
	}
}

/* Taps at which a flow's other direction may be, when there is more than one. */
static uint32_t count_taps(const struct pairing *p)
{
	uint32_t taps = 0;

	for (uint32_t i = 0; i < p->flows->count; i++) {
		rda_fetch_item(p->flows->items, i, p->flows->count,
			       offsetof(struct rda_flow, key.tap));
		taps = MAX(taps, flow_at(p, i)->key.tap + 1);
	}
	return taps == 1 ? 0 : MIN(taps, RDA_PAIR_TAPS_MAX);
}

void rda_pair_flows(struct rda_pairs *pairs, const struct rda_table *flows)
{
	struct pairing p = {
		.flows = flows,
		.peer = g_new0(struct rda_flow *, flows->count),
		.by = g_new0(uint8_t, flows->count),
		.from = {g_ptr_array_new(), g_ptr_array_new()},
		.back = g_array_new(FALSE, TRUE, sizeof(struct back)),
	};
	uint32_t taps = count_taps(&p);

	memset(pairs, 0, sizeof(*pairs));
	for (uint32_t i = 0; i < flows->count; i++) {
		rda_fetch_item(flows->items, i, flows->count, offsetof(struct rda_flow, peer));
		rda_fetch_item(flows->items, i, flows->count, offsetof(struct rda_flow, paired_by));
		p.peer[i] = flow_at(&p, i)->peer;
		p.by[i] = flow_at(&p, i)->paired_by;
	}
	pair_by_numbers(&p, 0, true);
	for (uint32_t tap = 0; tap < taps; tap++)
		pair_by_numbers(&p, tap, false);
	if (taps)
		pair_in_groups(&p, rda_order_tap_hosts_port, true, pair_port_group);
	pair_in_groups(&p, rda_order_hosts_port, true, pair_port_group);
	if (taps)
		pair_in_groups(&p, rda_order_tap_hosts, false, pair_host_group);
	pair_in_groups(&p, rda_order_hosts, false, pair_host_group);
	rda_pair_port_doubts(flows, p.peer, p.by);
	list_connections(&p, pairs);
	pairs->groups_not_compared = p.groups_not_compared;
	pairs->compared = p.compared;
	g_array_free(p.back, TRUE);
	g_ptr_array_free(p.from[0], TRUE);
	g_ptr_array_free(p.from[1], TRUE);
	g_free(p.peer);
	g_free(p.by);
}

void rda_pairs_cleanup(struct rda_pairs *pairs)
{
	g_free(pairs->connections);
	g_free(pairs->seats);
}
