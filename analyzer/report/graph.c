/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A connection over time, drawn with characters. See graph.h.
 */
#include "analyzer/report/graph.h"

#include "analyzer/engine/fpdus.h"
#include "analyzer/facts/time_facts.h"
#include "analyzer/report/time_slots.h"
#include "analyzer/report/units.h"
#include "dissectors/aeth.h"

#include <inttypes.h>
#include <string.h>

enum {
	ROWS = 16,
	LABEL = 9, /* columns of the scale */
	EIGHTHS = 8,
};

/* What a point is, the one that hides others last: RDA_MARKS(M): M(ID, Unicode, ASCII, "words") */
#define RDA_MARKS(M)                                                                               \
	M(ANSWERED, "-", "-", "answered")                                                          \
	M(SENT, "\xc2\xb7", ".", "sent")                                                           \
	M(LATE, "\xe2\x97\x8b", "o", "reordered")                                                  \
	M(RESENT, "\xe2\x97\x8f", "#", "resent")                                                   \
	M(RNR, "\xe2\x97\x86", "R", "RNR NAK")                                                     \
	M(NAK, "\xc3\x97", "X", "NAK")

enum mark {
#define RDA_M(ID, unicode, ascii, words) MARK_##ID,
	RDA_MARKS(RDA_M)
#undef RDA_M
		MARKS
};

static const struct {
	const char *unicode, *ascii, *words;
} marks[MARKS] = {
#define RDA_M(ID, unicode, ascii, words) [MARK_##ID] = {unicode, ascii, words},
	RDA_MARKS(RDA_M)
#undef RDA_M
};

/* What is kept of one mark in a slice of time. */
struct extent {
	bool any;
	int64_t least, most, sum;
};

struct column {
	struct extent extents[MARKS];
};

struct rda_graph {
	enum rda_graph_kind kind;
	const struct rda_result *result;
	const struct rda_connection_facts *connection;
	unsigned width; /* columns of the drawing */
	bool ascii;
	int64_t begin_ns;
	uint64_t span_ns;
	struct column *sides[2];	/* what endpoint i asked for, or sent */
	struct rda_time_slots times[2]; /* LEDGER */
};

/* ---- what is kept ---------------------------------------------------------------------------- */

static const struct kind_words {
	const char *title, *none;
} kind_words[] = {
	[RDA_GRAPH_NONE] = {"", ""},
	[RDA_GRAPH_PSN] = {"PSNs from the first request on",
			   "no requests with PSNs (iWARP has none)"},
	[RDA_GRAPH_OUTSTANDING] = {"PSNs sent and not acknowledged",
				   "no requests that were followed"},
	[RDA_GRAPH_GOODPUT] = {"bit/s of payload, each packet once", "no payload"},
	[RDA_GRAPH_LATENCY] = {"how long messages took", "no messages that were timed"},
	[RDA_GRAPH_LEDGER] = {"where the time of its requests went",
			      "where the time went is not known (iWARP, datagrams, one way only)"},
};

struct rda_graph *rda_graph_new(enum rda_graph_kind kind, const struct rda_result *result,
				uint32_t connection, unsigned width, bool ascii)
{
	struct rda_graph *graph = g_new0(struct rda_graph, 1);
	struct rda_connection_times times;

	graph->kind = kind;
	graph->result = result;
	graph->connection = rda_result_connection(result, connection);
	graph->width = width - LABEL - 3;
	graph->ascii = ascii;
	times = rda_result_connection_times(result, graph->connection);
	graph->begin_ns = times.first_ns;
	graph->span_ns = (uint64_t)times.last_ns - (uint64_t)times.first_ns;
	for (unsigned side = 0; side < 2; side++) {
		graph->sides[side] = g_new0(struct column, graph->width);
		rda_time_slots_init(&graph->times[side], graph->begin_ns,
				    (int64_t)(graph->span_ns / graph->width) + 1, graph->width);
	}
	return graph;
}

void rda_graph_free(struct rda_graph *graph)
{
	for (unsigned side = 0; side < 2; side++) {
		g_free(graph->sides[side]);
		rda_time_slots_cleanup(&graph->times[side]);
	}
	g_free(graph);
}

static void keep(struct rda_graph *graph, unsigned side, int64_t time_ns, enum mark mark,
		 int64_t value)
{
	uint64_t since =
		time_ns > graph->begin_ns ? (uint64_t)time_ns - (uint64_t)graph->begin_ns : 0;
	double place = (double)MIN(since, graph->span_ns) / ((double)graph->span_ns + 1);
	/* a double is exact up to 2^53 ns: past that the end is at 1.0 */
	unsigned column = MIN((unsigned)(place * graph->width), graph->width - 1);
	struct extent *extent = &graph->sides[side][column].extents[mark];

	extent->least = extent->any ? MIN(extent->least, value) : value;
	extent->most = extent->any ? MAX(extent->most, value) : value;
	extent->sum += value;
	extent->any = true;
}

static bool is_request(const struct rda_sight *sight)
{
	if (!sight->fpdu)
		return rda_has(sight->packet, BTH) &&
		       sight->packet->opcode->roles & RDA_ROLE_REQUEST;
	return !sight->fpdu->is_start &&
	       rda_rdmap_operation(sight->fpdu->fpdu.ulpdu.opcode)->roles & RDA_ROLE_REQUEST;
}

static enum mark mark_of(const struct rda_sight *sight, bool request)
{
	if (request)
		return sight->trace.standing == RDA_STANDING_RESENT	 ? MARK_RESENT
		       : sight->trace.standing == RDA_STANDING_REORDERED ? MARK_LATE
									 : MARK_SENT;
	if (sight->fpdu || !rda_has(sight->packet, AETH))
		return MARK_ANSWERED;
	switch (rda_syndrome_kind(sight->packet->aeth.syndrome)) {
	case RDA_AETH_NAK: return MARK_NAK;
	case RDA_AETH_RNR: return MARK_RNR;
	case RDA_AETH_ACK:
	case RDA_AETH_RESERVED: break;
	}
	return MARK_ANSWERED;
}

static int64_t payload_of(const struct rda_sight *sight)
{
	if (sight->fpdu)
		return sight->fpdu->is_start ? 0 : sight->fpdu->fpdu.ulpdu.payload_length;
	return sight->packet->payload_known ? sight->packet->payload_length : 0;
}

/* Of the messages that the packet completed. */
static void add_latencies(struct rda_graph *graph, const struct rda_sight *sight, unsigned asker)
{
	int64_t time_ns = sight->meta->time_ns;

	if (sight->fpdu && sight->fpdu->done && sight->fpdu->latency_ns >= 0)
		keep(graph, asker, time_ns, MARK_SENT, sight->fpdu->latency_ns);
	for (unsigned i = 0; i < sight->event_count; i++)
		if (sight->events[i].kind == RDA_EVENT_MESSAGE_DONE &&
		    sight->events[i].wait_ns >= 0)
			keep(graph, asker, time_ns, MARK_SENT, sight->events[i].wait_ns);
}

void rda_graph_add(struct rda_graph *graph, const struct rda_sight *sight)
{
	bool request = is_request(sight), again = sight->trace.retransmission_of != 0;
	unsigned sender = (unsigned)sight->verdict.flow, asker = request ? sender : 1 - sender;
	int64_t time_ns = sight->meta->time_ns;

	if (sight->verdict.connection != (int64_t)graph->connection->id || sight->verdict.flow < 0)
		return;
	switch (graph->kind) {
	case RDA_GRAPH_PSN:
		if (sight->trace.relative_known)
			keep(graph, asker, time_ns, mark_of(sight, request),
			     sight->trace.relative_psn);
		break;
	case RDA_GRAPH_OUTSTANDING:
		if (sight->trace.flight_known)
			keep(graph, asker, time_ns, MARK_SENT,
			     (int64_t)sight->trace.psns_in_flight);
		break;
	case RDA_GRAPH_GOODPUT:
		if (!again && payload_of(sight))
			keep(graph, sender, time_ns, MARK_SENT, payload_of(sight));
		break;
	case RDA_GRAPH_LATENCY: add_latencies(graph, sight, asker); break;
	case RDA_GRAPH_LEDGER:
	case RDA_GRAPH_NONE: break;
	}
}

void rda_graph_time(struct rda_graph *graph, const struct rda_time_sight *time)
{
	if (graph->kind == RDA_GRAPH_LEDGER && time->connection == graph->connection->id)
		rda_time_slots_add(&graph->times[time->side], time);
}

/* ---- drawing --------------------------------------------------------------------------------- */

static bool is_bars(const struct rda_graph *graph)
{
	return graph->kind == RDA_GRAPH_OUTSTANDING || graph->kind == RDA_GRAPH_GOODPUT;
}

/* What a column's bar shows. */
static int64_t height_of(const struct rda_graph *graph, const struct extent *extent)
{
	if (!extent->any)
		return 0;
	if (graph->kind == RDA_GRAPH_OUTSTANDING)
		return extent->most;
	return (int64_t)((double)extent->sum * 8e9 * graph->width /
			 (double)(graph->span_ns ? graph->span_ns : 1));
}

static bool find_range(const struct rda_graph *graph, const struct column *columns, int64_t *least,
		       int64_t *most)
{
	bool any = false;

	for (unsigned x = 0; x < graph->width; x++)
		for (unsigned mark = 0; mark < MARKS; mark++) {
			const struct extent *extent = &columns[x].extents[mark];
			int64_t high = is_bars(graph) ? height_of(graph, extent) : extent->most;

			if (!extent->any)
				continue;
			*least = any ? MIN(*least, extent->least) : extent->least;
			*most = any ? MAX(*most, high) : high;
			any = true;
		}
	if (graph->kind != RDA_GRAPH_PSN)
		*least = 0;
	return any;
}

static unsigned row_of(int64_t value, int64_t least, int64_t most)
{
	return most == least
		       ? 0
		       : (unsigned)((double)(value - least) * (ROWS - 1) / (double)(most - least) +
				    0.5);
}

static const char *bar(const struct rda_graph *graph, const struct column *column, unsigned row,
		       int64_t most)
{
	static const char *const blocks[EIGHTHS + 1] = {
		" ",
		"\xe2\x96\x81",
		"\xe2\x96\x82",
		"\xe2\x96\x83",
		"\xe2\x96\x84",
		"\xe2\x96\x85",
		"\xe2\x96\x86",
		"\xe2\x96\x87",
		"\xe2\x96\x88",
	};
	int64_t height = height_of(graph, &column->extents[MARK_SENT]);
	int eighths = (int)((double)height * ROWS * EIGHTHS / (double)MAX(most, 1) + 0.5) -
		      (int)row * EIGHTHS;

	if (height > 0 && row == 0)
		eighths = MAX(eighths, 1);
	eighths = CLAMP(eighths, 0, EIGHTHS);
	if (graph->ascii)
		return eighths >= EIGHTHS / 2 ? "#" : eighths > 0 ? "." : " ";
	return blocks[eighths];
}

static const char *point(const struct rda_graph *graph, const struct column *column, unsigned row,
			 int64_t least, int64_t most)
{
	for (unsigned mark = MARKS; mark-- > 0;) {
		const struct extent *extent = &column->extents[mark];

		if (extent->any && row >= row_of(extent->least, least, most) &&
		    row <= row_of(extent->most, least, most))
			return graph->ascii ? marks[mark].ascii : marks[mark].unicode;
	}
	return " ";
}

/*
 * What a cell of a stack shows: the cause at its middle, of all the time of the column; a blank
 * where nothing is asked.
 */
static const char *layer(const struct rda_graph *graph, const struct rda_time_slots *times,
			 unsigned column, unsigned row)
{
	int64_t all = 0, below = 0;

	for (unsigned cause = 0; cause < RDA_TIME_CAUSE_COUNT; cause++)
		all += rda_time_slots_ns(times, column, (uint8_t)cause);
	for (unsigned i = 0; all > 0 && i < RDA_TIME_CAUSE_COUNT; i++) {
		const struct rda_cause_look *look = rda_time_slots_look(i);

		below += rda_time_slots_ns(times, column, look->cause);
		if ((double)below * ROWS > ((double)row + 0.5) * (double)all)
			return graph->ascii ? look->ascii : look->unicode;
	}
	return " ";
}

static const char *value_text(const struct rda_graph *graph, char text[RDA_UNITS_TEXT],
			      int64_t value)
{
	if (graph->kind == RDA_GRAPH_LATENCY)
		return rda_units_duration(text, value);
	if (graph->kind == RDA_GRAPH_LEDGER) {
		g_snprintf(text, RDA_UNITS_TEXT, "%d %%", (int)value);
		return text;
	}
	rda_units_compact(text, (uint64_t)(value < 0 ? -value : value));
	if (value < 0)
		memmove(text + 1, text, strlen(text) + 1), text[0] = '-';
	return text;
}

static const char *cell(const struct rda_graph *graph, unsigned side, unsigned x, unsigned row,
			int64_t least, int64_t most)
{
	if (graph->kind == RDA_GRAPH_LEDGER)
		return layer(graph, &graph->times[side], x, row);
	return is_bars(graph) ? bar(graph, &graph->sides[side][x], row, most)
			      : point(graph, &graph->sides[side][x], row, least, most);
}

static void print_row(const struct rda_graph *graph, struct rda_output *out, unsigned side,
		      unsigned row, int64_t least, int64_t most)
{
	char text[RDA_UNITS_TEXT] = "";
	GString *line = g_string_new(NULL);

	if (row == ROWS - 1)
		value_text(graph, text, most);
	else if (row == 0)
		value_text(graph, text, least);
	g_string_printf(line, "%*s %s", LABEL, text, graph->ascii ? "|" : "\xe2\x94\x82");
	for (unsigned x = 0; x < graph->width; x++)
		g_string_append(line, cell(graph, side, x, row, least, most));
	g_strchomp(line->str); /* no blanks at the end */
	rda_print(out, "%s\n", line->str);
	g_string_free(line, TRUE);
}

static void print_axis(const struct rda_graph *graph, struct rda_output *out)
{
	char end[RDA_UNITS_TEXT];

	rda_print(out, "%*s %s", LABEL, "", graph->ascii ? "+" : "\xe2\x94\x94");
	for (unsigned x = 0; x < graph->width; x++)
		rda_print(out, "%s", graph->ascii ? "-" : "\xe2\x94\x80");
	rda_units_duration(end, (int64_t)graph->span_ns);
	rda_print(out, "\n%*s  0%*s\n", LABEL, "", (int)graph->width - 1, end);
}

static void print_legend(const struct rda_graph *graph, struct rda_output *out,
			 const struct column *columns)
{
	bool begun = false;

	if (graph->kind != RDA_GRAPH_PSN)
		return;
	for (unsigned mark = 0; mark < MARKS; mark++) {
		bool any = false;

		for (unsigned x = 0; x < graph->width; x++)
			any |= columns[x].extents[mark].any;
		if (!any)
			continue;
		rda_print(out, "%*s%s %s", begun ? 3 : LABEL + 2, "",
			  graph->ascii ? marks[mark].ascii : marks[mark].unicode,
			  marks[mark].words);
		begun = true;
	}
	rda_print(out, "\n");
}

/* Of all of the time, the most first. */
static void print_causes(const struct rda_graph *graph, struct rda_output *out,
			 const struct rda_flow_time *time)
{
	struct rda_flow_time left = *time;
	uint8_t cause;

	while ((cause = rda_time_facts_most(&left)) < RDA_TIME_CAUSE_COUNT) {
		char duration[RDA_UNITS_TEXT];
		unsigned i = 0;

		while (rda_time_slots_look(i)->cause != cause)
			i++;
		rda_units_duration(duration, time->ns[cause]);
		rda_print(out, "%*s%s %5.1f %% %9s  %s\n", LABEL + 2, "",
			  graph->ascii ? rda_time_slots_look(i)->ascii
				       : rda_time_slots_look(i)->unicode,
			  (double)time->ns[cause] * 100 / (double)time->total_ns, duration,
			  rda_time_words(cause));
		left.ns[cause] = 0;
	}
}

/* Of a side that asked something. */
static const struct rda_flow_time *time_of(const struct rda_graph *graph, unsigned side)
{
	const struct rda_flow_facts *flow = rda_result_flow(graph->result, graph->connection, side);

	return flow && flow->request_packets && graph->times[side].ns ? flow->time : NULL;
}

/* False: there is nothing to show. */
static bool print_side(const struct rda_graph *graph, struct rda_output *out, unsigned side,
		       bool apart)
{
	const struct rda_endpoint *ends = graph->connection->endpoints;
	const struct rda_flow_time *time = time_of(graph, side);
	char from[RDA_ADDRESS_TEXT], to[RDA_ADDRESS_TEXT];
	int64_t least = 0, most = 0;

	if (graph->kind == RDA_GRAPH_LEDGER ? !time
					    : !find_range(graph, graph->sides[side], &least, &most))
		return false;
	if (graph->kind == RDA_GRAPH_LEDGER)
		most = 100; /* per cent */
	rda_print(out, apart ? "\n" : "");
	rda_print_in(out, RDA_STYLE_BOLD, "Connection %" PRIu32 ", %s to %s", graph->connection->id,
		     rda_address_text(from, &ends[side].address),
		     rda_address_text(to, &ends[1 - side].address));
	rda_print(out, ": %s\n", kind_words[graph->kind].title);
	for (unsigned row = ROWS; row-- > 0;)
		print_row(graph, out, side, row, least, most);
	print_axis(graph, out);
	print_legend(graph, out, graph->sides[side]);
	if (graph->kind == RDA_GRAPH_LEDGER)
		print_causes(graph, out, time);
	return true;
}

void rda_graph_print(const struct rda_graph *graph, struct rda_output *out)
{
	bool any = print_side(graph, out, 0, false);

	if (!print_side(graph, out, 1, any) && !any)
		rda_print(out, "Connection %" PRIu32 ": %s\n", graph->connection->id,
			  kind_words[graph->kind].none);
}
