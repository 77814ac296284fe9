/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group M: connection management against what followed.
 *
 *     messages one by one       check_management_messages.h
 *     messages that did not come  check_management_silence.h
 *     what connections did with what was agreed  check_management_data.h
 */
#ifndef RDA_CHECK_MANAGEMENT_H
#define RDA_CHECK_MANAGEMENT_H

#include "analyzer/checks/judge.h"

/* Of a flow whose connection was set up in the capture, from the first time that it matters. */
struct rda_management_watch {
	/* its sender or receiver disconnected while requests had no answer */
	uint64_t left_place;
	int64_t left_next; /* PSN behind the latest request then */
	int64_t left_acked;
	/* the first NAK for the PSN that was agreed to be the first, where another one was */
	uint64_t nak_place;
	int64_t nak_ns;
	uint8_t nak_syndrome;
};

void rda_check_management_begin(struct rda_judge *judge);
void rda_check_management_free(struct rda_judge *judge);
void rda_check_management_forget(struct rda_flow *flow); /* frees what is watched of it */

/* Any frame; of those without RDMA or of damaged packets see struct rda_at. */
void rda_check_management_packet(const struct rda_at *at);
void rda_check_management_event(const struct rda_at *at, const struct rda_event *event);

/* Once all packets were seen: for each connection, then once. */
void rda_check_management_connection(struct rda_judge *judge,
				     const struct rda_connection *connection);
void rda_check_management_end(struct rda_judge *judge);

/* ---- for the family's own files -------------------------------------------------------------- */

struct rda_management_watch *rda_management_watch(struct rda_flow *flow);

/* The sender of a DREQ is done with a service of the two hosts; was it, and when? NULL: no. */
void rda_management_leave(const struct rda_at *at);
const struct rda_cm_moment *rda_management_left_before(const struct rda_judge *judge,
						       const struct rda_address *leaver,
						       const struct rda_address *other,
						       uint64_t service_id);

/* A host asked with a SIDR request of this ID; did it? */
void rda_management_sidr_ask(struct rda_judge *judge, const struct rda_address *asker, uint32_t id);
bool rda_management_sidr_asked(const struct rda_judge *judge, const struct rda_address *asker,
			       uint32_t id);

#endif
