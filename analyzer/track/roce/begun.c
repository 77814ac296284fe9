/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The agreed PSN, and what passed before the capture began; begun.h has the figure.
 */
#include "analyzer/track/roce/begun.h"

#include "analyzer/base/psn.h"
#include "analyzer/track/roce/account.h"
#include "analyzer/track/roce/account_parts.h"
#include "analyzer/track/roce/tally.h"

#include <glib.h>

/* The agreed PSN as it is beside this one; or that, where none was agreed on. */
static int64_t agreed_beside(const struct rda_requester *r, int64_t psn)
{
	return r->begun.agreed < 0 ? psn : rda_psn_widen(psn, (uint32_t)r->begun.agreed);
}

void rda_begun_as_agreed(struct rda_requester *r, const struct rda_request *q)
{
	int64_t agreed = agreed_beside(r, q->begin);

	if (r->begun.agreed >= 0 && agreed == q->begin)
		r->begun.first_ns = RDA_NEVER_NS;
	if (agreed >= q->begin || q->begin - agreed > RDA_FIRST_PSNS)
		return;
	r->begun.first_ns = RDA_NEVER_NS;
	rda_tally_start(r, agreed, q->time_ns);
	rda_tally_hole(r, q->begin, q->time_ns);
	rda_window_at(&r->window, 0)->perhaps = true;
}

/* The account began with another PSN: of another life of the QP, or the capture has no beginning.
 */
static bool began_elsewhere(const struct rda_requester *r)
{
	return r->begun.agreed >= 0 && r->begun.first_ns != RDA_NEVER_NS;
}

void rda_begun_behind_hole(struct rda_requester *r, const struct rda_request *q)
{
	if (began_elsewhere(r) && agreed_beside(r, q->begin) == q->begin)
		rda_window_at(&r->window, r->window.count - 1)->perhaps = true;
}

bool rda_account_begins_within(const struct rda_account *account, int64_t begin, int64_t end)
{
	const struct rda_requester *r = &account->requester;
	int64_t agreed = agreed_beside(r, begin);

	return began_elsewhere(r) && begin < agreed && agreed < end;
}

/* Sent again, perhaps, as what passed before the capture began was not answered yet, or overtook
 * others. */
static bool is_soon(const struct rda_requester *r, const struct rda_sent *sent)
{
	int64_t way_ns = MAX(r->rtt.smooth_ns, r->heard->answers.took_ns);

	return sent->first_ns - r->begun.first_ns <= MAX(way_ns, RDA_REACTION_MIN_NS);
}

bool rda_account_is_early(const struct rda_account *account, int64_t begin, int64_t end)
{
	const struct rda_requester *r = &account->requester;
	const struct rda_sent *before = rda_account_sent(account, begin - 1);
	const struct rda_sent *behind = rda_account_sent(account, end);

	return before && before->seen && r->begun.first_ns != RDA_NEVER_NS && is_soon(r, before) &&
	       (!behind || !behind->seen || is_soon(r, behind) || rda_requester_overtakes(r));
}
