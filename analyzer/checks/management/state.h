/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the checks of connection management remember, of the capture and of a
 * flow.
 */
#ifndef RDA_CHECKS_MANAGEMENT_STATE_H
#define RDA_CHECKS_MANAGEMENT_STATE_H

#include "analyzer/checks/judge.h"
#include "analyzer/checks/management/neighbours.h"
#include "dissectors/mad.h"

/* SIDR requests that wait for an answer: 40 bytes each; a flood of them is told by what is lost. */
#define RDA_SIDR_MAX 100000

/* Of a flow, from the first time that it matters. */
struct rda_management_watch {
	/* its sender or receiver disconnected while requests had no answer */
	uint64_t left_place;
	int64_t left_next; /* PSN behind the latest request then */
	int64_t left_acked;
	/* the first NAK for the PSN that was agreed to be the first, where another one was */
	uint64_t nak_place;
	int64_t nak_ns;
	uint8_t nak_syndrome;
	bool nak_checked; /* its ICRC fits */
	bool acked_short; /* PSNs short of that were acknowledged, as no duplicates are */
	bool taken; /* a NAK or RNR NAK of a later PSN than that tells that the responder has it */
	bool first_unchecked; /* the flow's first packet has no ICRC here, though no snap length cut
				 it */
};

struct rda_management_state *rda_management_state_new(uint64_t hash_seed);
void rda_management_state_free(struct rda_management_state *state);
struct rda_neighbours *rda_management_neighbours(struct rda_management_state *state);

/* Made when there is none. */
struct rda_management_watch *rda_management_watch(struct rda_flow *flow);
void rda_management_watch_free(struct rda_flow *flow); /* there need be none */

/*
 * The first packet of a flow, which is not plain (rda_packet.plain): has it an ICRC? Where it is a
 * fragment, or shorter than it says, it has none, and was captured whole all the same.
 */
void rda_management_first(const struct rda_at *at);

/* Whether the first packet of a flow is known to be what was sent, once all was seen. */
bool rda_management_first_is_checked(const struct rda_judge *judge, const struct rda_flow *flow);

/* The sender of a DREQ is done with a service of the two hosts; was it, and when? NULL: no. */
void rda_management_leave(const struct rda_at *at);
const struct rda_cm_moment *rda_management_left_before(const struct rda_judge *judge,
						       const struct rda_address *leaver,
						       const struct rda_address *other,
						       uint64_t service_id);

/* A SIDR request with this ID; an answer to one, perhaps to one of another part; a REP to a host
 * that did not ask its sender, as far as this part tells. */
void rda_management_sidr_ask(const struct rda_at *at, uint32_t id);
void rda_management_sidr_answered(const struct rda_at *at, uint32_t id);
void rda_management_stray_reply(const struct rda_at *at, uint32_t comm_id);

/* Flows have other indices. */
void rda_management_state_retire(struct rda_management_state *state, const struct rda_moved *moved);
void rda_management_state_join(struct rda_management_state *to,
			       const struct rda_management_state *from,
			       const struct rda_moved *moved);
void rda_management_state_pack(struct rda_pack *pack, struct rda_management_state *state);
/* M04, M16, M22 to M24 */
void rda_management_state_overall(const struct rda_management_state *state,
				  struct rda_judge *judge);

/* The arguments of a service that a connection is asked for to; `pair` may be NULL. */
#define RDA_MANAGEMENT_SERVICE(pair)                                                               \
	RDA_ARG_IF((pair) && (pair)->service_id,                                                   \
		   RDA_ARG_HEX("service_id", (pair) ? (pair)->service_id : 0, 16)),                \
		RDA_ARG_TEXT("protocol", (pair) ? rda_ip_cm_protocol((pair)->service_id) : NULL),  \
		RDA_ARG_IF((pair) && rda_ip_cm_port((pair)->service_id) >= 0,                      \
			   RDA_ARG_NUMBER("port", (uint64_t)rda_ip_cm_port((pair)->service_id)))

/* The arguments of how often a message was sent. */
#define RDA_MANAGEMENT_TIMES(moment)                                                               \
	RDA_ARG_NUMBER("times", (moment)->count),                                                  \
		RDA_ARG_TIME("span_ns", (moment)->last_ns - (moment)->first_ns)

/* ---- messages.c: single CM messages, each against what the conversation said before ---------- */

/* A packet that carries a CM message (at->step). */
void rda_management_message(const struct rda_at *at);

/* M03: a refusal is milder where the same is granted later. */
void rda_management_messages_overall(struct rda_judge *judge);

/* ---- leaving.c: work that is left behind ----------------------------------------------------- */

/* A DREQ: what had no answer then? */
void rda_management_left(const struct rda_at *at);

/* M10, of one of a connection's directions, once all packets were seen. */
void rda_management_left_work(struct rda_judge *judge, const struct rda_connection *connection,
			      const struct rda_flow *flow);

/* ---- starting_psn.c: M05 --------------------------------------------------------------------- */

/* A packet with an AETH to a flow's sender. */
void rda_management_answered(const struct rda_at *at);

/* M05, of one of a connection's directions that was agreed on: the first request has another PSN.
 */
void rda_management_starting_psn(struct rda_judge *judge, const struct rda_flow *flow);

/* It goes back to its first packet, and nothing new follows. */
bool rda_management_gets_no_further(const struct rda_flow *flow);

/* ---- data.c: connections against what was agreed when they were set up ----------------------- */

/*
 * Packets this long after a DREP are no late ones: networks that RDMA crosses take a tenth of a
 * second at most.
 */
#define RDA_AFTER_DREP_NS INT64_C(100000000)

/* All packets were seen: for each connection. */
void rda_management_connection(struct rda_judge *judge, const struct rda_connection *connection);

/* Then once: flows of which nobody spoke. */
void rda_management_strangers(struct rda_judge *judge);

/* ---- silence.c ------------------------------------------------------------------------------- */

/*
 * Checks of conversations as a whole, once all packets were seen: messages that nobody answered,
 * and hosts that begin too many of them.
 */

/*
 * A host that asks for more connections than this within a second, or for so many that come to
 * nothing: Linux needs about a millisecond for each, and a job of a thousand processes on a host
 * does not connect them all in one second.
 */
#define RDA_CHURN_PER_SECOND 1000
#define RDA_CHURN_FAILED     100

void rda_management_silences(struct rda_judge *judge);
void rda_management_silences_overall(struct rda_judge *judge);

#endif
