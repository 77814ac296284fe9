/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is judged of the way between two taps of one traffic: values in, findings out. Who compares
 * the taps is analyzer/taps/.
 */
#ifndef RDA_CHECKS_HOP_H
#define RDA_CHECKS_HOP_H

#include "analyzer/checks/judge.h"

/* What one direction of a connection lost between a tap and the next on its way. */
struct rda_hop_loss {
	uint32_t connection; /* id */
	uint8_t side;
	int32_t flow, other;	/* indices of the direction, and of the other one; -1: the told tap
				   saw nothing of it */
	bool is_most;		/* no hop of the connection lost more, in whatever direction */
	bool is_behind;		/* `from` is the told tap */
	uint32_t number;	/* of the hop among those of the direction that lost packets */
	const char *from, *to;	/* names of the taps */
	uint64_t packets, lost; /* that passed `from`; that did not come to `to` */
	uint64_t certain;	/* of them: those that `to` did not just miss */
	const uint64_t *places; /* frames: lost ones, each with what came to `to` next */
	unsigned place_count;
};

/* Adds findings that are to be ranked. */
void rda_check_hop_lost(struct rda_judge *judge, const struct rda_hop_loss *loss);

/* Where the answers to a direction's requests were while these waited. */
struct rda_hop_waits {
	int32_t flow;	       /* index of the direction */
	const char *from, *to; /* names of the taps: the one that is told, the last on the way */
	int64_t network_ns, responder_ns, unknown_ns;
	/* of those, what no limit of the requester explains */
	int64_t unlimited_network_ns, unlimited_responder_ns;
};

/* Says it in what was found of the direction's time. */
void rda_check_hop_waits(struct rda_judge *judge, const struct rda_hop_waits *waits);

#endif
