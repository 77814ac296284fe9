/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group Q, time stamps: Q06, Q07, Q13.
 */
#include "analyzer/checks/capture/clock.h"

#include <string.h>

/* Two processors of one host may stamp so far apart. */
#define BACKWARDS_NS 1000

/* Processors that take packets from the queues of one NIC hand them over out of order within the
 * time that it holds interrupts back (some 100 us); a clock that is set goes back by more. */
#define HANDED_OVER_NS INT64_C(1000000)

/* A clock that is set jumps by more than a transport waits before it sends again. */
#define JUMP_NS INT64_C(1000000000)

/* Of so many packets one must have the time of the one before, before microseconds are too coarse.
 */
enum { EQUAL_ONE_IN = 20, FEW_FRAMES = 20 };

/* Q07: too coarse to measure latencies by. */
static void coarse_timestamps(const struct rda_clock *clock, struct rda_judge *judge)
{
	struct rda_finding *finding;

	if (clock->frames < FEW_FRAMES || clock->finer_than_us ||
	    (clock->finer_than_ms && clock->equal * EQUAL_ONE_IN < clock->frames))
		return;
	finding = rda_finding_add(&judge->findings, RDA_CHECK_Q07,
				  rda_about_capture(clock->capture), clock->first);
	rda_finding_say(finding, RDA_SAY_Q07_MULTIPLES,
			RDA_ARG_WORD("unit", clock->finer_than_ms ? "microsecond" : "millisecond"),
			RDA_ARG_NUMBER("equal", clock->equal),
			RDA_ARG_NUMBER("packets", clock->frames));
}

static void begin(struct rda_clock *clock, const struct rda_at *at)
{
	memset(clock, 0, sizeof(*clock));
	clock->begun = true;
	clock->capture = at->capture;
	clock->previous_ns = at->meta->time_ns;
	for (unsigned i = 0; i < RDA_CLOCK_TAPS; i++)
		clock->latest_ns[i] = INT64_MIN;
}

/* Q06: earlier than what the same interface saw before; a note when it is by little. */
static void time_goes_backwards(struct rda_clock *clock, const struct rda_at *at, int64_t back_ns)
{
	bool little = back_ns <= HANDED_OVER_NS;
	int64_t *most = &clock->most_back_ns[little];
	struct rda_finding *finding =
		rda_finding_add_as(&at->judge->findings, RDA_CHECK_Q06,
				   little ? RDA_SEVERITY_NOTE : RDA_SEVERITY_WARNING,
				   RDA_PROOF_PROVEN, rda_about_capture(at->capture), at->place);

	if (back_ns > *most)
		*most = back_ns;
	rda_finding_retell(finding, RDA_SAY_Q06_EARLIER, RDA_ARG_NUMBER("packets", finding->count),
			   RDA_ARG_TIME("back_ns", *most));
}

/* Q13: nothing for long in the middle of a message, and no timer fired. */
static void clock_jump(const struct rda_at *at, int64_t gap_ns)
{
	struct rda_finding *finding = rda_finding_add(&at->judge->findings, RDA_CHECK_Q13,
						      rda_about_capture(at->capture), at->place);

	rda_finding_say(finding, RDA_SAY_Q13_GAP, RDA_ARG_TIME("gap_ns", gap_ns));
}

static bool goes_on(const struct rda_clock *clock, const struct rda_at *at)
{
	uint16_t roles = at->request ? at->request->roles : 0;

	return at->flow == clock->previous_flow && at->kind == RDA_REQUEST_NEW &&
	       roles & (RDA_ROLE_MIDDLE | RDA_ROLE_LAST) && !(roles & RDA_ROLE_FIRST);
}

void rda_clock_frame(struct rda_clock *clock, const struct rda_at *at)
{
	int64_t now = at->meta->time_ns, *latest;

	if (!clock->begun || clock->capture != at->capture) {
		if (clock->begun)
			coarse_timestamps(clock, at->judge);
		begin(clock, at);
	}
	if (at->meta->tap < RDA_CLOCK_TAPS) {
		latest = &clock->latest_ns[at->meta->tap];
		if (now<*latest && * latest - now> BACKWARDS_NS)
			time_goes_backwards(clock, at, *latest - now);
		*latest = now;
	}
	if (!clock->finer_than_us) {
		clock->finer_than_us = now % 1000 != 0;
		clock->finer_than_ms |= now % 1000000 != 0;
	}
	if (now == clock->previous_ns && clock->frames && clock->equal++ == 0)
		clock->first = at->place;
	clock->frames++;
	if (now > clock->previous_ns && (uint64_t)now - (uint64_t)clock->previous_ns > JUMP_NS &&
	    clock->previous_flow && goes_on(clock, at))
		clock_jump(at, (int64_t)((uint64_t)now - (uint64_t)clock->previous_ns));
	clock->previous_ns = now;
	clock->previous_flow = at->flow;
}

void rda_clock_end(const struct rda_clock *clock, struct rda_judge *judge)
{
	if (clock->begun)
		coarse_timestamps(clock, judge);
}
