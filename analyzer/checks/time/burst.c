/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Throughput and bursts; see state.h.
 */
#include "analyzer/checks/time/state.h"

#include "analyzer/base/cold.h"
#include <glib.h>
#include <string.h>

enum {
	PACKETS_MIN = 1000,    /* fewer have no average */
	SPAN_MIN_NS = 1000000, /* less has no average */
	TIMES_AVERAGE = 10,    /* a burst is at least so much above it */
};

void rda_bursts_init(struct rda_bursts *bursts)
{
	bursts->captures = g_array_new(FALSE, TRUE, sizeof(struct rda_burst_sums));
}

void rda_bursts_cleanup(struct rda_bursts *bursts)
{
	g_array_free(bursts->captures, TRUE);
}

static struct rda_burst_sums *sums_of(const struct rda_bursts *b, uint32_t capture)
{
	if (capture >= b->captures->len)
		g_array_set_size(b->captures, capture + 1);
	return &g_array_index(b->captures, struct rda_burst_sums, capture);
}

static void note_peak(struct rda_burst_sums *sums, uint64_t bytes, uint64_t place)
{
	if (bytes > sums->peak_bytes) {
		sums->peak_bytes = bytes;
		sums->peak = place;
	}
}

RDA_APART void rda_bursts_begin(struct rda_bursts *b, const struct rda_at *at)
{
	sums_of(b, at->capture);
	if (b->begin)
		note_peak(sums_of(b, b->capture), b->bytes, b->begin);
	b->capture = at->capture;
	b->begin_ns = at->meta->time_ns;
	b->begin = at->place;
	b->bytes = 0;
}

void rda_bursts_copied(struct rda_bursts *b, const struct rda_at *at)
{
	sums_of(b, at->capture)->copies++;
}

/* Who has seen all packets has all sums; copies are known to who has the packets. */
static void join_sums(struct rda_burst_sums *to, const struct rda_burst_sums *from)
{
	uint64_t copies = to->copies + from->copies;

	if (from->packets > to->packets)
		*to = *from;
	to->copies = copies;
}

void rda_bursts_join(struct rda_bursts *to, const struct rda_bursts *from)
{
	for (guint i = 0; i < from->captures->len; i++) {
		struct rda_burst_sums other = *sums_of(from, i);

		if (from->begin && from->capture == i)
			note_peak(&other, from->bytes, from->begin);
		join_sums(sums_of(to, i), &other);
	}
}

static uint64_t bits_per_second(uint64_t bytes, int64_t ns)
{
	return (uint64_t)((double)bytes * 8e9 / (double)ns);
}

/* T12 */
static void throughput(const struct rda_burst_sums *sums, struct rda_judge *judge, uint32_t capture)
{
	int64_t span = sums->last_ns - sums->first_ns;
	uint64_t usual, most;

	if (rda_was_set_back(judge->overall->captures[capture].back_ns))
		return; /* nobody knows how long it took */
	/* a part of a capture knows its own copies only, and cannot take the others out of a peak
	 */
	if (sums->packets < PACKETS_MIN || span < SPAN_MIN_NS || !sums->fine || sums->copies)
		return;
	usual = bits_per_second(sums->bytes, span);
	most = bits_per_second(sums->peak_bytes, RDA_MOMENT_NS);
	if (most / TIMES_AVERAGE < usual)
		return;
	rda_finding_say(rda_finding_add(&judge->findings, RDA_CHECK_T12, rda_about_capture(capture),
					sums->peak),
			RDA_SAY_T12_RATE, RDA_ARG_RATE("average_bits_per_second", usual),
			RDA_ARG_RATE("peak_bits_per_second", most));
}

void rda_bursts_overall(const struct rda_bursts *b, struct rda_judge *judge)
{
	for (guint i = 0; i < b->captures->len; i++)
		throughput(sums_of(b, i), judge, i);
}
