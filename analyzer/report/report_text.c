/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report for people: what each capture holds, then the connections, two lines each: the upper
 * is what the end that was seen first sent, the lower what the other end sent.
 */
#include "analyzer/report/report.h"

#include "analyzer/report/columns.h"
#include "analyzer/report/describe.h"
#include "analyzer/report/output.h"
#include "analyzer/report/units.h"
#include "analyzer/base/words.h"
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
	rda_output_wrap(out->text, text, COLUMN, COLUMN);
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
	if (capture->packets > 1)
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
		{"Undecoded", capture->undecoded, "frames are of a link type not known here"},
	};
	GString *fact = g_string_new(NULL);

	for (unsigned i = 0; i < G_N_ELEMENTS(facts); i++) {
		g_string_truncate(fact, 0);
		append_count(fact, facts[i].count, facts[i].words);
		if (fact->len)
			print_fact(out, facts[i].label, fact->str);
	}
	if (origin->damage) {
		g_string_printf(fact, "%s", origin->damage);
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

/* ---- connections ---------------------------------------------------------------------------- */

/* "792 resent, 29 lost before here": what was not carried, or more than once */
static void append_account(GString *to, const struct rda_flow_facts *flow)
{
	char text[RDA_UNITS_TEXT];
	int64_t stalled = rda_flow_stalled_ns(flow);

	append_count(to, flow->requests[RDA_REQUEST_RESENT], "resent");
	append_count(to, flow->requests[RDA_REQUEST_REORDERED], "reordered");
	if (!flow->has_peer)
		return;
	append_count(to, flow->lost_before, "lost before here");
	append_count(to, flow->lost_after - flow->lost_damaged, "lost behind");
	append_count(to, flow->lost_by_capture, "acked but not captured");
	if (stalled > 0)
		g_string_append_printf(to, ", stalled for %s", rda_units_duration(text, stalled));
}

/* "12 WRITE, 3 SEND, 97 ACK, 2 NAK": what a flow carried */
static void append_messages(GString *to, const struct rda_flow_facts *flow)
{
	static const char *const names[RDA_MESSAGE_COUNT] = {
#define RDA_M(ID, name) [RDA_MESSAGE_##ID] = #ID,
		RDA_MESSAGES(RDA_M)
#undef RDA_M
	};
	uint64_t naks = 0, others;

	for (unsigned i = 0; i < RDA_MESSAGE_COUNT; i++)
		append_count(to, flow->messages[i].count, names[i]);
	for (unsigned i = 0; i < RDA_NAK_COUNT; i++)
		naks += flow->naks[i];
	others = flow->response_packets - flow->acks - naks - flow->rnr_naks;
	append_count(to, others, others == 1 ? "response" : "responses");
	append_count(to, flow->acks, "ACK");
	append_count(to, naks, "NAK");
	append_count(to, flow->rnr_naks, "RNR NAK");
	append_count(to, flow->cnps, "CNP");
	append_count(to, flow->ce_marked, "CE-marked");
	append_count(to, flow->damaged, "damaged");
	append_account(to, flow);
	g_string_replace(to, "ATOMIC_WRITE", "ATOMIC WRITE", 0);
}

/* Payload per time from the flow's first to its last packet; "" where there is none to speak of. */
static const char *rate_text(char text[RDA_UNITS_TEXT], const struct rda_flow_facts *flow)
{
	uint64_t ns = (uint64_t)flow->last_time_ns - (uint64_t)flow->first_time_ns;

	if (ns == 0 || flow->payload_bytes == 0)
		return "";
	return rda_units_compact(text, (uint64_t)((double)flow->payload_bytes * 8e9 / (double)ns));
}

/* One row: what endpoint `side` sent. Measured when `out` is NULL. */
static void put_row(struct rda_columns *columns, struct rda_output *out,
		    const struct rda_result *result, unsigned index)
{
	const struct rda_connection_facts *connection = rda_result_connection(result, index / 2);
	unsigned side = index % 2;
	const struct rda_endpoint *endpoint = &connection->endpoints[side];
	const struct rda_flow_facts *flow = rda_result_flow(result, connection, side);
	const char *service = rda_service_name(connection->service);
	char id[16], type[24], address[RDA_ADDRESS_TEXT], qp[16] = "?";
	char packets[RDA_UNITS_TEXT] = "-", bytes[RDA_UNITS_TEXT] = "-", rate[RDA_UNITS_TEXT];
	GString *messages = g_string_new(NULL);
	const char *cells[] = {"", "", address, qp, packets, bytes, "", ""};

	g_snprintf(id, sizeof(id), "%" PRIu32, connection->id);
	if (side == 0) {
		cells[0] = id;
		g_snprintf(type, sizeof(type), "%s%s%s", service ? service : "?",
			   connection->application ? " " : "",
			   connection->application ? connection->application : "");
		cells[1] = type;
	}
	rda_address_text(address, &endpoint->address);
	if (endpoint->qpn != RDA_QPN_UNKNOWN)
		g_snprintf(qp, sizeof(qp), "0x%06" PRIx32, endpoint->qpn);
	else if (endpoint->port >= 0)
		g_snprintf(qp, sizeof(qp), "%" PRId32, endpoint->port);
	if (flow) {
		rda_units_compact(packets, flow->packets + flow->copies.packets);
		rda_units_compact(bytes, flow->payload_bytes);
		cells[6] = flow->management ? "" : rate_text(rate, flow);
		append_messages(messages, flow);
	} else {
		g_string_append(messages, "not seen");
	}
	cells[7] = messages->str;
	rda_columns_row(columns, out, cells);
	g_string_free(messages, TRUE);
}

/* Longer addresses, which few networks have, get a line of their own. */
#define ADDRESS_LIMIT 25 /* "fe80::e61d:2dff:fef2:a488" */

static void print_table(struct rda_output *out, const struct rda_result *result)
{
	struct rda_columns columns = {
		.column = {{"#", true, 0, 0},
			   {"Type", false, 0, 0},
			   {"Endpoint", false, ADDRESS_LIMIT, 0},
			   {"QP", false, 0, 0},
			   {"Packets", true, 0, 0},
			   {"Bytes", true, 0, 0},
			   {"bit/s", true, 0, 0},
			   {"Sent", false, 0, 0}},
		.count = 8,
		.width = RDA_TEXT_WIDTH,
	};
	unsigned count = rda_result_connection_count(result);

	for (unsigned i = 0; i < 2 * count; i++)
		put_row(&columns, NULL, result, i);
	rda_columns_titles(&columns, out);
	for (unsigned i = 0; i < 2 * count && rda_output_more(out); i++)
		put_row(&columns, out, result, i);
}

/* Services that cannot do without an answer. */
static bool is_reliable(const struct rda_connection_facts *connection)
{
	return connection->service == RDA_SERVICE_RC || connection->service == RDA_SERVICE_XRC ||
	       connection->service == RDA_SERVICE_RD;
}

void rda_report_connections(struct rda_output *out, const struct rda_report *report)
{
	const struct rda_result *result = report->result;
	unsigned count = rda_result_connection_count(result), one_way = 0;
	unsigned skipped = rda_result_groups_not_compared(result);
	char number[RDA_UNITS_TEXT];

	for (unsigned i = 0; i < count; i++) {
		const struct rda_connection_facts *connection = rda_result_connection(result, i);

		one_way += is_reliable(connection) &&
			   (connection->flows[0] < 0 || connection->flows[1] < 0);
	}
	rda_print_in(out, RDA_STYLE_BOLD, "%s connection%s", rda_units_grouped(number, count),
		     rda_words_plural(count));
	if (one_way)
		rda_print(out, ", %s seen in one direction only",
			  rda_units_grouped(number, one_way));
	rda_print(out, "\n");
	print_table(out, result);
	if (skipped)
		rda_print(
			out,
			"Between %s pairs of hosts there were too many flows to find which belong\n"
			"together by their packets.\n",
			rda_units_grouped(number, skipped));
	if (rda_result_keys_not_kept(result))
		rda_print(
			out,
			"There were too many memory keys to follow all: %s requests used others.\n",
			rda_units_grouped(number, rda_result_keys_not_kept(result)));
}

void rda_report_text(struct rda_output *out, const struct rda_report *report)
{
	rda_report_verdict(out, report);
	for (unsigned i = 0; i < report->origin_count && rda_output_more(out); i++) {
		rda_print(out, i ? "\n" : "");
		print_capture(out, rda_result_capture(report->result, i), report->origins[i]);
	}
	if (rda_result_connection_count(report->result)) {
		rda_print(out, "\n");
		rda_report_connections(out, report);
		rda_report_set_up(out, report);
		rda_report_nics(out, report);
		rda_report_ulps(out, report);
	}
	if (report->keys && rda_result_key_count(report->result)) {
		rda_print(out, "\n");
		rda_report_keys(out, report);
	}
	rda_report_findings(out, report);
	rda_report_slowest(out, report);
	rda_report_limits(out, report);
}
