/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one side of an iWARP connection sends, as messages: their sequence numbers and offsets, and
 * the requests that wait for the other side's answers.
 *
 *     FPDUs   WRITE.  WRITE.  WRITE!  SEND!  READ Request! ------> the other side
 *     channel |---- writes --------|  queue 0  queue 1             READ Response.  Response!
 *                                                 waits ...................... matched, timed
 *
 * A message is open from its first segment to the one that says it is the last (!). READs are
 * answered in the order in which they were asked (RFC 5040, 5.2.2); the answer names the sink's
 * STag and offset, an atomic's answer its request identifier.
 *
 * SENDs and WRITEs are never acknowledged: nobody can tell from outside how long they took.
 *
 * After a hole in one of the two streams, and in a connection whose start was not captured, what
 * does not fit proves nothing: it is taken as it is, until an answer fits a request again.
 */
#ifndef RDA_RDMAP_TRACK_H
#define RDA_RDMAP_TRACK_H

#include "analyzer/track/iwarp/fpdu.h"
#include "analyzer/track/messages.h"

/*
 * READs, and atomics, that wait for an answer: devices allow 128 or 256. Of more the oldest are
 * forgotten, and counted in `forgotten`.
 */
#define RDA_RDMAP_ASKED_MAX 1024

/* The latest messages that are kept, to know the one that a Terminate complains of. */
#define RDA_RDMAP_RECENT_MAX 256

struct rda_rdmap_message {
	uint8_t opcode;
	bool tagged;
	uint32_t number; /* of its side, in the order in which they began, from 0 */
	bool cut;	 /* it began before what was captured */
	bool ended;	 /* its last segment was seen */
	uint32_t target; /* STag, or queue */
	uint32_t msn;	 /* of untagged ones */
	uint64_t offset; /* tagged offset of the first byte */
	uint64_t bytes;	 /* DDP's payload so far */
	uint64_t first_place, last_place;
	int64_t first_ns;
};

/* A request that waits for its answer. */
struct rda_rdmap_asked {
	struct rda_rdmap_read read; /* of a READ */
	uint32_t request_id;	    /* of an atomic */
	uint32_t msn;
	bool swapped;	       /* its fields were in the other byte order; here they are right */
	uint64_t got;	       /* bytes of the answer */
	uint64_t place;	       /* of the request */
	uint64_t answer_place; /* of the first of its answer; 0 none */
	int64_t time_ns;
};

struct rda_rdmap;

/* How an answer fits what was asked. */
enum rda_rdmap_fit {
	RDA_RDMAP_NO_ANSWER,
	RDA_RDMAP_FITS,
	RDA_RDMAP_NOT_KNOWN, /* what it answers may not have been captured */
	RDA_RDMAP_UNASKED,   /* nothing waits */
	RDA_RDMAP_ELSEWHERE, /* not where the READ wants its data, or not what comes next there */
	RDA_RDMAP_TOO_LONG,  /* more than the READ asked for */
	RDA_RDMAP_TOO_SHORT, /* it ends before all is there */
	RDA_RDMAP_WRONG_ID,  /* an atomic that nobody asked for */
	RDA_RDMAP_OVERTAKES, /* an atomic that others should be answered before */
};

/* What one FPDU is to its side's messages. */
struct rda_rdmap_step {
	bool counted; /* it belongs to a channel: all below is valid */
	bool begins, ends;
	bool msn_wrong, offset_wrong;
	uint64_t expected;		  /* MSN or offset, whichever is wrong */
	bool unfinished;		  /* the message before had no last segment */
	struct rda_rdmap_message message; /* as it is with this segment */
	uint8_t fit;			  /* enum rda_rdmap_fit */
	struct rda_rdmap_asked asked;	  /* what it answers; valid unless NO_ANSWER, UNASKED */
	uint32_t outstanding;		  /* of a request: with this one */
	bool done;			  /* it completes a message of the other side: */
	uint8_t done_kind;		  /* enum rda_message */
	int64_t latency_ns;		  /* of it */
};

/* `from_start`: what comes first has MSN 1. */
struct rda_rdmap *rda_rdmap_new(bool from_start);
void rda_rdmap_free(struct rda_rdmap *rdmap);

/* An FPDU of `mine`; `other` is the other side's, or NULL when nothing of it was seen. */
void rda_rdmap_fpdu(struct rda_rdmap *mine, struct rda_rdmap *other,
		    const struct rda_fpdu_seen *fpdu, struct rda_rdmap_step *step);

/*
 * FPDUs of `asker` may be on their way that are not here yet, when this answer came: one that does
 * not fit may be to one of them, which then waits for none.
 */
void rda_rdmap_behind(struct rda_rdmap *asker, const struct rda_rdmap_step *answer);

/* What `asker` asks for may have been answered before anything of it was seen. */
void rda_rdmap_late(struct rda_rdmap *asker, const struct rda_rdmap *other);

/* FPDUs of `mine` are missing, or cannot be trusted. */
void rda_rdmap_hole(struct rda_rdmap *mine, struct rda_rdmap *other);

/* What a Terminate refused; all zero where it does not say and the capture does not have it. */
struct rda_rdmap_refused {
	const struct rda_rdmap_message *message; /* NULL: not known */
	uint64_t place;				 /* of its first frame; 0 not captured */
	bool read;				 /* a READ: `from` is what failed */
	struct rda_rdmap_read from;
};

/* `asker`: whose message it was; NULL when nothing of that side was seen. */
void rda_rdmap_refused(const struct rda_rdmap *asker, const struct rda_terminate *terminate,
		       struct rda_rdmap_refused *refused);

/* Requests that wait for their answers; READs among them; the oldest, a READ if there is one. */
uint32_t rda_rdmap_outstanding(const struct rda_rdmap *rdmap);
uint32_t rda_rdmap_reads(const struct rda_rdmap *rdmap);
const struct rda_rdmap_asked *rda_rdmap_oldest(const struct rda_rdmap *rdmap);

/* What waits may not be all, or may have been answered unseen. */
bool rda_rdmap_is_unsure(const struct rda_rdmap *rdmap);

/* It was so before, and where answers went told since what they are for: as long as each sink is
 * used by one READ at a time. */
bool rda_rdmap_is_guessed(const struct rda_rdmap *rdmap);

/* SENDs that were begun; requests that were forgotten; latencies of what was answered, or NULL. */
uint64_t rda_rdmap_sends(const struct rda_rdmap *rdmap);
uint64_t rda_rdmap_forgotten(const struct rda_rdmap *rdmap);
const struct rda_messages *rda_rdmap_messages(const struct rda_rdmap *rdmap);

#endif
