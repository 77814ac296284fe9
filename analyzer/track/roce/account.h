/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The account of what a half-flow's sender asked on a reliable connection, and of what the other
 * half-flow answered to it: packets go in, and everybody may ask what they came to. What an account
 * is made of is known to this folder only.
 */
#ifndef RDA_ACCOUNT_H
#define RDA_ACCOUNT_H

#include "analyzer/base/meta.h"
#include "analyzer/track/flow.h"
#include "analyzer/track/messages.h"
#include "analyzer/track/roce/request.h"

struct rda_giveup;
struct rda_time_hold;

void rda_account_free(struct rda_account *account);

/* The path MTU as far as the flow knows: from CM, else as seen in either direction; 0 unknown. */
uint32_t rda_account_mtu(const struct rda_flow *flow);

/* A packet for an account; `place` is its frame's (meta.h). */
struct rda_posting {
	const struct rda_meta *meta;
	const struct rda_frame *frame;
	const struct rda_packet *packet;
	uint64_t place;
	const struct rda_event_sink *sink; /* may be NULL */
	uint32_t window_cap;		   /* of an account that is made now; 0 the default */
	bool icrc_fits;			   /* it was checked, and is that of the bytes */
};

/*
 * A request of the flow; makes its account when it is the first. Fills *request with what the
 * trackers took, *original with the place of the frame that it repeats, or 0.
 */
enum rda_request_kind rda_account_request(struct rda_flow *flow, const struct rda_posting *posting,
					  struct rda_request *request, uint64_t *original);

/*
 * What a packet is that is in the capture once more, of a flow with an account: it changes nothing.
 */
enum rda_request_kind rda_account_copy(struct rda_flow *flow, const struct rda_posting *posting,
				       struct rda_request *request, uint64_t original);

/*
 * It is found out only now who answers these requests, and answers passed before: of what waits
 * some may have come.
 */
void rda_account_joined(struct rda_account *account);

/* A response that the flow's peer asked for. Without a peer nobody did. */
void rda_account_response(struct rda_flow *flow, const struct rda_posting *posting);

/* The place of the latest packet of the request that a response with this PSN answers, or 0. */
uint64_t rda_account_asked(const struct rda_flow *asker, uint32_t psn);

/* A packet of the flow whose contents cannot be trusted. */
void rda_account_damaged(struct rda_flow *flow, const struct rda_posting *posting);

/* The account of a flow is whole only when the other direction was followed beside it. */
static inline bool rda_account_is_whole(const struct rda_flow *flow)
{
	return flow->account && flow->peer;
}

/* A CNP reached the sender of the flow. */
void rda_account_slowed(struct rda_flow *flow, int64_t time_ns);

/* Whether nothing of it, nor of the responses to its READs, passed for a while; since when. NULL:
 * no. */
bool rda_account_paused(const struct rda_flow *asker, int64_t time_ns, int64_t *since_ns);

/* The link was stopped in that while; see rda_time_ledger_held. */
void rda_account_held(struct rda_flow *asker, uint16_t roles, int64_t time_ns,
		      const struct rda_time_hold *holds, unsigned count);

/* ---- sums: of a flow without an account all are 0 -------------------------------------------- */

/* The first answer says that the responder took no message before those that passed here. */
bool rda_account_begins_here(const struct rda_flow *flow);

/* Requests that the responder got again: of resends, and of copies by the network. */
uint64_t rda_account_duplicates(const struct rda_flow *flow);

/* New ones are not among them: the next function has those. */
const struct rda_request_counts *rda_account_counts(const struct rda_flow *flow);
uint64_t rda_account_new_requests(const struct rda_flow *flow);
const struct rda_unexpected_counts *rda_account_unexpected(const struct rda_flow *flow);
const struct rda_response_counts *rda_account_response_counts(const struct rda_flow *flow);

/* Requests, and among the waiting ones READs and ATOMICs, that did not fit what is remembered. */
uint64_t rda_account_forgotten(const struct rda_flow *flow);
uint64_t rda_account_forgotten_reads(const struct rda_flow *flow);

/* How long messages took; NULL: none was acknowledged. */
const struct rda_messages *rda_account_messages(const struct rda_flow *flow);

/* Time without progress after resends of one cause, or of all (NONE). */
int64_t rda_account_stalled_ns(const struct rda_flow *flow, enum rda_trigger trigger);

/* Where the time from `begin_ns` to `end_ns` went, with a sum of waits for each depth. */
struct rda_time_sums;
void rda_account_time(const struct rda_flow *flow, int64_t begin_ns, int64_t end_ns,
		      struct rda_time_sums *sums);

/* From now on parts of its time are told to a log, which is borrowed; called with every request. */
struct rda_time_log;
void rda_account_log_time(struct rda_flow *flow, struct rda_time_log *log);

/* At the end: the parts that were not told, if its time is from `begin_ns` to `end_ns`. */
void rda_account_log_time_left(const struct rda_flow *flow, int64_t begin_ns, int64_t end_ns,
			       struct rda_time_log *log);

/* From a request to its answer, smoothed; 0 unknown. */
int64_t rda_account_rtt_ns(const struct rda_flow *flow);

/* ---- how far it came ------------------------------------------------------------------------- */

const struct rda_progress *rda_account_progress(const struct rda_account *account);

/* There was a request that is followed; before that what was just returned means nothing. */
bool rda_account_started(const struct rda_account *account);

/* The PSN of a response, beside what is acknowledged. */
int64_t rda_account_widen(const struct rda_account *account, uint32_t psn);

/* Everything below was acknowledged, and READs and ATOMICs have their answers. */
int64_t rda_account_answered(const struct rda_account *account);

/* Whether the responder took or answered something after `time_ns`. */
bool rda_account_moved_since(const struct rda_account *account, int64_t time_ns);

/* Whether a request is of another connection than what its flow sent, which has an account: the QP
 * was set up anew (reset.c). */
bool rda_account_is_reset(const struct rda_flow *flow, const struct rda_posting *posting);

/* The same after a fatal NAK or a DREQ: PSNs that have nothing to do with those before. */
bool rda_account_is_reset_after_end(const struct rda_flow *flow, const struct rda_posting *posting);

/* The connection of a flow ended so: what seemed to be sent again may have been the next one's, as
 * it asked for the same. */
void rda_account_was_reset(struct rda_flow *flow);

/* Whether an answer came to what this request goes on with, far ahead of all that was seen. */
bool rda_account_is_expected(const struct rda_account *account, int64_t psn);

/*
 * PSNs behind the latest request that were acknowledged, and did not come so far. *place: of the
 * ACK.
 */
uint64_t rda_account_unseen(const struct rda_flow *flow, uint64_t *place);

/* Whether the PSN that was agreed on lies among these, which nothing shows, though the account
 * began before them: as if with a late packet of an earlier life of the QP. */
bool rda_account_begins_within(const struct rda_account *account, int64_t begin, int64_t end);

/* Whether anything was acknowledged that had not been seen before; `flow` may be NULL. */
bool rda_account_answered_early(const struct rda_flow *flow);

/*
 * Whether several READs lack responses, though later ones were answered long ago: the capture
 * missed these, as no requester leaves several unasked. `flow` may be NULL.
 */
bool rda_account_reads_lack(const struct rda_flow *flow);

/* Whether any answer, of whatever kind, passed before what it answers was shown, or was known to be
 * that: the tap shows one direction late, the capture began behind that, or missed it. */
bool rda_account_answers_came_first(const struct rda_flow *flow);

/* Whether an ACK or NAK that passed before covers a request with this PSN, which passes now. */
bool rda_account_answered_ahead(const struct rda_account *account, int64_t psn);

/* Messages; those that may hide in what was forgotten count as unseen. */
struct rda_message_progress rda_account_message_progress(const struct rda_account *account);

/* Messages that end at or below a PSN that is outstanding, of those that the window remembers and
 * those that are done. */
uint64_t rda_account_ended(const struct rda_account *account, int64_t psn);

/*
 * Whether a request was not seen before; `original` is the place of the packet that it repeats, or
 * 0: one that is resent may be so old that the account has forgotten what it repeats.
 */
static inline bool rda_account_is_first(const struct rda_flow *flow,
					const struct rda_request *request,
					enum rda_request_kind kind, uint64_t original)
{
	if (original || kind == RDA_REQUEST_MIRRORED)
		return false;
	return kind != RDA_REQUEST_RESENT ||
	       request->begin >= rda_account_progress(flow->account)->acked;
}

/* ---- requests: valid until the next packet --------------------------------------------------- */

/* What was sent with a PSN; NULL: it is not remembered. */
const struct rda_sent *rda_account_sent(const struct rda_account *account, int64_t psn);

/* The roles of what was sent with a PSN; 0: a hole, or it is not remembered. */
uint16_t rda_account_roles(const struct rda_account *account, int64_t psn);

/* PSNs of [begin, end) that count as of READs whose spans were guessed, and may be of other
 * requests, which the capture missed. */
uint64_t rda_account_guessed(const struct rda_account *account, int64_t begin, int64_t end);

/* A READ was cut within its RETH: how many responses it asks for, what follows it tells at best. */
bool rda_account_reads_are_cut(const struct rda_account *account);

/* How often what has a PSN was sent, as the runs tell; 0: it is not remembered. */
unsigned rda_account_times_sent(const struct rda_account *account, int64_t psn);

/* Whether what has a PSN was sent more than once, as the runs tell, or the capture has it so; or
 * the network copied it. */
bool rda_account_was_sent_again(const struct rda_account *account, int64_t psn);

/* What is not acknowledged, in order of PSN, from index 0 on; false behind the last. */
bool rda_account_outstanding(const struct rda_account *account, uint32_t index,
			     struct rda_sent *sent);

/* How often what is not acknowledged appeared. */
uint64_t rda_account_unanswered(const struct rda_flow *flow);

/* Whether a request that counts as resent may yet turn out to be late. */
bool rda_account_doubts_resends(const struct rda_account *account);

/* Requests overtook each other, and nothing tells the order in which they were sent: what is late,
 * and what was sent again, is a guess. */
bool rda_account_lost_order(const struct rda_account *account);

/* What counts as sent again after a silence may be late by more than is likely. */
bool rda_account_leapt(const struct rda_account *account);

/* Identifications tell in which order it was sent, or the answers to it were. */
bool rda_account_requests_numbered(const struct rda_account *account);
bool rda_account_answers_numbered(const struct rda_account *account);

/* Answers that came behind one with a greater identification, whether that tells the order or not.
 */
uint64_t rda_account_answers_behind(const struct rda_account *account);

/* New acknowledgments name packets that ask for one, as a rule. */
bool rda_account_acks_what_asks(const struct rda_account *account);

/* The run at hand may be the next connection of a QP that was set up anew with the PSNs it had; or
 * one before was: what is below may be of either. */
bool rda_account_perhaps_anew(const struct rda_flow *asker);
bool rda_account_was_anew(const struct rda_flow *asker);

/* Which connection of a QP an answer is of, to a PSN that was answered before. */
enum rda_reset_life {
	RDA_LIFE_SAME,
	RDA_LIFE_PERHAPS_NEXT,
	RDA_LIFE_NEXT, /* as its count of messages says */
};

/* With this PSN and MSN, at this time. */
enum rda_reset_life rda_account_life_of(const struct rda_flow *asker, int64_t psn, uint32_t msn,
					int64_t time_ns);

/* An answer comes so long behind all requests that their QP may have been set up anew, and what
 * this one is to is not shown yet. */
bool rda_account_is_behind_silence(const struct rda_flow *asker, int64_t time_ns);

/* A run of resends begins with the request at hand: none of it can be late, and was sent before. */
bool rda_account_run_begins_here(const struct rda_account *account);

/* The run at hand has come to what passed before it, and its latest packets never had: that may
 * have come late, and is no resend. */
bool rda_account_run_ends_with_firsts(const struct rda_account *account);

/* What lies below was acknowledged, by more than an ACK or NAK of more than was sent. */
int64_t rda_account_taken(const struct rda_account *account);

/* Responses to this flow's requests that came behind later ones, as far as is known by now. */
uint64_t rda_account_late_responses(const struct rda_flow *asker);

/*
 * What came late may have been sent again: it lies below the capture's first PSN, it was asked for,
 * or acknowledged before it came, or a timer had the time to fire; and identifications that told
 * the order of sending too late for it say so, or never told it.
 */
bool rda_account_doubts_late(const struct rda_account *account);

/* Whether a PSN lies behind all that was sent; false while the last one's PSNs are not known. */
bool rda_account_is_unsent(const struct rda_account *account, int64_t psn);

/*
 * Outstanding packets of which a NAK or a resend tells, and that did not pass here as often as they
 * were sent; *place: a frame of the first of them.
 */
uint64_t rda_account_missing(const struct rda_account *account, uint64_t *place);

/* READs and ATOMICs that wait for responses, in order of PSN; NULL behind the last. */
const struct rda_pending *rda_account_waiting(const struct rda_account *account, uint32_t index);

/* Responses that are lost if they do not come late, in order of time; NULL behind the last. */
const struct rda_owed *rda_account_owed(const struct rda_flow *asker, uint32_t index);

/*
 * Whether one of those would have come by the end of the capture: long ago, or the answer to who
 * asked again has come, and another behind that. One answer may be what is owed itself.
 */
bool rda_account_would_have_come(const struct rda_flow *asker, const struct rda_owed *owed);

/* Whether the run of resends that begins with this frame asked again for some of those. */
bool rda_account_repairs(const struct rda_flow *asker, uint64_t frame);

/* Whether the response with this PSN is one of those that a READ or ATOMIC waits for. */
bool rda_account_waits_at(const struct rda_account *account, int64_t psn);

/* The same, and what was answered behind it has passed: that response came late or never. */
bool rda_account_passed_over(const struct rda_account *account, int64_t psn);

/* What passed with this PSN had not been taken: of a READ or ATOMIC it was not of the latest
 * answer; or an older response was missing. */
bool rda_account_lacks_at(const struct rda_account *account, int64_t psn);

/* ---- resends --------------------------------------------------------------------------------- */

/* The latest run of resends; what the run at hand is due to. */
const struct rda_resend_run *rda_account_run(const struct rda_account *account);
enum rda_trigger rda_account_run_trigger(const struct rda_account *account);

/* Where the run that this RDA_EVENT_RESEND is about was due to begin: that may be lost itself. */
int64_t rda_account_run_start(const struct rda_account *account, const struct rda_event *resend);

/* Whether the reason to send `psn` again now may lie before the capture. */
bool rda_account_began_before(const struct rda_account *account, int64_t psn, int64_t time_ns);

/* [begin, end) is missing so soon behind the first packet, by what an answer takes or a packet
 * overtakes others, that it may have passed before the capture began, and what passed here be sent
 * again. */
bool rda_account_is_early(const struct rda_account *account, int64_t begin, int64_t end);

/* The responder sent a fatal NAK. */
bool rda_account_is_refused(const struct rda_account *account);

/* The responder's latest answer is an RNR NAK of this PSN. */
bool rda_account_is_put_off(const struct rda_account *account, int64_t psn);

/*
 * Responses to what a flow asked for that were sent before this capture point and did not come, as
 * identifications tell (answer_place.h), besides those that are counted as lost. *place, unless
 * NULL: of the answer behind the latest of them.
 */
uint64_t rda_account_responses_unshown(const struct rda_flow *asker, uint64_t *place);

#endif
