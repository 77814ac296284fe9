/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers by what was acknowledged before; ulp_turns.h has the figure.
 */
#include "analyzer/track/ulp/ulp_turns.h"

#include "analyzer/track/roce/request.h"
#include "analyzer/track/ulp/ulp_stream.h"

#include <string.h>

enum { ASKER, ANSWERER };

static uint64_t holes_of(const struct rda_ulp *ulp, unsigned side)
{
	return ulp->streams[side] ? ulp->streams[side]->holes : 0;
}

static bool is_open(const struct rda_ulp_turn *turn, int64_t acked, int64_t ns)
{
	return ns - turn->ns < RDA_MIRROR_NS && turn->end > acked;
}

/* Others number what they ask for one after another, and come round to a number only when all that
 * is under way has long been answered. */
static bool uses_numbers_again(const struct rda_ulp *ulp)
{
	return ulp->protocol == RDA_ULP_NVME || ulp->protocol == RDA_ULP_ISER ||
	       ulp->protocol == RDA_ULP_SRP;
}

void rda_ulp_turns_ask(const struct rda_ulp *ulp, struct rda_ulp_command *command, int64_t ns)
{
	const struct rda_ulp_turns *turns = &ulp->turns;
	int64_t acked = rda_ulp_acked(ulp, ANSWERER);

	command->end = rda_ulp_sent(ulp, ASKER);
	command->holes = holes_of(ulp, ANSWERER);
	command->unsure = turns->forgotten.end && is_open(&turns->forgotten, acked, ns);
	for (uint32_t i = turns->count; i-- > 0;) {
		const struct rda_ulp_turn *turn = &turns->latest[i];

		if (turn->id != command->id || !is_open(turn, acked, ns))
			continue;
		command->unsure = true;
		command->early = turn->unasked;
		return;
	}
}

void rda_ulp_turns_answer(struct rda_ulp *ulp, uint64_t id, bool unasked, int64_t ns)
{
	struct rda_ulp_turns *turns = &ulp->turns;
	int64_t acked = rda_ulp_acked(ulp, ANSWERER);
	uint32_t kept = 0;

	for (uint32_t i = 0; i < turns->count; i++)
		if (is_open(&turns->latest[i], acked, ns))
			turns->latest[kept++] = turns->latest[i];
	if (kept == RDA_ULP_TURNS_KEPT) {
		turns->forgotten = turns->latest[0];
		memmove(turns->latest, turns->latest + 1, --kept * sizeof(*turns->latest));
	}
	turns->latest[kept++] = (struct rda_ulp_turn){id, rda_ulp_sent(ulp, ANSWERER), ns, unasked};
	turns->count = kept;
}

bool rda_ulp_turns_unsure(const struct rda_ulp *ulp, const struct rda_ulp_command *command,
			  int64_t ns)
{
	if (command->back || !uses_numbers_again(ulp))
		return false;
	return command->unsure || holes_of(ulp, ANSWERER) != command->holes ||
	       (ns - command->asked_ns < RDA_MIRROR_NS && rda_ulp_acked(ulp, ASKER) < command->end);
}
