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

/* SIM_QUANTITIES(Q): Q(name, where a flow's account has it) */
#define SIM_QUANTITIES(Q)                                                                          \
	Q(fresh, requester.packets[RDA_REQUEST_NEW])                                               \
	Q(resent, requester.packets[RDA_REQUEST_RESENT])                                           \
	Q(reordered, requester.packets[RDA_REQUEST_REORDERED])                                     \
	Q(mirrored, requester.packets[RDA_REQUEST_MIRRORED])                                       \
	Q(after_nak, requester.resends[RDA_TRIGGER_NAK])                                           \
	Q(after_rnr, requester.resends[RDA_TRIGGER_RNR])                                           \
	Q(after_timeout, requester.resends[RDA_TRIGGER_TIMEOUT])                                   \
	Q(after_implied, requester.resends[RDA_TRIGGER_IMPLIED])                                   \
	Q(unexplained, requester.resends[RDA_TRIGGER_UNEXPLAINED])                                 \
	Q(runs, requester.resends[0] + account->requester.resends[1] +                             \
			account->requester.resends[2] + account->requester.resends[3] +            \
			account->requester.resends[4])                                             \
	Q(lost_before, requester.lost_before)                                                      \
	Q(lost_after, requester.lost_after)                                                        \
	Q(lost_by_capture, requester.lost_by_capture)                                              \
	Q(spurious, requester.spurious)                                                            \
	Q(selective, requester.selective_repeat)                                                   \
	Q(duplicates, responder.duplicates)                                                        \
	Q(out_of_sequence, responder.out_of_sequence)                                              \
	Q(implied_naks, responder.implied_naks)                                                    \
	Q(responses_lost_before, responder.responses_lost_before)                                  \
	Q(responses_lost_after, responder.responses_lost_after)                                    \
	Q(responses_lost_by_capture, responder.responses_lost_by_capture)                          \
	Q(waiting, responder.pending_count)                                                        \
	Q(forgotten, requester.window.dropped)

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
