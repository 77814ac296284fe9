/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Throughput and bursts; see state.h.
 */
#include "analyzer/checks/time/state.h"

#include <glib.h>
#include <string.h>

enum {
	MOMENT_NS = 10000,
	PACKETS_MIN = 1000,    /* fewer have no average */
	SPAN_MIN_NS = 1000000, /* likewise */
	TIMES_AVERAGE = 10,    /* a burst is at least so much above it */
};

static void close_moment(struct rda_burst *b)
{
	if (b->moment_bytes > b->peak_bytes) {
		b->peak_bytes = b->moment_bytes;
		b->peak = b->begin;
	}
}

void rda_burst_packet(struct rda_burst *b, const struct rda_at *at)
{
	int64_t time_ns = at->meta->time_ns;

	if (b->packets && at->capture != b->capture) {
		rda_burst_end(b, at->judge);
		memset(b, 0, sizeof(*b));
	}
	if (b->packets == 0) {
		b->capture = at->capture;
		b->first_ns = b->last_ns = time_ns;
	}
	/* a clock that went backwards begins a moment too */
	if (b->packets == 0 || (uint64_t)(time_ns - b->begin_ns) >= MOMENT_NS) {
		close_moment(b);
		b->begin_ns = time_ns;
		b->begin = at->place;
		b->moment_bytes = 0;
	}
	if (!b->fine)
		b->fine = time_ns % MOMENT_NS != 0;
	b->packets++;
	b->bytes += at->frame->wire;
	b->moment_bytes += at->frame->wire;
	b->first_ns = MIN(b->first_ns, time_ns);
	b->last_ns = MAX(b->last_ns, time_ns);
}

static uint64_t bits_per_second(uint64_t bytes, int64_t ns)
{
	return (uint64_t)((double)bytes * 8e9 / (double)ns);
}

/* T12 */
static void throughput(const struct rda_burst *b, struct rda_judge *judge)
{
	int64_t span = b->last_ns - b->first_ns;
	uint64_t usual, most;

	if (b->packets < PACKETS_MIN || span < SPAN_MIN_NS || !b->fine)
		return;
	usual = bits_per_second(b->bytes, span);
	most = bits_per_second(b->peak_bytes, MOMENT_NS);
	if (most / TIMES_AVERAGE < usual)
		return;
	rda_finding_say(rda_finding_add(&judge->findings, RDA_CHECK_T12,
					rda_about_capture(b->capture), b->peak),
			RDA_SAY_T12_RATE, RDA_ARG_RATE("average_bits_per_second", usual),
			RDA_ARG_RATE("peak_bits_per_second", most));
}

void rda_burst_end(const struct rda_burst *b, struct rda_judge *judge)
{
	struct rda_burst closed = *b;

	close_moment(&closed);
	throughput(&closed, judge);
}
