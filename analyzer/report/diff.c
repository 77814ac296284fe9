/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers and findings of two documents, one beside the other. See diff.h.
 */
#include "analyzer/report/diff.h"

#include "analyzer/base/words.h"
#include "analyzer/rda.h"
#include "analyzer/report/columns.h"
#include "analyzer/report/expect_path.h"

#include <inttypes.h>
#include <string.h>

/* Deeper than any document of the program: another one is not followed. */
#define DEEPEST 16

/* How the numbers of one path become one. */
enum fold { FOLD_SUM, FOLD_LEAST, FOLD_MOST };

struct number {
	enum fold fold;
	uint64_t known, unknown; /* values */
	long double value;
};

void rda_diff_init(struct rda_diff *diff)
{
	rda_baseline_init(&diff->findings);
	diff->paths = g_ptr_array_new();
	diff->numbers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
}

void rda_diff_cleanup(struct rda_diff *diff)
{
	rda_baseline_cleanup(&diff->findings);
	g_ptr_array_unref(diff->paths);
	g_hash_table_unref(diff->numbers);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* What names something, or says when, is no measure: it differs in any case, and means nothing. */
static bool is_measure(const char *name)
{
	static const char *const names[] = {"id",	 "connection", "flow",	    "file",
					    "frame",	 "queue",      "reason",    "by",
					    "done_file", "done_frame", "damaged_at"};
	static const char *const endings[] = {"psn",	 "psn_seen", "qpn",  "port",
					      "time_ns", "_frame",   "_file"};

	for (unsigned i = 0; i < G_N_ELEMENTS(names); i++)
		if (strcmp(name, names[i]) == 0)
			return false;
	for (unsigned i = 0; i < G_N_ELEMENTS(endings); i++)
		if (g_str_has_suffix(name, endings[i]))
			return false;
	return true;
}

/* Percentiles do not add up: the worst of them is told. */
static enum fold fold_of(const char *name)
{
	if (strcmp(name, "min") == 0)
		return FOLD_LEAST;
	return strcmp(name, "max") == 0 || (name[0] == 'p' && g_ascii_isdigit(name[1])) ? FOLD_MOST
											: FOLD_SUM;
}

static void add_number(struct rda_diff *diff, const char *path, const char *name,
		       json_object *value)
{
	struct number *number = g_hash_table_lookup(diff->numbers, path);
	long double here;

	if (!number) {
		char *key = g_strdup(path);

		number = g_new0(struct number, 1);
		number->fold = fold_of(name);
		g_hash_table_insert(diff->numbers, key, number);
		g_ptr_array_add(diff->paths, key);
	}
	if (!rda_compare_number_of(value, &here)) {
		number->unknown++;
		return;
	}
	if (number->fold == FOLD_SUM)
		number->value += here;
	else if (!number->known ||
		 (number->fold == FOLD_LEAST ? here < number->value : here > number->value))
		number->value = here;
	number->known++;
}

static void take_value(struct rda_diff *diff, GString *path, const char *name, json_object *value,
		       unsigned depth)
{
	gsize length = path->len;

	if (depth == DEEPEST)
		return;
	if (json_object_is_type(value, json_type_object)) {
		json_object_object_foreach(value, member, inner)
		{
			g_string_append_printf(path, ".%s", member);
			take_value(diff, path, member, inner, depth + 1);
			g_string_truncate(path, length);
		}
	} else if (json_object_is_type(value, json_type_array)) {
		g_string_append(path, "[*]");
		for (size_t i = 0; i < json_object_array_length(value); i++)
			take_value(diff, path, name, json_object_array_get_idx(value, i),
				   depth + 1);
		g_string_truncate(path, length);
	} else if ((!value || json_object_is_type(value, json_type_int) ||
		    json_object_is_type(value, json_type_double)) &&
		   is_measure(name)) {
		add_number(diff, path->str, name, value);
	}
}

void rda_diff_take(struct rda_diff *diff, const char *list, unsigned index, json_object *record)
{
	static const char *const lists[] = {"captures", "hosts", "connections", "upper_layers",
					    "memory_keys"};
	GString *path;

	rda_baseline_take(&diff->findings, list, index, record);
	for (unsigned i = 0; i < G_N_ELEMENTS(lists); i++) {
		if (strcmp(list, lists[i]) != 0)
			continue;
		path = g_string_new(NULL);
		g_string_printf(path, "%s[*]", list);
		take_value(diff, path, list, record, 0);
		g_string_free(path, TRUE);
	}
}

/* ---- telling --------------------------------------------------------------------------------- */

static char *words_of(const struct number *number)
{
	if (!number)
		return g_strdup("-");
	if (!number->known)
		return g_strdup("not known");
	return g_strdup_printf(number->value == (long double)(int64_t)number->value ? "%.0Lf"
										    : "%.6Lg",
			       number->value);
}

static void put_number(struct rda_columns *columns, struct rda_output *out, const char *path,
		       const struct rda_diff *old, const struct rda_diff *now)
{
	const struct number *there = g_hash_table_lookup(old->numbers, path),
			    *here = g_hash_table_lookup(now->numbers, path);
	char *before = words_of(there), *after = words_of(here);
	char *harmless = rda_output_harmless(path);

	if (strcmp(before, after) != 0 && ((there && there->known) || (here && here->known)))
		rda_columns_row(columns, out, (const char *[]){harmless, before, after});
	g_free(harmless);
	g_free(before);
	g_free(after);
}

static void put_numbers(struct rda_columns *columns, struct rda_output *out,
			const struct rda_diff *old, const struct rda_diff *now)
{
	for (unsigned i = 0; i < now->paths->len; i++)
		put_number(columns, out, g_ptr_array_index(now->paths, i), old, now);
	for (unsigned i = 0; i < old->paths->len; i++)
		if (!g_hash_table_contains(now->numbers, g_ptr_array_index(old->paths, i)))
			put_number(columns, out, g_ptr_array_index(old->paths, i), old, now);
}

static void print_numbers(struct rda_output *out, const struct rda_diff *old,
			  const struct rda_diff *now)
{
	struct rda_columns columns = {
		.column = {{"Number", false, 0, 0}, {"Before", true, 0, 0}, {"Now", false, 0, 0}},
		.count = 3,
		.width = out->width,
	};

	put_numbers(&columns, NULL, old, now);
	if (!columns.column[0].width) {
		rda_print(out, "All numbers are as before.\n");
		return;
	}
	rda_columns_titles(&columns, out);
	put_numbers(&columns, out, old, now);
}

/* How the findings of a key stand to those of the other document; NULL: as before. */
static const char *word_of(const struct rda_baseline_group *before,
			   const struct rda_baseline_group *after)
{
	if (!before)
		return "New";
	if (!after)
		return "Gone";
	if (before->severity != after->severity)
		return after->severity > before->severity ? "Worse" : "Better";
	if (before->cases != after->cases)
		return after->cases > before->cases ? "Worse" : "Better";
	return NULL;
}

/* Where it weighs more or less, that is what is worse or better. */
static void put_cases(GString *text, const struct rda_baseline_group *before,
		      const struct rda_baseline_group *after)
{
	g_string_append_printf(text, "%" PRIu64 " case%s, before %" PRIu64, after->cases,
			       rda_words_plural(after->cases), before->cases);
	if (before->severity != after->severity)
		g_string_append_printf(text, " (%s)",
				       rda_severity_name((enum rda_severity)before->severity));
	g_string_append(text, ". ");
}

static void print_finding(struct rda_output *out, const char *key, const struct rda_diff *old,
			  const struct rda_diff *now)
{
	const struct rda_baseline_group *before = g_hash_table_lookup(old->findings.groups, key);
	const struct rda_baseline_group *after = g_hash_table_lookup(now->findings.groups, key);
	const struct rda_baseline_group *told = after ? after : before;
	const char *word = word_of(before, after);
	char *harmless;
	GString *text;

	if (!word)
		return;
	text = g_string_new(NULL);
	g_string_append_printf(text, "%s: %s %s: ", word,
			       rda_severity_name((enum rda_severity)told->severity), key);
	if (before && after)
		put_cases(text, before, after);
	g_string_append(text, told->text);
	harmless = rda_output_harmless(text->str); /* the older document may say anything */
	rda_output_wrap(out, harmless, 0, 4);
	g_free(harmless);
	g_string_free(text, TRUE);
}

/* Those of now in their order, then those that are gone. */
static void print_findings(struct rda_output *out, const struct rda_diff *old,
			   const struct rda_diff *now)
{
	gsize length = out->text->len;

	for (unsigned i = 0; i < now->findings.order->len; i++)
		print_finding(out, g_ptr_array_index(now->findings.order, i), old, now);
	for (unsigned i = 0; i < old->findings.order->len; i++) {
		const char *key = g_ptr_array_index(old->findings.order, i);

		if (!g_hash_table_contains(now->findings.groups, key))
			print_finding(out, key, old, now);
	}
	if (out->text->len == length)
		rda_print(out, "All findings are as before.\n");
}

void rda_diff_print(struct rda_output *out, const struct rda_diff *old, const struct rda_diff *now)
{
	print_findings(out, old, now);
	rda_print(out, "\n");
	print_numbers(out, old, now);
}
