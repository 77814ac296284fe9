/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Following paths, and comparing. See expect_path.h; expect_parse.c makes them of text.
 */
#include "analyzer/report/expect_path.h"

#include <string.h>

/* ---- as data --------------------------------------------------------------------------------- */

static const struct rda_path_step *step_of(const struct rda_path *path, unsigned index)
{
	return &g_array_index(path->steps, struct rda_path_step, index);
}

void rda_path_cleanup(struct rda_path *path)
{
	if (!path->steps)
		return;
	for (unsigned i = 0; i < path->steps->len; i++) {
		struct rda_path_step *step = &g_array_index(path->steps, struct rda_path_step, i);

		g_free(step->name);
		if (step->where)
			g_ptr_array_unref(step->where);
	}
	g_array_unref(path->steps);
	path->steps = NULL;
}

void rda_comparison_cleanup(struct rda_comparison *comparison)
{
	rda_path_cleanup(&comparison->path);
	rda_path_cleanup(&comparison->operand.path);
	g_free(comparison->operand.text);
}

const char *rda_compare_sign(enum rda_compare compare)
{
	static const char *const signs[] = {
#define RDA_C(ID, sign, holds) sign,
		RDA_COMPARES(RDA_C)
#undef RDA_C
	};

	return signs[compare];
}

const char *rda_fold_name(enum rda_fold fold)
{
	static const char *const names[] = {"",
#define RDA_F(ID, name) name,
					    RDA_FOLDS(RDA_F)
#undef RDA_F
	};

	return names[fold];
}

/* ---- comparing ------------------------------------------------------------------------------- */

static bool holds(enum rda_compare compare, int order)
{
	switch (compare) {
#define RDA_C(ID, sign, holds)                                                                     \
	case RDA_COMPARE_##ID: return holds;
		RDA_COMPARES(RDA_C)
#undef RDA_C
	case RDA_COMPARE_KINDS: break;
	}
	return false;
}

bool rda_compare_numbers(enum rda_compare compare, long double a, long double b)
{
	return holds(compare, a < b ? -1 : a > b);
}

bool rda_compare_number_of(json_object *value, long double *number)
{
	switch (json_object_get_type(value)) {
	case json_type_int: /* json-c has no type for those above 2^63, only for reading them */
		*number = json_object_get_int64(value);
		if (*number == INT64_MAX)
			*number = json_object_get_uint64(value);
		return true;
	case json_type_double: *number = json_object_get_double(value); return true;
	default: return false;
	}
}

/* The first value of a path, for operands. */
static void take_first(void *context, json_object *value, json_object *element,
		       const GString *place)
{
	json_object **first = context;

	(void)element;
	(void)place;
	if (!*first)
		*first = value;
}

static enum rda_truth compare_text(const struct rda_comparison *comparison, json_object *value)
{
	if (!json_object_is_type(value, json_type_string))
		return RDA_TRUTH_UNKNOWN;
	return holds(comparison->compare,
		     strcmp(json_object_get_string(value), comparison->operand.text))
		       ? RDA_TRUTH_YES
		       : RDA_TRUTH_NO;
}

static enum rda_truth compare_flag(const struct rda_comparison *comparison, json_object *value)
{
	if (!json_object_is_type(value, json_type_boolean))
		return RDA_TRUTH_UNKNOWN;
	return holds(comparison->compare,
		     (int)json_object_get_boolean(value) - (int)comparison->operand.flag)
		       ? RDA_TRUTH_YES
		       : RDA_TRUTH_NO;
}

bool rda_operand_number(const struct rda_operand *operand, json_object *element,
			long double *number)
{
	json_object *member = NULL;
	GString *place;

	*number = operand->number;
	if (operand->type != RDA_OPERAND_MEMBER)
		return operand->type == RDA_OPERAND_NUMBER;
	place = g_string_new(NULL);
	rda_path_each(&operand->path, 0, element, place, take_first, &member);
	g_string_free(place, TRUE);
	if (!rda_compare_number_of(member, number))
		return false;
	*number *= operand->number;
	return true;
}

enum rda_truth rda_compare_value(const struct rda_comparison *comparison, json_object *value,
				 json_object *element)
{
	const struct rda_operand *operand = &comparison->operand;
	long double number, bound;

	if (operand->type == RDA_OPERAND_UNKNOWN)
		return holds(comparison->compare, value != NULL) ? RDA_TRUTH_YES : RDA_TRUTH_NO;
	if (operand->type == RDA_OPERAND_TEXT)
		return compare_text(comparison, value);
	if (operand->type == RDA_OPERAND_FLAG)
		return compare_flag(comparison, value);
	if (!rda_operand_number(operand, element, &bound) || !rda_compare_number_of(value, &number))
		return RDA_TRUTH_UNKNOWN;
	return rda_compare_numbers(comparison->compare, number, bound) ? RDA_TRUTH_YES
								       : RDA_TRUTH_NO;
}

/* ---- following ------------------------------------------------------------------------------- */

struct any {
	const struct rda_comparison *comparison;
	bool holds;
};

static void take_any(void *context, json_object *value, json_object *element, const GString *place)
{
	struct any *any = context;

	(void)place;
	any->holds |= rda_compare_value(any->comparison, value, element) == RDA_TRUTH_YES;
}

static bool condition_holds(const struct rda_comparison *comparison, json_object *element)
{
	struct any any = {comparison, false};
	GString *place = g_string_new(NULL);

	rda_path_each(&comparison->path, 0, element, place, take_any, &any);
	g_string_free(place, TRUE);
	return any.holds;
}

bool rda_path_picks(const struct rda_path_step *step, size_t index, json_object *element)
{
	switch ((enum rda_path_pick)step->pick) {
	case RDA_PICK_MEMBER:
	case RDA_PICK_ALL: return true;
	case RDA_PICK_INDEX: return index == step->index;
	case RDA_PICK_WHERE: break;
	}
	for (unsigned i = 0; i < step->where->len; i++)
		if (!condition_holds(g_ptr_array_index(step->where, i), element))
			return false;
	return true;
}

struct walk {
	const struct rda_path *path;
	GString *place;
	rda_path_take *take;
	void *context;
};

/* As deep as the path is long. */
static void follow(const struct walk *walk, unsigned index, json_object *object,
		   json_object *element)
{
	const struct rda_path_step *step;
	gsize length = walk->place->len;
	json_object *member = NULL;

	if (index == walk->path->steps->len) {
		walk->take(walk->context, object, element, walk->place);
		return;
	}
	step = step_of(walk->path, index);
	if (json_object_is_type(object, json_type_object))
		json_object_object_get_ex(object, step->name, &member);
	g_string_append_printf(walk->place, "%s%s", length ? "." : "", step->name);
	if (step->pick == RDA_PICK_MEMBER) {
		follow(walk, index + 1, member, element);
	} else if (!json_object_is_type(member, json_type_array)) {
		walk->take(walk->context, NULL, element, walk->place);
	} else {
		gsize named = walk->place->len;

		for (size_t i = 0; i < json_object_array_length(member); i++) {
			json_object *one = json_object_array_get_idx(member, i);

			if (!rda_path_picks(step, i, one))
				continue;
			g_string_append_printf(walk->place, "[%zu]", i);
			follow(walk, index + 1, one, one);
			g_string_truncate(walk->place, named);
		}
	}
	g_string_truncate(walk->place, length);
}

void rda_path_each(const struct rda_path *path, unsigned skip, json_object *object, GString *place,
		   rda_path_take *take, void *context)
{
	struct walk walk = {path, place, take, context};

	follow(&walk, skip, object, object);
}
