/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group Q, time stamps: Q06, Q07, Q13.
 */
#include "analyzer/checks/capture/clock.h"

#include "analyzer/track/roce/account.h"

#include <string.h>

/* Processors that take packets from the queues of one NIC hand them over out of order within the
 * time that it holds interrupts back (some 100 us); a clock that is set goes back by more. */
#define HANDED_OVER_NS INT64_C(1000000)

/* Of so many packets one must have the time of the one before, before microseconds are too coarse.
 */
enum { EQUAL_ONE_IN = 20, FEW_FRAMES = 20 };

/* Programs that make captures of text stamp each packet a microsecond behind the one before, or
 * less, or all alike; no sender is so even. */
enum { MADE_UP_NS = 1000, MADE_UP_FRAMES = 64 };

void rda_clock_init(struct rda_clock *clock)
{
	clock->captures = g_array_new(FALSE, TRUE, sizeof(struct rda_clock_sums));
}

void rda_clock_cleanup(struct rda_clock *clock)
{
	g_array_free(clock->captures, TRUE);
}

static struct rda_clock_sums *sums_of(const struct rda_clock *clock, uint32_t capture)
{
	if (capture >= clock->captures->len)
		g_array_set_size(clock->captures, capture + 1);
	return &g_array_index(clock->captures, struct rda_clock_sums, capture);
}

/* ---- frames ---------------------------------------------------------------------------------- */

void rda_clock_begin(struct rda_clock *clock, const struct rda_at *at)
{
	clock->begun = true;
	clock->capture = at->capture;
	sums_of(clock, at->capture);
	clock->previous_ns = at->meta->time_ns;
	clock->previous_flow = NULL;
	for (unsigned i = 0; i < RDA_CLOCK_TAPS; i++)
		clock->latest_ns[i] = INT64_MIN;
}

void rda_clock_goes_back(struct rda_clock *clock, const struct rda_at *at, int64_t back_ns)
{
	struct rda_clock_back *back = &rda_clock_sums(clock)->back[back_ns <= HANDED_OVER_NS];

	back->most_ns = back_ns > back->most_ns ? back_ns : back->most_ns;
	if (back->count < RDA_FINDING_FRAMES)
		back->places[back->count] = at->place;
	back->count++;
}

void rda_clock_step(struct rda_clock_sums *sums, int64_t step_ns)
{
	if (sums->frames == 1)
		sums->step_ns = step_ns;
	sums->uneven = step_ns != sums->step_ns || step_ns < 0 || step_ns > MADE_UP_NS;
}

/* Few packets may well come within one millisecond, and have one stamp where that is the unit. */
static bool are_made_up(const struct rda_clock_sums *sums)
{
	return sums->frames >= MADE_UP_FRAMES && !sums->uneven &&
	       (sums->step_ns || sums->finer_than_us);
}

/* Q13: nothing for long in the middle of a message, and no timer fired. */
static void clock_jump(const struct rda_at *at, int64_t gap_ns)
{
	struct rda_finding *finding = rda_finding_add(&at->judge->findings, RDA_CHECK_Q13,
						      rda_about_capture(at->capture), at->place);

	rda_finding_say(finding, RDA_SAY_Q13_GAP, RDA_ARG_TIME("gap_ns", gap_ns));
}

/* Packets of a message that begins behind the pause may overtake its first one: the packet before
 * it of the same message was seen, too. */
static bool goes_on(const struct rda_clock *clock, const struct rda_at *at)
{
	uint16_t roles = at->request ? at->request->roles : 0;

	if (at->flow != clock->previous_flow || at->kind != RDA_REQUEST_NEW ||
	    !(roles & (RDA_ROLE_MIDDLE | RDA_ROLE_LAST)) || roles & RDA_ROLE_FIRST)
		return false;
	return rda_account_roles(at->flow->account, at->request->begin - 1) &
	       (RDA_ROLE_FIRST | RDA_ROLE_MIDDLE);
}

void rda_clock_jumps(const struct rda_clock *clock, const struct rda_at *at, int64_t gap_ns)
{
	if (clock->previous_flow && goes_on(clock, at))
		clock_jump(at, gap_ns);
}

void rda_clock_others(struct rda_clock *clock, const struct rda_at *at)
{
	rda_clock_follow(clock, at);
	rda_clock_time(clock, at);
	clock->previous_ns = at->meta->time_ns;
	clock->previous_flow = NULL;
}

void rda_clock_between(struct rda_clock *clock, const struct rda_at *at)
{
	rda_clock_follow(clock, at);
	clock->previous_flow = NULL;
}

/* ---- overall --------------------------------------------------------------------------------- */

void rda_clock_join(struct rda_clock *to, const struct rda_clock *from)
{
	for (guint i = 0; i < from->captures->len; i++) {
		const struct rda_clock_sums *sums =
			&g_array_index(from->captures, struct rda_clock_sums, i);

		if (sums->frames > sums_of(to, i)->frames)
			*sums_of(to, i) = *sums;
	}
}

/* Q07: no times at all. */
static void made_up_timestamps(const struct rda_clock_sums *sums, struct rda_judge *judge,
			       uint32_t capture)
{
	struct rda_finding *finding =
		rda_finding_add_as(&judge->findings, RDA_CHECK_Q07, RDA_SEVERITY_WARNING,
				   RDA_PROOF_PROVEN, rda_about_capture(capture), 0);

	rda_finding_say(finding, RDA_SAY_Q07_MADE_UP, RDA_ARG_NUMBER("packets", sums->frames),
			RDA_ARG_IF(sums->step_ns, RDA_ARG_TIME("step_ns", sums->step_ns)));
}

/* Q07: too coarse to measure latencies by. */
static void coarse_timestamps(const struct rda_clock_sums *sums, struct rda_judge *judge,
			      uint32_t capture)
{
	struct rda_finding *finding;

	if (sums->frames < FEW_FRAMES || sums->finer_than_us ||
	    (sums->finer_than_ms && sums->equal * EQUAL_ONE_IN < sums->frames))
		return;
	finding = rda_finding_add(&judge->findings, RDA_CHECK_Q07, rda_about_capture(capture),
				  sums->first);
	rda_finding_say(finding, RDA_SAY_Q07_MULTIPLES,
			RDA_ARG_WORD("unit", sums->finer_than_ms ? "microsecond" : "millisecond"),
			RDA_ARG_NUMBER("equal", sums->equal),
			RDA_ARG_NUMBER("packets", sums->frames));
}

/* Q06: a note when it is by little. */
static void time_goes_backwards(const struct rda_clock_back *back, struct rda_judge *judge,
				uint32_t capture, bool little)
{
	struct rda_finding *finding;

	if (!back->count)
		return;
	finding = rda_finding_add_as(&judge->findings, RDA_CHECK_Q06,
				     little ? RDA_SEVERITY_NOTE : RDA_SEVERITY_WARNING,
				     RDA_PROOF_PROVEN, rda_about_capture(capture), 0);
	for (unsigned i = 0; i < RDA_FINDING_FRAMES; i++)
		rda_finding_frame(finding, back->places[i]);
	finding->count = back->count;
	rda_finding_say(finding, RDA_SAY_Q06_EARLIER, RDA_ARG_NUMBER("packets", back->count),
			RDA_ARG_TIME("back_ns", back->most_ns));
}

struct rda_stamps rda_clock_stamps(const struct rda_clock *clock, uint32_t capture)
{
	const struct rda_clock_sums *sums;
	struct rda_stamps stamps = {0};

	if (capture >= clock->captures->len)
		return stamps;
	sums = &g_array_index(clock->captures, struct rda_clock_sums, capture);
	stamps.go_back = sums->back[0].count > 0;
	stamps.made_up = are_made_up(sums);
	if (sums->finer_than_us)
		stamps.unit_ns = 1;
	else if (sums->frames >= FEW_FRAMES)
		stamps.unit_ns = sums->finer_than_ms ? 1000 : 1000000;
	return stamps;
}

void rda_clock_overall(const struct rda_clock *clock, struct rda_judge *judge)
{
	for (guint i = 0; i < clock->captures->len; i++) {
		const struct rda_clock_sums *sums =
			&g_array_index(clock->captures, struct rda_clock_sums, i);

		if (are_made_up(sums))
			made_up_timestamps(sums, judge, i);
		else
			coarse_timestamps(sums, judge, i);
		time_goes_backwards(&sums->back[0], judge, i, false);
		time_goes_backwards(&sums->back[1], judge, i, true);
	}
}

void rda_clock_pack(struct rda_pack *pack, struct rda_clock *clock)
{
	rda_pack_array(pack, clock->captures);
}
