/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an account is made of: for this folder; others ask account.h.
 */
#ifndef RDA_ACCOUNT_PARTS_H
#define RDA_ACCOUNT_PARTS_H

#include "analyzer/track/roce/responder.h"

struct rda_account {
	struct rda_responder responder; /* the other side, answering these requests */
	struct rda_requester requester;
};

#endif
