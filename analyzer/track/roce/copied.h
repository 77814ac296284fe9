/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which requests at or below what was sent before are copies, or come late, by time alone: where
 * identifications tell (copies.h, sending_order.h) nobody asks here.
 *
 *     10 11 12 | 11              at most 100 us behind the first: a mirror's copy
 *     10 11 12  ACK 12 | 11      at most 2 ms: sent again, or copied by the network, or late
 *     NAK 10  10 12 13 | 11      the run jumped over it: late
 *     11 12 | 10                 the first packet of the capture overtook it
 *
 * requester.c does what follows from it.
 */
#ifndef RDA_COPIED_H
#define RDA_COPIED_H

#include "analyzer/track/roce/requester.h"

/* It looks like what had passed: the same identification and ICRC. Sent again, or copied. */
static inline bool rda_copied_looks_so(const struct rda_sent *record,
				       const struct rda_request *request)
{
	return record && record->seen && record->icrc == request->icrc &&
	       record->ip_id == request->ip_id;
}

/* It is what passed before, so shortly behind it that a mirror made it, where nothing is due. */
bool rda_copied_by_time(const struct rda_requester *requester, const struct rda_sent *record,
			const struct rda_request *request);

/* The same, of one in a run of resends that may be copies all of them. */
bool rda_copied_like_its_run(const struct rda_requester *requester,
			     const struct rda_request *request);

/*
 * What is sent again has the identification that it had, and comes later than any copy does: its
 * sender makes identifications of the PSN, and they do not tell the order of sending.
 */
void rda_copied_number(struct rda_requester *requester, const struct rda_request *request);

/*
 * A packet's place in the order of sending; unknown where its sender seems to give what its timer
 * sends again the identification of the first: the oldest that is not acknowledged was sent last,
 * and comes once more later than any copy does.
 */
int64_t rda_copied_place(struct rda_requester *requester, const struct rda_request *request,
			 int64_t place);

/*
 * Of a packet of the run of resends at hand. Nobody asked for it, it is what passed before, and
 * comes no later behind that than copies do: so it may be one, by the network, or the original
 * behind its resend. What is not remembered any more passed before what was acknowledged last; or
 * it may come late, when nothing was. `record`: of its PSN; NULL: not remembered.
 */
bool rda_copied_perhaps(const struct rda_requester *requester, const struct rda_request *request,
			const struct rda_sent *record);

/*
 * A run seems to begin behind what is due, with what passed shortly before, where others were
 * copied or came late: a copy of that looks the same, and what lies between was not sent again
 * then.
 */
bool rda_copied_or_begun_late(const struct rda_requester *requester,
			      const struct rda_request *request);

/*
 * Whether a packet that passed before is one that is missing: more were sent than came, what it
 * carries is acknowledged, nobody asks for it, and it comes so soon behind its resend that no timer
 * had the time to fire.
 */
bool rda_copied_late_original(const struct rda_requester *requester, const struct rda_sent *record,
			      const struct rda_request *request);

/*
 * Its run jumped over it, and nobody asked for it since: it comes late. Behind new requests too, if
 * that is sooner than any timer, and others came late.
 */
bool rda_copied_late_in_run(const struct rda_requester *requester, const struct rda_sent *record,
			    const struct rda_request *request);

/*
 * Overtaken by the capture's first packet: nothing was acknowledged, asked for or waited for.
 * Behind a longer pause a timer's run begins with what was lost before that packet, unless its
 * identification says that it was sent before that.
 */
bool rda_copied_before_the_first(const struct rda_requester *requester,
				 const struct rda_request *request);

/*
 * Of a packet of the run of resends at hand: whether it proves no transmission of what precedes it.
 * It may be a copy by the network, as `doubted` (rda_copied_perhaps) says where an answer asked for
 * others, or nobody did; and, of whatever run, where it leaps over what that has not shown, or goes
 * on behind one that did. `alone`: it does not go on where the run has come to.
 */
bool rda_copied_proves_nothing(struct rda_requester *requester, const struct rda_request *request,
			       const struct rda_sent *record, bool alone, bool doubted);

/* A packet is there once more, of a window with records: up to where copies have come. */
void rda_copied_note(struct rda_requester *requester, const struct rda_request *request);

#endif
