/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group K: where requesters learnt their keys.
 */
#ifndef RDA_CHECKS_KEYS_TOLD_H
#define RDA_CHECKS_KEYS_TOLD_H

#include "analyzer/checks/keys/state.h"

/* The first request that names a key. */
void rda_check_keys_told_new(const struct rda_key_case *c);

/* CONTRADICTS */
void rda_check_keys_told_otherwise(const struct rda_key_case *c);

#endif
