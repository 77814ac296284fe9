/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The messages of one side of a reliable connection, from the first request packet of each to its
 * completion, and what that took:
 *
 *     SEND, WRITE         First ... Last  -->  the ACK (or what implies it) that covers the Last
 *     READ                Request         -->  the last response
 *     ATOMIC, FLUSH,      Request         -->  the response
 *     ATOMIC WRITE
 *
 * Nothing is kept of a message while it is outstanding but what the window (window.h) has: when the
 * responder's acknowledgments pass its records they come here, in order of PSN, each with the time
 * it was first sent and how often. What the window does not have (a packet that the capture missed,
 * or one of more than RDA_WINDOW_CAP outstanding) leaves its message without a latency: `not_timed`
 * counts those. READs and their like come from pending.c.
 *
 * UC and UD messages are not answered: they have no latency.
 */
#ifndef RDA_MESSAGE_H
#define RDA_MESSAGE_H

#include "analyzer/track/event.h"
#include "analyzer/track/messages.h"
#include "analyzer/track/roce/request.h"

enum rda_assembly_state {
	RDA_ASSEMBLY_NONE, /* no message is open, or its First was not seen */
	RDA_ASSEMBLY_WHOLE,
	RDA_ASSEMBLY_TORN, /* some of it was not seen */
};

/* The messages of one side, put together in order of PSN. */
struct rda_assembly {
	struct rda_messages *times; /* owned; NULL until there is something to remember */
	struct rda_exchange open;   /* the SEND or WRITE whose packets are being settled */
	int64_t next;		    /* PSN behind the latest record */
	uint8_t state;		    /* enum rda_assembly_state: of the open message */
};

/* A record of the window, acknowledged at `time_ns` by `frame`: all of them, in order of PSN. */
void rda_message_settled(struct rda_assembly *assembly, const struct rda_sent *record,
			 int64_t time_ns, uint64_t frame, const struct rda_event_sink *sink);

/*
 * The same for a packet inside a message, sent once, if the message at hand goes on with it; false:
 * it does not, and nothing was done.
 */
static inline bool rda_message_goes_on(struct rda_assembly *assembly, int64_t psn, int64_t sent_ns,
				       uint32_t payload)
{
	if (assembly->state != RDA_ASSEMBLY_WHOLE || psn != assembly->next)
		return false;
	assembly->next = psn + 1;
	if (sent_ns < assembly->open.start_ns)
		assembly->open.start_ns = sent_ns;
	assembly->open.bytes += payload;
	return true;
}

/* A READ, ATOMIC, FLUSH or ATOMIC WRITE got its (last) response; all but latency_ns is filled. */
void rda_message_answered(struct rda_assembly *assembly, const struct rda_exchange *exchange,
			  int64_t time_ns, const struct rda_event_sink *sink);

/* A READ got its first response after `latency_ns`. */
void rda_message_first_response(struct rda_assembly *assembly, int64_t latency_ns);

/*
 * An ACK covers this record, for the first time. Its latency counts only when it asked for one and
 * was sent once: else nobody can tell which of the packets was answered (Karn).
 */
void rda_message_acked(struct rda_assembly *assembly, const struct rda_sent *record,
		       int64_t time_ns, uint64_t frame);

#endif
