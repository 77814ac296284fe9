/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The findings for people, weightiest first: what was found with its numbers, where, what it means
 * and what to look at next; then what the capture cannot tell.
 *
 * Of one check and severity the weightiest is told, with what the others come to (JSON has all,
 * and --all tells all).
 */
#include "analyzer/report/report.h"

#include "analyzer/report/output.h"
#include "analyzer/report/units.h"
#include "analyzer/base/words.h"

#include <inttypes.h>
#include <string.h>

/* Checks of which a finding is told, without advice, of a capture with many connections. */
enum { BRIEF_TOLD = 5 };

/* Frames of a finding that are told. */
enum { FRAMES = 8 };

enum { INDENT = 4 };

static const enum rda_style styles[RDA_SEVERITY_COUNT] = {
	[RDA_SEVERITY_NOTE] = RDA_STYLE_PLAIN,
	[RDA_SEVERITY_WARNING] = RDA_STYLE_YELLOW,
	[RDA_SEVERITY_ERROR] = RDA_STYLE_RED,
};

static void append_end(GString *to, const struct rda_endpoint *end)
{
	char text[RDA_ADDRESS_TEXT];

	g_string_append(to, rda_address_text(text, &end->address));
	if (end->qpn != RDA_QPN_UNKNOWN)
		g_string_append_printf(to, " QP 0x%06" PRIx32, end->qpn);
}

/* "connection 3, 10.0.0.1 QP 0x000011 to 10.0.0.2 QP 0x000012" */
static void append_subject(GString *to, const struct rda_report *report,
			   const struct rda_finding *finding)
{
	const struct rda_connection_facts *connection;
	unsigned side = finding->flow > 0;
	char text[RDA_ADDRESS_TEXT];

	if (finding->key.subject.kind == RDA_SUBJECT_HOST) {
		g_string_append(to, rda_address_text(text, &rda_result_host_of_index(
								    report->result,
								    finding->key.subject.index)
								    ->address));
		return;
	}
	if (finding->connection < 0) {
		char *name = rda_output_harmless(report->origins[finding->key.subject.index]->file);

		g_string_append(to, name);
		g_free(name);
		return;
	}
	connection = rda_result_connection(report->result, (unsigned)finding->connection);
	g_string_append_printf(to, "connection %" PRIu32 ", ", connection->id);
	append_end(to, &connection->endpoints[side]);
	g_string_append(to, finding->flow < 0 ? " and " : " to ");
	append_end(to, &connection->endpoints[1 - side]);
}

void rda_report_append_place(GString *to, const struct rda_report *report, uint64_t place)
{
	if (!rda_result_is_one_series(report->result))
		g_string_append_printf(to, "%" PRIu32 ":", rda_place_capture(place) + 1);
	g_string_append_printf(to, "%" PRIu64, rda_place_number(place));
}

/* "Frames 12, 15, 2:7" */
static void append_frames(GString *to, const struct rda_report *report,
			  const struct rda_finding *finding)
{
	unsigned count = MIN(finding->place_count, FRAMES);

	for (unsigned i = 0; i < count; i++) {
		g_string_append(to, i ? ", " : finding->place_count == 1 ? "Frame " : "Frames ");
		rda_report_append_place(to, report, finding->places[i]);
	}
	if (count && (finding->place_count > FRAMES || finding->count > finding->place_count))
		g_string_append(to, ", ...");
}

static void put_line(struct rda_output *out, const char *text)
{
	rda_print(out, "%*s", INDENT, "");
	rda_output_wrap(out, text, INDENT, INDENT);
}

/* ---- findings of one check together ---------------------------------------------------------- */

/* Connections that are named of those that have the same. */
enum { NAMED = 8 };

/* Findings of one check, severity and proof: the first is told, the others are summed. */
struct group {
	unsigned count;
	bool told;
	int64_t cost_ns;
	int32_t first;	    /* connection */
	GHashTable *others; /* connections other than the first, of which both flows may have it */
	int32_t named[NAMED];
	unsigned named_count;
};

static void add_to(struct group *group, const struct rda_finding *finding)
{
	if (group->count++ == 0) {
		group->first = finding->connection;
		group->others = g_hash_table_new(NULL, NULL);
	} else if (finding->connection >= 0 && finding->connection != group->first &&
		   g_hash_table_add(group->others, GINT_TO_POINTER(finding->connection)) &&
		   group->named_count < NAMED) {
		group->named[group->named_count++] = finding->connection;
	}
	group->cost_ns = rda_ns_sum(group->cost_ns, MAX(finding->cost_ns, 0));
}

static unsigned others_of(const struct group *group)
{
	return g_hash_table_size(group->others);
}

/* "The same on 36 other connections: 50, 100, ...; 126 ms in all." */
static void append_others(GString *to, const struct group *group)
{
	char number[RDA_UNITS_TEXT], time[RDA_UNITS_TEXT];

	if (group->count < 2)
		return;
	if (others_of(group)) {
		g_string_append_printf(to, "The same on %s other connection%s:",
				       rda_units_grouped(number, others_of(group)),
				       rda_words_plural(others_of(group)));
		for (unsigned i = 0; i < group->named_count; i++)
			g_string_append_printf(to, "%s %" PRId32, i ? "," : "", group->named[i]);
		g_string_append(to, others_of(group) > group->named_count ? ", ..." : "");
	} else {
		g_string_append_printf(to, "And %s more like it",
				       rda_units_grouped(number, group->count - 1));
	}
	if (group->cost_ns)
		g_string_append_printf(to, "; %s in all", rda_units_duration(time, group->cost_ns));
	g_string_append_c(to, '.');
}

static void append_head(GString *to, const struct rda_report *report,
			const struct rda_finding *finding)
{
	char time[RDA_UNITS_TEXT];

	g_string_append_printf(to, "%s, %s: ", rda_check_row(finding->key.check)->name,
			       rda_proof_name(finding->proof));
	append_subject(to, report, finding);
	if (finding->cost_ns > 0)
		g_string_append_printf(to, ", cost %s", rda_units_duration(time, finding->cost_ns));
}

static void put_head(struct rda_output *out, const struct rda_finding *finding, const char *line)
{
	const char *severity = rda_severity_name(finding->severity);

	rda_print_in(out, styles[finding->severity], "  %s %s", severity,
		     rda_check_row(finding->key.check)->code);
	rda_print(out, " ");
	rda_output_wrap(out, line, strlen(severity) + 7, INDENT);
}

static void put_advice(struct rda_output *out, const struct rda_finding *finding)
{
	const struct rda_check_row *row = rda_check_row(finding->key.check);
	const char *own = rda_finding_advice(finding);
	char *text = own ? NULL : g_strdup_printf("%s %s", row->meaning, row->advice);

	rda_style(out, RDA_STYLE_FAINT);
	put_line(out, own ? own : text);
	rda_style(out, RDA_STYLE_PLAIN);
	g_free(text);
}

/* `group`: those that it stands for as well; NULL: it stands for itself. */
static void put_finding(struct rda_output *out, const struct rda_report *report,
			const struct rda_finding *finding, const struct group *group, bool advice)
{
	GString *line = g_string_new(NULL);
	char *text = rda_finding_text(finding);

	append_head(line, report, finding);
	put_head(out, finding, line->str);
	if (text)
		put_line(out, text);
	g_free(text);
	g_string_truncate(line, 0);
	append_frames(line, report, finding);
	if (line->len)
		put_line(out, line->str);
	g_string_truncate(line, 0);
	if (group)
		append_others(line, group);
	if (line->len)
		put_line(out, line->str);
	if (advice && finding->severity > RDA_SEVERITY_NOTE)
		put_advice(out, finding);
	g_string_free(line, TRUE);
}

/* ---- all of them ----------------------------------------------------------------------------- */

struct telling {
	struct rda_output *out;
	const struct rda_report *report;
	struct group groups[RDA_CHECK_COUNT][RDA_SEVERITY_COUNT][RDA_PROOF_COUNT];
	bool advised[RDA_CHECK_COUNT][RDA_SEVERITY_COUNT];
	unsigned counts[RDA_SEVERITY_COUNT], shown; /* findings; those told in full */
	bool brief; /* there is so much that what weighs little gets no line of its own */
	GString *rest;
};

/* "S03 resent-after-nak (37 connections)" */
static void append_rest(GString *to, const struct rda_finding *finding, const struct group *group)
{
	const struct rda_check_row *row = rda_check_row(finding->key.check);
	char number[RDA_UNITS_TEXT];

	g_string_append_printf(to, "%s%s %s", to->len ? ", " : "", row->code, row->name);
	if (others_of(group))
		g_string_append_printf(to, " (%s connections)",
				       rda_units_grouped(number, others_of(group) + 1));
	else if (group->count > 1)
		g_string_append_printf(to, " (%s)", rda_units_grouped(number, group->count));
}

static struct group *group_of(struct telling *t, const struct rda_finding *finding)
{
	/* where little room is, what is proven and what is suspected are told together */
	enum rda_proof proof = t->brief ? RDA_PROOF_PROVEN : finding->proof;

	return &t->groups[finding->key.check][finding->severity][proof];
}

/* All are asked for, each for itself. */
static bool in_full(const struct telling *t)
{
	const struct rda_choice *choice = &t->report->choice;

	return choice->all || choice->has_connection || choice->code;
}

/* Those of a check, severity and proof are told once, unless all are asked for. */
static void tell(struct telling *t, const struct rda_finding *finding)
{
	struct group *group = group_of(t, finding);
	bool *advised = &t->advised[finding->key.check][finding->severity];
	bool first = !group->told, full = in_full(t);

	group->told = true;
	if (!full && !first)
		return;
	if (!full && t->brief &&
	    (finding->severity == RDA_SEVERITY_NOTE || t->shown == BRIEF_TOLD)) {
		append_rest(t->rest, finding, group);
		return;
	}
	put_finding(t->out, t->report, finding, full ? NULL : group,
		    !*advised && (full || !t->brief));
	*advised = true;
	t->shown++;
}

/* "4 findings: 2 warnings, 2 notes"; "69 findings of 18 kinds: ..." where those of a kind are told
 * once */
static void put_title(struct rda_output *out, const struct telling *t, unsigned count)
{
	const struct group *groups = &t->groups[0][0][0];
	const char *before = ":";
	unsigned kinds = 0;

	for (size_t i = 0; i < sizeof(t->groups) / sizeof(*groups); i++)
		kinds += groups[i].count > 0;
	rda_print_in(out, RDA_STYLE_BOLD, "%u finding%s", count, rda_words_plural(count));
	if (kinds < count && !in_full(t))
		rda_print_in(out, RDA_STYLE_BOLD, " of %u kind%s", kinds, rda_words_plural(kinds));
	if (count == 1) { /* which says it itself */
		rda_print(out, "\n");
		return;
	}
	for (int severity = RDA_SEVERITY_COUNT - 1; severity >= 0; severity--) {
		if (!t->counts[severity])
			continue;
		rda_print(out, "%s %u %s%s", before, t->counts[severity],
			  rda_severity_name((enum rda_severity)severity),
			  rda_words_plural(t->counts[severity]));
		before = ",";
	}
	rda_print(out, "\n");
}

static void end(struct telling *t)
{
	struct group *groups = &t->groups[0][0][0];

	for (size_t i = 0; i < sizeof(t->groups) / sizeof(*groups); i++)
		if (groups[i].others)
			g_hash_table_destroy(groups[i].others);
	g_string_free(t->rest, TRUE);
	g_free(t);
}

void rda_report_findings(struct rda_output *out, const struct rda_report *report)
{
	const struct rda_result *result = report->result;
	uint64_t not_kept = rda_result_findings_not_kept(result);
	unsigned all = rda_result_finding_count(result), count = 0;
	struct telling *t;

	if (!all)
		return;
	t = g_new0(struct telling, 1);
	*t = (struct telling){.out = out, .report = report, .rest = g_string_new(NULL)};
	t->brief = rda_result_connection_count(result) > RDA_CHOICE_TOP;
	for (unsigned i = 0; i < all; i++) {
		const struct rda_finding *finding = rda_result_finding(result, i);

		if (!rda_choice_has_finding(&report->choice, result, finding))
			continue;
		add_to(group_of(t, finding), finding);
		t->counts[finding->severity]++;
		count++;
	}
	rda_print(out, rda_choice_is_part(&report->choice) ? "\n" : "");
	put_title(out, t, count);
	for (unsigned i = 0; i < all && rda_output_more(out); i++) {
		const struct rda_finding *finding = rda_result_finding(result, i);

		if (rda_choice_has_finding(&report->choice, result, finding))
			tell(t, finding);
	}
	if (t->rest->len) {
		rda_print(out, "  Also: ");
		rda_output_wrap(out, t->rest->str, 8, INDENT);
	}
	if (t->brief && !t->report->choice.all && !rda_choice_is_part(&report->choice)) {
		rda_print_in(out, RDA_STYLE_FAINT,
			     "  --finding CODE tells all of one check and what to look at next\n");
	}
	if (not_kept)
		rda_print(out, "  %" PRIu64 " cases more than can be kept\n", not_kept);
	end(t);
}

/* ---- what the capture cannot tell ------------------------------------------------------------ */

/* The codes of checks that need `bit` and whose findings were withheld or lowered. */
static void append_codes(GString *to, const struct rda_result *result, uint8_t bit, bool withheld)
{
	bool begun = false;

	for (int i = 0; i < RDA_CHECK_COUNT; i++) {
		const struct rda_check_row *row = rda_check_row((enum rda_check)i);
		uint64_t cases = withheld ? rda_result_withheld(result, (enum rda_check)i)
					  : rda_result_lowered(result, (enum rda_check)i);

		if (!cases || !((withheld ? row->required : row->needs) & bit))
			continue;
		g_string_append_printf(to, "%s%s", begun ? ", " : "", row->code);
		begun = true;
	}
}

/* `headed`: whether any was put before. */
static void put_limit(struct rda_output *out, const struct rda_report *report, uint8_t bit,
		      const char *otherwise, bool *headed)
{
	unsigned connections = 0, count = rda_result_connection_count(report->result);
	GString *withheld = g_string_new(NULL), *lowered = g_string_new(NULL);
	GString *line = g_string_new(NULL);

	for (unsigned i = 0; i < count; i++)
		connections += !(rda_result_connection(report->result, i)->seen & bit);
	append_codes(withheld, report->result, bit, true);
	append_codes(lowered, report->result, bit, false);
	if (connections && (withheld->len || lowered->len)) {
		g_string_append_printf(line, "Of %u connection%s %s:", connections,
				       rda_words_plural(connections), otherwise);
		if (withheld->len)
			g_string_append_printf(line, " not judged by %s;", withheld->str);
		if (lowered->len)
			g_string_append_printf(line, " suspected instead of proven by %s;",
					       lowered->str);
		line->str[line->len - 1] = '.';
		if (!*headed)
			rda_print_in(out, RDA_STYLE_BOLD, "\nWhat this capture cannot tell\n");
		*headed = true;
		rda_print(out, "  ");
		rda_output_wrap(out, line->str, 2, 2);
	}
	g_string_free(withheld, TRUE);
	g_string_free(lowered, TRUE);
	g_string_free(line, TRUE);
}

void rda_report_limits(struct rda_output *out, const struct rda_report *report)
{
	bool headed = false;

#define RDA_X(ID, bit, name, otherwise) put_limit(out, report, RDA_SEEN_##ID, otherwise, &headed);
	RDA_SEEN(RDA_X)
#undef RDA_X
}
