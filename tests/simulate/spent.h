/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What host 0's requester did in each nanosecond, as it knows itself; held against what the engine
 * says of it (docs/time.md).
 *
 * Written while the world runs: between two events the requester is in one state, which its own
 * rules tell (sim_requester_spends). Two things are known only when they are over, and are written
 * over what was noted: what a run of resends cost, and that responses to READs came one behind the
 * other. The tap of such worlds stands at host 0, so that its times are the requester's.
 */
#ifndef RDA_SIM_SPENT_H
#define RDA_SIM_SPENT_H

#include "analyzer/rda.h"

#include <stdbool.h>
#include <stdint.h>

struct rda_engine;
struct sim_packet;
struct sim_property;
struct sim_world;

struct sim_spent_part {
	int64_t end_ns; /* it begins where the one before ends */
	uint8_t cause;	/* enum rda_time_cause */
};

struct sim_spent {
	struct sim_spent_part *parts; /* owned */
	uint32_t count, allocated;
	int64_t at_ns;	     /* all before is in the parts */
	uint8_t state;	     /* since then: enum rda_time_cause */
	int64_t *first_ns;   /* owned; of each PSN, when it was first sent */
	int64_t reached;     /* the sum of what was acknowledged and complete */
	int64_t progress_ns; /* the latest */
	int64_t resent_ns;   /* the first packet of the latest run of resends */
	uint32_t run;
	int64_t came_ns; /* the latest response to a READ, of `stream` */
	uint32_t stream;
	uint32_t row;	    /* responses of one answer, one behind the other */
	bool paced;	    /* such a row was long enough */
	int64_t passed_ns;  /* the latest request or response to a READ */
	int64_t unclear_ns; /* waits as short as a few packets are */
};

void sim_spent_cleanup(struct sim_spent *spent);

/* The state that was goes on until now; and the one that the event at hand has led to. */
void sim_spent_before(struct sim_world *world);
void sim_spent_after(struct sim_world *world);

/* A request of host 0 leaves, or a response to one passes the tap. */
void sim_spent_request(struct sim_world *world, int64_t psn, int64_t end);
void sim_spent_response(struct sim_world *world, const struct sim_packet *packet);

/* A way of struct sim_property to hold. */
bool sim_holds_spent(const struct sim_property *property, uint64_t seed, uint64_t *packets);

#endif
