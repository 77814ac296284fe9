/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * S05: runs of resends of what the responder had taken, as its answers tell.
 */
#include "analyzer/checks/sequence/state.h"

#include <glib.h>

static bool is_silence(const struct rda_loss_run *run)
{
	return run->trigger == RDA_TRIGGER_TIMEOUT || run->trigger == RDA_TRIGGER_UNEXPLAINED;
}

static struct rda_finding *spurious(const struct rda_at *at, const struct rda_loss_run *run)
{
	struct rda_finding *finding = rda_finding_add(&at->judge->findings, RDA_CHECK_S05,
						      rda_about_flow(at->asker), run->frame);

	rda_finding_frame(finding, run->cause);
	return finding;
}

/* S05: the answer to a run's first packet had passed before. */
void rda_spurious_resent(const struct rda_at *at, struct rda_losses *losses,
			 const struct rda_event *event)
{
	const struct rda_progress *progress = rda_account_progress(at->asker->account);
	struct rda_loss_run *run = rda_losses_newest(losses);

	if (!run || !event->other_frame || run->packets != 1 || run->verdict != RDA_VERDICT_OPEN ||
	    !is_silence(run) || run->perhaps_due ||
	    rda_account_waits_at(at->asker->account, event->psn))
		return;
	run->verdict = RDA_VERDICT_ANSWERED;
	losses->answer_ns_most = MAX(losses->answer_ns_most, event->time_ns - progress->acked_ns);
	rda_finding_frame(spurious(at, run), progress->acked_frame);
}

/*
 * An answer to what was answered: a run and its original both arrived (S05). It says which run by
 * its PSN: the responder had all of the run, and nothing that was sent later.
 */
static void answered_again(const struct rda_at *at, struct rda_losses *losses, int64_t psn)
{
	for (unsigned i = 0; i < losses->run_count; i++) {
		struct rda_loss_run *run = &losses->runs[i];

		if (!is_silence(run) || run->perhaps_due || psn < run->end - 1 || psn >= run->top)
			continue;
		if (run->verdict == RDA_VERDICT_EARLY && run->echoes) {
			run->echoes--;
			return;
		}
		if (run->verdict != RDA_VERDICT_OPEN)
			continue;
		run->verdict = RDA_VERDICT_EARLY;
		run->echoes = run->packets - 1;
		rda_finding_frame(spurious(at, run), at->place);
		return;
	}
}

/* The network's or a mirror's copy of an answer says nothing. */
static bool is_copy(const struct rda_at *at, const struct rda_losses *losses, int64_t psn)
{
	if (at->meta->time_ns - losses->answer_ns >= RDA_MIRROR_NS || psn != losses->answer_psn)
		return false;
	if (at->packet->ip_id)
		return at->packet->ip_id == losses->answer_ip_id;
	return rda_account_counts(at->asker)->packets[RDA_REQUEST_MIRRORED] > 0;
}

void rda_spurious_response(const struct rda_at *at, struct rda_losses *losses)
{
	const struct rda_packet *packet = at->packet;
	uint16_t roles = packet->opcode->roles;
	bool again,
		positive = !rda_has(packet, AETH) || rda_aeth_kind(&packet->aeth) == RDA_AETH_ACK;
	int64_t psn;

	if (!losses->run_count || !at->asker->account)
		return;
	psn = rda_account_widen(at->asker->account, packet->bth.psn);
	rda_losses_answered(losses, positive ? psn : psn - 1, at->meta->time_ns);
	if (!positive)
		return;
	/* an ACK says so by an event */
	if (roles & RDA_ROLE_ACK)
		again = losses->again_frame == at->place;
	else
		again = roles & RDA_ROLE_LAST && losses->done_frame != at->place &&
			!rda_account_waits_at(at->asker->account, psn);
	if (again && !is_copy(at, losses, psn))
		answered_again(at, losses, psn);
	losses->answer_ns = at->meta->time_ns;
	losses->answer_psn = psn;
	losses->answer_ip_id = packet->ip_id;
}
