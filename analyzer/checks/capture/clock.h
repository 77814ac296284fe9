/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The capture's clock: times that go backwards, jump, or are too coarse to measure by.
 */
#ifndef RDA_CHECKS_CAPTURE_CLOCK_H
#define RDA_CHECKS_CAPTURE_CLOCK_H

#include "analyzer/base/cold.h"
#include "analyzer/checks/judge.h"
#include "analyzer/facts/quality.h"

#include <glib.h>

/* Interfaces whose clock is watched; packets of later ones are not. */
#define RDA_CLOCK_TAPS 64

/* How often time went back, by much or by little, and the first frames that show it. */
struct rda_clock_back {
	uint64_t count;
	int64_t most_ns;
	uint64_t places[RDA_FINDING_FRAMES];
};

/* Of one capture: by the times of all its frames, whichever engine has them. */
struct rda_clock_sums {
	uint64_t frames, equal;		   /* equal: with the time of the one before */
	uint64_t first;			   /* place of the first with such a time */
	bool finer_than_us, finer_than_ms; /* times that are no multiples of it were seen */
	bool uneven;			   /* not all frames are as far behind the one before; */
	int64_t step_ns;		   /* as far as the second is, valid from that on */
	struct rda_clock_back back[2];	   /* by much, by little */
};

struct rda_clock {
	GArray *captures; /* struct rda_clock_sums, by index; those before the latest may be 0 */
	bool begun;
	uint32_t capture;		   /* whose packets are at hand */
	int64_t previous_ns;		   /* time of the frame before */
	struct rda_flow *previous_flow;	   /* that carried it, or NULL */
	int64_t latest_ns[RDA_CLOCK_TAPS]; /* by interface; INT64_MIN before the first */
};

void rda_clock_init(struct rda_clock *clock);
void rda_clock_cleanup(struct rda_clock *clock);

/* The first frame of a capture. */
RDA_COLD void rda_clock_begin(struct rda_clock *clock, const struct rda_at *at);

static inline void rda_clock_follow(struct rda_clock *clock, const struct rda_at *at)
{
	if (!clock->begun || clock->capture != at->capture)
		rda_clock_begin(clock, at);
}

/* Of the capture at hand. */
static inline struct rda_clock_sums *rda_clock_sums(const struct rda_clock *clock)
{
	return &g_array_index(clock->captures, struct rda_clock_sums, clock->capture);
}

/* Earlier than what the same interface saw before. */
RDA_COLD void rda_clock_goes_back(struct rda_clock *clock, const struct rda_at *at,
				  int64_t back_ns);

/* Where all frames so far are as far behind the one before: one more. */
RDA_COLD void rda_clock_step(struct rda_clock_sums *sums, int64_t step_ns);

/* Two processors of one host may stamp so far apart. */
#define RDA_CLOCK_BACKWARDS_NS 1000

/* The time of any frame of the capture at hand. */
static inline void rda_clock_time(struct rda_clock *clock, const struct rda_at *at)
{
	struct rda_clock_sums *sums = rda_clock_sums(clock);
	int64_t now = at->meta->time_ns;

	if (at->meta->tap < RDA_CLOCK_TAPS) {
		int64_t *latest = &clock->latest_ns[at->meta->tap];

		if (now<*latest && * latest - now> RDA_CLOCK_BACKWARDS_NS)
			rda_clock_goes_back(clock, at, *latest - now);
		*latest = now;
	}
	if (!sums->finer_than_us) {
		sums->finer_than_us = now % 1000 != 0;
		sums->finer_than_ms |= now % 1000000 != 0;
	}
	if (!sums->uneven && sums->frames)
		rda_clock_step(sums, now - clock->previous_ns);
	if (now == clock->previous_ns && sums->frames && sums->equal++ == 0)
		sums->first = at->place;
	sums->frames++;
}

/* A clock that is set jumps by more than a transport waits before it sends again. */
#define RDA_CLOCK_JUMP_NS INT64_C(1000000000)

/* Nothing came for so long; Q13 where a message goes on behind it. */
RDA_COLD void rda_clock_jumps(const struct rda_clock *clock, const struct rda_at *at,
			      int64_t gap_ns);

/* A frame. */
static inline void rda_clock_frame(struct rda_clock *clock, const struct rda_at *at)
{
	int64_t now = at->meta->time_ns;

	rda_clock_follow(clock, at);
	if (!at->judge->part)
		rda_clock_time(clock, at);
	if (now > clock->previous_ns &&
	    (uint64_t)now - (uint64_t)clock->previous_ns > RDA_CLOCK_JUMP_NS)
		rda_clock_jumps(clock, at, (int64_t)((uint64_t)now - (uint64_t)clock->previous_ns));
	clock->previous_ns = now;
	clock->previous_flow = at->flow;
}

/* A frame that another engine has; and, of a part, that there were some of others. */
void rda_clock_others(struct rda_clock *clock, const struct rda_at *at);
void rda_clock_between(struct rda_clock *clock, const struct rda_at *at);

/* Who saw the times of all frames knows all, and of others it is the same or less. */
void rda_clock_join(struct rda_clock *to, const struct rda_clock *from);
/* What is known of the time stamps of a capture by now. */
struct rda_stamps rda_clock_stamps(const struct rda_clock *clock, uint32_t capture);

/* The same, of what was joined. */
struct rda_stamps rda_capture_stamps(const struct rda_judge *judge, uint32_t capture);

void rda_clock_pack(struct rda_pack *pack, struct rda_clock *clock);
void rda_clock_overall(const struct rda_clock *clock, struct rda_judge *judge);

#endif
