/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose frames are whose, by all frames before: whoever is told the same frames has the same
 * answers, be it one thread that reads for all, or each for itself.
 *
 * A class of pairs of hosts (RDA_SHARES) goes to the engine that has had the least to do when the
 * first frame of the class comes.
 */
#ifndef RDA_SHARD_VIEW_H
#define RDA_SHARD_VIEW_H

#include "analyzer/engine/splitter.h"
#include "dissectors/plain.h"

#include <stdbool.h>

/* Pairs of hosts whose owners are remembered, by both addresses as they are in a plain frame. */
enum { RDA_SHARD_PAIRS_BITS = 6, RDA_SHARD_PAIRS = 1 << RDA_SHARD_PAIRS_BITS };

struct rda_shard_pair {
	uint64_t addresses;
	int16_t owner; /* -1: nothing is remembered here */
};

struct rda_shard_view {
	struct rda_splitter *splitter; /* owned */
	unsigned count;		       /* engines */
	uint64_t load_frame;	       /* as many frames that go by cost the first engine as much as
					  one that an engine has */
	int16_t owner_of[RDA_SHARES];  /* -1: none yet */
	int16_t latest;		       /* that had the frame before; -1: none */
	bool begun;		       /* a frame came, of this capture, or its file before */
	uint64_t read;		       /* frames */
	uint64_t frames[RDA_SHARES];   /* of each engine */
	uint64_t before[RDA_SHARES];   /* of captures before the one at hand, or its latest file */
	uint64_t keys_at;	       /* when so many were read, keys are taken */
	uint32_t keys_every;
	struct rda_shard_pair pairs[RDA_SHARD_PAIRS]; /* of the capture at hand */
};

/* What is to be done with a frame, in this order. */
struct rda_shard_seen {
	const struct rda_share *share; /* until the next frame */
	bool begins;		       /* it is the capture's first: all engines learn of it */
	int16_t told_owner;	       /* gets share->told; -1: nobody */
	int16_t owner;		       /* gets the frame */
	bool between;		       /* others had the frame before */
	bool keys;		       /* keys are taken now */
};

/* Takes `splitter`. */
void rda_shard_view_init(struct rda_shard_view *view, struct rda_splitter *splitter,
			 uint64_t load_frame, uint32_t keys_every);
void rda_shard_view_cleanup(struct rda_shard_view *view);

void rda_shard_view_begin_capture(struct rda_shard_view *view);
void rda_shard_view_continue_capture(struct rda_shard_view *view);

void rda_shard_view_frame(struct rda_shard_view *view, const struct rda_meta *meta,
			  const struct rda_frame *frame, struct rda_shard_seen *seen);

static inline uint64_t rda_shard_addresses(const struct rda_frame *frame)
{
	uint64_t addresses;

	memcpy(&addresses, frame->bytes + RDA_PLAIN_SOURCE, sizeof(addresses));
	return addresses;
}

static inline unsigned rda_shard_pair_place(uint64_t addresses)
{
	return (unsigned)((addresses * UINT64_C(0x9e3779b97f4a7c15)) >>
			  (64 - RDA_SHARD_PAIRS_BITS));
}

/* The same of a pair that is not remembered; it is, then. */
int16_t rda_shard_view_look_up(struct rda_shard_view *view, const struct rda_frame *frame);

/* Who has a frame: not the capture's first; -1: rda_shard_view_frame tells. */
static inline int16_t rda_shard_view_owner(struct rda_shard_view *view,
					   const struct rda_frame *frame)
{
	const struct rda_shard_pair *pair;
	uint64_t addresses;

	if (!rda_plain_is(frame))
		return -1;
	addresses = rda_shard_addresses(frame);
	pair = &view->pairs[rda_shard_pair_place(addresses)];
	if (pair->owner >= 0 && pair->addresses == addresses)
		return pair->owner;
	return rda_shard_view_look_up(view, frame);
}

/* A frame whose owner is known so, in place of rda_shard_view_frame; whether keys are taken now. */
static inline bool rda_shard_view_pass(struct rda_shard_view *view, int16_t owner)
{
	view->latest = owner;
	view->frames[owner]++;
	if (++view->read != view->keys_at)
		return false;
	view->keys_at += view->keys_every;
	return true;
}

/* What an engine has to learn of the capture at hand, or of its latest file, when that is over. */
struct rda_part_others rda_shard_view_others(const struct rda_shard_view *view, unsigned engine);

#endif
