/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Several taps of one traffic: which connections of theirs are the same, whose view of each is
 * told, and the hops that its packets take from tap to tap.
 *
 *     client --- tap a --- switch --- tap b --- server      requests: hop a to b; answers: b to a
 *
 * Of a connection that several taps saw the view of the one nearest to its requester is told, among
 * those that lack nothing that another one saw: one that ended earlier, began later, missed
 * requests or has cut packets knows nothing of the trouble that is there. Of a host that of the one
 * which saw most of its packets, and of several such that whose connections with it are told.
 */
#ifndef RDA_NETWORK_H
#define RDA_NETWORK_H

#include "analyzer/taps/between.h"

#include <glib.h>

/* A tap: what an engine says of it, and its packets. */
struct rda_network_tap {
	const struct rda_result *result;
	const struct rda_passages *passages;
	struct rda_tap *facts;	   /* its clock is filled in */
	uint32_t number;	   /* among all taps; those of a group follow each other */
	bool *connections, *hosts; /* the caller's, as many as the result has: what is told */
};

/* A hop, and the first packet of the connection whose it is: a place in the view that is told. */
struct rda_network_hop {
	struct rda_hop hop; /* without `connection` */
	uint64_t place;
};

/* The waits of a direction, and one of them that no limit explains; of both only `connection` is
 * not set. */
struct rda_network_waits {
	struct rda_taps_waits waits;
	uint64_t place;
};

struct rda_network_part {
	struct rda_taps_part part;
	uint64_t place;
};

/* What is found is appended to these. What hops own is the caller's (rda_hop_cleanup). */
struct rda_network_found {
	GArray *hops, *waits, *parts; /* owned */
};

struct rda_network_found rda_network_found_new(void);
void rda_network_found_cleanup(struct rda_network_found *found);

void rda_network_find(struct rda_network_tap *taps, uint32_t count,
		      const struct rda_network_found *found);

#endif
