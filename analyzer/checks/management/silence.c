/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * M01, M02, M11, M17: what nobody answered, what had to be sent again, and floods.
 */
#include "analyzer/checks/management/state.h"

#include <glib.h>

/* A CM waits 4.096 us * 2^20 (4.3 s) where it did not say how long: Linux's RDMA-CM. */
enum { USUAL_CM_TIMEOUT = 20 };

static struct rda_subject subject_of(const struct rda_cm_pair *pair)
{
	return (struct rda_subject){RDA_SUBJECT_FLOW, pair->carrier};
}

/* How long the capture went on behind this message. */
static int64_t watched_ns(const struct rda_judge *judge, const struct rda_cm_moment *moment)
{
	return rda_watched_until(judge, moment->last_place) - moment->last_ns;
}

/* How long before the last of what was asked an answer to it had passed; 0: none had. */
static int64_t passed_before_ns(const struct rda_cm_moment *asked,
				const struct rda_cm_moment *answer)
{
	bool passed = answer->count && answer->first_ns >= asked->first_ns;

	return passed ? MAX(0, asked->last_ns - answer->first_ns) : 0;
}

/* ---- M01, M02 -------------------------------------------------------------------------------- */

static bool req_answer_seen(const struct rda_cm_pair *pair)
{
	return pair->rep.count || pair->mra.count ||
	       (pair->rej.count && pair->rej_by == RDA_CM_PASSIVE);
}

static bool rep_answer_seen(const struct rda_cm_pair *pair)
{
	return pair->rtu.count || pair->sides[RDA_CM_ACTIVE].dreq.count ||
	       (pair->rej.count && pair->rej_by == RDA_CM_ACTIVE);
}

/* An RTU or a DREQ of who asked says that it got a REP, seen or not. */
static bool is_answered(const struct rda_cm_pair *pair)
{
	return req_answer_seen(pair) || pair->rtu.count || pair->sides[RDA_CM_ACTIVE].dreq.count;
}

/* M01: a REQ, sent for as long as its sender waits, or given up, and no answer. */
static void req_unanswered(struct rda_judge *judge, const struct rda_cm_pair *pair)
{
	const struct rda_cm_side *active = &pair->sides[RDA_CM_ACTIVE];
	const struct rda_cm_side *passive = &pair->sides[RDA_CM_PASSIVE];
	unsigned timeout = pair->cm_timeout >= 0 ? (unsigned)pair->cm_timeout : USUAL_CM_TIMEOUT;
	bool gave_up = pair->rej.count ||
		       (pair->cm_retries > 0 && (int64_t)pair->req.count > pair->cm_retries);
	/* who got no answer asks again: who asked once may have got one that is not in the capture
	 */
	bool once = !gave_up && pair->req.count == 1;
	struct rda_finding *finding;

	if (!gave_up && watched_ns(judge, &pair->req) < rda_cm_time_ns(timeout))
		return;
	finding = rda_finding_add_as(&judge->findings, RDA_CHECK_M01,
				     once ? RDA_SEVERITY_NOTE : RDA_SEVERITY_WARNING,
				     RDA_PROOF_SUSPECTED, subject_of(pair), pair->req.first_place);
	rda_finding_frame(finding, pair->req.last_place);
	if (pair->rej.count)
		rda_finding_frame(finding, pair->rej.first_place);
	finding->cost_ns += pair->req.last_ns - pair->req.first_ns;
	rda_finding_say(finding, RDA_SAY_M01_UNANSWERED, RDA_ARG_ADDRESS("asker", &active->address),
			RDA_ARG_ADDRESS("asked", &passive->address), RDA_MANAGEMENT_SERVICE(pair),
			RDA_MANAGEMENT_TIMES(&pair->req), RDA_ARG_FLAG("gave_up", pair->rej.count),
			RDA_ARG_FLAG("asked_is_mute", true)); /* told overall */
}

/* What a set-up may take without being slow; and what was sent so often was heard, but its answer
 * was not. */
enum { SETUP_SLOW_NS = 1000000000, SENT_OFTEN = 3 };

/* M02: a message of the set-up had to be sent again. Where no answer to it is in the capture one
 * may have come, behind the first. It is a note where the first was answered, and it did not come
 * often: what the answer allows goes on meanwhile. */
static void repeated(struct rda_judge *judge, const struct rda_cm_pair *pair,
		     const struct rda_cm_side *by, const char *name,
		     const struct rda_cm_moment *moment, bool answered, int64_t passed_ns)
{
	/* whose the conversation is a REQ says */
	enum rda_proof proof = pair->begun && answered ? RDA_PROOF_PROVEN : RDA_PROOF_SUSPECTED;
	int64_t span_ns = moment->last_ns - moment->first_ns;
	bool slow = proof == RDA_PROOF_PROVEN && span_ns >= SETUP_SLOW_NS &&
		    (!passed_ns || moment->count >= SENT_OFTEN);
	struct rda_finding *finding;

	if (moment->count < 2)
		return;
	finding = rda_finding_add_as(&judge->findings, RDA_CHECK_M02,
				     slow ? RDA_SEVERITY_WARNING : RDA_SEVERITY_NOTE, proof,
				     subject_of(pair), moment->first_place);
	rda_finding_frame(finding, moment->last_place);
	finding->cost_ns = slow ? span_ns : 0;
	rda_finding_say(finding, RDA_SAY_M02_REPEATED, RDA_ARG_WORD("message", name),
			RDA_ARG_ADDRESS("by", &by->address), RDA_MANAGEMENT_TIMES(moment),
			RDA_ARG_FLAG("answered", answered),
			RDA_ARG_IF(passed_ns, RDA_ARG_TIME("passed_ns", passed_ns)));
}

static void rep_repeated(struct rda_judge *judge, const struct rda_cm_pair *pair)
{
	const struct rda_cm_moment *rep = &pair->rep;
	int64_t passed_ns = MAX(passed_before_ns(rep, &pair->rtu),
				passed_before_ns(rep, &pair->sides[RDA_CM_ACTIVE].dreq));

	if (pair->rej_by == RDA_CM_ACTIVE)
		passed_ns = MAX(passed_ns, passed_before_ns(rep, &pair->rej));
	repeated(judge, pair, &pair->sides[RDA_CM_PASSIVE], "REP", rep, rep_answer_seen(pair),
		 passed_ns);
}

static void req_repeated(struct rda_judge *judge, const struct rda_cm_pair *pair)
{
	const struct rda_cm_moment *req = &pair->req;
	int64_t passed_ns = passed_before_ns(req, &pair->rep); /* an MRA only puts it off */

	if (pair->rej_by == RDA_CM_PASSIVE)
		passed_ns = MAX(passed_ns, passed_before_ns(req, &pair->rej));
	repeated(judge, pair, &pair->sides[RDA_CM_ACTIVE], "REQ", req, req_answer_seen(pair),
		 passed_ns);
}

/* ---- M11 ------------------------------------------------------------------------------------- */

/* M11: one side left, told so again and again, and the other says nothing. */
static void dreq_unanswered(struct rda_judge *judge, const struct rda_cm_pair *pair, unsigned side)
{
	const struct rda_cm_side *leaver = &pair->sides[side], *other = &pair->sides[!side];
	bool answered = other->drep.count || other->dreq.count;
	int64_t passed_ns = passed_before_ns(&leaver->dreq, &other->drep);
	struct rda_finding *finding;

	/* one DREQ alone may have been answered behind the end of the capture */
	if (leaver->dreq.count < 2)
		return;
	finding =
		rda_finding_add_as(&judge->findings, RDA_CHECK_M11,
				   answered ? RDA_SEVERITY_NOTE : RDA_SEVERITY_WARNING,
				   RDA_PROOF_SUSPECTED, subject_of(pair), leaver->dreq.first_place);
	rda_finding_frame(finding, leaver->dreq.last_place);
	rda_finding_say(finding, RDA_SAY_M11_DREQ, RDA_ARG_ADDRESS("leaver", &leaver->address),
			RDA_ARG_ADDRESS("peer", &other->address),
			RDA_MANAGEMENT_TIMES(&leaver->dreq), RDA_ARG_FLAG("answered", answered),
			RDA_ARG_IF(passed_ns, RDA_ARG_TIME("passed_ns", passed_ns)));
}

/* ---- M17 ------------------------------------------------------------------------------------- */

/* What one host asked for. */
struct asker {
	struct rda_address address; /* first: the table's key */
	GArray *asked;		    /* pointers to struct rda_cm_pair, in order */
	uint32_t failed;	    /* of them: never came to an RTU, and nobody refused them */
};

static void cleanup_asker(void *item)
{
	g_array_free(((struct asker *)item)->asked, TRUE);
}

static int64_t asked_ns(const struct asker *asker, guint index)
{
	return g_array_index(asker->asked, const struct rda_cm_pair *, index)->req.first_ns;
}

/* The most that it asked for within a second; *last is the last of those. */
static uint32_t most_per_second(const struct asker *asker, guint *last)
{
	uint32_t most = 0;

	for (guint begin = 0, end = 0; end < asker->asked->len; end++) {
		while (asked_ns(asker, end) - asked_ns(asker, begin) >= INT64_C(1000000000))
			begin++;
		if (end + 1 - begin > most) {
			most = end + 1 - begin;
			*last = end;
		}
	}
	return most;
}

/* M17: too many at once, or too many in vain. */
static void connection_churn(struct rda_judge *judge, const struct asker *asker)
{
	const struct rda_host *host = rda_overall_host(judge->overall, &asker->address);
	const struct rda_cm_pair *pair;
	struct rda_finding *finding;
	guint last = 0;
	uint32_t most = most_per_second(asker, &last);

	if (!host || (most <= RDA_CHURN_PER_SECOND && asker->failed < RDA_CHURN_FAILED))
		return;
	pair = g_array_index(asker->asked, const struct rda_cm_pair *, last);
	finding = rda_finding_add(&judge->findings, RDA_CHECK_M17, rda_about_host(host),
				  pair->req.first_place);
	rda_finding_say(finding, RDA_SAY_M17_CHURN, RDA_ARG_ADDRESS("host", &asker->address),
			RDA_ARG_NUMBER("connections", asker->asked->len),
			RDA_ARG_NUMBER("most_per_second", most),
			RDA_ARG_NUMBER("failed", asker->failed));
}

static void note_asker(struct rda_table *askers, const struct rda_conversation *conversation)
{
	const struct rda_cm_pair *pair = &conversation->said;
	struct asker *asker;
	bool made;

	asker = rda_table_get(askers, &pair->sides[RDA_CM_ACTIVE].address, &made);
	if (made)
		asker->asked = g_array_new(FALSE, FALSE, sizeof(pair));
	g_array_append_val(asker->asked, pair);
	asker->failed += !pair->rtu.count && !pair->rej.count && !conversation->has_active;
}

/* ---- all ------------------------------------------------------------------------------------- */

static void judge_pair(struct rda_judge *judge, const struct rda_cm_pair *pair)
{
	if (pair->begun && !is_answered(pair))
		req_unanswered(judge, pair);
	else if (pair->begun)
		req_repeated(judge, pair);
	rep_repeated(judge, pair);
	dreq_unanswered(judge, pair, RDA_CM_ACTIVE);
	dreq_unanswered(judge, pair, RDA_CM_PASSIVE);
}

void rda_management_silences(struct rda_judge *judge)
{
	const struct rda_cm_track *track = judge->whole.cm;

	for (uint32_t i = 0; i < rda_cm_track_count(track); i++) {
		const struct rda_cm_pair *pair = rda_cm_track_at(track, i);

		if (pair->carrier != RDA_CM_FLOW_NONE)
			judge_pair(judge, pair);
	}
}

/* So many that asked once, and got no answer, did not all get one that is not in the capture. */
enum { MANY_ASKED_ONCE = 16 };

struct ends {
	struct rda_address asker, asked; /* a table's key */
};

/* A REP whose REQ is not in the capture: only the direction of its sender was captured, so whether
 * what that host asked was answered cannot be told. */
static void note_one_way(struct rda_table *one_way, const struct rda_cm_pair *pair)
{
	/* sides are in order of appearance: the REP came first */
	const struct ends ends = {pair->sides[0].address, pair->sides[1].address};

	if (!pair->begun && pair->rep.count)
		rda_table_get(one_way, &ends, NULL);
}

/* M01: not one packet of the host that was asked is in the capture. */
static void tell_mute(struct rda_finding *finding, const struct rda_overall *overall,
		      const struct rda_table *one_way)
{
	const struct rda_flow_facts *flow = overall->flows[finding->key.subject.index];
	bool mute = !rda_overall_host(overall, &flow->key.destination)->packets_sent;
	struct ends ends = {flow->key.source, flow->key.destination};

	if (finding->count >= MANY_ASKED_ONCE && !(mute && rda_table_find(one_way, &ends)))
		finding->severity = RDA_SEVERITY_WARNING;
	rda_finding_set_flag(finding, "asked_is_mute", mute);
}

void rda_management_silences_overall(struct rda_judge *judge)
{
	const struct rda_overall *overall = judge->overall;
	struct rda_table askers, one_way;

	rda_table_init(&one_way, sizeof(struct ends), sizeof(struct ends), 0);
	for (uint32_t i = 0; i < overall->conversation_count; i++)
		note_one_way(&one_way, &overall->conversations[i].said);
	for (uint32_t i = 0; i < judge->findings.table.count; i++) {
		struct rda_finding *finding = judge->findings.table.items[i];

		if (finding->key.check == RDA_CHECK_M01 && !finding->key.overall)
			tell_mute(finding, overall, &one_way);
	}
	rda_table_cleanup(&one_way, NULL);
	rda_table_init(&askers, sizeof(struct rda_address), sizeof(struct asker), 0);
	for (uint32_t i = 0; i < overall->conversation_count; i++) {
		const struct rda_cm_pair *pair = &overall->conversations[i].said;

		if (pair->carrier != RDA_CM_FLOW_NONE && pair->begun)
			note_asker(&askers, &overall->conversations[i]);
	}
	for (uint32_t i = 0; i < askers.count; i++)
		connection_churn(judge, askers.items[i]);
	rda_table_cleanup(&askers, cleanup_asker);
}
