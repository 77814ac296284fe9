/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Responses that passed the tap and are asked for again; lost_behind.h has the figure.
 */
#include "analyzer/track/roce/lost_behind.h"

#include "analyzer/track/roce/run.h"
#include "analyzer/track/roce/tally.h"
#include "analyzer/track/roce/turn.h"

#include <glib.h>

/* Behind the tap an answer may be under way twice as long as it, or the latest, took to here. */
static int64_t under_way_ns(const struct rda_requester *r, const struct rda_sent *record)
{
	int64_t took_ns = MAX(record->answer_ns - record->sent_ns, r->heard->answers.took_ns);

	return MAX(rda_ns_times(took_ns, 2), RDA_TIMER_IN_USE_NS);
}

void rda_lost_behind(struct rda_responder *s, const struct rda_requester *r,
		     const struct rda_request *q, const struct rda_event_sink *sink)
{
	int64_t index = rda_window_find(&r->window, q->begin);
	const struct rda_sent *record = index < 0 ? NULL : rda_window_at(&r->window, index);
	bool oldest = !s->waiting.count || s->waiting.items[0].end > q->begin;
	bool passed = r->heard->answers.next > q->begin;

	if (r->rare->run.frame != q->frame || !oldest || !record ||
	    record->answer_ns == RDA_NEVER_NS || record->ahead)
		return;
	/* the run's first packet may be on its way here, and a requester drops what is not next */
	if (rda_requester_overtakes(r) || rda_responses_overtake(&s->rare->counts))
		return;
	/* the latest answer had not come so far, or was dropped, as an older one was missing */
	if (q->begin >= record->begin + record->answered || rda_turn_was_ahead(&r->window, index))
		return;
	if (index > 0 && !rda_window_at(&r->window, index - 1)->seen)
		return; /* perhaps that is asked for again, and the tap misses it each time */
	if (r->rare->run.due &&
	    (r->run.trigger == RDA_TRIGGER_IMPLIED || r->rare->run.told_ns < record->answer_ns))
		return; /* the reason passed first */
	if (r->run.trigger == RDA_TRIGGER_TIMEOUT && q->begin == record->begin)
		return; /* perhaps all was asked again, whatever came */
	if (q->time_ns - record->sent_ns >= RDA_TIMER_IN_USE_NS &&
	    q->time_ns - record->answer_ns < under_way_ns(r, record))
		return; /* perhaps a timer fired while its answers were under way */
	passed &= r->heard->answers.next_ns >= record->answer_ns;
	passed &= record->seen < 3 || r->heard->answers.overtaken_before_ns >= record->answer_ns;
	passed &= r->rare->run.alone ||
		  (r->rare->run.reaction_ns &&
		   q->time_ns - r->heard->answers.next_ns >= r->rare->run.reaction_ns);
	if (!passed && q->time_ns - record->answer_ns < rda_requester_patience(r))
		return;
	rda_responder_rare(s)->counts.lost_after++;
	rda_tally_emit(sink, RDA_EVENT_RESPONSE_LOST_AFTER, q, q->begin, 1, 0);
}
