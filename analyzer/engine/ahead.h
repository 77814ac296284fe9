/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A look ahead: what is kept of a connection is brought into the caches some frames before its
 * packet is taken. With many connections each line of it would be waited for otherwise, one behind
 * the other; here they come side by side, while packets before are worked on.
 *
 *     frames   at hand | . . . . | . . . . | . . . . | . . . . | told now
 *                       what its     what     the flow   places where
 *                       account     belongs    itself    flows are found
 *                       points to   to it
 *
 * Each step needs what the one before has brought. Nothing is changed, so the output does not
 * depend on who looks ahead, nor on what is told here.
 */
#ifndef RDA_AHEAD_H
#define RDA_AHEAD_H

#include "dissectors/packet.h"

#include <stdbool.h>
#include <stdint.h>

struct rda_engine;
struct rda_flow;

/* Frames that may be told before they come. */
#define RDA_AHEAD_FRAMES 24

/* With fewer flows all that is kept of them is in the caches anyway. */
#define RDA_AHEAD_FLOWS 4096

#define RDA_AHEAD_RING 32

/* All zero: it is not RoCEv2 at first glance. */
struct rda_ahead_frame {
	struct rda_flow *flow;	      /* NULL: none is known, or it was not looked for yet */
	uint32_t source, destination; /* as in the packet */
	uint32_t dest_qp, psn;	      /* psn: with the opcode above it */
	uint32_t place;		      /* where its flow is found */
	uint16_t ip_id;
	uint8_t share; /* class of its two hosts, once it was looked for */
	bool known;
	bool follows; /* the frame before it is of the same flow */
	bool copies;  /* it is looked for among the latest packets */
};

struct rda_ahead {
	struct rda_ahead_frame frames[RDA_AHEAD_RING];
	uint32_t count; /* told so far */
};

/* Whether it is worth while to tell frames before they come. */
bool rda_ahead_is_worth(const struct rda_engine *engine);

/* A frame that comes after at most RDA_AHEAD_FRAMES others. */
void rda_ahead_frame(struct rda_engine *engine, const struct rda_frame *frame);

/* Flows were freed. */
void rda_ahead_forget(struct rda_engine *engine);

#endif
