/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files that make a team of MPI ranks share (team.h).
 *
 * A file is read in rounds. Of a plain pcap each rank has a block of each round; all else is read
 * by rank 0. Frames go to the rank that has their pair of hosts (RDA_SHARES classes of them, so 64
 * ranks at the most have any; in the round of its first frame a class goes to the rank that has had
 * the fewest frames), and what all frames tell goes to rank 0:
 *
 *     round   rank 0: | block 0 |                   frames of its hosts <--+
 *             rank 1:           | block 1 |         frames of its hosts <--+-- MPI_Alltoallv
 *             rank 2:                     | block 2 | frames of its hosts <+
 *             rank 0: times, lengths; frames of TCP and pauses whole <-------- MPI_Gatherv
 *
 * Where a block begins is guessed, and right when the block before ends there; else it is read once
 * more. Blocks stand in the order of the file, so each rank sees its frames in order.
 */
#ifndef RDA_RANKS_H
#define RDA_RANKS_H

#include "analyzer/engine/part.h"
#include "analyzer/engine/part_keys.h"
#include "analyzer/engine/splitter.h"
#include "analyzer/rdma-analyze/team.h"

/* A round of a file, and the least that a rank reads of it: tests have less. */
#ifndef RDA_RANKS_ROUND
#define RDA_RANKS_ROUND (4 * 1024 * 1024)
#define RDA_RANKS_BLOCK (256 * 1024)
#endif

/* Frames after which events of memory keys are put in order. */
#define RDA_RANKS_KEYS_EVERY 32768

struct rda_team {
	int rank, count;
	int here; /* ranks on this machine */
	unsigned engines;
	int from; /* of what is shared or received at the moment; or where it is sent to */
	struct rda_config config;
	/* of the tap at hand */
	struct rda_engine *engine;     /* NULL: other ranks have all pairs of hosts */
	struct rda_splitter *splitter; /* of rank 0 */
	struct rda_part_keys *keys;    /* of rank 0; NULL: nothing but counts */
	uint32_t hosts_known;	       /* to it */
	int16_t rank_of[RDA_SHARES];   /* -1: nobody has had a frame of the class */
	uint64_t load[RDA_SHARES];     /* frames of the tap so far, by rank */
	uint64_t since_keys, keys_every;
	bool begun;    /* a frame came, of this file or one before */
	bool had_last; /* the engine had the last frame of the file before */
	/* of the file at hand */
	bool capture_begun;
	uint64_t frames, own;	     /* all, and those that the engine had */
	uint64_t latest_own;	     /* the latest of those, counted from 1; 0: none */
	struct rda_part_others span; /* its times */
};

/* Each takes what the others know of keys: all at the same frame. */
void rda_ranks_keys(struct rda_team *team);

/*
 * Classes of pairs of hosts of which the first frames come, `frames` of each, go to ranks: those
 * with the most frames first, each to the rank that has the fewest. The same in each rank.
 */
void rda_ranks_give(struct rda_team *team, const uint64_t frames[RDA_SHARES]);

/* The engine learns of the frames that others had. */
void rda_ranks_end_capture(struct rda_team *team);

#endif
