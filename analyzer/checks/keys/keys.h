/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group K: memory keys and what is done with them.
 */
#ifndef RDA_CHECKS_KEYS_KEYS_H
#define RDA_CHECKS_KEYS_KEYS_H

#include "analyzer/checks/judge.h"
#include "analyzer/track/keys/key_log.h"

/* An event of a key, and what it was to the ledger, which took it; `news` of RIVAL: NULL. */
void rda_check_keys_take(struct rda_judge *judge, const struct rda_key_event *event,
			 const struct rda_key_news *news);

/*
 * All that a log of several engines has, told to a ledger that is new, and judged: what
 * rda_check_keys_take, _connection and _end would have said. `judge` has new states of the
 * families, no findings of group K but K21, and whole.hosts.
 */
void rda_check_keys_replay(struct rda_judge *judge, const struct rda_key_log *log,
			   struct rda_key_ledger *ledger);

#endif
