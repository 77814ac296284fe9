/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group M, what routers and hosts say of packets that they could not hand on: M22, M23, M24.
 */
#ifndef RDA_CHECKS_MANAGEMENT_NEIGHBOURS_H
#define RDA_CHECKS_MANAGEMENT_NEIGHBOURS_H

#include "analyzer/checks/judge.h"

/* Refusals of each kind and pair of hosts, and pairs of who asks and who is asked for; more are
 * hostile, and counted. */
#define RDA_NEIGHBOURS_MAX 4096

/*
 * A host that asks for a neighbour's link address again and again has no answer: Linux asks three
 * times, a second apart, before it tells its applications that the host cannot be reached.
 */
#define RDA_NEIGHBOUR_ASKS 3

struct rda_neighbours {
	struct rda_table refusals; /* ICMP errors, by what they quote */
	struct rda_table asked;
	uint64_t not_kept;
};

void rda_neighbours_init(struct rda_neighbours *neighbours, uint64_t hash_seed);
void rda_neighbours_cleanup(struct rda_neighbours *neighbours);

/* A frame without RDMA that ends with an ICMP or ARP header. */
void rda_neighbours_frame(struct rda_neighbours *neighbours, const struct rda_at *at);

/* Such frames are of no two hosts: they are all in one part. */
void rda_neighbours_join(struct rda_neighbours *to, const struct rda_neighbours *from);
void rda_neighbours_overall(const struct rda_neighbours *neighbours, struct rda_judge *judge);

#endif
