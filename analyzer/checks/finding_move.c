/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Findings that change what they are about: two of them may become one; and those that turn out to
 * be about nothing.
 */
#include "analyzer/checks/finding.h"

#include "analyzer/base/meta.h"

#include <glib.h>
#include <string.h>

bool rda_subject_move(struct rda_subject *subject, const struct rda_moved *moved)
{
	const uint32_t *indices = NULL;

	switch (subject->kind) {
	case RDA_SUBJECT_HOST: indices = moved->hosts; break;
	case RDA_SUBJECT_FLOW: indices = moved->flows; break;
	case RDA_SUBJECT_CONNECTION: indices = moved->connections; break;
	default: break;
	}
	if (indices)
		subject->index = indices[subject->index];
	return subject->index != RDA_GONE;
}

/* ---- joined ---------------------------------------------------------------------------------- */

static uint64_t place_at(const struct rda_finding *finding, uint32_t i)
{
	return i < finding->place_count ? finding->places[i]
					: finding->more[i - finding->place_count];
}

static uint64_t first_place(const struct rda_finding *finding)
{
	return finding->place_count ? finding->places[0] : 0;
}

/* The places of both in order, each once, as many as are kept. */
static void join_places(struct rda_finding *joined, const struct rda_finding *a,
			const struct rda_finding *b)
{
	uint32_t a_count = a->place_count + a->more_count, b_count = b->place_count + b->more_count;
	uint32_t i = 0, j = 0;

	while (i < a_count || j < b_count) {
		bool first = j == b_count || (i < a_count && place_at(a, i) < place_at(b, j));

		rda_finding_frame(joined, first ? place_at(a, i++) : place_at(b, j++));
	}
}

/* Takes the words and all else of `from`, but its key and places. */
static void become(struct rda_finding *to, const struct rda_finding *from)
{
	struct rda_finding_key key;

	memcpy(&key, &to->key, sizeof(key)); /* padding too */
	rda_finding_cleanup(to);
	rda_finding_copy(to, from);
	memcpy(&to->key, &key, sizeof(key));
}

static void join_told(struct rda_finding *to, const struct rda_finding *from)
{
	struct rda_finding sums = {
		.count = to->count + from->count,
		.cost_ns = rda_ns_sum(MAX(to->cost_ns, 0), MAX(from->cost_ns, 0)),
		.severity = MAX(to->severity + to->weakened, from->severity + from->weakened),
		.proof = MIN(to->proof, from->proof),
		.covers = MAX(to->covers, from->covers),
		.keeps_all = to->keeps_all || from->keeps_all};
	bool same = to->connection == from->connection && to->flow == from->flow;

	join_places(&sums, to, from);
	if (first_place(from) < first_place(to))
		become(to, from);
	to->count = sums.count;
	to->cost_ns = sums.cost_ns;
	to->severity = sums.severity;
	to->weakened = false;
	to->proof = sums.proof;
	to->covers = sums.covers;
	to->place_count = sums.place_count;
	g_free(to->places);
	g_free(to->more);
	to->places = sums.places;
	to->keeps_all = sums.keeps_all;
	to->more = sums.more;
	to->more_count = sums.more_count;
	to->more_allocated = sums.more_allocated;
	if (!same)
		to->connection = to->flow = -1;
}

void rda_finding_join(struct rda_finding *to, const struct rda_finding *from)
{
	if (to->withheld == from->withheld)
		join_told(to, from);
	else if (to->withheld)
		become(to, from);
}

void rda_findings_take(struct rda_findings *findings, const struct rda_finding_key *key,
		       const struct rda_finding *from)
{
	struct rda_finding *to;
	bool made;

	rda_findings_make_room(findings);
	to = rda_table_get(&findings->table, key, &made);
	if (made)
		rda_finding_copy(to, from);
	else
		rda_finding_join(to, from);
	memcpy(&to->key, key, sizeof(*key)); /* padding too */
}

/* `to` owns from now on what `from` owned. */
static void take_over(struct rda_finding *to, struct rda_finding *from)
{
	memcpy(to, from, sizeof(*to)); /* padding too */
	from->said = NULL;
	from->places = from->more = NULL;
	from->place_count = 0;
	from->more_count = from->more_allocated = 0;
}

void rda_findings_take_over(struct rda_findings *findings, const struct rda_finding_key *key,
			    struct rda_finding *from)
{
	struct rda_finding *to;
	bool made;

	rda_findings_make_room(findings);
	to = rda_table_get(&findings->table, key, &made);
	if (made)
		take_over(to, from);
	else
		rda_finding_join(to, from);
	memcpy(&to->key, key, sizeof(*key)); /* padding too */
}

/* ---- moved ----------------------------------------------------------------------------------- */

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
		take_over(to, finding);
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

static void pack_finding(struct rda_pack *pack, void *item)
{
	struct rda_finding *finding = item;

	rda_pack_block(pack, &finding->places, rda_finding_room(finding->place_count),
		       sizeof(*finding->places));
	rda_pack_block(pack, &finding->more, finding->more_count, sizeof(*finding->more));
	if (pack->reads)
		finding->more_allocated = finding->more_count;
	rda_said_pack(pack, &finding->said);
}

void rda_findings_pack(struct rda_pack *pack, struct rda_findings *findings)
{
	rda_pack_bytes(pack, &findings->most, sizeof(findings->most));
	rda_pack_bytes(pack, &findings->not_kept, sizeof(findings->not_kept));
	rda_pack_bytes(pack, &findings->keep_all, sizeof(findings->keep_all));
	rda_pack_table(pack, &findings->table, pack_finding);
}

/* ---- taken back ------------------------------------------------------------------------------ */

void rda_findings_take_back(struct rda_findings *findings, enum rda_check check,
			    struct rda_subject subject)
{
	for (int i = 0; i < RDA_SEVERITY_COUNT * RDA_PROOF_COUNT; i++) {
		struct rda_finding *finding = rda_finding_find_as(
			findings, check, (enum rda_severity)(i / RDA_PROOF_COUNT),
			(enum rda_proof)(i % RDA_PROOF_COUNT), subject);

		if (!finding)
			continue;
		g_free(finding->said);
		finding->said = NULL;
		finding->count = finding->place_count = finding->more_count = 0;
		finding->cost_ns = 0;
	}
}
