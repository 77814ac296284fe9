/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Timelines as records for the page's script. A series is one text, "12,,-3": numbers with commas
 * between, each the difference to the one before where the member is listed as such below, and
 * nothing for 0; all of it is empty where all are 0. So a point takes about 25 bytes.
 *
 *     differences: time (ns), y, frame, file
 *     as they are: mark, name, about (frames behind `frame`), size, trigger, and all sums
 */
#include "analyzer/report/page/timeline_state.h"

#include <inttypes.h>
#include <string.h>

/* ---- series ---------------------------------------------------------------------------------- */

static void append(GString *series, int64_t number)
{
	if (number)
		g_string_append_printf(series, "%" PRId64, number);
	g_string_append_c(series, ',');
}

static void put_series(struct rda_record *record, const char *name, GString *series)
{
	/* only commas: all are 0 */
	g_string_truncate(series, strspn(series->str, ",") == series->len ? 0 : series->len - 1);
	rda_record_text(record, name, series->str);
	g_string_truncate(series, 0);
}

/* RDA_POINT_SERIES(P): P(name, value of `point`), as numbers of 64 bits */
#define RDA_POINT_SERIES(P, D)                                                                     \
	D(time, point->time_ns)                                                                    \
	D(y, point->y)                                                                             \
	D(frame, (int64_t)rda_place_number(point->place))                                          \
	D(file, (int64_t)rda_place_capture(point->place))                                          \
	P(mark, point->mark)                                                                       \
	P(name, point->name)                                                                       \
	P(about, point->about ? (int64_t)rda_place_number(point->place) -                          \
					(int64_t)rda_place_number(point->about)                    \
			      : 0)                                                                 \
	P(size, (int64_t)point->size)                                                              \
	P(trigger, point->trigger == RDA_TRIGGER_NONE ? 0 : point->trigger + 1)

static void put_points(struct rda_record *record, const char *name, const GArray *points)
{
	GString *series = g_string_new(NULL);
	int64_t before;

	rda_record_open(record, name);
#define RDA_P(member, value)                                                                       \
	for (unsigned i = 0; i < points->len; i++) {                                               \
		const struct rda_point *point = &g_array_index(points, struct rda_point, i);       \
                                                                                                   \
		append(series, value);                                                             \
	}                                                                                          \
	put_series(record, #member, series);
#define RDA_D(member, value)                                                                       \
	before = 0;                                                                                \
	for (unsigned i = 0; i < points->len; i++) {                                               \
		const struct rda_point *point = &g_array_index(points, struct rda_point, i);       \
                                                                                                   \
		append(series, (value)-before);                                                    \
		before = (value);                                                                  \
	}                                                                                          \
	put_series(record, #member, series);
	RDA_POINT_SERIES(RDA_P, RDA_D)
#undef RDA_D
#undef RDA_P
	rda_record_number(record, "count", points->len);
	rda_record_close(record);
	g_string_free(series, TRUE);
}

static void put_sums(struct rda_record *record, const struct rda_timeline *line,
		     const struct rda_timeline_flow *flow)
{
	GString *series = g_string_new(NULL);

#define RDA_SUM(member)                                                                            \
	for (unsigned i = 0; i < line->slots; i++)                                                 \
		append(series, (int64_t)flow->sums[i].member);                                     \
	put_series(record, #member, series);
	RDA_SUM(bytes)
	RDA_SUM(good_bytes)
	RDA_SUM(flight_known)
	RDA_SUM(psns_most)
	RDA_SUM(psns_least)
	RDA_SUM(psns_last)
	RDA_SUM(bytes_most)
	RDA_SUM(reads_most)
#undef RDA_SUM
	g_string_free(series, TRUE);
}

/* Of each cause that there was a series of ns. */
static void put_times(struct rda_record *record, const struct rda_time_slots *times)
{
	GString *series = g_string_new(NULL);

	rda_record_open(record, "times");
	for (uint8_t cause = 0; times->ns && cause < RDA_TIME_CAUSE_COUNT; cause++) {
		for (unsigned i = 0; i < times->count; i++)
			append(series, rda_time_slots_ns(times, i, cause));
		if (strspn(series->str, ",") < series->len)
			put_series(record, rda_time_name(cause), series);
		g_string_truncate(series, 0);
	}
	rda_record_close(record);
	g_string_free(series, TRUE);
}

/* How causes look, from the bottom of the stack. */
static void put_looks(struct rda_record *record)
{
	rda_record_open_list(record, "causes");
	for (unsigned i = 0; i < RDA_TIME_CAUSE_COUNT; i++) {
		const struct rda_cause_look *look = rda_time_slots_look(i);

		rda_record_open(record, NULL);
		rda_record_text(record, "name", rda_time_name(look->cause));
		rda_record_text(record, "words", rda_time_words(look->cause));
		rda_record_text(record, "pattern", look->pattern);
		rda_record_text(record, "light", look->light);
		rda_record_text(record, "dark", look->dark);
		rda_record_close(record);
	}
	rda_record_close(record);
}

/* ---- how latencies are spread ---------------------------------------------------------------- */

enum { STEPS = 4 }; /* bars between a power of two and the next */

/*
 * Bars from `from` to the next bar's, exclusive; their counts add up to the count that JSON tells.
 * The limits are multiples of those of rda_latency's buckets, so that no bucket is split.
 */
static void put_distribution(struct rda_record *record, const char *name,
			     const struct rda_latency *latency)
{
	uint64_t above = latency ? latency->count : 0;
	GString *from = g_string_new(NULL), *counts = g_string_new(NULL);

	rda_record_open(record, name);
	for (unsigned step = 0; above > 0 && step < STEPS * 60; step++) {
		int64_t power = INT64_C(4) << (step / STEPS);
		int64_t begin = step ? power + power / STEPS * (step % STEPS) : 0;
		int64_t end = power + power / STEPS * (step % STEPS + 1);
		uint64_t behind = rda_latency_above(latency, end - 1);

		if (behind < above || from->len) {
			append(from, begin);
			append(counts, (int64_t)(above - behind));
		}
		above = behind;
	}
	put_series(record, "from_ns", from);
	put_series(record, "count", counts);
	rda_record_close(record);
	g_string_free(from, TRUE);
	g_string_free(counts, TRUE);
}

/* ---- connections ----------------------------------------------------------------------------- */

static void put_flow(struct rda_timelines *t, struct rda_record *record, struct rda_timeline *line,
		     unsigned side)
{
	const struct rda_flow_facts *facts =
		rda_result_flow(t->report->result, line->connection, side);
	struct rda_timeline_flow *flow = &line->flows[side];

	for (unsigned mark = 0; mark < RDA_MARK_COUNT; mark++)
		rda_thin_end(&flow->marks[mark], flow->points);
	rda_thin_end(&flow->latency, flow->latencies);
	rda_record_open(record, NULL);
	put_points(record, "points", flow->points);
	put_points(record, "latencies", flow->latencies);
	rda_record_open(record, "sums");
	put_sums(record, line, flow);
	rda_record_close(record);
	put_times(record, &flow->times);
	if (facts) {
		struct rda_latency all = rda_flow_message_latency(facts);

		put_distribution(record, "message_latency_ns", &all);
		put_distribution(record, "ack_latency_ns",
				 facts->latencies ? &facts->latencies->acks : NULL);
		rda_latency_cleanup(&all);
	}
	rda_record_close(record);
}

static void put_line(struct rda_timelines *t, struct rda_record *record, struct rda_timeline *line)
{
	rda_record_open(record, NULL);
	rda_record_number(record, "id", line->connection->id);
	rda_record_signed(record, "begin_ns", line->begin_ns);
	rda_record_signed(record, "slot_ns", line->slot_ns);
	rda_record_number(record, "slots", line->slots);
	rda_record_number(record, "points", line->points);
	rda_record_signed(record, "time_slot_ns", line->slot_ns * RDA_TIMELINE_TIME_SLOTS);
	rda_record_number(record, "time_slots", line->flows[0].times.count);
	rda_record_open_list(record, "flows");
	for (unsigned side = 0; side < 2; side++)
		put_flow(t, record, line, side);
	rda_record_close(record);
	rda_record_close(record);
}

static void put_all(struct rda_timelines *t, struct rda_record *record)
{
	GString *series = g_string_new(NULL);

	rda_record_open(record, "all");
	rda_record_signed(record, "slot_ns", t->all.slot_ns);
	for (unsigned i = 0; i <= RDA_TIMELINE_SLOTS_MOST; i++)
		append(series, (int64_t)t->all.sums[i].bytes);
	put_series(record, "bytes", series);
	for (unsigned i = 0; i <= RDA_TIMELINE_SLOTS_MOST; i++)
		append(series, (int64_t)t->all.sums[i].pauses);
	put_series(record, "pauses", series);
	rda_record_close(record);
	g_string_free(series, TRUE);
}

void rda_timelines_describe(struct rda_timelines *t, struct rda_record *record)
{
	char text[24];

	/* text: a script has 53 bits for a number */
	g_snprintf(text, sizeof(text), "%" PRId64, t->begin_ns);
	rda_record_text(record, "begin_ns", text);
	rda_record_words(record, "names", (const char *const *)t->names->pdata, t->names->len);
	rda_mark_describe_all(record, "marks");
	put_looks(record);
	rda_record_open_list(record, "triggers");
	for (unsigned trigger = 0; trigger < RDA_TRIGGER_COUNT; trigger++)
		rda_record_text(record, NULL, rda_trigger_name((uint8_t)trigger));
	rda_record_close(record);
	rda_record_open_list(record, "messages");
	for (unsigned kind = 0; kind < RDA_MESSAGE_COUNT; kind++)
		rda_record_text(record, NULL, rda_message_name((uint8_t)kind));
	rda_record_close(record);
	rda_record_open_list(record, "connections");
	for (unsigned id = 0; id < t->count; id++)
		if (t->line_of[id])
			put_line(t, record, t->line_of[id]);
	rda_record_close(record);
	put_all(t, record);
}
