/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The responder's expected PSN, packet by packet; expected.h has the figure.
 */
#include "analyzer/track/roce/expected.h"

#include "analyzer/base/cold.h"
#include "analyzer/track/roce/again.h"

#include <glib.h>

/* Before the packet at hand. */
static bool has_passed(const struct rda_requester *r, int64_t psn)
{
	const struct rda_sent *record = rda_window_of(&r->window, psn);

	return record && record->seen > 1;
}

/* The first packet of all overtook this one: it was ahead of what was expected. */
static bool is_beginning(const struct rda_responder *s, const struct rda_requester *r,
			 const struct rda_request *q, enum rda_request_kind kind)
{
	return q->begin < s->begin_psn && kind == RDA_REQUEST_REORDERED && !r->progress.acked_frame;
}

RDA_COLD void rda_expected_any(struct rda_responder *s, const struct rda_requester *r,
			       const struct rda_request *q, enum rda_request_kind kind)
{
	bool timeout_run = kind == RDA_REQUEST_RESENT && r->run.trigger == RDA_TRIGGER_TIMEOUT;

	if (timeout_run && q->begin >= r->progress.acked && q->begin < s->at.expected) {
		/* lost behind the tap, or its answer late? Taken for lost until a second answer
		 * comes */
		if (rda_responder_rare(s)->assumed.count++ == 0 ||
		    r->ordinal == r->rare->run.ordinal)
			rda_responder_rare(s)->assumed.begin = q->begin;
		rda_responder_rare(s)->assumed.end = s->at.expected;
		return;
	}
	if (is_beginning(s, r, q, kind)) {
		struct rda_late_begin *late = &rda_responder_rare(s)->late_begin;

		rda_responder_rare(s)->unexpected.out_of_sequence +=
			late->is ? late->taken
				 : rda_again_passed(r, s->begin_psn, s->at.expected, 0);
		*late = (struct rda_late_begin){.taken = 1, .is = true};
		s->begin_psn = q->begin;
		s->at.expected = q->end;
		s->at.ahead = 0;
		return;
	}
	if (q->begin < s->at.expected) {
		/* what passes here for the first time though it was answered is late here only */
		bool passed = has_passed(r, q->begin);
		bool again = kind != RDA_REQUEST_REORDERED || passed;

		if (again)
			rda_again_duplicate(s, !r->looked_back, passed);
		rda_responder_rare(s)->unexpected.untold += again && q->begin >= r->progress.acked;
	} else if (q->begin > s->at.expected) {
		rda_responder_rare(s)->unexpected.out_of_sequence++;
		s->at.ahead++;
	} else {
		s->at.expected = q->end;
		s->at.ahead = 0;
		if (s->rare->late_begin.is)
			rda_responder_rare(s)->late_begin.taken++;
	}
}

void rda_expected_catch_up(struct rda_responder *s, const struct rda_requester *r)
{
	int64_t index = rda_window_find(&r->window, s->at.expected);
	const struct rda_sent *record = rda_window_of(&r->window, s->at.expected - 1);
	uint64_t latest = record && record->seen ? record->ordinal : 0;

	for (; latest && index >= 0 && index < (int64_t)r->window.count; index++) {
		record = rda_window_at(&r->window, index);
		if (!record->seen || record->ordinal < latest)
			break;
		latest = record->ordinal;
		s->at.expected = record->end;
	}
	if (!latest)
		return;
	s->at.ahead = rda_again_passed(r, s->at.expected, r->progress.next, latest + 1);
	rda_responder_rare(s)->unexpected.out_of_sequence += s->at.ahead;
}

void rda_expected_span(struct rda_responder *s, const struct rda_requester *r, int64_t begin,
		       int64_t end)
{
	uint64_t ahead = s->at.ahead;

	if (s->at.expected != begin + 1 || end == begin + 1)
		return;
	s->at.expected = end;
	if (!ahead || r->window.lean)
		return;
	rda_responder_rare(s)->unexpected.out_of_sequence -=
		MIN(ahead, s->rare->unexpected.out_of_sequence);
	s->at.ahead = 0;
	rda_expected_catch_up(s, r);
}

void rda_expected_fall_back(struct rda_responder *s, struct rda_requester *r, int64_t psn)
{
	const struct rda_sent *record = rda_window_of(&r->window, psn);

	if (psn < s->at.expected) {
		/* none: lost before the first packet that the capture has */
		if (record ? record->seen : !r->progress.acked_frame) {
			uint64_t passed = rda_again_passed(r, psn + 1, s->at.expected,
							   record ? record->ordinal + 1 : 0);
			rda_responder_rare(s)->unexpected.out_of_sequence += passed;
			s->at.ahead += passed;
		}
		s->at.expected = psn;
	}
	rda_again_leave(s);
}

void rda_expected_repeat(struct rda_responder *s, const struct rda_requester *r,
			 const struct rda_sent *record)
{
	uint64_t passed;

	if (record->begin >= s->at.expected)
		return;
	passed = rda_again_passed(r, record->begin, s->at.expected, record->ordinal);
	rda_responder_rare(s)->unexpected.duplicates -= MIN(passed, s->rare->unexpected.duplicates);
	rda_again_leave(s);
}
