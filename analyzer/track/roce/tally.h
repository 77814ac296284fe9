/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The requester's account of every PSN: how often it was sent, how often it appeared, and, when the
 * responder's acknowledgments have passed it, where it was lost. Which packets make a run is
 * requester.c's part; nobody else needs this header.
 */
#ifndef RDA_TALLY_H
#define RDA_TALLY_H

#include "analyzer/track/roce/requester.h"
#include "dissectors/opcode.h"

struct rda_past_run;

/* The first PSN of all. */
static inline void rda_tally_start(struct rda_requester *requester, int64_t psn, int64_t time_ns)
{
	struct rda_progress *progress = &requester->progress;

	requester->run.started = true;
	progress->next = progress->acked = psn;
	progress->last_ns = progress->moved_ns = time_ns;
	rda_time_ledger_start(&requester->time, time_ns);
}

/* The time since what passed before a request, which is not taken yet; and the pace. */
static inline void rda_tally_time(struct rda_requester *requester, const struct rda_request *q)
{
	struct rda_time_ledger *ledger = &requester->time;
	struct rda_time_pace *pace = &ledger->sent;
	uint32_t bytes = RDA_TIME_HEADERS + (q->roles & RDA_ROLE_READ ? 0 : q->payload);

	if (rda_time_ledger_paused(ledger, pace, q->time_ns, bytes))
		rda_time_ledger_pause(requester, q, bytes);
	pace->bytes += bytes;
	if (++pace->packets == RDA_TIME_ROW)
		rda_time_ledger_row(pace, q->time_ns,
				    !requester->stall.progressed ||
					    requester->stall.progress_ns < pace->begin_ns);
	ledger->done = requester->message.done;
	if (q->time_ns > ledger->last_ns)
		ledger->last_ns = q->time_ns;
}

/* ---- counts ---------------------------------------------------------------------------------- */

static inline void rda_tally_packet(struct rda_requester *requester, enum rda_request_kind kind,
				    int64_t time_ns)
{
	if (kind == RDA_REQUEST_NEW)
		requester->news++;
	else
		rda_requester_rare(requester)->counts.packets[kind]++;
	requester->progress.last_ns = time_ns;
}

/* One that was damaged when it passed. */
static inline void rda_tally_damaged(struct rda_requester *requester)
{
	rda_requester_rare(requester)->counts.lost_after++;
	rda_requester_rare(requester)->counts.lost_damaged++;
}

static inline void rda_tally_damaged_answer(struct rda_requester *requester)
{
	rda_tally_damaged(requester);
	rda_requester_rare(requester)->counts.damaged_answers++;
}

static inline void rda_tally_run(struct rda_requester *requester, enum rda_trigger trigger)
{
	rda_requester_rare(requester)->counts.resends[trigger]++;
}

/* It stood still until a run of resends, of what was first sent at `sent_ns`. */
static inline void rda_tally_stalled(struct rda_requester *requester, enum rda_trigger trigger,
				     int64_t sent_ns, int64_t time_ns)
{
	int64_t since = rda_stall_resent(&requester->stall, trigger, sent_ns, time_ns);

	rda_time_ledger_stalled(&requester->time, trigger, since, time_ns);
}

static inline void rda_tally_spurious(struct rda_requester *requester)
{
	rda_requester_rare(requester)->counts.spurious++;
}

static inline void rda_tally_lost_after(struct rda_requester *requester)
{
	rda_requester_rare(requester)->counts.lost_after++;
}

static inline void rda_tally_copy(struct rda_requester *requester)
{
	rda_requester_rare(requester)->counts.packets[RDA_REQUEST_MIRRORED]++;
}

/* A message of which a packet was sent. */
static inline void rda_tally_begun(struct rda_requester *requester)
{
	requester->message.begun++;
}

/* PSNs whose packets are not known to begin or end a message. */
static inline void rda_tally_unseen(struct rda_requester *requester, uint64_t psns)
{
	requester->message.unseen += psns;
}

/* ---- PSNs ------------------------------------------------------------------------------------ */

/* A new PSN was sent or acknowledged. */
static inline void rda_tally_moved(struct rda_requester *requester, int64_t time_ns)
{
	requester->progress.moved_ns = time_ns;
}

/* The oldest response that the requester waits for; INT64_MAX: none. */
static inline void rda_tally_incomplete(struct rda_requester *requester, int64_t psn)
{
	requester->progress.incomplete = psn;
}

/* The last record, a READ, ends at `end`. */
static inline void rda_tally_extend(struct rda_requester *requester, int64_t end)
{
	struct rda_window *window = &requester->window;

	rda_window_at(window, window->count - 1)->end = requester->progress.next = end;
}

/* A PSN that is sent for the first time. */
void rda_tally_new(struct rda_requester *requester, const struct rda_request *request);

/* The same for one that the lean window takes. */
void rda_tally_lean(struct rda_requester *requester, const struct rda_request *request);

/* PSNs that were sent and did not appear, behind all others, as is seen now; they end at `end`. */
void rda_tally_hole(struct rda_requester *requester, int64_t end, int64_t time_ns);

/*
 * The record that a packet is an appearance of, cut out of a hole if need be; NULL when its PSN is
 * no longer (or was never) remembered.
 */
struct rda_sent *rda_tally_find(struct rda_requester *requester, const struct rda_request *request);

/* One more appearance of a record. */
void rda_tally_appear(struct rda_requester *requester, struct rda_sent *record,
		      const struct rda_request *request);

/*
 * One more appearance of a record, which what was sent after it has overtaken: where it was told as
 * lost that is taken back. `is_known`: by the order of sending, so what was acknowledged and seemed
 * to be missed by the capture is the packet that comes now.
 */
void rda_tally_overtaken(struct rda_requester *requester, struct rda_sent *record,
			 const struct rda_request *request, bool is_known,
			 const struct rda_event_sink *sink);

/* A record that was acknowledged and seemed to be missed by the capture passes after all: now. */
void rda_tally_found(struct rda_requester *requester, struct rda_sent *record,
		     const struct rda_request *request, const struct rda_event_sink *sink);

/* How many packets a record stands for, as far as is known: each PSN of a hole may be one. */
static inline uint64_t rda_tally_packets_of(const struct rda_sent *record)
{
	return record->seen ? 1 : (uint64_t)(record->end - record->begin);
}

/* One more transmission of it. */
void rda_tally_sent(struct rda_sent *record);

/*
 * A run covers the PSNs of [begin, end) that it did not show: they were lost, if it is go-back-N.
 * `run`: one of the past; NULL: the latest. `certain`: nothing but go-back-N explains it. What is
 * acknowledged was not due in the run.
 */
void rda_tally_skip(struct rda_requester *requester, int64_t begin, int64_t end, bool certain,
		    const struct rda_past_run *run);

/*
 * The packets that filled a hole after a NAK, [begin, end), were a run, or late (NONE). Settles
 * those that were acknowledged meanwhile.
 */
void rda_tally_filled(struct rda_requester *requester, int64_t begin, int64_t end,
		      enum rda_trigger trigger, const struct rda_request *at,
		      const struct rda_event_sink *sink);

/* What was taken for resends was late: each PSN was sent once. */
void rda_tally_none_again(struct rda_requester *requester, const struct rda_request *at,
			  const struct rda_event_sink *sink);

/* Record `index` ends at `end`, and a hole follows. Returns the ordinal of its latest appearance.
 */
uint64_t rda_tally_shorten(struct rda_requester *requester, int64_t index, int64_t end);

/* Record `index` ends at `end`, as far as holes behind it allow. */
void rda_tally_lengthen(struct rda_requester *requester, int64_t index, int64_t end);

/* Settles the records that lie below what is acknowledged. */
void rda_tally_settle(struct rda_requester *requester, const struct rda_request *at,
		      const struct rda_event_sink *sink);

/* A fact about PSNs, noticed at a packet. */
void rda_tally_emit(const struct rda_event_sink *sink, enum rda_event_kind kind,
		    const struct rda_request *at, int64_t psn, uint64_t count, uint64_t other);

/*
 * What the run at hand began with was sent before the first packet that was captured: lost, or it
 * passed before the capture began, and was lost behind the tap.
 */
static inline void rda_tally_first_lost(struct rda_requester *requester,
					const struct rda_event_sink *sink)
{
	const struct rda_resend_run *run = &requester->rare->run;
	struct rda_request at = {.time_ns = run->ns, .frame = run->frame};

	rda_requester_rare(requester)->counts.missing++;
	rda_tally_emit(sink, RDA_EVENT_MISSING, &at, run->begin, 1, run->frame);
}

#endif
