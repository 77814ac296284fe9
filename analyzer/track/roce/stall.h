/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Time without progress: how long work was outstanding and nothing was taken, because something was
 * sent in vain.
 *
 *     sent   acked          sent  NAK   resent  RNR      resent           acked
 *      |  ... |    (idle)    |     |      |      |         |                |
 *                            |<---- nak --------->|<-------- rnr ---------->|
 *                            '---------------- one stall -------------------'
 *
 * A stall begins at the latest progress, or when the oldest outstanding request was first sent if
 * that is later: an idle connection is not stalled. It ends when the responder takes or answers
 * something that it had not before. Each resend in it divides it: what is behind a resend, and
 * brought no progress, is the fault of the next. Of a stall that never ends only what lies before
 * the last resend is known.
 *
 * Waiting for an answer that comes without a resend is latency (latency.h), not a stall.
 */
#ifndef RDA_STALL_H
#define RDA_STALL_H

#include "analyzer/track/event.h"

#include <stdbool.h>

/* There is one where something was sent again. */
struct rda_stall_times {
	int64_t begin_ns; /* of the stall at hand */
	int64_t since_ns; /* what of it is not counted yet */
	int64_t total_ns[RDA_TRIGGER_COUNT];
};

struct rda_stall {
	struct rda_stall_times *times; /* owned; NULL before the first */
	int64_t progress_ns;	       /* the latest; valid if progressed */
	uint8_t trigger; /* enum rda_trigger of the latest resend of the stall at hand */
	bool open, progressed;
};

void rda_stall_cleanup(struct rda_stall *stall);

/* A run of resends begins, of what was first sent at `sent_ns`. Returns since when it stood still,
 * as far as that was not told before. */
int64_t rda_stall_resent(struct rda_stall *stall, enum rda_trigger trigger, int64_t sent_ns,
			 int64_t time_ns);

/* Progress. Returns how long the stall that it ends was; negative: there was none. */
int64_t rda_stall_progress(struct rda_stall *stall, int64_t time_ns);

/* Nothing was sent again so far, as is known by now: there was no stall. */
void rda_stall_none(struct rda_stall *stall);

/* Of one cause; in all. */
int64_t rda_stall_of(const struct rda_stall *stall, enum rda_trigger trigger);
int64_t rda_stall_total(const struct rda_stall *stall);

#endif
