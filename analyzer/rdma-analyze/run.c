/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the files through the engine, once or twice. See run.h.
 */
#include "analyzer/rdma-analyze/run.h"

#include "analyzer/rdma-analyze/progress.h"
#include "analyzer/report/output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- what requests turned out to be ---------------------------------------------------------- */

struct settled {
	gint64 place; /* first: the table's key */
	uint8_t standing, trigger;
	uint64_t cause;
};

static void settled_packet(GHashTable *settled, const struct rda_engine *engine)
{
	unsigned count;
	const struct rda_event *events = rda_engine_events(engine, &count);

	for (unsigned i = 0; i < count; i++) {
		uint64_t place;
		enum rda_standing standing = rda_event_settles(&events[i], &place);
		struct settled *one;

		if (standing == RDA_STANDING_NONE)
			continue;
		one = g_new(struct settled, 1);
		*one = (struct settled){(gint64)place, (uint8_t)standing, events[i].trigger,
					events[i].cause_frame};
		g_hash_table_add(settled, one);
	}
}

void rda_run_settle(const struct rda_run *run, uint64_t place, struct rda_trace *trace)
{
	gint64 key = (gint64)place;
	const struct settled *one = g_hash_table_lookup(run->settled, &key);

	if (!one)
		return;
	trace->standing = one->standing;
	trace->trigger = one->trigger;
	trace->cause = one->cause;
}

G_STATIC_ASSERT((int)RDA_READER_NAME_AUTO == (int)RDA_READER_AUTO);
G_STATIC_ASSERT((int)RDA_READER_NAME_WIRETAP == (int)RDA_READER_WIRETAP);
G_STATIC_ASSERT((int)RDA_READER_NAME_PCAP == (int)RDA_READER_PCAP);
G_STATIC_ASSERT(RDA_THREADS_MAX == RDA_SHARES);
G_STATIC_ASSERT(RDA_PORTS_MAX == G_N_ELEMENTS(((struct rda_dissect_config *)NULL)->ports));

static void input_free(void *data)
{
	struct rda_input *input = data;

	g_free(input->origin.damage);
	rda_spool_free(input->spool);
	rda_others_cleanup(&input->origin.others);
	g_free(input);
}

bool rda_run_wants_frames_again(const struct rda_options *options)
{
	return options->packets || options->graph || options->html || options->annotate ||
	       options->anonymize;
}

/* What is told of each frame is what one engine knows there. */
static unsigned threads_of(const struct rda_options *options)
{
	return rda_run_wants_frames_again(options) || !options->jobs.given ? 1
									   : options->jobs.value;
}

bool rda_run_init(struct rda_run *run, const struct rda_options *options, char **error)
{
	char *reason = NULL;
	struct rda_config config = {.hash_seed = (uint64_t)g_random_int() << 32 | g_random_int()};

	memcpy(config.dissect.ports, options->ports.port, sizeof(config.dissect.ports));
	config.dissect.port_count = options->ports.count;
	memcpy(config.checks_off, options->checks.off, sizeof(config.checks_off));
	memcpy(config.checks_severity, options->checks.severity, sizeof(config.checks_severity));
	config.count_only = options->count_only;
	config.trace = rda_run_wants_frames_again(options);
	*run = (struct rda_run){
		.options = options,
		.dissect = config.dissect,
		.inputs = g_ptr_array_new_with_free_func(input_free),
	};
	if (threads_of(options) > 1)
		run->shards = rda_shards_new(&config, threads_of(options));
	if (!run->shards)
		run->engine = rda_engine_new(&config);
	if (config.trace)
		run->settled = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	if (options->filter && !(run->filter = rda_filter_new(options->filter, &reason)))
		*error = g_strdup_printf("--filter: %s", reason);
	g_free(reason);
	return !options->filter || run->filter;
}

void rda_run_cleanup(struct rda_run *run)
{
	rda_engine_free(run->engine);
	rda_shards_free(run->shards);
	rda_result_free(run->result);
	rda_filter_free(run->filter);
	if (run->settled)
		g_hash_table_unref(run->settled);
	g_ptr_array_unref(run->inputs);
}

/* "rdma-analyze: FILE: offset N: REASON" */
static void complain(struct rda_run *run, const char *file, int64_t offset, const char *reason)
{
	char *name = rda_output_harmless(file);

	if (offset >= 0)
		fprintf(stderr, "rdma-analyze: %s: offset %" PRId64 ": %s\n", name, offset, reason);
	else
		fprintf(stderr, "rdma-analyze: %s: %s\n", name, reason);
	g_free(name);
	run->failed = true;
}

/* Whether a second look at the file finds the same bytes: not so with pipes and standard input. */
static bool can_be_reread(const char *file)
{
	struct stat status;

	return strcmp(file, "-") != 0 && stat(file, &status) == 0 && S_ISREG(status.st_mode);
}

static bool open_spool(struct rda_run *run, struct rda_input *input)
{
	char *error = NULL;

	if (!rda_run_wants_frames_again(run->options) || can_be_reread(input->origin.file))
		return true;
	input->spool = rda_spool_new(&error);
	if (input->spool)
		return true;
	complain(run, input->origin.file, RDA_OFFSET_UNKNOWN, error);
	g_free(error);
	return false;
}

static void note_damage(struct rda_run *run, struct rda_input *input, int64_t offset,
			const char *reason)
{
	input->origin.damage = g_strdup(reason);
	input->origin.damaged_at = offset;
	complain(run, input->origin.file, offset, reason);
}

/* Gives one frame to the engine; false when the file cannot be read on. */
static bool read_frame(struct rda_run *run, struct rda_input *input, const struct rda_meta *meta,
		       const struct rda_frame *frame)
{
	const struct rda_packet *packet;

	if (run->filter) {
		switch (rda_filter_frame(run->filter, frame)) {
		case RDA_FILTER_PASS: break;
		case RDA_FILTER_DROP: return true;
		case RDA_FILTER_UNUSABLE:
			note_damage(run, input, RDA_OFFSET_UNKNOWN, rda_filter_error(run->filter));
			return false;
		}
	}
	if (input->spool && !rda_spool_add(input->spool, meta, frame)) {
		note_damage(run, input, RDA_OFFSET_UNKNOWN, g_strerror(errno));
		return false;
	}
	packet = run->shards ? rda_shards_frame(run->shards, meta, frame)
			     : rda_engine_packet(run->engine, meta, frame);
	if (run->settled)
		settled_packet(run->settled, run->engine);
	if (!packet || packet->carrier != RDA_CARRIER_NONE)
		input->any_rdma = true;
	else if (!input->any_rdma)
		rda_others_count(&input->origin.others, frame, packet);
	return true;
}

/* Feeds a file's frames to the engine, to its end or to where it is damaged. */
static void read_frames(struct rda_run *run, struct rda_input *input, struct rda_source *source)
{
	enum rda_source_result result;
	struct rda_progress_line progress;
	struct rda_frame frame;
	struct rda_meta meta;

	rda_progress_begin(&progress, !run->options->no_progress);
	while ((result = source->next(source, &meta, &frame)) == RDA_SOURCE_FRAME) {
		if (!read_frame(run, input, &meta, &frame))
			break;
		rda_progress_frame(&progress, input->origin.file, ++input->frames, source->position,
				   source->size);
	}
	rda_progress_end(&progress);
	if (run->shards)
		rda_shards_dropped(run->shards, source->dropped);
	else
		rda_engine_dropped(run->engine, source->dropped);
	if (result == RDA_SOURCE_DAMAGED)
		note_damage(run, input, source->offset, source->error);
}

static struct rda_source *open_source(struct rda_run *run, const char *file)
{
	int64_t offset = RDA_OFFSET_UNKNOWN;
	char *error = NULL;
	struct rda_source *source =
		rda_source_open(file, (enum rda_reader)run->options->reader, &error, &offset);

	if (!source)
		complain(run, file, offset, error);
	g_free(error);
	return source;
}

static void read_file(struct rda_run *run, const char *file)
{
	struct rda_source *source = open_source(run, file);
	struct rda_input *input;

	if (!source)
		return;
	input = g_new0(struct rda_input, 1);
	input->origin.file = file;
	input->origin.damaged_at = RDA_OFFSET_UNKNOWN;
	if (open_spool(run, input)) {
		if (run->shards)
			rda_shards_begin_capture(run->shards);
		else
			rda_engine_begin_capture(run->engine);
		g_ptr_array_add(run->inputs, input);
		read_frames(run, input, source);
	} else {
		input_free(input);
	}
	source->close(source);
}

void rda_run_read(struct rda_run *run)
{
	for (char **file = run->options->files; *file; file++)
		read_file(run, *file);
	if (run->shards) {
		run->result = rda_shards_result(run->shards);
	} else {
		rda_engine_end(run->engine);
		run->result = rda_engine_result(run->engine);
	}
}

struct rda_report rda_run_report(const struct rda_run *run)
{
	return (struct rda_report){
		.result = run->result,
		/* pointers to inputs, which begin with their origins */
		.origins = (const struct rda_origin *const *)(void *)run->inputs->pdata,
		.origin_count = run->inputs->len,
		.keys = run->options->keys,
		.count_only = run->options->count_only,
		.choice = rda_options_choice(run->options),
	};
}

/* ---- the second time ------------------------------------------------------------------------ */

static bool again_from_spool(struct rda_run *run, const struct rda_input *input, unsigned index,
			     rda_take_frame *take, void *context)
{
	struct rda_frame frame;
	struct rda_meta meta;

	if (!rda_spool_rewind(input->spool)) {
		complain(run, input->origin.file, RDA_OFFSET_UNKNOWN, g_strerror(errno));
		return true;
	}
	while (rda_spool_next(input->spool, &meta, &frame))
		if (!take(context, index, &meta, &frame))
			return false;
	return true;
}

/* No further than the first time: a capture that is still being written has grown since. */
static bool again_from_file(struct rda_run *run, const struct rda_input *input, unsigned index,
			    rda_take_frame *take, void *context)
{
	struct rda_source *source = open_source(run, input->origin.file);
	bool go_on = true;
	struct rda_frame frame;
	struct rda_meta meta;

	if (!source)
		return true;
	for (uint64_t i = 0; i < input->frames && go_on; i++) {
		if (source->next(source, &meta, &frame) != RDA_SOURCE_FRAME) {
			complain(run, input->origin.file, RDA_OFFSET_UNKNOWN,
				 "changed while it was being read");
			break;
		}
		if (!run->filter || rda_filter_frame(run->filter, &frame) == RDA_FILTER_PASS)
			go_on = take(context, index, &meta, &frame);
	}
	source->close(source);
	return go_on;
}

void rda_run_again(struct rda_run *run, rda_take_frame *take, void *context)
{
	for (unsigned i = 0; i < rda_run_input_count(run); i++) {
		const struct rda_input *input = rda_run_input(run, i);
		bool go_on = input->spool ? again_from_spool(run, input, i, take, context)
					  : again_from_file(run, input, i, take, context);

		if (!go_on)
			return;
	}
}
