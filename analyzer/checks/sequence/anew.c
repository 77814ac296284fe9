/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What seems to be sent again, and may be of the QP's next life.
 *
 * A QP that was reset and set up anew with the PSNs that it had may ask for the same as before, and
 * its answers count messages as they did:
 *
 *     10 11 12   ACK 12   ...   10 11 12   ACK 12   a timer, or anew
 *     10 11 12   ACK 12   ...   10         ACK 12   a timer: the next life has not come so far
 *     10 11 12   ACK 12   ...   10         13       a timer: the next life goes on with 11
 *
 * So it may be where a run begins with the first PSN of all behind a silence, when all was
 * answered, until one of these shows otherwise; and where it begins shortly behind, as the first
 * packets may be lost, if no answer counts more messages than that. Connection management would set
 * it up again, where it did before. What differs in requests or counts tells by itself:
 * roce/reset.c.
 */
#include "analyzer/checks/sequence/state.h"

#include "analyzer/base/psn.h"

void rda_anew_begin(const struct rda_flow *asker, struct rda_loss_run *run)
{
	run->near_first = !rda_cm_set_up(asker) && rda_account_run(asker->account)->perhaps_reset;
	run->perhaps_anew = run->near_first && run->start <= rda_psn_first(asker->first_psn);
}

void rda_anew_answered(struct rda_loss_run *run, int64_t psn, uint32_t msn)
{
	if (psn >= run->end && psn < run->top)
		run->perhaps_anew = false;
	if (psn >= run->start && msn > psn - run->start + 1) /* each PSN ends one at most */
		run->counts_on = true;
}

bool rda_anew_perhaps(const struct rda_flow *asker, const struct rda_loss_run *run)
{
	bool goes_on = rda_account_progress(asker->account)->next > run->top;
	const struct rda_run_doubts *doubts = &rda_account_counts(asker)->doubts;

	return (run->perhaps_anew && (run->end >= run->top || !goes_on)) ||
	       (run->near_first && (doubts->anew || (doubts->resets && !run->counts_on)));
}

static bool is_anew(const struct rda_loss_run *run)
{
	return run->perhaps_anew || run->verdict == RDA_VERDICT_ANEW;
}

void rda_anew_forget(struct rda_losses *losses, const struct rda_loss_run *run)
{
	losses->forgot_anew |= is_anew(run);
}

bool rda_anew_asks(const struct rda_losses *losses, uint64_t frame)
{
	for (unsigned i = losses->run_count; i > 0; i--)
		if (losses->runs[i - 1].frame <= frame)
			return is_anew(&losses->runs[i - 1]);
	return losses->forgot_anew;
}
