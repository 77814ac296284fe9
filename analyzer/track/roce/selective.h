/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A requester that repeats selectively: behind a NAK it sends only what is missing, as the
 * responder has kept what came ahead (out-of-order placement: NVIDIA's "Selective Repeat",
 * Broadcom's). A go-back-N responder drops all that is ahead, so what was acknowledged and never
 * sent again shows the other kind:
 *
 *     A  10  12  13      11  14             12 and 13 were sent before 11, and not again:
 *     B        NAK 11         ACK 14        the ACK says that they were taken
 *
 * From then on no run counts as having sent what it did not show.
 */
#ifndef RDA_SELECTIVE_H
#define RDA_SELECTIVE_H

#include "analyzer/track/roce/requester.h"

/* `record` shows it. */
void rda_selective_note(struct rda_requester *requester, const struct rda_sent *record,
			const struct rda_request *at, const struct rda_event_sink *sink);

/*
 * Record `index` is acknowledged: it shows it if it was sent before a hole below it was filled, or
 * before what a NAK asked for came again, and never again itself.
 */
void rda_selective_settled(struct rda_requester *requester, int64_t index,
			   const struct rda_request *at, const struct rda_event_sink *sink);

/* The latest run may have left out [begin, end): it does not count as lost in it. */
void rda_selective_leaves_out(struct rda_requester *requester, int64_t begin, int64_t end,
			      enum rda_run_kind kind);

/*
 * The latest run skipped [begin, end), and nothing has shown that runs of its kind go back N: what
 * it had sent before it may have left out, also where a later run sends that again.
 */
void rda_selective_jumps(struct rda_requester *requester, int64_t begin, int64_t end);

/* A responder that had got what comes ahead asks for it: it keeps nothing, so nobody leaves it out.
 */
void rda_selective_refuted(struct rda_requester *requester);

/* The latest run goes on with one more of those that were sent before: perhaps runs of its kind do,
 * if that had passed. */
void rda_selective_goes_on(struct rda_requester *requester, const struct rda_request *request,
			   bool had_passed);

#endif
