/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group K: SEND with Invalidate, and what is done with the key afterwards.
 */
#ifndef RDA_CHECKS_KEYS_INVALIDATE_H
#define RDA_CHECKS_KEYS_INVALIDATE_H

#include "analyzer/checks/keys/state.h"

/* A SEND with Invalidate of a key that was not in the ledger. */
void rda_check_keys_invalidate_new(const struct rda_at *at, struct rda_memory_key *key);

/* An acknowledgment to a flow with a watch, before its queue is settled. */
void rda_check_keys_invalidate_ack(const struct rda_at *at, const struct rda_event *event);

/* A SEND with Invalidate was acknowledged; or answered by a fatal NAK. */
void rda_check_keys_invalidate_acked(const struct rda_at *at, const struct rda_key_pending *item);
void rda_check_keys_invalidate_refused(const struct rda_at *at, const struct rda_key_pending *item);

/* An access was acknowledged. */
void rda_check_keys_invalidate_used(const struct rda_at *at, const struct rda_key_pending *item);

/*
 * Whether a flow's access came after the invalidation of its key was acknowledged, and nothing that
 * was captured told the key anew before it; *hit: what was looked at.
 */
struct rda_clear_hit;
bool rda_check_keys_is_after_invalidate(struct rda_keys_state *keys, const struct rda_flow *flow,
					const struct rda_key_pending *item,
					struct rda_clear_hit *hit);

/* All packets were seen: a flow with a watch. */
void rda_check_keys_invalidate_end(struct rda_judge *judge, const struct rda_flow *flow);

#endif
