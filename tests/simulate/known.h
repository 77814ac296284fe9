/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a capture can tell of the truth: for each quantity the least that it proves and the most
 * that can be true. Where they are equal the engine must find that number.
 *
 * Only packets that the tap showed count as evidence. What is knowable of a loss is said at
 * known.c, where it is derived.
 */
#ifndef RDA_SIM_KNOWN_H
#define RDA_SIM_KNOWN_H

#include "tests/simulate/world.h"

/* SIM_QUANTITIES(Q): Q(name, where `requests` and `responses` of a `flow` have it) */
#define SIM_QUANTITIES(Q)                                                                          \
	Q(fresh, rda_account_new_requests(flow))                                                   \
	Q(resent, requests->packets[RDA_REQUEST_RESENT])                                           \
	Q(reordered, requests->packets[RDA_REQUEST_REORDERED])                                     \
	Q(mirrored, requests->packets[RDA_REQUEST_MIRRORED])                                       \
	Q(after_nak, requests->resends[RDA_TRIGGER_NAK])                                           \
	Q(after_rnr, requests->resends[RDA_TRIGGER_RNR])                                           \
	Q(after_timeout, requests->resends[RDA_TRIGGER_TIMEOUT])                                   \
	Q(after_implied, requests->resends[RDA_TRIGGER_IMPLIED])                                   \
	Q(unexplained, requests->resends[RDA_TRIGGER_UNEXPLAINED])                                 \
	Q(runs, requests->resends[0] + requests->resends[1] + requests->resends[2] +               \
			requests->resends[3] + requests->resends[4])                               \
	Q(lost_before, requests->lost_before)                                                      \
	Q(lost_after, requests->lost_after)                                                        \
	Q(lost_by_capture, requests->lost_by_capture)                                              \
	Q(spurious, requests->spurious)                                                            \
	Q(selective, requests->selective_repeat)                                                   \
	Q(duplicates, unexpected->duplicates)                                                      \
	Q(out_of_sequence, unexpected->out_of_sequence)                                            \
	Q(implied_naks, responses->implied_naks)                                                   \
	Q(responses_lost_before, responses->lost_before)                                           \
	Q(responses_lost_after, responses->lost_after)                                             \
	Q(responses_lost_by_capture, responses->lost_by_capture)                                   \
	Q(waiting, count_waiting(flow->account))                                                   \
	Q(forgotten, rda_account_forgotten(flow))

/* An engine may take a repeat that comes sooner for the network's copy, a reason that is older for
 * forgotten. */
#define SIM_PATIENCE_NS INT64_C(50000000)

struct sim_bounds {
	uint64_t least, most;
};

struct sim_known {
#define SIM_Q(name, where) struct sim_bounds name;
	SIM_QUANTITIES(SIM_Q)
#undef SIM_Q
	uint64_t packets; /* requests that the tap showed; 0: there is no account */
};

/* Of what host `asker` asked. */
void sim_know(struct sim_known *known, const struct sim_world *world, uint8_t asker);

#endif
