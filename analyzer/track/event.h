/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts, as the trackers hand them on.
 */
#ifndef RDA_EVENT_H
#define RDA_EVENT_H

#include "analyzer/rda.h"
#include "analyzer/track/events.def"

#include <stdbool.h>
#include <stdint.h>

enum rda_event_kind {
#define RDA_E(ID, says) RDA_EVENT_##ID,
	RDA_EVENTS(RDA_E)
#undef RDA_E
		RDA_EVENT_COUNT
};

struct rda_exchange; /* message.h */

struct rda_event {
	uint8_t kind;	 /* enum rda_event_kind */
	uint8_t trigger; /* enum rda_trigger */
	uint8_t syndrome;
	uint8_t message;      /* enum rda_message: of MESSAGE_DONE */
	int64_t psn;	      /* widened, in the requester's space */
	uint64_t count;	      /* PSNs */
	uint64_t frame;	      /* of the packet at hand: a place (meta.h) */
	uint64_t other_frame; /* place of the packet that it is about; 0 none */
	uint64_t cause_frame; /* of a run of resends: the NAK or response that it follows; 0 none */
	int64_t time_ns;
	int64_t wait_ns; /* since what it follows; negative: unknown */
	uint32_t msn;
	/* RESENT, SPURIOUS: it may be a copy by the network, or late; RESEND: it did not begin
	 * with what was asked for, and requests overtake each other; LOST_BEFORE, FOUND: what it
	 * repeats had been taken, and nothing had to repair it; ACKED_UNSEEN: it may be of a READ;
	 * RESPONSE_LOST_BEFORE: they were if no response overtakes another */
	bool doubted;
	/* RESENT: later ones of its run, or of others, came before it; MIRRORED: it is told of an
	 * earlier packet, which had been taken for a resend: the other frame; LOST_BEFORE, FOUND:
	 * identifications alone tell it, and it may come late yet: it is no run's reason */
	bool overtaken;
	const struct rda_exchange *exchange; /* MESSAGE_DONE; for the time of the call */
};

/* Where events go. */
struct rda_event_sink {
	void (*event)(void *context, const struct rda_event *event); /* may be NULL */
	void *context;
};

static inline void rda_emit(const struct rda_event_sink *sink, const struct rda_event *event)
{
	if (sink && sink->event)
		sink->event(sink->context, event);
}

#endif
