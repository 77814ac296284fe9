/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How captures are related: first those that share packets, then those that go on where another
 * ends, surest first. See relation.h.
 */
#include "analyzer/taps/relation.h"

#include "analyzer/base/sets.h"
#include "analyzer/taps/in_common.h"
#include "analyzer/taps/series.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

/* As many packets in common are no accident, or all that the smaller one has. */
enum { COMMON_ENOUGH = 3 };

/* Captures behind one among which its continuation is looked for. */
enum { NEXT = 8 };

/* Two captures that have nothing to do with each other do not follow so closely. */
#define CLOSE_NS INT64_C(1000000)

/* A numbered series may have pauses like this between its files, whatever is in them. */
#define SERIES_NS INT64_C(1000000000)

const char *rda_relation_name(uint8_t kind)
{
	static const char *const names[] = {
#define RDA_R(ID, name) [RDA_RELATION_##ID] = name,
		RDA_RELATIONS(RDA_R)
#undef RDA_R
	};

	return names[kind];
}

/* ---- sets ------------------------------------------------------------------------------------ */

struct finder {
	const struct rda_relation_input *inputs;
	uint32_t count;
	uint32_t *tap;	 /* sets.h: inputs of one tap */
	uint32_t *group; /* the same, of one group */
	uint32_t *next;	 /* of each input the next one of its tap, round a ring */
	bool *shares;	 /* count x count: they have packets in common */
};

static const struct rda_sketch *sketch_of(const struct finder *f, uint32_t i)
{
	const struct rda_sketch *sketch = f->inputs[i].sketch;

	return sketch && sketch->frames ? sketch : NULL;
}

static bool shares(const struct finder *f, uint32_t i, uint32_t j)
{
	return f->shares[(size_t)i * f->count + j];
}

/* ---- the same packets ------------------------------------------------------------------------ */

/* One packet of a sample, and whose. */
struct sampled {
	uint64_t hash;
	uint32_t input;
};

static int compare_sampled(const void *one, const void *two)
{
	const struct sampled *a = one, *b = two;

	if (a->hash != b->hash)
		return a->hash < b->hash ? -1 : 1;
	return (a->input > b->input) - (a->input < b->input);
}

static GArray *all_samples(const struct finder *f)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct sampled));

	for (uint32_t i = 0; i < f->count; i++)
		for (uint32_t k = 0; sketch_of(f, i) && k < sketch_of(f, i)->sample_count; k++) {
			struct sampled one = {sketch_of(f, i)->sample[k].hash, i};

			g_array_append_val(all, one);
		}
	g_array_sort(all, compare_sampled);
	return all;
}

/* All samples in order of their hashes, and of equal ones in order of the inputs. */
static void count_common(const struct finder *f, struct rda_in_common *common)
{
	GArray *all = all_samples(f);

	for (guint i = 0; i < all->len; i++) {
		const struct sampled *one = &g_array_index(all, struct sampled, i);

		if (i && g_array_index(all, struct sampled, i - 1).hash != one->hash)
			rda_in_common_next(common);
		rda_in_common_add(common, one->input);
	}
	g_array_free(all, TRUE);
}

/* Packets of a tap are not always in order of time: those at a seam of two files overlap a little.
 */
static bool is_before(const struct finder *f, uint32_t i, uint32_t j)
{
	const struct rda_sketch *a = sketch_of(f, i), *b = sketch_of(f, j);

	return a->last_ns <= b->first_ns || (a->last_ns - b->first_ns <= CLOSE_NS &&
					     a->first_ns < b->first_ns && a->last_ns < b->last_ns);
}

/* Files of one ring, one behind the other: what is in both was sent again. */
static bool are_of_one_ring(const struct finder *f, uint32_t i, uint32_t j)
{
	return rda_series_same(f->inputs[i].file, f->inputs[j].file) &&
	       (is_before(f, i, j) || is_before(f, j, i));
}

static void find_common(struct finder *f)
{
	struct rda_in_common all;

	rda_in_common_init(&all, f->count, COMMON_ENOUGH);
	count_common(f, &all);
	for (uint32_t i = 0; i < f->count; i++)
		for (uint32_t j = i + 1; j < f->count; j++) {
			const struct rda_sketch *a = sketch_of(f, i), *b = sketch_of(f, j);
			uint32_t common = rda_in_common_of(&all, i, j);
			bool same = common >= COMMON_ENOUGH ||
				    (common && common == MIN(a->sample_count, b->sample_count));

			same = same && !rda_sketch_is_another_run(a, b) &&
			       !are_of_one_ring(f, i, j);
			f->shares[(size_t)i * f->count + j] = same;
			f->shares[(size_t)j * f->count + i] = same;
			if (same)
				rda_sets_join(f->group, i, j);
		}
	rda_in_common_cleanup(&all);
}

static bool is_seen_elsewhere(const struct rda_sketch *sketches, uint32_t count, uint32_t i)
{
	for (uint32_t j = 0; j < count; j++) {
		uint32_t common = i == j ? 0 : rda_sketch_common(&sketches[i], &sketches[j]);

		if (common >= COMMON_ENOUGH &&
		    2 * common >= MIN(sketches[i].sample_count, sketches[j].sample_count))
			return true;
	}
	return false;
}

bool rda_relation_of_interfaces(const struct rda_sketch *sketches, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (!is_seen_elsewhere(sketches, count, i))
			return false;
	return count > 1;
}

/* ---- continuations --------------------------------------------------------------------------- */

/* In how many places their names have other digits; 0 and below: they are no numbered series. */
static int places_of(const struct finder *f, uint32_t i, uint32_t j, bool *next)
{
	return rda_series_differ(f->inputs[i].file, f->inputs[j].file, next);
}

/* What a link between two captures rests on, surest first. */
enum evidence { SERIES, CARRIED, NUMBERED, CLOSE, NO_EVIDENCE };

struct link {
	uint32_t from, to;
	enum evidence evidence;
	int64_t gap_ns;
	int places; /* NUMBERED: in which the names have other digits */
	bool next;  /* the number goes up by one */
};

static bool may_be_one_tap(const struct finder *f, uint32_t i, uint32_t j)
{
	return sketch_of(f, i) && sketch_of(f, j) && !f->inputs[i].tap && !f->inputs[j].tap &&
	       rda_sketch_same_links(sketch_of(f, i), sketch_of(f, j)) && !shares(f, i, j) &&
	       (is_before(f, i, j) || is_before(f, j, i));
}

/* That j goes on from i, or another tap of the traffic of either in its place: that k does. */
static bool is_rival(const struct finder *f, uint32_t i, uint32_t j, uint32_t k)
{
	return k != i && k != j &&
	       ((shares(f, k, j) && may_be_one_tap(f, i, k)) ||
		(shares(f, k, i) && may_be_one_tap(f, k, j)));
}

/* Two taps of one traffic both go on from here, or both lead here. */
static bool is_ambiguous(const struct finder *f, uint32_t i, uint32_t j)
{
	for (uint32_t k = 0; k < f->count; k++)
		if (is_rival(f, i, j, k))
			return true;
	return false;
}

/* Whether the names of two captures tell that they are of one series, and of no other: of two taps
 * in several files each those are of one tap whose names differ in fewer places. */
static bool is_numbered(const struct finder *f, struct link *link)
{
	uint32_t i = link->from, j = link->to;

	link->places = places_of(f, i, j, &link->next);
	for (uint32_t k = 0; link->places > 0 && k < f->count; k++) {
		bool next;
		int places = is_rival(f, i, j, k) ? places_of(f, shares(f, k, j) ? i : k,
							      shares(f, k, j) ? k : j, &next)
						  : -1;

		if (places > 0 && places <= link->places)
			return false;
	}
	return link->places > 0;
}

static enum evidence evidence_of(const struct finder *f, struct link *link)
{
	uint32_t i = link->from, j = link->to;
	const struct rda_sketch *a = sketch_of(f, i), *b = sketch_of(f, j);
	bool ambiguous = is_ambiguous(f, i, j);

	if (rda_series_follows(f->inputs[i].file, f->inputs[j].file))
		return SERIES;
	if (rda_sketch_opposite(a, b))
		return NO_EVIDENCE;
	if (!ambiguous && rda_sketch_carried(a, b))
		return CARRIED;
	if (is_numbered(f, link) &&
	    link->gap_ns <= MAX(SERIES_NS, MAX(a->longest_gap_ns, b->longest_gap_ns)))
		return NUMBERED;
	return !ambiguous && link->gap_ns <= CLOSE_NS ? CLOSE : NO_EVIDENCE;
}

static int compare_links(const void *one, const void *two)
{
	const struct link *a = one, *b = two;

	if (a->evidence != b->evidence)
		return a->evidence < b->evidence ? -1 : 1;
	if (a->evidence == NUMBERED && a->places != b->places)
		return a->places < b->places ? -1 : 1;
	if (a->evidence == NUMBERED && a->next != b->next)
		return a->next ? -1 : 1;
	if (a->gap_ns != b->gap_ns)
		return a->gap_ns < b->gap_ns ? -1 : 1;
	return (a->from > b->from) - (a->from < b->from);
}

static gint compare_begins(gconstpointer one, gconstpointer two, gpointer finder)
{
	uint32_t i = *(const uint32_t *)one, j = *(const uint32_t *)two;
	int64_t a = sketch_of(finder, i)->first_ns, b = sketch_of(finder, j)->first_ns;

	if (a != b)
		return a < b ? -1 : 1;
	return (i > j) - (i < j);
}

/* Those that have frames, in order of time. */
static uint32_t *order_of_time(struct finder *f, uint32_t *count)
{
	uint32_t *order = g_new(uint32_t, f->count);

	*count = 0;
	for (uint32_t i = 0; i < f->count; i++)
		if (sketch_of(f, i))
			order[(*count)++] = i;
	g_qsort_with_data(order, (gint)*count, sizeof(*order), compare_begins, f);
	return order;
}

static void add_link(const struct finder *f, GArray *links, uint32_t i, uint32_t j)
{
	struct link link = {
		.from = i, .to = j, .gap_ns = sketch_of(f, j)->first_ns - sketch_of(f, i)->last_ns};

	link.evidence = evidence_of(f, &link);
	if (link.evidence != NO_EVIDENCE)
		g_array_append_val(links, link);
}

/* Of each to the next few behind it: there may be other taps' between them. */
static GArray *find_links(struct finder *f)
{
	GArray *links = g_array_new(FALSE, FALSE, sizeof(struct link));
	uint32_t count, *order = order_of_time(f, &count);

	for (uint32_t a = 0; a < count; a++)
		for (uint32_t b = a + 1, tried = 0; b < count && tried < NEXT; b++) {
			uint32_t i = order[a], j = order[b];

			if (!is_before(f, i, j) || !may_be_one_tap(f, i, j))
				continue;
			add_link(f, links, i, j);
			tried++;
		}
	g_free(order);
	g_array_sort(links, compare_links);
	return links;
}

/* Whether all of one tap may be of the other's. */
static bool taps_fit(const struct finder *f, uint32_t i, uint32_t j)
{
	uint32_t a = i, b;

	do {
		b = j;
		do
			if (!may_be_one_tap(f, a, b))
				return false;
		while ((b = f->next[b]) != j);
	} while ((a = f->next[a]) != i);
	return true;
}

static void join_taps(struct finder *f, uint32_t i, uint32_t j)
{
	uint32_t next = f->next[i];

	if (rda_sets_of(f->tap, i) == rda_sets_of(f->tap, j))
		return;
	f->next[i] = f->next[j]; /* two rings become one */
	f->next[j] = next;
	rda_sets_join(f->tap, i, j);
	rda_sets_join(f->group, i, j);
}

static void find_continuations(struct finder *f)
{
	GArray *links = find_links(f);

	for (guint k = 0; k < links->len; k++) {
		const struct link *link = &g_array_index(links, struct link, k);

		if (rda_sets_of(f->tap, link->from) != rda_sets_of(f->tap, link->to) &&
		    taps_fit(f, link->from, link->to))
			join_taps(f, link->from, link->to);
	}
	g_array_free(links, TRUE);
}

/* Captures of one name are one tap; those with a name are of one traffic. */
static void take_word(struct finder *f)
{
	for (uint32_t i = 0; i < f->count; i++)
		for (uint32_t j = 0; j < i && f->inputs[i].tap; j++) {
			if (!f->inputs[j].tap)
				continue;
			rda_sets_join(f->group, i, j);
			if (strcmp(f->inputs[i].tap, f->inputs[j].tap) == 0)
				join_taps(f, i, j);
		}
}

/* ---- seats ----------------------------------------------------------------------------------- */

/* Groups and taps in the order in which they were given, their captures by time; last those that
 * have no time, having no frames. */
static gint compare_seats(gconstpointer one, gconstpointer two, gpointer finder)
{
	const struct rda_relation_seat *a = one, *b = two;
	struct finder *f = finder;
	const struct rda_sketch *x = sketch_of(f, a->input), *y = sketch_of(f, b->input);

	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	if (a->tap != b->tap)
		return a->tap < b->tap ? -1 : 1;
	if (!x != !y)
		return x ? -1 : 1;
	if (x && y && x->first_ns != y->first_ns)
		return x->first_ns < y->first_ns ? -1 : 1;
	return (a->input > b->input) - (a->input < b->input);
}

static struct rda_relation *seat(struct finder *f)
{
	struct rda_relation *relation = g_new0(struct rda_relation, 1);
	uint32_t tap = 0, group = 0;

	relation->count = f->count;
	relation->seats = g_new(struct rda_relation_seat, f->count);
	for (uint32_t i = 0; i < f->count; i++)
		relation->seats[i] = (struct rda_relation_seat){i, rda_sets_of(f->tap, i),
								rda_sets_of(f->group, i)};
	g_qsort_with_data(relation->seats, (gint)f->count, sizeof(*relation->seats), compare_seats,
			  f);
	for (uint32_t i = 0; i < f->count; i++) {
		struct rda_relation_seat *at = &relation->seats[i];
		bool new_tap = i == 0 || at->tap != tap, new_group = i == 0 || at->group != group;

		tap = at->tap;
		group = at->group;
		relation->tap_count += new_tap;
		relation->group_count += new_group;
		at->tap = relation->tap_count - 1;
		at->group = relation->group_count - 1;
	}
	return relation;
}

struct rda_relation *rda_relation_find(const struct rda_relation_input *inputs, uint32_t count)
{
	struct finder finder = {
		.inputs = inputs,
		.count = count,
		.tap = g_new(uint32_t, count),
		.group = g_new(uint32_t, count),
		.next = g_new(uint32_t, count),
		.shares = g_new0(bool, (size_t)count *count),
	};
	struct rda_relation *relation;

	rda_sets_init(finder.tap, count);
	rda_sets_init(finder.group, count);
	rda_sets_init(finder.next, count); /* each a ring of its own */
	find_common(&finder);
	take_word(&finder);
	find_continuations(&finder);
	relation = seat(&finder);
	g_free(finder.tap);
	g_free(finder.group);
	g_free(finder.next);
	g_free(finder.shares);
	return relation;
}

void rda_relation_free(struct rda_relation *relation)
{
	if (!relation)
		return;
	g_free(relation->seats);
	g_free(relation);
}

enum rda_relation_kind rda_relation_of(const struct rda_relation *relation, uint32_t seat)
{
	enum rda_relation_kind kind = RDA_RELATION_ALONE;

	for (uint32_t i = 0; i < relation->count; i++) {
		if (i == seat || relation->seats[i].group != relation->seats[seat].group)
			continue;
		if (relation->seats[i].tap != relation->seats[seat].tap)
			return RDA_RELATION_SAME;
		kind = RDA_RELATION_CONTINUED;
	}
	return kind;
}
