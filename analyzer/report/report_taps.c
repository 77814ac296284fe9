/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What several files are to each other, before anything is said of what is in them; and what became
 * of packets between taps.
 */
#include "analyzer/report/report.h"

#include "analyzer/base/table.h"
#include "analyzer/base/words.h"
#include "analyzer/report/columns.h"
#include "analyzer/report/units.h"
#include "analyzer/taps/clocks.h"
#include "analyzer/taps/relation.h"

#include <inttypes.h>
#include <string.h>

/* Groups are listed one by one as long as somebody reads them. */
enum { GROUPS_LISTED = 10 };

/* ---- what the files are ---------------------------------------------------------------------- */

static uint32_t taps_of(const struct rda_taps *taps, uint32_t first)
{
	uint32_t count = 0;

	while (first + count < taps->count &&
	       taps->taps[first + count].group == taps->taps[first].group)
		count++;
	return count;
}

static void append_name(GString *to, const char *name)
{
	char *harmless = rda_output_harmless(name);

	g_string_append(to, harmless);
	g_free(harmless);
}

/* "a.pcap" or "a0.pcap to a7.pcap (8 files)" */
static void append_files(GString *to, const struct rda_report *report, const struct rda_tap *tap)
{
	if (report->origins[tap->first]->by_interface) {
		append_name(to, tap->name);
		return;
	}
	append_name(to, report->origins[tap->first]->file);
	if (tap->count == 1)
		return;
	g_string_append(to, " to ");
	append_name(to, report->origins[tap->first + tap->count - 1]->file);
	g_string_append_printf(to, " (%u files in order of time)", tap->count);
}

/* "  Tap A    a.pcap" ... */
static void print_group(struct rda_output *out, const struct rda_report *report, uint32_t first,
			uint32_t count)
{
	const struct rda_taps *taps = report->taps;

	for (uint32_t i = first; i < first + count; i++) {
		const struct rda_tap *tap = &taps->taps[i];
		GString *text = g_string_new(NULL);

		if (count > 1 && !report->origins[tap->first]->by_interface &&
		    !g_str_has_suffix(report->origins[tap->first]->file, tap->name)) {
			append_name(text, tap->name);
			g_string_append(text, ": ");
		}
		append_files(text, report, tap);
		if (count > 1)
			rda_print(out, "  Tap %u  ", i - first + 1);
		else
			rda_print(out, "  ");
		rda_output_wrap(out, text->str, count > 1 ? 9 : 2, count > 1 ? 9 : 2);
		g_string_free(text, TRUE);
	}
}

/* "2 files show the same packets: they are two taps of one traffic." */
static void print_what(struct rda_output *out, const struct rda_report *report, uint32_t first,
		       uint32_t count)
{
	const struct rda_tap *last = &report->taps->taps[first + count - 1];
	uint32_t files = last->first + last->count - report->taps->taps[first].first;
	bool interfaces = report->origins[last->first]->by_interface;
	GString *text = g_string_new(NULL);

	if (count > 1)
		g_string_printf(text,
				"%u %s%s show the same packets: they are %u taps of one traffic. "
				"A connection is told as the tap nearest to its requester saw it.",
				files, interfaces ? "interface" : "file", rda_words_plural(files),
				count);
	else if (files > 1)
		g_string_printf(text, "%u files go on where another ends: they are one capture.",
				files);
	else
		g_string_assign(text, "1 file has nothing to do with the others.");
	rda_output_wrap(out, text->str, 0, 0);
	g_string_free(text, TRUE);
}

/* ---- halves of one capture ------------------------------------------------------------------- */

/* What one host sent another; datagrams have no other direction. */
struct half {
	struct rda_address source, destination; /* first: the table's key */
	uint32_t capture;
	bool whole; /* the other direction of some of it is there too, or it is in several groups */
	int64_t first_ns, last_ns; /* of the first flow */
};

static uint32_t group_of(const struct rda_taps *taps, uint32_t capture)
{
	for (uint32_t i = 0; i < taps->count; i++)
		if (capture - taps->taps[i].first < taps->taps[i].count)
			return taps->taps[i].group;
	return UINT32_MAX;
}

static void find_halves(struct rda_table *halves, const struct rda_result *result,
			const struct rda_taps *taps)
{
	for (unsigned i = 0; i < rda_result_flow_count(result); i++) {
		const struct rda_flow_facts *flow = rda_result_flow_at(result, i);
		const struct rda_connection_facts *connection =
			rda_result_connection(result, flow->connection);
		struct rda_address key[2];
		struct half *half;
		bool made;

		if (flow->key.datagram || !flow->packets)
			continue;
		memset(key, 0, sizeof(key));
		key[0] = flow->key.source;
		key[1] = flow->key.destination;
		half = rda_table_get(halves, key, &made);
		if (made) {
			half->capture = (uint32_t)(flow->first_place >> RDA_PLACE_SHIFT);
			half->first_ns = flow->first_time_ns;
			half->last_ns = flow->last_time_ns;
		}
		half->whole |= connection->flows[0] >= 0 && connection->flows[1] >= 0;
		half->whole |= group_of(taps, half->capture) !=
			       group_of(taps, (uint32_t)(flow->first_place >> RDA_PLACE_SHIFT));
	}
}

/* The same two hosts the other way, at the same time and in another capture; NULL: none. */
static const struct half *other_half(const struct rda_table *halves, const struct rda_taps *taps,
				     const struct half *half)
{
	const struct half *other;
	struct rda_address key[2];

	memset(key, 0, sizeof(key));
	key[0] = half->destination;
	key[1] = half->source;
	other = rda_table_find(halves, key);
	return other && !half->whole && !other->whole && other->first_ns <= half->last_ns &&
			       half->first_ns <= other->last_ns &&
			       group_of(taps, other->capture) != group_of(taps, half->capture)
		       ? other
		       : NULL;
}

static void print_halves(struct rda_output *out, const struct rda_report *report)
{
	const struct half *half, *other = NULL;
	struct rda_table halves;

	rda_table_init(&halves, 2 * sizeof(struct rda_address), sizeof(struct half), 0);
	find_halves(&halves, report->result, report->taps);
	for (uint32_t i = 0; i < halves.count && !other; i++) {
		half = halves.items[i];
		other = other_half(&halves, report->taps, half);
	}
	if (other) {
		char one[RDA_ADDRESS_TEXT], two[RDA_ADDRESS_TEXT];
		GString *text = g_string_new("What ");

		g_string_append_printf(text, "%s sent to %s is in ",
				       rda_address_text(one, &half->source),
				       rda_address_text(two, &half->destination));
		append_name(text, report->origins[half->capture]->file);
		g_string_append_printf(text, " only, and what %s sent at that time in ", two);
		append_name(text, report->origins[other->capture]->file);
		g_string_append(text, ": they may be two halves of one capture. If one clock "
				      "stamped both, mergecap makes them one file, and its report "
				      "tells more.");
		rda_output_wrap(out, text->str, 0, 0);
		g_string_free(text, TRUE);
	}
	rda_table_cleanup(&halves, NULL);
}

/* ---------------------------------------------------------------------------------------------- */

void rda_report_relation(struct rda_output *out, const struct rda_report *report)
{
	const struct rda_taps *taps = report->taps;
	GString *text;

	if (!taps || report->origin_count < 2)
		return;
	if (taps->group_count > 1) {
		text = g_string_new(NULL);
		g_string_printf(text,
				"%u files, of %u captures that have nothing to do with each other: "
				"nothing of one is held against another. --each reports on each.",
				report->origin_count, taps->group_count);
		rda_output_wrap(out, text->str, 0, 0);
		g_string_free(text, TRUE);
		print_halves(out, report);
	}
	for (uint32_t i = 0, count; i < taps->count; i += count) {
		count = taps_of(taps, i);
		if (taps->group_count > GROUPS_LISTED ||
		    (taps->group_count > 1 && count == 1 && taps->taps[i].count == 1))
			continue;
		print_what(out, report, i, count);
		print_group(out, report, i, count);
	}
	rda_print(out, "\n");
}

/* ---- clocks ---------------------------------------------------------------------------------- */

static void append_bounds(GString *to, const struct rda_tap *tap, const char *first)
{
	char low[RDA_UNITS_TEXT], high[RDA_UNITS_TEXT];
	const struct rda_taps_bounds *offset = &tap->offset_ns, *drift = &tap->drift_ppb;

	if (!offset->has_min || !offset->has_max) {
		g_string_append(to, "its clock is not known against that of ");
		append_name(to, first);
		g_string_append_printf(to, ": %s.", rda_clock_words(tap->clock));
		return;
	}
	g_string_append_printf(
		to, "its clock is %s%s to %s%s ahead of that of ", offset->min < 0 ? "-" : "",
		rda_units_duration(low, ABS(offset->min)), offset->max < 0 ? "-" : "",
		rda_units_duration(high, ABS(offset->max)));
	append_name(to, first);
	if (drift->has_min && drift->has_max)
		g_string_append_printf(to, ", and runs %.1f to %.1f ppm faster",
				       (double)drift->min / 1000, (double)drift->max / 1000);
	g_string_append_c(to, '.');
}

static void print_clocks(struct rda_output *out, const struct rda_taps *taps)
{
	for (uint32_t i = 0; i < taps->count; i++) {
		char number[RDA_UNITS_TEXT];
		GString *text;

		if (!taps->taps[i].not_compared)
			continue;
		text = g_string_new("Tap ");
		append_name(text, taps->taps[i].name);
		g_string_append_printf(text,
				       ": %s packets were not compared: too many came before.",
				       rda_units_grouped(number, taps->taps[i].not_compared));
		rda_output_wrap(out, text->str, 0, 2);
		g_string_free(text, TRUE);
	}
	for (uint32_t i = 1, first = 0; i < taps->count; i++) {
		GString *text;

		if (taps->taps[i].group != taps->taps[first].group) {
			first = i;
			continue;
		}
		text = g_string_new("Tap ");
		append_name(text, taps->taps[i].name);
		g_string_append(text, ": ");
		append_bounds(text, &taps->taps[i], taps->taps[first].name);
		rda_output_wrap(out, text->str, 0, 2);
		g_string_free(text, TRUE);
	}
}

/* ---- hops ------------------------------------------------------------------------------------ */

static void append_part(GString *to, uint64_t count, const char *what)
{
	char number[RDA_UNITS_TEXT];

	if (count)
		g_string_append_printf(to, "%s%s %s", to->len ? ", " : "",
				       rda_units_grouped(number, count), what);
}

/* Nothing of a direction is at the second tap, and the way from one to the other is not known. */
static bool is_blind(const struct rda_hop *hop)
{
	return hop->lost && hop->lost == hop->packets && !hop->appeared && !hop->ordered;
}

static char *happened(const struct rda_hop *hop)
{
	GString *text = g_string_new(NULL);

	if (is_blind(hop))
		append_part(text, hop->lost, "lost, or the second shows the other way only");
	else
		append_part(text, hop->lost, "lost");
	append_part(text, hop->missed, "missed by the second tap");
	append_part(text, hop->duplicated, "doubled");
	append_part(text, hop->reordered, "overtaken");
	append_part(text, hop->dscp_changed, "with another DSCP");
	append_part(text, hop->ce_set, "marked CE");
	append_part(text, hop->icrc_broken, "damaged");
	append_part(text, hop->appeared, "missed by the first tap");
	append_part(text, hop->not_compared, "not compared");
	if (!text->len)
		g_string_append(text, "all arrived");
	return g_string_free(text, FALSE);
}

/* "p50 12 us, max 40 us, +- 3 us" */
static char *delays(const struct rda_hop *hop)
{
	char p50[RDA_UNITS_TEXT], max[RDA_UNITS_TEXT], error[RDA_UNITS_TEXT];

	if (hop->error_ns < 0 || !hop->delay.count)
		return g_strdup("");
	return g_strdup_printf("%s, max %s, +/- %s",
			       rda_units_duration(p50, rda_latency_percentile(&hop->delay, 50)),
			       rda_units_duration(max, hop->delay.max),
			       rda_units_duration(error, hop->error_ns));
}

static void put_hop(struct rda_columns *columns, struct rda_output *out,
		    const struct rda_report *report, const struct rda_hop *hop)
{
	const struct rda_connection_facts *connection =
		rda_result_connection(report->result, hop->connection);
	const struct rda_taps *taps = report->taps;
	char id[16], packets[RDA_UNITS_TEXT], sender[RDA_ADDRESS_TEXT];
	char *way = g_strdup_printf("%s %s %s", taps->taps[hop->from].name,
				    hop->ordered ? "to" : "and", taps->taps[hop->to].name);
	char *harmless = rda_output_harmless(way), *what = happened(hop), *delay = delays(hop);

	g_snprintf(id, sizeof(id), "%u", hop->connection);
	rda_columns_row(columns, out,
			(const char *[]){
				id,
				rda_address_text(sender, &connection->endpoints[hop->flow].address),
				harmless, rda_units_grouped(packets, hop->packets), what, delay});
	g_free(way);
	g_free(harmless);
	g_free(what);
	g_free(delay);
}

/* ---- waits ----------------------------------------------------------------------------------- */

static double percent_of(int64_t ns, int64_t all)
{
	return (double)ns * 100 / (double)all;
}

/* "Requests of 10.10.0.1 (#0) waited 1.20 s: ..." */
static void print_waits(struct rda_output *out, const struct rda_report *report,
			const struct rda_taps_waits *waits)
{
	const struct rda_connection_facts *connection =
		rda_result_connection(report->result, waits->connection);
	int64_t all = waits->network_ns + waits->responder_ns + waits->unknown_ns;
	char sender[RDA_ADDRESS_TEXT], duration[RDA_UNITS_TEXT];
	GString *text = g_string_new("Requests of ");

	g_string_append_printf(
		text, "%s (#%u) waited %s: %.1f %% for the way between ",
		rda_address_text(sender, &connection->endpoints[waits->flow].address),
		waits->connection, rda_units_duration(duration, all),
		percent_of(waits->network_ns, all));
	append_name(text, report->taps->taps[waits->from].name);
	g_string_append(text, " and ");
	append_name(text, report->taps->taps[waits->to].name);
	g_string_append_printf(text, ", %.1f %% for what is behind that",
			       percent_of(waits->responder_ns, all));
	if (waits->unknown_ns)
		g_string_append_printf(text, ", %.1f %% not known",
				       percent_of(waits->unknown_ns, all));
	g_string_append_c(text, '.');
	rda_output_wrap(out, text->str, 0, 2);
	g_string_free(text, TRUE);
}

/* ---------------------------------------------------------------------------------------------- */

void rda_report_hops(struct rda_output *out, const struct rda_report *report)
{
	struct rda_columns columns = {.column = {{"#", true, 0, 0},
						 {"Sender", false, 0, 0},
						 {"Way", false, 40, 0},
						 {"Packets", true, 0, 0},
						 {"What became of them", false, 0, 0},
						 {"One way", false, 0, 0}},
				      .count = 6,
				      .width = out->width};
	const struct rda_taps *taps = report->taps;

	if (!taps || !taps->hop_count)
		return;
	rda_print_in(out, RDA_STYLE_BOLD, "\nBetween the taps\n");
	for (uint32_t i = 0; i < taps->hop_count; i++)
		put_hop(&columns, NULL, report, &taps->hops[i]);
	rda_columns_titles(&columns, out);
	for (uint32_t i = 0; i < taps->hop_count && rda_output_more(out); i++)
		put_hop(&columns, out, report, &taps->hops[i]);
	print_clocks(out, taps);
	for (uint32_t i = 0; i < taps->wait_count && rda_output_more(out); i++)
		print_waits(out, report, &taps->waits[i]);
}
