/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group S by its parts; nobody else needs this header.
 *
 *     check_sequence.c           the hooks, and what is watched of a flow
 *     check_sequence_loss.c      S01-S05, S15-S17: what was lost or sent again, why, what it cost
 *     check_sequence_resent.c    S06-S08, S11: whether what was sent again is the same
 *     check_sequence_order.c     S09, S10, S20: the order of opcodes and PSNs
 *     check_sequence_read.c      S12-S14: READ responses
 *     check_sequence_datagram.c  S01 and S09 of UC, S18, S19: what is not acknowledged
 */
#ifndef RDA_CHECKS_SEQUENCE_STATE_H
#define RDA_CHECKS_SEQUENCE_STATE_H

#include "analyzer/checks/judge.h"

struct rda_losses;
struct rda_datagrams;

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
};

struct rda_sequence_watch {
	int64_t next;	 /* one behind the newest request; 0 before the first */
	uint8_t message; /* enum rda_message_state */
	bool window_told;
	struct rda_read_at_hand read;
	struct rda_orphans *orphans;	 /* owned; NULL: none */
	struct rda_losses *losses;	 /* owned; NULL until something is missing or sent again */
	struct rda_datagrams *datagrams; /* owned; UC, UD */
};

/* Made when it is first asked for. */
struct rda_sequence_watch *rda_sequence_watch(struct rda_flow *flow);

/* ---- losses ---------------------------------------------------------------------------------- */

void rda_losses_event(const struct rda_at *at, const struct rda_event *event);
/* The run at hand sends something else: another finding tells of it. */
void rda_losses_differs(struct rda_losses *losses);
/* A response; and a damaged packet. */
void rda_losses_response(const struct rda_at *at, struct rda_losses *losses);
RDA_COLD void rda_losses_damaged(const struct rda_at *at);
/* All was seen. */
void rda_losses_finish(struct rda_judge *judge, const struct rda_flow *flow);

/* ---- the others ------------------------------------------------------------------------------ */

/* A packet of a run of resends, before the trackers took it; false when it is another one. */
bool rda_resent_packet(const struct rda_at *at, const struct rda_event *event);

/* What `roles` do to a message; *breaks tells how that is against the order, or NULL. */
enum rda_message_state rda_message_after(enum rda_message_state state, uint16_t roles,
					 const char **breaks);

/* Requests from `begin` to `end` follow those below `next` (0: none): whether PSNs wrap there. */
void rda_order_wrap(const struct rda_at *at, int64_t next, int64_t begin, int64_t end);

/* A request of a reliable service that was not sent before. */
void rda_order_request(const struct rda_at *at, struct rda_sequence_watch *watch);

/* A READ response; a READ; a request that may explain responses that came before it. */
void rda_read_response(const struct rda_at *at);
RDA_COLD void rda_read_request(struct rda_sequence_watch *watch);
RDA_COLD void rda_read_adopt(const struct rda_at *at, struct rda_orphans *orphans);
void rda_read_finish(struct rda_judge *judge, const struct rda_flow *flow);

/* A request of UC or UD. */
void rda_datagram_packet(const struct rda_at *at);
void rda_datagram_finish(struct rda_judge *judge, const struct rda_flow *flow);

#endif
