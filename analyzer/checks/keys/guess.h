/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group K: numbers that can be guessed.
 */
#ifndef RDA_CHECKS_KEYS_GUESS_H
#define RDA_CHECKS_KEYS_GUESS_H

#include "analyzer/checks/keys/state.h"

/* NUMBER: REQs and REPs tell QPNs and starting PSNs. */
void rda_check_keys_guess_number(const struct rda_key_case *c);

/* All packets were seen. */
void rda_check_keys_guess_end(struct rda_judge *judge);

#endif
