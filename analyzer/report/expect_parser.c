/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Paths and comparisons by recursive descent. See expect_parser.h.
 */
#include "analyzer/report/expect_parser.h"
#include "analyzer/report/nearest.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool rda_parser_mistake(struct rda_parser *p, const char *at, const char *format, ...)
{
	va_list arguments;
	char *reason;

	if (p->error)
		return false;
	va_start(arguments, format);
	reason = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	p->error = g_strdup_printf("%td: %s", at - p->begin + 1, reason);
	g_free(reason);
	return false;
}

/* ---- words ----------------------------------------------------------------------------------- */

void rda_parser_skip_blanks(struct rda_parser *p)
{
	while (*p->at == ' ' || *p->at == '\t')
		p->at++;
}

static bool is_name(char c)
{
	return g_ascii_isalnum(c) || c == '_';
}

/* Of an address, a key, a name: what needs no quotes. */
static bool is_word(char c)
{
	return is_name(c) || (c && strchr(".:/+-", c));
}

static size_t length_of(const char *at, bool (*is)(char))
{
	size_t length = 0;

	while (is(at[length]))
		length++;
	return length;
}

bool rda_parser_accept(struct rda_parser *p, const char *what)
{
	size_t length = strlen(what);

	rda_parser_skip_blanks(p);
	if (strncmp(p->at, what, length) != 0 || (is_name(what[0]) && is_name(p->at[length])))
		return false;
	p->at += length;
	return true;
}

bool rda_parser_expect(struct rda_parser *p, const char *what)
{
	return rda_parser_accept(p, what) ||
	       rda_parser_mistake(p, p->at, "\"%s\" is expected here", what);
}

static char *take_word(struct rda_parser *p, bool (*is)(char))
{
	size_t length = length_of(p->at, is);
	char *word = g_strndup(p->at, length);

	p->at += length;
	return word;
}

char *rda_parser_name(struct rda_parser *p)
{
	return take_word(p, is_name);
}

/* ---- paths ----------------------------------------------------------------------------------- */

static void free_comparison(void *data)
{
	rda_comparison_cleanup(data);
	g_free(data);
}

/* Names of the members, for messages. */
static char *list_members(json_object *shape)
{
	GString *text = g_string_new(NULL);

	json_object_object_foreach(shape, name, value)
	{
		(void)value;
		g_string_append_printf(text, "%s%s", text->len ? ", " : "", name);
	}
	return g_string_free(text, FALSE);
}

/* Objects whose members depend on the case are empty in the shape: anything may be in them. */
static bool is_open(json_object *shape)
{
	return json_object_is_type(shape, json_type_object) &&
	       json_object_object_length(shape) == 0;
}

static bool no_member(struct rda_parser *p, const char *at, const char *name, json_object *shape)
{
	struct rda_nearest nearest = {.word = name};
	char *members;

	if (!json_object_is_type(shape, json_type_object))
		return rda_parser_mistake(p, at, "\"%s\": what stands before it has no members",
					  name);
	json_object_object_foreach(shape, member, value)
	{
		(void)value;
		rda_nearest_try(&nearest, member);
	}
	if (nearest.name)
		return rda_parser_mistake(p, at, "there is no \"%s\"; did you mean %s?", name,
					  nearest.name);
	members = list_members(shape);
	rda_parser_mistake(p, at, "there is no \"%s\"; there are %s", name, members);
	g_free(members);
	return false;
}

static bool parse_where(struct rda_parser *p, struct rda_path_step *step, json_object *shape)
{
	step->pick = RDA_PICK_WHERE;
	step->where = g_ptr_array_new_with_free_func(free_comparison);
	do {
		struct rda_comparison *condition = g_new0(struct rda_comparison, 1);

		g_ptr_array_add(step->where, condition);
		if (!rda_parser_comparison(p, condition, shape))
			return false;
		if (condition->operand.type == RDA_OPERAND_FOLD)
			return rda_parser_mistake(p, p->at,
						  "a condition compares with values, not with %s()",
						  rda_fold_name(condition->operand.fold));
	} while (rda_parser_accept(p, "and"));
	return true;
}

/* What stands in brackets behind a list whose elements have that shape. */
static bool parse_pick(struct rda_parser *p, struct rda_path_step *step, json_object *shape)
{
	if (rda_parser_accept(p, "*")) {
		step->pick = RDA_PICK_ALL;
	} else if (rda_parser_skip_blanks(p), g_ascii_isdigit(*p->at)) {
		char *digits = take_word(p, is_name);
		guint64 index;
		bool good = g_ascii_string_to_unsigned(digits, 10, 0, UINT32_MAX, &index, NULL);

		if (!good)
			rda_parser_mistake(p, p->at, "\"%s\" is no index", digits);
		g_free(digits);
		if (!good)
			return false;
		step->pick = RDA_PICK_INDEX;
		step->index = (size_t)index;
	} else if (!parse_where(p, step, shape)) {
		return false;
	}
	return rda_parser_expect(p, "]");
}

/* One step; *shape becomes that of what it leads to, NULL where that is open. */
static bool parse_step(struct rda_parser *p, struct rda_path_step *step, json_object **shape)
{
	const char *at;
	json_object *member = NULL;

	rda_parser_skip_blanks(p);
	at = p->at;
	step->name = take_word(p, is_name);
	if (!step->name[0])
		return rda_parser_mistake(p, at, "a name is expected here");
	if (*shape && !is_open(*shape) &&
	    !(json_object_is_type(*shape, json_type_object) &&
	      json_object_object_get_ex(*shape, step->name, &member)))
		return no_member(p, at, step->name, *shape);
	if (json_object_is_type(member, json_type_array)) {
		member = json_object_array_get_idx(member, 0);
		if (!rda_parser_accept(p, "["))
			return rda_parser_mistake(p, p->at,
						  "%s is a list: say %s[*], or which of them",
						  step->name, step->name);
		if (!parse_pick(p, step, member))
			return false;
	} else if (rda_parser_accept(p, "[")) {
		return rda_parser_mistake(p, p->at - 1, "%s is no list", step->name);
	}
	*shape = member;
	return true;
}

static bool parse_path(struct rda_parser *p, struct rda_path *path, json_object **shape)
{
	path->steps = g_array_new(FALSE, TRUE, sizeof(struct rda_path_step));
	do {
		g_array_set_size(path->steps, path->steps->len + 1);
		if (!parse_step(
			    p,
			    &g_array_index(path->steps, struct rda_path_step, path->steps->len - 1),
			    shape))
			return false;
	} while (*p->at == '.' && p->at++);
	return true;
}

/* ---- folds ----------------------------------------------------------------------------------- */

enum rda_fold rda_parser_fold(struct rda_parser *p)
{
	for (int fold = RDA_FOLD_NONE + 1; fold < RDA_FOLD_KINDS; fold++) {
		const char *at = p->at;

		if (rda_parser_accept(p, rda_fold_name((enum rda_fold)fold)) &&
		    rda_parser_accept(p, "("))
			return (enum rda_fold)fold;
		p->at = at;
	}
	return RDA_FOLD_NONE;
}

static bool is_leaf(json_object *shape)
{
	return !json_object_is_type(shape, json_type_object) || is_open(shape);
}

static bool must_be_leaf(struct rda_parser *p, const char *at, json_object *shape)
{
	char *members;

	if (is_leaf(shape))
		return true;
	members = list_members(shape);
	rda_parser_mistake(p, at, "this leads to an object: say which of its members, %s", members);
	g_free(members);
	return false;
}

bool rda_parser_folded(struct rda_parser *p, enum rda_fold fold, struct rda_path *path)
{
	json_object *shape = p->shape;
	const char *at = p->at;
	const struct rda_path_step *last;

	if (!parse_path(p, path, &shape))
		return false;
	last = &g_array_index(path->steps, struct rda_path_step, path->steps->len - 1);
	if (fold == RDA_FOLD_COUNT && last->pick == RDA_PICK_MEMBER)
		return rda_parser_mistake(
			p, at, "count() takes elements of a list: a path that ends with ]");
	if (fold != RDA_FOLD_COUNT && !must_be_leaf(p, at, shape))
		return false;
	return rda_parser_expect(p, ")");
}

/* ---- operands -------------------------------------------------------------------------------- */

/* More than any double has; the sum with that of a unit is an int. */
enum { EXPONENT_MOST = 1000000 };

/* The digits of a number, "0.3" or "3e-4", times a power of ten: as exact as a double can have it.
 */
static long double decimal_of(const char *digits, size_t length, int power)
{
	char *text = g_strndup(digits, length), *exponent = strpbrk(text, "eE"), *shifted;
	long double number;

	if (exponent) {
		gint64 given = g_ascii_strtoll(exponent + 1, NULL, 10); /* saturates */

		power += (int)CLAMP(given, -EXPONENT_MOST, EXPONENT_MOST);
		*exponent = '\0';
	}
	shifted = g_strdup_printf("%se%d", text, power);
	number = g_ascii_strtod(shifted, NULL);
	g_free(shifted);
	g_free(text);
	return number;
}

/* "5", "-1.5", "20ms"; false when the word is something else. */
static bool is_number(const char *word, long double *number)
{
	static const struct {
		const char *name;
		int power;
	} units[] = {{"", 0}, {"ns", 0}, {"us", 3}, {"ms", 6}, {"s", 9}};
	const char *digits = word + (word[0] == '-');
	char *end;
	guint64 whole;
	bool decimal;

	if (!g_ascii_isdigit(digits[0]) || strncmp(digits, "0x", 2) == 0)
		return false;
	whole = g_ascii_strtoull(word, &end, 10);
	decimal = *end == '.' || *end == 'e' || *end == 'E' || word[0] == '-';
	if (decimal)
		g_ascii_strtod(word, &end);
	for (unsigned i = 0; i < G_N_ELEMENTS(units); i++) {
		if (strcmp(end, units[i].name) != 0)
			continue;
		*number = whole;
		for (int power = 0; power < units[i].power; power++)
			*number *= 10;
		if (decimal)
			*number = decimal_of(word, (size_t)(end - word), units[i].power);
		return true;
	}
	return false;
}

static bool parse_quoted(struct rda_parser *p, struct rda_operand *operand)
{
	const char *end = strchr(p->at, '"');

	if (!end)
		return rda_parser_mistake(p, p->at, "the text has no end: \" is missing");
	operand->type = RDA_OPERAND_TEXT;
	operand->text = g_strndup(p->at, (gsize)(end - p->at));
	p->at = end + 1;
	return true;
}

/* ".member" or "sum(...)", behind a factor or not; false without a mistake when it is neither. */
static bool parse_reference(struct rda_parser *p, struct rda_operand *operand, json_object *element)
{
	const char *at;

	rda_parser_skip_blanks(p);
	at = p->at;
	operand->fold = (uint8_t)rda_parser_fold(p);
	if (operand->fold) {
		operand->type = RDA_OPERAND_FOLD;
		return rda_parser_folded(p, (enum rda_fold)operand->fold, &operand->path);
	}
	if (at[0] != '.' || !is_name(at[1]) || g_ascii_isdigit(at[1]))
		return false;
	p->at++;
	operand->type = RDA_OPERAND_MEMBER;
	return parse_path(p, &operand->path, &element) && must_be_leaf(p, at, element);
}

/* `element` has the shape of the innermost list element that the left side is in. */
static bool parse_operand(struct rda_parser *p, struct rda_operand *operand, json_object *element)
{
	const char *at;
	char *word;

	operand->number = 1;
	if (parse_reference(p, operand, element) || p->error)
		return !p->error;
	rda_parser_skip_blanks(p);
	at = p->at;
	if (rda_parser_accept(p, "\""))
		return parse_quoted(p, operand);
	word = take_word(p, is_word);
	if (!word[0])
		rda_parser_mistake(p, at, "a value is expected here");
	else if (is_number(word, &operand->number))
		operand->type = RDA_OPERAND_NUMBER;
	else if (strcmp(word, "unknown") == 0)
		operand->type = RDA_OPERAND_UNKNOWN;
	else if (strcmp(word, "true") == 0 || strcmp(word, "false") == 0)
		*operand = (struct rda_operand){.type = RDA_OPERAND_FLAG, .flag = word[0] == 't'};
	else
		*operand = (struct rda_operand){.type = RDA_OPERAND_TEXT, .text = g_strdup(word)};
	g_free(word);
	if (!p->error && operand->type == RDA_OPERAND_NUMBER && rda_parser_accept(p, "*") &&
	    !parse_reference(p, operand, element))
		rda_parser_mistake(p, p->at,
				   "a number is multiplied with a .member or a sum() here");
	return !p->error;
}

/* ---- comparisons ----------------------------------------------------------------------------- */

static bool parse_sign(struct rda_parser *p, uint8_t *compare)
{
	for (*compare = 0; *compare < RDA_COMPARE_KINDS; ++*compare)
		if (rda_parser_accept(p, rda_compare_sign((enum rda_compare) * compare)))
			return true;
	return rda_parser_mistake(p, p->at, "==, !=, <, <=, > or >= is expected here");
}

/* The shape of the innermost element of a list on the way of a path that begins at `shape`. */
static json_object *shape_of_element(const struct rda_path *path, json_object *shape)
{
	json_object *element = shape;

	for (unsigned i = 0; i < path->steps->len && shape; i++) {
		const struct rda_path_step *step =
			&g_array_index(path->steps, struct rda_path_step, i);
		json_object *member = NULL;

		if (!is_open(shape))
			json_object_object_get_ex(shape, step->name, &member);
		shape = member;
		if (step->pick != RDA_PICK_MEMBER)
			element = shape = json_object_array_get_idx(member, 0);
	}
	return element;
}

bool rda_parser_right_side(struct rda_parser *p, struct rda_comparison *comparison,
			   const char *begin, json_object *leaf, json_object *element)
{
	const char *at;

	if (!parse_sign(p, &comparison->compare))
		return false;
	rda_parser_skip_blanks(p);
	at = p->at;
	if (!parse_operand(p, &comparison->operand, element))
		return false;
	if (comparison->operand.type != RDA_OPERAND_UNKNOWN && !must_be_leaf(p, begin, leaf))
		return false;
	if (comparison->compare != RDA_COMPARE_EQ && comparison->compare != RDA_COMPARE_NE &&
	    (comparison->operand.type == RDA_OPERAND_TEXT ||
	     comparison->operand.type == RDA_OPERAND_FLAG ||
	     comparison->operand.type == RDA_OPERAND_UNKNOWN))
		return rda_parser_mistake(
			p, at, "a number is expected here: only == and != compare others");
	return true;
}

bool rda_parser_comparison(struct rda_parser *p, struct rda_comparison *comparison,
			   json_object *shape)
{
	json_object *leaf = shape;
	const char *begin;

	rda_parser_skip_blanks(p);
	begin = p->at;
	return parse_path(p, &comparison->path, &leaf) &&
	       rda_parser_right_side(p, comparison, begin, leaf,
				     shape_of_element(&comparison->path, shape));
}
