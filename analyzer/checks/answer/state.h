/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the checks of group A remember of one side's requests and of the answers to them. It hangs
 * on the flow that asks; what few flows need is made when they need it.
 */
#ifndef RDA_CHECKS_ANSWER_STATE_H
#define RDA_CHECKS_ANSWER_STATE_H

#include "analyzer/checks/judge.h"
#include "analyzer/track/roce/giveup.h"

/*
 * What was sent before a NAK reached its sender is no breach. How long that takes: several round
 * trips, or this where none was measured.
 */
#define RDA_IN_FLIGHT_NS 1000000

/*
 * A request that nobody answers is said to be unanswered when the capture goes on for so long: more
 * than the usual timeouts, and than most servers take.
 */
#define RDA_UNANSWERED_NS INT64_C(1000000000)

/* The latest response that moved the requester's account forward. */
struct rda_msn_watch {
	bool known;
	bool from_ack;	    /* it was an ACK, and no READ or ATOMIC response */
	bool ends;	    /* it covers the end of a message last, which counts */
	bool again;	    /* what it covers last was sent more than once */
	bool credits;	    /* responses carry credits */
	bool perhaps_ahead; /* it may count more than it covers, as all so far: none counted more */
	bool advances;	    /* MSNs count what is done: the first did, or a later one more */
	bool behind;	    /* an ACK that was made later acknowledged less: A19 */
	bool skips_writes;  /* WRITEs were acknowledged and not counted: A04 */
	bool checked;	    /* its ICRC fits: no damage made it */
	bool stood;	    /* an answer with its MSN should have had a higher one: A04 */
	uint32_t still;	    /* answers that should have counted what is more than a WRITE: A04 */
	uint16_t ahead;	    /* it counts so many messages more than it covers; saturates */
	int64_t msn;	    /* widened */
	int64_t top;	    /* the highest that any answer had, also one that was not compared */
	int64_t acked;	    /* PSN: it covers everything below */
	int64_t limit;	    /* the highest MSN plus credits so far */
	uint64_t done;	    /* messages, as the requester's account had them then */
	uint64_t unsure;    /* PSNs that may hide messages, as the account had them then */
	uint64_t place;
	int64_t time_ns;
	int64_t silent_ns; /* when one did not count behind a silence: A04; 0: none did */
	int64_t beyond;	   /* the latest request that was sent beyond the credits: A23 */
};

/* An acknowledgment of what was never sent. */
struct rda_ghost_watch {
	bool open;
	bool checked;	     /* its ICRC fits: no damage made it */
	bool ahead;	     /* one passed ahead of a request that it covers, at some time */
	bool late;	     /* one of them was sent only long after it; and of that: late_ */
	bool disproved;	     /* by an answer below it; and of that: other_ */
	bool once_more;	     /* that is one to a READ or ATOMIC */
	bool perhaps_before; /* it was sent before the capture began, perhaps */
	uint32_t msn;
	int64_t begin, psn; /* PSNs not sent: [begin, psn] */
	int64_t acked;	    /* what lies below was acknowledged before */
	int64_t time_ns;
	int64_t late_psn, other_psn, other_ns;
	uint64_t place, late_place, other_place;
};

struct rda_ack_odd;	/* ack_order.c */
struct rda_answer_late; /* answer_order.h */

/* ACKs, one after another. */
struct rda_ack_watch {
	bool mixed;  /* the sender sent something else since the highest ACK */
	bool paused; /* behind a pause identifications once told nothing */
	uint16_t ip_id, high_id;
	uint32_t icrc;		    /* of the latest response; and of it: */
	int64_t psn, time_ns;	    /* widened */
	int64_t high_psn, high_msn; /* of the highest ACK, widened */
	uint64_t place, high_place;
	uint64_t packets; /* of the flow, when the latest came */
	uint64_t acks;
	uint64_t steps, fitting; /* of which the numbers could be compared, and agree */
	struct rda_ack_odd *odd; /* owned; NULL until one is late, twice or missing */
};

struct rda_nak_watch {
	/* the latest NAK of a sequence error */
	bool open;	/* its PSN was neither sent again nor acknowledged */
	bool delivered; /* its PSN passed since */
	uint16_t ip_id;
	int64_t psn, time_ns;
	uint64_t place;
	uint64_t newer, newer_place; /* packets that were new, long after it; the first of them */

	/* the first fatal NAK */
	bool dead;
	bool dead_checked; /* its ICRC fits: no damage made it */
	uint8_t syndrome;
	bool silence; /* since then nothing was asked for so long that the QP may be set up anew */
	int64_t dead_psn, dead_ns;
	int64_t used_ns; /* the latest request since then */
	uint64_t dead_place;
};

/* What rda_put_off (giveup.h) does not tell of RNR NAKs. */
struct rda_rnr_watch {
	bool checked;	    /* the ICRC of the latest fits; */
	bool any_checked;   /* that of any of them */
	bool same_checked;  /* and those of all for the PSN of the latest */
	uint32_t same_most; /* RNR NAKs of one PSN */
	uint32_t codes;	    /* mask of the timer codes seen */
	int64_t new_ns;	    /* of the first new packet that is hardly in flight; or RDA_NEVER_NS */
	int64_t new_psn;
	uint64_t new_place;
};

/* RNR NAKs to requests that are not in the capture. */
struct rda_rnr_alone {
	uint64_t count;
	int64_t asked_ns; /* that they ask to wait, in all */
	int64_t time_ns;  /* of the latest, and the next: */
	uint32_t psn;
	uint8_t syndrome;
};

/* READs and ATOMICs under way with a new one, which is the last of them. */
struct rda_reads_at_once {
	uint32_t count;
	int64_t psn;	      /* of the last */
	int64_t end;	      /* of the oldest's answer */
	uint64_t last, first; /* places of the last and the oldest */
	int64_t time_ns;      /* of the last */
	bool checked;	      /* ICRCs vouch for all of them, and none denies their answer */
};

/* READs and ATOMICs of a flow (reads.h). */
struct rda_reads_watch {
	int16_t allowed;	       /* at once, by CM; 0 not asked yet; -1 not known */
	struct rda_reads_at_once most; /* the oldest was not seen answered */
	struct rda_reads_at_once open; /* more than allowed; the oldest's answer did not come yet */
	struct rda_reads_at_once proof; /* it came since, at `answered`, so much later */
	uint64_t answered;
	int64_t later_ns;
	uint64_t times; /* that it did */
};

/* In order of use: a request looks at the first 64 bytes. */
struct rda_answer_watch {
	struct rda_nak_watch *nak;
	struct rda_rnr_watch *rnr;
	struct rda_ghost_watch *ghost; /* owned; NULL before the first */
	struct rda_msn_watch msn;
	struct rda_ack_watch acks;
	uint64_t passed_place; /* of the first ACK that passed an unanswered READ or ATOMIC */
	int64_t passed_psn;    /* of that request */
	int64_t answered_psn;  /* the highest of a READ's or ATOMIC's response */
	struct rda_reads_watch *reads;
	struct rda_rnr_alone *rnr_alone; /* of the flow as one that answers */
	struct rda_answer_late *late;	 /* owned; answer_order.c; NULL: none came behind */
};

/* What is watched of the answers to a flow's requests: all 0 before there is anything to keep. */
const struct rda_answer_watch *rda_answer_watched(const struct rda_flow *flow);

/* How long after a NAK packets may be on their way that its receiver sent before. */
static inline int64_t rda_in_flight_ns(const struct rda_flow *asker)
{
	int64_t several = rda_ns_times(rda_account_rtt_ns(asker), 8);

	return several > RDA_IN_FLIGHT_NS ? several : RDA_IN_FLIGHT_NS;
}

/* The account of what the watched flow asks. */
static inline const struct rda_account *rda_asked(const struct rda_at *at)
{
	return at->asker->account;
}

#endif
