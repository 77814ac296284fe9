/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Upper layers: what the messages of a connection mean to whoever uses it.
 *
 *     packets of RoCE -- ulp_roce.c --\
 *                                      >--> messages, transfers --> protocol --> commands, answers
 *     FPDUs of iWARP -- ulp_iwarp.c --/     (ulp_stream.h)      (nvme_track.c)    (ulp_tally.c)
 *
 * A connection has an upper layer from the first SEND on that looks like a command of one; the
 * port that it was made to makes this easier to believe, and is not needed. The flow of that SEND
 * is the asker's. Both flows of the connection point to one struct rda_ulp.
 *
 * A message counts when it is first seen: of what is sent again the first transmission. Bytes of
 * it are kept up to RDA_ULP_BYTES; what was not captured is counted, never guessed.
 */
#ifndef RDA_ULP_H
#define RDA_ULP_H

#include "analyzer/rda.h"
#include "analyzer/base/cold.h"
#include "analyzer/track/flow.h"
#include "analyzer/track/ulp/ulp_commands.h"
#include "analyzer/track/ulp/ulp_credits.h"
#include "analyzer/track/ulp/ulp_turns.h"

#include <glib.h>

/* Of a SEND: the longest headers there are, of RPC with credentials and chunks, are shorter. */
#define RDA_ULP_BYTES 1024

/* Of a SEND of RDS: its header and half of a congestion map. */
#define RDA_ULP_BYTES_OF_RDS 4144

/* Connections with upper layers; each is about 2.5 KiB, and 2 KiB more where SENDs are long, 8 KiB
 * of RDS. */
#define RDA_ULP_CONNECTIONS_MAX 16384

/* Kinds of commands on one connection, and on all; further ones count as the last. */
#define RDA_ULP_OPERATIONS_MAX	 64
#define RDA_ULP_OPERATIONS_TOTAL 65536

/* Errors told apart on one connection; further ones count as failed only. */
#define RDA_ULP_STATUSES_MAX 32

/* SENDs of a flow that are looked at, to find out what it carries. */
#define RDA_ULP_TRIES 16

struct rda_cm_pair;
struct rda_ulp_stream;

/* A SEND, as far as it was captured. */
struct rda_ulp_message {
	const uint8_t *bytes; /* borrowed for the call */
	uint32_t have;	      /* of them */
	uint32_t length;      /* of the message, as far as it was seen */
	uint64_t place, last_place;
	int64_t first_ns, last_ns;
	bool checked; /* a checksum of its carrier tells that the bytes are what was sent */
};

/* Bytes of a WRITE, as far as they were captured. */
struct rda_ulp_bytes {
	const uint8_t *bytes; /* borrowed for the call */
	uint32_t have;
	bool checked; /* rda_ulp_message */
};

/* A READ or WRITE of the other side's memory. */
struct rda_ulp_transfer {
	struct rda_ulp_range range;
	bool whole; /* its end was seen */
	int64_t begin_ns, end_ns;
};

/* What NVMe knows of a queue. */
struct rda_nvme_track {
	uint8_t queue;	    /* enum rda_nvme_queue */
	int32_t number;	    /* -1 not known */
	int32_t controller; /* as a Connect tells; -1 not known */
	uint32_t keep_ms;   /* keep-alive timeout; 0: none, or not known */
	int64_t begun_ns;   /* of the host's first command */
	int64_t latest_ns;  /* and of its latest */
	uint64_t latest_place;
	int64_t answered_ns;	/* when the controller answered last; 0: never */
	int64_t silent_ns;	/* the longest time between two commands that no answer followed */
	int64_t silent_from_ns; /* of the command before it */
	uint64_t silent_place;
};

/* What SMB Direct knows of a side: its credits, and the message at hand, of several SENDs. */
struct rda_smb_track {
	struct rda_ulp_credits direct; /* SENDs that it may send */
	struct rda_ulp_debts debts;    /* and that it sent without */
	struct rda_ulp_credits smb;    /* of the asker: requests of SMB 2 */
	bool open;
	uint8_t *bytes; /* owned; NULL unused */
	uint32_t have, length, left;
	struct rda_ulp_message message; /* without bytes */
};

/* Congested ports that are kept of a connection; further ones are counted. */
#define RDA_ULP_PORTS_MAX 64

/* What RDS knows of a side. */
struct rda_rds_side {
	uint64_t latest, acked; /* sequences: that it sent, that the other acknowledged */
	uint64_t open;		/* sequence of the message whose SENDs go on */
	uint32_t left;		/* bytes of it that are to come; 0: none is open */
	uint32_t map_left;	/* and of the map; 0: its first piece comes next, unless: */
	bool map_unknown; /* a SEND could not be read, and no message told since where it stands */
};

/* And of a connection. */
struct rda_rds_track {
	struct rda_rds_side sides[2];	     /* of the asker, of the answerer */
	int64_t since_ns[RDA_ULP_PORTS_MAX]; /* facts.ports[i] is held, since then */
	uint32_t rdma_key;		     /* of the transfers at hand */
	uint64_t rdma_bytes;		     /* of them; 0: there are none */
};

/* What SRP knows of the requests that the target grants. */
struct rda_srp_track {
	int64_t left;	  /* facts.has_limit: that may still be sent */
	int64_t since_ns; /* there is one left, or none, since then */
};

struct rda_ulp {
	uint8_t protocol; /* enum rda_ulp_protocol */
	struct rda_ulps *all;
	struct rda_flow *asker;
	struct rda_flow *answerer;	   /* NULL: nothing of it was seen */
	struct rda_ulp_stream *streams[2]; /* owned; of the asker, of the answerer; NULL unused */
	struct rda_ulp_commands commands;
	struct rda_ulp_facts facts; /* but for what is filled in a result */
	bool missed; /* something of a SEND is not there, or came behind what was sent later */
	uint32_t operations_allocated, waiting;
	/* messages of the answerer that may answer anything: cut, or from before it was known whose
	 * they are; they precede that place */
	uint64_t unheard, unheard_place;
	bool heard;	  /* any message of the answerer was read */
	int64_t depth_ns; /* since when so many are under way */
	struct rda_ulp_turns turns;
	struct rda_nvme_track nvme;
	struct rda_smb_track smb[2]; /* of the asker, of the answerer */
	struct rda_rds_track *rds;   /* owned; NULL unused */
	struct rda_srp_track srp;
};

/* A command was answered. */
struct rda_ulp_answer {
	struct rda_ulp *ulp;
	const struct rda_ulp_command *command;
	const struct rda_ulp_operation *operation;
	uint32_t status;   /* 0: no error */
	const char *words; /* the standard's; NULL: it has none */
	int64_t time_ns;
	uint64_t place;
	bool checked; /* rda_ulp_message */
	bool unsure;  /* it may be to another command of this number (ulp_turns.h) */
};

struct rda_ulps {
	GPtrArray *list; /* struct rda_ulp, in order of their first command; owned */
	uint64_t seed;
	uint32_t room;	     /* commands that there is room for, in all */
	uint32_t operations; /* rows, in all */
	uint64_t not_followed;
	struct rda_ulp_slow slowest[RDA_SLOWEST_KEPT];
	uint32_t slowest_flow[RDA_SLOWEST_KEPT]; /* the asker's flow, by index */
	uint32_t slowest_count;
	uint64_t serials; /* commands so far */
	/* may be NULL, both */
	void (*asked)(void *context, const struct rda_ulp *ulp,
		      const struct rda_ulp_command *command);
	void (*answered)(void *context, const struct rda_ulp_answer *answer);
	void *context;
};

void rda_ulps_init(struct rda_ulps *ulps, uint64_t seed);
void rda_ulps_cleanup(struct rda_ulps *ulps);

/* A new flow: it may be the other side of one with an upper layer. */
void rda_ulps_flow(struct rda_flow *flow);

/* Bytes that are kept of a SEND. */
static inline uint32_t rda_ulp_bytes_of(const struct rda_ulp *ulp)
{
	return ulp->protocol == RDA_ULP_RDS ? RDA_ULP_BYTES_OF_RDS : RDA_ULP_BYTES;
}

/* Whether a flow's upper layer is still looked for. */
static inline bool rda_ulp_is_open(const struct rda_flow *flow)
{
	return flow->ulp_tries < RDA_ULP_TRIES;
}

/*
 * The bytes that a SEND begins with; afterwards flow->ulp may be there. `other` is the other
 * direction, or NULL.
 */
void rda_ulps_look(struct rda_ulps *ulps, struct rda_flow *flow, struct rda_flow *other,
		   const uint8_t *bytes, uint32_t have);

/* The other direction as connection management or the matcher knows it by now; or NULL. */
struct rda_flow *rda_ulp_other(const struct rda_flow *flow);

/* As a value of its own: of a tracker, where the connection was watched up to then; of another. */
void rda_ulp_facts_of(struct rda_ulp_facts *to, const struct rda_ulp *ulp, int64_t until_ns);
void rda_ulp_facts_copy(struct rda_ulp_facts *to, const struct rda_ulp_facts *from);
void rda_ulp_facts_cleanup(struct rda_ulp_facts *facts);

/* What side 0 or 1 of SMB Direct owes, where the connection was watched up to then. */
struct rda_ulp_debts rda_ulp_debts_until(const struct rda_ulp *ulp, unsigned side,
					 int64_t until_ns);

/* ---- for what feeds it (ulp_roce.c, ulp_iwarp.c) --------------------------------------------- */

/* What a flow of an upper layer sends; made when it is asked for. */
struct rda_ulp_stream *rda_ulp_stream_of(struct rda_flow *flow);

void rda_ulp_message(const struct rda_flow *flow, const struct rda_ulp_message *message);

/* The first bytes of a WRITE, as far as they were captured: of a long reply. */
void rda_ulp_placed(struct rda_ulp *ulp, const struct rda_ulp_range *range,
		    const struct rda_ulp_bytes *bytes);
void rda_ulp_transferred(struct rda_ulp *ulp, const struct rda_ulp_transfer *transfer);

#endif
