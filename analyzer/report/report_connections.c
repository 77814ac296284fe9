/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The connections for people. Few are listed in full, two lines each: the upper is what the end
 * that was seen first sent, the lower what the other end sent. Of many the worst have a line each,
 * with the reason, and all without a problem one together.
 */
#include "analyzer/report/report.h"

#include "analyzer/base/words.h"
#include "analyzer/facts/flow_facts.h"
#include "analyzer/report/columns.h"
#include "analyzer/report/output.h"
#include "analyzer/report/units.h"

#include <inttypes.h>

static void append_count(GString *to, uint64_t count, const char *what)
{
	char number[RDA_UNITS_TEXT];

	if (count)
		g_string_append_printf(to, "%s%s %s", to->len ? ", " : "",
				       rda_units_grouped(number, count), what);
}

/* ---- in full --------------------------------------------------------------------------------- */

/* "792 resent, 29 lost before here": what was not carried, or more than once */
static void append_account(GString *to, const struct rda_flow_facts *flow)
{
	const struct rda_flow_troubles *troubles = rda_flow_troubles(flow);
	char text[RDA_UNITS_TEXT];
	int64_t stalled = rda_flow_stalled_ns(flow);

	append_count(to, flow->requests[RDA_REQUEST_RESENT], "resent");
	append_count(to, flow->requests[RDA_REQUEST_REORDERED], "reordered");
	if (!flow->has_peer)
		return;
	append_count(to, troubles->lost_before, "lost before here");
	append_count(to, troubles->lost_after - troubles->lost_damaged, "lost behind");
	append_count(to, troubles->lost_by_capture, "acked but not captured");
	if (stalled > 0)
		g_string_append_printf(to, ", stalled for %s", rda_units_duration(text, stalled));
}

/* "12 WRITE, 3 SEND, 97 ACK, 2 NAK": what a flow carried */
static void append_messages(GString *to, const struct rda_flow_facts *flow)
{
	const struct rda_flow_troubles *troubles = rda_flow_troubles(flow);
	static const char *const names[RDA_MESSAGE_COUNT] = {
#define RDA_M(ID, name) [RDA_MESSAGE_##ID] = #ID,
		RDA_MESSAGES(RDA_M)
#undef RDA_M
	};
	uint64_t naks = 0, others;

	for (unsigned i = 0; i < RDA_MESSAGE_COUNT; i++)
		append_count(to, rda_flow_message_count(flow, (enum rda_message)i).count, names[i]);
	for (unsigned i = 0; i < RDA_NAK_COUNT; i++)
		naks += troubles->naks[i];
	others = flow->response_packets - flow->acks - naks - troubles->rnr_naks;
	append_count(to, others, others == 1 ? "response" : "responses");
	append_count(to, flow->acks, "ACK");
	append_count(to, naks, "NAK");
	append_count(to, troubles->rnr_naks, "RNR NAK");
	append_count(to, troubles->cnps, "CNP");
	append_count(to, troubles->ce_marked, "CE-marked");
	append_count(to, troubles->damaged, "damaged");
	append_account(to, flow);
	g_string_replace(to, "ATOMIC_WRITE", "ATOMIC WRITE", 0);
}

/* Payload per time from the flow's first to its last packet; "" where there is none to speak of. */
static const char *rate_text(char text[RDA_UNITS_TEXT], const struct rda_flow_facts *flow)
{
	uint64_t ns = (uint64_t)flow->last_time_ns - (uint64_t)flow->first_time_ns;

	if (ns == 0 || flow->set_back || flow->payload_bytes == 0)
		return "";
	return rda_units_compact(text, (uint64_t)((double)flow->payload_bytes * 8e9 / (double)ns));
}

/* One row: what endpoint `side` sent. Measured when `out` is NULL. */
static void put_row(struct rda_columns *columns, struct rda_output *out,
		    const struct rda_result *result, uint32_t id_of, unsigned side)
{
	const struct rda_connection_facts *connection = rda_result_connection(result, id_of);
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
		rda_units_compact(packets, flow->packets + rda_flow_troubles(flow)->copies.packets);
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

static void print_in_full(struct rda_output *out, const struct rda_result *result,
			  const GArray *ids)
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
		.width = out->width,
	};

	for (guint i = 0; i < 2 * ids->len; i++)
		put_row(&columns, NULL, result, g_array_index(ids, uint32_t, i / 2), i % 2);
	rda_columns_titles(&columns, out);
	for (guint i = 0; i < 2 * ids->len && rda_output_more(out); i++)
		put_row(&columns, out, result, g_array_index(ids, uint32_t, i / 2), i % 2);
}

/* ---- one line each --------------------------------------------------------------------------- */

/* What both directions of some connections carried. */
struct sum {
	uint64_t connections, packets, bytes;
	int64_t stalled_ns;
	struct rda_latency latency; /* of messages */
};

static void add(struct sum *sum, const struct rda_result *result, uint32_t id)
{
	const struct rda_connection_facts *connection = rda_result_connection(result, id);

	sum->connections++;
	for (unsigned side = 0; side < 2; side++) {
		const struct rda_flow_facts *flow = rda_result_flow(result, connection, side);

		if (!flow)
			continue;
		sum->packets += flow->packets + rda_flow_troubles(flow)->copies.packets;
		sum->bytes += flow->payload_bytes;
		sum->stalled_ns =
			rda_ns_sum(sum->stalled_ns, flow->has_peer ? rda_flow_stalled_ns(flow) : 0);
		for (unsigned kind = 0; flow->latencies && kind < RDA_MESSAGE_COUNT; kind++)
			rda_latency_merge(&sum->latency, flow->latencies->kinds[kind]);
	}
}

enum { NAMED_WIDTH = 100 };

#define BETWEEN_LIMIT 33 /* "255.255.255.255 - 255.255.255.255" */

/* "S02 retransmission, S05, T06": the weightiest, with its name where there is room, then the codes
 * of the others */
static void append_why(GString *to, const struct rda_result *result, uint32_t id, uint32_t problem,
		       bool named)
{
	bool told[RDA_CHECK_COUNT] = {false};

	for (uint32_t i = problem; i < rda_result_finding_count(result); i++) {
		const struct rda_finding *finding = rda_result_finding(result, i);
		const struct rda_check_row *row = rda_check_row(finding->key.check);
		bool first = to->len == 0;

		if (finding->severity == RDA_SEVERITY_NOTE)
			return;
		if (finding->connection != (int64_t)id || told[finding->key.check])
			continue;
		g_string_append_printf(to, "%s%s%s%s", to->len ? ", " : "", row->code,
				       first && named ? " " : "", first && named ? row->name : "");
		told[finding->key.check] = true;
	}
}

/* Measured when `out` is NULL. */
static void put_line(struct rda_columns *columns, struct rda_output *out,
		     const struct rda_result *result, uint32_t id, uint32_t problem)
{
	const struct rda_connection_facts *connection = rda_result_connection(result, id);
	const char *service = rda_service_name(connection->service);
	char number[16], ends[2][RDA_ADDRESS_TEXT], packets[RDA_UNITS_TEXT], bytes[RDA_UNITS_TEXT];
	char latency[RDA_UNITS_TEXT] = "", stalled[RDA_UNITS_TEXT] = "";
	GString *between = g_string_new(NULL), *why = g_string_new(NULL);
	struct sum sum = {0};

	add(&sum, result, id);
	g_snprintf(number, sizeof(number), "%" PRIu32, id);
	g_string_printf(between, "%s - %s",
			rda_address_text(ends[0], &connection->endpoints[0].address),
			rda_address_text(ends[1], &connection->endpoints[1].address));
	rda_units_compact(packets, sum.packets);
	rda_units_compact(bytes, sum.bytes);
	if (sum.latency.count)
		rda_units_duration(latency, rda_latency_percentile(&sum.latency, 99));
	if (sum.stalled_ns)
		rda_units_duration(stalled, sum.stalled_ns);
	append_why(why, result, id, problem, columns->width >= NAMED_WIDTH);
	rda_columns_row(columns, out,
			(const char *[]){number, service ? service : "?", between->str, packets,
					 bytes, latency, stalled, why->str});
	rda_latency_cleanup(&sum.latency);
	g_string_free(between, TRUE);
	g_string_free(why, TRUE);
}

static void print_lines(struct rda_output *out, const struct rda_result *result, const GArray *ids,
			guint count, const uint32_t *problems)
{
	struct rda_columns columns = {
		.column = {{"#", true, 0, 0},
			   {"Type", false, 0, 0},
			   {"Between", false, BETWEEN_LIMIT, 0},
			   {"Packets", true, 0, 0},
			   {"Bytes", true, 0, 0},
			   {"p99", true, 0, 0},
			   {"Stalled", true, 0, 0},
			   {"Why", false, 0, 0}},
		.count = 8,
		.width = out->width,
	};

	for (guint i = 0; i < count; i++) {
		uint32_t id = g_array_index(ids, uint32_t, i);

		put_line(&columns, NULL, result, id, problems[id]);
	}
	rda_columns_titles(&columns, out);
	for (guint i = 0; i < count && rda_output_more(out); i++) {
		uint32_t id = g_array_index(ids, uint32_t, i);

		put_line(&columns, out, result, id, problems[id]);
	}
}

static void print_healthy(struct rda_output *out, const struct rda_result *result,
			  const GArray *ids, guint told, const uint32_t *problems)
{
	char number[RDA_UNITS_TEXT], median[RDA_UNITS_TEXT], most[RDA_UNITS_TEXT];
	GString *line = g_string_new(NULL);
	struct sum sum = {0};

	for (guint i = 0; i < ids->len; i++) {
		uint32_t id = g_array_index(ids, uint32_t, i);

		if (problems[id] == RDA_CHOICE_HEALTHY)
			add(&sum, result, id);
	}
	g_string_append_printf(line, "%s without a problem",
			       rda_units_grouped(number, sum.connections));
	g_string_append_printf(line, ": %s packets", rda_units_grouped(number, sum.packets));
	g_string_append_printf(line, ", %s bytes", rda_units_compact(number, sum.bytes));
	if (sum.latency.count)
		g_string_append_printf(
			line, ", p50 %s, p99 %s",
			rda_units_duration(median, rda_latency_percentile(&sum.latency, 50)),
			rda_units_duration(most, rda_latency_percentile(&sum.latency, 99)));
	if (ids->len > told)
		g_string_append(line, " (--all lists every connection)");
	if (sum.connections)
		rda_output_wrap(out, line->str, 0, 2);
	rda_latency_cleanup(&sum.latency);
	g_string_free(line, TRUE);
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* Services that cannot do without an answer. */
static bool is_reliable(const struct rda_connection_facts *connection)
{
	return connection->service == RDA_SERVICE_RC || connection->service == RDA_SERVICE_XRC ||
	       connection->service == RDA_SERVICE_RD;
}

/* "1,000 connections, 37 with a problem, 3 seen in one direction only" */
static void print_title(struct rda_output *out, const struct rda_result *result, const GArray *ids,
			const uint32_t *problems)
{
	unsigned one_way = 0, bad = 0;
	char number[RDA_UNITS_TEXT];

	for (guint i = 0; i < ids->len; i++) {
		uint32_t id = g_array_index(ids, uint32_t, i);
		const struct rda_connection_facts *connection = rda_result_connection(result, id);

		bad += problems[id] != RDA_CHOICE_HEALTHY;
		one_way += is_reliable(connection) &&
			   (connection->flows[0] < 0 || connection->flows[1] < 0);
	}
	rda_print_in(out, RDA_STYLE_BOLD, "%s connection%s", rda_units_grouped(number, ids->len),
		     rda_words_plural(ids->len));
	if (bad && ids->len > 1)
		rda_print(out, ", %s with a problem", rda_units_grouped(number, bad));
	if (one_way)
		rda_print(out, ", %s seen in one direction only",
			  rda_units_grouped(number, one_way));
	rda_print(out, "\n");
}

static void print_limits(struct rda_output *out, const struct rda_result *result)
{
	unsigned skipped = rda_result_groups_not_compared(result);
	const struct rda_retired *retired = rda_result_retired(result);
	char number[RDA_UNITS_TEXT];

	if (skipped)
		rda_print(
			out,
			"Between %s pairs of hosts there were too many flows to find which belong\n"
			"together by their packets.\n",
			rda_units_grouped(number, skipped));
	if (retired->connections) {
		rda_print(out, "%s idle connection%s closed early, for want of memory",
			  rda_units_grouped(number, retired->connections),
			  retired->connections == 1 ? " was" : "s were");
		rda_print(
			out,
			" (--memory): %s packets. What was found of\n"
			"them is told of their captures, and is not proven; their time, and what\n"
			"they show of NICs, is in no sum.\n",
			rda_units_grouped(number, retired->packets));
	}
	if (rda_result_conversations_not_kept(result))
		rda_print(out,
			  "There were too many conversations of connection management, or names of "
			  "them, to\n"
			  "follow all: %s messages are of others.\n",
			  rda_units_grouped(number, rda_result_conversations_not_kept(result)));
	if (rda_result_keys_not_kept(result))
		rda_print(
			out,
			"There were too many memory keys to follow all: %s requests used others.\n",
			rda_units_grouped(number, rda_result_keys_not_kept(result)));
}

void rda_report_connections(struct rda_output *out, const struct rda_report *report)
{
	const struct rda_choice *choice = &report->choice;
	const struct rda_result *result = report->result;
	guint top = choice->top ? choice->top : RDA_CHOICE_TOP;
	uint32_t *problems = rda_choice_problems(result);
	/* few are told in the order in which they came, unless another is asked for */
	bool in_full = choice->all || rda_result_connection_count(result) <= top;
	struct rda_choice order = *choice;
	GArray *ids;

	if (in_full && choice->sort == RDA_SORT_WORST)
		order.sort = RDA_SORT_ID;
	ids = rda_choice_connections(&order, result, problems);
	print_title(out, result, ids, problems);
	if (ids->len && (in_full || ids->len == 1)) {
		print_in_full(out, result, ids);
	} else if (ids->len) {
		print_lines(out, result, ids, MIN(top, ids->len), problems);
		print_healthy(out, result, ids, top, problems);
	}
	print_limits(out, result);
	g_array_unref(ids);
	g_free(problems);
}
