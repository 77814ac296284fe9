/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Several taps of one traffic: which connections of theirs are the same, whose view of each is
 * told, and the hops that its packets take from tap to tap.
 *
 *     client --- tap a --- switch --- tap b --- server      requests: hop a to b; answers: b to a
 *
 * Of a connection that several taps saw the view of the one nearest to its requester is told; of a
 * host that of the one which saw most of its packets, and of several such that whose connections
 * with it are told.
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

/* Appends the hops to an array of struct rda_network_hop, whose latencies are the caller's. */
void rda_network_find(struct rda_network_tap *taps, uint32_t count, GArray *hops);

#endif
