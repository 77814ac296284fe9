/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group K: keys that several QPs use, and the memory behind keys.
 */
#ifndef RDA_CHECKS_KEYS_SHARED_H
#define RDA_CHECKS_KEYS_SHARED_H

#include "analyzer/checks/keys/state.h"

/* ASKED, of an access. */
void rda_check_keys_shared_access(const struct rda_key_case *c);

/* All packets were seen. */
void rda_check_keys_shared_end(struct rda_judge *judge);

#endif
