/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The truth of a run in sums: what a host's requests and the answers to them went through. Nothing
 * here asks whether the tap can tell it: known.h does.
 */
#ifndef RDA_SIM_SUMS_H
#define RDA_SIM_SUMS_H

#include "tests/simulate/world.h"

/* Of what one host asked. */
struct sim_sums {
	/* requests; and what was damaged of this host's answers, as the engine counts it here */
	uint64_t lost_before, lost_after;
	uint64_t responses_lost_before, responses_lost_after; /* of READs and ATOMICs */
	uint64_t missed, responses_missed;		      /* by the tap, appearances */
	uint64_t resent, resent_seen;
	uint64_t resent_taken;	/* resends of what had been taken */
	uint64_t runs_in_vain;	/* with one of those at least */
	uint64_t runs_repeated; /* with one of those, or that had been taken when it arrived */
	uint64_t
		resent_clean; /* of the latter, where none of its requests and responses was lost */
	uint64_t runs[RDA_TRIGGER_COUNT];
	uint64_t unseen; /* PSNs that arrived, and that the tap had not shown by then */
	uint64_t fresh;	 /* PSNs' first packets that the tap showed */
	uint64_t copies; /* requests that it showed once more */
	uint64_t gaps; /* responses lost before it, inside a stretch of one answer that it showed */
};

/* Of what one host sent. */
struct sim_order {
	uint64_t seen;
	uint64_t overtaken; /* shown behind a packet that was sent later */
	uint64_t overtaken_requests, overtaken_answers; /* behind another of their own kind */
	uint64_t copies;				/* shown once more */
	uint64_t numbered_copies;			/* of a kind that is numbered */
	uint64_t damaged;
	/* of requests, and of answers: from one to the next the identification goes on by another
	 * number than the PSN did, so it is not made of that; and never by half of its range or
	 * more, which looks like a step back */
	bool numbered[2];
};

void sim_sum(struct sim_sums *sums, const struct sim_world *world, uint8_t asker);
void sim_sum_order(struct sim_order *order, const struct sim_world *world, uint8_t sender);

/* Whether the order of sending can be read off a host's IPv4 identifications. */
bool sim_order_is_known(const struct sim_plan *plan, uint8_t host);

#endif
