/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Findings are the same when the check is, and who sent the packets that they are about. What is
 * said of the capture itself (group Q) may well be true of one only. So may what one thing is by
 * another, which may be more of a part: there the number must hold.
 */
#include "tests/simulate/poorer.h"

#include "tests/simulate/differ.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>

/* A member of what is told of the two sides, of the one that a finding is about; NULL neither. */
static json_object *side_of(const struct sim_outcome *outcome, json_object *finding,
			    const char *sides)
{
	int64_t id = sim_number(finding, "connection", -1);
	int64_t flow = sim_number(finding, "flow", -1);
	json_object *connections = json_object_object_get(outcome->report, "connections");

	if (id < 0 || flow < 0)
		return NULL;
	return json_object_array_get_idx(
		json_object_object_get(json_object_array_get_idx(connections, (size_t)id), sides),
		(size_t)flow);
}

/* Who sent what a finding is about, or the host that it is about: the address; "" neither. */
static const char *sender(const struct sim_outcome *outcome, json_object *finding)
{
	json_object *end = side_of(outcome, finding, "endpoints");

	return end ? sim_words(end, "address") : sim_words(finding, "host");
}

static bool is_proven(json_object *finding)
{
	return strcmp(sim_words(finding, "proof"), "proven") == 0;
}

static bool says(const struct sim_outcome *whole, const char *code, const char *address)
{
	json_object *findings = json_object_object_get(whole->report, "findings");

	for (size_t i = 0; i < json_object_array_length(findings); i++) {
		json_object *finding = json_object_array_get_idx(findings, i);

		if (strcmp(sim_words(finding, "code"), code) == 0 &&
		    strcmp(sender(whole, finding), address) == 0)
			return true;
	}
	return false;
}

/*
 * What is told of one thing measured by another: of a part that may be more than of the whole,
 * though each thing that it counts is in the whole too. That is asked: no more of it, or no longer.
 */
static const struct relative {
	const char *code;
	const char *argument; /* of the finding; NULL: its count */
	const char *outer;    /* in the whole, of the flow; NULL: not within another member */
	const char *inner;
} relatives[] = {
	/* of what was sent, so many packets were resends */
	{"S15", NULL, NULL, "retransmitted_packets"},
	{"S16", NULL, NULL, "retransmitted_packets"},
	/* one answer in a hundred took many times as long as half of them */
	{"T01", "max_ns", "ack_latency_ns", "max"},
	/* waits for receives were, all together, many times as long as asked */
	{"T09", "waits", "resends", "after_rnr"},
};

static const struct relative *relative_of(const char *code)
{
	for (size_t i = 0; i < sizeof(relatives) / sizeof(*relatives); i++)
		if (strcmp(relatives[i].code, code) == 0)
			return &relatives[i];
	return NULL;
}

static int64_t in_flow(const struct relative *relative, json_object *flow)
{
	return sim_number(relative->outer ? json_object_object_get(flow, relative->outer) : flow,
			  relative->inner, 0);
}

/* The whole measures by more, and has no less of what is measured. */
static bool holds_relative(const struct sim_outcome *whole, const struct sim_outcome *poorer,
			   json_object *finding)
{
	const struct relative *relative = relative_of(sim_words(finding, "code"));
	const char *address = sender(poorer, finding);
	json_object *connections = json_object_object_get(whole->report, "connections");
	int64_t most = 0;

	if (!relative)
		return false;
	for (size_t i = 0; i < json_object_array_length(connections); i++) {
		json_object *connection = json_object_array_get_idx(connections, i);
		json_object *ends = json_object_object_get(connection, "endpoints");
		json_object *flows = json_object_object_get(connection, "flows");

		for (size_t side = 0; side < 2; side++)
			if (strcmp(sim_words(json_object_array_get_idx(ends, side), "address"),
				   address) == 0)
				most = MAX(most, in_flow(relative,
							 json_object_array_get_idx(flows, side)));
	}
	if (!relative->argument)
		return sim_number(finding, "count", 0) <= most;
	return sim_number(json_object_object_get(finding, "arguments"), relative->argument,
			  INT64_MAX) <= most;
}

/*
 * The slowest answer (T01) is one to what the whole knows was sent again: it times none of these,
 * as nothing tells which transmission was answered. Since the latest it took as long, whichever.
 */
static bool is_of_resend(const struct sim_outcome *whole, json_object *finding, uint32_t offset)
{
	json_object *frames = json_object_object_get(finding, "frames");
	int64_t frame = json_object_array_length(frames)
				? json_object_get_int64(json_object_array_get_idx(frames, 0))
				: 0;

	return strcmp(sim_words(finding, "code"), "T01") == 0 && frame > 0 &&
	       frame + offset <= whole->count &&
	       whole->frames[frame + offset - 1].trace.standing == RDA_STANDING_RESENT;
}

unsigned sim_hold_poorer(const char *title, const struct sim_outcome *whole,
			 const struct sim_outcome *poorer, uint32_t offset)
{
	json_object *findings = json_object_object_get(poorer->report, "findings");
	unsigned wrong = 0;

	for (size_t i = 0; i < json_object_array_length(findings); i++) {
		json_object *finding = json_object_array_get_idx(findings, i);
		const char *code = sim_words(finding, "code");

		if (!is_proven(finding) || code[0] == 'Q' ||
		    says(whole, code, sender(poorer, finding)) ||
		    holds_relative(whole, poorer, finding) || is_of_resend(whole, finding, offset))
			continue;
		fprintf(stderr, "%s: proven, and not in the whole: %s (its frame 1 is frame %u)\n",
			title, json_object_to_json_string(finding), offset + 1);
		wrong++;
	}
	return wrong;
}
