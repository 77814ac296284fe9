/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Captures that missed much; missed.h has the reasoning.
 */
#include "analyzer/checks/missed.h"

#include <string.h>

/* One in so many requests, and so many at least: one alone may be a damaged ACK's, or a NAK's. */
enum { MISSED_ONE_IN = 50, MISSED_LEAST = 3 };

/* Requests: that acknowledgments prove to have passed unseen, and that came for the first time. Or
 * frames: that the capturing program says it dropped, and that it kept. */
struct shares {
	uint64_t missed, seen;
};

/* Where packets came damaged, PSNs seem to be acknowledged that nobody sent. */
static void add(struct shares *shares, const struct rda_flow_facts *flow)
{
	const struct rda_flow_troubles *troubles = rda_flow_troubles(flow);

	if (flow->has_peer && !troubles->damaged) {
		shares->missed += troubles->lost_by_capture;
		shares->seen += flow->requests[RDA_REQUEST_NEW];
	}
}

static bool is_much(const struct shares *shares)
{
	return shares->missed && shares->missed * MISSED_ONE_IN >= shares->seen;
}

static bool has_dropped_much(const struct rda_capture *capture)
{
	return is_much(&(struct shares){capture->dropped, capture->packets});
}

bool rda_missed_frames(const struct rda_overall *overall)
{
	for (uint32_t i = 0; i < overall->capture_count; i++)
		if (has_dropped_much(&overall->captures[i]))
			return true;
	return false;
}

/* A capture that dropped much has packets of the time in which the flow sent. */
static bool is_dropped_much(const struct rda_overall *overall, const struct rda_flow_facts *flow)
{
	for (uint32_t i = 0; i < overall->capture_count; i++) {
		const struct rda_capture *capture = &overall->captures[i];

		if (has_dropped_much(capture) && flow->first_time_ns <= capture->last_time_ns &&
		    flow->last_time_ns >= capture->first_time_ns)
			return true;
	}
	return false;
}

static bool is_missed_much(const struct rda_judge *judge, uint32_t connection)
{
	const struct rda_connection_facts *facts = &judge->overall->connections[connection];
	struct shares requests = {0};
	bool dropped = false;

	for (unsigned side = 0; side < 2; side++) {
		const struct rda_flow_facts *flow =
			facts->flows[side] >= 0 ? judge->overall->flows[facts->flows[side]] : NULL;

		if (flow)
			add(&requests, flow);
		if (flow && flow->packets && judge->missed_frames)
			dropped |= is_dropped_much(judge->overall, flow);
	}
	return dropped || (requests.missed >= MISSED_LEAST && is_much(&requests));
}

void rda_missed_weaken(const struct rda_judge *judge, struct rda_finding *finding)
{
	/* of the order of packets, of answers, memory keys and giving up */
	static const char groups[] = "SAKM";
	char group = rda_check_row(finding->key.check)->code[0];

	if (finding->proof == RDA_PROOF_SUSPECTED && strchr(groups, group) &&
	    finding->severity == finding->key.severity && finding->severity > RDA_SEVERITY_NOTE &&
	    is_missed_much(judge, (uint32_t)finding->connection))
		finding->severity--;
}
