/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Holding expectations against records as these are made, one at a time, so that their number costs
 * no memory. See expect.h.
 */
#include "analyzer/report/expect.h"
#include "analyzer/report/output.h"

#include <inttypes.h>
#include <string.h>

/* ---- words for what was seen ----------------------------------------------------------------- */

static const char *text_of(json_object *record, const char *name)
{
	json_object *value = NULL;

	json_object_object_get_ex(record, name, &value);
	return value ? json_object_get_string(value) : NULL;
}

/* As the report writes it. */
static void append_endpoint(GString *to, json_object *endpoints, size_t index)
{
	json_object *endpoint = json_object_array_get_idx(endpoints, index), *qpn = NULL;
	const char *address = text_of(endpoint, "address"), *port = text_of(endpoint, "port");

	json_object_object_get_ex(endpoint, "qpn", &qpn);
	g_string_append(to, address ? address : "?");
	if (json_object_is_type(qpn, json_type_int))
		g_string_append_printf(to, " QP 0x%06" PRIx64,
				       (uint64_t)json_object_get_int64(qpn));
	else if (port)
		g_string_append_printf(to, " port %s", port);
}

/* " (10.0.0.1 QP 0x000005 > 10.0.0.2 QP 0x000007)": whom a value at that place of a record is
 * about. */
static void append_whom(GString *to, json_object *record, const char *place)
{
	const char *flow = strstr(place, ".flows["), *name;
	json_object *endpoints = NULL;

	json_object_object_get_ex(record, "endpoints", &endpoints);
	if (json_object_is_type(endpoints, json_type_array)) {
		size_t from = flow && flow[strlen(".flows[")] == '1';

		g_string_append(to, " (");
		append_endpoint(to, endpoints, from);
		g_string_append(to, flow ? " > " : " and ");
		append_endpoint(to, endpoints, !from);
		g_string_append_c(to, ')');
		return;
	}
	name = text_of(record, "address");
	name = name ? name : text_of(record, "file");
	name = name ? name : text_of(record, "key");
	if (name) { /* a line end in it would begin a line */
		char *harmless = rda_output_harmless(name);

		g_string_append_printf(to, " (%s)", harmless);
		g_free(harmless);
	}
}

static void append_number(GString *to, long double number)
{
	char text[64];
	bool whole = number >= 0 && number < 0x1p64L && number == (long double)(uint64_t)number;

	g_snprintf(text, sizeof(text), whole ? "%.0Lf" : "%.15Lg", number);
	g_string_append(to, text);
}

/* ", and 0.01 * .request_packets is 3.33" */
static void append_bound(GString *to, const struct rda_operand *operand, json_object *element)
{
	long double number;

	g_string_append(to, ", and ");
	if (operand->number != 1) {
		append_number(to, operand->number);
		g_string_append(to, " * ");
	}
	for (unsigned i = 0; i < operand->path.steps->len; i++)
		g_string_append_printf(
			to, ".%s",
			g_array_index(operand->path.steps, struct rda_path_step, i).name);
	g_string_append(to, " is ");
	if (rda_operand_number(operand, element, &number))
		append_number(to, number);
	else
		g_string_append(to, "not known");
}

static void append_value(GString *to, json_object *value)
{
	if (!value)
		g_string_append(to, "not known");
	else if (json_object_is_type(value, json_type_string))
		g_string_append_printf(to, "\"%s\"", json_object_get_string(value));
	else
		g_string_append(to, json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN));
}

/* Takes the text. */
static void violate(struct rda_expect_line *e, GString *seen)
{
	e->violated++;
	if (e->told->len < RDA_EXPECT_TOLD)
		g_ptr_array_add(e->told, g_string_free(seen, FALSE));
	else
		g_string_free(seen, TRUE);
}

/* ---- values ---------------------------------------------------------------------------------- */

struct visit {
	struct rda_expect_line *expectation;
	struct rda_expect_sum *sum;
	json_object *record;
};

static void compare_one(void *context, json_object *value, json_object *element,
			const GString *place)
{
	const struct visit *visit = context;
	struct rda_expect_line *e = visit->expectation;
	GString *seen;

	e->compared++;
	if (rda_compare_value(&e->comparison, value, element) == RDA_TRUTH_YES)
		return;
	if (e->told->len == RDA_EXPECT_TOLD) {
		e->violated++;
		return;
	}
	seen = g_string_new(place->str);
	g_string_append(seen, " is ");
	append_value(seen, value);
	if (e->comparison.operand.type == RDA_OPERAND_MEMBER)
		append_bound(seen, &e->comparison.operand, element);
	append_whom(seen, visit->record, place->str);
	violate(e, seen);
}

static void add_one(void *context, json_object *value, json_object *element, const GString *place)
{
	const struct visit *visit = context;
	struct rda_expect_sum *sum = visit->sum;
	long double number = 0;

	(void)element;
	if (!rda_compare_number_of(value, &number) &&
	    !json_object_is_type(value, json_type_object) && !sum->unknown)
		sum->unknown = g_strdup(place->str);
	sum->sum += number;
	sum->min = sum->count ? MIN(sum->min, number) : number;
	sum->max = sum->count ? MAX(sum->max, number) : number;
	sum->count++;
}

static void visit_record(const struct rda_path *path, const char *list, unsigned index,
			 json_object *record, rda_path_take *take, struct visit *visit)
{
	const struct rda_path_step *step = &g_array_index(path->steps, struct rda_path_step, 0);
	GString *place;

	if (strcmp(step->name, list) != 0 || !rda_path_picks(step, index, record))
		return;
	place = g_string_new(NULL);
	g_string_printf(place, "%s[%u]", list, index);
	visit->record = record;
	rda_path_each(path, 1, record, place, take, visit);
	g_string_free(place, TRUE);
}

/* ---- findings -------------------------------------------------------------------------------- */

/* One of another version of the program is above all others: it is not overlooked. */
static unsigned severity_of(json_object *finding)
{
	const char *name = text_of(finding, "severity");

	return name ? rda_severity_of(name) : RDA_SEVERITY_COUNT;
}

static bool is_meant(const struct rda_expect_findings *findings, json_object *finding)
{
	const char *code = text_of(finding, "code");
	int check = code ? rda_check_number(code) : -1;

	return severity_of(finding) >= findings->severity &&
	       (check < 0 ? findings->any_code : findings->codes[check]);
}

static void take_finding(struct rda_expect_line *e, json_object *finding)
{
	static const char *const names[] = {"severity", "code", "text"};
	json_object *frames = NULL;
	const char *connection = text_of(finding, "connection");
	GString *seen;

	if (!is_meant(&e->findings, finding))
		return;
	e->compared++;
	if (e->findings.wanted)
		return;
	seen = g_string_new(NULL);
	for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
		const char *text = text_of(finding, names[i]);

		g_string_append_printf(seen, "%s%s",
				       i == 0	? ""
				       : i == 1 ? " "
						: ": ",
				       text ? text : "?");
	}
	if (connection)
		g_string_append_printf(seen, " Connection %s.", connection);
	json_object_object_get_ex(finding, "frames", &frames);
	if (json_object_is_type(frames, json_type_array) && json_object_array_length(frames))
		g_string_append_printf(
			seen, " Frame%s %s.", json_object_array_length(frames) > 1 ? "s" : "",
			json_object_to_json_string_ext(frames, JSON_C_TO_STRING_PLAIN));
	violate(e, seen);
}

void rda_expectations_take(struct rda_expectations *expectations, const char *list, unsigned index,
			   json_object *record)
{
	for (unsigned i = 0; i < expectations->lines->len; i++) {
		struct rda_expect_line *e = g_ptr_array_index(expectations->lines, i);
		struct visit visit = {e, &e->left, NULL};

		if (e->kind == RDA_EXPECT_FINDINGS) {
			if (strcmp(list, "findings") == 0)
				take_finding(e, record);
			continue;
		}
		visit_record(&e->comparison.path, list, index, record,
			     e->kind == RDA_EXPECT_FOLD ? add_one : compare_one, &visit);
		if (e->comparison.operand.type != RDA_OPERAND_FOLD)
			continue;
		visit.sum = &e->right;
		visit_record(&e->comparison.operand.path, list, index, record, add_one, &visit);
	}
}

/* ---- the end --------------------------------------------------------------------------------- */

static long double fold_of(const struct rda_expect_sum *sum, enum rda_fold fold)
{
	switch (fold) {
	case RDA_FOLD_COUNT: return sum->count;
	case RDA_FOLD_SUM: return sum->sum;
	case RDA_FOLD_MIN: return sum->min;
	case RDA_FOLD_MAX: return sum->max;
	case RDA_FOLD_NONE:
	case RDA_FOLD_KINDS: break;
	}
	return 0;
}

/* Whether the side has a value; what it lacks goes into `seen`. */
static bool is_folded(const struct rda_expect_sum *sum, enum rda_fold fold, GString *seen)
{
	if (fold == RDA_FOLD_COUNT)
		return true;
	if (sum->unknown)
		g_string_append_printf(seen, "%s() is not known, as %s is not", rda_fold_name(fold),
				       sum->unknown);
	else if (!sum->count)
		g_string_append_printf(seen, "%s() is not known, as there is nothing to take it of",
				       rda_fold_name(fold));
	return !sum->unknown && sum->count;
}

static void compare_folds(struct rda_expect_line *e)
{
	const struct rda_operand *operand = &e->comparison.operand;
	long double left = fold_of(&e->left, (enum rda_fold)e->fold), right = operand->number;
	GString *seen = g_string_new(NULL);
	bool known = is_folded(&e->left, (enum rda_fold)e->fold, seen);

	e->compared = e->left.count;
	if (known && operand->type == RDA_OPERAND_FOLD) {
		known = is_folded(&e->right, (enum rda_fold)operand->fold, seen);
		right *= fold_of(&e->right, (enum rda_fold)operand->fold);
	}
	if ((known && rda_compare_numbers((enum rda_compare)e->comparison.compare, left, right)) ||
	    (e->if_any && !e->left.count)) {
		g_string_free(seen, TRUE);
		return;
	}
	if (known) {
		g_string_append(seen, "the left side is ");
		append_number(seen, left);
		if (operand->type == RDA_OPERAND_FOLD) {
			g_string_append(seen, ", the right side ");
			append_number(seen, right);
		}
	}
	violate(e, seen);
}

unsigned rda_expectations_end(struct rda_expectations *expectations)
{
	unsigned violated = 0;

	for (unsigned i = 0; i < expectations->lines->len; i++) {
		struct rda_expect_line *e = g_ptr_array_index(expectations->lines, i);

		if (e->kind == RDA_EXPECT_FOLD)
			compare_folds(e);
		else if (e->kind == RDA_EXPECT_VALUES && !e->compared && !e->if_any)
			violate(e, g_string_new("there is nothing of that kind to compare"));
		else if (e->kind == RDA_EXPECT_FINDINGS && e->findings.wanted && !e->compared)
			violate(e, g_string_new("there is no such finding"));
		violated += e->violated > 0;
	}
	return violated;
}

void rda_expectations_reset(struct rda_expectations *expectations)
{
	for (unsigned i = 0; i < expectations->lines->len; i++) {
		struct rda_expect_line *e = g_ptr_array_index(expectations->lines, i);

		g_free(e->left.unknown);
		g_free(e->right.unknown);
		e->left = e->right = (struct rda_expect_sum){0};
		e->compared = e->violated = 0;
		g_ptr_array_set_size(e->told, 0);
	}
}

void rda_expect_line_print(const struct rda_expect_line *line, const char *file,
			   struct rda_output *out)
{
	char *name = rda_output_harmless(file);

	rda_print(out, "%s:%u: does not hold: %s", name, line->line, line->text);
	g_free(name);
	if (line->comment)
		rda_print(out, " # %s", line->comment);
	rda_print(out, "\n");
	for (unsigned i = 0; i < line->told->len; i++)
		rda_print(out, "    %s\n", (const char *)g_ptr_array_index(line->told, i));
	if (line->violated > line->told->len)
		rda_print(out, "    and %" PRIu64 " more\n", line->violated - line->told->len);
}
