/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group K: accesses that the responder refused.
 */
#ifndef RDA_CHECKS_KEYS_REFUSED_H
#define RDA_CHECKS_KEYS_REFUSED_H

#include "analyzer/checks/keys/state.h"

/* REFUSED */
void rda_check_keys_refused(const struct rda_key_case *c);

/* All packets were seen. */
void rda_check_keys_refused_end(struct rda_judge *judge);

#endif
