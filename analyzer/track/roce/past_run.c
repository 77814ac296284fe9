/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The latest runs of resends of a requester, and what each has sent. See past_run.h.
 */
#include "analyzer/track/roce/past_run.h"

#include <glib.h>

/* The request that passed before the first of a run, where packets come in order. */
static uint64_t frame_before(const struct rda_requester *r, const struct rda_request *q)
{
	const struct rda_sent *record = rda_window_of(&r->window, r->run.next - 1);

	return record && record->seen && record->last_frame < q->frame ? record->last_frame
								       : UINT64_MAX;
}

struct rda_past_run *rda_past_run_add(struct rda_requester *r, const struct rda_request *q,
				      int64_t place, int64_t before, int64_t low)
{
	struct rda_past_run *run;
	uint64_t at;

	if (!r->rare->past)
		rda_requester_rare(r)->past = g_new0(struct rda_past_runs, 1);
	at = r->rare->past->count++;
	r->run.had = r->run.open = true;
	for (; at > 0 && at + RDA_PAST_RUNS > r->rare->past->count; at--) {
		run = &r->rare->past->runs[(at - 1) % RDA_PAST_RUNS];
		if (run->before <= before)
			break;
		r->rare->past->runs[at % RDA_PAST_RUNS] = *run;
	}
	run = &r->rare->past->runs[at % RDA_PAST_RUNS];
	*run = (struct rda_past_run){
		.before = before,
		.first = place,
		.begin = q->begin,
		.end = INT64_MAX,
		.over = INT64_MAX,
		.low = low,
		.high = INT64_MAX,
		.front = r->progress.next,
		.frame = q->frame,
		.ns = q->time_ns,
		.behind = frame_before(r, q),
		.cause = r->rare->run.cause,
		.number = (uint32_t)r->rare->past->count,
		.trigger = r->run.trigger,
	};
	return run;
}

bool rda_past_runs_twice_since(const struct rda_requester *r, int64_t psn, int64_t time_ns)
{
	const struct rda_past_runs *past = r->rare->past;
	unsigned since = 0;

	for (unsigned i = 0; past && i < RDA_PAST_RUNS; i++)
		since += past->runs[i].number && past->runs[i].ns > time_ns &&
			 past->runs[i].begin == psn;
	return since >= 2;
}

bool rda_past_run_began(const struct rda_requester *r, int64_t psn, int64_t time_ns)
{
	const struct rda_past_runs *past = r->rare->past;

	for (uint64_t i = 0; past && i < MIN(past->count, RDA_PAST_RUNS); i++)
		if (past->runs[i].begin == psn && time_ns - past->runs[i].ns < RDA_MIRROR_NS)
			return true;
	return false;
}

/* How many runs began behind one, NULL: the latest. */
static uint32_t begun_since(const struct rda_requester *r, const struct rda_past_run *run)
{
	return run ? (uint32_t)r->rare->past->count - run->number : 0;
}

/* rda_sent.runs, as of now. */
static uint32_t runs_now(const struct rda_requester *r, const struct rda_sent *record)
{
	uint32_t since = (uint32_t)r->rare->past->count - record->runs_at;

	return since < 32 ? record->runs << since : 0;
}

void rda_past_run_counts(const struct rda_requester *r, const struct rda_past_run *run,
			 struct rda_sent *record)
{
	uint32_t since = r->rare->past ? begun_since(r, run) : 32;

	if (since >= 32)
		return;
	record->runs = runs_now(r, record) | 1U << since;
	record->runs_at = (uint32_t)r->rare->past->count;
}

bool rda_past_run_has_counted(const struct rda_requester *r, const struct rda_past_run *run,
			      const struct rda_sent *record)
{
	uint32_t since = r->rare->past ? begun_since(r, run) : 32;

	return since < 32 && runs_now(r, record) >> since & 1;
}

void rda_past_run_hands_over(const struct rda_requester *r, const struct rda_past_run *from,
			     const struct rda_past_run *to, struct rda_sent *record)
{
	rda_past_run_counts(r, to, record);
	record->runs &= ~(1U << begun_since(r, from));
}

bool rda_past_run_begins_behind(const struct rda_requester *r, int64_t psn)
{
	const struct rda_resend_run *run = &r->rare->run;
	const struct rda_past_run *newest = rda_past_run_newest(r);
	bool late = newest && newest->trigger == RDA_TRIGGER_TIMEOUT && run->begin > run->answered;

	return run->begin > psn && !(late && psn >= run->answered);
}

bool rda_past_run_asks_anyway(const struct rda_requester *r, int64_t psn)
{
	const struct rda_past_run *newest = rda_past_run_newest(r);

	return r->run.trigger == RDA_TRIGGER_NAK && newest && psn > newest->low;
}

void rda_past_runs_free(struct rda_requester *r)
{
	g_free(r->rare->past);
}

struct rda_past_run *rda_past_run_before(const struct rda_requester *r, int64_t place)
{
	struct rda_past_runs *past = r->rare->past;

	for (uint64_t i = past ? past->count : 0; i > 0 && i + RDA_PAST_RUNS > past->count; i--) {
		struct rda_past_run *run = &past->runs[(i - 1) % RDA_PAST_RUNS];

		if (place > run->before)
			return run;
	}
	return NULL;
}

struct rda_past_run *rda_past_run_of(const struct rda_requester *r, int64_t place, int64_t psn)
{
	struct rda_past_run *run = rda_past_run_before(r, place);

	return run && place < run->end && psn < run->front ? run : NULL;
}
