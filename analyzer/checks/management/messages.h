/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks of single CM messages, each against what the conversation said before.
 */
#ifndef RDA_CHECKS_MANAGEMENT_MESSAGES_H
#define RDA_CHECKS_MANAGEMENT_MESSAGES_H

#include "analyzer/checks/judge.h"

/* A packet that carries a CM message (at->step). */
void rda_management_message(const struct rda_at *at);

#endif
