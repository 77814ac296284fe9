/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pauses and their causes; time_ledger.h has the figure.
 */
#include "analyzer/track/roce/time_ledger.h"

#include "analyzer/base/cold.h"
#include "analyzer/track/roce/account.h"
#include "analyzer/track/roce/account_parts.h"
#include "analyzer/track/roce/lean.h"
#include "analyzer/track/roce/requester.h"
#include "dissectors/opcode.h"

#include <glib.h>
#include <string.h>

/* How long a CNP slows its QP down: DCQCN is back at its rate after some timers of 55 to 1500 us.
 */
#define CNP_REACH_NS 10000000

/*
 * What a byte may take: so many times as long as in usual rows, which follows faster rows sooner
 * than slower ones; before any is known, at 10 Gbit/s. Without an answer meanwhile the next packet
 * may take PATIENT times as long as that.
 */
enum { PACE_TIMES = 4, FASTER = 4, SLOWER = 32, SLOW_UNKNOWN = 819, PATIENT = 4 };

/* A row that takes longer is no row: who sends so little asks for little. */
enum { ROW_MOST_NS = 100000 * RDA_TIME_ROW };

void rda_time_ledger_init(struct rda_time_ledger *l)
{
	memset(l, 0, sizeof(*l));
	l->sent.slow = SLOW_UNKNOWN;
	l->slowed_ns = RDA_NEVER_NS;
}

void rda_time_ledger_cleanup(struct rda_time_ledger *l)
{
	rda_time_book_free(l->book);
	g_free(l->came);
}

void rda_time_ledger_start(struct rda_time_ledger *l, int64_t time_ns)
{
	l->first_ns = l->last_ns = l->sent.begin_ns = time_ns;
}

/* ---- the pace -------------------------------------------------------------------------------- */

static void begin_row(struct rda_time_pace *pace, int64_t time_ns)
{
	pace->begin_ns = time_ns;
	pace->bytes = pace->packets = pace->pauses = 0;
	pace->longest_ns = pace->pauses_ns = 0;
}

/*
 * Nor is it a row where half of it was a single pause before a message, or several, and the other
 * packets followed sooner by far: perhaps nothing was asked. Where all follow each other slowly,
 * that is their pace.
 */
static bool is_row(const struct rda_time_pace *pace, int64_t took)
{
	int64_t others = pace->packets - pace->pauses;

	if (took < 0 || took > ROW_MOST_NS || pace->longest_ns > took / 2)
		return false;
	return pace->pauses_ns <= took / 2 ||
	       pace->pauses_ns * others <= PACE_TIMES * pace->pauses * (took - pace->pauses_ns);
}

void rda_time_ledger_row(struct rda_time_pace *pace, int64_t time_ns, bool alone)
{
	int64_t took = time_ns - pace->begin_ns;

	if (alone && is_row(pace, took)) {
		int64_t slow = took * 1024 * PACE_TIMES / pace->bytes;

		if (!pace->known)
			pace->slow = (uint32_t)slow;
		else if (slow < pace->slow)
			pace->slow -= (uint32_t)(pace->slow - slow) / FASTER;
		else
			pace->slow += (uint32_t)(slow - pace->slow) / SLOWER;
		pace->known = true;
	}
	begin_row(pace, time_ns);
}

/* ---- the book -------------------------------------------------------------------------------- */

/* The book, up to the latest of what passed. */
static struct rda_time_book *book_of(struct rda_time_ledger *l)
{
	if (!l->book)
		l->book = rda_time_book_new(l->first_ns);
	rda_time_book_add(l->book, RDA_TIME_SENDING, l->last_ns);
	return l->book;
}

void rda_time_ledger_stalled(struct rda_time_ledger *l, enum rda_trigger trigger, int64_t from,
			     int64_t to)
{
	struct rda_time_book *book = book_of(l);

	rda_time_book_add(book, RDA_TIME_WAITING, to); /* as yet */
	l->last_ns = MAX(l->last_ns, to);
	rda_time_book_take_back(book, RDA_TIME_RECOVERY + trigger, from, to);
}

/* ---- pauses ---------------------------------------------------------------------------------- */

/* The kind of the latest request. */
static enum rda_message latest_kind(const struct rda_window *window)
{
	uint16_t roles = 0;
	enum rda_message kind;

	if (window->count)
		roles = window->lean
				? rda_opcode_roles[rda_lean_at(window, window->count - 1)->opcode]
				: rda_window_at(window, window->count - 1)->roles;
	kind = rda_message_of(roles);
	return kind == RDA_MESSAGE_COUNT ? RDA_MESSAGE_WRITE : kind;
}

/* A wait that an answer ended, with so many requests outstanding as when the latest passed. */
static void add_wait(struct rda_time_book *book, const struct rda_requester *r, int64_t end_ns)
{
	uint64_t requests = MAX(r->message.begun - MIN(r->time.done, r->message.begun), 1);

	rda_time_book_wait(book, requests, latest_kind(&r->window), end_ns);
}

/* How far from here the requester may be: it goes on so long after an answer passed, at most. */
enum { NEAR_NS = 100000 };

/*
 * A pause inside a message, in which the latest answer passed at `answer_ns`: a window is what kept
 * the sender up to there, and as long again, if the answer had such a way to it. What is longer
 * has another reason, or is the way of a requester that is far from here, which no pause tells.
 */
static void add_answered(struct rda_time_book *book, int64_t answer_ns, int64_t end_ns)
{
	int64_t waited_ns = answer_ns - book->mark_ns;

	if (end_ns - answer_ns <= MAX(waited_ns, NEAR_NS))
		answer_ns = end_ns;
	rda_time_book_add(book, RDA_TIME_LIMITED, answer_ns);
	if (end_ns > answer_ns)
		rda_time_book_add(book, RDA_TIME_PAUSED, end_ns);
}

/* What the pause from the mark to `end_ns` was, which nothing or a request ended; `brief`: too
 * short to be one if no answer came in it. */
static void add_pause(struct rda_time_book *book, const struct rda_requester *r, int64_t end_ns,
		      bool inside, bool brief)
{
	bool answered = r->stall.progressed && r->stall.progress_ns > book->mark_ns;
	bool slowed = r->time.slowed_ns != RDA_NEVER_NS &&
		      book->mark_ns - r->time.slowed_ns <= CNP_REACH_NS;

	if (!inside && r->progress.acked >= r->progress.next &&
	    r->progress.incomplete == INT64_MAX) {
		if (answered)
			add_wait(book, r, MIN(r->stall.progress_ns, end_ns));
		rda_time_book_idle(book, end_ns);
	} else if (brief && !answered) {
		rda_time_book_add(book, RDA_TIME_SENDING, end_ns);
	} else if (inside && answered && !slowed) {
		add_answered(book, MIN(r->stall.progress_ns, end_ns), end_ns);
	} else if (inside) {
		rda_time_book_add(book, slowed ? RDA_TIME_CONGESTION : RDA_TIME_PAUSED, end_ns);
	} else if (answered) {
		add_wait(book, r, end_ns);
	} else {
		rda_time_book_add(book, RDA_TIME_WAITING, end_ns);
	}
}

/* Before a message. */
static void note_pause(struct rda_time_pace *pace, int64_t ns)
{
	uint32_t pause_ns = (uint32_t)CLAMP(ns, 0, ROW_MOST_NS);

	pace->pauses++;
	pace->pauses_ns += pause_ns;
	pace->longest_ns = MAX(pace->longest_ns, pause_ns);
}

RDA_APART void rda_time_ledger_pause(struct rda_requester *r, const struct rda_request *q,
				     uint32_t bytes)
{
	bool inside = q->roles & (RDA_ROLE_SEND | RDA_ROLE_WRITE) && !(q->roles & RDA_ROLE_FIRST) &&
		      (q->begin >= r->progress.next || q->begin == r->run.next);
	struct rda_time_pace *pace = &r->time.sent;
	bool brief = !rda_time_ledger_paused(&r->time, pace, q->time_ns, PATIENT * bytes);

	if (!inside)
		note_pause(pace, q->time_ns - r->time.last_ns);
	add_pause(book_of(&r->time), r, q->time_ns, inside, brief);
}

/* A sender that was held goes on at once: so long after, at most. */
enum { RESUMES_NS = 10000 };

/* Between messages there may have been nothing to send, so only what comes at once was held; if
 * nothing is asked, it is idle. */
RDA_COLD void rda_time_ledger_held(struct rda_requester *r, uint16_t roles, int64_t time_ns,
				   const struct rda_time_hold *holds, unsigned count)
{
	bool answer = roles & RDA_ROLE_RESPONSE;
	bool inside =
		!(roles & RDA_ROLE_FIRST) && (answer || roles & (RDA_ROLE_SEND | RDA_ROLE_WRITE));
	bool asked = r->progress.acked < r->progress.next || r->progress.incomplete != INT64_MAX;
	struct rda_time_book *book;

	if (!inside && (!asked || time_ns - holds[count - 1].until_ns > RESUMES_NS))
		return;
	book = book_of(&r->time);
	for (unsigned i = 0; i < count; i++) {
		int64_t until =
			time_ns - holds[i].until_ns <= RESUMES_NS ? time_ns : holds[i].until_ns;
		int64_t from = MAX(holds[i].from_ns, book->mark_ns);

		if (until <= from)
			continue;
		if (from > book->mark_ns && answer)
			rda_time_book_add(book, RDA_TIME_WAITING, from);
		else if (from > book->mark_ns)
			add_pause(book, r, from, inside, from - book->mark_ns <= RESUMES_NS);
		rda_time_book_add(book, RDA_TIME_HELD, until);
		rda_time_book_held(book, answer ? RDA_HELD_RESPONSES : RDA_HELD_REQUESTS, &holds[i],
				   until - from);
	}
}

/* Made with the first. */
static struct rda_time_came *came_of(struct rda_time_ledger *l)
{
	if (!l->came) {
		l->came = g_new0(struct rda_time_came, 1);
		l->came->pace.begin_ns = l->first_ns;
		l->came->pace.slow = SLOW_UNKNOWN;
		l->came->latest_ns = RDA_NEVER_NS;
	}
	return l->came;
}

void rda_time_ledger_response(struct rda_requester *r, int64_t time_ns, uint32_t payload,
			      int64_t asked_ns, bool first)
{
	struct rda_time_ledger *l = &r->time;
	struct rda_time_came *came = came_of(l);
	struct rda_time_pace *pace = &came->pace;
	uint32_t bytes = payload + RDA_TIME_HEADERS;
	bool alone = first && asked_ns >= came->latest_ns && time_ns - l->last_ns > RDA_TIME_LEAST;
	bool paused = alone || rda_time_ledger_paused(l, pace, time_ns, bytes);

	if (paused && first)
		add_wait(book_of(l), r, time_ns);
	else if (paused)
		rda_time_book_add(book_of(l), RDA_TIME_WAITING, time_ns);
	l->last_ns = MAX(l->last_ns, time_ns);
	came->latest_ns = time_ns;
	l->done = r->message.done + first;
	if (first) {
		begin_row(pace, time_ns);
		return;
	}
	pace->bytes += bytes;
	if (++pace->packets == RDA_TIME_ROW)
		rda_time_ledger_row(pace, time_ns, true);
}

/* ---- the sum --------------------------------------------------------------------------------- */

/* All that is known, of a copy of the book; parts that were not told go into a log, if there is
 * one.
 */
static void finish(const struct rda_requester *r, int64_t end_ns, struct rda_time_log *log,
		   const struct rda_flow *flow, struct rda_time_sums *sums)
{
	const struct rda_time_ledger *l = &r->time;
	struct rda_time_ending ending;
	int64_t idle_most_ns;

	rda_time_book_copy(&ending, l->book, l->first_ns);
	ending.book.log = log;
	ending.book.flow = flow;
	rda_time_book_add(&ending.book, RDA_TIME_SENDING, l->last_ns);
	idle_most_ns = ending.book.idle_most_ns;
	add_pause(&ending.book, r, MAX(end_ns, l->last_ns), false, false);
	ending.book.idle_most_ns = idle_most_ns; /* no request ends that pause */
	rda_time_book_finish(&ending, sums);
}

void rda_time_ledger_sum(const struct rda_requester *r, int64_t begin_ns, int64_t end_ns,
			 struct rda_time_sums *sums)
{
	memset(sums, 0, sizeof(*sums));
	if (!r->run.started) {
		sums->ns[RDA_TIME_IDLE] = MAX(end_ns - begin_ns, 0);
		return;
	}
	finish(r, end_ns, NULL, NULL, sums);
	sums->ns[RDA_TIME_IDLE] += MAX(r->time.first_ns - begin_ns, 0);
}

/* ---- of a flow ------------------------------------------------------------------------------- */

void rda_account_slowed(struct rda_flow *flow, int64_t time_ns)
{
	if (flow->account)
		rda_time_ledger_slowed(&flow->account->requester.time, time_ns);
}

bool rda_account_started(const struct rda_account *account)
{
	return account->requester.run.started;
}

bool rda_account_paused(const struct rda_flow *asker, int64_t time_ns, int64_t *since_ns)
{
	const struct rda_requester *r = asker && asker->account ? &asker->account->requester : NULL;

	if (!r || !r->run.started || time_ns - r->time.last_ns <= RDA_TIME_LEAST)
		return false;
	*since_ns = r->time.last_ns;
	return true;
}

void rda_account_held(struct rda_flow *asker, uint16_t roles, int64_t time_ns,
		      const struct rda_time_hold *holds, unsigned count)
{
	rda_time_ledger_held(&asker->account->requester, roles, time_ns, holds, count);
}

void rda_account_time(const struct rda_flow *flow, int64_t begin_ns, int64_t end_ns,
		      struct rda_time_sums *sums)
{
	static const struct rda_requester nothing;

	rda_time_ledger_sum(flow->account ? &flow->account->requester : &nothing, begin_ns, end_ns,
			    sums);
}

void rda_account_log_time(struct rda_flow *flow, struct rda_time_log *log)
{
	struct rda_time_ledger *l = flow->account ? &flow->account->requester.time : NULL;

	if (!l || !flow->account->requester.run.started || (l->book && l->book->log))
		return;
	if (!l->book)
		l->book = rda_time_book_new(l->first_ns);
	l->book->log = log;
	l->book->flow = flow;
}

void rda_account_log_time_left(const struct rda_flow *flow, int64_t begin_ns, int64_t end_ns,
			       struct rda_time_log *log)
{
	const struct rda_requester *r = flow->account ? &flow->account->requester : NULL;
	bool started = r && r->run.started;
	int64_t first_ns = started ? r->time.first_ns : end_ns;
	struct rda_time_sums sums;

	if (begin_ns < first_ns)
		rda_time_log_add(
			log, (struct rda_time_told){flow, begin_ns, first_ns, RDA_TIME_IDLE, 0});
	if (started)
		finish(r, end_ns, log, flow, &sums);
}
