/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What really happened: every transmission with its fate, every run of a requester with its reason.
 * What of it a capture can tell is known.h's part.
 */
#ifndef RDA_SIM_TRUTH_H
#define RDA_SIM_TRUTH_H

#include "analyzer/track/event.h"
#include "tests/simulate/packet.h"

/* One packet as a host sent it. */
struct sim_sent {
	int64_t psn, end;
	int64_t sent_ns;
	uint32_t run; /* of a request */
	uint8_t from, asker, opcode, syndrome;
	bool response, cnp, data;	 /* data: a READ or ATOMIC response */
	bool resent;			 /* not the first transmission of a request's PSN */
	bool taken;			 /* a request that had been taken when it was sent */
	uint8_t copies;			 /* that the network made before the tap */
	uint8_t lost_before, lost_after; /* of it and its copies */
	uint8_t seen, missed, mirrored; /* appearances at the tap; what the tap lost; shown twice */
	uint8_t arrived, again, ahead;	/* again: it had been taken; ahead: of what was expected */
	uint16_t ip_id;
	uint8_t damaged;		/* appearances at the tap with other bytes than were sent */
	uint32_t first_seen, last_seen; /* places in the tap's order, from 1; 0 never */
};

/* What a requester sends from a go-back on, until the next one. */
struct sim_run {
	int64_t psn, begin_ns;
	uint32_t cause; /* the transmission of the answer that made it begin, plus one; 0 none */
	uint8_t asker, trigger; /* enum rda_trigger; NONE: the first of all */
};

/* What the tap let pass, in order. */
struct sim_seen {
	uint32_t sent;
	int64_t time_ns;
	bool mirrored; /* shown a second time */
};

/* A requester whose timer expired for the last time. */
struct sim_give_up {
	bool done;
	int64_t psn, at_ns;
	uint32_t tries; /* transmissions of that PSN since the last progress */
};

/* What the hosts count, by the host that asks. */
struct sim_counts {
	uint64_t duplicates, out_of_sequence; /* by the one who answers */
	uint64_t naks, rnrs;
	uint64_t messages, implied_naks; /* by the one who asks */
	uint64_t marked, cnps;
};

struct sim_truth {
	struct sim_sent *sent; /* owned, as are the next two */
	struct sim_run *runs;
	struct sim_seen *seen;
	uint32_t sent_count, sent_allocated;
	uint32_t run_count, run_allocated;
	uint32_t seen_count, seen_allocated;
	struct sim_counts counts[2];
	struct sim_give_up given_up[2]; /* by the host that asks */
	bool gave_up;			/* the simulation ended before all messages were done */
};

void sim_truth_cleanup(struct sim_truth *truth);
uint32_t sim_truth_sent(struct sim_truth *truth, const struct sim_sent *sent);
uint32_t sim_truth_run(struct sim_truth *truth, const struct sim_run *run);
void sim_truth_seen(struct sim_truth *truth, uint32_t sent, int64_t time_ns, bool mirrored);

#endif
