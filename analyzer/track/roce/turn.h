/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which answer a response of a READ is of, where the READ was asked for more than once.
 *
 *     READ 5-8   5 6   READ 6-8   7 8   6 7 8        7 8 go on with the first answer, in turn;
 *                                                    6 begins the other
 *     READ 5-8   5 8 6 7                             6 and 7 others have overtaken: not in turn
 */
#ifndef RDA_TURN_H
#define RDA_TURN_H

#include "analyzer/track/roce/request.h"
#include "analyzer/track/roce/window.h"

/*
 * A response comes. Whether it goes on with the response before it, or further than all before: an
 * answer that was under way when the rest was asked for again does so, and what others have
 * overtaken does not.
 */
bool rda_turn_take(struct rda_pending *pending, int64_t psn);

/* The answer before it came to its end, and one to who asked again is due by now. */
bool rda_turn_is_other(const struct rda_pending *pending, int64_t time_ns, int64_t took_ns);

/*
 * It was asked for again from there, and the answer to that begins with a First or Only, but of
 * responders that go on where the older answer was (rxe): a Middle, which alone has no AETH, or a
 * Last may be of that.
 */
bool rda_turn_may_be_older(const struct rda_pending *pending, int64_t psn, uint16_t roles,
			   bool has_aeth);

/*
 * Notes of what asked for it when a response came, and how far its answer has come without a gap:
 * what the latest answer lacks did not come with it, though an earlier one may have brought it, of
 * which the requester dropped that. `pending`: the READ that waits for it; NULL: none does.
 * `ahead`: an older one is missing.
 */
void rda_turn_note(struct rda_sent *record, const struct rda_pending *pending, int64_t psn,
		   int64_t time_ns, bool ahead);

/*
 * The latest answer to record `index`, a READ or ATOMIC, passed before one to an older one of
 * these: as long as that is missing the requester drops what comes behind it.
 */
bool rda_turn_was_ahead(const struct rda_window *window, int64_t index);

/*
 * What passed with this PSN was not taken: of a READ or ATOMIC the latest answer had not come so
 * far; or, as of an ACK that passed at `acked_ns`, one to an older READ or ATOMIC was missing yet.
 */
bool rda_turn_lacks(const struct rda_window *window, int64_t psn, int64_t acked_ns);

#endif
