/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The READ responses that a requester names when it asks again; named.h has the figure.
 */
#include "analyzer/track/roce/named.h"

#include "analyzer/base/assert.h"
#include "analyzer/track/roce/account_parts.h"

#include <glib.h>

void rda_named_note(struct rda_responder *s, const struct rda_requester *r,
		    const struct rda_pending *pending, uint32_t count, const struct rda_request *q)
{
	int64_t begin = pending->missing ? pending->hole : pending->expected;
	int64_t end = pending->missing ? pending->hole_end : pending->end;
	struct rda_owing *owing;
	bool begins = r->rare->run.frame == q->frame;

	if (!count)
		return;
	owing = &rda_responder_rare(s)->owing;
	RDA_ASSERT(owing->count > 0);
	if (q->begin != begin || (!begins && q->begin != owing->named_end)) {
		owing->named_end = 0;
		return;
	}
	owing->named_end = end;
	owing->owed[owing->count - 1].named = MIN(count, (uint32_t)(end - begin));
}
