/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Upper bounds only: what a tap that loses packets has to overlook is not asked for.
 *
 * Where the network loses packets too, one that the tap missed of a run that was resent looks like
 * one that was lost before it: no answer tells them apart. Then the count may have it, but nothing
 * may be called proven once the capture is known to have missed something.
 */
#include "tests/simulate/blame.h"

#include "tests/simulate/hold.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>

/* What happened, of what host `asker` asked. */
struct fates {
	uint64_t resent, lost_before, lost_after, responses_before, responses_after;
	uint64_t missed, responses_missed; /* by the tap */
	/* what was dropped behind an unready request looks lost when its RNR NAK was not seen */
	uint64_t rnrs_unseen;
	/* and an answer that came before a run, when what the run is the reaction to was not seen
	 */
	uint64_t causes_unseen;
	uint64_t alike; /* what its gaps make look like requests lost before it */
};

/* What the tap's word makes of an answer. */
static int64_t acked_by(const struct sim_world *world, const struct sim_sent *answer)
{
	if (answer->data)
		return sim_message_of(&world->requester[answer->asker], answer->psn)->end;
	return answer->psn + sim_is_ack(answer->syndrome);
}

/*
 * Where the tap missed an ACK, a run seems to have begun with what was acknowledged, and to have
 * lost that: so many PSNs.
 */
static uint64_t begun_alike(const struct sim_world *world, uint8_t asker)
{
	const struct sim_truth *truth = &world->truth;
	int64_t acked = 0;
	uint32_t run = 0;
	uint64_t alike = 0;

	for (uint32_t i = 0; i < truth->seen_count; i++) {
		const struct sim_sent *sent = &truth->sent[truth->seen[i].sent];

		if (sent->asker != asker || sent->cnp)
			continue;
		if (sent->response) {
			acked = MAX(acked, acked_by(world, sent));
		} else if (sent->run > run) {
			run = sent->run;
			alike += (uint64_t)MAX(truth->runs[run].psn - acked, 0);
		}
	}
	return alike;
}

static struct fates fates_of(const struct sim_world *world, uint8_t asker)
{
	const struct sim_truth *truth = &world->truth;
	struct fates fates = {0};

	for (uint32_t i = 0; i < truth->sent_count; i++) {
		const struct sim_sent *sent = &truth->sent[i];

		if (sent->asker != asker || sent->cnp)
			continue;
		if (!sent->response) {
			fates.resent += sent->resent;
			fates.lost_before += sent->lost_before;
			fates.lost_after += sent->lost_after;
			/* a READ that was never captured is a hole of all its PSNs */
			fates.missed += sent->missed * (uint64_t)(sent->end - sent->psn);
		} else if (sent->data) {
			fates.responses_before += sent->lost_before;
			fates.responses_after += sent->lost_after;
			fates.responses_missed += sent->missed;
		} else {
			fates.rnrs_unseen += sent->syndrome >> 5 == 1 && !sent->seen;
		}
	}
	for (uint32_t i = 0; i < truth->run_count; i++) {
		const struct sim_run *run = &truth->runs[i];

		fates.causes_unseen +=
			run->asker == asker && run->cause && !truth->sent[run->cause - 1].seen;
	}
	/* without losses by the network nothing is resent: then an answer tells of each */
	if (fates.resent)
		fates.alike = fates.missed + begun_alike(world, asker);
	return fates;
}

static unsigned exceeds(uint8_t asker, const char *what, uint64_t said, uint64_t true_ones)
{
	if (said <= true_ones)
		return 0;
	fprintf(stderr, "host %u: %s is %llu, and there were %llu\n", asker, what,
		(unsigned long long)said, (unsigned long long)true_ones);
	return 1;
}

static unsigned blame_account(const struct sim_found *found, const struct fates *fates,
			      uint8_t asker)
{
	uint64_t responses_alike = fates->resent ? fates->responses_missed : 0;

	return exceeds(asker, "lost_before", found->lost_before,
		       fates->lost_before + fates->alike) +
	       exceeds(asker, "lost_after", found->lost_after,
		       fates->lost_after + fates->rnrs_unseen +
			       (fates->alike ? fates->lost_before : 0)) +
	       exceeds(asker, "resent", found->resent, fates->resent) +
	       exceeds(asker, "responses_lost_before", found->responses_lost_before,
		       fates->responses_before + responses_alike) +
	       exceeds(asker, "responses_lost_after", found->responses_lost_after,
		       fates->responses_after + responses_alike + fates->causes_unseen);
}

/* Checks that name a loss by the network, or what is done about one. */
static bool names_loss(uint16_t check)
{
	static const uint16_t checks[] = {RDA_CHECK_S01, RDA_CHECK_S02, RDA_CHECK_S03,
					  RDA_CHECK_S04, RDA_CHECK_S05, RDA_CHECK_S15,
					  RDA_CHECK_S16, RDA_CHECK_S17};

	for (unsigned i = 0; i < sizeof(checks) / sizeof(checks[0]); i++)
		if (checks[i] == check)
			return true;
	return false;
}

static void say(const char *what, const struct rda_finding *finding)
{
	char *text = rda_finding_text(finding);

	fprintf(stderr, "%s: %s\n", what, text);
	g_free(text);
}

static unsigned blame_findings(const struct rda_engine *engine)
{
	unsigned wrong = 0;

	for (unsigned i = 0; i < rda_engine_finding_count(engine); i++) {
		const struct rda_finding *finding = rda_engine_finding(engine, i);

		/* a note may name the capture as well as the network: missing ACKs look alike */
		if (!names_loss(finding->key.check) || finding->severity < RDA_SEVERITY_WARNING)
			continue;
		say("found, and the network lost nothing", finding);
		wrong++;
	}
	return wrong;
}

/* A capture that is known to have missed packets proves no loss. */
static unsigned blame_proofs(const struct rda_engine *engine)
{
	unsigned wrong = 0;

	for (unsigned i = 0; i < rda_engine_finding_count(engine); i++) {
		const struct rda_finding *finding = rda_engine_finding(engine, i);

		if (finding->key.check != RDA_CHECK_S01 || finding->proof != RDA_PROOF_PROVEN)
			continue;
		say("not proven, the capture has gaps", finding);
		wrong++;
	}
	return wrong;
}

unsigned sim_blame(const struct rda_engine *engine, const struct sim_world *world)
{
	uint64_t resent = 0, gaps = 0;
	unsigned wrong = 0;

	for (uint8_t asker = 0; asker < 2; asker++) {
		struct fates fates = fates_of(world, asker);
		struct sim_found found;

		resent += fates.resent;
		if (!sim_find(&found, engine, world->plan->qpn[!asker]))
			continue;
		gaps += found.lost_by_capture + found.responses_lost_by_capture;
		wrong += blame_account(&found, &fates, asker);
	}
	if (gaps)
		wrong += blame_proofs(engine);
	return resent ? wrong : wrong + blame_findings(engine);
}
