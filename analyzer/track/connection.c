/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known of a connection as a whole: whether it was captured in both directions, from its
 * start, without gaps, uncut; whose it is.
 */
#include "analyzer/track/connection.h"

#include "analyzer/base/psn.h"
#include "analyzer/track/roce/account.h"

#include <stddef.h>

static bool is_unbroken(const struct rda_flow *flow)
{
	return rda_account_counts(flow)->lost_by_capture == 0 &&
	       !rda_account_answered_early(flow) && !rda_account_reads_lack(flow) &&
	       rda_account_response_counts(flow)->lost_by_capture == 0;
}

/* It acknowledged or refused something, and which of these was cut off. */
static bool has_unread(const struct rda_flow *flow)
{
	return flow && rda_flow_answers(flow)->unread;
}

/* MPA's start frames are iWARP's connection management. */
static uint8_t seen_of_streams(const struct rda_flow *const *flows)
{
	uint8_t seen = RDA_SEEN_UNBROKEN;

	for (unsigned i = 0; i < 2; i++) {
		if (flows[i] && flows[i]->from_start)
			seen |= RDA_SEEN_CM | RDA_SEEN_START;
		if (flows[i] && (flows[i]->stream_doubted || rda_flow_rare(flows[i])->stream_holes))
			seen &= (uint8_t)~RDA_SEEN_UNBROKEN;
	}
	return seen;
}

/* What set up the connection, if it was captured; NULL: it was not. */
static const struct rda_cm_pair *set_up(const struct rda_connection *connection)
{
	const struct rda_flow *const *flows = connection->flows;

	return flows[0] && flows[0]->pair ? flows[0]->pair : flows[1] ? flows[1]->pair : NULL;
}

/* Whether no request before the first one that was captured can have been sent. */
static bool is_from_start(const struct rda_flow *flow, const struct rda_cm_pair *pair)
{
	int32_t agreed;

	if (!flow || !flow->request_packets)
		return true;
	agreed = rda_cm_sender(pair, flow)->first_psn;
	if (agreed < 0 || rda_psn_widen(agreed, flow->first_psn) <= agreed)
		return true;
	/* it came later, again: the first was lost */
	return flow->account &&
	       rda_ranges_has(&flow->requests,
			      rda_psn_widen(rda_psn_first(flow->first_psn), (uint32_t)agreed));
}

uint8_t rda_connection_seen(const struct rda_connection *connection)
{
	const struct rda_flow *const *flows = connection->flows;
	const struct rda_cm_pair *pair = set_up(connection);
	uint8_t seen = RDA_SEEN_TIMES; /* engine/result.c knows better of made up ones */

	if (flows[0] && flows[1])
		seen |= RDA_SEEN_BOTH;
	if (connection->carrier == RDA_CARRIER_IWARP)
		seen |= seen_of_streams(flows);
	else if (is_unbroken(flows[0]) && is_unbroken(flows[1]))
		seen |= RDA_SEEN_UNBROKEN;
	if (!(flows[0] && flows[0]->cut) && !(flows[1] && flows[1]->cut))
		seen |= RDA_SEEN_WHOLE;
	if (!has_unread(flows[0]) && !has_unread(flows[1]))
		seen |= RDA_SEEN_SAID;
	if (pair && pair->by == RDA_PAIRED_BY_CM)
		seen |= RDA_SEEN_CM;
	if (pair && is_from_start(flows[0], pair) && is_from_start(flows[1], pair))
		seen |= RDA_SEEN_START;
	return seen;
}

/* ---- which application it belongs to --------------------------------------------------------- */

/*
 * By the well-known port that it was made to, or its login: of the service ID in RDMA-CM's REQ
 * (annex A11), or of TCP for iWARP.
 *
 * RDA_APPLICATIONS(A): A(port, "name"). The registrations of IANA, the defaults of Linux
 * (rds_rdma: 18634, and 16385 of late) and of the tools that come with rdma-core and perftest.
 */
#define RDA_APPLICATIONS(A)                                                                        \
	A(445, "smb")                                                                              \
	A(988, "lustre")                                                                           \
	A(3260, "iser")                                                                            \
	A(4420, "nvme")                                                                            \
	A(5445, "smb")                                                                             \
	A(7174, "rping")                                                                           \
	A(8009, "nvme")                                                                            \
	A(16385, "rds")                                                                            \
	A(18515, "perftest")                                                                       \
	A(18634, "rds")                                                                            \
	A(20049, "nfs")

static const char *name_of_port(uint32_t port)
{
	switch (port) {
#define RDA_A(number, name)                                                                        \
	case number: return name;
		RDA_APPLICATIONS(RDA_A)
#undef RDA_A
	default: return NULL;
	}
}

/* The port in a service ID of the IP CM service for TCP: 0x0000000001 06 pppp. */
static const char *name_of_service(uint64_t service_id)
{
	if (service_id >> 16 != 0x000000000106)
		return NULL;
	return name_of_port((uint32_t)service_id & 0xffff);
}

/* SRP has no port of its own: its login tells. */
static const char *name_of_pair(const struct rda_cm_pair *pair)
{
	if (pair->login.asked || pair->login.granted || pair->login.refused)
		return "srp";
	return name_of_service(pair->service_id);
}

const char *rda_connection_application_of_flow(const struct rda_flow *flow)
{
	const char *name = NULL;

	if (flow->key.carrier == RDA_CARRIER_IWARP) {
		name = name_of_port(flow->key.dest_qp & 0xffff);
		return name ? name : name_of_port(flow->key.src_qp & 0xffff);
	}
	return flow->pair ? name_of_pair(flow->pair) : NULL;
}

const char *rda_connection_application(const struct rda_connection *connection,
				       const struct rda_cm_track *cm)
{
	const char *name = NULL;

	if (connection->service == RDA_SERVICE_CM)
		return NULL; /* of all applications */
	for (unsigned i = 0; i < 2 && !name; i++) {
		const struct rda_flow *flow = connection->flows[i];
		const struct rda_cm_pair *pair = NULL;

		if (connection->service == RDA_SERVICE_IWARP)
			name = name_of_port((uint32_t)connection->endpoints[i].port);
		else if (flow)
			pair = rda_cm_track_pair(cm, flow);
		if (pair)
			name = name_of_pair(pair);
	}
	return name;
}
