/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the files through the engine, once or twice. See run.h.
 */
#include "analyzer/rdma-analyze/run.h"

#include "analyzer/rdma-analyze/complain.h"
#include "analyzer/rdma-analyze/counted.h"
#include "analyzer/rdma-analyze/explained.h"
#include "analyzer/rdma-analyze/interrupt.h"
#include "analyzer/rdma-analyze/machine.h"
#include "analyzer/rdma-analyze/run_part.h"
#include "analyzer/rdma-analyze/run_taps.h"
#include "analyzer/rdma-analyze/value.h"
#include "analyzer/report/explain.h"
#include "analyzer/report/nic_compare.h"
#include "analyzer/report/output.h"

#include <inttypes.h>
#include <string.h>

G_STATIC_ASSERT((int)RDA_READER_NAME_AUTO == (int)RDA_READER_AUTO);
G_STATIC_ASSERT((int)RDA_READER_NAME_WIRETAP == (int)RDA_READER_WIRETAP);
G_STATIC_ASSERT((int)RDA_READER_NAME_PCAP == (int)RDA_READER_PCAP);
G_STATIC_ASSERT(RDA_THREADS_MAX == RDA_SHARES);
G_STATIC_ASSERT(RDA_PORTS_MAX == G_N_ELEMENTS(((struct rda_dissect_config *)NULL)->ports));

static void input_free(void *data)
{
	struct rda_input *input = data;

	g_free(input->origin.damage);
	g_free(input->name);
	rda_spool_free(input->spool);
	rda_others_cleanup(&input->origin.others);
	g_free(input);
}

bool rda_run_streams(const struct rda_options *options)
{
	return options->packets && (options->stream || options->interfaces || options->follow);
}

bool rda_run_wants_frames_again(const struct rda_options *options)
{
	return (options->packets && (!rda_run_streams(options) || options->sqlite)) ||
	       options->graph || options->html || options->annotate || options->anonymize ||
	       options->extract.file || options->explain;
}

/* What is told of each frame is what one engine knows there. */
static bool is_one(const struct rda_options *options)
{
	return rda_run_wants_frames_again(options) || rda_run_streams(options) ||
	       options->every.given || options->save_on.folder;
}

static unsigned threads_of(const struct rda_run *run, uint32_t tap)
{
	if (is_one(run->options))
		return 1;
	if (run->options->jobs.given)
		return run->options->jobs.value;
	if (rda_team_count(run->team) > 1) /* whose processes have the cores */
		return 1;
	return rda_machine_threads(g_get_num_processors(), run->config.memory,
				   rda_survey_bytes(run->survey, tap));
}

static struct rda_config config_of(const struct rda_options *options)
{
	struct rda_config config = {.hash_seed = (uint64_t)g_random_int() << 32 | g_random_int(),
				    .count_only = options->count_only,
				    .link_gbits = options->link_speed.value};

	memcpy(config.dissect.ports, options->ports.port, sizeof(config.dissect.ports));
	config.dissect.port_count = options->ports.count;
	memcpy(config.checks_off, options->checks.off, sizeof(config.checks_off));
	memcpy(config.checks_severity, options->checks.severity, sizeof(config.checks_severity));
	config.trace = rda_run_wants_frames_again(options) || rda_run_streams(options);
	config.memory = rda_value_memory(options);
	return config;
}

static void result_free(void *result)
{
	rda_result_free(result);
}

bool rda_run_init(struct rda_run *run, const struct rda_options *options, struct rda_source *live,
		  char **error)
{
	char *reason = NULL;

	*run = (struct rda_run){
		.options = options,
		.live = live,
		.config = config_of(options),
		.inputs = g_ptr_array_new_with_free_func(input_free),
		.results = g_ptr_array_new_with_free_func(result_free),
		.passages = g_ptr_array_new_with_free_func(rda_run_free_passages),
		.compared = g_ptr_array_new_with_free_func(rda_nic_compared_free),
	};
	if (rda_run_wants_frames_again(options))
		run->settled = rda_settled_new();
	/* what comes from an interface the kernel has filtered */
	if (options->filter && !options->interfaces &&
	    !(run->filter = rda_filter_new(options->filter, &reason))) {
		*error = g_strdup_printf("--filter: %s", reason);
		g_free(reason);
		return false;
	}
	run->during = rda_live_new(run, error);
	if (run->during)
		run->counted = rda_counted_new(options, error);
	if (run->counted)
		run->explain = rda_explained_new(options, error);
	return run->explain != NULL;
}

void rda_run_cleanup(struct rda_run *run)
{
	rda_live_free(run->during);
	rda_counted_free(run->counted);
	rda_explain_free(run->explain);
	if (run->live)
		run->live->close(run->live);
	rda_engine_free(run->engine);
	rda_shards_free(run->shards);
	rda_result_free(run->result);
	rda_filter_free(run->filter);
	rda_settled_free(run->settled);
	rda_survey_free(run->survey);
	rda_taps_free(run->taps);
	g_ptr_array_unref(run->inputs);
	g_ptr_array_unref(run->results);
	g_ptr_array_unref(run->passages);
	g_ptr_array_unref(run->compared);
}

void rda_run_complain(struct rda_run *run, const char *file, int64_t offset, const char *reason)
{
	if (offset >= 0)
		rda_complain("%s: offset %" PRId64 ": %s", file, offset, reason);
	else
		rda_complain("%s: %s", file, reason);
	run->failed = true;
}

static bool open_spool(struct rda_run *run, struct rda_input *input,
		       const struct rda_source *source)
{
	char *error = NULL;

	if (!rda_run_wants_frames_again(run->options) ||
	    (!source->live && rda_survey_can_reread(input->origin.file)))
		return true;
	input->spool = rda_spool_new(&error);
	if (input->spool)
		return true;
	rda_run_complain(run, input->origin.file, RDA_OFFSET_UNKNOWN, error);
	g_free(error);
	return false;
}

void rda_run_note_damage(struct rda_run *run, struct rda_input *input, int64_t offset,
			 const char *reason)
{
	input->origin.damage = g_strdup(reason);
	input->origin.damaged_at = offset;
	rda_run_complain(run, input->origin.file, offset, reason);
}

/* ---- files ----------------------------------------------------------------------------------- */

struct rda_source *rda_run_open_seat(struct rda_run *run, uint32_t seat)
{
	int64_t offset = RDA_OFFSET_UNKNOWN;
	char *error = NULL;
	struct rda_source *source =
		rda_survey_open(run->survey, seat, run->options, &error, &offset);

	if (!source && rda_interrupt_came() && !rda_shortage_came())
		rda_complain("nothing was read before %s", rda_interrupt_name());
	else if (!source)
		rda_run_complain(run, rda_survey_seat(run->survey, seat)->file, offset, error);
	g_free(error);
	return source;
}

/* The file before, of which the next is a continuation; NULL: another tap begins. */
static const struct rda_input *file_before(const struct rda_run *run, uint32_t tap)
{
	unsigned count = rda_run_input_count(run);
	const struct rda_input *before = count ? rda_run_input(run, count - 1) : NULL;

	return before && before->tap == tap ? before : NULL;
}

static void begin_capture(struct rda_run *run, bool continues)
{
	if (run->shared)
		rda_team_begin_capture(run->team, continues);
	else if (run->shards)
		continues ? rda_shards_continue_capture(run->shards)
			  : rda_shards_begin_capture(run->shards);
	else
		continues ? rda_engine_continue_capture(run->engine)
			  : rda_engine_begin_capture(run->engine);
}

static void close_sources(GPtrArray *sources)
{
	for (unsigned i = 0; i < sources->len; i++) {
		struct rda_source *source = g_ptr_array_index(sources, i);

		source->close(source);
	}
	g_ptr_array_unref(sources);
}

/* Opens the file for each of the threads that read it side by side; false: it cannot be. */
static bool open_for_threads(struct rda_run *run, const struct rda_source *source, uint32_t seat,
			     uint64_t before)
{
	GPtrArray *sources = g_ptr_array_new();
	struct rda_source *other = NULL;

	if (!source->plain)
		rda_run_complain(run, source->file, RDA_OFFSET_UNKNOWN,
				 "it is not what it was when it was looked at");
	do {
		other = source->plain ? rda_run_open_seat(run, seat) : NULL;
		if (other)
			g_ptr_array_add(sources, other);
	} while (other && sources->len + 1 < rda_shards_count(run->shards));
	if (!other) {
		close_sources(sources);
		return false;
	}
	rda_shards_begin_file(run->shards, (struct rda_source *const *)sources->pdata, before);
	g_ptr_array_unref(sources);
	return true;
}

static void read_frames(struct rda_run *run, struct rda_input *input, struct rda_source *source,
			uint32_t seat)
{
	if (run->shared) {
		rda_run_read_together(run, input, source);
	} else if (!run->side_by_side) {
		rda_run_read_frames(run, input, source);
	} else if (open_for_threads(run, source, seat, input->before)) {
		rda_run_read_frames(run, input, source);
		rda_shards_end_file(run->shards);
	}
}

/* Takes the source, which is that of a seat, or of none. */
static void read_source(struct rda_run *run, struct rda_source *source, uint32_t seat, uint32_t tap)
{
	struct rda_input *input = g_new0(struct rda_input, 1);
	const struct rda_input *before = file_before(run, tap);

	input->name = g_strdup(source->file);
	input->origin.file = input->name;
	input->origin.damaged_at = RDA_OFFSET_UNKNOWN;
	input->tap = tap;
	input->seat = seat;
	rda_survey_tell(run->survey, seat, &input->origin);
	input->scope = before ? before->scope : rda_run_input_count(run);
	input->before = input->latest = before ? before->latest : 0;
	input->origin.first_frame = before ? before->latest + 1 : 0;
	if (open_spool(run, input, source)) {
		rda_run_tell_opened(run, source, before != NULL);
		begin_capture(run, before != NULL);
		g_ptr_array_add(run->inputs, input);
		read_frames(run, input, source, seat);
	} else {
		input_free(input);
	}
	source->close(source);
}

static void read_file(struct rda_run *run, uint32_t seat)
{
	struct rda_source *source;

	if (!rda_team_is_first(run->team)) {
		rda_run_follow_file(run, seat);
		return;
	}
	source = rda_run_open_seat(run, seat);
	if (!source)
		rda_run_tell_opened(run, NULL, false);
	else
		read_source(run, source, seat, run->survey->relation->seats[seat].tap);
}

static void begin_alone(struct rda_run *run, uint32_t tap, bool compared)
{
	unsigned threads = compared ? 1 : threads_of(run, tap);

	run->config.times = compared;
	/* a filter is one thread's */
	run->side_by_side =
		threads > 1 && !run->filter && rda_survey_is_plain(run->survey, tap, run->options);
	run->shards = threads > 1 ? rda_shards_new(&run->config, threads, run->side_by_side) : NULL;
	run->engine = run->shards ? NULL : rda_engine_new(&run->config);
}

/* Its engine knows nothing of the tap before, but how many captures that had. */
static void begin_tap(struct rda_run *run, uint32_t tap, bool compared)
{
	uint32_t captures = rda_run_input_count(run);

	run->at_hand = compared ? rda_run_new_passages() : NULL;
	g_ptr_array_add(run->passages, run->at_hand);
	run->shared = run->team && !compared && !is_one(run->options);
	if (run->shared) {
		rda_team_begin_tap(run->team, &run->config);
		rda_team_tell(run->team, &captures, sizeof(captures));
	} else {
		begin_alone(run, tap, compared);
	}
	for (unsigned i = 0; i < captures; i++)
		begin_capture(run, false);
}

static void tell_lost(struct rda_run *run)
{
	rda_complain("a file was changed while %u threads read it: frames are missing in what "
		     "follows",
		     rda_shards_count(run->shards));
	run->failed = true;
}

static void end_tap(struct rda_run *run)
{
	if (run->shared) {
		struct rda_result *result = rda_team_end_tap(run->team);

		if (result)
			g_ptr_array_add(run->results, result);
	} else if (run->shards) {
		g_ptr_array_add(run->results, rda_shards_result(run->shards));
		if (rda_shards_are_lost(run->shards))
			tell_lost(run);
		rda_shards_free(run->shards);
	} else {
		rda_engine_end(run->engine);
		rda_live_tap_end(run->during);
		g_ptr_array_add(run->results, rda_run_tap_result(run));
		rda_engine_free(run->engine);
	}
	run->shared = run->side_by_side = false;
	run->shards = NULL;
	run->engine = NULL;
	run->at_hand = NULL;
}

/* Files that nobody reads any more, because the reading was stopped. */
static void tell_unread(struct rda_run *run, uint32_t files)
{
	if (!rda_interrupt_came() || !files)
		return;
	if (rda_shortage_came())
		rda_complain("%u of the files were not read: out of memory", files);
	else
		rda_complain("%u of the files were not read: %s came before", files,
			     rda_interrupt_name());
	run->failed |= rda_shortage_came();
}

static bool is_stopped(const struct rda_run *run)
{
	return rda_interrupt_came() || rda_live_stopped(run->during);
}

static bool is_shared(const struct rda_run *run, uint32_t seat)
{
	return run->team && !is_one(run->options) &&
	       rda_relation_of(run->survey->relation, seat) != RDA_RELATION_SAME;
}

/* As they follow each other, one engine a tap. */
static void read_seats(struct rda_run *run, const struct rda_relation *relation)
{
	uint32_t i = 0;

	for (; i < relation->count && !is_stopped(run); i++) {
		const struct rda_relation_seat *seat = &relation->seats[i];

		/* what one process reads alone, the first does */
		if (!rda_team_is_first(run->team) && !is_shared(run, i))
			continue;
		if (i == 0 || seat->tap != seat[-1].tap)
			begin_tap(run, seat->tap,
				  rda_relation_of(relation, i) == RDA_RELATION_SAME);
		read_file(run, i);
		if (i + 1 == relation->count || seat[1].tap != seat->tap || is_stopped(run))
			end_tap(run);
	}
	tell_unread(run, relation->count - i);
}

void rda_run_follow(struct rda_run *run)
{
	run->survey = rda_survey_new(run->options, run->filter, run->team);
	read_seats(run, run->survey->relation);
}

void rda_run_read(struct rda_run *run, struct rda_output *out)
{
	if (!run->team)
		rda_interrupt_begin();
	rda_live_begin(run->during, out);
	if (run->live) {
		begin_tap(run, 0, false);
		read_source(run, run->live, 0, 0);
		run->live = NULL;
		end_tap(run);
	} else {
		run->survey = rda_survey_new(run->options, run->filter, run->team);
		read_seats(run, run->survey->relation);
	}
	if (!run->team)
		rda_interrupt_end();
	run->team = NULL;	  /* the others are done */
	if (!run->results->len) { /* nothing was read */
		begin_tap(run, 0, false);
		end_tap(run);
	}
	if (run->survey)
		run->taps = rda_run_taps(run);
	run->result = rda_run_joined(run);
	rda_counted_hold(run->counted, run);
	run->failed |= !rda_live_free(run->during);
	run->during = NULL;
	rda_explained_join(run);
}

struct rda_report rda_run_report(const struct rda_run *run)
{
	return (struct rda_report){
		.result = run->result,
		/* pointers to inputs, which begin with their origins */
		.origins = (const struct rda_origin *const *)(void *)run->inputs->pdata,
		.origin_count = run->inputs->len,
		.taps = run->inputs->len > 1 ? run->taps : NULL,
		.compared = (const struct rda_nic_compared *const *)(void *)run->compared->pdata,
		.compared_count = run->compared->len,
		.explain = run->explain,
		.keys = run->options->keys,
		.count_only = run->options->count_only,
		.choice = rda_options_choice(run->options),
	};
}
