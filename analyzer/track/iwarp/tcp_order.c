/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order of sending by identifications; tcp_order.h has the figure.
 */
#include "analyzer/track/iwarp/tcp_order.h"

/* ACKs without data have identifications too: more than these come between two segments of a burst
 * hardly ever. Of random ones 1 of 2,000 rises by so little. */
enum { RISE_MOST = 32 };

/* Identifications are believed from so many rises on, with at most one leap for as many. */
enum { RISES_MIN = 8 };

void rda_tcp_order_take(struct rda_tcp_order *order, int64_t begin, int64_t end, uint16_t ip_id)
{
	if (order->begun && begin == order->end) {
		uint16_t rise = (uint16_t)(ip_id - order->ip_id);

		if (rise >= 1 && rise <= RISE_MOST)
			order->rising += order->rising < UINT32_MAX;
		else
			order->leaping += order->leaping < UINT32_MAX;
	}
	order->begun = true;
	order->end = end;
	order->ip_id = ip_id;
}

void rda_tcp_order_late(struct rda_tcp_order *order, bool behind)
{
	if (behind)
		order->again++;
	else
		order->overtaken++;
}

bool rda_tcp_order_is_known(const struct rda_tcp_order *order)
{
	return order->rising >= RISES_MIN && order->leaping <= order->rising / RISES_MIN;
}
