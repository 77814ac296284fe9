/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report for people: the verdict and the findings, then what each capture holds, and the
 * tables. Where only a part is asked for (choice.h) it is the connections, their tables and their
 * findings.
 */
#include "analyzer/report/report.h"

#include "analyzer/report/output.h"
#include "analyzer/report/units.h"
#include "dissectors/link.h"

#include <inttypes.h>

/* ---- captures ------------------------------------------------------------------------------- */

static void append_count(GString *to, uint64_t count, const char *what)
{
	char number[RDA_UNITS_TEXT];

	if (count)
		g_string_append_printf(to, "%s%s %s", to->len ? ", " : "",
				       rda_units_grouped(number, count), what);
}

/* "  Label      text", wrapped under itself */
static void print_fact(struct rda_output *out, const char *label, const char *text)
{
	enum { COLUMN = 14 };

	rda_print(out, "  %-*s", COLUMN - 2, label);
	rda_output_wrap(out, text, COLUMN, COLUMN);
}

static void append_links(GString *to, const struct rda_capture *capture)
{
	for (unsigned i = 0; i < capture->link_count; i++) {
		const char *name = rda_link_name(capture->links[i]);

		g_string_append(to, i ? ", " : "");
		if (name)
			g_string_append(to, name);
		else
			g_string_append_printf(to, "LINKTYPE %u", capture->links[i]);
	}
}

static void print_packets(struct rda_output *out, const struct rda_capture *capture)
{
	char text[RDA_UNITS_TEXT];
	GString *fact = g_string_new(NULL);

	g_string_append_printf(fact, "%s (", rda_units_grouped(text, capture->packets));
	append_links(fact, capture);
	g_string_append(fact, capture->more_links ? ", ...)" : ")");
	print_fact(out, "Packets", fact->str);
	g_string_assign(fact, rda_units_date(text, capture->first_time_ns));
	if (capture->packets > 1 && rda_was_set_back(capture->back_ns))
		g_string_append(fact, ", the earliest; the clock was set back");
	else if (capture->packets > 1)
		g_string_append_printf(
			fact, ", for %s",
			rda_units_duration(text, (int64_t)((uint64_t)capture->last_time_ns -
							   (uint64_t)capture->first_time_ns)));
	print_fact(out, "Time", fact->str);
	g_string_free(fact, TRUE);
}

static uint64_t rdma_packets(const struct rda_capture *capture)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < RDA_CARRIER_COUNT; i++)
		sum += capture->rdma_packets[i];
	return sum;
}

static void print_rdma(struct rda_output *out, const struct rda_capture *capture)
{
	static const char *const names[RDA_CARRIER_COUNT] = {
#define RDA_C(ID, name, people) [RDA_CARRIER_##ID] = people,
		RDA_CARRIERS(RDA_C)
#undef RDA_C
	};
	GString *fact = g_string_new(NULL);

	for (unsigned i = RDA_CARRIER_NONE + 1; i < RDA_CARRIER_COUNT; i++)
		append_count(fact, capture->rdma_packets[i], names[i]);
	print_fact(out, "RDMA", fact->str);
	g_string_free(fact, TRUE);
}

static void print_icrc(struct rda_output *out, const struct rda_capture *capture)
{
	GString *fact = g_string_new(NULL);

	append_count(fact, capture->icrc[RDA_ICRC_GOOD], "good");
	append_count(fact, capture->icrc[RDA_ICRC_BAD], "bad (damaged on the way)");
	append_count(fact, capture->icrc[RDA_ICRC_ABSENT],
		     "absent (captured before the sender put it in)");
	append_count(fact, capture->icrc[RDA_ICRC_NOT_CHECKABLE], "not checkable");
	print_fact(out, "ICRC", fact->str);
	g_string_truncate(fact, 0);
	append_count(fact, capture->vcrc_good, "good");
	append_count(fact, capture->vcrc_bad, "bad");
	if (fact->len)
		print_fact(out, "VCRC", fact->str);
	g_string_free(fact, TRUE);
}

/* What is out of the ordinary; most captures have none of it. */
static void print_oddities(struct rda_output *out, const struct rda_capture *capture,
			   const struct rda_origin *origin)
{
	const struct {
		const char *label;
		uint64_t count;
		const char *words;
	} facts[] = {
		{"Cut", capture->cut_by_snaplen, "packets were cut by the snap length"},
		{"Malformed", capture->malformed, "RDMA packets contradict themselves"},
		{"Fragments", capture->fragments, "IP fragments"},
		{"Pause", capture->pause_frames, "pause frames"},
		{"PFC", capture->pfc_frames, "priority flow control frames"},
		{"Too deep", capture->too_deep, "frames have too many headers to decode"},
		{"Gaps", capture->gaps_given_up,
		 "gaps in TCP streams were given up: too much was held behind them"},
		{"Left out", capture->not_followed,
		 "TCP segments are of more iWARP connections than are followed"},
		{"Dropped", capture->dropped,
		 "packets more that the capturing program says it could not keep"},
		{"Undecoded", capture->undecoded, "frames are of a link type not known here"},
	};
	GString *fact = g_string_new(NULL);

	for (unsigned i = 0; i < G_N_ELEMENTS(facts); i++) {
		g_string_truncate(fact, 0);
		append_count(fact, facts[i].count, facts[i].words);
		if (fact->len)
			print_fact(out, facts[i].label, fact->str);
	}
	if (origin->stopped &&
	    (g_str_has_prefix(origin->stopped, "SIG") || strcmp(origin->stopped, "memory") == 0)) {
		g_string_printf(fact, "by %s: this is about what was read till then",
				g_str_has_prefix(origin->stopped, "SIG") ? origin->stopped
									 : "the end of memory");
		print_fact(out, "Stopped", fact->str);
	}
	if (origin->damage) {
		char *reason = rda_output_harmless(origin->damage); /* libraries quote files */

		g_string_printf(fact, "%s", reason);
		g_free(reason);
		if (origin->damaged_at >= 0)
			g_string_append_printf(fact, " (offset %" PRId64 ")", origin->damaged_at);
		g_string_append(fact, "; this is about what comes before it");
		rda_style(out, RDA_STYLE_RED);
		print_fact(out, "Damaged", fact->str);
		rda_style(out, RDA_STYLE_PLAIN);
	}
	g_string_free(fact, TRUE);
}

static void print_capture(struct rda_output *out, const struct rda_capture *capture,
			  const struct rda_origin *origin)
{
	char *name = rda_output_harmless(strcmp(origin->file, "-") == 0 ? "standard input"
									: origin->file);

	rda_print_in(out, RDA_STYLE_BOLD, "%s\n", name);
	g_free(name);
	if (capture->packets)
		print_packets(out, capture);
	if (origin->by_interface) {
		char *interface = g_strdup_printf("%" PRIu32, origin->interface);

		print_fact(out, "Interface", interface);
		g_free(interface);
	}
	if (origin->first_frame) {
		char *from = g_strdup_printf("from %" PRIu64 " on", origin->first_frame);

		print_fact(out, "Frames", from);
		g_free(from);
	}
	if (rdma_packets(capture)) {
		print_rdma(out, capture);
		if (rdma_packets(capture) > capture->rdma_packets[RDA_CARRIER_IWARP])
			print_icrc(out, capture);
	} else {
		char *why = rda_others_why_nothing(capture, &origin->others);

		print_fact(out, "RDMA", why);
		g_free(why);
	}
	print_oddities(out, capture, origin);
}

void rda_report_text(struct rda_output *out, const struct rda_report *report)
{
	bool part = rda_choice_is_part(&report->choice);

	if (!part) {
		rda_report_explained(out, report);
		rda_report_relation(out, report);
		rda_report_quality(out, report);
		rda_report_verdict(out, report);
		rda_report_findings(out, report);
		if (rda_result_finding_count(report->result))
			rda_print(out, "\n");
	}
	for (unsigned i = 0; i < report->origin_count && !part && rda_output_more(out); i++) {
		rda_print(out, i ? "\n" : "");
		print_capture(out, rda_result_capture(report->result, i), report->origins[i]);
	}
	if (rda_result_connection_count(report->result)) {
		rda_print(out, part ? "" : "\n");
		rda_report_connections(out, report);
		if (!part)
			rda_report_hops(out, report);
		if (!report->choice.code) {
			rda_report_time(out, report);
			rda_report_congestion(out, report);
			if (!part)
				rda_report_collectives(out, report);
			rda_report_latencies(out, report);
			rda_report_hosts(out, report);
			rda_report_set_up(out, report);
		}
		if (!part && (report->choice.all ||
			      rda_result_connection_count(report->result) <= RDA_CHOICE_TOP))
			rda_report_nics(out, report);
		if (!part)
			rda_report_ulps(out, report);
	}
	if (!part) {
		rda_report_pauses(out, report);
		rda_report_counters(out, report);
	}
	if (part) {
		rda_report_findings(out, report);
		return;
	}
	if (report->keys && rda_result_key_count(report->result)) {
		rda_print(out, "\n");
		rda_report_keys(out, report);
	}
	rda_report_slowest(out, report);
	rda_report_limits(out, report);
}
