/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits and companions of the reading. See live.h.
 */
#include "analyzer/rdma-analyze/live.h"

#include "analyzer/base/cold.h"
#include "analyzer/rdma-analyze/kept.h"
#include "analyzer/rdma-analyze/rolling.h"
#include "analyzer/rdma-analyze/run.h"
#include "analyzer/rdma-analyze/saved.h"
#include "analyzer/rdma-analyze/passing.h"

struct rda_live {
	struct rda_run *run;
	const struct rda_options *options;
	const struct rda_source *source; /* that is read; NULL: none */
	uint64_t dropped;		 /* as all sources that have ended said */
	struct rda_kept *kept;		 /* NULL: nothing is written */
	struct rda_rolling *rolling;	 /* NULL: no --every */
	struct rda_passing *stream;	 /* NULL: no lines while packets come */
	struct rda_saved *saved;	 /* NULL: no --save-on */
	uint64_t frames;
	bool accompanies;     /* something is done with each frame besides */
	bool begun;	      /* a frame came: */
	int64_t begin_ns;     /* its time */
	int64_t told_ns;      /* when --every told the last time, of the packets */
	int64_t clock_ns;     /* when the reading began */
	int64_t told_at_ns;   /* when --every told the last time, of the clock */
	uint64_t told_frames; /* of `frames`, by then */
	bool failed;	      /* a file could not be written, as was said */
	const char *stopped;
};

struct rda_live *rda_live_new(struct rda_run *run, char **error)
{
	struct rda_live *live = g_new0(struct rda_live, 1);

	live->run = run;
	live->options = run->options;
	if (run->options->save_on.folder && !rda_saved_has_folder(&run->options->save_on, error)) {
		g_free(live);
		return NULL;
	}
	if (run->options->write &&
	    !(live->kept = rda_kept_new(run->options->write, run->options->files, error))) {
		g_free(live);
		return NULL;
	}
	return live;
}

bool rda_live_free(struct rda_live *live)
{
	bool good;

	if (!live)
		return true;
	good = !live->failed;
	if (live->saved && live->run->result)
		good &= rda_saved_look(live->saved, live->run->result);
	if (live->kept)
		good &= rda_kept_end(live->kept, live->dropped);
	rda_saved_free(live->saved);
	rda_rolling_free(live->rolling);
	rda_passing_free(live->stream);
	g_free(live);
	return good;
}

static int64_t clock_ns(void)
{
	return g_get_real_time() * 1000;
}

void rda_live_begin(struct rda_live *live, struct rda_output *out)
{
	const struct rda_options *options = live->options;

	live->clock_ns = live->told_at_ns = clock_ns();
	if (options->every.given)
		live->rolling = rda_rolling_new(out, options->format == RDA_FORMAT_NDJSON);
	if (rda_run_streams(options))
		live->stream = rda_passing_new(live->run, out);
	if (options->save_on.folder)
		live->saved = rda_saved_new(&options->save_on);
	live->accompanies = live->kept || live->stream || live->saved || options->count.given ||
			    options->duration.given;
}

static bool stop(struct rda_live *live, const char *why)
{
	live->stopped = why;
	return false;
}

/* ---- --every and --save-on ------------------------------------------------------------------- */

static void tell(struct rda_live *live, int64_t time_ns)
{
	struct rda_result *result = rda_engine_result(live->run->engine);

	rda_rolling_take(live->rolling, result, time_ns);
	rda_result_free(result);
	live->told_at_ns = clock_ns();
	live->told_frames = live->frames;
}

static void look_for_findings(struct rda_live *live)
{
	struct rda_result *result = rda_engine_result(live->run->engine);

	live->failed |= !rda_saved_look(live->saved, result);
	rda_result_free(result);
}

/* The first packet behind the end of an interval ends it: it is of the next report. */
static void tell_intervals(struct rda_live *live, int64_t time_ns)
{
	const int64_t every = live->options->every.ns;

	if (live->begun && time_ns - live->told_ns < every)
		return;
	if (!live->begun) {
		live->told_ns = time_ns;
		return;
	}
	live->told_ns += (time_ns - live->told_ns) / every * every;
	if (live->frames > live->told_frames) /* the clock may have told all of them */
		tell(live, live->told_ns);
}

/* ---- packets --------------------------------------------------------------------------------- */

/* The next look at the clock; packets went as far as `waits` of a source is asked. */
static bool waits(void *context)
{
	return rda_live_idle(context);
}

void rda_live_source(struct rda_live *live, struct rda_source *source)
{
	live->source = source;
	source->waits = waits;
	source->waits_for = live;
}

/* Files of one tap are one capture, with frames that are numbered on. */
static uint64_t place_of(const struct rda_live *live, const struct rda_meta *meta)
{
	const struct rda_input *input =
		rda_run_input(live->run, rda_run_input_count(live->run) - 1);

	return rda_place_id(input->scope, meta->number);
}

bool rda_live_wants_frames(const struct rda_live *live)
{
	return live->rolling || live->accompanies;
}

void rda_live_before(struct rda_live *live, const struct rda_meta *meta)
{
	if (live->rolling)
		tell_intervals(live, meta->time_ns);
}

/* What is done with a frame besides; false when the reading ends with it. */
RDA_APART static bool accompany(struct rda_live *live, const struct rda_meta *meta,
				const struct rda_frame *frame, const struct rda_packet *packet)
{
	const struct rda_options *options = live->options;

	if (live->kept)
		rda_kept_frame(live->kept, live->source, meta, frame);
	if (live->stream) {
		if (!rda_passing_frame(live->stream, meta, frame, packet))
			return false;
		/* who reads from a pipe cannot tell when nothing comes for a while */
		if (!live->source->live)
			rda_passing_flush(live->stream);
	}
	if (live->saved) {
		rda_saved_frame(live->saved, place_of(live, meta), meta, frame);
		if (rda_saved_is_due(live->saved))
			look_for_findings(live);
	}
	if (options->count.given && live->frames >= options->count.value)
		return stop(live, "count");
	if (options->duration.given && meta->time_ns - live->begin_ns >= options->duration.ns)
		return stop(live, "duration");
	return true;
}

bool rda_live_frame(struct rda_live *live, const struct rda_meta *meta,
		    const struct rda_frame *frame, const struct rda_packet *packet)
{
	if (!live->begun)
		live->begin_ns = meta->time_ns;
	live->begun = true;
	live->frames++;
	return !live->accompanies || accompany(live, meta, frame, packet);
}

bool rda_live_idle(struct rda_live *live)
{
	const struct rda_options *options = live->options;
	int64_t now_ns = clock_ns();

	if (live->kept)
		rda_kept_flush(live->kept);
	if (live->stream)
		rda_passing_flush(live->stream);
	if (live->rolling && live->frames > live->told_frames &&
	    now_ns - live->told_at_ns >= options->every.ns)
		tell(live, now_ns);
	if (options->duration.given && now_ns - live->clock_ns >= options->duration.ns)
		return stop(live, "duration");
	return true;
}

void rda_live_tap_end(struct rda_live *live)
{
	if (live->rolling)
		rda_rolling_tap_end(live->rolling);
	if (live->stream)
		rda_passing_tap_end(live->stream);
}

void rda_live_source_end(struct rda_live *live)
{
	live->dropped += live->source->dropped;
	live->source = NULL;
}

const char *rda_live_stopped(const struct rda_live *live)
{
	return live->stopped;
}
