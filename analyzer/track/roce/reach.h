/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How far others have overtaken a packet that comes late: how many of those that were sent after it
 * came before it, and how long before. RFC 4737, 4.2 and 4.3, without what was late itself among
 * them.
 *
 *     time, us   0 1 2 3 4 5
 *     PSN        5 7 8 9 6 10     6 was overtaken by 3 packets, and is 3 us late
 */
#ifndef RDA_REACH_H
#define RDA_REACH_H

#include <stdint.h>

/* No more than these are counted, as of each late packet all behind it are looked at. */
#define RDA_REACH_MOST 256

struct rda_account;

struct rda_reach {
	uint32_t packets; /* RDA_REACH_MOST: or more; 0: not known */
	int64_t late_ns;  /* 0: not known */
};

/* Of the request with this PSN, which came late just now, and of a response to this account's
 * requests. */
struct rda_reach rda_reach_of_request(const struct rda_account *account, int64_t psn);
struct rda_reach rda_reach_of_response(const struct rda_account *account, int64_t psn,
				       int64_t time_ns);

/* The farthest of both. */
void rda_reach_join(struct rda_reach *to, const struct rda_reach *from);

#endif
