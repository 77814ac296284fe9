/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Findings of two documents, held against each other. See baseline.h. Nothing of a document is
 * believed: it may be one that somebody wrote.
 */
#include "analyzer/report/baseline.h"

#include "analyzer/rda.h"

#include <json-c/json.h>
#include <string.h>

static void free_group(void *data)
{
	struct rda_baseline_group *group = data;

	g_free(group->text);
	g_free(group);
}

void rda_baseline_init(struct rda_baseline *baseline)
{
	*baseline = (struct rda_baseline){
		.pairs = g_ptr_array_new_with_free_func(g_free),
		.keys = g_ptr_array_new_with_free_func(g_free),
		.order = g_ptr_array_new(),
		.groups = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_group),
	};
}

void rda_baseline_cleanup(struct rda_baseline *baseline)
{
	if (!baseline->keys)
		return;
	g_ptr_array_unref(baseline->pairs);
	g_ptr_array_unref(baseline->keys);
	g_ptr_array_unref(baseline->order);
	g_hash_table_unref(baseline->groups);
}

static const char *text_of(json_object *record, const char *name)
{
	json_object *value = NULL;

	json_object_object_get_ex(record, name, &value);
	return json_object_is_type(value, json_type_string) ? json_object_get_string(value) : "";
}

static int64_t number_of(json_object *record, const char *name)
{
	json_object *value = NULL;

	json_object_object_get_ex(record, name, &value);
	return json_object_is_type(value, json_type_int) ? json_object_get_int64(value) : -1;
}

static const char *address_of(json_object *connection, size_t side)
{
	json_object *endpoints = NULL;

	json_object_object_get_ex(connection, "endpoints", &endpoints);
	if (!json_object_is_type(endpoints, json_type_array))
		return "";
	return text_of(json_object_array_get_idx(endpoints, side), "address");
}

/* Of what flow 1 did it is turned round; of both together the addresses are in their order. */
static char *key_of(const struct rda_baseline *baseline, json_object *finding)
{
	int64_t connection = number_of(finding, "connection"), flow = number_of(finding, "flow");
	const char *code = text_of(finding, "code"), *pair;
	char **sides, *key;
	bool turned;

	if (connection < 0 || connection >= (int64_t)baseline->pairs->len)
		return g_strdup(code);
	pair = g_ptr_array_index(baseline->pairs, (unsigned)connection);
	sides = g_strsplit(pair, " > ", 2);
	turned = flow < 0 ? strcmp(sides[0], sides[1]) > 0 : flow == 1;
	key = g_strdup_printf("%s %s %s %s", code, sides[turned], flow < 0 ? "and" : ">",
			      sides[!turned]);
	g_strfreev(sides);
	return key;
}

static int severity_of(json_object *finding)
{
	const char *name = text_of(finding, "severity");
	int severity = RDA_SEVERITY_COUNT - 1; /* one that is not known counts as the mildest */

	while (severity > 0 && strcmp(name, rda_severity_name((enum rda_severity)severity)) != 0)
		severity--;
	return severity;
}

void rda_baseline_take(struct rda_baseline *baseline, const char *list, unsigned index,
		       json_object *record)
{
	struct rda_baseline_group *group;
	char *key, *kept;

	(void)index;
	if (strcmp(list, "connections") == 0)
		g_ptr_array_add(baseline->pairs, g_strdup_printf("%s > %s", address_of(record, 0),
								 address_of(record, 1)));
	if (strcmp(list, "findings") != 0)
		return;
	key = key_of(baseline, record);
	g_ptr_array_add(baseline->keys, key);
	group = g_hash_table_lookup(baseline->groups, key);
	if (!group) {
		group = g_new0(struct rda_baseline_group, 1);
		group->text = g_strdup(text_of(record, "text"));
		kept = g_strdup(key);
		g_ptr_array_add(baseline->order, kept);
		g_hash_table_insert(baseline->groups, kept, group);
	}
	group->severity = MAX(group->severity, severity_of(record));
	group->cases += (uint64_t)MAX(number_of(record, "count"), 0);
}

const char *rda_baseline_key(const struct rda_baseline *baseline, unsigned finding)
{
	return g_ptr_array_index(baseline->keys, finding);
}

enum rda_baseline_state rda_baseline_state(const struct rda_baseline *now,
					   const struct rda_baseline *old, unsigned finding)
{
	const char *key = rda_baseline_key(now, finding);
	const struct rda_baseline_group *here = g_hash_table_lookup(now->groups, key),
					*there = g_hash_table_lookup(old->groups, key);

	if (!there)
		return RDA_BASELINE_NEW;
	return here->cases > there->cases || here->severity > there->severity ? RDA_BASELINE_WORSE
									      : RDA_BASELINE_SAME;
}
