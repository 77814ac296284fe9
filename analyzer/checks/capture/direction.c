/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Q03: connections of which one direction was captured.
 */
#include "analyzer/checks/capture/state.h"

#include "analyzer/base/address.h"
#include "analyzer/base/table.h"

#include <glib.h>

/* AckReq that no packet came back for, before one direction is said to be missing. */
enum { UNANSWERED_MIN = 2 };

/* Where the capture goes on for so long, it has the answer of a host that gives one: adapters
 * answer within microseconds, and who is busy within a few milliseconds. */
#define ANSWER_NS INT64_C(100000000)

/* A request asks for an answer, and nothing of the other direction was seen so far. */
void rda_direction_asked(const struct rda_at *at)
{
	struct rda_capture_watch *watch = rda_capture_watch(at->flow);

	if (watch->ack_requests++ == 0)
		watch->asked_ns = at->meta->time_ns;
}

void rda_direction_tell(struct rda_judge *judge, const struct rda_connection *connection)
{
	const struct rda_flow *flow =
		connection->flows[0] ? connection->flows[0] : connection->flows[1];
	/* a connection has a flow: NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
	const struct rda_capture_watch *watch = flow->watch.capture;
	uint64_t expected = watch ? watch->ack_requests : 0;
	int64_t left_ns = expected ? rda_watched_until(judge, flow->first_place) - watch->asked_ns
				   : INT64_MAX;
	bool ended_soon = left_ns >= 0 && left_ns < ANSWER_NS; /* below 0: not known */
	struct rda_finding *finding;

	if (connection->service != RDA_SERVICE_RC && connection->service != RDA_SERVICE_XRC)
		return;
	if (expected < UNANSWERED_MIN && rda_flow_answers(flow)->packets < UNANSWERED_MIN)
		return;
	finding = rda_finding_add(&judge->findings, RDA_CHECK_Q03, rda_about_connection(connection),
				  flow->first_place);
	/* a damaged packet between the two hosts may be one */
	finding->lowered |= rda_check_frame_of_nobody(judge, flow);
	if (flow->request_packets == 0)
		rda_finding_say(finding, RDA_SAY_Q03_ANSWERS_ONLY, RDA_ARG_NONE);
	else if (expected < UNANSWERED_MIN)
		rda_finding_say(finding, RDA_SAY_Q03_ANSWERS_OF_TWO,
				RDA_ARG_ADDRESS("host", &flow->key.destination));
	else /* or HOST_SEEN: told overall */
		rda_finding_say(finding, RDA_SAY_Q03_HOST_UNSEEN, RDA_ARG_NUMBER("asked", expected),
				RDA_ARG_ADDRESS("host", &flow->key.destination),
				RDA_ARG_IF(ended_soon, RDA_ARG_TIME("left_ns", left_ns)));
}

static uint64_t hosts_of(const struct rda_connection_facts *connection)
{
	return rda_address_pair(&connection->endpoints[0].address,
				&connection->endpoints[1].address);
}

/* Of pairs of hosts (rda_address_pair) those with a connection whose other direction is a guess:
 * it may be what another connection between them lacks. */
static void gather_guesses(struct rda_table *guesses, const struct rda_overall *overall)
{
	rda_table_init(guesses, sizeof(uint64_t), sizeof(uint64_t), 0);
	for (uint32_t i = 0; i < overall->connection_count; i++) {
		uint64_t hosts;

		if (!rda_overall_peer_is_guess(overall, i))
			continue;
		hosts = hosts_of(&overall->connections[i]);
		rda_table_get(guesses, &hosts, NULL);
	}
}

static bool may_be_of_a_guess(const struct rda_table *guesses,
			      const struct rda_connection_facts *connection)
{
	uint64_t hosts = hosts_of(connection);

	return rda_table_find(guesses, &hosts) != NULL;
}

/* Q03: packets of the host whose answers are not there may be of other connections. */
static void tell_unseen(struct rda_finding *finding, const struct rda_overall *overall)
{
	const struct rda_connection_facts *connection =
		&overall->connections[finding->key.subject.index];
	int32_t flow = connection->flows[connection->flows[0] < 0];
	const struct rda_host *host =
		rda_overall_host(overall, &overall->flows[flow]->key.destination);
	const struct rda_argument *asked = rda_finding_find_argument(finding, "asked");
	const struct rda_argument *left = rda_finding_find_argument(finding, "left_ns");

	if (asked)
		rda_finding_retell(finding,
				   host->packets_sent ? RDA_SAY_Q03_HOST_SEEN
						      : RDA_SAY_Q03_HOST_UNSEEN,
				   RDA_ARG_NUMBER("asked", asked->number),
				   RDA_ARG_ADDRESS("host", &overall->flows[flow]->key.destination),
				   left ? RDA_ARG_TIME("left_ns", left->integer) : RDA_ARG_NONE);
}

void rda_direction_overall(struct rda_judge *judge)
{
	struct rda_table guesses;

	gather_guesses(&guesses, judge->overall);
	for (uint32_t i = 0; i < judge->findings.table.count; i++) {
		struct rda_finding *finding = judge->findings.table.items[i];

		if (finding->key.check != RDA_CHECK_Q03 || finding->key.overall)
			continue;
		tell_unseen(finding, judge->overall);
		finding->lowered |= may_be_of_a_guess(
			&guesses, &judge->overall->connections[finding->key.subject.index]);
	}
	rda_table_cleanup(&guesses, NULL);
}
