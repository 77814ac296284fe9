/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that read the same file side by side, each for itself: how far they may go.
 *
 *     leader     ------------------------------>|     tells where it is, at last the end
 *     follower   ------------------->|                never passes what was told
 *                                    |<-------->|     never more than RDA_SHARD_PACE_AHEAD
 *
 * So all end with the same frame, also of a file that grows, or when the leader is stopped; and
 * what is kept until all have got somewhere stays little. Marks show whether both read the same
 * file.
 */
#ifndef RDA_SHARD_PACE_H
#define RDA_SHARD_PACE_H

#include <stdbool.h>
#include <stdint.h>

/* Frames after which the leader tells where it is, and that it may be ahead. */
#define RDA_SHARD_PACE_FRAMES 8192
#define RDA_SHARD_PACE_AHEAD  65536

/* Behind so many frames of the file. */
struct rda_shard_pace_mark {
	uint64_t frames;
	uint64_t number; /* and time: of the last one; 0: there is none */
	int64_t time_ns;
};

struct rda_shard_pace;

struct rda_shard_pace *rda_shard_pace_new(unsigned followers);
void rda_shard_pace_free(struct rda_shard_pace *pace);

/* The leader is here; waits for followers that are far behind. */
void rda_shard_pace_lead(struct rda_shard_pace *pace, const struct rda_shard_pace_mark *mark);

/* No more frames come behind this mark. */
void rda_shard_pace_end(struct rda_shard_pace *pace, const struct rda_shard_pace_mark *mark);

/*
 * A follower has read so many frames, and waits for more: *mark is how far it may go now. False:
 * these were all.
 */
bool rda_shard_pace_follow(struct rda_shard_pace *pace, unsigned follower, uint64_t frames,
			   struct rda_shard_pace_mark *mark);

/* A follower cannot go on: nobody waits for it any more. */
void rda_shard_pace_leave(struct rda_shard_pace *pace, unsigned follower);

/* Whether somebody left. All are done. */
bool rda_shard_pace_was_left(const struct rda_shard_pace *pace);

#endif
