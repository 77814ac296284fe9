/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A run from a READ or ATOMIC without its answer has up to three reasons that look alike:
 *
 *     ... an answer to something behind it    an implied NAK
 *     ... a NAK of something behind it        the requester goes back to the READ nevertheless
 *     ... neither arrived                     a timer
 *
 * and which of those that passed the tap was lost behind it, only the requester knows.
 */
#include "tests/simulate/reasons.h"

#include "tests/simulate/known.h"

#include <glib.h>

/* From the tap to who asks, and back to the tap, at most. */
static int64_t nearby_ns(const struct sim_plan *plan, uint8_t asker)
{
	const struct sim_link_plan *to = &plan->link[!asker][1], *back = &plan->link[asker][0];

	return to->delay_ns + to->jitter_ns + back->delay_ns + back->jitter_ns +
	       plan->requester[asker].gap_ns + plan->requester[asker].reaction_ns;
}

/* What an answer that passed makes of a run from `psn`. */
static enum rda_trigger reason_of(const struct sim_sent *answer, int64_t psn, bool wants_data)
{
	if (answer->data || sim_is_ack(answer->syndrome))
		return wants_data && answer->psn + !answer->data > psn ? RDA_TRIGGER_IMPLIED
								       : RDA_TRIGGER_NONE;
	if (answer->syndrome != 0x60)
		return answer->psn == psn ? RDA_TRIGGER_RNR : RDA_TRIGGER_NONE;
	if (answer->psn == psn || (wants_data && answer->psn > psn))
		return RDA_TRIGGER_NAK;
	return RDA_TRIGGER_NONE;
}

unsigned sim_reasons(const struct sim_world *world, uint32_t place, int64_t before_ns)
{
	const struct sim_truth *truth = &world->truth;
	const struct sim_sent *first = &truth->sent[truth->seen[place].sent];
	const struct sim_run *run = &truth->runs[first->run];
	const struct sim_message *m = sim_message_of(&world->requester[run->asker], run->psn);
	bool wants_data = m && (m->kind == SIM_READ || m->kind == SIM_ATOMIC);
	int64_t now_ns = truth->seen[place].time_ns;
	int64_t since =
		MAX(before_ns - nearby_ns(world->plan, run->asker), now_ns - SIM_PATIENCE_NS);
	unsigned reasons = 1u << run->trigger;

	for (uint32_t i = place; i > 0 && truth->seen[i - 1].time_ns > since; i--) {
		const struct sim_sent *sent = &truth->sent[truth->seen[i - 1].sent];

		if (sent->asker == run->asker && sent->response && !sent->cnp)
			reasons |= 1u << reason_of(sent, run->psn, wants_data);
	}
	return reasons & ~(1u << RDA_TRIGGER_NONE);
}

void sim_count_reasons(struct sim_known *k, unsigned reasons)
{
	struct sim_bounds *triggers[] = {&k->after_nak, &k->after_rnr, &k->after_timeout,
					 &k->after_implied, &k->unexplained};

	for (unsigned i = 0; i < RDA_TRIGGER_COUNT; i++) {
		triggers[i]->most += reasons >> i & 1;
		triggers[i]->least += reasons == 1u << i;
	}
}
