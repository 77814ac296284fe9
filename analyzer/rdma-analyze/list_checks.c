/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of checks as text, JSON and Markdown, and all about one of them. docs/checks.md is this
 * Markdown; tests/program/test_listings.py compares them.
 */
#include "analyzer/rdma-analyze/lists.h"

#include "analyzer/checks/saying.h"
#include "analyzer/rdma-analyze/options.h"
#include "analyzer/report/columns.h"
#include "analyzer/report/machine_record.h"
#include "analyzer/report/output.h"

/* The names of what a mask of enum rda_seen_bit asks for; returns how many. */
static unsigned names_of(uint8_t mask, const char *names[8])
{
	unsigned count = 0;

#define RDA_X(ID, bit, name, otherwise)                                                            \
	if (mask & RDA_SEEN_##ID)                                                                  \
		names[count++] = name;
	RDA_SEEN(RDA_X)
#undef RDA_X
	return count;
}

/* ---- text ------------------------------------------------------------------------------------ */

static void put_rows(struct rda_columns *columns, struct rda_output *out)
{
	for (int i = 0; i < RDA_CHECK_COUNT; i++) {
		const struct rda_check_row *row = rda_check_row((enum rda_check)i);

		rda_columns_row(columns, out,
				(const char *[]){row->code, rda_severity_name(row->severity),
						 rda_proof_name(row->proof), row->name});
	}
}

static void list_text(struct rda_output *out)
{
	struct rda_columns columns = {
		.column = {{"Code", false, 0, 0},
			   {"Severity", false, 0, 0},
			   {"At best", false, 0, 0},
			   {"Check", false, 0, 0}},
		.count = 4,
		.width = RDA_TEXT_WIDTH,
	};

	put_rows(&columns, NULL);
	rda_columns_titles(&columns, out);
	put_rows(&columns, out);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void put_sentences(struct rda_record *record, enum rda_check check)
{
	rda_record_open_list(record, "says");
	for (int i = 0; i < RDA_SAYING_COUNT; i++)
		if (rda_saying_row((enum rda_saying)i)->check == check)
			rda_record_text(record, NULL, rda_saying_row((enum rda_saying)i)->words);
	rda_record_close(record);
}

static void put_advice_of_cases(struct rda_record *record, enum rda_check check)
{
	rda_record_open_list(record, "advice_of_cases");
	for (int i = 0; i < RDA_SAYING_COUNT; i++)
		if (rda_saying_row((enum rda_saying)i)->check == check &&
		    rda_saying_row((enum rda_saying)i)->advice)
			rda_record_text(record, NULL, rda_saying_row((enum rda_saying)i)->advice);
	rda_record_close(record);
}

static void list_json(struct rda_output *out)
{
	for (int i = 0; i < RDA_CHECK_COUNT; i++) {
		const struct rda_check_row *row = rda_check_row((enum rda_check)i);
		const char *names[8];
		struct rda_record record;

		rda_print(out, "%s\n  ", i ? "," : "[");
		rda_record_init(&record, out->text);
		rda_record_text(&record, "code", row->code);
		rda_record_text(&record, "check", row->name);
		rda_record_text(&record, "group", rda_check_group_title(row->code[0]));
		rda_record_text(&record, "severity", rda_severity_name(row->severity));
		rda_record_text(&record, "proof", rda_proof_name(row->proof));
		rda_record_words(&record, "needs", names, names_of(row->needs, names));
		rda_record_words(&record, "requires", names, names_of(row->required, names));
		rda_record_text(&record, "meaning", row->meaning);
		rda_record_text(&record, "advice", row->advice);
		rda_record_text(&record, "reference", row->reference);
		put_sentences(&record, (enum rda_check)i);
		put_advice_of_cases(&record, (enum rda_check)i);
		rda_record_end(&record);
	}
	rda_print(out, "\n]\n");
}

/* ---- Markdown -------------------------------------------------------------------------------- */

static void put_condition(struct rda_output *out, const char *words, uint8_t mask)
{
	const char *names[8];
	unsigned count = names_of(mask, names);

	for (unsigned i = 0; i < count; i++)
		rda_print(out, "%s`%s`", i ? ", " : words, names[i]);
	rda_print(out, count ? ". " : "");
}

static void put_check(struct rda_output *out, const struct rda_check_row *row)
{
	rda_print(out, "**%s** `%s`: %s, %s at best. ", row->code, row->name,
		  rda_severity_name(row->severity), rda_proof_name(row->proof));
	put_condition(out, "To be proven: ", row->needs);
	put_condition(out, "To speak at all: ", row->required);
	if (row->reference)
		rda_print(out, "Source: %s. ", row->reference);
	rda_print(out, "%s *Next:* %s\n\n", row->meaning, row->advice);
}

static void list_markdown(struct rda_output *out)
{
	char group = 0;

	rda_print(out, "# Checks\n\nMade by `rdma-analyze --list-checks=markdown` from "
		       "analyzer/checks/checks.def. The severity is the usual\none; a finding may "
		       "be milder. "
		       "What a check needs of a capture to say \"proven\", or to say\nanything, is "
		       "what the JSON of the connection has under `seen`.\n\n");
	for (int i = 0; i < RDA_CHECK_COUNT; i++) {
		const struct rda_check_row *row = rda_check_row((enum rda_check)i);

		if (row->code[0] != group) {
			group = row->code[0];
			rda_print(out, "## %c: %s\n\n", group, rda_check_group_title(group));
		}
		put_check(out, row);
	}
	g_string_truncate(out->text, out->text->len - 1);
}

void rda_list_checks(struct rda_output *out, int form)
{
	static void (*const lists[])(struct rda_output *) = {
		[RDA_LISTING_TEXT] = list_text,
		[RDA_LISTING_JSON] = list_json,
		[RDA_LISTING_MARKDOWN] = list_markdown,
	};

	lists[form](out);
}

/* ---- one of them ----------------------------------------------------------------------------- */

static void explain(struct rda_output *out, const char *title, const char *text)
{
	rda_print(out, "\n");
	rda_print_in(out, RDA_STYLE_BOLD, "%s", title);
	rda_print(out, "\n  ");
	rda_output_wrap(out, text, 2, 2);
}

/* What the capture must have, in the words of the JSON's `seen`. */
static void explain_condition(struct rda_output *out, const char *title, uint8_t mask)
{
	const char *names[8 + 1] = {NULL};
	char *text;

	if (!names_of(mask, names))
		return;
	text = g_strjoinv(", ", (char **)names);
	explain(out, title, text);
	g_free(text);
}

void rda_list_check(struct rda_output *out, int check)
{
	const struct rda_check_row *row = rda_check_row((enum rda_check)check);
	const char *title = "It says";

	rda_print_in(out, RDA_STYLE_BOLD, "%s", row->code);
	rda_print(out, " %s\n  %s: %s as a rule, %s at best\n", row->name,
		  rda_check_group_title(row->code[0]), rda_severity_name(row->severity),
		  rda_proof_name(row->proof));
	explain(out, "What it means", row->meaning);
	explain(out, "What to look at next", row->advice);
	explain_condition(out, "To be proven the capture must have of the connection", row->needs);
	explain_condition(out, "To speak at all the capture must have of the connection",
			  row->required);
	if (row->reference)
		explain(out, "Source", row->reference);
	for (int i = 0; i < RDA_SAYING_COUNT; i++) {
		const struct rda_saying_row *saying = rda_saying_row((enum rda_saying)i);

		if (saying->check != check)
			continue;
		explain(out, title, saying->words);
		title = "or";
		if (saying->advice)
			explain(out, "and then", saying->advice);
	}
	rda_print(out,
		  "\n--check %s=WEIGHT tells it as error, warning or note, or not at all (off).\n",
		  row->code);
}
