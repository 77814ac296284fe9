/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group K: where requesters learnt their keys.
 */
#ifndef RDA_CHECKS_KEYS_TOLD_H
#define RDA_CHECKS_KEYS_TOLD_H

#include "analyzer/checks/keys/state.h"

/* A packet with payload: some are kept to be searched. */
void rda_check_keys_told_packet(const struct rda_at *at);

/* The first request that names a key. */
void rda_check_keys_told_new(const struct rda_at *at, struct rda_memory_key *key,
			     const struct rda_key_pending *item);

/* An access that nobody answers, of a key that was used before or not. */
void rda_check_keys_told_unanswered(const struct rda_at *at, const struct rda_key_pending *item,
				    uint32_t rkey);

#endif
