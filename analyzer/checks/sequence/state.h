/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group S by its files:
 *
 *     sequence.c  the hooks, and what is watched of a flow
 *     loss.c      S02, S04, S15-S17: what was lost or sent again, why, what it cost
 *     after_nak.c S03: what a NAK asked for, or a timer sent again
 *     missing.c   S01: what did not come here
 *     spurious.c  S05: what was sent again for nothing
 *     anew.c      what seems to be sent again, and may be of the QP's next life
 *     reordered.c Q10: what was sent again for packets that only came late
 *     tell.c      how the findings of these are told
 *     storm.c     S15, S16: how much was sent again
 *     resent.c    S06-S08, S11: whether what was sent again is the same
 *     order.c     S09, S10, S20: the order of opcodes and PSNs
 *     read.c      S12-S14: READ responses
 *     next_hop.c  S21: whether what was sent again went another way
 *     datagram.c  S01 and S09 of UC, S18, S19: what is not acknowledged
 */
#ifndef RDA_CHECKS_SEQUENCE_STATE_H
#define RDA_CHECKS_SEQUENCE_STATE_H

#include "analyzer/checks/judge.h"
#include "analyzer/track/roce/copies.h"

struct rda_losses;
struct rda_datagrams;
struct rda_other_hop;

/* Whether a message is being sent. */
enum rda_message_state {
	RDA_MESSAGE_STATE_UNKNOWN,
	RDA_MESSAGE_STATE_NONE,
	RDA_MESSAGE_STATE_SEND,
	RDA_MESSAGE_STATE_WRITE,
};

/* A READ whose responses come: a look into the window that need not be repeated for each. */
struct rda_read_at_hand {
	int64_t begin, end; /* PSNs; equal: none */
	uint32_t last;	    /* bytes of the last response */
};

/* READ responses that nothing captured so far asked for. */
struct rda_orphans {
	int64_t first, end; /* PSNs between the first and behind the highest */
	uint64_t count, place;
	bool checked; /* the ICRC of the first fits */
};

/* A first response in the middle of an answer, when nothing had asked for the rest from there. */
struct rda_read_held {
	struct rda_read_at_hand read;
	int64_t psn, time_ns;
	uint64_t place;
	uint16_t is, due; /* RDA_ROLE_FIRST, RDA_ROLE_LAST */
	bool old;	  /* the READ was answered long ago: this may be the QP's next life's */
	bool checked;	  /* the ICRCs fit, its own and the READ's */
};

#define RDA_READ_HELD 4

/* What READ responses make of a flow that asks. */
struct rda_reads_answered {
	struct rda_read_at_hand at_hand;
	struct rda_orphans orphans;
	struct rda_read_held held[RDA_READ_HELD]; /* the latest, oldest first */
	uint32_t held_count;
	/* PSNs of the latest READ that takes some of what is remembered as other requests */
	int64_t other_begin, other_end;
};

struct rda_sequence_watch {
	int64_t next;	 /* one behind the newest request; 0 before the first */
	uint8_t message; /* enum rda_message_state */
	bool window_told, window_suspected;
	struct rda_reads_answered *reads; /* owned; NULL: nothing of it */
	struct rda_losses *losses;	  /* owned; NULL until something is missing or sent again */
	struct rda_datagrams *datagrams;  /* owned; UC, UD */
	struct rda_other_hop *other_hop;  /* owned; NULL until a timer sends to another */
	uint64_t next_hop; /* the link address that the first request went to; 0 before it */
};

/* Made when it is first asked for. */
struct rda_sequence_watch *rda_sequence_watch(struct rda_flow *flow);

/* ---- loss.c ---------------------------------------------------------------------------------- */

void rda_losses_event(const struct rda_at *at, const struct rda_event *event);
/* The run at hand sends something else: another finding tells of it. */
void rda_losses_differs(struct rda_losses *losses);

/* The latest run; NULL: none. */
struct rda_loss_run *rda_losses_newest(struct rda_losses *losses);
/* Something was answered: what the time until the first answer cost, of which no earlier run has a
 * part. */
void rda_losses_answered(struct rda_losses *losses, int64_t psn, int64_t time_ns);

/* Those of a direction: made when they are first asked for. */
struct rda_losses *rda_losses_of(struct rda_flow *flow);

/* ---- next_hop.c ------------------------------------------------------------------------------ */

/* The first request; and one that a timer sent again. */
RDA_COLD void rda_next_hop_first(const struct rda_at *at, struct rda_sequence_watch *watch);
RDA_COLD void rda_next_hop_resent(const struct rda_at *at, struct rda_sequence_watch *watch,
				  const struct rda_event *event);
void rda_next_hop_finish(struct rda_judge *judge, const struct rda_flow *flow);

/* ---- missing.c ------------------------------------------------------------------------------- */

/* Requests were jumped over; some did not come, for certain or as it seems; one came late. */
void rda_missing_gap(const struct rda_at *at, const struct rda_event *event);
void rda_missing_packets(const struct rda_at *at, const struct rda_event *event);
void rda_missing_found(const struct rda_at *at, const struct rda_event *event);

/* An RNR NAK puts off what begins with that PSN. */
void rda_missing_put_off(const struct rda_at *at, int64_t psn);

/* The first packet that came is none that begins a message, no full one came since, and what came
 * are single packets with holes between them: those are what is missing. */
bool rda_missing_all_but_last(const struct rda_judge *judge, const struct rda_flow *flow);

/* A response comes that was told as lost. */
void rda_missing_response_found(const struct rda_at *at);

/*
 * Responses to what `asker` asked for overtake each other: one that is missing may be late yet, or
 * have been missed by the capture when it was.
 */
bool rda_missing_responses_overtake(const struct rda_flow *asker);

/* They do, or what seems to ask for one again may be a copy of the READ or ATOMIC. */
bool rda_missing_responses_doubted(const struct rda_flow *asker);

/*
 * What passed here did not arrive, for certain or as it seems: what is missing of that direction
 * may have been lost there too, and the capture may have missed it, of which nothing but the packet
 * itself would tell.
 */
bool rda_missing_behind(const struct rda_flow *flow, const struct rda_losses *losses);

/* S01, at the end: of responses that could have come late, and did not; `flow` would have had them.
 */
void rda_missing_responses_owed(struct rda_judge *judge, const struct rda_flow *flow,
				struct rda_losses *losses);

/* ---- after_nak.c ----------------------------------------------------------------------------- */

/* A run begins: how long the requester's timer takes, as far as runs tell that one began. */
void rda_after_nak_timer(const struct rda_at *at, struct rda_losses *losses,
			 struct rda_loss_run *run, const struct rda_event *event);

/* The newest run begins after a NAK; a packet of it, before it is counted; the last word on it. */
void rda_after_nak_begin(const struct rda_at *at, const struct rda_event *event);
void rda_after_nak_packet(const struct rda_at *at, struct rda_loss_run *run,
			  const struct rda_event *event);
void rda_after_nak_close(struct rda_findings *findings, const struct rda_flow *flow,
			 struct rda_loss_run *run);

/* ---- reordered.c ----------------------------------------------------------------------------- */

/* A request or a response came late. */
void rda_reordered_late(struct rda_losses *losses, int64_t psn);
/* A run begins: whether what it is due to came late. */
void rda_reordered_run(const struct rda_losses *losses, struct rda_loss_run *run);
/* The last word on a run that nothing else explains. */
void rda_reordered_close(struct rda_loss_run *run);
/* What it cost, if that is told; `span_ns`: how long the connection was seen. */
bool rda_reordered_tell(struct rda_judge *judge, const struct rda_flow *flow,
			const struct rda_losses *losses, int64_t span_ns);
/* Requests or responses overtake each other: what seems to be a run of its own may be a late part
 * of another, and its answer one to that. */
bool rda_reordered_any(const struct rda_flow *flow);
/* Packets that were sent again for it. */
uint64_t rda_reordered_resent(const struct rda_losses *losses);
/* Whether it made more resends than losses did; then it explains the effect. */
bool rda_reordered_explains(const struct rda_flow *flow, const struct rda_losses *losses,
			    struct rda_finding *effect);

/* ---- the others ------------------------------------------------------------------------------ */

/* A packet of a run of resends, before the trackers took it; false when it is another one. */
bool rda_resent_packet(const struct rda_at *at, const struct rda_event *event);

/* What `roles` do to a message; *breaks: how that is against the order, or none. */
enum rda_message_state rda_message_after(enum rda_message_state state, uint16_t roles,
					 enum rda_phrase *breaks);

/*
 * The same of a packet in its place: tells where it is against the order. `checked`: whether the
 * ICRC of the one before it fitted, which made the state; NULL: that is remembered.
 */
uint8_t rda_order_opcode(const struct rda_at *at, uint8_t state, const bool *checked);

/* Requests from `begin` to `end` follow those below `next` (0: none): whether PSNs wrap there. */
void rda_order_wrap(const struct rda_at *at, int64_t next, int64_t begin, int64_t end);

/* A request of a reliable service that was not sent before. */
void rda_order_request(const struct rda_at *at, struct rda_sequence_watch *watch);

/* A READ response; a READ; a request that may explain responses that came before it. */
RDA_APART void rda_read_response(const struct rda_at *at);
RDA_APART void rda_read_request(const struct rda_at *at, struct rda_sequence_watch *watch);
RDA_COLD void rda_read_adopt(const struct rda_at *at, struct rda_orphans *orphans);
void rda_read_finish(struct rda_judge *judge, const struct rda_flow *flow);

/* A request of UC or UD. */
void rda_datagram_packet(const struct rda_at *at);
void rda_datagram_finish(struct rda_judge *judge, const struct rda_flow *flow);

/* ---- losses and resends of one direction: filled by loss.c, told by tell.c ------------------- */

/*
 * One loss is told once. Each run of resends gets one verdict, the first of these that holds:
 *
 *     before      it repairs what was lost before this capture point      S01
 *     after       it repairs what passed here and was lost behind         S02
 *     damaged     it repairs what passed here damaged                     S02, a note: the frame
 *                                                                         family tells of it
 *     answered    its answer had passed here before it began              S05
 *     early       it and the original were both answered                  S05
 *     seems_early so it seems: all answers may be to resends              S05, a suspicion
 *     seems_answered  its answer had passed here, and a NAK that the      S05, a suspicion
 *                 capture missed may be why, or it is a copy, or was under way,
 *                 or responses overtake each other
 *     differs     it sends something else under these PSNs                S06, S11
 *     overtaken   it repeats what only came late here                      Q10
 *     open        after a timeout, and nothing says why                   S04, a suspicion
 *
 * Only then the rest is said, as notes: what was sent again and after what (S02, S03, S04), how
 * much of it in vain (S15, S16).
 */

/* Evidence comes within a few timeouts; each run has some 100 bytes. */
#define RDA_LOSS_RUNS_KEPT 8

/* Gaps that wait to be judged: they only add the frame behind them to what is found. */
#define RDA_GAPS_KEPT 8

/* A NAK for what came late is obeyed a round trip later; others are late meanwhile. */
#define RDA_LATE_KEPT 64

enum rda_loss_verdict {
	RDA_VERDICT_OPEN,
	RDA_VERDICT_BEFORE,
	RDA_VERDICT_AFTER,
	RDA_VERDICT_DAMAGED,
	RDA_VERDICT_ANSWERED,
	RDA_VERDICT_EARLY,
	RDA_VERDICT_SEEMS_EARLY,
	RDA_VERDICT_SEEMS_ANSWERED,
	RDA_VERDICT_DIFFERS,
	RDA_VERDICT_ANEW,
	RDA_VERDICT_OVERTAKEN,		 /* requests, after a NAK */
	RDA_VERDICT_OVERTAKEN_RESPONSES, /* READs, after an implied NAK */
	RDA_VERDICT_COUNT
};

/*
 * A PSN was lost so many times: the runs that are due to it have the verdict, and the finding gets
 * the frames of those that did not have it yet; true when there is one. A PSN that no run began
 * with was lost beside another, and the run for that repaired both.
 */
bool rda_losses_blame(struct rda_losses *losses, int64_t psn, uint64_t times,
		      enum rda_loss_verdict verdict, struct rda_finding *finding);

/* A response to what begins at that PSN was lost, and that frame asked for it again: no run that
 * began behind it is due to that. */
bool rda_losses_blame_response(struct rda_losses *losses, int64_t psn, uint64_t frame,
			       enum rda_loss_verdict verdict, struct rda_finding *finding);

struct rda_loss_run {
	int64_t start; /* the PSN that it was due to begin with */
	int64_t end;   /* behind the last that it sent */
	int64_t top;   /* behind the highest PSN sent until its last packet */
	int64_t since_ns, wait_ns;
	int64_t cost_ns; /* since_ns to its first answer, of which no earlier run has a part */
	int64_t age_ns;	 /* how long ago what it is due to begin with had come first */
	uint64_t frame;	 /* its first packet */
	uint64_t cause;	 /* the NAK, or what the first packet repeats */
	uint64_t packets;
	uint64_t echoes;   /* answers to come that tell nothing new, once it is judged early */
	uint64_t again;	   /* answers to what was answered that may be to it or its original */
	int64_t answer_ns; /* how long before it an answer had passed that tells so */
	uint64_t answer;   /* the frame that tells that it was for nothing; 0 none */
	int64_t told_ns;   /* when that passed, if it is early */
	uint8_t trigger;   /* enum rda_trigger */
	uint8_t verdict;   /* enum rda_loss_verdict */
	bool answered;	   /* something at or behind its start was answered since */
	bool inside;	   /* it began in the middle of a message */
	bool begun_before; /* what it was due to begin with was sent before the capture began, and
			      perhaps answered by a NAK */
	bool lacked;	   /* the response that it asks for first was passed over by others */
	bool passed_over;  /* and the answer to its first message, by the first since it began */
	bool perhaps_due;  /* why it began may lie before the capture, or be an older NAK */
	bool asked;	/* a timer's: a NAK had asked for what it begins with, and was not obeyed */
	bool nak_twice; /* it may be a NAK that came twice, where the network copies some */
	bool perhaps_nak;  /* after a NAK, and that may not be why it began */
	bool any_timer;	   /* nor the NAK, if it took longer than for others: told at last */
	bool late;	   /* no run at all, as long as no more of it comes */
	bool behind;	   /* nor its first packets, if packets overtake each other: told at last */
	bool doubted;	   /* all of it may be copies by the network, or late */
	bool crossed;	   /* the answer to its first packet had passed when it began */
	bool overtaken;	   /* what it begins with came late, and was not lost */
	bool refused;	   /* the responder had refused a request before: it answers nothing */
	bool of_response;  /* its verdict is that of a response */
	bool perhaps_anew; /* it may be of the QP's next life (anew.c) */
	bool near_first;   /* or its first packets may have been, and were lost; but: */
	bool counts_on;	   /* an answer counts more messages than it has PSNs */
};

struct rda_loss_gap {
	int64_t begin, end;
	uint64_t frame; /* behind it */
	bool told, proven;
	bool put_off; /* an RNR NAK put off later what a NAK asked for */
	bool early;   /* soon behind the beginning of the capture */
};

struct rda_loss_sum {
	uint64_t runs, packets, unanswered, inside, asked;
	uint64_t waits; /* of the runs: it is known since when nothing had moved; of these: */
	int64_t wait_ns, least_ns, most_ns;
	int64_t cost_ns;
	int64_t oldest_ns; /* rda_loss_run.age_ns at most */
};

struct rda_losses {
	struct rda_loss_run runs[RDA_LOSS_RUNS_KEPT]; /* in order of time */
	unsigned run_count;
	struct rda_loss_gap gaps[RDA_GAPS_KEPT]; /* a ring */
	uint64_t gap_count;
	int64_t timer_ns, timer_most_ns; /* waits of runs that a timer began; 0: none did */
	int64_t told_until_ns;		 /* costs up to here are some run's */
	/* runs were closed before an answer to them came; the lowest PSN that one began with */
	bool closed_unanswered;
	bool begun_damaged; /* the direction's first packet came damaged: its PSN may be wrong */
	int64_t unanswered_from;
	uint64_t first_resent; /* frame */
	uint64_t first_repair; /* the same, of a run that a loss needed, as far as is known; or 0 */
	uint64_t needless;     /* packets of runs that no loss needed */
	uint64_t first_doubted; /* the same, of what may be a copy by the network, or late */
	int64_t doubted_ns;	/* how far behind what it repeats that came, at most */
	uint64_t after_rnr;	/* packets sent again after an RNR NAK */
	uint64_t rnr_unchecked; /* runs behind one that no ICRC vouches for; the latest of these: */
	uint64_t rnr_unchecked_frame;
	uint64_t most_sent; /* appearances of one PSN */
	uint64_t most_sent_frame;
	uint64_t differ;     /* that seemed to be sent again, and are another packet: S06 to S11 */
	uint64_t done_frame; /* the latest response that completed a READ or ATOMIC */
	uint64_t damaged_first; /* passed here before the sender's first good ICRC: flow->damaged
				   has them not */
	uint64_t lost_before, lost_after, responses_before, responses_after;
	uint64_t responses_in_order; /* of `responses_before`: lost if none overtakes another */
	uint64_t in_order_frame;     /* the latest of these; valid if there is any */
	uint64_t responses_missing;  /* lost before, or overtaken */
	uint64_t responses_unshown;  /* lost before, or missed by the capture, besides these */
	uint64_t missing;	     /* lost before, or overtaken, or missed by the capture */
	uint64_t missing_here;	     /* of these: not overtaken */
	uint64_t missing_asked;	     /* of these: a NAK asked for it */
	uint64_t spare;		     /* of `missing`: sent again behind what had been taken */
	int64_t asked_until;	 /* PSN behind the latest lost one that a NAK asked for; 0: none */
	bool asked_proven;	 /* its loss is proven */
	uint64_t first_proven;	 /* of lost_before: from the agreed first PSN on, in no gap */
	bool first_put_off;	 /* of these, as rda_loss_gap.put_off */
	bool nak_of_before;	 /* a NAK asked for what was sent before the capture began */
	uint64_t missing_first;	 /* of these: lost, or sent before the capture began */
	int64_t answer_ns_most;	 /* how long an answer was there before its run */
	int64_t answer_ns_seems; /* the same of runs that are suspected */
	bool seems_named;	 /* one of these a NAK may have asked for that the capture missed */
	bool seems_anew;	 /* one of these may be of the QP's next life */
	bool forgot_anew;	 /* and a run that was closed was, or may have been */

	int64_t late[RDA_LATE_KEPT]; /* PSNs that came late, or whose responses did: a ring */
	uint64_t late_count;

	uint64_t again_frame; /* the latest ACK of what was acknowledged */

	/* the latest answer, to know a copy of it */
	int64_t answer_ns, answer_psn;
	uint16_t answer_ip_id;

	struct rda_loss_sum by_verdict[RDA_VERDICT_COUNT];	 /* of OPEN: timeouts only */
	struct rda_loss_sum of_responses[RDA_VERDICT_AFTER + 1]; /* of these, to AFTER */
	struct rda_loss_sum by_trigger[RDA_TRIGGER_COUNT];
	bool put_off; /* a timer's run may obey an RNR NAK that the capture missed */
	struct rda_loss_sum after_nak_perhaps; /* of those after a NAK: suspected */
	struct rda_loss_sum repaired; /* timeouts that ended a loss told by another verdict */
};

/* An RNR NAK that no ICRC vouches for, and alone, may be another NAK, or an ACK, that came damaged.
 */
static inline bool rda_losses_may_be_no_rnr(const struct rda_losses *losses)
{
	return losses->rnr_unchecked == 1;
}

/* ---- anew.c ---------------------------------------------------------------------------------- */

/* A run begins; an answer to this PSN passes, and the run is the latest. `msn`: messages that a
 * response to a READ or ATOMIC counts, else 0. */
void rda_anew_begin(const struct rda_flow *asker, struct rda_loss_run *run);
void rda_anew_answered(struct rda_loss_run *run, int64_t psn, uint32_t msn);

/* As far as is known by now, it may be of the QP's next life. */
bool rda_anew_perhaps(const struct rda_flow *asker, const struct rda_loss_run *run);

/* A run is closed, and remembered no more. */
void rda_anew_forget(struct rda_losses *losses, const struct rda_loss_run *run);

/* What that frame asks for is new, or may be: of the QP's next life. */
bool rda_anew_asks(const struct rda_losses *losses, uint64_t frame);

/* The last word on the runs that are left. */
void rda_losses_close(struct rda_judge *judge, const struct rda_flow *flow,
		      struct rda_losses *losses);

/* ---- sentences ------------------------------------------------------------------------------- */

/* One direction of a connection, at the end. */
struct rda_telling {
	struct rda_judge *judge;
	const struct rda_flow *flow;
	const struct rda_losses *losses; /* its runs are closed */
	const struct rda_losses *askers; /* the same of who asks for its responses, or NULL */
	const struct rda_request_counts *counts;
	uint64_t resent; /* packets, without those that may be copies by the network, or late */
	bool told;	 /* a warning tells why something was sent again */
};

/* All was seen, and the runs of both directions are closed; `askers` may be NULL. */
void rda_losses_tell(struct rda_judge *judge, const struct rda_flow *flow,
		     const struct rda_losses *losses, const struct rda_losses *askers);

/* The receiver sent RNR NAKs: another may have been lost, and then a NAK asks for what came. */
bool rda_telling_was_unready(const struct rda_telling *telling);

/* Requests that were seen, each time that they were. */
uint64_t rda_telling_passed(const struct rda_telling *telling);

/* Of so many packets that were lost those that had not been taken before: others cost nothing. */
uint64_t rda_telling_that_cost(const struct rda_telling *telling, uint64_t lost);

/* What counts as sent again may have come late, or been new, of a QP that was set up anew. */
enum rda_proof rda_telling_proof(const struct rda_telling *telling);

/* An effect of losses, before this capture point or behind it, or of packets that came late. */
void rda_telling_explain(const struct rda_telling *telling, struct rda_finding *effect);

void rda_storm_tell(const struct rda_telling *telling);

#endif
