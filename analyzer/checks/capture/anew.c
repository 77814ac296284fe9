/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Q01: PSNs that were acknowledged and never seen, where the QP may have been set up anew.
 *
 *     10 11 12    (13 to 99)    100 101    ACK 101
 *     ------------ one life ----------->     msn 6 to 92: it counts what is missing, too
 *     ------->    two lives?    ------->     msn 2: what it counts passed here, all of it
 *
 * A responder counts messages from the beginning of each life. One that counts no more than began
 * behind the hole may have taken nothing else, and then nobody sent what is missing; who goes on
 * with a message there did not begin anew.
 */
#include "analyzer/checks/capture/state.h"

#include "analyzer/base/psn.h"
#include "analyzer/checks/answer/state.h"

/* An answer that covers what nothing shows. */
struct anew {
	const struct rda_at *at;
	const struct rda_event *event;
	const struct rda_msn_watch *watch; /* of the answers before */
	int64_t acked;			   /* PSN */
	uint64_t msn;
};

/* Messages that passed behind the hole, and end up to this PSN. */
static uint64_t ended_behind(const struct anew *a, int64_t psn)
{
	const struct rda_account *account = a->at->asker->account;

	return rda_account_ended(account, psn) - rda_account_message_progress(account).done;
}

/* More than anybody sends at once: sent unseen, or never sent, whatever set the QP up. */
static bool is_far(const struct anew *a)
{
	uint64_t since = (uint64_t)(a->acked + 1 - a->event->psn) - a->event->count;
	uint64_t counted = (a->msn - (uint64_t)a->watch->msn) & RDA_PSN_MASK;

	/* what is missing ended a message at least, and no more messages than it has PSNs */
	return !a->watch->known || a->msn <= since || counted <= ended_behind(a, a->acked) ||
	       counted > a->event->count + since;
}

/* Nobody sets a QP up sooner behind an answer. What had none may be late, of the life before. Where
 * connection management tells of no other life the count contradicts it all the same. */
static bool is_near(const struct anew *a)
{
	const struct rda_account *account = a->at->asker->account;
	int64_t next = a->event->psn + (int64_t)a->event->count;
	const struct rda_sent *behind = rda_account_sent(account, next);

	return behind && behind->seen && behind->roles & RDA_ROLE_FIRST &&
	       (!a->watch->known || behind->sent_ns - a->watch->time_ns >= RDA_SILENCE_NS) &&
	       a->msn <= ended_behind(a, rda_account_progress(account)->next - 1);
}

/* A life that no set-up tells of may be none: what was sent before has the same PSNs, and the
 * answer may be to that. */
static bool may_answer_another_life(const struct rda_at *at, const struct rda_event *event)
{
	const struct rda_flow *before = rda_flow_rare(at->asker)->before;
	int64_t last = event->psn + (int64_t)event->count - 1; /* the answer covers it at least */
	uint32_t psn = at->request ? rda_psn_narrow(last) : at->packet->bth.psn;

	if (rda_cm_set_up(at->asker))
		return false;
	for (; before; before = rda_flow_rare(before)->before) {
		int64_t next = before->account ? rda_account_progress(before->account)->next : 0;
		int64_t beside = rda_psn_widen(next, psn);

		if (before->account && beside < next &&
		    beside >= rda_psn_widen(next, before->first_psn))
			return true;
	}
	return false;
}

bool rda_capture_may_be_anew(const struct rda_at *at, const struct rda_event *event)
{
	const struct rda_account *account = at->asker->account;
	bool far = event->count > RDA_RESET_PSNS;
	struct anew a = {at, event, &rda_answer_watched(at->asker)->msn, 0, 0};

	if (may_answer_another_life(at, event) ||
	    rda_account_begins_within(account, event->psn, event->psn + (int64_t)event->count))
		return true;
	if (at->request || !rda_has(at->packet, AETH))
		return far;
	a.acked = rda_account_widen(account, at->packet->bth.psn);
	a.msn = at->packet->aeth.msn;
	return far ? is_far(&a) : is_near(&a);
}
