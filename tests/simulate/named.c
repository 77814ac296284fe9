/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *     lost before the tap     S01 of the sender         known.c says when; a response where the tap
 *                                                       showed one before and one behind it
 *     sent again              S03, S04, S02             known.c: why; what a timer did may be told
 *                                                       as what came of it, S05 or M09, or as one
 *                                                       of two that it may be (A14, or S03 that
 *                                                       says so), and of one direction (Q03) nobody
 *                                                       can tell; what is sent again at once, with
 *                                                       the identification that it had, as a copy
 *                                                       or sent again (Q05)
 *     gave up                 M09                       each try was shown, and silence behind
 *                                                       them, as the capture goes on; of one
 *                                                       direction at least four; of what had been
 *                                                       answered two by a timer
 *     overtaken               Q10                       identifications tell the order, and are
 *                                                       seen not to be made of the PSNs; or nobody
 *                                                       sent anything again
 *     doubled                 Q05                       identifications tell copies from resends
 *     damaged                 F01                       enough others of the sender are not
 *
 * Losses among packets that overtake each other or come twice are exact.c's part.
 */
#include "tests/simulate/named.h"

#include "tests/simulate/known.h"
#include "tests/simulate/sound.h"
#include "tests/simulate/sums.h"

#include <stdio.h>

static bool is_named(const struct rda_engine *engine, const struct sim_world *world,
		     enum rda_check check, uint8_t sender)
{
	for (unsigned i = 0; i < rda_engine_finding_count(engine); i++) {
		const struct rda_finding *finding = rda_engine_finding(engine, i);
		struct sim_claim claim;

		if (finding->key.check == check &&
		    sim_claim_of(&claim, engine, finding, world, 1) &&
		    (claim.sender < 0 || claim.sender == sender))
			return true;
	}
	return false;
}

/* One thing that is knowable or not, and the check that names it. */
static unsigned demand(const struct rda_engine *engine, const struct sim_world *world,
		       uint64_t knowable, enum rda_check check, uint8_t sender)
{
	if (!knowable || is_named(engine, world, check, sender))
		return 0;
	fprintf(stderr, "not named: %s of host %u, %llu times\n", rda_check_row(check)->code,
		sender, (unsigned long long)knowable);
	return 1;
}

/*
 * What is knowable may be told as one of two that it may be, or by what came of it: of so many
 * cases as the finding says, or has where it gives no number.
 */
struct other_word {
	enum rda_check knowable, check;
	unsigned saying;    /* the first of the finding; RDA_SAYING_COUNT: any */
	const char *number; /* how many they are; NULL: its count */
	const char *flag;   /* it says so; NULL: always */
};

static const struct other_word other_words[] = {
	{RDA_CHECK_S04, RDA_CHECK_S05, RDA_SAYING_COUNT, "early", NULL},
	{RDA_CHECK_S04, RDA_CHECK_S05, RDA_SAYING_COUNT, "answered", NULL},
	{RDA_CHECK_S04, RDA_CHECK_M09, RDA_SAY_M09_SPENT, "transmissions", NULL},
	{RDA_CHECK_S04, RDA_CHECK_M09, RDA_SAY_M09_NAKS, "runs", NULL},
	{RDA_CHECK_S04, RDA_CHECK_A14, RDA_SAYING_COUNT, NULL, NULL},
	{RDA_CHECK_S04, RDA_CHECK_S03, RDA_SAY_S03_PERHAPS, "resends", NULL},
	/* at once, with the identification that it had: as copies are */
	{RDA_CHECK_S02, RDA_CHECK_Q05, RDA_SAYING_COUNT, "copies", "perhaps_resent"},
	/* nothing had passed of it when it came again, and nothing tells the order of sending */
	{RDA_CHECK_S01, RDA_CHECK_Q10, RDA_SAYING_COUNT, "late", "perhaps_resent"},
	{RDA_CHECK_S02, RDA_CHECK_Q10, RDA_SAYING_COUNT, "late", "perhaps_resent"},
};

static uint64_t so_many(const struct rda_finding *finding, const struct other_word *word)
{
	const struct rda_argument *argument;

	if (finding->key.check != word->check ||
	    (word->saying != RDA_SAYING_COUNT && finding->said->sayings[0] != word->saying))
		return 0;
	argument = word->flag ? rda_finding_find_argument(finding, word->flag) : NULL;
	if (word->flag && !(argument && argument->number))
		return 0;
	if (!word->number)
		return finding->count;
	argument = rda_finding_find_argument(finding, word->number);
	return argument ? argument->number : 0;
}

/* What of so many cases that are knowable no other word tells. */
static uint64_t untold(const struct rda_engine *engine, const struct sim_world *world,
		       uint64_t knowable, enum rda_check check, uint8_t sender)
{
	for (unsigned w = 0; w < sizeof(other_words) / sizeof(other_words[0]); w++) {
		if (other_words[w].knowable != check)
			continue;
		for (unsigned i = 0; i < rda_engine_finding_count(engine); i++) {
			const struct rda_finding *finding = rda_engine_finding(engine, i);
			uint64_t told = so_many(finding, &other_words[w]);
			struct sim_claim claim;

			if (told && sim_claim_of(&claim, engine, finding, world, 1) &&
			    claim.sender == sender)
				knowable -= told < knowable ? told : knowable;
		}
	}
	return knowable;
}

static unsigned demand_untold(const struct rda_engine *engine, const struct sim_world *world,
			      uint64_t knowable, enum rda_check check, uint8_t sender)
{
	return demand(engine, world, untold(engine, world, knowable, check, sender), check, sender);
}

/*
 * An answer to what it gave up for passed the tap behind the last try. Then it may have arrived,
 * all was done, and the silence behind it is that.
 */
static bool may_be_answered(const struct sim_world *world, uint8_t asker, int64_t psn,
			    uint32_t last_try)
{
	const struct sim_truth *truth = &world->truth;

	for (uint32_t i = last_try; i < truth->seen_count; i++) {
		const struct sim_sent *sent = &truth->sent[truth->seen[i].sent];

		if (sent->asker == asker && sent->response && !sent->cnp && sent->psn >= psn &&
		    (sent->data || sim_is_ack(sent->syndrome)))
			return true;
	}
	return false;
}

/*
 * A timer that was seen to expire once or twice may double: without management, which tells how
 * often it does, only three times as long a silence says that it is over.
 */
static bool is_watched_enough(const struct sim_world *world, uint8_t asker,
			      const struct sim_give_up *end)
{
	const struct sim_requester_plan *plan = &world->plan->requester[asker];

	return plan->timer != SIM_TIMER_PLAIN || end->tries > 3 ||
	       world->plan->watched_ns > 3 * plan->timeout_ns + 1000000;
}

/*
 * The tap shows nothing of the other side: then what is sent again once or twice and no more may
 * have been answered, and be done (gave_up.h).
 */
static bool is_shown_alone(const struct sim_world *world, uint8_t asker)
{
	const struct sim_truth *truth = &world->truth;

	for (uint32_t i = 0; i < truth->seen_count; i++)
		if (truth->sent[truth->seen[i].sent].from != asker)
			return false;
	return true;
}

/*
 * What was answered here and then sent again by a timer once may be done: that answer came when the
 * timer had fired.
 */
static bool may_be_done(const struct sim_world *world, uint8_t asker, int64_t psn)
{
	const struct sim_truth *truth = &world->truth;
	uint32_t timeouts = 0;

	for (uint32_t i = 0; i < truth->run_count; i++)
		timeouts += truth->runs[i].asker == asker && truth->runs[i].psn == psn &&
			    truth->runs[i].trigger == RDA_TRIGGER_TIMEOUT;
	return timeouts < 2 && may_be_answered(world, asker, psn, 0);
}

bool sim_give_up_is_knowable(const struct sim_world *world, uint8_t asker)
{
	const struct sim_give_up *end = &world->truth.given_up[asker];
	uint32_t tries = 0, last_try = 0;
	bool shown = true;

	/* where the capture ends with the last try its sender may be about to try again */
	if (!end->done || !world->plan->watched_ns ||
	    end->tries < (is_shown_alone(world, asker) ? 4 : 2) ||
	    !is_watched_enough(world, asker, end))
		return false;
	for (uint32_t i = world->truth.sent_count; i-- && tries < end->tries;) {
		const struct sim_sent *sent = &world->truth.sent[i];

		if (sent->asker == asker && !sent->response && sent->psn <= end->psn &&
		    end->psn < sent->end) {
			tries++;
			shown &= sent->seen > 0;
			if (sent->last_seen > last_try)
				last_try = sent->last_seen;
		}
	}
	return shown && !may_be_answered(world, asker, end->psn, last_try) &&
	       !may_be_done(world, asker, end->psn);
}

static unsigned name_losses(const struct rda_engine *engine, const struct sim_world *world,
			    uint8_t asker)
{
	struct sim_known known;
	struct sim_sums sums;
	uint64_t timeouts;

	sim_know(&known, world, asker);
	sim_sum(&sums, world, asker);
	/* of one direction nobody can tell a timer */
	timeouts = is_named(engine, world, RDA_CHECK_Q03, asker) ? 0 : known.after_timeout.least;
	return demand_untold(engine, world, known.lost_before.least, RDA_CHECK_S01, asker) +
	       demand(engine, world, sums.gaps, RDA_CHECK_S01, !asker) +
	       demand_untold(engine, world, known.after_nak.least, RDA_CHECK_S03, asker) +
	       demand_untold(engine, world, timeouts, RDA_CHECK_S04, asker) +
	       demand_untold(engine, world, known.resent.least, RDA_CHECK_S02, asker);
}

static unsigned name_order(const struct rda_engine *engine, const struct sim_world *world,
			   uint8_t sender)
{
	const struct sim_truth *truth = &world->truth;
	bool known = sim_order_is_known(world->plan, sender), calm = true;
	uint64_t requests, answers;
	struct sim_order order;

	sim_sum_order(&order, world, sender);
	for (uint32_t i = 0; i < truth->run_count; i++)
		calm &= truth->runs[i].trigger == RDA_TRIGGER_NONE;
	requests = calm || (known && order.numbered[0]) ? order.overtaken_requests : 0;
	answers = known && order.numbered[1] ? order.overtaken_answers : 0;
	return demand(engine, world, requests + answers, RDA_CHECK_Q10, sender);
}

static unsigned name_copies(const struct rda_engine *engine, const struct sim_world *world,
			    uint8_t sender)
{
	struct sim_order order;

	sim_sum_order(&order, world, sender);
	if (!sim_order_is_known(world->plan, sender))
		return 0;
	return demand(engine, world, order.numbered_copies, RDA_CHECK_Q05, sender);
}

/* Of so many packets of a sender some must be good before a bad one is known for that. */
enum { ENOUGH = 40 };

static unsigned name_damage(const struct rda_engine *engine, const struct sim_world *world,
			    uint8_t sender)
{
	struct sim_order order;

	sim_sum_order(&order, world, sender);
	return demand(engine, world, order.seen < ENOUGH ? 0 : order.damaged, RDA_CHECK_F01,
		      sender);
}

unsigned sim_named(const struct rda_engine *engine, const struct sim_world *world,
		   enum sim_faults faults)
{
	unsigned wrong = 0;

	for (uint8_t host = 0; host < 2; host++) {
		wrong += demand(engine, world, sim_give_up_is_knowable(world, host), RDA_CHECK_M09,
				host);
		wrong += name_order(engine, world, host);
		wrong += name_copies(engine, world, host);
		wrong += name_damage(engine, world, host);
		if (!sim_reorders(faults) && faults != SIM_DAMAGED)
			wrong += name_losses(engine, world, host);
	}
	return wrong;
}
