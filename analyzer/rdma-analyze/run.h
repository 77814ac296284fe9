/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run of the program: the files that were read, and what the engine made of them.
 */
#ifndef RDA_RUN_H
#define RDA_RUN_H

#include "analyzer/engine/engine.h"
#include "analyzer/rdma-analyze/filter.h"
#include "analyzer/rdma-analyze/options.h"
#include "analyzer/rdma-analyze/settled.h"
#include "analyzer/rdma-analyze/shards.h"
#include "analyzer/rdma-analyze/source.h"
#include "analyzer/rdma-analyze/spool.h"
#include "analyzer/rdma-analyze/survey.h"
#include "analyzer/rdma-analyze/team.h"
#include "analyzer/taps/passage.h"
#include "analyzer/rdma-analyze/live.h"
#include "analyzer/report/output.h"
#include "analyzer/report/report.h"

#include <glib.h>

/* A file that could be opened; the engine's capture of the same index is what it held. */
struct rda_input {
	struct rda_origin origin; /* first: rda_run_report; `damage` is owned */
	char *name;		  /* of the file, which is the origin's */
	uint64_t dropped;	  /* as its source has said so far */
	uint64_t frames;	  /* read from it, those included that the filter dropped */
	uint32_t tap;		  /* that saw it: files of one tap go on where the other ends */
	uint32_t seat;		  /* among the files, as they are related */
	unsigned scope;		  /* index of the first file of the tap: the capture of places */
	uint64_t before;	  /* frame numbers of the tap's files before it */
	uint64_t latest;	  /* the last one of this file; with those before */
	bool any_rdma;
	struct rda_spool
		*spool; /* its frames, when they are needed again and it cannot be reread */
};

struct rda_counted;
struct rda_explain;

struct rda_run {
	const struct rda_options *options;
	struct rda_counted *counted; /* --counters */
	struct rda_explain *explain; /* --explain */
	struct rda_config config;
	struct rda_engine *engine; /* of the tap at hand; NULL: */
	struct rda_shards *shards; /* several threads have one each */
	bool side_by_side;	   /* and read the files of the tap at hand each for itself */
	struct rda_team *team;	   /* that shares the work; NULL: nobody does */
	bool shared;		   /* the tap at hand is read by all of it */
	struct rda_survey *survey; /* what the files are to each other; NULL: there are none */
	GPtrArray *results;	   /* of struct rda_result: of the taps that were read */
	/* of the taps that were read: their packets, of taps of the same traffic; NULL: it is alone
	 */
	GPtrArray *passages;
	struct rda_passages *at_hand; /* of the tap at hand; NULL: they are not compared */
	struct rda_result *result;    /* once all was read */
	struct rda_taps *taps;	      /* the same, of several files */
	struct rda_filter *filter;    /* NULL: all frames */
	struct rda_live *during;      /* NULL once all was read */
	struct rda_source *live; /* what is read before the files; NULL: nothing, or it was read */
	struct rda_settled *settled; /* NULL unless frames are wanted again */
	GPtrArray *inputs;	     /* of struct rda_input */
	GPtrArray *compared;	     /* of struct rda_nic_compared: counters of NICs (counted.h) */
	bool failed; /* a file could not be read, or not to its end: it was said on stderr */
};

/* Whether packets are printed as they come. */
bool rda_run_streams(const struct rda_options *options);

/* Whether what the options ask for needs the frames a second time. */
bool rda_run_wants_frames_again(const struct rda_options *options);

/*
 * Takes `live`, which may be NULL. False when the filter makes no sense or a file cannot be
 * written, with the reason in *error (g_free it).
 */
bool rda_run_init(struct rda_run *run, const struct rda_options *options, struct rda_source *live,
		  char **error);
void rda_run_cleanup(struct rda_run *run);

/*
 * Reads all files through the engine, up to SIGINT or SIGTERM. Says on stderr what cannot be read.
 * What is told meanwhile is printed to `out`.
 */
void rda_run_read(struct rda_run *run, struct rda_output *out);

/* What a process does that is not the first of the team. */
void rda_run_follow(struct rda_run *run);

/*
 * Hands out every frame again, now that the engine knows all, as long as `take` returns true.
 * `input` is the index of the first file of the tap, and frame numbers are counted from there.
 */
typedef bool rda_take_frame(void *context, unsigned input, const struct rda_meta *meta,
			    const struct rda_frame *frame);
void rda_run_again(struct rda_run *run, rda_take_frame *take, void *context);

/* The same of a run of one file, in the order of the file where its interfaces are taps. */
void rda_run_again_as_filed(struct rda_run *run, rda_take_frame *take, void *context);

static inline unsigned rda_run_input_count(const struct rda_run *run)
{
	return run->inputs->len;
}

static inline const struct rda_input *rda_run_input(const struct rda_run *run, unsigned index)
{
	return g_ptr_array_index(run->inputs, index);
}

/* What its reports are made of; good as long as the run. */
struct rda_report rda_run_report(const struct rda_run *run);

#endif
