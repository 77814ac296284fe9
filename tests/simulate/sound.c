/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What makes a finding right, check by check. A number that a proven finding gives is a lower
 * bound of what happened: it may be smaller than the truth, never larger.
 *
 * The hosts of a run do nothing wrong, so no finding may be an error but those that are listed.
 */
#include "tests/simulate/sound.h"

#include "tests/simulate/hold.h"
#include "tests/simulate/sums.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- of whom --------------------------------------------------------------------------------- */

static const struct rda_flow *any_flow(const struct rda_engine *engine,
				       const struct rda_finding *finding)
{
	const struct rda_connection *connection;

	if (finding->connection < 0)
		return NULL;
	connection = rda_engine_connection(engine, (unsigned)finding->connection);
	if (finding->flow >= 0)
		return connection->flows[finding->flow];
	return connection->flows[0] ? connection->flows[0] : connection->flows[1];
}

bool sim_claim_of(struct sim_claim *claim, const struct rda_engine *engine,
		  const struct rda_finding *finding, const struct sim_world *worlds, uint32_t count)
{
	const struct rda_flow *flow = any_flow(engine, finding);

	*claim = (struct sim_claim){engine, finding, worlds, -1};
	if (!flow)
		return true; /* of the capture, or of a host: all runs have the same two */
	for (uint32_t i = 0; i < count; i++)
		for (int8_t host = 0; host < 2; host++)
			if (worlds[i].plan->qpn[!host] == flow->key.dest_qp) {
				claim->world = &worlds[i];
				claim->sender = finding->flow < 0 ? -1 : host;
				return true;
			}
	return false;
}

/* ---- what is true ---------------------------------------------------------------------------- */

/* The engine's numbers beside the true ones, of what `asker` asked. */
struct both {
	struct sim_found found;
	struct sim_sums sums;
};

static struct both both_of(const struct sim_claim *claim, uint8_t asker)
{
	struct both both;

	sim_sum(&both.sums, claim->world, asker);
	sim_find(&both.found, claim->engine, claim->world->plan->qpn[!asker]);
	return both;
}

/* A number that the finding tells; 0: it does not. */
static uint64_t told_of(const struct sim_claim *claim, const char *name)
{
	const struct rda_said *said = claim->finding->said;

	for (unsigned i = 0; i < said->count; i++)
		if (strcmp(said->arguments[i].name, name) == 0)
			return said->arguments[i].number;
	return 0;
}

/*
 * S01: so many packets of the sender were lost before the tap, or missed by it: of what was sent
 * again nothing tells these apart. The account has what is only suspected too, and its exact
 * numbers are another law: here it is held to what the finding says.
 */
static bool is_lost_before(const struct sim_claim *claim)
{
	struct both asked = both_of(claim, (uint8_t)claim->sender);
	struct both answered = both_of(claim, !claim->sender);

	return told_of(claim, "lost") <= asked.sums.lost_before + asked.sums.missed &&
	       told_of(claim, "responses") <=
		       answered.sums.responses_lost_before + answered.sums.responses_missed;
}

/* S02: it sent so many packets again; and of its packets so many were lost behind the tap. */
static bool is_resent(const struct sim_claim *claim)
{
	struct both asked = both_of(claim, (uint8_t)claim->sender);
	struct both answered = both_of(claim, !claim->sender);

	return claim->finding->count <= asked.sums.resent_seen &&
	       asked.found.lost_after <= asked.sums.lost_after &&
	       answered.found.responses_lost_after <= answered.sums.responses_lost_after;
}

/* S03: NAKs made it go back so many times; of the rest it is suspected, by another finding. */
static bool obeyed_naks(const struct sim_claim *claim)
{
	struct both asked = both_of(claim, (uint8_t)claim->sender);

	return claim->finding->count <= asked.sums.runs[RDA_TRIGGER_NAK];
}

/* S05: so many of its runs sent what had been taken by then. Where it says that original and resend
 * were answered, the former may have been under way: it had been taken when the latter arrived; and
 * that what was sent first was not lost, nothing of one of those packets was. */
static bool repeated_in_vain(const struct sim_claim *claim)
{
	struct both asked = both_of(claim, (uint8_t)claim->sender);

	if (claim->finding->said->sayings[0] != RDA_SAY_S05_EARLY)
		return claim->finding->count <= asked.sums.runs_in_vain;
	return asked.sums.resent_clean && claim->finding->count <= asked.sums.runs_repeated;
}

/* Q01: so many PSNs of it arrived before the tap showed them, if ever it did. */
static bool was_unseen(const struct sim_claim *claim)
{
	struct both asked = both_of(claim, (uint8_t)claim->sender);

	return claim->finding->count <= asked.sums.unseen;
}

/* M09: its timer expired for the last time. */
static bool gave_up(const struct sim_claim *claim)
{
	return claim->world->truth.given_up[claim->sender].done;
}

/* Q03: the tap showed packets of one of the two hosts only. */
static bool is_one_way(const struct sim_claim *claim)
{
	struct sim_order order[2];

	for (uint8_t host = 0; host < 2; host++)
		sim_sum_order(&order[host], claim->world, host);
	return !order[0].seen || !order[1].seen;
}

static struct sim_order order_of(const struct sim_claim *claim)
{
	struct sim_order order[2];

	if (claim->sender >= 0) {
		sim_sum_order(&order[0], claim->world, (uint8_t)claim->sender);
		return order[0];
	}
	for (uint8_t host = 0; host < 2; host++)
		sim_sum_order(&order[host], claim->world, host);
	order[0].copies += order[1].copies;
	order[0].overtaken += order[1].overtaken;
	order[0].damaged += order[1].damaged;
	return order[0];
}

static bool says(const struct sim_claim *claim, const char *flag)
{
	const struct rda_argument *argument = rda_finding_find_argument(claim->finding, flag);

	return argument && argument->number;
}

/*
 * Q05: the tap showed a transmission of it twice, by a mirror's doing or the network's; or where
 * the finding says that it may be so, one of the two hosts sent something again, or took it twice.
 * What is sent again and put off again (RNR NAK) is answered twice, and no duplicate.
 */
static bool is_copied(const struct sim_claim *claim)
{
	if (order_of(claim).copies)
		return true;
	for (uint8_t host = 0; host < 2; host++)
		if (((says(claim, "perhaps_resent") || says(claim, "perhaps_repeated")) &&
		     both_of(claim, host).sums.resent_seen) ||
		    ((says(claim, "perhaps_resent") || says(claim, "perhaps_asked") ||
		      says(claim, "perhaps_repeated")) &&
		     claim->world->truth.counts[host].duplicates))
			return true;
	return false;
}

/*
 * Q10: the tap showed a packet of it, or a copy where the finding says so, behind one that was sent
 * later; or where it says that, it sent something again, or answered what came to it twice.
 */
static bool is_overtaken(const struct sim_claim *claim)
{
	const struct sim_order order = order_of(claim);

	if (says(claim, "perhaps_answers") && claim->world->truth.counts[!claim->sender].duplicates)
		return true;
	return order.overtaken ||
	       (order.copies && (says(claim, "perhaps_copies") || says(claim, "perhaps_copied") ||
				 says(claim, "perhaps_copied_naks"))) ||
	       (says(claim, "perhaps_resent") &&
		both_of(claim, (uint8_t)claim->sender).sums.resent_seen);
}

/* F01: the tap showed a damaged packet of it. */
static bool is_damaged(const struct sim_claim *claim)
{
	return order_of(claim).damaged > 0;
}

/* A01: the other side acknowledges what was never sent. */
static bool is_ghostly(const struct sim_claim *claim)
{
	const struct sim_plan *plan = claim->world->plan;

	return plan->responder[0].ghosts || plan->responder[1].ghosts;
}

/* A19: the other side acknowledges a duplicate by its own PSN. */
static bool names_duplicates(const struct sim_claim *claim)
{
	const struct sim_plan *plan = claim->world->plan;

	return plan->responder[0].own_psn_acks || plan->responder[1].own_psn_acks;
}

/* A04: responders complete what they took. A14: requesters wait as long as they are asked to. */
static bool never(const struct sim_claim *claim)
{
	(void)claim;
	return false;
}

/* ---- all ------------------------------------------------------------------------------------- */

static const struct rule {
	uint16_t check;
	bool suspected_too; /* a suspicion must be right as well */
	bool of_sender;	    /* it speaks of one host's packets */
	bool (*is_right)(const struct sim_claim *claim);
} rules[] = {
	{RDA_CHECK_S01, false, true, is_lost_before},
	{RDA_CHECK_S02, false, true, is_resent},
	{RDA_CHECK_S03, false, true, obeyed_naks},
	{RDA_CHECK_S05, false, true, repeated_in_vain},
	{RDA_CHECK_Q01, false, true, was_unseen},
	{RDA_CHECK_A04, false, false, never},
	{RDA_CHECK_A14, false, false, never},
	{RDA_CHECK_M09, true, true, gave_up},
	{RDA_CHECK_Q03, false, false, is_one_way},
	{RDA_CHECK_Q05, true, false, is_copied},
	{RDA_CHECK_Q10, true, false, is_overtaken},
	{RDA_CHECK_A01, false, false, is_ghostly},
	{RDA_CHECK_A19, true, false, names_duplicates},
	{RDA_CHECK_F01, true, false, is_damaged},
};

static const struct rule *rule_of(uint16_t check)
{
	for (unsigned i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (rules[i].check == check)
			return &rules[i];
	return NULL;
}

static bool is_right(const struct sim_claim *claim)
{
	const struct rda_finding *finding = claim->finding;
	const struct rule *rule = rule_of(finding->key.check);

	if (!rule)
		return finding->severity != RDA_SEVERITY_ERROR;
	if (finding->proof != RDA_PROOF_PROVEN && !rule->suspected_too)
		return finding->severity != RDA_SEVERITY_ERROR || rule->is_right(claim);
	return (rule->of_sender && claim->sender < 0) || rule->is_right(claim);
}

unsigned sim_sound(const struct rda_engine *engine, const struct sim_world *worlds, uint32_t count)
{
	unsigned wrong = 0;

	for (unsigned i = 0; i < rda_engine_finding_count(engine); i++) {
		const struct rda_finding *finding = rda_engine_finding(engine, i);
		struct sim_claim claim;
		char *text;

		if (sim_claim_of(&claim, engine, finding, worlds, count) && is_right(&claim))
			continue;
		text = rda_finding_text(finding);
		fprintf(stderr, "not so: %s %s: %s\n", rda_check_row(finding->key.check)->code,
			finding->proof == RDA_PROOF_PROVEN ? "proven" : "suspected", text);
		free(text);
		wrong++;
	}
	return wrong;
}
