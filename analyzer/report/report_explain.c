/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of logs and what the capture has of them, for people: what is in the line, which connection
 * that is, what was acknowledged last, what failed, who was silent and since when, what to look at.
 */
#include "analyzer/report/report.h"

#include "analyzer/base/psn.h"
#include "analyzer/base/words.h"
#include "analyzer/report/explain.h"
#include "analyzer/report/units.h"
#include "dissectors/values.h"

#include <inttypes.h>

enum { INDENT = 4 };

static void put(struct rda_output *out, const char *text)
{
	rda_print(out, "%*s", INDENT, "");
	rda_output_wrap(out, text, INDENT, INDENT);
}

/* "frame 47 (12:34:56.123456789)" */
static void append_mark(GString *to, const struct rda_report *report,
			const struct rda_story_mark *mark)
{
	char time[RDA_UNITS_TEXT];

	g_string_append(to, "frame ");
	rda_report_append_place(to, report, mark->place);
	g_string_append_printf(to, " (%s)", rda_units_time_of_day(time, mark->time_ns));
}

static const char *address_of(char text[RDA_ADDRESS_TEXT], const struct rda_report *report,
			      const struct rda_explain_candidate *candidate, unsigned side)
{
	return rda_address_text(text, &rda_result_connection(report->result, candidate->connection)
					       ->endpoints[side]
					       .address);
}

/* ---- what is in the line --------------------------------------------------------------------- */

static void put_items(struct rda_output *out, const struct rda_explained *explained)
{
	const struct rda_log_line *line = &explained->line;
	GString *text = g_string_new(line->program);

	g_string_append(text, line->program ? ": " : "");
	for (unsigned i = 0; i < line->count; i++) {
		char *item = rda_explain_item_text(&line->items[i]);

		g_string_append_printf(text, "%s%s", i ? ", " : "", item);
		g_free(item);
	}
	if (line->more)
		g_string_append(text, " and more");
	if (line->status)
		g_string_append_printf(text, "%s%s: %s", line->count ? "; " : "",
				       rda_log_status_name(line->status),
				       rda_log_status_words(line->status));
	if (line->count || line->status)
		put(out, text->str);
	g_string_free(text, TRUE);
}

/* ---- the connection -------------------------------------------------------------------------- */

static void append_endpoint(GString *to, const struct rda_endpoint *endpoint)
{
	char address[RDA_ADDRESS_TEXT];

	g_string_append(to, rda_address_text(address, &endpoint->address));
	if (endpoint->port >= 0)
		g_string_append_printf(to, " port %" PRId32, endpoint->port);
	else if (endpoint->qpn != RDA_QPN_UNKNOWN)
		g_string_append_printf(to, " QP 0x%06" PRIx32, endpoint->qpn);
}

/* "Connection 3: 10.0.0.1 QP 0x11, whose log it is, and 10.0.0.2 QP 0x12; known by its QP" */
static void put_connection(struct rda_output *out, const struct rda_report *report,
			   const struct rda_explain_candidate *candidate)
{
	const struct rda_connection_facts *connection =
		rda_result_connection(report->result, candidate->connection);
	GString *text = g_string_new(NULL);
	bool any = false;

	g_string_append_printf(text, "Connection %" PRIu32 ": ", connection->id);
	append_endpoint(text, &connection->endpoints[candidate->side]);
	g_string_append(text, " to ");
	append_endpoint(text, &connection->endpoints[!candidate->side]);
	for (unsigned kind = 0; kind < RDA_LOG_KIND_COUNT; kind++)
		if (candidate->by & 1u << kind) {
			g_string_append_printf(text, "%s%s", any ? ", " : " (known by its ",
					       rda_log_kind_words(kind));
			any = true;
		}
	g_string_append(text, any ? ")." : " (it shows what the status means).");
	put(out, text->str);
	g_string_free(text, TRUE);
}

/* ---- what became of it ----------------------------------------------------------------------- */

static void append_request(GString *to, const struct rda_report *report,
			   const struct rda_story_request *request)
{
	char number[RDA_UNITS_TEXT];

	g_string_append_printf(to, "%s, PSN %" PRIu32, request->name, rda_psn_narrow(request->psn));
	if (request->has_key)
		g_string_append_printf(to, " (r_key 0x%08" PRIx32 ", address 0x%" PRIx64 ")",
				       request->key, request->address);
	g_string_append(to, ", sent ");
	if (request->times == 1) {
		g_string_append(to, "in ");
		append_mark(to, report, &request->first);
		return;
	}
	g_string_append_printf(to, "%s times, first in ",
			       rda_units_grouped(number, request->times));
	append_mark(to, report, &request->first);
	g_string_append(to, ", last in ");
	append_mark(to, report, &request->last);
}

/* A receiver that was not ready, and took it in the end. */
static void append_rnrs(GString *to, const struct rda_report *report,
			const struct rda_story_side *side)
{
	char number[RDA_UNITS_TEXT];

	if (!side->rnrs)
		return;
	g_string_append_printf(to,
			       " Before that no receive was posted: %s RNR NAK%s, the latest in ",
			       rda_units_grouped(number, side->rnrs), rda_words_plural(side->rnrs));
	append_mark(to, report, &side->rnr);
	g_string_append_c(to, '.');
}

static void append_failure(GString *to, const struct rda_report *report,
			   const struct rda_explain_candidate *candidate,
			   const struct rda_story *story)
{
	const struct rda_story_side *side = &story->side[candidate->side];
	const struct rda_story_request *request;
	enum rda_story_end end = rda_story_end_of(story, candidate->side, &request);
	const char *words = rda_words(RDA_SET_SYNDROME, side->syndrome);
	char address[RDA_ADDRESS_TEXT], number[RDA_UNITS_TEXT];

	switch (end) {
	case RDA_STORY_REFUSED:
		g_string_append_printf(to, "Refused by %s with a NAK (%s) in ",
				       address_of(address, report, candidate, !candidate->side),
				       words ? words : "reserved");
		append_mark(to, report, &side->nak);
		g_string_append(to, request ? ": " : ".");
		break;
	case RDA_STORY_NOT_READY:
		g_string_append_printf(
			to, "%s was not ready to receive: %s RNR NAK%s, the latest in ",
			address_of(address, report, candidate, !candidate->side),
			rda_units_grouped(number, side->rnrs), rda_words_plural(side->rnrs));
		append_mark(to, report, &side->rnr);
		g_string_append(to, ". What waits: ");
		break;
	case RDA_STORY_UNANSWERED: g_string_append(to, "Not acknowledged: "); break;
	case RDA_STORY_OUTSTANDING:
		g_string_append(to, "Outstanding at the end, and not sent again: ");
		break;
	case RDA_STORY_ANSWERED:
		g_string_append(to, "All that it asked for in this capture was answered: what "
				    "failed is not in it, or happened inside a host.");
		append_rnrs(to, report, side);
		return;
	default: g_string_append(to, "It asked for nothing in this capture."); return;
	}
	if (!request)
		return;
	append_request(to, report, request);
	g_string_append_c(to, '.');
}

static void put_acknowledged(struct rda_output *out, const struct rda_report *report,
			     const struct rda_story_side *side)
{
	GString *text = g_string_new(NULL);

	if (side->acknowledged.place) {
		g_string_append_printf(text, "Acknowledged last: PSN %" PRIu32 ", by ",
				       side->acknowledged.psn);
		append_mark(text, report, &side->acknowledged);
		g_string_append_c(text, '.');
	} else {
		g_string_append(text, "Nothing was acknowledged in this capture.");
	}
	put(out, text->str);
	g_string_free(text, TRUE);
}

/* Who said nothing while something was asked of it. */
static void put_silence(struct rda_output *out, const struct rda_report *report,
			const struct rda_explain_candidate *candidate,
			const struct rda_story *story)
{
	const struct rda_story_mark *heard = &story->last[!candidate->side],
				    *asked = &story->last[candidate->side];
	const struct rda_story_request *request;
	enum rda_story_end end = rda_story_end_of(story, candidate->side, &request);
	char address[RDA_ADDRESS_TEXT], time[RDA_UNITS_TEXT];
	GString *text;

	if (end != RDA_STORY_UNANSWERED && end != RDA_STORY_OUTSTANDING)
		return;
	text = g_string_new(address_of(address, report, candidate, !candidate->side));
	if (!heard->place) {
		g_string_append(text, " was silent on this connection all the time: no packet of "
				      "it is in the capture.");
	} else if (heard->time_ns < asked->time_ns) {
		g_string_append_printf(text, " was silent on this connection from ");
		append_mark(text, report, heard);
		g_string_append_printf(text,
				       " on, for %s up to the last packet that was sent to it.",
				       rda_units_duration(time, asked->time_ns - heard->time_ns));
	} else {
		g_string_append(text, " still sent something: ");
		append_mark(text, report, heard);
		g_string_append_c(text, '.');
	}
	put(out, text->str);
	g_string_free(text, TRUE);
}

/* The weightiest findings of a connection that are more than notes. */
static void put_findings(struct rda_output *out, const struct rda_report *report,
			 uint32_t connection)
{
	enum { TOLD = 4 };
	GString *text = g_string_new(NULL);
	unsigned told = 0;

	for (unsigned i = 0; i < rda_result_finding_count(report->result) && told < TOLD; i++) {
		const struct rda_finding *finding = rda_result_finding(report->result, i);

		if (rda_finding_connection(finding) != (int32_t)connection ||
		    rda_finding_severity(finding) == RDA_SEVERITY_NOTE)
			continue;
		g_string_append_printf(text, "%s%s %s", told++ ? ", " : "Findings: ",
				       rda_finding_check(finding)->code,
				       rda_finding_check(finding)->name);
	}
	g_string_append_printf(text, "%s--connection %" PRIu32 " tells more%s.", told ? " (" : "",
			       connection, told ? ")" : "");
	put(out, text->str);
	g_string_free(text, TRUE);
}

/* What names something, and is not of the connection: a warning that it may be another one. */
static void put_strange(struct rda_output *out, const struct rda_explained *explained,
			const struct rda_explain_candidate *candidate)
{
	GString *text = g_string_new(NULL);

	for (unsigned i = 0; i < explained->line.count; i++) {
		const struct rda_log_item *item = &explained->line.items[i];
		char *words;

		if (!rda_explain_names(item) || candidate->by & 1u << item->kind)
			continue;
		words = rda_explain_item_text(item);
		g_string_append_printf(text, "%s%s",
				       text->len ? ", " : "Nothing of it in this capture has ",
				       words);
		g_free(words);
	}
	if (text->len) {
		g_string_append_c(text, '.');
		put(out, text->str);
	}
	g_string_free(text, TRUE);
}

/* When each end was heard last. */
static void put_last(struct rda_output *out, const struct rda_report *report,
		     const struct rda_explain_candidate *candidate)
{
	const struct rda_story *story = rda_explain_story(report->explain, candidate);
	char address[RDA_ADDRESS_TEXT];

	for (unsigned i = 0; i < 2; i++) {
		unsigned side = i ? !candidate->side : candidate->side;
		GString *text = g_string_new(address_of(address, report, candidate, side));

		if (story->last[side].place) {
			g_string_append(text, " sent its last packet in ");
			append_mark(text, report, &story->last[side]);
		} else {
			g_string_append(text, " sent nothing in this capture");
		}
		g_string_append_c(text, '.');
		put(out, text->str);
		g_string_free(text, TRUE);
	}
}

/* What one endpoint asked, and what came of it. */
static void put_side(struct rda_output *out, const struct rda_report *report,
		     const struct rda_explain_candidate *candidate)
{
	const struct rda_story *story = rda_explain_story(report->explain, candidate);
	GString *text = g_string_new(NULL);

	put_acknowledged(out, report, &story->side[candidate->side]);
	append_failure(text, report, candidate, story);
	put(out, text->str);
	g_string_free(text, TRUE);
	put_silence(out, report, candidate, story);
}

static bool is_over(const struct rda_story *story, unsigned side)
{
	const struct rda_story_request *request;
	enum rda_story_end end = rda_story_end_of(story, side, &request);

	return end == RDA_STORY_NOTHING || end == RDA_STORY_ANSWERED;
}

static void put_candidate(struct rda_output *out, const struct rda_report *report,
			  const struct rda_explained *explained,
			  const struct rda_explain_candidate *candidate)
{
	const struct rda_story *story = rda_explain_story(report->explain, candidate);
	struct rda_explain_candidate other = *candidate;
	char address[RDA_ADDRESS_TEXT];

	put_connection(out, report, candidate);
	put_strange(out, explained, candidate);
	if (!story->followed) {
		put_last(out, report, candidate);
		put_findings(out, report, candidate->connection);
		return;
	}
	put_side(out, report, candidate);
	if (is_over(story, candidate->side) && !is_over(story, !candidate->side)) {
		char *text =
			g_strdup_printf("What the other end, %s, asked:",
					address_of(address, report, candidate, !candidate->side));

		put(out, text);
		g_free(text);
		other.side = !other.side;
		put_side(out, report, &other);
	}
	put_findings(out, report, candidate->connection);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void put_line(struct rda_output *out, const struct rda_report *report,
		     const struct rda_explained *explained)
{
	char *why, number[RDA_UNITS_TEXT];

	rda_print(out, "  ");
	rda_style(out, RDA_STYLE_BOLD);
	rda_output_wrap(out, explained->text, 2, 2);
	rda_style(out, RDA_STYLE_PLAIN);
	put_items(out, explained);
	if (!explained->candidate_count) {
		why = rda_explain_why(explained);
		*why = g_ascii_toupper(*why);
		rda_print(out, "%*s", INDENT, "");
		rda_output_wrap(out, why, INDENT, INDENT);
		g_free(why);
		return;
	}
	if (explained->verdict == RDA_EXPLAIN_SEVERAL) {
		why = g_strdup_printf(
			"%s connections fit alike: which of them the line is about "
			"does not follow from it.",
			rda_units_grouped(number, explained->candidate_count + explained->more));
		put(out, why);
		g_free(why);
	}
	for (unsigned i = 0; i < explained->candidate_count; i++)
		put_candidate(out, report, explained, &explained->candidates[i]);
	if (explained->more)
		rda_print(out, "%*sand %s more\n", INDENT, "",
			  rda_units_grouped(number, explained->more));
}

/* Lines of files without anything to find are counted: a log is full of them. */
static bool is_counted_only(const struct rda_explained *explained)
{
	return explained->file && explained->verdict == RDA_EXPLAIN_NOTHING;
}

void rda_report_explained(struct rda_output *out, const struct rda_report *report)
{
	const struct rda_explain *explain = report->explain;
	uint64_t counted = 0;
	char number[RDA_UNITS_TEXT];

	if (!explain || !explain->lines->len)
		return;
	rda_print_in(out, RDA_STYLE_BOLD, "Lines of logs");
	rda_print(out, ", and what this capture has of them\n");
	for (guint i = 0; i < explain->lines->len && rda_output_more(out); i++) {
		const struct rda_explained *explained = g_ptr_array_index(explain->lines, i);

		counted += is_counted_only(explained);
		if (!is_counted_only(explained))
			put_line(out, report, explained);
	}
	if (counted)
		rda_print(out, "  %s other line%s nothing in %s that a capture could hold\n",
			  rda_units_grouped(number, counted), counted == 1 ? " has" : "s have",
			  counted == 1 ? "it" : "them");
	if (explain->lines_left)
		rda_print(out, "  %s more lines were not looked at\n",
			  rda_units_grouped(number, explain->lines_left));
	rda_print(out, "\n");
}
