/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How it ended between two QPs, as whoever looks for the packets behind a line of a log wants to
 * know: what was acknowledged last, what was asked and not answered, how often, who was silent.
 * Packets of one connection go in, in order.
 */
#ifndef RDA_EXPLAIN_STORY_H
#define RDA_EXPLAIN_STORY_H

#include "analyzer/report/describe.h"

#include <glib.h>

/* Requests outstanding that are remembered; the oldest ones stay. */
#define RDA_STORY_REQUESTS_MAX 4096

/* A packet. */
struct rda_story_mark {
	uint64_t place; /* 0: there is none */
	int64_t time_ns;
	uint32_t psn;
};

/* A request that waits for its answer. */
struct rda_story_request {
	int64_t psn, end;		   /* widened; up to and with `end` */
	struct rda_story_mark first, last; /* that it was sent */
	uint64_t times;
	const char *name; /* "RC RDMA WRITE First"; a literal */
	bool has_key;
	uint32_t key;
	uint64_t address;
};

/* RDA_STORY_ENDS(E): E(ID, "name in the JSON") */
#define RDA_STORY_ENDS(E)                                                                          \
	E(NOT_FOLLOWED, "not_followed")                                                            \
	E(NOTHING, "nothing_asked")                                                                \
	E(ANSWERED, "all_answered")                                                                \
	E(OUTSTANDING, "outstanding")                                                              \
	E(UNANSWERED, "sent_again_and_unanswered")                                                 \
	E(NOT_READY, "receiver_not_ready")                                                         \
	E(REFUSED, "refused")

enum rda_story_end {
#define RDA_E(ID, name) RDA_STORY_##ID,
	RDA_STORY_ENDS(RDA_E)
#undef RDA_E
		RDA_STORY_END_COUNT
};

const char *rda_story_end_name(unsigned end);

/* What one endpoint asked, and the other answered. */
struct rda_story_side {
	bool asked, answered; /* anything: psn_near and psn_end, acked are valid */
	int64_t psn_first, psn_near, psn_end,
		acked;			    /* asked last, up to there; acknowledged up to there */
	struct rda_story_mark acknowledged; /* the packet that did so last */
	struct rda_story_mark nak;	    /* the latest NAK that refuses for good */
	struct rda_story_mark rnr;	    /* the latest RNR NAK */
	uint64_t rnrs;
	uint8_t syndrome;		  /* of `nak` */
	struct rda_story_request latest;  /* that was asked, be it once more; valid if asked */
	struct rda_story_request refused; /* what `nak` is about; times 0: not known */
	GQueue *requests;		  /* of struct rda_story_request, by PSN */
};

struct rda_story {
	uint32_t connection, path_mtu;
	bool followed; /* requests and answers: of reliable services with PSNs */
	struct rda_story_side side[2];
	struct rda_story_mark first[2], last[2]; /* that each endpoint sent */
};

void rda_story_init(struct rda_story *story, const struct rda_connection_facts *connection);
void rda_story_cleanup(struct rda_story *story);

/* A packet of its connection. */
void rda_story_add(struct rda_story *story, const struct rda_sight *sight);

/* How what endpoint `side` asked ended; *request is what it waits for, or what was refused; NULL.
 */
enum rda_story_end rda_story_end_of(const struct rda_story *story, unsigned side,
				    const struct rda_story_request **request);

#endif
