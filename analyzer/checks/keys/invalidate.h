/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group K: SEND with Invalidate, and what is done with the key afterwards.
 */
#ifndef RDA_CHECKS_KEYS_INVALIDATE_H
#define RDA_CHECKS_KEYS_INVALIDATE_H

#include "analyzer/checks/keys/state.h"

/* A SEND with Invalidate of a key that was not in the ledger. */
void rda_check_keys_invalidate_new(const struct rda_key_case *c);

/* A SEND with Invalidate was answered by a fatal NAK. */
void rda_check_keys_invalidate_refused(const struct rda_key_case *c);

/* WORKED, UNANSWERED, FAILED */
void rda_check_keys_invalidate_used(const struct rda_key_case *c);
void rda_check_keys_invalidate_unanswered(const struct rda_key_case *c);
void rda_check_keys_invalidate_failed(const struct rda_key_case *c);

/* All packets were seen. */
void rda_check_keys_invalidate_end(struct rda_judge *judge);

#endif
