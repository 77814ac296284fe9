/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PSNs, times, sides, lengths. What is told of several captures is in metamorphic_several.c.
 */
#include "tests/simulate/metamorphic.h"

#include "tests/simulate/differ.h"
#include "tests/simulate/rewrite.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>

static void begin(struct sim_world *world, struct sim_plan *plan,
		  const struct sim_property *property, uint64_t seed, uint64_t *packets)
{
	sim_draw(plan, property->faults, seed);
	sim_run(world, plan);
	*packets += world->capture.count;
}

static bool is_of(json_object *finding, const void *code)
{
	return strcmp(sim_words(finding, "code"), code) == 0;
}

/* The outcomes of both, and what differs; findings of the check `but` may. Ends `after`. */
static unsigned hold(const struct sim_capture *before, struct sim_capture *after,
		     const struct sim_rule *rule, const char *but, const char *title)
{
	struct sim_outcome a, b;
	unsigned wrong;

	sim_outcome_of(&a, before);
	sim_outcome_of(&b, after);
	sim_drop(json_object_object_get(a.report, "findings"), is_of, but);
	sim_drop(json_object_object_get(b.report, "findings"), is_of, but);
	wrong = sim_differ(title, a.report, b.report, rule);
	wrong += sim_differ_frames(title, &a, &b);
	sim_outcome_cleanup(&a);
	sim_outcome_cleanup(&b);
	sim_capture_cleanup(after);
	return wrong;
}

/* S20 says where PSNs wrap. */
bool sim_holds_psns(const struct sim_property *property, uint64_t seed, uint64_t *packets)
{
	struct sim_random random = {seed};
	struct sim_rule rule = {.psn_add = (uint32_t)sim_between(&random, 1, 0xffffff)};
	struct sim_plan plan;
	struct sim_world world;
	struct sim_capture shifted;
	unsigned wrong;

	begin(&world, &plan, property, seed, packets);
	sim_copy(&shifted, &world.capture);
	sim_shift_psns(&shifted, rule.psn_add);
	wrong = hold(&world.capture, &shifted, &rule, "S20", "PSNs");
	sim_world_cleanup(&world);
	return wrong == 0;
}

bool sim_holds_times(const struct sim_property *property, uint64_t seed, uint64_t *packets)
{
	struct sim_random random = {seed};
	struct sim_rule rule = {0};
	struct sim_plan plan;
	struct sim_world world;
	struct sim_capture shifted;
	unsigned wrong;

	begin(&world, &plan, property, seed, packets);
	sim_copy(&shifted, &world.capture);
	/* anywhere; some frame at 0 */
	rule.time_add = sim_below(&random, 2)
				? sim_between(&random, -2 * SIM_EPOCH_NS, SIM_EPOCH_NS)
				: -shifted.frames[sim_below(&random, shifted.count)].time_ns;
	sim_shift_times(&shifted, rule.time_add);
	wrong = hold(&world.capture, &shifted, &rule, "", "times");
	sim_world_cleanup(&world);
	return wrong == 0;
}

/* ---- sides ----------------------------------------------------------------------------------- */

static json_object *exchanged(json_object *value, const uint32_t qpn[2]);

/* Addresses and QPNs in words: each is taken for the other. */
static json_object *exchanged_words(const char *words, const uint32_t qpn[2])
{
	char names[2][2][16] = {{"10.0.0.1", "10.0.0.2"}};
	GString *text = g_string_new(NULL);
	json_object *result;

	for (unsigned i = 0; i < 2; i++)
		g_snprintf(names[1][i], sizeof(names[1][i]), "0x%06x", qpn[i]);
	while (*words) {
		const char *found = NULL;

		for (unsigned i = 0; i < 4 && !found; i++)
			if (g_str_has_prefix(words, names[i / 2][i % 2])) {
				g_string_append(text, names[i / 2][i % 2 == 0]);
				found = names[i / 2][i % 2];
			}
		if (found)
			words += strlen(found);
		else
			g_string_append_c(text, *words++);
	}
	result = json_object_new_string(text->str);
	g_string_free(text, TRUE);
	return result;
}

static json_object *exchanged_object(json_object *value, const uint32_t qpn[2])
{
	json_object *result = json_object_new_object();

	json_object_object_foreach(value, name, member)
	{
		uint32_t number = (uint32_t)json_object_get_int64(member);
		bool known = json_object_is_type(member, json_type_int);

		if (strcmp(name, "qpn") == 0 && known && number == qpn[0])
			member = json_object_new_int64(qpn[1]);
		else if (strcmp(name, "qpn") == 0 && known && number == qpn[1])
			member = json_object_new_int64(qpn[0]);
		else
			member = exchanged(member, qpn);
		json_object_object_add(result, name, member);
	}
	return result;
}

static json_object *exchanged(json_object *value, const uint32_t qpn[2])
{
	json_object *result;

	switch (json_object_get_type(value)) {
	case json_type_string: return exchanged_words(json_object_get_string(value), qpn);
	case json_type_object: return exchanged_object(value, qpn);
	case json_type_array:
		result = json_object_new_array();
		for (size_t i = 0; i < json_object_array_length(value); i++)
			json_object_array_add(result,
					      exchanged(json_object_array_get_idx(value, i), qpn));
		return result;
	default: return json_object_get(value);
	}
}

static int compare_hosts(const void *a, const void *b)
{
	return strcmp(sim_words(*(json_object *const *)a, "address"),
		      sim_words(*(json_object *const *)b, "address"));
}

bool sim_holds_sides(const struct sim_property *property, uint64_t seed, uint64_t *packets)
{
	static const struct sim_rule rule;
	struct sim_outcome before, after;
	struct sim_plan plan;
	struct sim_world world;
	struct sim_capture swapped;
	json_object *renamed;
	unsigned wrong;

	begin(&world, &plan, property, seed, packets);
	sim_copy(&swapped, &world.capture);
	sim_swap_sides(&swapped, plan.qpn);
	sim_outcome_of(&before, &world.capture);
	sim_outcome_of(&after, &swapped);
	renamed = exchanged(before.report, plan.qpn);
	json_object_array_sort(json_object_object_get(renamed, "hosts"), compare_hosts);
	wrong = sim_differ("sides", renamed, after.report, &rule);
	wrong += sim_differ_frames("sides", &before, &after);
	json_object_put(renamed);
	sim_outcome_cleanup(&before);
	sim_outcome_cleanup(&after);
	sim_capture_cleanup(&swapped);
	sim_world_cleanup(&world);
	return wrong == 0;
}

/* ---- lengths --------------------------------------------------------------------------------- */

/* Of a check that asks for whole packets, or tells that they are not. */
static bool needs_whole(json_object *finding, const void *context)
{
	const char *code = sim_words(finding, "code");

	(void)context;
	for (unsigned i = 0; i < RDA_CHECK_COUNT; i++) {
		const struct rda_check_row *row = rda_check_row(i);

		if (strcmp(row->code, code) == 0)
			return (row->needs | row->required) & RDA_SEEN_WHOLE || i == RDA_CHECK_Q04;
	}
	return false;
}

static void forget_lengths(struct sim_outcome *outcome)
{
	sim_drop(json_object_object_get(outcome->report, "findings"), needs_whole, NULL);
	for (uint32_t i = 0; i < outcome->count; i++)
		outcome->frames[i].icrc = 0;
}

bool sim_holds_cut(const struct sim_property *property, uint64_t seed, uint64_t *packets)
{
	static const char *const beside[] = {"whole_packets", "withheld", NULL};
	static const struct sim_rule rule = {.beside = beside};
	struct sim_outcome before, after;
	struct sim_plan plan;
	struct sim_world world;
	struct sim_capture cut;
	unsigned wrong;

	sim_draw(&plan, property->faults, seed);
	plan.tap.snaplen = 0;
	sim_run(&world, &plan);
	*packets += world.capture.count;
	sim_copy(&cut, &world.capture);
	sim_cut(&cut, 128, false);
	sim_outcome_of(&before, &world.capture);
	sim_outcome_of(&after, &cut);
	forget_lengths(&before);
	forget_lengths(&after);
	wrong = sim_differ("cut", before.report, after.report, &rule);
	wrong += sim_differ_frames("cut", &before, &after);
	sim_outcome_cleanup(&before);
	sim_outcome_cleanup(&after);
	sim_capture_cleanup(&cut);
	sim_world_cleanup(&world);
	return wrong == 0;
}
