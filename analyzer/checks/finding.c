/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gathering and ranking findings; finding.h has the idea.
 */
#include "analyzer/checks/finding.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

void rda_findings_init(struct rda_findings *findings, uint64_t hash_seed)
{
	memset(findings, 0, sizeof(*findings));
	rda_table_init(&findings->table, sizeof(struct rda_finding_key), sizeof(struct rda_finding),
		       hash_seed);
	findings->most = RDA_FINDINGS_KEPT;
}

static void free_dropped(struct rda_findings *findings)
{
	for (uint32_t i = 0; i < findings->dropped_count; i++) {
		rda_finding_cleanup(findings->dropped[i]);
		g_free(findings->dropped[i]);
	}
	g_free(findings->dropped);
	findings->dropped = NULL;
	findings->dropped_count = 0;
}

static void cleanup_finding(void *item)
{
	rda_finding_cleanup(item);
}

void rda_findings_cleanup(struct rda_findings *findings)
{
	rda_table_cleanup(&findings->table, cleanup_finding);
	free_dropped(findings);
	g_free(findings->ranked);
}

void rda_findings_copy(struct rda_findings *findings, const struct rda_findings *from)
{
	rda_findings_init(findings, from->table.seed);
	findings->keep_all = from->keep_all;
	findings->most = from->most;
	findings->not_kept = from->not_kept;
	for (uint32_t i = 0; i < from->table.count; i++) {
		const struct rda_finding *finding = from->table.items[i];

		rda_finding_copy(rda_table_get(&findings->table, &finding->key, NULL), finding);
	}
}

static struct rda_finding_key key_of(enum rda_check check, enum rda_severity severity,
				     enum rda_proof proof, struct rda_subject subject,
				     uint32_t overall)
{
	struct rda_finding_key key;

	memset(&key, 0, sizeof(key)); /* padding too: keys are compared as bytes */
	key.subject = subject;
	key.check = (uint16_t)check;
	key.severity = (uint8_t)severity;
	key.proof = (uint8_t)proof;
	key.overall = overall;
	return key;
}

struct rda_finding *rda_finding_add_as(struct rda_findings *findings, enum rda_check check,
				       enum rda_severity severity, enum rda_proof proof,
				       struct rda_subject subject, uint64_t place)
{
	struct rda_finding_key key = key_of(check, severity, proof, subject, findings->overall);
	bool made;
	struct rda_finding *finding;

	rda_findings_make_room(findings);
	finding = rda_table_get(&findings->table, &key, &made);
	if (made) {
		finding->severity = key.severity;
		finding->proof = key.proof;
		finding->connection = -1;
		finding->flow = -1;
		finding->keeps_all = findings->keep_all;
	}
	finding->count++;
	rda_finding_frame(finding, place);
	return finding;
}

struct rda_finding *rda_finding_add(struct rda_findings *findings, enum rda_check check,
				    struct rda_subject subject, uint64_t place)
{
	const struct rda_check_row *row = rda_check_row(check);

	return rda_finding_add_as(findings, check, row->severity, row->proof, subject, place);
}

struct rda_finding *rda_finding_add_proof(struct rda_findings *findings, enum rda_check check,
					  enum rda_proof proof, struct rda_subject subject,
					  uint64_t place)
{
	return rda_finding_add_as(findings, check, rda_check_row(check)->severity, proof, subject,
				  place);
}

static struct rda_finding *find_in(const struct rda_findings *findings, enum rda_check check,
				   enum rda_severity severity, enum rda_proof proof,
				   struct rda_subject subject, uint32_t overall)
{
	struct rda_finding_key key = key_of(check, severity, proof, subject, overall);

	return rda_table_find(&findings->table, &key);
}

struct rda_finding *rda_finding_find_as(const struct rda_findings *findings, enum rda_check check,
					enum rda_severity severity, enum rda_proof proof,
					struct rda_subject subject)
{
	struct rda_finding *finding = find_in(findings, check, severity, proof, subject, 0);

	return finding ? finding : find_in(findings, check, severity, proof, subject, 1);
}

struct rda_finding *rda_finding_find(const struct rda_findings *findings, enum rda_check check,
				     struct rda_subject subject)
{
	const struct rda_check_row *row = rda_check_row(check);

	return rda_finding_find_as(findings, check, row->severity, row->proof, subject);
}

unsigned rda_finding_room(unsigned places)
{
	unsigned room = 2;

	while (room < places)
		room *= 2;
	return places ? room : 0;
}

static void keep(struct rda_finding *finding, uint64_t place)
{
	unsigned room = rda_finding_room(finding->place_count + 1U);

	if (room > rda_finding_room(finding->place_count)) {
		finding->places = g_renew(uint64_t, finding->places, room);
		memset(finding->places + finding->place_count, 0, /* all of it is packed */
		       (room - finding->place_count) * sizeof(*finding->places));
	}
	finding->places[finding->place_count++] = place;
}

static void keep_more(struct rda_finding *finding, uint64_t place)
{
	if (finding->more_count && finding->more[finding->more_count - 1] == place)
		return;
	if (finding->more_count == finding->more_allocated) {
		finding->more_allocated = MAX(2 * finding->more_allocated, RDA_FINDING_FRAMES);
		finding->more = g_renew(uint64_t, finding->more, finding->more_allocated);
	}
	finding->more[finding->more_count++] = place;
}

void rda_finding_frame(struct rda_finding *finding, uint64_t place)
{
	if (place == 0)
		return;
	for (unsigned i = 0; i < finding->place_count; i++)
		if (finding->places[i] == place)
			return;
	if (finding->place_count < RDA_FINDING_FRAMES)
		keep(finding, place);
	else if (finding->keeps_all)
		keep_more(finding, place);
}

void rda_finding_say_all(struct rda_finding *finding, enum rda_saying saying,
			 const struct rda_argument *arguments)
{
	if (!rda_finding_is_said(finding))
		finding->said = rda_said_new(saying, arguments);
}

void rda_finding_retell_all(struct rda_finding *finding, enum rda_saying saying,
			    const struct rda_argument *arguments)
{
	struct rda_said *before = finding->said;

	finding->said = rda_said_new(saying, arguments);
	g_free(before);
}

void rda_finding_say_more_all(struct rda_finding *finding, enum rda_saying saying,
			      const struct rda_argument *arguments)
{
	struct rda_said *before = finding->said;

	finding->said =
		before ? rda_said_more(before, saying, arguments) : rda_said_new(saying, arguments);
	g_free(before);
}

struct rda_argument *rda_finding_find_argument(const struct rda_finding *finding, const char *name)
{
	for (unsigned i = 0; finding->said && i < finding->said->count; i++)
		if (strcmp(finding->said->arguments[i].name, name) == 0)
			return &finding->said->arguments[i];
	return NULL;
}

void rda_finding_set_flag(struct rda_finding *finding, const char *name, bool value)
{
	struct rda_argument *flag = rda_finding_find_argument(finding, name);

	if (flag)
		flag->number = value;
}

char *rda_finding_text(const struct rda_finding *finding)
{
	return finding->said ? rda_said_sentence(finding->said) : NULL;
}

const char *rda_finding_advice(const struct rda_finding *finding)
{
	return finding->said ? rda_saying_row((enum rda_saying)finding->said->sayings[0])->advice
			     : NULL;
}

void rda_finding_explain(struct rda_finding *effect, enum rda_check check,
			 struct rda_subject subject)
{
	effect->explained = true;
	effect->cause_check = (uint16_t)check;
	effect->cause_subject = subject;
	effect->cause_overall = 0;
}

void rda_finding_explain_by(struct rda_finding *effect, const struct rda_finding *cause)
{
	rda_finding_explain(effect, (enum rda_check)cause->key.check, cause->key.subject);
	effect->cause_overall = cause->key.overall;
}

void rda_finding_copy(struct rda_finding *to, const struct rda_finding *from)
{
	*to = *from;
	to->said = rda_said_copy(from->said);
	to->places = NULL;
	if (from->place_count) {
		size_t size = rda_finding_room(from->place_count) * sizeof(*to->places);

		to->places = g_memdup2(from->places, size);
	}
	to->more = g_memdup2(from->more, from->more_count * sizeof(*from->more));
	to->more_allocated = from->more_count;
}

void rda_finding_cleanup(struct rda_finding *finding)
{
	g_free(finding->said);
	g_free(finding->places);
	g_free(finding->more);
}

/* ---- ranking --------------------------------------------------------------------------------- */

static int order(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* An error ended something: what is sure of it stands before what took long. A warning cost time.
 */
static int by_weight(const struct rda_finding *a, const struct rda_finding *b)
{
	int cost = order(b->cost_ns, a->cost_ns), proof = order(b->proof, a->proof);

	if (a->severity == RDA_SEVERITY_ERROR)
		return proof ? proof : cost;
	return cost ? cost : proof;
}

static int compare(const void *one, const void *two)
{
	const struct rda_finding *a = *(struct rda_finding *const *)one;
	const struct rda_finding *b = *(struct rda_finding *const *)two;
	int by[] = {
		order(b->severity, a->severity),
		by_weight(a, b),
		order((int64_t)b->count, (int64_t)a->count),
		order(a->key.check, b->key.check),
		order(a->connection, b->connection),
		order(a->flow, b->flow),
		order(a->key.subject.kind, b->key.subject.kind),
		order(a->key.subject.index, b->key.subject.index),
		order(b->key.proof, a->key.proof),
		order(a->key.overall, b->key.overall),
	};

	for (unsigned i = 0; i < G_N_ELEMENTS(by); i++)
		if (by[i])
			return by[i];
	return 0;
}

/* ---- room ------------------------------------------------------------------------------------ */

static bool stays(const void *item, void *findings)
{
	(void)findings;
	return ((const struct rda_finding *)item)->rank >= 0;
}

static void drop(void *item, void *context)
{
	struct rda_findings *findings = context;

	findings->not_kept += ((struct rda_finding *)item)->count;
	findings->dropped[findings->dropped_count++] = item;
}

void rda_findings_make_room(struct rda_findings *findings)
{
	uint32_t count = findings->table.count, old;
	struct rda_finding **order;

	if (count < findings->most || count <= RDA_FINDINGS_LATEST)
		return;
	old = count - RDA_FINDINGS_LATEST;
	order = g_memdup2(findings->table.items, old * sizeof(*order));
	qsort(order, old, sizeof(*order), compare);
	for (uint32_t i = 0; i < old; i++)
		order[i]->rank = i < old / 2 ? 0 : -1;
	for (uint32_t i = old; i < count; i++)
		((struct rda_finding *)findings->table.items[i])->rank = 0;
	g_free(order);
	free_dropped(findings);
	findings->dropped = g_new(struct rda_finding *, old - old / 2);
	rda_table_sift(&findings->table, stays, drop, findings);
}

/* ---- telling --------------------------------------------------------------------------------- */

/* The rank of the weightiest finding that explains one; -1: none of those that are told. */
static int32_t cause_of(const struct rda_findings *findings, const struct rda_finding *effect)
{
	int32_t rank = -1;

	for (int i = 0; effect->explained && i < RDA_SEVERITY_COUNT * RDA_PROOF_COUNT; i++) {
		enum rda_check check = (enum rda_check)effect->cause_check;
		enum rda_severity severity = (enum rda_severity)(i / RDA_PROOF_COUNT);
		enum rda_proof proof = (enum rda_proof)(i % RDA_PROOF_COUNT);
		const struct rda_finding *cause =
			effect->cause_overall
				? find_in(findings, check, severity, proof, effect->cause_subject,
					  effect->cause_overall)
				: rda_finding_find_as(findings, check, severity, proof,
						      effect->cause_subject);

		if (cause && cause->rank >= 0 && cause != effect &&
		    (rank < 0 || cause->rank < rank))
			rank = cause->rank;
	}
	return rank;
}

/* Puts a finding behind what explains it; `order` is as long as all that are told. */
static uint32_t place_behind_cause(struct rda_findings *findings, struct rda_finding *finding,
				   struct rda_finding **order, uint32_t count)
{
	if (finding->rank < 0) /* placed, or two explain each other */
		return count;
	finding->rank = -1;
	if (finding->explained_by >= 0)
		count = place_behind_cause(findings, findings->ranked[finding->explained_by], order,
					   count);
	order[count] = finding;
	return count + 1;
}

/* An effect never outranks its cause: a cause that weighs less than what it explains goes before
 * it. */
static void rank_causes_first(struct rda_findings *findings)
{
	uint32_t all = findings->ranked_count, count = 0;
	struct rda_finding **order = g_new(struct rda_finding *, all);

	for (uint32_t i = 0; i < all; i++)
		findings->ranked[i]->explained_by = cause_of(findings, findings->ranked[i]);
	for (uint32_t i = 0; i < all; i++)
		count = place_behind_cause(findings, findings->ranked[i], order, count);
	g_free(findings->ranked);
	findings->ranked = order;
	for (uint32_t i = 0; i < all; i++) {
		/* all have a place: NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
		order[i]->rank = (int32_t)i;
	}
	for (uint32_t i = 0; i < all; i++)
		order[i]->explained_by = cause_of(findings, order[i]);
}

/* The weightiest stay; of the others it is known how many cases they have. */
static void cut_ranked(struct rda_findings *findings)
{
	findings->not_told = findings->not_kept;
	for (uint32_t i = RDA_FINDINGS_MAX; i < findings->ranked_count; i++)
		findings->not_told += findings->ranked[i]->count;
	findings->ranked_count = MIN(findings->ranked_count, RDA_FINDINGS_MAX);
}

void rda_findings_rank(struct rda_findings *findings)
{
	g_free(findings->ranked);
	findings->ranked = g_new(struct rda_finding *, findings->table.count);
	findings->ranked_count = 0;
	for (uint32_t i = 0; i < findings->table.count; i++) {
		struct rda_finding *finding = findings->table.items[i];

		finding->rank = -1;
		if (!finding->withheld && finding->count)
			findings->ranked[findings->ranked_count++] = finding;
	}
	if (findings->ranked_count)
		qsort(findings->ranked, findings->ranked_count, sizeof(*findings->ranked), compare);
	cut_ranked(findings);
	for (uint32_t i = 0; i < findings->ranked_count; i++)
		findings->ranked[i]->rank = (int32_t)i;
	rank_causes_first(findings);
}
