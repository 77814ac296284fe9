/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How one packet stands to others, as it is known when it passes: for those who print packets. What
 * is said here is never taken back; what is only known later comes as events of later packets. With
 * these, and counts_as of what none of them is about, the packets of each standing are as many as
 * the flow's results count.
 */
#ifndef RDA_TRACE_H
#define RDA_TRACE_H

#include "analyzer/track/event.h"
#include "analyzer/track/roce/time_sums.h"

#include <stdbool.h>

/* What a request packet of a reliable connection is, REORDERED also a response that comes late:
 * RDA_STANDINGS(P): P(ID, "name in the output") */
#define RDA_STANDINGS(P)                                                                           \
	P(NEW, "new")                                                                              \
	P(RESENT, "resent")                                                                        \
	P(REORDERED, "reordered")                                                                  \
	P(MIRRORED, "mirrored")

enum rda_standing {
#define RDA_P(ID, name) RDA_STANDING_##ID,
	RDA_STANDINGS(RDA_P)
#undef RDA_P
		RDA_STANDING_COUNT,
	RDA_STANDING_NONE =
		RDA_STANDING_COUNT, /* no such packet, or not known yet: reordered or resent */
};

/* "new", ...; NULL of NONE */
const char *rda_standing_name(uint8_t standing);

/* "after_nak", ...; NULL of NONE */
const char *rda_trigger_name(uint8_t trigger);

/* "after a NAK", ...; NULL of NONE */
const char *rda_trace_trigger_words(uint8_t trigger);

/* Frames are places (meta.h); 0: none. */
struct rda_trace {
	bool relative_known;
	int64_t relative_psn;	    /* from the first request of the side that asks */
	uint64_t retransmission_of; /* the latest packet of the same request */
	uint64_t answers;	    /* the request that this responds to */

	uint8_t standing;  /* enum rda_standing */
	uint8_t counts_as; /* the same; where that is not known yet, what it is if no event says
			      else */
	/* of what counts as RESENT only; to be told once it is: */
	uint8_t trigger; /* enum rda_trigger */
	uint64_t cause;	 /* the NAK or response that made it resend */

	bool message_known;	/* the next three */
	uint32_t message;	/* of the side that asks, from 0 in order of their first packets */
	uint64_t message_frame; /* where it begins; of iWARP the segment */
	int64_t message_bytes;	/* of it up to here; -1 unknown */

	/* once this packet has passed: */
	bool flight_known;	 /* the next two */
	uint32_t psns_in_flight; /* sent and not acknowledged */
	uint64_t bytes_in_flight;
	bool reads_known;
	uint32_t reads_outstanding;

	bool key_known;	   /* the next two */
	uint32_t key;	   /* index of the memory key that it names */
	uint64_t key_uses; /* of it so far, this one included; resends do not count */
};

static inline struct rda_trace rda_trace_of_none(void)
{
	return (struct rda_trace){.standing = RDA_STANDING_NONE,
				  .counts_as = RDA_STANDING_NONE,
				  .trigger = RDA_TRIGGER_NONE};
}

struct rda_at;
struct rda_request;

struct rda_key_ledger;

/* A command of an upper layer that was asked, or answered. */
struct rda_command_told {
	uint64_t serial;       /* the same for both */
	uint64_t place;	       /* its first frame */
	uint64_t bytes;	       /* that it is about */
	const char *operation; /* a literal; NULL: it has no name */
	uint32_t code;	       /* of the operation */
	uint8_t protocol;      /* enum rda_ulp_protocol */
	bool waits;	       /* its answer comes when something happens: it has no latency */
	bool answered;	       /* else the rest is 0 */
	uint32_t status;
	const char *words; /* of the status, a literal; NULL: none */
	uint64_t answer_place;
	int64_t latency_ns;
};

struct rda_tracer {
	struct rda_trace trace;	  /* of the packet at hand */
	struct rda_event *events; /* owned; those that the packet brought about */
	uint32_t event_count, events_allocated;
	struct rda_time_log times;	   /* that the packet let know, of any flow */
	struct rda_command_told *commands; /* owned */
	uint32_t command_count, commands_allocated;
	const struct rda_at *at;
};

/* A tracer is zeroed to begin with. */
void rda_tracer_cleanup(struct rda_tracer *tracer);

/* The next packet comes. */
void rda_tracer_begin(struct rda_tracer *tracer, const struct rda_at *at);

/* What a tracker noticed at the packet. */
void rda_tracer_event(struct rda_tracer *tracer, const struct rda_event *event);

/* A command of an upper layer; `command` is copied. */
void rda_tracer_command(struct rda_tracer *tracer, const struct rda_command_told *command);

/* The trackers and checks took the packet. */
void rda_tracer_packet(struct rda_tracer *tracer, const struct rda_key_ledger *ledger);

/*
 * An event that settles what an earlier packet was, which could not be told when it passed: *frame
 * is its. NONE: it is no such event.
 */
enum rda_standing rda_event_settles(const struct rda_event *event, uint64_t *frame);

#endif
