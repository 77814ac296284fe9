/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a request is that passes behind others that were sent after it: the original, late, or a
 * part of a run of resends, as its place in the order of sending (sending_order.h) tells.
 *
 *     identification   17 18 19 | 23 24 26 | 25 20 | 27
 *     PSN               5  6  7 |  6  7  9 |  8  8 | 10
 *
 * Run 2 begins behind 19 (and 20 to 22, which are late or lost); 25 is of run 2, 20 of the new
 * PSNs.
 *
 * No run begins with such a packet, and none ends. One that has the place of a packet that passed
 * before is a copy of it.
 */
#ifndef RDA_OVERTAKEN_H
#define RDA_OVERTAKEN_H

#include "analyzer/track/roce/past_run.h"
#include "analyzer/track/roce/requester.h"

/* `place`: not above the latest before it. Returns what the packet is; *original: of a copy. */
enum rda_request_kind rda_overtaken_packet(struct rda_requester *requester,
					   const struct rda_request *request, int64_t place,
					   const struct rda_event_sink *sink, uint64_t *original);

/*
 * A request that passed before is told, and counted, as a part of `run`, which may reach further
 * than was known. `place`: RDA_ORDER_UNKNOWN where nothing tells it; `record`: of its PSN.
 */
enum rda_request_kind rda_overtaken_resend(struct rda_requester *requester,
					   const struct rda_request *request, int64_t place,
					   struct rda_past_run *run, struct rda_sent *record,
					   const struct rda_event_sink *sink);

/*
 * By its place in the order of sending, the latest, as many packets were sent between the one
 * before it and this as the PSNs between them took, a READ one: the run at hand goes on, and these
 * are late or lost.
 */
bool rda_overtaken_in_turn(const struct rda_requester *requester,
			   const struct rda_request *request);

/*
 * The run that a request which was sent after all that passed goes on with, though it was known
 * only when a packet of it had overtaken others: what was sent just before the request was a part
 * of it, lies below, and no other run can have begun and come to it between the two. NULL: none.
 */
struct rda_past_run *rda_overtaken_goes_on(const struct rda_requester *requester,
					   const struct rda_request *request, int64_t place);

/*
 * The latest run of resends goes on with a request behind [begin, end), and identifications count
 * as many packets there as it has PSNs: it sent them, what was acknowledged too, and they are late
 * or lost. What was acknowledged is told as lost; where it comes after all, that is taken back.
 */
void rda_overtaken_missed(struct rda_requester *requester, int64_t begin, int64_t end,
			  const struct rda_request *request, const struct rda_event_sink *sink);

/* A request that was acknowledged before it came. */
void rda_overtaken_by_answer(struct rda_requester *requester, const struct rda_request *request);

/* What lies below `end` was answered before the request came, as far as that goes (unseen). */
void rda_overtaken_settle(struct rda_requester *requester, const struct rda_request *request,
			  int64_t end, const struct rda_event_sink *sink);

/* The same, when it has been taken for new. */
void rda_overtaken_answered(struct rda_requester *requester, const struct rda_request *request,
			    const struct rda_event_sink *sink);

#endif
