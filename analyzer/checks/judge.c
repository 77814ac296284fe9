/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The families of checks, called in one order, and the last word on proof.
 */
#include "analyzer/checks/judge.h"

#include "analyzer/base/cold.h"
#include "analyzer/checks/missed.h"
#include "analyzer/track/connection.h"
#include "analyzer/track/keys/key_log.h"

#include <string.h>

void rda_judge_init(struct rda_judge *judge, uint64_t hash_seed)
{
	memset(judge, 0, sizeof(*judge));
	rda_findings_init(&judge->findings, hash_seed);
#define RDA_F(family) rda_check_##family##_begin(judge);
	RDA_STATE_FAMILIES(RDA_F)
#undef RDA_F
}

void rda_judge_weigh_as(struct rda_judge *judge, const struct rda_config *config)
{
	memcpy(judge->off, config->checks_off, sizeof(judge->off));
	memcpy(judge->severity, config->checks_severity, sizeof(judge->severity));
	judge->findings.keep_all = config->trace;
	judge->link_gbits = config->link_gbits;
	judge->dissect = config->dissect;
}

void rda_judge_forget(struct rda_flow *flow)
{
#define RDA_F(family) rda_check_##family##_forget(flow);
	RDA_FLOW_FAMILIES(RDA_F)
#undef RDA_F
}

void rda_judge_cleanup(struct rda_judge *judge, const struct rda_table *flows)
{
	for (uint32_t i = 0; flows && i < flows->count; i++)
		if (flows->items[i]) /* else it is freed */
			rda_judge_forget(flows->items[i]);
#define RDA_F(family) rda_check_##family##_free(judge);
	RDA_STATE_FAMILIES(RDA_F)
#undef RDA_F
	rda_check_iwarp_free(judge);
	rda_findings_cleanup(&judge->findings);
}

RDA_APART static void judge_other(const struct rda_at *at)
{
#define RDA_F(family) rda_check_##family##_other_frame(at);
	RDA_OTHER_FRAME_FAMILIES(RDA_F)
#undef RDA_F
}

void rda_judge_packet(const struct rda_at *at)
{
#define RDA_F(family) rda_check_##family##_frame(at);
	RDA_FRAME_FAMILIES(RDA_F)
#undef RDA_F
	if (!at->packet->plain)
		judge_other(at);
	if (!at->flow)
		return;
	if (at->damaged) {
		rda_check_sequence_damaged(at);
		return;
	}
#define RDA_F(family) rda_check_##family##_packet(at);
	RDA_PACKET_FAMILIES(RDA_F)
#undef RDA_F
}

RDA_APART void rda_judge_copy(const struct rda_at *at)
{
	rda_check_capture_copy(at);
	rda_check_answer_copy(at);
	rda_check_time_copy(at);
}

void rda_judge_others(const struct rda_at *at, const struct rda_share *share)
{
#define RDA_F(family) rda_check_##family##_others(at, share);
	RDA_OTHERS_FAMILIES(RDA_F)
#undef RDA_F
}

void rda_judge_times(const struct rda_at *at, const struct rda_share *share)
{
	rda_check_capture_others(at, share);
	rda_check_time_others(at, share);
	if (share->stops_link)
		rda_check_congestion_others(at, share);
}

void rda_judge_between(const struct rda_at *at)
{
	rda_check_capture_between(at);
	rda_check_congestion_between(at);
}

void rda_judge_event(const struct rda_at *at, const struct rda_event *event)
{
#define RDA_F(family) rda_check_##family##_event(at, event);
	RDA_EVENT_FAMILIES(RDA_F)
#undef RDA_F
}

bool rda_judge_was_checked(const struct rda_at *at, const struct rda_flow *flow,
			   const struct rda_sent *sent)
{
	const struct rda_icrc_source *way = rda_icrc_way_of(
		at->judge->icrc_ways, rda_place_capture(sent->last_frame), &flow->key);

	return sent->icrc && rda_icrc_from_the_first(way) &&
	       !rda_icrc_was_damaged(way, sent->last_frame);
}

bool rda_judge_began_inside(const struct rda_judge *judge, const struct rda_flow *flow)
{
	const struct rda_finding *finding =
		rda_finding_find(&judge->findings, RDA_CHECK_Q09, rda_about_flow(flow));

	return finding && finding->said && finding->said->sayings[0] == RDA_SAY_Q09_REQUEST;
}

struct rda_finding *rda_finding_of_bytes(struct rda_judge *judge, bool checked,
					 enum rda_check check, struct rda_subject subject,
					 uint64_t place)
{
	enum rda_severity severity = rda_check_row(check)->severity == RDA_SEVERITY_ERROR
					     ? RDA_SEVERITY_WARNING
					     : RDA_SEVERITY_NOTE;

	if (checked)
		return rda_finding_add(&judge->findings, check, subject, place);
	return rda_finding_add_as(&judge->findings, check, severity, RDA_PROOF_SUSPECTED, subject,
				  place);
}

struct rda_finding *rda_finding_by_both(const struct rda_at *at, bool checked, enum rda_check check,
					struct rda_subject subject)
{
	return rda_finding_of_bytes(at->judge, checked && rda_judge_is_checked(at), check, subject,
				    at->place);
}

struct rda_finding *rda_finding_by_bytes(const struct rda_at *at, enum rda_check check,
					 struct rda_subject subject)
{
	return rda_finding_by_both(at, true, check, subject);
}

/* So many that deviate alike are no damage, if they are one of so many. */
enum { ALIKE = 3, ALIKE_OF = 8 };

void rda_finding_repeats(const struct rda_at *at, struct rda_finding *finding, uint64_t deviation,
			 uint64_t of)
{
	rda_finding_repeats_in(finding, at->packet->bth.psn, deviation, of);
}

void rda_finding_repeats_in(struct rda_finding *finding, uint32_t which, uint64_t deviation,
			    uint64_t of)
{
	uint32_t how = (uint32_t)(deviation ^ deviation >> 32);

	if (finding->key.proof == RDA_PROOF_PROVEN)
		return;
	if (finding->alike && finding->deviation != how) {
		finding->alike--;
		return;
	}
	finding->alike += !finding->alike || finding->deviation_in != which;
	finding->deviation = how;
	finding->deviation_in = which;
	if (finding->alike >= ALIKE && finding->alike >= of / ALIKE_OF)
		finding->severity = rda_check_row((enum rda_check)finding->key.check)->severity;
}

/* ---- memory keys ----------------------------------------------------------------------------- */

void rda_judge_key(struct rda_judge *judge, const struct rda_key_event *event,
		   const struct rda_key_news *news)
{
#define RDA_F(family) rda_check_##family##_key(judge, event, news);
	RDA_KEY_FAMILIES(RDA_F)
#undef RDA_F
}

bool rda_judge_is_of_keys(enum rda_check check)
{
	return rda_check_row(check)->code[0] == 'K' || check == RDA_CHECK_A20 ||
	       check == RDA_CHECK_A21;
}

static void hear(void *judge, const struct rda_key_event *event, const struct rda_key_news *news)
{
	rda_judge_key(judge, event, news);
}

void rda_judge_keys(struct rda_judge *judge, const struct rda_key_log *log,
		    struct rda_key_ledger *ledger)
{
	judge->key_ledger = ledger;
	rda_key_log_replay(log, ledger, hear, judge);
	rda_check_keys_end(judge);
}

/* ---- the end --------------------------------------------------------------------------------- */

/* Flows of a connection that comes up. */
static void fetch_flows(const struct rda_whole *whole, uint32_t index)
{
	for (unsigned side = 0; whole->connection_count - index > RDA_FETCH_ITEMS && side < 2;
	     side++)
		rda_fetch_lines(whole->connections[index + RDA_FETCH_ITEMS].flows[side],
				sizeof(struct rda_flow) / RDA_FETCH_LINE + 1);
}

static void know_connections(const struct rda_whole *whole)
{
	for (uint32_t i = 0; i < whole->connection_count; i++) {
		fetch_flows(whole, i);
		whole->connections[i].seen = rda_connection_seen(&whole->connections[i]);
		whole->connections[i].application =
			rda_connection_application(&whole->connections[i], whole->cm);
	}
}

/* What families look at of a connection that comes up: its flows, then what these point to. */
static void fetch_connection(const struct rda_whole *whole, uint32_t index)
{
	fetch_flows(whole, index);
	for (unsigned side = 0; whole->connection_count - index > RDA_FETCH_ITEMS / 2 && side < 2;
	     side++)
		rda_judge_fetch(whole->connections[index + RDA_FETCH_ITEMS / 2].flows[side]);
}

static void judge_connection(struct rda_judge *judge, const struct rda_connection *connection)
{
#define RDA_F(family) rda_check_##family##_connection(judge, connection);
	RDA_CONNECTION_FAMILIES(RDA_F)
	RDA_F(ulp)
#undef RDA_F
}

void rda_judge_end(struct rda_judge *ending, const struct rda_judge *judge,
		   const struct rda_whole *whole)
{
	*ending = *judge;
	rda_findings_copy(&ending->findings, &judge->findings);
	ending->whole = *whole;
	know_connections(whole);
	for (uint32_t i = 0; i < whole->connection_count; i++) {
		fetch_connection(whole, i);
		judge_connection(ending, &whole->connections[i]);
	}
#define RDA_F(family) rda_check_##family##_end(ending);
	RDA_END_FAMILIES(RDA_F)
#undef RDA_F
}

void rda_judge_end_cleanup(struct rda_judge *ending)
{
	rda_findings_cleanup(&ending->findings);
}

/* ---- before the end -------------------------------------------------------------------------- */

struct retiring {
	struct rda_judge *judge;
	const struct rda_whole *whole;
	const struct rda_moved *moved;
};

/* The connection of a finding that is of no other kind; NULL: it is of none, or of several. */
static const struct rda_connection *connection_of(const struct rda_finding *finding,
						  const struct rda_whole *whole)
{
	uint32_t index = finding->key.subject.index;

	switch (finding->key.subject.kind) {
	case RDA_SUBJECT_FLOW: return &whole->connections[whole->seats[index].connection];
	case RDA_SUBJECT_CONNECTION: return &whole->connections[index];
	default: return NULL;
	}
}

/* Of connections only those are judged before the end that go. */
static bool stays(struct rda_subject *subject, const struct rda_moved *moved)
{
	return subject->kind != RDA_SUBJECT_CONNECTION && rda_subject_move(subject, moved);
}

bool rda_judge_settle_gone(struct rda_judge *judge, struct rda_finding *finding, uint8_t seen)
{
	enum rda_check check = (enum rda_check)finding->key.check;

	if (finding->withheld)
		return false;
	if (!finding->stands_alone && rda_check_row(check)->required & (uint8_t)~seen) {
		if (!judge->off[check])
			judge->retired_withheld[check] += finding->count;
		return false;
	}
	finding->key.subject =
		rda_about_capture(finding->place_count ? rda_place_capture(finding->places[0]) : 0);
	finding->key.overall = RDA_FINDING_RETIRED;
	finding->proof = RDA_PROOF_SUSPECTED;
	finding->explained = false;
	return true;
}

/* What was captured of the connection that it is about; all where it is about no one of them. */
static uint8_t seen_of(const struct rda_finding *finding, const struct rda_whole *whole)
{
	const struct rda_connection *connection = connection_of(finding, whole);

	return connection ? connection->seen : UINT8_MAX;
}

static bool retire_finding(struct rda_finding *finding, void *context)
{
	const struct retiring *retiring = context;
	struct rda_subject subject = finding->key.subject;

	if (!stays(&subject, retiring->moved))
		return rda_judge_settle_gone(retiring->judge, finding,
					     seen_of(finding, retiring->whole));
	finding->key.subject = subject;
	finding->explained = finding->explained && stays(&finding->cause_subject, retiring->moved);
	return true;
}

void rda_judge_retire(struct rda_judge *judge, const struct rda_whole *whole, const bool *gone,
		      const struct rda_moved *moved)
{
	struct retiring retiring = {judge, whole, moved};

	judge->retired = true;
	judge->whole = *whole;
	know_connections(whole);
	for (uint32_t i = 0; i < whole->connection_count; i++)
		if (gone[i])
			judge_connection(judge, &whole->connections[i]);
	rda_findings_move(&judge->findings, retire_finding, &retiring);
#define RDA_F(family) rda_check_##family##_retire(judge, moved);
	RDA_RETIRE_FAMILIES(RDA_F)
#undef RDA_F
	memset(&judge->whole, 0, sizeof(judge->whole));
}

/* ---- all parts ------------------------------------------------------------------------------- */

void rda_judge_join(struct rda_judge *to, const struct rda_judge *from,
		    const struct rda_moved *moved)
{
	for (unsigned check = 0; check < RDA_CHECK_COUNT; check++) {
		to->off[check] |= from->off[check];
		if (!to->severity[check])
			to->severity[check] = from->severity[check];
		to->retired_withheld[check] += from->retired_withheld[check];
	}
	to->retired |= from->retired;
#define RDA_F(family) rda_check_##family##_join(to, from, moved);
	RDA_JOIN_FAMILIES(RDA_F)
#undef RDA_F
}

void rda_judge_pack(struct rda_pack *pack, struct rda_judge *judge)
{
	rda_pack_bytes(pack, judge->retired_withheld, sizeof(judge->retired_withheld));
	rda_pack_bytes(pack, judge->off, sizeof(judge->off));
	rda_pack_bytes(pack, judge->severity, sizeof(judge->severity));
	rda_pack_bytes(pack, &judge->retired, sizeof(judge->retired));
	rda_findings_pack(pack, &judge->findings);
#define RDA_F(family) rda_check_##family##_pack(pack, judge);
	RDA_JOIN_FAMILIES(RDA_F)
#undef RDA_F
}

/* Whose finding it is, once flows are connections. */
static void place_finding(struct rda_finding *finding, const struct rda_overall *overall)
{
	const struct rda_flow_facts *flow;

	if (finding->key.subject.kind == RDA_SUBJECT_CONNECTION) {
		finding->connection = (int32_t)finding->key.subject.index;
	} else if (finding->key.subject.kind == RDA_SUBJECT_FLOW) {
		flow = overall->flows[finding->key.subject.index];
		finding->connection = (int32_t)flow->connection;
		finding->flow = (int8_t)flow->side;
	}
}

bool rda_overall_peer_is_guess(const struct rda_overall *overall, uint32_t connection)
{
	const struct rda_connection_facts *facts = &overall->connections[connection];
	bool followed = false;

	for (unsigned side = 0; side < 2; side++)
		followed |= facts->flows[side] >= 0 && overall->flows[facts->flows[side]]->has_peer;
	return followed && facts->paired_by == RDA_PAIRED_BY_ONLY_CANDIDATE;
}

/* Group F without needs: one packet shows it, whoever the other direction is. */
static bool shown_by_one_packet(const struct rda_check_row *row)
{
	return row->code[0] == 'F' && !row->needs;
}

/* What the capture lacks of the connection weakens or silences it; and it is weak where one
 * direction was held against another connection's, perhaps. */
static void weigh_seen(struct rda_judge *judge, struct rda_finding *finding, uint8_t seen)
{
	const struct rda_check_row *row = rda_check_row(finding->key.check);
	uint8_t lacks = (uint8_t)~seen;

	finding->lowered |=
		!shown_by_one_packet(row) &&
		rda_overall_peer_is_guess(judge->overall, (uint32_t)finding->connection);
	if (row->required & lacks) {
		finding->withheld = true;
		judge->withheld[finding->key.check] += finding->count;
	} else if (finding->lowered || (row->needs & lacks && finding->proof == RDA_PROOF_PROVEN)) {
		finding->lowered = true;
		finding->proof = RDA_PROOF_SUSPECTED;
		judge->lowered[finding->key.check] += finding->count;
	}
	if (!judge->severity[finding->key.check])
		rda_missed_weaken(judge, finding);
}

void rda_judge_weigh(struct rda_judge *judge, struct rda_finding *finding)
{
	uint8_t severity = judge->severity[finding->key.check];

	if (severity)
		finding->severity = (uint8_t)(severity - 1);
	if (judge->off[finding->key.check])
		finding->withheld = true;
	else if (finding->connection >= 0 && !finding->stands_alone)
		weigh_seen(judge, finding, judge->overall->connections[finding->connection].seen);
	if (judge->retired && finding->key.overall && finding->proof == RDA_PROOF_PROVEN)
		finding->proof = RDA_PROOF_SUSPECTED;
}

void rda_judge_overall(struct rda_judge *judge, const struct rda_overall *overall)
{
	judge->overall = overall;
	judge->findings.overall = 1;
	memcpy(judge->withheld, judge->retired_withheld, sizeof(judge->withheld));
	rda_missed_forget(judge);
#define RDA_F(family) rda_check_##family##_overall(judge);
	RDA_OVERALL_FAMILIES(RDA_F)
#undef RDA_F
	judge->missed_frames = rda_missed_frames(overall);
	for (uint32_t i = 0; i < judge->findings.table.count; i++) {
		place_finding(judge->findings.table.items[i], overall);
		rda_judge_weigh(judge, judge->findings.table.items[i]);
	}
	rda_findings_rank(&judge->findings);
	judge->overall = NULL;
}
