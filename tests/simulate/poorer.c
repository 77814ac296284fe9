/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Findings are the same when the check is, and who sent the packets that they are about. What is
 * said of the capture itself (group Q) may well be true of one only.
 */
#include "tests/simulate/poorer.h"

#include "tests/simulate/differ.h"

#include <stdio.h>
#include <string.h>

/* Who sent what a finding is about, or the host that it is about: the address; "" neither. */
static const char *sender(const struct sim_outcome *outcome, json_object *finding)
{
	int64_t id = sim_number(finding, "connection", -1);
	int64_t flow = sim_number(finding, "flow", -1);
	json_object *connections = json_object_object_get(outcome->report, "connections");
	json_object *ends;

	if (id < 0 || flow < 0)
		return sim_words(finding, "host");
	ends = json_object_object_get(json_object_array_get_idx(connections, (size_t)id),
				      "endpoints");
	return sim_words(json_object_array_get_idx(ends, (size_t)flow), "address");
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

unsigned sim_hold_poorer(const char *title, const struct sim_outcome *whole,
			 const struct sim_outcome *poorer, uint32_t offset)
{
	json_object *findings = json_object_object_get(poorer->report, "findings");
	unsigned wrong = 0;

	for (size_t i = 0; i < json_object_array_length(findings); i++) {
		json_object *finding = json_object_array_get_idx(findings, i);
		const char *code = sim_words(finding, "code");

		if (!is_proven(finding) || code[0] == 'Q' ||
		    says(whole, code, sender(poorer, finding)))
			continue;
		fprintf(stderr, "%s: proven, and not in the whole: %s (its frame 1 is frame %u)\n",
			title, json_object_to_json_string(finding), offset + 1);
		wrong++;
	}
	return wrong;
}
