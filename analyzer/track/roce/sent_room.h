/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much can have been lost of what was sent in runs, by the places that they left to it in the
 * order of sending (sent_log.h):
 *
 *     place   17 18 19 20 | 23 24 | 25 27        7 was lost once: at 26
 *     PSN      5  6  7  8 |  6  7 |  6  8
 *
 * No other 7 is missing: what was sent at 21 and 22 was no part of a run that shows it. What is
 * counted as lost is bound.h's part.
 */
#ifndef RDA_SENT_ROOM_H
#define RDA_SENT_ROOM_H

#include "analyzer/track/roce/sent_log.h"

/*
 * So many transmissions of a record at most are missing in runs of which the tap has shown
 * something: each has left a place that nobody has, and that the run before it, going on, or the
 * one behind it, having begun earlier, had for it. UINT8_MAX: not known.
 */
uint8_t rda_sent_room(const struct rda_requester *requester, const struct rda_sent *record);

#endif
