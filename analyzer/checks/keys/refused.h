/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group K: accesses that the responder refused.
 */
#ifndef RDA_CHECKS_KEYS_REFUSED_H
#define RDA_CHECKS_KEYS_REFUSED_H

#include "analyzer/checks/judge.h"

/* A fatal NAK to a flow whose watch says which; the queue is settled up to it. */
void rda_check_keys_refused(const struct rda_at *at);

/* A remote access error, and it is not known to whom. */
void rda_check_keys_refused_unseen(const struct rda_at *at);

#endif
