/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The findings of two results: those about one connection are taken over, those about one host or
 * capture are joined, what captures have in all is told anew, what is found of memory keys too
 * (merge_keys.c), and all are ranked again.
 */
#include "analyzer/engine/merge_part.h"

#include "analyzer/checks/judge.h"

#include <glib.h>
#include <string.h>

static struct rda_subject subject_in(const struct rda_part *part, struct rda_subject subject)
{
	switch (subject.kind) {
	case RDA_SUBJECT_HOST: subject.index = part->hosts[subject.index]; break;
	case RDA_SUBJECT_FLOW: subject.index = part->flows[subject.index]; break;
	case RDA_SUBJECT_CONNECTION: subject.index = part->connections[subject.index]; break;
	default: break; /* captures are the same */
	}
	return subject;
}

/* Places in order, each once, as many as are kept. */
static void join_places(struct rda_finding *to, const struct rda_finding *from)
{
	struct rda_finding joined = {0};
	unsigned i = 0, j = 0;

	while (i < to->place_count || j < from->place_count) {
		bool first = j == from->place_count ||
			     (i < to->place_count && to->places[i] < from->places[j]);

		rda_finding_frame(&joined, first ? to->places[i++] : from->places[j++]);
	}
	memcpy(to->places, joined.places, sizeof(to->places));
	to->place_count = joined.place_count;
}

/*
 * Cases about one host or capture: the words are those of whose first frame is earlier, with its
 * numbers; count and cost are of both.
 */
static void join_finding(struct rda_finding *to, const struct rda_finding *from)
{
	struct rda_finding sums = {.count = to->count + from->count,
				   .cost_ns =
					   rda_ns_sum(MAX(to->cost_ns, 0), MAX(from->cost_ns, 0)),
				   .severity = MAX(to->severity, from->severity)};
	bool same = to->connection == from->connection && to->flow == from->flow;
	struct rda_finding_key key = to->key;

	sums.place_count = to->place_count;
	memcpy(sums.places, to->places, sizeof(sums.places));
	join_places(&sums, from);
	if (from->places[0] < to->places[0]) {
		rda_finding_cleanup(to);
		rda_finding_copy(to, from);
		to->key = key;
	}
	to->count = sums.count;
	to->cost_ns = sums.cost_ns;
	to->severity = sums.severity;
	to->place_count = sums.place_count;
	memcpy(to->places, sums.places, sizeof(to->places));
	if (!same)
		to->connection = to->flow = -1;
}

/* About what a capture has in all: told anew, or not known of a part alone. */
static bool is_of_whole(const struct rda_finding *finding)
{
	return finding->key.check == RDA_CHECK_Q04 || finding->key.check == RDA_CHECK_Q08 ||
	       finding->key.check == RDA_CHECK_T12;
}

static void take_findings(struct rda_result *to, const struct rda_part *part)
{
	for (uint32_t i = 0; i < part->from->findings.table.count; i++) {
		struct rda_finding moved, *finding;
		struct rda_finding_key key;
		bool made;

		moved = *(const struct rda_finding *)part->from->findings.table.items[i];
		if (is_of_whole(&moved) || rda_judge_is_of_keys((enum rda_check)moved.key.check))
			continue;
		memcpy(&key, &moved.key, sizeof(key)); /* padding too */
		key.subject = subject_in(part, key.subject);
		if (moved.connection >= 0)
			moved.connection = (int32_t)part->connections[moved.connection];
		moved.cause_subject = subject_in(part, moved.cause_subject);
		finding = rda_table_get(&to->findings.table, &key, &made);
		if (made)
			rda_finding_copy(finding, &moved);
		else
			join_finding(finding, &moved);
		memcpy(&finding->key, &key, sizeof(key));
	}
	to->findings.not_kept += part->from->findings.not_kept;
	for (enum rda_check check = 0; check < RDA_CHECK_COUNT; check++) {
		if (rda_judge_is_of_keys(check))
			continue;
		to->withheld[check] += part->from->withheld[check];
		to->lowered[check] += part->from->lowered[check];
	}
}

/* Whether a check was switched off: then it found something and was withheld. */
static bool is_off(const struct rda_result *from, const struct rda_finding *told)
{
	for (uint32_t i = 0; i < from->findings.table.count; i++) {
		const struct rda_finding *finding = from->findings.table.items[i];

		if (finding->key.check == told->key.check && finding->withheld)
			return true;
	}
	return false;
}

/* What the family of captures tells of all their counts. */
static void tell_captures(struct rda_result *to, const struct rda_part part[2])
{
	uint32_t before = to->findings.table.count;
	struct rda_judge judge = {
		.findings = to->findings,
		.whole = {.captures = to->captures, .capture_count = to->capture_count}};

	rda_check_capture_begin(&judge);
	rda_check_capture_end(&judge);
	rda_check_capture_free(&judge);
	to->findings = judge.findings;
	for (uint32_t i = before; i < to->findings.table.count; i++) {
		struct rda_finding *told = to->findings.table.items[i];

		told->withheld = is_off(part[0].from, told) || is_off(part[1].from, told);
	}
}

void rda_merge_findings(struct rda_result *to, const struct rda_part part[2])
{
	rda_findings_init(&to->findings, 0);
	take_findings(to, &part[0]);
	take_findings(to, &part[1]);
	tell_captures(to, part);
	rda_merge_keys(to, part);
	rda_findings_rank(&to->findings);
}
