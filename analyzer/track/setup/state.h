/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the trackers of this folder are made of.
 */
#ifndef RDA_SETUP_STATE_H
#define RDA_SETUP_STATE_H

#include "analyzer/base/table.h"
#include "analyzer/track/setup/cm_track.h"
#include "analyzer/track/setup/exchange.h"

/* Whose communication ID: a host's, in conversations with another. */
struct rda_cm_id_key {
	struct rda_address address, other;
	uint32_t comm_id;
};

struct rda_cm_id {
	struct rda_cm_id_key key; /* first: the table's key */
	struct rda_cm_pair *pair; /* the latest in which it was used */
	uint8_t side;
};

/*
 * A QP of one host that is tied to one of another. A host may give its number to a QP that is tied
 * to a third one, later: that is another end.
 */
struct rda_cm_end_key {
	struct rda_address address, peer;
	uint32_t qpn;
};

struct rda_cm_end {
	struct rda_cm_end_key key; /* first: the table's key */
	struct rda_cm_pair *pair;  /* the latest that ties it */
	uint8_t side;		   /* of `address` */
};

/* Communication IDs of a conversation: two as a rule; hosts may name themselves anew. */
enum { RDA_CM_NAMES = 4 };

struct rda_cm_track {
	struct rda_table pairs; /* struct pair_item (cm_track.c), in order of their first message */
	struct rda_table ids;	/* struct rda_cm_id */
	struct rda_table ends;	/* struct rda_cm_end */
	uint32_t most; /* conversations, RDA_CM_PAIRS_MAX as a rule; and four times as many names */
	uint64_t not_kept, names_not_kept; /* past those */
	uint32_t scope;			   /* what is seen of earlier captures is no repetition */
};

/* One of its conversations, in order of their first message. */
struct rda_cm_pair *rda_cm_track_pair_at(const struct rda_cm_track *track, uint32_t index);

/* How a QP of a host is tied to one of a peer, or NULL. */
const struct rda_cm_end *rda_cm_track_find(const struct rda_cm_track *track,
					   const struct rda_address *address,
					   const struct rda_address *peer, uint32_t qpn);

struct rda_exchanges {
	struct rda_table streams; /* struct stream (exchange.c) */
	struct rda_table told;	  /* QPs that were told in a stream */
	uint64_t not_kept;	  /* lines past RDA_EXCHANGE_LINES_MAX */
};

#endif
