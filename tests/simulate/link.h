/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One stretch of the path in one direction: delay, loss, lateness, copies, ECN marks.
 */
#ifndef RDA_SIM_LINK_H
#define RDA_SIM_LINK_H

#include "tests/simulate/packet.h"
#include "tests/simulate/plan.h"
#include "tests/simulate/random.h"

struct sim_link {
	const struct sim_link_plan *plan;
	int64_t latest_ns; /* when the latest packet that kept its place arrives */
	bool burst;
	int64_t latest_on[SIM_PATHS]; /* the same for each path */
	int64_t passed_ns;	      /* when the latest packet entered */
	uint32_t path;		      /* of the latest packet */
};

/* What becomes of one packet. */
struct sim_passage {
	uint32_t copies; /* 0: lost */
	int64_t arrives_ns[2];
	bool late, marked, damaged;
};

struct sim_passage sim_link_pass(struct sim_link *link, struct sim_random *random,
				 const struct sim_packet *packet, int64_t now_ns);

#endif
