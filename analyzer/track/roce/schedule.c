/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Schedules of timers; schedule.h has the figure.
 */
#include "analyzer/track/roce/schedule.h"

#include "analyzer/base/meta.h"

#include <glib.h>

/* ---- ConnectX -------------------------------------------------------------------------------- */

/* Tries go out so long after the first transmission, while the ladder lasts. */
static const int64_t ladder_us[] = {20700,  37700,  71400,   138400,  239100,
				    440400, 977200, 1782000, 3930000, 8225000};

enum {
	STEPS = G_N_ELEMENTS(ladder_us),
	LEAST_TIMEOUT = 16,    /* the shortest regular timeout is that of T = 16 */
	MEASURED_TIMEOUT = 20, /* the longest of which the ladder is known */
	LONGEST_TIMEOUT = 31,  /* 5 bits */
	STEP_ERROR_NS = 1500000,
	STEP_ERROR_PERCENT = 1, /* of the time since the first transmission, beside that */
	TRIES_OF_MISSED = 3,	/* for one try that the capture lacks it has so many */
	FEWEST = 3,		/* tries of a ladder: rxe's uneven timer fits two of them */
	TELLING = 5		/* tries, of which the last is no doubling */
};

static int64_t regular_of(int ack_timeout)
{
	return INT64_C(2) * 4096 << MAX(ack_timeout, LEAST_TIMEOUT);
}

static int64_t step_ns(uint32_t step)
{
	return (ladder_us[step] - (step ? ladder_us[step - 1] : 0)) * 1000;
}

/* Steps of the ladder with a regular timeout. */
static uint32_t steps_of(int ack_timeout)
{
	uint32_t steps = 0;

	while (steps < STEPS && step_ns(steps) < regular_of(ack_timeout) - STEP_ERROR_NS)
		steps++;
	return steps;
}

/* When try `index` goes out, after the first transmission. */
static int64_t try_ns(int ack_timeout, uint32_t index)
{
	uint32_t steps = steps_of(ack_timeout);

	if (index < steps)
		return ladder_us[index] * 1000;
	/* steps is not 0: no regular timeout is as short as the first step
	 * NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
	return rda_ns_sum(ladder_us[steps - 1] * 1000,
			  rda_ns_times(regular_of(ack_timeout), index - steps + 1));
}

/* From one stamp to another; stamps may be anything. */
static int64_t between(int64_t from_ns, int64_t to_ns)
{
	int64_t ns;

	if (!__builtin_sub_overflow(to_ns, from_ns, &ns))
		return ns;
	return to_ns > from_ns ? INT64_MAX : -INT64_MAX;
}

static bool is_near(int64_t ns, int64_t expected_ns)
{
	return ns >= 0 &&
	       ABS(ns - expected_ns) <= STEP_ERROR_NS + expected_ns / 100 * STEP_ERROR_PERCENT;
}

/*
 * Whether each try is one of a ladder's with this timeout: the index of the latest in *latest. The
 * tries that the capture lacks are *latest + 1 - count.
 */
static bool climbs(const struct rda_tries *tries, int ack_timeout, uint32_t *latest)
{
	uint32_t kept = MIN(tries->count, RDA_TRIES_KEPT), index = 0;
	uint32_t end = kept + kept / TRIES_OF_MISSED;

	for (uint32_t i = 0; i < kept; i++, index++) {
		int64_t after = between(tries->armed_ns, tries->at_ns[i]);

		while (index < end && !is_near(after, try_ns(ack_timeout, index)))
			index++;
		if (index >= end)
			return false;
	}
	*latest = index - 1;
	return kept > 0;
}

/*
 * The first try may come later or sooner than the ladder has it, when something else armed the
 * timer; but then it takes a step that no doubling timer makes, the fifth, to know the ladder.
 */
static bool climbs_from_first(const struct rda_tries *tries, int ack_timeout, uint32_t *latest)
{
	struct rda_tries shifted = *tries;

	if (tries->count < TELLING)
		return false;
	shifted.armed_ns = between(ladder_us[0] * 1000, tries->at_ns[0]);
	return climbs(&shifted, ack_timeout, latest);
}

static bool fits(const struct rda_tries *tries, int ack_timeout, uint32_t *latest)
{
	return tries->count <= RDA_TRIES_KEPT && (climbs(tries, ack_timeout, latest) ||
						  climbs_from_first(tries, ack_timeout, latest));
}

/* The timer that runs behind the latest try. */
static int64_t next_ns(int ack_timeout, uint32_t latest)
{
	return try_ns(ack_timeout, latest + 1) - try_ns(ack_timeout, latest);
}

/* What the tries are with this timeout, the latest being the ladder's `latest`. */
static struct rda_schedule with(int ack_timeout, uint32_t latest)
{
	uint32_t steps = steps_of(ack_timeout);
	struct rda_schedule s = {
		.timer = RDA_TIMER_ADAPTIVE,
		.adaptive = MIN(latest + 1, steps),
		.may_end = latest + 1 >= steps,
		.least_ns = next_ns(ack_timeout, latest),
		.regular_ns = regular_of(ack_timeout),
	};

	s.regular = latest + 1 - s.adaptive;
	s.most_ns = s.least_ns;
	s.patience_ns = s.least_ns / 20 * 21;
	s.budget_most = s.regular + 2;
	s.budget_least = s.regular ? s.budget_most : 0;
	return s;
}

/* One more timeout with which the tries are as they are. */
static void join(struct rda_schedule *s, const struct rda_schedule *other)
{
	int64_t patience = MAX(s->patience_ns, other->patience_ns);

	if (!s->timer || (other->may_end && !s->may_end)) {
		*s = *other;
	} else if (other->may_end == s->may_end) {
		s->least_ns = MIN(s->least_ns, other->least_ns);
		s->most_ns = MAX(s->most_ns, other->most_ns);
		s->budget_least = MIN(s->budget_least, other->budget_least);
		s->budget_most = MAX(s->budget_most, other->budget_most);
		s->regular_ns = 0;
	}
	s->patience_ns = patience;
}

/* Those timeouts count with which the capture lacks the fewest tries. */
static struct rda_schedule adaptive_of(const struct rda_tries *tries, int ack_timeout)
{
	int from = ack_timeout > 0 ? MAX(ack_timeout, LEAST_TIMEOUT) : LEAST_TIMEOUT;
	int to = ack_timeout > 0 ? from : MEASURED_TIMEOUT;
	uint32_t latest, fewest = UINT32_MAX;
	struct rda_schedule all = {0}, one;

	/* who is seen to have left the ladder may have any timeout */
	if (ack_timeout <= 0 && tries->count > STEPS)
		to = LONGEST_TIMEOUT;
	for (int t = from; t <= to; t++)
		if (fits(tries, t, &latest))
			fewest = MIN(fewest, latest);
	for (int t = from; fewest != UINT32_MAX && t <= to; t++) {
		if (!fits(tries, t, &latest) || latest != fewest)
			continue;
		one = with(t, latest);
		join(&all, &one);
	}
	return all;
}

bool rda_schedule_may_be_adaptive(const struct rda_tries *tries)
{
	uint32_t latest;

	for (int t = LEAST_TIMEOUT; t <= LONGEST_TIMEOUT; t++)
		if (fits(tries, t, &latest))
			return true;
	return false;
}

/* ---- others ---------------------------------------------------------------------------------- */

/*
 * Timers that fire within these percent of each other are one timer; then it is over when it did
 * not fire for so long. A timer that backs off may double each time.
 */
enum { STEADY_PERCENT = 150, OVER_STEADY_PERCENT = 150, OVER_PERCENT = 300, GROWN_PERCENT = 180 };

/* What is kept of waits: between tries, and in front of the first. */
struct waits {
	int64_t shortest, longest, last, before; /* `before`: the one before the last */
	bool shrinks; /* one was clearly shorter than the one before it */
};

static int64_t percent_of(int64_t ns, int percent)
{
	return rda_ns_times(ns / 100, percent);
}

static struct waits waits_of(const struct rda_tries *tries)
{
	uint32_t kept = MIN(tries->count, RDA_TRIES_KEPT);
	int64_t first = MAX(between(tries->armed_ns, tries->at_ns[0]), 0);
	struct waits w = {INT64_MAX, first, first, first, false};

	for (uint32_t i = 1; i < kept; i++) {
		w.before = w.last;
		w.last = MAX(between(tries->at_ns[i - 1], tries->at_ns[i]), 0);
		w.shortest = MIN(w.shortest, w.last);
		w.longest = MAX(w.longest, w.last);
		w.shrinks |= i > 1 && percent_of(w.last, STEADY_PERCENT) < w.before;
	}
	w.shortest = MIN(w.shortest, w.longest);
	return w;
}

void rda_tries_waits(const struct rda_tries *tries, int64_t *shortest_ns, int64_t *longest_ns)
{
	uint32_t kept = MIN(tries->count, RDA_TRIES_KEPT);

	*shortest_ns = *longest_ns = between(tries->armed_ns, tries->at_ns[0]);
	for (uint32_t i = 1; i < kept; i++) {
		int64_t wait = between(tries->at_ns[i - 1], tries->at_ns[i]);

		*shortest_ns = i == 1 ? wait : MIN(*shortest_ns, wait);
		*longest_ns = i == 1 ? wait : MAX(*longest_ns, wait);
	}
}

static struct rda_schedule other_of(const struct rda_tries *tries)
{
	struct waits w = waits_of(tries);
	bool steady = tries->count > 1 && w.longest <= percent_of(w.shortest, STEADY_PERCENT);
	bool flat = w.last <= percent_of(w.before, 110) && w.before <= percent_of(w.last, 110);
	bool grows =
		tries->count > 2 && !w.shrinks && w.last > percent_of(w.shortest, GROWN_PERCENT);
	/* two that may be a ladder's are no other timer's yet */
	bool open = tries->count < FEWEST && rda_schedule_may_be_adaptive(tries);
	struct rda_schedule s = {
		.timer = open					    ? RDA_TIMER_UNKNOWN
			 : steady && tries->count > RDA_RETRIES_MAX ? RDA_TIMER_ENDLESS
			 : steady				    ? RDA_TIMER_CONSTANT
			 : grows				    ? RDA_TIMER_GROWING
								    : RDA_TIMER_UNKNOWN,
		.regular = tries->count,
		.may_end = tries->count <= (grows ? RDA_TRIES_KEPT : RDA_RETRIES_MAX),
		.budget_least = tries->count,
		.budget_most = tries->count,
		.regular_ns = steady && !open ? w.last : 0,
	};

	if (steady) {
		s.least_ns = w.shortest;
		s.most_ns = w.longest;
	} else if (tries->count == 1 || (grows && flat)) {
		s.least_ns = s.most_ns = w.last;
	}
	s.patience_ns = (steady && tries->count > 2) || (grows && flat)
				? percent_of(w.longest, OVER_STEADY_PERCENT)
				: percent_of(w.longest, OVER_PERCENT);
	return s;
}

struct rda_schedule rda_schedule_of(const struct rda_tries *tries, int ack_timeout)
{
	struct rda_schedule s = {0};

	if (!tries->count)
		return s;
	if (tries->count >= FEWEST)
		s = adaptive_of(tries, ack_timeout);
	return s.timer ? s : other_of(tries);
}
