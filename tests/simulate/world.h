/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All of one simulation: two hosts, the path between them, the tap, the truth.
 */
#ifndef RDA_SIM_WORLD_H
#define RDA_SIM_WORLD_H

#include "tests/simulate/capture.h"
#include "tests/simulate/link.h"
#include "tests/simulate/peer.h"
#include "tests/simulate/schedule.h"
#include "tests/simulate/spent.h"

struct sim_world {
	const struct sim_plan *plan;
	struct sim_random random;
	struct sim_schedule schedule;
	int64_t now_ns;
	uint32_t cause; /* the transmission that arrives now, plus one; 0: a timer's work */
	struct sim_requester requester[2];
	struct sim_responder responder[2];
	struct sim_link link[2][2]; /* by sending host, by stretch in its direction */
	struct sim_truth truth;
	struct sim_capture capture;
	struct sim_spent spent; /* of plans that are timed */
	uint16_t ip_id[2];  /* of plans with identifications of another kind than SIM_ID_APART */
	int64_t sent_ns[2]; /* the latest packet of a host */
};

/* Runs it to its end. */
void sim_run(struct sim_world *world, const struct sim_plan *plan);
void sim_world_cleanup(struct sim_world *world);

/* A host sends a packet. */
void sim_send(struct sim_world *world, struct sim_packet *packet, bool resent);

/* Later something happens to a host. */
void sim_later(struct sim_world *world, int64_t time_ns, enum sim_event_kind kind, uint8_t host,
	       uint32_t generation);

#endif
