/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Findings that change what they are about: two of them may become one.
 */
#include "analyzer/checks/finding.h"

#include "analyzer/base/meta.h"

#include <glib.h>
#include <string.h>

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

void rda_finding_join(struct rda_finding *to, const struct rda_finding *from)
{
	struct rda_finding sums = {.count = to->count + from->count,
				   .cost_ns =
					   rda_ns_sum(MAX(to->cost_ns, 0), MAX(from->cost_ns, 0)),
				   .severity = MAX(to->severity, from->severity),
				   .proof = MIN(to->proof, from->proof),
				   .covers = MAX(to->covers, from->covers)};
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
	to->proof = sums.proof;
	to->covers = sums.covers;
	to->place_count = sums.place_count;
	memcpy(to->places, sums.places, sizeof(to->places));
	if (!same)
		to->connection = to->flow = -1;
}

static void cleanup_finding(void *item)
{
	rda_finding_cleanup(item);
}

struct moving {
	struct rda_findings *to;
	bool (*move)(struct rda_finding *finding, void *context);
	void *context;
};

static void move_one(struct moving *moving, struct rda_finding *finding)
{
	struct rda_finding *to;
	struct rda_finding_key key;
	bool made;

	if (!moving->move(finding, moving->context))
		return;
	memcpy(&key, &finding->key, sizeof(key)); /* padding too */
	to = rda_table_get(&moving->to->table, &key, &made);
	if (made) {
		memcpy(to, finding, sizeof(*to));
		finding->said = NULL; /* both have one owner now */
		finding->more = NULL;
	} else {
		rda_finding_join(to, finding);
	}
}

void rda_findings_move(struct rda_findings *findings,
		       bool (*move)(struct rda_finding *finding, void *context), void *context)
{
	struct rda_table before = findings->table;
	struct moving moving = {findings, move, context};

	rda_table_init(&findings->table, before.key_size, before.item_size, before.second_seed);
	for (uint32_t i = 0; i < before.count; i++)
		move_one(&moving, before.items[i]);
	rda_table_cleanup(&before, cleanup_finding);
}
