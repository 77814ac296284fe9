/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known of losses and resends of one direction: filled by check_sequence_loss.c, told by
 * check_sequence_tell.c.
 *
 * One loss is told once. Each run of resends gets one verdict, the first of these that holds:
 *
 *     before      it repairs what was lost before this capture point      S01
 *     after       it repairs what passed here and was lost behind         S02
 *     damaged     it repairs what passed here damaged                     S02, a note: the frame
 *                                                                         family tells of it
 *     answered    its answer had passed here before it began              S05
 *     early       it and the original were both answered                  S05
 *     differs     it sends something else under these PSNs                S06, S11
 *     open        after a timeout, and nothing says why                   S04, a suspicion
 *
 * Only then the rest is said, as notes: what was sent again and after what (S02, S03, S04), how
 * much of it in vain (S15, S16).
 */
#ifndef RDA_CHECKS_SEQUENCE_LOSS_H
#define RDA_CHECKS_SEQUENCE_LOSS_H

#include "analyzer/checks/sequence/state.h"

/* Evidence comes within a few timeouts; each run has some 100 bytes. */
#define RDA_LOSS_RUNS_KEPT 8

/* Gaps that wait to be judged: they only add the frame behind them to what is found. */
#define RDA_GAPS_KEPT 8

enum rda_loss_verdict {
	RDA_VERDICT_OPEN,
	RDA_VERDICT_BEFORE,
	RDA_VERDICT_AFTER,
	RDA_VERDICT_DAMAGED,
	RDA_VERDICT_ANSWERED,
	RDA_VERDICT_EARLY,
	RDA_VERDICT_DIFFERS,
	RDA_VERDICT_COUNT
};

struct rda_loss_run {
	int64_t start; /* the PSN that it was due to begin with */
	int64_t end;   /* behind the last that it sent */
	int64_t top;   /* behind the highest PSN sent until its last packet */
	int64_t since_ns, wait_ns;
	int64_t cost_ns; /* since_ns to its first answer, of which no earlier run has a part */
	uint64_t frame;	 /* its first packet */
	uint64_t cause;	 /* the NAK, or what the first packet repeats */
	uint64_t packets;
	uint64_t echoes;  /* answers to come that tell nothing new, once it is judged early */
	uint8_t trigger;  /* enum rda_trigger */
	uint8_t verdict;  /* enum rda_loss_verdict */
	bool answered;	  /* something at or behind its start was answered since */
	bool inside;	  /* it began in the middle of a message */
	bool perhaps_due; /* why it began may lie before the capture */
	bool refused;	  /* the responder had refused a request before: it answers nothing */
};

struct rda_loss_gap {
	int64_t begin, end;
	uint64_t frame; /* behind it */
	bool told;
};

struct rda_loss_sum {
	uint64_t runs, unanswered, inside;
	int64_t cost_ns, wait_ns, least_ns, most_ns;
};

struct rda_losses {
	struct rda_loss_run runs[RDA_LOSS_RUNS_KEPT]; /* in order of time */
	unsigned run_count;
	struct rda_loss_gap gaps[RDA_GAPS_KEPT]; /* a ring */
	uint64_t gap_count;
	int64_t told_until_ns; /* costs up to here are some run's */
	uint64_t first_resent; /* frame */
	uint64_t after_rnr;    /* packets sent again after an RNR NAK */
	uint64_t most_sent;    /* appearances of one PSN */
	uint64_t most_sent_frame;
	uint64_t done_frame;	/* the latest response that completed a READ or ATOMIC */
	uint64_t damaged_first; /* passed here before the sender's first good ICRC: flow->damaged
				   has them not */
	uint64_t lost_before, lost_after, responses_before, responses_after;
	int64_t answer_ns_most; /* how long an answer was there before its run */

	uint64_t again_frame; /* the latest ACK of what was acknowledged */

	/* the latest answer, to know a copy of it */
	int64_t answer_ns, answer_psn;
	uint16_t answer_ip_id;

	struct rda_loss_sum by_verdict[RDA_VERDICT_COUNT]; /* of OPEN: timeouts only */
	struct rda_loss_sum by_trigger[RDA_TRIGGER_COUNT];
	struct rda_loss_sum repaired; /* timeouts that ended a loss told by another verdict */
};

/* The last word on the runs that are left. */
void rda_losses_close(struct rda_judge *judge, const struct rda_flow *flow,
		      struct rda_losses *losses);

#endif
