/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * READ responses that only the capture missed, and are asked for again after all; unseen.h has the
 * figure.
 */
#include "analyzer/track/roce/unseen.h"

#include "analyzer/track/roce/owed.h"
#include "analyzer/track/roce/tally.h"

#include <glib.h>

void rda_unseen_tell(struct rda_responder *s, const struct rda_request *q, int64_t psn,
		     uint32_t count, const struct rda_event_sink *sink)
{
	struct rda_responder_rare *rare = rda_responder_rare(s);

	rare->counts.lost_by_capture += count;
	rare->unseen.told[rare->unseen.count++ % RDA_UNSEEN_KEPT] =
		(struct rda_unseen_told){psn, count};
	rda_tally_emit(sink, RDA_EVENT_RESPONSE_UNSEEN, q, psn, count, 0);
}

void rda_unseen_asked(struct rda_responder *s, const struct rda_requester *r,
		      const struct rda_request *q, const struct rda_event_sink *sink)
{
	for (uint32_t i = 0; i < MIN(s->rare->unseen.count, RDA_UNSEEN_KEPT); i++) {
		struct rda_responder_rare *rare = rda_responder_rare(s);
		struct rda_unseen_told *told = &rare->unseen.told[i];
		uint32_t count = told->count;

		/* it may ask for a part of what it lacked only */
		if (!count || told->psn + count <= q->begin || told->psn >= q->end)
			continue;
		told->count = 0;
		rare->counts.lost_by_capture -= MIN(rare->counts.lost_by_capture, count);
		rda_tally_emit(sink, RDA_EVENT_RESPONSE_ASKED, q, told->psn, count, 0);
		/* what lies before that may be the reason, and then all behind it is asked again */
		if (told->psn == q->begin)
			rda_owed_add(s, r, told->psn, q->end, count, count, q, sink);
	}
}
