/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pacing of CNPs. See pacing.h.
 */
#include "analyzer/facts/pacing.h"

#include "analyzer/base/address.h"
#include "analyzer/base/fetch.h"
#include "analyzer/facts/flow_facts.h"

#include <glib.h>
#include <string.h>

/* Of fewer CNPs, or where marks are not so many times as many, nothing is told. */
enum { CNPS_MIN = 16, MARKS_TIMES = 2 };

/* The least gap is that which one in so many is not above: some are closer than the NIC paces. */
enum { LEAST_ONE_IN = 20, GAPS_MIN = 8 };

/* What comes to as many as were seen: this much more or less, in per cent. */
enum { NEAR_PERCENT = 20 };

static const struct {
	const char *name, *words;
} pacings_told[] = {[RDA_PACING_UNKNOWN] = {NULL, NULL},
#define RDA_P(ID, name, words) [RDA_PACING_##ID] = {name, words},
		    RDA_PACINGS(RDA_P)
#undef RDA_P
};

const char *rda_pacing_name(uint8_t pacing)
{
	return pacings_told[pacing].name;
}

const char *rda_pacing_words(uint8_t pacing)
{
	return pacings_told[pacing].words;
}

/* ---- one receiver ---------------------------------------------------------------------------- */

/* A mark or CNP, and whose: indices of its QP and its pair of hosts among those of the receiver. */
struct happening {
	int64_t time_ns;
	bool notice;
	uint32_t scope[RDA_PACING_SCOPES];
};

struct receiver {
	struct happening *happenings;
	uint32_t count, scopes[RDA_PACING_SCOPES]; /* how many of each there are */
	int64_t *latest_ns;			   /* by scope: of the latest CNP */
	bool *any;
	uint64_t cnps, marks, left_out;
	int64_t *gaps; /* room for `count` */
};

static gint compare_times(gconstpointer one, gconstpointer two, gpointer unused)
{
	const struct happening *a = one, *b = two;

	(void)unused;
	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return a->notice - b->notice;
}

static gint compare_gaps(gconstpointer one, gconstpointer two, gpointer unused)
{
	int64_t a = *(const int64_t *)one, b = *(const int64_t *)two;

	(void)unused;
	return (a > b) - (a < b);
}

/* What the least gap is in a scope; -1: too few. */
static int64_t least_gap(struct receiver *r, unsigned scope)
{
	uint32_t count = 0;

	memset(r->any, 0, r->scopes[scope] * sizeof(*r->any));
	for (uint32_t i = 0; i < r->count; i++) {
		const struct happening *h = &r->happenings[i];
		uint32_t at = h->scope[scope];

		if (!h->notice)
			continue;
		if (r->any[at])
			r->gaps[count++] = h->time_ns - r->latest_ns[at];
		r->any[at] = true;
		r->latest_ns[at] = h->time_ns;
	}
	if (count < GAPS_MIN)
		return -1;
	g_qsort_with_data(r->gaps, (gint)count, sizeof(*r->gaps), compare_gaps, NULL);
	return r->gaps[count / LEAST_ONE_IN];
}

/* How many CNPs these marks have by it. */
static uint64_t expected(struct receiver *r, unsigned scope, int64_t pace_ns)
{
	uint64_t count = 0;

	memset(r->any, 0, r->scopes[scope] * sizeof(*r->any));
	for (uint32_t i = 0; i < r->count; i++) {
		const struct happening *h = &r->happenings[i];
		uint32_t at = h->scope[scope];

		if (h->notice || (r->any[at] && h->time_ns - r->latest_ns[at] < pace_ns))
			continue;
		r->any[at] = true;
		r->latest_ns[at] = h->time_ns;
		count++;
	}
	return count;
}

static bool is_near(uint64_t a, uint64_t b)
{
	return (a > b ? a - b : b - a) * 100 <= b * NEAR_PERCENT;
}

/* Scopes that part the QPs alike cannot be told apart: which of them come to what was seen. */
static uint8_t judge(const struct receiver *r, const struct rda_pacing *pacing)
{
	bool fits[RDA_PACING_SCOPES];
	bool pair_is_qp = r->scopes[RDA_PACING_OF_QP] == r->scopes[RDA_PACING_OF_PAIR];
	bool pair_is_port = r->scopes[RDA_PACING_OF_PAIR] == 1;

	if ((pair_is_qp && pair_is_port) || r->marks < MARKS_TIMES * r->cnps)
		return RDA_PACING_UNKNOWN;
	for (unsigned i = 0; i < RDA_PACING_SCOPES; i++)
		fits[i] = pacing->spacing_ns[i] >= 0 && is_near(pacing->expected[i], r->cnps);
	if (fits[RDA_PACING_OF_QP] && fits[RDA_PACING_OF_PORT])
		return RDA_PACING_UNKNOWN;
	if (fits[RDA_PACING_OF_QP] && (pair_is_qp || !fits[RDA_PACING_OF_PAIR]))
		return pair_is_qp ? RDA_PACING_QP_OR_PAIR : RDA_PACING_QP;
	if (fits[RDA_PACING_OF_PORT] && (pair_is_port || !fits[RDA_PACING_OF_PAIR]))
		return pair_is_port ? RDA_PACING_PAIR_OR_PORT : RDA_PACING_PORT;
	if (fits[RDA_PACING_OF_PAIR] && !fits[RDA_PACING_OF_QP] && !fits[RDA_PACING_OF_PORT])
		return RDA_PACING_PAIR;
	return RDA_PACING_UNKNOWN;
}

/* All is known of all QPs up to this time: behind it a log that is full has nothing. */
static int64_t known_until(struct rda_flow_facts *const *flows, const uint32_t *of, uint32_t count)
{
	int64_t until = INT64_MAX;

	for (uint32_t i = 0; i < count; i++) {
		const struct rda_mark_log *log = flows[of[i]]->mark_log;

		if (log->more)
			until = MIN(until, log->list[log->count - 1].time_ns);
	}
	return until;
}

static bool is_known(const struct rda_mark_log *log, int64_t until)
{
	for (uint32_t k = 0; k < log->count; k++)
		if (log->list[k].time_ns <= until)
			return true;
	return false;
}

static void add_happenings(struct receiver *r, const struct rda_mark_log *log, int64_t until)
{
	for (uint32_t k = 0; k < log->count; k++) {
		const struct rda_marking *marking = &log->list[k];

		if (marking->time_ns > until)
			continue;
		r->happenings[r->count++] = (struct happening){
			marking->time_ns,
			marking->notice,
			{r->scopes[RDA_PACING_OF_QP] - 1, r->scopes[RDA_PACING_OF_PAIR] - 1, 0}};
		r->cnps += marking->notice;
		r->marks += !marking->notice;
	}
}

/* `of`: flows to one receiver, by their senders. */
static void gather(struct receiver *r, struct rda_flow_facts *const *flows, const uint32_t *of,
		   uint32_t count)
{
	int64_t until = known_until(flows, of, count);
	const struct rda_address *sender = NULL;
	uint64_t room = 0;

	for (uint32_t i = 0; i < count; i++)
		room += flows[of[i]]->mark_log->count;
	r->happenings = g_new(struct happening, room);
	r->scopes[RDA_PACING_OF_PORT] = 1;
	for (uint32_t i = 0; i < count; i++) {
		const struct rda_flow_facts *flow = flows[of[i]];
		uint32_t before = r->count;

		if (is_known(flow->mark_log, until)) {
			r->scopes[RDA_PACING_OF_QP]++;
			if (!sender || rda_address_compare(sender, &flow->key.source))
				r->scopes[RDA_PACING_OF_PAIR]++;
			sender = &flow->key.source;
		}
		add_happenings(r, flow->mark_log, until);
		r->left_out += flow->mark_log->count - (r->count - before) + flow->mark_log->more;
	}
	if (r->count)
		g_qsort_with_data(r->happenings, (gint)r->count, sizeof(*r->happenings),
				  compare_times, NULL);
}

static void add_receiver(struct rda_pacings *pacings, struct rda_flow_facts *const *flows,
			 const uint32_t *of, uint32_t count)
{
	struct receiver r = {0};
	struct rda_pacing *pacing = &pacings->list[pacings->count];

	gather(&r, flows, of, count);
	*pacing = (struct rda_pacing){.host = flows[of[0]]->key.destination,
				      .capture = rda_place_capture(flows[of[0]]->first_place),
				      .tap = flows[of[0]]->key.tap,
				      .cnps = r.cnps,
				      .marks = r.marks,
				      .left_out = r.left_out,
				      .qps = r.scopes[RDA_PACING_OF_QP],
				      .pairs = r.scopes[RDA_PACING_OF_PAIR]};
	for (uint32_t i = 0; i < count; i++) {
		uint64_t place = flows[of[i]]->mark_log->notice_place;

		if (place && (!pacing->place || place < pacing->place))
			pacing->place = place;
	}
	r.latest_ns = g_new(int64_t, count);
	r.any = g_new(bool, count);
	r.gaps = g_new(int64_t, r.count);
	for (unsigned i = 0; i < RDA_PACING_SCOPES; i++) {
		pacing->spacing_ns[i] = least_gap(&r, i);
		if (pacing->spacing_ns[i] >= 0)
			pacing->expected[i] = expected(&r, i, pacing->spacing_ns[i]);
	}
	if (r.cnps >= CNPS_MIN) {
		pacing->by = judge(&r, pacing);
		pacings->count++;
	}
	g_free(r.happenings);
	g_free(r.latest_ns);
	g_free(r.any);
	g_free(r.gaps);
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* What two taps or captures stamped is not set side by side. */
static int compare_receivers(const struct rda_flow_facts *a, const struct rda_flow_facts *b)
{
	int order = rda_address_compare(&a->key.destination, &b->key.destination);

	if (order)
		return order;
	return (rda_flow_clock(a) > rda_flow_clock(b)) - (rda_flow_clock(a) < rda_flow_clock(b));
}

static gint compare_flows(gconstpointer one, gconstpointer two, gpointer flows)
{
	const struct rda_flow_facts *a =
		((struct rda_flow_facts *const *)flows)[*(const uint32_t *)one];
	const struct rda_flow_facts *b =
		((struct rda_flow_facts *const *)flows)[*(const uint32_t *)two];
	int order = compare_receivers(a, b);

	if (!order)
		order = rda_address_compare(&a->key.source, &b->key.source);
	if (order)
		return order;
	return (a->first_place > b->first_place) - (a->first_place < b->first_place);
}

void rda_pacings_of(struct rda_pacings *pacings, struct rda_flow_facts *const *flows,
		    uint32_t flow_count)
{
	uint32_t *of = g_new(uint32_t, flow_count), count = 0;

	for (uint32_t i = 0; i < flow_count; i++) {
		rda_fetch_item(flows, i, flow_count, offsetof(struct rda_flow_facts, mark_log));
		if (flows[i]->mark_log && flows[i]->mark_log->count)
			of[count++] = i;
	}
	*pacings = (struct rda_pacings){.list = g_new(struct rda_pacing, count)};
	if (count)
		g_qsort_with_data(of, (gint)count, sizeof(*of), compare_flows,
				  (gpointer)(uintptr_t)flows);
	for (uint32_t i = 0, first = 0; i < count; i++)
		if (i + 1 == count || compare_receivers(flows[of[i]], flows[of[i + 1]])) {
			add_receiver(pacings, flows, of + first, i + 1 - first);
			first = i + 1;
		}
	g_free(of);
}

void rda_pacings_cleanup(struct rda_pacings *pacings)
{
	g_free(pacings->list);
}
