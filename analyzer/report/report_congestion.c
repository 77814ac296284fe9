/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Congestion: what senders did when CNPs told them to slow down, as a table and in records.
 */
#include "analyzer/report/report.h"

#include "analyzer/base/address.h"
#include "analyzer/base/words.h"
#include "analyzer/report/choice.h"
#include "analyzer/report/columns.h"
#include "analyzer/report/describe.h"
#include "analyzer/report/units.h"

#include <inttypes.h>
#include <string.h>

/* Longer addresses have a line of their own. */
enum { ADDRESS_LIMIT = 25 };

/* Of more the others are counted. */
enum { RECEIVERS_TOLD = 10 };

static const struct rda_slowdown *told(const struct rda_flow_facts *flow)
{
	return flow && flow->slowdown ? flow->slowdown : NULL;
}

/* "0.5 %", of which there is no more than all; "-" where nothing was measured. */
static const char *part_of(char text[RDA_WORDS_TEXT], uint64_t part, uint64_t whole)
{
	return whole ? rda_words_percent(text, part, whole) : "-";
}

static void put_row(struct rda_columns *columns, struct rda_output *out,
		    const struct rda_connection_facts *connection,
		    const struct rda_flow_facts *flow)
{
	const struct rda_slowdown *s = flow->slowdown;
	char id[16], address[RDA_ADDRESS_TEXT], cnps[RDA_UNITS_TEXT], cut[RDA_WORDS_TEXT],
		law[RDA_WORDS_TEXT], first[RDA_WORDS_TEXT], least[RDA_WORDS_TEXT],
		back[RDA_UNITS_TEXT];
	bool any = s->cuts > 0;
	uint64_t cuts = MAX(s->cuts, 1); /* sums of many are more than a percentage may be of */
	const char *cells[] = {
		id,
		rda_address_text(address, &flow->key.source),
		rda_units_compact(cnps, s->cnps),
		part_of(cut, s->before > s->after ? (s->before - s->after) / cuts : 0,
			s->before / cuts),
		part_of(law, s->law / cuts, any ? RDA_CUT_WHOLE : 0),
		any ? rda_words_rate(first, s->first) : "-",
		any ? rda_words_rate(least, s->least) : "-",
		s->half.count ? rda_units_duration(back, rda_latency_percentile(&s->half, 50))
			      : "-",
	};

	g_snprintf(id, sizeof(id), "%" PRIu32, connection->id);
	rda_columns_row(columns, out, cells);
}

/* Measured when `out` is NULL. Returns how many rows there are. */
static unsigned put_rows(struct rda_columns *columns, struct rda_output *out,
			 const struct rda_result *result, const GArray *connections)
{
	unsigned count = 0;

	for (unsigned i = 0; i < 2 * connections->len; i++) {
		const struct rda_connection_facts *connection =
			rda_result_connection(result, g_array_index(connections, uint32_t, i / 2));
		const struct rda_flow_facts *flow = rda_result_flow(result, connection, i % 2);

		if (!told(flow))
			continue;
		put_row(columns, out, connection, flow);
		count++;
	}
	return count;
}

static void put_senders(struct rda_output *out, const struct rda_result *result,
			const GArray *connections)
{
	struct rda_columns columns = {
		.column = {{"#", true, 0, 0},
			   {"Sender", false, ADDRESS_LIMIT, 0},
			   {"CNPs", true, 0, 0},
			   {"Mean cut", true, 0, 0},
			   {"DCQCN's", true, 0, 0},
			   {"Rate before", true, 0, 0},
			   {"Least", true, 0, 0},
			   {"Half back", true, 0, 0}},
		.count = 8,
		.width = out->width,
	};

	if (!put_rows(&columns, NULL, result, connections))
		return;
	rda_print_in(out, RDA_STYLE_BOLD, "\nCongestion");
	rda_print(out, ": senders that CNPs told to slow down, and DCQCN as published at least\n");
	rda_columns_titles(&columns, out);
	put_rows(&columns, out, result, connections);
}

static void put_pacing(struct rda_columns *columns, struct rda_output *out,
		       const struct rda_pacing *pacing)
{
	char address[RDA_ADDRESS_TEXT], cnps[RDA_UNITS_TEXT], marks[RDA_UNITS_TEXT],
		expected[RDA_PACING_SCOPES][RDA_UNITS_TEXT];
	const char *name = rda_pacing_name(pacing->by);
	const char *cells[] = {
		rda_address_text(address, &pacing->host),
		rda_units_compact(cnps, pacing->cnps),
		rda_units_compact(marks, pacing->marks),
		expected[RDA_PACING_OF_QP],
		expected[RDA_PACING_OF_PAIR],
		expected[RDA_PACING_OF_PORT],
		name ? name : "not told",
	};

	for (unsigned i = 0; i < RDA_PACING_SCOPES; i++)
		if (pacing->spacing_ns[i] < 0)
			g_strlcpy(expected[i], "-", sizeof(expected[i]));
		else
			rda_units_compact(expected[i], pacing->expected[i]);
	rda_columns_row(columns, out, cells);
}

static void put_receivers(struct rda_output *out, const struct rda_result *result)
{
	struct rda_columns columns = {
		.column = {{"Receiver", false, ADDRESS_LIMIT, 0},
			   {"CNPs", true, 0, 0},
			   {"Marks", true, 0, 0},
			   {"by QP", true, 0, 0},
			   {"by host", true, 0, 0},
			   {"by port", true, 0, 0},
			   {"Paced by", false, 0, 0}},
		.count = 7,
		.width = out->width,
	};
	unsigned count = rda_result_pacing_count(result);

	if (!count)
		return;
	for (unsigned i = 0; i < MIN(count, RECEIVERS_TOLD); i++)
		put_pacing(&columns, NULL, rda_result_pacing(result, i));
	rda_print_in(out, RDA_STYLE_BOLD, "\nReceivers that send CNPs");
	rda_print(
		out,
		", and how many these marks would have with a pace by QP, sending host or port\n");
	rda_columns_titles(&columns, out);
	for (unsigned i = 0; i < MIN(count, RECEIVERS_TOLD); i++)
		put_pacing(&columns, out, rda_result_pacing(result, i));
	if (count > RECEIVERS_TOLD)
		rda_print(out, "  and %u more\n", count - RECEIVERS_TOLD);
}

static bool is_held_by(const struct rda_held_host *held, const struct rda_pausing *pausing)
{
	return held->capture == pausing->capture && held->priority == pausing->priority &&
	       memcmp(held->sender, pausing->sender, sizeof(held->sender)) == 0;
}

/* "10.0.0.1 and 2 more"; "-": nobody, as far as is seen. Owned by the caller. */
static char *held_text(const struct rda_result *result, const struct rda_pausing *pausing)
{
	char address[RDA_ADDRESS_TEXT];
	const struct rda_held_host *most;
	uint32_t others;

	most = rda_result_held_by(result, pausing, &others);
	if (!most)
		return g_strdup("-");
	rda_address_text(address, &most->host);
	return others ? g_strdup_printf("%s and %" PRIu32 " more", address, others)
		      : g_strdup(address);
}

static void put_pausing(struct rda_columns *columns, struct rda_output *out,
			const struct rda_result *result, const struct rda_pausing *pausing)
{
	char *held_hosts = held_text(result, pausing);
	char sender[RDA_MAC_TEXT], priority[8] = "all", pauses[RDA_UNITS_TEXT],
				   releases[RDA_UNITS_TEXT], held[RDA_UNITS_TEXT],
				   longest[RDA_UNITS_TEXT];
	const char *cells[] = {
		rda_address_mac_text(sender, pausing->sender),
		priority,
		rda_units_compact(pauses, pausing->pauses),
		rda_units_compact(releases, pausing->releases),
		rda_units_duration(held, pausing->held_ns),
		rda_units_duration(longest, pausing->longest_ns),
		held_hosts,
	};

	if (pausing->priority >= 0)
		g_snprintf(priority, sizeof(priority), "%d", pausing->priority);
	rda_columns_row(columns, out, cells);
	g_free(held_hosts);
}

void rda_report_pauses(struct rda_output *out, const struct rda_report *report)
{
	struct rda_columns columns = {
		.column = {{"Sender", false, 0, 0},
			   {"Priority", true, 0, 0},
			   {"Pauses", true, 0, 0},
			   {"Releases", true, 0, 0},
			   {"Held", true, 0, 0},
			   {"Longest", true, 0, 0},
			   {"Who sent nothing then", false, 0, 0}},
		.count = 7,
		.width = out->width,
	};
	unsigned count = rda_result_pausing_count(report->result);
	unsigned told = MIN(count, RECEIVERS_TOLD);

	if (!count)
		return;
	for (unsigned i = 0; i < told; i++)
		put_pausing(&columns, NULL, report->result, rda_result_pausing(report->result, i));
	rda_print_in(out, RDA_STYLE_BOLD, "\nPause frames");
	rda_print(out, ", how long they held a link of %" PRIu32 " Gbit/s (--link-speed)\n",
		  rda_result_pausing(report->result, 0)->link_gbits);
	rda_columns_titles(&columns, out);
	for (unsigned i = 0; i < told; i++)
		put_pausing(&columns, out, report->result, rda_result_pausing(report->result, i));
	if (count > told)
		rda_print(out, "  and %u more\n", count - told);
}

void rda_report_congestion(struct rda_output *out, const struct rda_report *report)
{
	uint32_t *problems = rda_choice_problems(report->result);
	GArray *connections = rda_choice_connections(&report->choice, report->result, problems);

	put_senders(out, report->result, connections);
	if (!rda_choice_is_part(&report->choice))
		put_receivers(out, report->result);
	g_array_unref(connections);
	g_free(problems);
}

/* ---- for machines ---------------------------------------------------------------------------- */

static void put_cut(struct rda_record *record, const struct rda_cut *cut)
{
	rda_record_open(record, NULL);
	rda_record_number(record, "file", rda_place_capture(cut->place));
	rda_record_number(record, "frame", rda_place_number(cut->place));
	rda_record_time(record, "time", true, cut->time_ns);
	rda_record_number(record, "cnps", cut->cnps);
	rda_record_number(record, "rate_before", cut->before);
	rda_record_number(record, "rate_after", cut->after);
	rda_record_number(record, "dcqcn_cut_ppm", cut->law / 1000);
	rda_record_close(record);
}

/* Parts in a million. */
static int64_t cut_ppm(const struct rda_slowdown *s)
{
	double before = (double)s->before, after = (double)s->after;

	return s->before ? (int64_t)((before - after) / before * 1000000) : 0;
}

void rda_describe_slowdown(struct rda_record *record, const struct rda_flow_facts *flow)
{
	static const struct rda_slowdown nothing;
	static const struct rda_cut no_cut;
	const struct rda_slowdown *s = flow->slowdown ? flow->slowdown : &nothing;
	bool any = s->cuts > 0;

	rda_record_number(record, "connection", flow->connection);
	rda_record_number(record, "flow", flow->side);
	rda_record_number(record, "cnps", s->cnps);
	rda_record_number(record, "measured_cnps", s->measured_cnps);
	rda_record_number(record, "cuts", s->cuts);
	rda_record_signed_known(record, "mean_cut_ppm", any, cut_ppm(s));
	rda_record_number_known(record, "dcqcn_cut_ppm", any, any ? s->law / s->cuts / 1000 : 0);
	rda_record_number_known(record, "rate_before", any, s->first);
	rda_record_number_known(record, "rate_least", any, s->least);
	rda_describe_latency(record, "half_back_ns", &s->half);
	rda_describe_latency(record, "back_ns", &s->back);
	rda_record_open_list(record, "first_cuts");
	for (uint32_t i = 0; i < rda_record_count(record, s->kept); i++)
		put_cut(record, s->kept ? &s->list[i] : &no_cut);
	rda_record_close(record);
}

void rda_describe_pacing(struct rda_record *record, const struct rda_pacing *pacing)
{
	static const char *const names[RDA_PACING_SCOPES] = {"qp", "pair", "port"};

	rda_record_number(record, "file", pacing->capture);
	rda_record_address(record, "host", &pacing->host);
	rda_record_text(record, "paced_by", rda_pacing_name(pacing->by));
	rda_record_number(record, "cnps", pacing->cnps);
	rda_record_number(record, "marks", pacing->marks);
	rda_record_number(record, "left_out", pacing->left_out);
	rda_record_number(record, "qps", pacing->qps);
	rda_record_number(record, "pairs", pacing->pairs);
	for (unsigned i = 0; i < RDA_PACING_SCOPES; i++) {
		bool known = pacing->spacing_ns[i] >= 0;

		rda_record_open(record, names[i]);
		rda_record_number_known(record, "expected", known, pacing->expected[i]);
		rda_record_signed_known(record, "spacing_ns", known, pacing->spacing_ns[i]);
		rda_record_close(record);
	}
}

static void put_held(struct rda_record *record, const struct rda_held_host *held)
{
	rda_record_open(record, NULL);
	rda_record_address(record, "host", &held->host);
	rda_record_number(record, "connections", held->connections);
	rda_record_number(record, "gaps", held->gaps);
	rda_record_signed(record, "gaps_ns", held->ns);
	rda_record_signed(record, "longest_ns", held->longest_ns);
	rda_record_close(record);
}

void rda_describe_pausing(struct rda_record *record, const struct rda_result *result,
			  const struct rda_pausing *pausing)
{
	static const struct rda_held_host nothing;
	char sender[RDA_MAC_TEXT];

	rda_record_number(record, "file", pausing->capture);
	rda_record_text(record, "sender", rda_address_mac_text(sender, pausing->sender));
	rda_record_number_known(record, "priority", pausing->priority >= 0,
				(uint64_t)pausing->priority);
	rda_record_number(record, "pauses", pausing->pauses);
	rda_record_number(record, "releases", pausing->releases);
	rda_record_signed(record, "held_ns", pausing->held_ns);
	rda_record_signed(record, "longest_ns", pausing->longest_ns);
	rda_record_number(record, "link_gbits", pausing->link_gbits);
	rda_record_number(record, "first_frame", rda_place_number(pausing->first_place));
	rda_record_open_list(record, "held");
	if (!result && rda_record_count(record, 0))
		put_held(record, &nothing);
	for (unsigned i = 0; result && i < rda_result_held_count(result); i++)
		if (is_held_by(rda_result_held(result, i), pausing))
			put_held(record, rda_result_held(result, i));
	rda_record_close(record);
}
