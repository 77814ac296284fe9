/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Some frames of a file that one rank reads, by the ranks that they go to. See ranks.h.
 */
#ifndef RDA_RANKS_BLOCK_H
#define RDA_RANKS_BLOCK_H

#include "analyzer/rdma-analyze/ranks.h"

/* What the others know of a rank's block. */
struct rda_block_head {
	int64_t begin, end;	   /* offsets of its first record, and of the one behind it */
	uint64_t frames, latest;   /* that were read, and the number of the last, in the block */
	uint64_t passed;	   /* the filter */
	struct rda_meta first;	   /* of those */
	int64_t first_ns, last_ns; /* of those, the earliest and the latest */
	int64_t back_ns;	   /* as of rda_capture, of those */
	bool finished;		   /* nothing is behind it, or it cannot be read */
};

enum rda_parcel_kind {
	RDA_PARCEL_OWN,	  /* of the engine that gets it */
	RDA_PARCEL_STOPS, /* the same, and all others get it as a pause */
	RDA_PARCEL_PAUSE, /* of another one: it stops a link */
	RDA_PARCEL_THIN,  /* to the splitter: without its bytes */
	RDA_PARCEL_WHOLE, /* to the splitter */
};

/* A frame on its way; its bytes follow, in whole words. */
struct rda_parcel {
	struct rda_meta meta;
	uint32_t index; /* among those of the block that the filter passed */
	uint32_t captured, wire;
	uint16_t link;
	uint8_t kind;
	uint8_t share; /* class of its hosts */
};

/* Frames of a block. */
struct rda_block {
	struct rda_block_head head;
	GByteArray *own;	     /* for who has their hosts, in the order of the file */
	uint64_t frames[RDA_SHARES]; /* of these, by class */
	GByteArray *facts;	     /* to the splitter */
	char *error;		     /* why it could not be read; owned */
	int64_t offset;
	struct rda_team *team;
	struct rda_source *source; /* NULL: another rank has it */
	struct rda_filter *filter; /* NULL: all frames */
};

/* What is given is borrowed. */
void rda_block_init(struct rda_block *block, struct rda_team *team, struct rda_source *source,
		    struct rda_filter *filter);
void rda_block_cleanup(struct rda_block *block);

/* Nothing is in it, and nothing was read. */
void rda_block_clear(struct rda_block *block);

/* The frames whose records begin in [begin, end) of a file that seeks. */
void rda_block_read(struct rda_block *block, int64_t begin, int64_t end);

/* The next frames of a file, of about so many bytes. */
void rda_block_read_some(struct rda_block *block, uint64_t bytes);

/* Those of rda_block.own by ranks: how many bytes each gets, into to[], and where they begin, into
 * at[]; the bytes, to be freed. */
uint8_t *rda_block_sort(const struct rda_block *block, int *to, int *at);

/* Bytes of a frame on its way, in whole words. */
static inline uint32_t rda_parcel_bytes(uint32_t captured)
{
	return (captured + 7) & ~UINT32_C(7);
}

#endif
