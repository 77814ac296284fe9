/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who asked, and who left: the memory of group M.
 */
#include "analyzer/checks/management/state.h"

#include "analyzer/base/cold.h"

#include <glib.h>
#include <string.h>

struct sidr_key {
	struct rda_address asker;
	uint32_t id;
};

struct sidr {
	struct sidr_key key; /* first: the table's key */
	uint64_t place;	     /* of the first such request */
};

/* An answer to something that its sender was not asked, as far as one part tells. */
struct answer {
	struct rda_address by, asker;
	uint64_t place, tid;
	uint32_t flow; /* index */
	uint32_t id;   /* of the SIDR request, or the communication ID of the asker */
};

/* A REQ, as a REP names it. */
struct req_key {
	struct rda_address asker;
	uint64_t tid;
	uint32_t id;
};

struct req {
	struct req_key key; /* first: the table's key */
	const struct rda_cm_pair *pair;
};

/* Who ended the last connection to a service. */
struct left_key {
	struct rda_address leaver, other;
	uint64_t service_id;
};

struct left {
	struct left_key key; /* first: the table's key */
	const struct rda_cm_moment *dreq;
};

struct rda_management_state {
	struct rda_table sidrs;
	GArray *sidr_answers, *replies; /* struct answer */
	struct rda_table lefts;
	struct rda_neighbours neighbours;
};

struct rda_management_state *rda_management_state_new(uint64_t hash_seed)
{
	struct rda_management_state *state = g_new0(struct rda_management_state, 1);

	rda_table_init(&state->sidrs, sizeof(struct sidr_key), sizeof(struct sidr), hash_seed);
	rda_table_init(&state->lefts, sizeof(struct left_key), sizeof(struct left), hash_seed);
	rda_neighbours_init(&state->neighbours, hash_seed);
	state->sidr_answers = g_array_new(FALSE, FALSE, sizeof(struct answer));
	state->replies = g_array_new(FALSE, FALSE, sizeof(struct answer));
	return state;
}

void rda_management_state_free(struct rda_management_state *state)
{
	rda_table_cleanup(&state->sidrs, NULL);
	rda_table_cleanup(&state->lefts, NULL);
	rda_neighbours_cleanup(&state->neighbours);
	g_array_free(state->sidr_answers, TRUE);
	g_array_free(state->replies, TRUE);
	g_free(state);
}

struct rda_neighbours *rda_management_neighbours(struct rda_management_state *state)
{
	return &state->neighbours;
}

/* ---- flows ----------------------------------------------------------------------------------- */

struct rda_management_watch *rda_management_watch(struct rda_flow *flow)
{
	if (!flow->watch.management)
		flow->watch.management = g_new0(struct rda_management_watch, 1);
	return flow->watch.management;
}

void rda_management_first(const struct rda_at *at)
{
	if (at->icrc == RDA_ICRC_CHECK_NONE && at->frame->captured >= at->frame->wire)
		rda_management_watch(at->flow)->first_unchecked = true;
}

bool rda_management_first_is_checked(const struct rda_judge *judge, const struct rda_flow *flow)
{
	const struct rda_icrc_source *way =
		rda_icrc_way_of(judge->icrc_ways, rda_place_capture(flow->first_place), &flow->key);

	return !flow->cut && !(flow->watch.management && flow->watch.management->first_unchecked) &&
	       rda_icrc_from_the_first(way) && !rda_icrc_was_damaged(way, flow->first_place);
}

void rda_management_watch_free(struct rda_flow *flow)
{
	g_free(flow->watch.management);
	flow->watch.management = NULL;
}

/* ---- hosts ----------------------------------------------------------------------------------- */

static struct sidr_key sidr_key(const struct rda_address *asker, uint32_t id)
{
	struct sidr_key key;

	memset(&key, 0, sizeof(key)); /* padding too: keys are compared as bytes */
	memcpy(&key.asker, asker, sizeof(key.asker));
	key.id = id;
	return key;
}

void rda_management_sidr_ask(const struct rda_at *at, uint32_t id)
{
	struct rda_table *sidrs = &at->judge->management->sidrs;
	struct sidr_key key = sidr_key(&at->packet->source, id);
	struct sidr *sidr;

	if (sidrs->count >= RDA_SIDR_MAX)
		return;
	sidr = rda_table_get(sidrs, &key, NULL);
	if (!sidr->place)
		sidr->place = at->place;
}

/* Past the limit nobody knows. */
static bool is_asked(const struct rda_management_state *state, const struct answer *answer)
{
	struct sidr_key key = sidr_key(&answer->asker, answer->id);
	const struct sidr *sidr = rda_table_find(&state->sidrs, &key);

	return state->sidrs.count >= RDA_SIDR_MAX || (sidr && sidr->place < answer->place);
}

static struct answer answer_at(const struct rda_at *at, uint32_t id)
{
	return (struct answer){at->packet->source,  at->packet->destination, at->place,
			       at->packet->mad.tid, at->flow->index,	     id};
}

void rda_management_sidr_answered(const struct rda_at *at, uint32_t id)
{
	struct rda_management_state *state = at->judge->management;
	struct answer answer = answer_at(at, id);

	if (!is_asked(state, &answer) && state->sidr_answers->len < RDA_SIDR_MAX)
		g_array_append_val(state->sidr_answers, answer);
}

void rda_management_stray_reply(const struct rda_at *at, uint32_t comm_id)
{
	struct answer answer = answer_at(at, comm_id);

	if (at->judge->management->replies->len < RDA_CM_PAIRS_MAX)
		g_array_append_val(at->judge->management->replies, answer);
}

static struct left_key left_key(const struct rda_address *leaver, const struct rda_address *other,
				uint64_t service_id)
{
	struct left_key key;

	memset(&key, 0, sizeof(key));
	memcpy(&key.leaver, leaver, sizeof(key.leaver));
	memcpy(&key.other, other, sizeof(key.other));
	key.service_id = service_id;
	return key;
}

RDA_APART void rda_management_leave(const struct rda_at *at)
{
	const struct rda_cm_pair *pair = at->step->pair;
	struct left_key key;
	struct left *left;

	if (!pair || !at->step->fresh || !pair->begun)
		return;
	key = left_key(&at->packet->source, &at->packet->destination, pair->service_id);
	left = rda_table_get(&at->judge->management->lefts, &key, NULL);
	left->dreq = &pair->sides[at->step->sender].dreq;
}

const struct rda_cm_moment *rda_management_left_before(const struct rda_judge *judge,
						       const struct rda_address *leaver,
						       const struct rda_address *other,
						       uint64_t service_id)
{
	struct left_key key = left_key(leaver, other, service_id);
	const struct left *left = rda_table_find(&judge->management->lefts, &key);

	return left ? left->dreq : NULL;
}

/* ---- overall --------------------------------------------------------------------------------- */

static void join_answers(GArray *to, const GArray *from, const struct rda_moved *moved)
{
	for (guint i = 0; i < from->len; i++) {
		struct answer answer = g_array_index(from, struct answer, i);

		answer.flow = rda_moved_to(moved->flows, answer.flow);
		g_array_append_val(to, answer);
	}
}

static gint compare_answers(gconstpointer a, gconstpointer b)
{
	uint64_t one = ((const struct answer *)a)->place, two = ((const struct answer *)b)->place;

	return one < two ? -1 : one > two;
}

void rda_management_state_join(struct rda_management_state *to,
			       const struct rda_management_state *from,
			       const struct rda_moved *moved)
{
	for (uint32_t i = 0; i < from->sidrs.count; i++) {
		const struct sidr *sidr = from->sidrs.items[i];
		struct sidr *joined = rda_table_get(&to->sidrs, &sidr->key, NULL);

		joined->place = rda_meta_first_place(joined->place, sidr->place);
	}
	join_answers(to->sidr_answers, from->sidr_answers, moved);
	join_answers(to->replies, from->replies, moved);
	g_array_sort(to->sidr_answers, compare_answers);
	g_array_sort(to->replies, compare_answers);
	rda_neighbours_join(&to->neighbours, &from->neighbours);
}

void rda_management_state_pack(struct rda_pack *pack, struct rda_management_state *state)
{
	rda_pack_table(pack, &state->sidrs, NULL);
	rda_pack_array(pack, state->sidr_answers);
	rda_pack_array(pack, state->replies);
	rda_pack_table(pack, &state->neighbours.refusals, NULL);
	rda_pack_table(pack, &state->neighbours.asked, NULL);
	rda_pack_bytes(pack, &state->neighbours.not_kept, sizeof(state->neighbours.not_kept));
}

static struct rda_subject about(const struct answer *answer)
{
	return (struct rda_subject){RDA_SUBJECT_FLOW, answer->flow};
}

/* M16: an answer that nobody asked for. */
static void sidr_not_asked(struct rda_judge *judge, const struct answer *answer)
{
	rda_finding_say(rda_finding_add_as(&judge->findings, RDA_CHECK_M16, RDA_SEVERITY_NOTE,
					   RDA_PROOF_SUSPECTED, about(answer), answer->place),
			RDA_SAY_M16_NOT_ASKED, RDA_ARG_ADDRESS("by", &answer->by),
			RDA_ARG_HEX("request_id", answer->id, 8),
			RDA_ARG_ADDRESS("asker", &answer->asker));
}

static struct req_key req_key(const struct rda_address *asker, uint64_t tid, uint32_t id)
{
	struct req_key key;

	memset(&key, 0, sizeof(key)); /* padding too: keys are compared as bytes */
	memcpy(&key.asker, asker, sizeof(key.asker));
	key.tid = tid;
	key.id = id;
	return key;
}

/* M04: a REP from a host that was not asked. `taken`: the asker says so, as it may where the other
 * has several addresses. */
static void rep_from_another_host(struct rda_judge *judge, const struct answer *answer,
				  const struct rda_cm_pair *pair, bool taken)
{
	struct rda_finding *finding = rda_finding_add_as(
		&judge->findings, RDA_CHECK_M04, taken ? RDA_SEVERITY_WARNING : RDA_SEVERITY_ERROR,
		RDA_PROOF_PROVEN, about(answer), answer->place);

	rda_finding_frame(finding, pair->req.first_place);
	rda_finding_say(finding, RDA_SAY_M04_OTHER_HOST, RDA_ARG_ADDRESS("by", &answer->by),
			RDA_ARG_ADDRESS("asker", &answer->asker),
			RDA_ARG_ADDRESS("asked", &pair->sides[RDA_CM_PASSIVE].address));
}

static void stray_replies(struct rda_judge *judge, const GArray *replies)
{
	const struct rda_overall *overall = judge->overall;
	struct rda_table reqs, taken; /* `taken`: places of REPs without a REQ that have an RTU */

	rda_table_init(&reqs, sizeof(struct req_key), sizeof(struct req), 0);
	rda_table_init(&taken, sizeof(uint64_t), sizeof(uint64_t), 0);
	for (uint32_t i = 0; replies->len && i < overall->conversation_count; i++) {
		const struct rda_cm_pair *pair = &overall->conversations[i].said;
		struct req_key key =
			req_key(&pair->sides[RDA_CM_ACTIVE].address, pair->tid, pair->asked_id);

		if (pair->begun && pair->by == RDA_PAIRED_BY_CM)
			((struct req *)rda_table_get(&reqs, &key, NULL))->pair = pair;
		else if (!pair->begun && pair->rep.count && pair->rtu.count)
			rda_table_get(&taken, &pair->rep.first_place, NULL);
	}
	for (guint i = 0; i < replies->len; i++) {
		const struct answer *answer = &g_array_index(replies, struct answer, i);
		struct req_key key = req_key(&answer->asker, answer->tid, answer->id);
		const struct req *req = rda_table_find(&reqs, &key);

		if (req && req->pair->place < answer->place)
			rep_from_another_host(judge, answer, req->pair,
					      rda_table_find(&taken, &answer->place) != NULL);
	}
	rda_table_cleanup(&reqs, NULL);
	rda_table_cleanup(&taken, NULL);
}

void rda_management_state_overall(const struct rda_management_state *state, struct rda_judge *judge)
{
	for (guint i = 0; i < state->sidr_answers->len; i++) {
		const struct answer *answer = &g_array_index(state->sidr_answers, struct answer, i);

		if (!is_asked(state, answer))
			sidr_not_asked(judge, answer);
	}
	stray_replies(judge, state->replies);
	rda_neighbours_overall(&state->neighbours, judge);
}

/* ---- fewer ----------------------------------------------------------------------------------- */

/* Of flows that are gone nobody is told. */
static void sift_answers(GArray *answers, const struct rda_moved *moved)
{
	guint left = 0;

	for (guint i = 0; i < answers->len; i++) {
		struct answer answer = g_array_index(answers, struct answer, i);

		answer.flow = moved->flows[answer.flow];
		if (answer.flow != RDA_GONE)
			g_array_index(answers, struct answer, left++) = answer;
	}
	g_array_set_size(answers, left);
}

void rda_management_state_retire(struct rda_management_state *state, const struct rda_moved *moved)
{
	sift_answers(state->sidr_answers, moved);
	sift_answers(state->replies, moved);
}
