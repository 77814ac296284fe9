/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known of one direction of a connection, as a value: the numbers that outputs tell and
 * that the last checks ask for, each made in one place.
 *
 * "lost" counts requests of this direction and its READ responses alike: packets that its sender
 * sent and that did not pass the tap (before), or passed it and did not arrive (after).
 */
#ifndef RDA_FLOW_FACTS_H
#define RDA_FLOW_FACTS_H

#include "analyzer/base/latency.h"
#include "analyzer/track/event.h"
#include "analyzer/track/flow.h"
#include "analyzer/track/roce/request.h"

/* How long what the flow's sender asked for took. */
struct rda_flow_latencies {
	struct rda_latency kinds[RDA_MESSAGE_COUNT]; /* of whole messages */
	struct rda_latency first_response;	     /* of READs */
	struct rda_latency acks; /* from a packet that asked for an ACK to the first ACK */
};

struct rda_flow_facts {
	struct rda_flow_key key;
	uint32_t connection; /* id */
	uint8_t side;	     /* the endpoint that sent it */
	uint64_t first_place;
	int64_t first_time_ns, last_time_ns; /* valid if packets > 0 */
	uint16_t source_port;		     /* UDP */
	bool source_port_known;
	bool management;  /* carries connection management */
	bool has_account; /* requests of a reliable service were followed */
	bool has_peer;	  /* the other direction was followed beside it */

	/* copies of packets stand in `copies` only */
	uint64_t packets, bytes;
	struct rda_flow_copies copies;
	uint64_t damaged, request_packets, response_packets, payload_bytes;
	uint32_t first_psn, last_psn; /* of requests; valid if request_packets > 0 */
	uint32_t full_payload;	      /* of First and Middle packets; 0: none seen */
	uint64_t acks, naks[RDA_NAK_COUNT], rnr_naks, cnps, ce_marked;
	struct rda_message_count messages[RDA_MESSAGE_COUNT];

	/* valid if has_account or has_peer: without requests they are 0 */
	uint64_t requests[RDA_REQUEST_KINDS], forgotten_requests;
	/* likewise if has_peer */
	uint64_t resends[RDA_TRIGGER_COUNT];
	uint64_t lost_before, lost_after, lost_by_capture;
	uint64_t lost_damaged; /* of lost_after: damaged when they passed here */
	int64_t stalled_ns[RDA_TRIGGER_COUNT];

	struct rda_flow_latencies *latencies; /* owned; NULL: none are known */
	int64_t messages_not_timed;	      /* -1 not known */
	int32_t conversation;		      /* that set it up: index; -1 not captured */
	uint8_t conversation_side;	      /* that sent it; valid if there is one */
	int32_t reads_most; /* READs and ATOMICs seen under way at once; -1 not known */
};

/* All but the connection, the conversation and reads_most, which others know. */
void rda_flow_facts_of(struct rda_flow_facts *facts, const struct rda_flow *flow);
void rda_flow_facts_cleanup(struct rda_flow_facts *facts);

/* Of whole messages of all kinds together. To be cleaned up by the caller. */
struct rda_latency rda_flow_message_latency(const struct rda_flow_facts *facts);

/* How long the flow stood still in all. */
int64_t rda_flow_stalled_ns(const struct rda_flow_facts *facts);

#endif
