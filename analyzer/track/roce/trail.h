/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The messages of one direction by their PSNs, so that any packet can be told where it belongs:
 *
 *     | SEND 10-12 | WRITE 13 | READ 14-21, and its responses | hole | SEND 25- ...
 *       number 0     1          2                                      3
 *
 * Only packets that are to be printed need this (trace.h). A packet belongs to a message when
 * nothing else is possible: behind a hole it belongs to none until a first packet is seen, and
 * what is said of it never has to be taken back.
 *
 * The number of messages is capped: past it the older half is forgotten, and packets of those are
 * told without their message.
 */
#ifndef RDA_TRAIL_H
#define RDA_TRAIL_H

#include <stdbool.h>
#include <stdint.h>

#define RDA_TRAIL_CAP 4096

struct rda_trail_message {
	int64_t begin;
	int64_t end;	 /* one behind the highest PSN that is known to be its */
	uint64_t frame;	 /* of its first packet, a place (meta.h) */
	uint32_t number; /* in the order in which first packets were seen, from 0 */
	uint32_t unit;	 /* bytes of each packet but the last; 0 unknown */
	bool ended;	 /* it has no PSN behind `end` */
	bool read;
};

struct rda_trail;

void rda_trail_free(struct rda_trail *trail);

/* What it takes; NULL takes nothing. */
uint64_t rda_trail_footprint(const struct rda_trail *trail);

/* A packet of a request or of its responses. */
struct rda_trail_packet {
	int64_t psn;
	int64_t begin, end; /* the PSNs of its request: more than one of a READ; or only its own */
	uint64_t frame;
	uint16_t roles;	  /* enum rda_role */
	uint32_t payload; /* bytes */
};

/*
 * The message that a packet belongs to, made when it is its first; valid until the next call. NULL:
 * it cannot be told. `trail`: where the pointer to it is, NULL in it before the first.
 */
const struct rda_trail_message *rda_trail_packet(struct rda_trail **trail,
						 const struct rda_trail_packet *packet);

/* Bytes of the message up to and with this packet of it; -1: cannot be told. */
int64_t rda_trail_bytes(const struct rda_trail_message *message,
			const struct rda_trail_packet *packet);

#endif
