/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run of the program: the files that were read, and what the engine made of them.
 */
#ifndef RDA_RUN_H
#define RDA_RUN_H

#include "analyzer/engine/engine.h"
#include "analyzer/rdma-analyze/filter.h"
#include "analyzer/rdma-analyze/options.h"
#include "analyzer/rdma-analyze/shards.h"
#include "analyzer/rdma-analyze/source.h"
#include "analyzer/rdma-analyze/spool.h"
#include "analyzer/report/output.h"
#include "analyzer/report/report.h"

#include <glib.h>

/* A file that could be opened; the engine's capture of the same index is what it held. */
struct rda_input {
	struct rda_origin origin; /* first: rda_run_report; `damage` is owned */
	uint64_t frames;	  /* read from it, those included that the filter dropped */
	bool any_rdma;
	struct rda_spool
		*spool; /* its frames, when they are needed again and it cannot be reread */
};

struct rda_run {
	const struct rda_options *options;
	struct rda_dissect_config dissect;
	struct rda_engine *engine; /* NULL: */
	struct rda_shards *shards; /* several threads have one each */
	struct rda_result *result; /* once all was read */
	struct rda_filter *filter; /* NULL: all frames */
	/*
	 * What requests turned out to be, by place, of which that could not be told when they
	 * passed (trace.h): those that filled a hole after a NAK. So there are as many as packets
	 * were lost. NULL unless frames are wanted again.
	 */
	GHashTable *settled;
	GPtrArray *inputs; /* of struct rda_input */
	bool failed;	   /* a file could not be read, or not to its end: it was said on stderr */
};

/* Whether what the options ask for needs the frames a second time. */
bool rda_run_wants_frames_again(const struct rda_options *options);

/* False when the filter makes no sense, with the reason in *error (g_free it). */
bool rda_run_init(struct rda_run *run, const struct rda_options *options, char **error);
void rda_run_cleanup(struct rda_run *run);

/* Reads all files through the engine. Says on stderr what cannot be read. */
void rda_run_read(struct rda_run *run);

/*
 * Hands out every frame again, now that the engine knows all, as long as `take` returns true.
 * `input` is the index of the file.
 */
typedef bool rda_take_frame(void *context, unsigned input, const struct rda_meta *meta,
			    const struct rda_frame *frame);
void rda_run_again(struct rda_run *run, rda_take_frame *take, void *context);

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

/* Puts into the trace of the packet at `place` what is known now. */
void rda_run_settle(const struct rda_run *run, uint64_t place, struct rda_trace *trace);

#endif
