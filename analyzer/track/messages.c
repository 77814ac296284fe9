/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The slowest messages, in order.
 */
#include "analyzer/track/messages.h"

void rda_slowest_take(struct rda_slowest *s, const struct rda_exchange *exchange,
		      const struct rda_flow *flow)
{
	uint32_t at = s->count;

	if (at == RDA_SLOWEST_KEPT) {
		if (exchange->latency_ns <= s->messages[at - 1].exchange.latency_ns)
			return;
		at--;
	} else {
		s->count++;
	}
	for (; at > 0 && s->messages[at - 1].exchange.latency_ns < exchange->latency_ns; at--)
		s->messages[at] = s->messages[at - 1];
	s->messages[at] = (struct rda_slow_message){*exchange, flow};
}
