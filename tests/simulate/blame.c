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

#include <stdio.h>
#include <string.h>

/* What happened, of what host `asker` asked. */
struct fates {
	uint64_t resent, lost_before, lost_after, responses_before, responses_after;
	uint64_t missed, responses_missed; /* by the tap */
};

static struct fates fates_of(const struct sim_truth *truth, uint8_t asker)
{
	struct fates fates = {0};

	for (uint32_t i = 0; i < truth->sent_count; i++) {
		const struct sim_sent *sent = &truth->sent[i];

		if (sent->asker != asker || sent->cnp)
			continue;
		if (!sent->response) {
			fates.resent += sent->resent;
			fates.lost_before += sent->lost_before;
			fates.lost_after += sent->lost_after;
			fates.missed += sent->missed;
		} else if (sent->data) {
			fates.responses_before += sent->lost_before;
			fates.responses_after += sent->lost_after;
			fates.responses_missed += sent->missed;
		}
	}
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
	/* without losses by the network nothing is resent: then an answer tells of each */
	uint64_t alike = fates->resent ? fates->missed : 0;
	uint64_t responses_alike = fates->resent ? fates->responses_missed : 0;

	return exceeds(asker, "lost_before", found->lost_before, fates->lost_before + alike) +
	       exceeds(asker, "lost_after", found->lost_after,
		       fates->lost_after + (alike ? fates->lost_before : 0)) +
	       exceeds(asker, "resent", found->resent, fates->resent) +
	       exceeds(asker, "responses_lost_before", found->responses_lost_before,
		       fates->responses_before + responses_alike) +
	       exceeds(asker, "responses_lost_after", found->responses_lost_after,
		       fates->responses_after + responses_alike);
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

static unsigned blame_findings(const struct rda_engine *engine)
{
	unsigned wrong = 0;

	for (unsigned i = 0; i < rda_engine_finding_count(engine); i++) {
		const struct rda_finding *finding = rda_engine_finding(engine, i);

		/* a note may name the capture as well as the network: missing ACKs look alike */
		if (!names_loss(finding->key.check) || finding->severity < RDA_SEVERITY_WARNING)
			continue;
		fprintf(stderr, "found, and the network lost nothing: %s\n", finding->text);
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
		fprintf(stderr, "not proven, the capture has gaps: %s\n", finding->text);
		wrong++;
	}
	return wrong;
}

unsigned sim_blame(const struct rda_engine *engine, const struct sim_world *world)
{
	uint64_t resent = 0, gaps = 0;
	unsigned wrong = 0;

	for (uint8_t asker = 0; asker < 2; asker++) {
		struct fates fates = fates_of(&world->truth, asker);
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
