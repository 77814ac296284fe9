/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What will happen, in order of virtual time; what was scheduled first happens first at equal
 * times.
 */
#ifndef RDA_SIM_SCHEDULE_H
#define RDA_SIM_SCHEDULE_H

#include "tests/simulate/packet.h"

enum sim_event_kind {
	SIM_AT_TAP,  /* a packet passes the tap */
	SIM_ARRIVES, /* a packet reaches the other host */
	SIM_SENDS,   /* a requester may send */
	SIM_TIMER,   /* a requester's timer */
	SIM_ANSWERS, /* a responder may answer */
	SIM_SHOWN,   /* the tap shows a packet that it saw before */
	SIM_REACTS,  /* a requester obeys a NAK */
};

struct sim_event {
	int64_t time_ns;
	uint64_t order;
	uint8_t kind;	     /* enum sim_event_kind */
	uint8_t host;	     /* all but packets */
	uint32_t generation; /* of a timer: an older one is off */
	struct sim_packet packet;
};

struct sim_schedule {
	struct sim_event *heap; /* owned */
	uint32_t count, allocated;
	uint64_t order;
};

void sim_schedule_cleanup(struct sim_schedule *schedule);
void sim_schedule_add(struct sim_schedule *schedule, const struct sim_event *event);
bool sim_schedule_next(struct sim_schedule *schedule, struct sim_event *event);

#endif
