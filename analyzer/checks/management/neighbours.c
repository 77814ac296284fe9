/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * M22, M23: an ICMP error quotes the beginning of the packet that was not handed on. The connection
 * is told by the quoted BTH, or, as most errors quote UDP's header and no more, by the UDP source
 * port; that may be more than one's.
 * M24: nobody answers who asks for the link address of a host.
 */
#include "analyzer/checks/management/neighbours.h"

#include "analyzer/base/words.h"
#include "dissectors/neighbours.h"

#include <glib.h>
#include <inttypes.h>
#include <string.h>

/* What a RoCEv2 packet has around its payload at the most: BTH, RETH, immediate, pad, ICRC, UDP. */
enum { HEADERS_IP4 = 20 + 8 + 12 + 16 + 4 + 4, HEADERS_IP6 = HEADERS_IP4 + 20 };

/* The next question of a row comes within this time. */
#define ASKS_AGAIN_NS INT64_C(5000000000)

struct refusal_key {
	struct rda_address source, destination;
	uint32_t dest_qp; /* 0: not quoted */
	uint16_t source_port;
	uint8_t why; /* enum rda_undeliverable */
};

struct refusal {
	struct refusal_key key; /* first: the table's key */
	struct rda_address reporter;
	uint64_t count, first_place, last_place;
	int64_t first_ns, last_ns;
	uint16_t mtu, length;
	uint16_t destination_port; /* of the first, or of RoCE once there was one to that */
	bool roce;		   /* it is RoCE's */
	uint32_t index;		   /* in the table */
};

/* What a refusal can be about. */
struct about {
	uint32_t flows;
	uint32_t arriving; /* of them: what they ask is answered all the same */
	uint32_t first;	   /* index of the first of them */
};

struct asked_key {
	struct rda_address asker, target;
};

struct asked {
	struct asked_key key; /* first: the table's key */
	uint64_t first_place, last_place;
	int64_t first_ns, last_ns;
	uint32_t row; /* questions, each soon after the one before, and no answer */
};

void rda_neighbours_init(struct rda_neighbours *n, uint64_t hash_seed)
{
	rda_table_init(&n->refusals, sizeof(struct refusal_key), sizeof(struct refusal), hash_seed);
	rda_table_init(&n->asked, sizeof(struct asked_key), sizeof(struct asked), hash_seed);
	n->not_kept = 0;
}

void rda_neighbours_cleanup(struct rda_neighbours *n)
{
	rda_table_cleanup(&n->refusals, NULL);
	rda_table_cleanup(&n->asked, NULL);
}

/* An item of a table that is not full; NULL otherwise. */
static void *item_of(struct rda_neighbours *n, struct rda_table *table, const void *key)
{
	if (table->count < RDA_NEIGHBOURS_MAX)
		return rda_table_get(table, key, NULL);
	n->not_kept += !rda_table_find(table, key);
	return rda_table_find(table, key);
}

/* ---- frames ---------------------------------------------------------------------------------- */

static void note_refusal(struct rda_neighbours *n, const struct rda_at *at,
			 const struct rda_quote *quote)
{
	struct refusal_key key;
	struct refusal *refusal;

	memset(&key, 0, sizeof(key)); /* padding too: keys are compared as bytes */
	memcpy(&key.source, &quote->source, sizeof(key.source));
	memcpy(&key.destination, &quote->destination, sizeof(key.destination));
	key.dest_qp = quote->dest_qp;
	key.source_port = quote->source_port;
	key.why = quote->why;
	refusal = item_of(n, &n->refusals, &key);
	if (!refusal)
		return;
	if (refusal->count++ == 0) {
		refusal->index = n->refusals.count - 1;
		refusal->first_place = at->place;
		refusal->first_ns = at->meta->time_ns;
		refusal->reporter = at->packet->source;
		refusal->destination_port = quote->destination_port;
	}
	if (!refusal->roce &&
	    rda_packet_is_rocev2_port(&at->judge->dissect, quote->destination_port)) {
		refusal->destination_port = quote->destination_port;
		refusal->roce = true;
	}
	refusal->last_place = at->place;
	refusal->last_ns = at->meta->time_ns;
	refusal->mtu = quote->mtu;
	refusal->length = quote->length;
}

/* Who asks for its own address, or has none yet, tells the others that it has it, and wants no
 * answer. */
static bool is_announcement(const struct rda_neighbour *neighbour)
{
	static const struct rda_address none;
	size_t ignored = neighbour->asker.kind == RDA_ADDRESS_IP4 ? 12 : 0;

	return memcmp(&neighbour->asker, &neighbour->target, sizeof(neighbour->asker)) == 0 ||
	       memcmp(neighbour->asker.bytes + ignored, none.bytes + ignored,
		      sizeof(none.bytes) - ignored) == 0;
}

static void note_question(struct rda_neighbours *n, const struct rda_at *at,
			  const struct rda_neighbour *neighbour)
{
	int64_t now = at->meta->time_ns;
	struct asked_key key;
	struct asked *asked;

	memset(&key, 0, sizeof(key));
	memcpy(&key.asker, &neighbour->asker, sizeof(key.asker));
	memcpy(&key.target, &neighbour->target, sizeof(key.target));
	if (neighbour->tells) {
		asked = rda_table_find(&n->asked, &key);
		if (asked)
			asked->row = 0;
		return;
	}
	if (is_announcement(neighbour))
		return;
	asked = item_of(n, &n->asked, &key);
	if (!asked)
		return;
	if (asked->row && now - asked->last_ns > ASKS_AGAIN_NS)
		asked->row = 0;
	if (asked->row++ == 0) {
		asked->first_place = at->place;
		asked->first_ns = now;
	}
	asked->last_place = at->place;
	asked->last_ns = now;
}

void rda_neighbours_frame(struct rda_neighbours *n, const struct rda_at *at)
{
	struct rda_neighbour neighbour;
	struct rda_quote quote;

	if (rda_read_quote(at->frame, at->packet, &quote))
		note_refusal(n, at, &quote);
	else if (rda_read_neighbour(at->frame, at->packet, &neighbour))
		note_question(n, at, &neighbour);
}

/* ---- overall --------------------------------------------------------------------------------- */

void rda_neighbours_join(struct rda_neighbours *to, const struct rda_neighbours *from)
{
	for (uint32_t i = 0; i < from->refusals.count; i++) {
		const struct refusal *refusal = from->refusals.items[i];
		struct refusal *joined = item_of(to, &to->refusals, &refusal->key);
		uint16_t port;
		uint32_t index;
		bool roce;

		if (!joined)
			continue;
		index = joined->count ? joined->index : to->refusals.count - 1;
		roce = refusal->roce || joined->roce;
		port = joined->roce || !refusal->roce ? joined->destination_port
						      : refusal->destination_port;
		if (refusal->count > joined->count)
			*joined = *refusal;
		if (roce)
			joined->destination_port = port;
		joined->roce = roce;
		joined->index = index;
	}
	for (uint32_t i = 0; i < from->asked.count; i++) {
		const struct asked *asked = from->asked.items[i];
		struct asked *joined = item_of(to, &to->asked, &asked->key);

		if (joined && asked->row > joined->row)
			*joined = *asked;
	}
	to->not_kept += from->not_kept;
}

/*
 * What it asks arrives: all of it is answered, or nothing was sent again and the other side goes
 * on. The packets that were refused were sent to trace the path, or on another way.
 */
static bool arrives(const struct rda_overall *overall, const struct rda_flow_facts *flow,
		    const struct refusal *refusal)
{
	const int32_t *flows = overall->connections[flow->connection].flows;
	int32_t back = flows[!flow->side];

	if (!flow->has_account || !flow->has_peer || back < 0)
		return false;
	return !rda_flow_troubles(flow)->doubts.unanswered ||
	       (!flow->requests[RDA_REQUEST_RESENT] &&
		overall->flows[back]->last_time_ns > refusal->last_ns);
}

/* The refusals that a flow's packets may have met: by its QP, or its UDP source port. */
static void match(const struct rda_neighbours *n, const struct rda_overall *overall, uint32_t index,
		  struct about *abouts)
{
	const struct rda_flow_facts *flow = overall->flows[index];
	struct refusal_key key;

	if (flow->key.carrier != RDA_CARRIER_ROCEV2)
		return;
	memset(&key, 0, sizeof(key));
	memcpy(&key.source, &flow->key.source, sizeof(key.source));
	memcpy(&key.destination, &flow->key.destination, sizeof(key.destination));
	key.source_port = flow->source_port;
	for (unsigned i = 0; i < 2 * RDA_UNDELIVERABLE_COUNT; i++) {
		const struct refusal *refusal;

		key.why = (uint8_t)(i / 2);
		key.dest_qp = i % 2 ? flow->key.dest_qp : 0;
		refusal = rda_table_find(&n->refusals, &key);
		if (!refusal)
			continue;
		if (abouts[refusal->index].flows++ == 0)
			abouts[refusal->index].first = index;
		abouts[refusal->index].arriving += arrives(overall, flow, refusal);
	}
}

/* What gave up for that comes behind it. */
static int64_t cost_of(struct rda_judge *judge, struct rda_subject flow)
{
	int64_t cost = 0;

	for (unsigned i = 0; i < RDA_SEVERITY_COUNT * RDA_PROOF_COUNT; i++) {
		const struct rda_finding *gave_up = rda_finding_find_as(
			&judge->findings, RDA_CHECK_M09, (enum rda_severity)(i / RDA_PROOF_COUNT),
			(enum rda_proof)(i % RDA_PROOF_COUNT), flow);

		cost = gave_up ? MAX(cost, gave_up->cost_ns) : cost;
	}
	return cost;
}

/* `harmless`: it tells of no packet of RoCE that is missing. */
static struct rda_finding *find(struct rda_judge *judge, enum rda_check check, bool harmless,
				const struct refusal *refusal, const struct about *about)
{
	struct rda_subject subject =
		about->flows == 1 ? (struct rda_subject){RDA_SUBJECT_FLOW, about->first}
				  : rda_about_capture(rda_place_capture(refusal->first_place));
	struct rda_finding *finding =
		harmless ? rda_finding_add_as(&judge->findings, check, RDA_SEVERITY_NOTE,
					      RDA_PROOF_SUSPECTED, subject, refusal->first_place)
			 : rda_finding_add(&judge->findings, check, subject, refusal->first_place);

	rda_finding_frame(finding, refusal->last_place);
	finding->count += refusal->count - 1;
	if (about->flows == 1 && !harmless)
		finding->cost_ns = cost_of(judge, subject);
	return finding;
}

/* The arguments of who refused which packets. */
#define RDA_REFUSAL_ARGS(refusal)                                                                  \
	RDA_ARG_ADDRESS("reporter", &(refusal)->reporter),                                         \
		RDA_ARG_NUMBER("packets", (refusal)->count),                                       \
		RDA_ARG_ADDRESS("source", &(refusal)->key.source),                                 \
		RDA_ARG_ADDRESS("destination", &(refusal)->key.destination),                       \
		RDA_ARG_NUMBER("source_port", (refusal)->key.source_port),                         \
		RDA_ARG_NUMBER("destination_port", (refusal)->destination_port)

/* At whatever severity and proof. */
static void explain_each(struct rda_judge *judge, enum rda_check check, struct rda_subject effect,
			 struct rda_subject flow, bool is_no_problem)
{
	for (unsigned i = 0; i < RDA_SEVERITY_COUNT * RDA_PROOF_COUNT; i++) {
		struct rda_finding *finding = rda_finding_find_as(
			&judge->findings, check, (enum rda_severity)(i / RDA_PROOF_COUNT),
			(enum rda_proof)(i % RDA_PROOF_COUNT), effect);

		if (!finding)
			continue;
		rda_finding_explain(finding, RDA_CHECK_M22, flow);
		if (is_no_problem)
			finding->severity = RDA_SEVERITY_NOTE;
	}
}

/*
 * Nobody answers the flow, as its packets were not handed on. Where their destination says so
 * itself, that is why it is silent, and a direction that the capture misses need not be looked for.
 */
static void explain_silence(struct rda_judge *judge, const struct refusal *refusal, uint32_t index)
{
	uint32_t connection = judge->overall->flows[index]->connection;
	const int32_t *flows = judge->overall->connections[connection].flows;
	const uint64_t *sent = judge->overall->flows[index]->requests;
	const struct rda_subject flow = {RDA_SUBJECT_FLOW, index};
	const struct rda_subject both = {RDA_SUBJECT_CONNECTION, connection};
	bool itself = memcmp(&refusal->reporter, &refusal->key.destination,
			     sizeof(refusal->reporter)) == 0;

	/* who gets no answer sends little that is new: else answers come, on another way */
	if ((flows[0] >= 0 && flows[1] >= 0) || sent[RDA_REQUEST_RESENT] < sent[RDA_REQUEST_NEW])
		return;
	explain_each(judge, RDA_CHECK_Q03, both, flow, itself);
	explain_each(judge, RDA_CHECK_M21, both, flow, itself);
	explain_each(judge, RDA_CHECK_S02, flow, flow, itself);
	explain_each(judge, RDA_CHECK_S15, flow, flow, itself);
}

/* Whether every connection of the two hosts that management set up had ended before: who sends a
 * DREQ again then finds nobody. */
static bool is_all_over(const struct rda_judge *judge, const struct refusal *refusal)
{
	const struct rda_overall *overall = judge->overall;
	bool over = false;

	for (uint32_t i = 0; i < overall->conversation_count; i++) {
		const struct rda_cm_side *sides = overall->conversations[i].said.sides;
		const struct rda_cm_moment *drep =
			sides[0].drep.count ? &sides[0].drep : &sides[1].drep;
		bool upward = memcmp(&sides[0].address, &refusal->key.source,
				     sizeof(sides[0].address)) == 0;

		if (memcmp(&sides[!upward].address, &refusal->key.source,
			   sizeof(sides[0].address)) != 0 ||
		    memcmp(&sides[upward].address, &refusal->key.destination,
			   sizeof(sides[0].address)) != 0)
			continue;
		if (!drep->count || drep->first_ns > refusal->first_ns)
			return false;
		over = true;
	}
	return over;
}

/* M22 */
static void undeliverable(struct rda_judge *judge, const struct refusal *refusal,
			  const struct about *about)
{
	/* a damaged packet is refused so, or another program's of the same source port */
	bool stray = !refusal->roce, arriving = about->flows && about->arriving == about->flows;

	if (about->flows && judge->overall->flows[about->first]->management &&
	    is_all_over(judge, refusal))
		return;
	rda_finding_say(find(judge, RDA_CHECK_M22, stray || arriving, refusal, about),
			RDA_SAY_M22_ICMP, RDA_REFUSAL_ARGS(refusal),
			RDA_ARG_WORD("why", rda_undeliverable_words(
						    (enum rda_undeliverable)refusal->key.why)),
			RDA_ARG_FLAG("stray", stray), RDA_ARG_FLAG("arriving", arriving && !stray));
	if (about->flows == 1 && !stray && !arriving)
		explain_silence(judge, refusal, about->first);
}

/* The largest path MTU whose packets fit; 0: none does. */
static unsigned fitting_mtu(const struct refusal *refusal)
{
	bool ip6 = refusal->key.source.kind == RDA_ADDRESS_IP6;
	unsigned headers = ip6 ? HEADERS_IP6 : HEADERS_IP4;

	for (unsigned mtu = 4096; mtu >= 256; mtu /= 2)
		if (mtu + headers <= refusal->mtu)
			return mtu;
	return 0;
}

/* M23 */
static void too_big(struct rda_judge *judge, const struct refusal *refusal,
		    const struct about *about)
{
	unsigned fits = refusal->roce ? fitting_mtu(refusal) : 0;

	rda_finding_say(find(judge, RDA_CHECK_M23, !refusal->roce, refusal, about),
			RDA_SAY_M23_ICMP, RDA_REFUSAL_ARGS(refusal),
			RDA_ARG_NUMBER("ip_length", refusal->length),
			RDA_ARG_IF(refusal->mtu, RDA_ARG_NUMBER("link_mtu", refusal->mtu)),
			RDA_ARG_IF(fits, RDA_ARG_NUMBER("path_mtu", fits)),
			RDA_ARG_FLAG("stray", !refusal->roce));
}

/* Whether RDMA packets of a host came after a time. */
static bool spoke_after(const struct rda_judge *judge, const struct rda_address *address,
			int64_t time_ns)
{
	for (uint32_t i = 0; i < judge->overall->flow_count; i++) {
		const struct rda_flow_facts *flow = judge->overall->flows[i];

		if (flow->last_time_ns > time_ns &&
		    memcmp(&flow->key.source, address, sizeof(*address)) == 0)
			return true;
	}
	return false;
}

/* M24: where there is no RDMA at all, any two hosts may be those that should have some. */
static void link_address_unanswered(struct rda_judge *judge, const struct asked *asked)
{
	const struct rda_overall *overall = judge->overall;
	const struct rda_host *asker = rda_overall_host(overall, &asked->key.asker);
	struct rda_finding *finding;

	if (asked->row < RDA_NEIGHBOUR_ASKS ||
	    (overall->host_count && !rda_overall_host(overall, &asked->key.target)) ||
	    spoke_after(judge, &asked->key.target, asked->last_ns))
		return;
	finding = rda_finding_add(&judge->findings, RDA_CHECK_M24,
				  asker ? rda_about_host(asker)
					: rda_about_capture(rda_place_capture(asked->first_place)),
				  asked->first_place);
	rda_finding_frame(finding, asked->last_place);
	rda_finding_say(finding, RDA_SAY_M24_UNANSWERED,
			RDA_ARG_ADDRESS("asker", &asked->key.asker),
			RDA_ARG_NUMBER("times", asked->row),
			RDA_ARG_TIME("span_ns", asked->last_ns - asked->first_ns),
			RDA_ARG_ADDRESS("target", &asked->key.target));
}

void rda_neighbours_overall(const struct rda_neighbours *n, struct rda_judge *judge)
{
	struct about *abouts = g_new0(struct about, n->refusals.count + 1);

	for (uint32_t i = 0; n->refusals.count && i < judge->overall->flow_count; i++)
		match(n, judge->overall, i, abouts);
	for (uint32_t i = 0; i < n->refusals.count; i++) {
		const struct refusal *refusal = n->refusals.items[i];

		if (!abouts[i].flows && !refusal->roce)
			continue; /* of something else than RDMA */
		if (refusal->key.why == RDA_UNDELIVERABLE_TOO_BIG)
			too_big(judge, refusal, &abouts[i]);
		else
			undeliverable(judge, refusal, &abouts[i]);
	}
	g_free(abouts);
	for (uint32_t i = 0; i < n->asked.count; i++)
		link_address_unanswered(judge, n->asked.items[i]);
}
