/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests that are a part of a run of resends though others of their run, or of the next, overtook
 * them, where nothing tells the order of sending (IPv6, one identification for all). What does
 * tell:
 *
 *     PSN    10 .. 20   NAK 13   NAK 16   16 | 13 14 15 | 17 ..
 *
 * 13 comes right behind the beginning of a run, sooner than any timer fires again: it is the
 * beginning of that run, and 16 overtook it. And 14 was sent by that run, by what it has shown so
 * far. Only what was seen each time that the runs at hand can have sent it begins another, where a
 * reason to send again is left that none has obeyed (unobeyed.h): so many runs there were at least.
 * Where the order is known: overtaken.h.
 *
 *     PSN    NAK 10   10 .. 15   NAK 12   22 | 16 .. 21
 *
 * 16 is where the run broke off, right behind that: 22 overtook it, though nothing was seen to
 * overtake before, and though a NAK is due. A run for that would have lost 12 to 15, and begin just
 * there.
 */
#ifndef RDA_LATE_IN_RUN_H
#define RDA_LATE_IN_RUN_H

#include "analyzer/track/roce/requester.h"

/* The run at hand, if there is one, jumps over what it would send next. */
void rda_late_in_run_jumps(struct rda_requester *requester);

/*
 * Of a packet that passed before: whether more runs sent its PSN, or will, than have shown it, or
 * the latest did or must have, or there is no reason for another, and no timer had the time to
 * fire. Then it is told and counted. That a NAK asks for it meanwhile does not make it another
 * run's where much comes late: a packet that comes late is what NAKs ask for there.
 */
bool rda_late_in_run(struct rda_requester *requester, const struct rda_request *request,
		     const struct rda_event_sink *sink);

#endif
