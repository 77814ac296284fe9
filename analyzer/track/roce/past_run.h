/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The latest runs of resends of a requester: where each lies among what was sent, and which of the
 * requests that are remembered (rda_sent.runs) each has sent. Why a run begins: run.h.
 */
#ifndef RDA_PAST_RUN_H
#define RDA_PAST_RUN_H

#include "analyzer/track/roce/requester.h"

/* Runs that a packet may still belong to that others of its run have overtaken. */
#define RDA_PAST_RUNS 8

/* A run of resends among what was sent, by the order of sending (sending_order.h). */
struct rda_past_run {
	int64_t before;	 /* the place of what was sent last before it */
	int64_t first;	 /* the least place of its packets that were seen, */
	int64_t begin;	 /* and the PSN there */
	int64_t end;	 /* of the first new PSN sent after it; INT64_MAX: none yet */
	int64_t over;	 /* that PSN; valid with an end that no other run made, else INT64_MAX */
	int64_t low;	 /* PSNs from here on count as sent by it, */
	int64_t high;	 /* up to here; INT64_MAX: whatever it jumped over, too */
	int64_t front;	 /* and up to here: what lies behind was not sent before it began */
	uint64_t frame;	 /* the place of the first that was seen; valid in order of arrival only */
	uint64_t behind; /* and of the request before that; UINT64_MAX: not known */
	int64_t ns;	 /* when that first passed */
	uint64_t cause;	 /* the frame of the NAK or response that it follows; 0 none */
	uint32_t number; /* so many had begun, this one too */
	uint8_t trigger; /* enum rda_trigger */
	bool behind_others; /* what was sent after its first had passed when that did */
};

struct rda_past_runs {
	struct rda_past_run runs[RDA_PAST_RUNS]; /* a ring, by their number */
	uint64_t count;
	uint64_t late_ordinal; /* of the latest packet that came late where the order is unknown, */
	int64_t late_next;     /* and the PSN behind it */
};

/*
 * The run at hand, which begins with this request and has this place: behind what has the place
 * `before`, and ahead of the runs that are behind that. PSNs from `low` on count as sent by it.
 * Returns it, which is valid until the next.
 */
struct rda_past_run *rda_past_run_add(struct rda_requester *requester,
				      const struct rda_request *request, int64_t place,
				      int64_t before, int64_t low);

/* So many runs have begun. */
static inline uint32_t rda_past_runs_begun(const struct rda_requester *requester)
{
	return requester->rare->past ? (uint32_t)requester->rare->past->count : 0;
}

static inline struct rda_past_run *rda_past_run_newest(const struct rda_requester *requester)
{
	struct rda_past_runs *past = requester->rare->past;

	return past ? &past->runs[(past->count - 1) % RDA_PAST_RUNS] : NULL;
}

/*
 * Whether one of them began at a PSN less than RDA_MIRROR_NS ago: what asks for that now may have
 * made it begin, where a mirror shows the directions through different queues.
 */
bool rda_past_run_began(const struct rda_requester *requester, int64_t psn, int64_t time_ns);

/* Whether two of them, or more, began with a PSN behind a time. */
bool rda_past_runs_twice_since(const struct rda_requester *requester, int64_t psn, int64_t time_ns);

/* A run counts a record as sent by it; NULL: the latest that began. */
void rda_past_run_counts(const struct rda_requester *requester, const struct rda_past_run *run,
			 struct rda_sent *record);

/* Whether it does. */
bool rda_past_run_has_counted(const struct rda_requester *requester, const struct rda_past_run *run,
			      const struct rda_sent *record);

/* It was another run that sent it. */
void rda_past_run_hands_over(const struct rda_requester *requester, const struct rda_past_run *from,
			     const struct rda_past_run *to, struct rda_sent *record);

/* The latest run that may have begun before this place in the order of sending, or NULL. */
struct rda_past_run *rda_past_run_before(const struct rda_requester *requester, int64_t place);

/*
 * The run that sent this PSN with this place in the order of sending; NULL: it was new, or that was
 * too long ago.
 */
struct rda_past_run *rda_past_run_of(const struct rda_requester *requester, int64_t place,
				     int64_t psn);

/* The latest run obeys a NAK for what precedes this PSN, and so asks for it whatever was answered:
 * where an answer to it is missing the capture alone may lack that. */
bool rda_past_run_asks_anyway(const struct rda_requester *requester, int64_t psn);

/*
 * Whether the latest run began behind a PSN. A timer's run goes back to the oldest that waits for
 * its answer, though what was seen first of the run lies behind that.
 */
bool rda_past_run_begins_behind(const struct rda_requester *requester, int64_t psn);

void rda_past_runs_free(struct rda_requester *requester);

#endif
