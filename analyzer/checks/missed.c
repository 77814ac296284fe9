/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Captures that missed much; missed.h has the reasoning.
 */
#include "analyzer/checks/missed.h"

#include <string.h>

/* One in so many requests, and so many at least; and answers that tell so, where more are missed
 * than came. */
enum { MISSED_ONE_IN = 50, MISSED_LEAST = 3, CASES_LEAST = 3 };

/* Requests: that acknowledgments prove to have passed unseen, and that came for the first time. Or
 * frames: that the capturing program says it dropped, and that it kept. */
struct shares {
	uint64_t missed, seen;
};

/* A PSN that came damaged makes it seem once that many more were acknowledged than came, which
 * Q01 is not sure of either (capture.c). */
static bool is_credible(const struct rda_judge *judge, int32_t flow, const struct shares *own)
{
	const struct rda_finding *missed =
		rda_finding_find(&judge->findings, RDA_CHECK_Q01,
				 (struct rda_subject){RDA_SUBJECT_FLOW, (uint32_t)flow});

	return own->missed <= own->seen || (missed && missed->place_count >= CASES_LEAST);
}

static void add(struct shares *shares, const struct rda_judge *judge, int32_t flow)
{
	const struct rda_flow_facts *facts = judge->overall->flows[flow];
	const struct shares own = {rda_flow_troubles(facts)->lost_by_capture,
				   facts->requests[RDA_REQUEST_NEW]};

	if (!facts->has_peer || !is_credible(judge, flow, &own))
		return;
	shares->missed += own.missed;
	shares->seen += own.seen;
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
		int32_t flow = facts->flows[side];
		const struct rda_flow_facts *of = flow < 0 ? NULL : judge->overall->flows[flow];

		if (of)
			add(&requests, judge, flow);
		if (of && of->packets && judge->missed_frames)
			dropped |= is_dropped_much(judge->overall, of);
	}
	return dropped || (requests.missed >= MISSED_LEAST && is_much(&requests));
}

/* As if it had not been weighed. */
static void strengthen(struct rda_finding *finding)
{
	finding->severity += finding->weakened;
	finding->weakened = false;
}

void rda_missed_forget(struct rda_judge *judge)
{
	for (uint32_t i = 0; i < judge->findings.table.count; i++)
		strengthen(judge->findings.table.items[i]);
}

void rda_missed_weaken(const struct rda_judge *judge, struct rda_finding *finding)
{
	/* of the order of packets, of answers and how long they took, memory keys and giving up */
	static const char groups[] = "SATKM";
	char group = rda_check_row(finding->key.check)->code[0];

	strengthen(finding);
	finding->weakened = finding->proof == RDA_PROOF_SUSPECTED && strchr(groups, group) &&
			    finding->severity == finding->key.severity &&
			    finding->severity > RDA_SEVERITY_NOTE &&
			    is_missed_much(judge, (uint32_t)finding->connection);
	finding->severity -= finding->weakened;
}
