/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Results as values: taking them changes nothing (snapshot), and those of parts of a capture make
 * that of the whole (sharded; of files, alone and several in one: rda-simulate parts, mixed). Held
 * by the bytes of the reports.
 */
#include "analyzer/engine/result_pack.h"
#include "tests/simulate/metamorphic.h"

#include "analyzer/checks/judge.h"
#include "analyzer/engine/engine.h"
#include "analyzer/rdma-analyze/source.h"
#include "analyzer/report/report.h"
#include "dissectors/link.h"
#include "tests/simulate/memory.h"
#include "tests/simulate/rewrite.h"
#include "tests/simulate/world.h"
#include "tests/unit/pack_way.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>

enum { WORLDS_MAX = 6, MANY_WORLDS = 12, SHARDS_MAX = 7, FRAMES_MAX = 3000 };

static const struct rda_config config;

static struct rda_frame frame_of(const struct sim_capture *capture, uint32_t i)
{
	const struct sim_frame *f = &capture->frames[i];

	return (struct rda_frame){capture->store + f->offset, f->captured, f->wire,
				  RDA_LINK_ETHERNET};
}

static struct rda_meta meta_of(const struct sim_capture *capture, uint32_t i)
{
	return (struct rda_meta){.time_ns = capture->frames[i].time_ns, .number = i + 1};
}

/* Text, JSON and CSV one after the other; g_free it. */
static char *reports_of(const struct rda_result *result)
{
	const struct rda_origin origin = {.file = "simulated"};
	const struct rda_origin *origins[] = {&origin};
	const struct rda_report report = {
		.result = result, .origins = origins, .origin_count = 1, .keys = true};
	struct rda_output out;
	char *text;

	rda_output_init(&out, RDA_OUTPUT_KEEP, false);
	rda_report_text(&out, &report);
	rda_report_ndjson(&out, &report);
	rda_report_csv(&out, &report);
	text = g_strdup(out.text->str);
	rda_output_cleanup(&out);
	return text;
}

/* Prints the first line that differs behind `title`; frees both. */
static bool are_equal(const char *title, char *before, char *after)
{
	char **a = g_strsplit(before, "\n", -1), **b = g_strsplit(after, "\n", -1);
	unsigned line = 0;

	while (a[line] && b[line] && strcmp(a[line], b[line]) == 0)
		line++;
	if (a[line] || b[line])
		fprintf(stderr, "%s: line %u of the reports:\n  %s\n  %s\n", title, line + 1,
			a[line] ? a[line] : "(none)", b[line] ? b[line] : "(none)");
	line = a[line] || b[line];
	g_strfreev(a);
	g_strfreev(b);
	g_free(before);
	g_free(after);
	return line == 0;
}

/* ---- snapshot -------------------------------------------------------------------------------- */

/* `asked`: results are taken at moments that it draws; NULL: none before the end. */
static char *read_all(const struct sim_capture *capture, const struct rda_config *with,
		      struct sim_random *asked)
{
	struct rda_engine *engine = rda_engine_new(with);
	struct rda_result *result;
	char *reports;

	rda_engine_begin_capture(engine);
	for (uint32_t i = 0; i < capture->count; i++) {
		struct rda_frame frame = frame_of(capture, i);
		struct rda_meta meta = meta_of(capture, i);

		rda_engine_packet(engine, &meta, &frame);
		if (asked && sim_below(asked, 8) == 0)
			rda_result_free(rda_engine_result(engine));
	}
	rda_engine_end(engine);
	result = asked ? rda_engine_result(engine) : rda_engine_spend(engine);
	if (asked)
		rda_engine_free(engine);
	reports = reports_of(result);
	rda_result_free(result);
	return reports;
}

bool sim_holds_snapshot(const struct sim_property *property, uint64_t seed, uint64_t *packets)
{
	struct sim_random random = {seed};
	struct sim_plan plan;
	struct sim_world world;
	bool holds;

	sim_draw(&plan, property->faults, seed);
	sim_run(&world, &plan);
	*packets += world.capture.count;
	holds = are_equal("snapshot", read_all(&world.capture, &config, NULL),
			  read_all(&world.capture, &config, &random));
	sim_world_cleanup(&world);
	return holds;
}

/* ---- sharded --------------------------------------------------------------------------------- */

/* Several worlds in one capture: between hosts of their own, or all with one host in common. */
static void make_worlds(struct sim_capture *all, const struct sim_property *property, uint64_t seed,
			unsigned count, bool shared)
{
	struct sim_random random = {seed};

	for (unsigned i = 0; i < count; i++) {
		struct sim_plan plan;
		struct sim_world world;
		struct sim_capture before = *all;
		int32_t *places;

		sim_draw(&plan, property->faults, seed + i * UINT64_C(0x100000000));
		if (count > WORLDS_MAX) { /* hosts that begin all connections alike */
			plan.managed = true;
			plan.requester[0].first_psn = plan.requester[1].first_psn = 0;
		}
		sim_run(&world, &plan);
		sim_place_hosts(&world.capture, (uint8_t)i, shared);
		sim_shift_times(&world.capture, sim_between(&random, -10000000, 10000000));
		if (i == 0) {
			sim_copy(all, &world.capture);
		} else {
			sim_merge(all, &before, &world.capture, &places);
			sim_capture_cleanup(&before);
			g_free(places);
		}
		sim_world_cleanup(&world);
	}
}

/* What another process gets of it; NULL: it gets something else than was sent. */
static struct rda_result *sent(struct rda_result *result)
{
	GQueue way = G_QUEUE_INIT;
	struct rda_result *got;
	struct rda_pack pack;

	rda_pack_write(&pack, pack_way_send, &way);
	rda_result_pack(&pack, result);
	rda_pack_end(&pack);
	rda_result_free(result);
	rda_pack_read(&pack, pack_way_receive, &way);
	got = rda_result_unpack(&pack);
	g_assert(!pack.cut && pack.at == pack.end && g_queue_is_empty(&way));
	rda_pack_end(&pack);
	return got;
}

static struct rda_result *merge_all(struct rda_result **results, unsigned count,
				    struct sim_random *random)
{
	for (unsigned i = 0; i < count && count > 1; i++)
		results[i] = sent(results[i]);
	while (count > 1) { /* any two of them, in any order */
		unsigned i = (unsigned)sim_below(random, count), j;
		struct rda_result *merged;

		do
			j = (unsigned)sim_below(random, count);
		while (j == i);
		merged = rda_result_merge(results[i], results[j]);
		rda_result_free(results[i]);
		rda_result_free(results[j]);
		results[MIN(i, j)] = merged;
		results[MAX(i, j)] = results[--count];
	}
	return results[0];
}

static struct rda_result *end_engine(struct rda_engine *engine)
{
	struct rda_result *result;

	rda_engine_end(engine);
	result = rda_engine_result(engine);
	rda_engine_free(engine);
	return result;
}

static char *reports_at_end(struct rda_engine *engine)
{
	struct rda_result *result = end_engine(engine);
	char *reports = reports_of(result);

	rda_result_free(result);
	return reports;
}

/* Gives a frame to the engine that has it, and tells the others. */
static void share_frame(struct rda_splitter *splitter, struct rda_engine *const *engines,
			unsigned count, const struct rda_meta *meta, const struct rda_frame *frame)
{
	struct rda_share share = rda_splitter_frame(splitter, meta, frame);

	for (unsigned k = 0; k < count; k++)
		if (k == rda_share_engine(share.pair, count))
			rda_engine_packet(engines[k], meta, frame);
		else
			rda_engine_elsewhere(engines[k], meta, frame, &share);
	if (share.told)
		rda_engine_told(engines[rda_share_engine(share.told_pair, count)], meta, &share);
}

static char *read_shards(const struct sim_capture *capture, const struct rda_config *with,
			 unsigned shards, struct sim_random *random)
{
	struct rda_engine *engines[SHARDS_MAX];
	struct rda_result *results[SHARDS_MAX + 1], *merged;
	struct rda_splitter *splitter = rda_splitter_new(with);
	struct rda_config part = *with;
	char *reports;

	part.part = true;
	rda_splitter_begin_capture(splitter);
	for (unsigned k = 0; k < shards; k++) {
		engines[k] = rda_engine_new(&part);
		rda_engine_begin_capture(engines[k]);
	}
	for (uint32_t i = 0; i < capture->count; i++) {
		struct rda_frame frame = frame_of(capture, i);
		struct rda_meta meta = meta_of(capture, i);

		share_frame(splitter, engines, shards, &meta, &frame);
	}
	for (unsigned k = 0; k < shards; k++)
		results[k] = end_engine(engines[k]);
	results[shards] = rda_splitter_result(splitter);
	rda_splitter_free(splitter);
	merged = merge_all(results, shards + 1, random);
	reports = reports_of(merged);
	rda_result_free(merged);
	return reports;
}

/* Whether one pass and parts, merged, say the same; of reports what `of` leaves of them. */
static bool are_parts(const char *title, const struct sim_capture *all,
		      const struct rda_config *with, char *(*of)(char *reports),
		      struct sim_random *random)
{
	static const unsigned shards[] = {2, 3, SHARDS_MAX};
	char *whole = of(read_all(all, with, NULL));
	bool holds = true;

	for (unsigned i = 0; i < G_N_ELEMENTS(shards) && holds; i++)
		holds = are_equal(title, g_strdup(whole),
				  of(read_shards(all, with, shards[i], random)));
	g_free(whole);
	return holds;
}

static char *all_of(char *reports)
{
	return reports;
}

bool sim_holds_sharded(const struct sim_property *property, uint64_t seed, uint64_t *packets)
{
	struct sim_random random = {seed};
	struct sim_capture all = {0};
	unsigned worlds = 2 + (unsigned)sim_below(&random, WORLDS_MAX - 1);
	bool holds;

	make_worlds(&all, property, seed, worlds, true);
	if (sim_below(&random, 2))
		sim_share_memory(&all, seed);
	*packets += all.count;
	holds = are_parts("sharded", &all, &config, all_of, &random);
	sim_capture_cleanup(&all);
	return holds;
}

/* ---- sharded_keys ---------------------------------------------------------------------------- */

/* The lines of memory keys and of findings. */
static char *keys_of(char *reports)
{
	char **lines = g_strsplit(reports, "\n", -1);
	GString *text = g_string_new(NULL);

	for (char **line = lines; *line; line++)
		if (g_str_has_prefix(*line, "{\"record\":\"memory_key\"") ||
		    g_str_has_prefix(*line, "{\"record\":\"finding\""))
			g_string_append_printf(text, "%s\n", *line);
	g_strfreev(lines);
	g_free(reports);
	return g_string_free(text, FALSE);
}

/* Worlds with one host in common, whose memory all use. */
bool sim_holds_sharded_keys(const struct sim_property *property, uint64_t seed, uint64_t *packets)
{
	struct sim_random random = {seed};
	struct sim_capture all = {0};
	unsigned worlds = sim_below(&random, 16) ? 2 + (unsigned)sim_below(&random, WORLDS_MAX - 1)
						 : MANY_WORLDS;
	struct rda_config with = {
		.keep_key_events = true,
		.keys_cap = (uint32_t)ONE_OF(&random, 0, 0, 0, 6),
	};
	bool holds;

	for (enum rda_check check = 0; check < RDA_CHECK_COUNT; check++)
		with.checks_off[check] = !rda_judge_is_of_keys(check);
	make_worlds(&all, property, seed, worlds, true);
	sim_share_memory(&all, seed);
	*packets += all.count;
	holds = are_parts("sharded keys", &all, &with, keys_of, &random);
	sim_capture_cleanup(&all);
	return holds;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* A file read in one pass, and by parts, at once. */
struct parted {
	struct rda_engine *whole, *parts[SHARDS_MAX];
	struct rda_splitter *splitter;
	unsigned count;
};

static void take_frame(const struct parted *p, const struct rda_meta *meta,
		       const struct rda_frame *frame)
{
	if (p->whole)
		rda_engine_packet(p->whole, meta, frame);
	share_frame(p->splitter, p->parts, p->count, meta, frame);
}

/* `*whole`: the reports of one pass; where it is NULL yet, they are made. */
static bool is_parted(const char *path, unsigned count, char **whole)
{
	static const struct rda_config part = {.part = true};
	struct parted p = {.whole = *whole ? NULL : rda_engine_new(&config),
			   .splitter = rda_splitter_new(&part),
			   .count = count};
	struct rda_result *results[SHARDS_MAX + 1], *merged;
	struct sim_random random = {count};
	struct rda_frame frame;
	struct rda_meta meta;
	char *error = NULL;
	int64_t offset;
	struct rda_source *source = rda_source_open(path, RDA_READER_AUTO, &error, &offset);
	bool equal;

	if (!source) {
		fprintf(stderr, "%s: %s\n", path, error);
		return false;
	}
	if (p.whole)
		rda_engine_begin_capture(p.whole);
	rda_splitter_begin_capture(p.splitter);
	for (unsigned k = 0; k < count; k++) {
		p.parts[k] = rda_engine_new(&part);
		rda_engine_begin_capture(p.parts[k]);
	}
	while (source->next(source, &meta, &frame) == RDA_SOURCE_FRAME)
		take_frame(&p, &meta, &frame);
	source->close(source);
	if (p.whole)
		*whole = reports_at_end(p.whole);
	for (unsigned k = 0; k < count; k++)
		results[k] = end_engine(p.parts[k]);
	results[count] = rda_splitter_result(p.splitter);
	rda_splitter_free(p.splitter);
	merged = merge_all(results, count + 1, &random);
	equal = are_equal(path, g_strdup(*whole), reports_of(merged));
	rda_result_free(merged);
	return equal;
}

bool sim_is_sum_of_parts(const char *path)
{
	char *whole = NULL;
	bool is = is_parted(path, 2, &whole) && is_parted(path, 3, &whole) &&
		  is_parted(path, SHARDS_MAX, &whole);

	g_free(whole);
	return is;
}

/* ---- several files in one -------------------------------------------------------------------- */

/* False: it cannot be read, or is not of Ethernet, or has more than FRAMES_MAX frames. */
static bool load(struct sim_capture *capture, const char *path)
{
	char *error = NULL;
	int64_t offset;
	struct rda_source *source = rda_source_open(path, RDA_READER_AUTO, &error, &offset);
	struct rda_frame frame;
	struct rda_meta meta;
	bool fits = source;

	memset(capture, 0, sizeof(*capture));
	while (fits && source->next(source, &meta, &frame) == RDA_SOURCE_FRAME) {
		fits = frame.link == RDA_LINK_ETHERNET && capture->count < FRAMES_MAX;
		if (fits)
			sim_capture_append(capture, meta.time_ns, frame.bytes, frame.captured,
					   frame.wire);
	}
	if (source)
		source->close(source);
	return fits && capture->count;
}

/*
 * The captures of some files, each with a host of its own and one in common, at one time. No file
 * twice: one host does not have two QPs of one number.
 */
static bool load_several(struct sim_capture *all, char *const *paths, int count, unsigned files,
			 struct sim_random *random)
{
	unsigned next = (unsigned)sim_below(random, (uint64_t)count),
		 step = (unsigned)count / files;

	memset(all, 0, sizeof(*all));
	for (unsigned i = 0; i < files; i++) {
		struct sim_capture one, before = *all;
		const char *path = paths[next % (unsigned)count];
		int32_t *places;

		next += 1 + (unsigned)sim_below(random, step);
		if (!load(&one, path)) {
			sim_capture_cleanup(&one);
			continue;
		}
		sim_place_hosts(&one, (uint8_t)(i + 1), true);
		sim_shift_times(&one, SIM_EPOCH_NS + sim_between(random, 0, 100000000) -
					      one.frames[0].time_ns);
		sim_merge(all, &before, &one, &places);
		g_free(places);
		sim_capture_cleanup(&before);
		sim_capture_cleanup(&one);
	}
	return all->count;
}

bool sim_are_sums_of_parts(char *const *paths, int count, uint64_t seed, uint64_t *packets)
{
	struct sim_random random = {seed};
	unsigned files = 2 + (unsigned)sim_below(&random, WORLDS_MAX - 1);
	struct sim_capture all;
	bool holds = !load_several(&all, paths, count, files, &random) ||
		     are_parts("mixed", &all, &config, all_of, &random);

	*packets += all.count;
	sim_capture_cleanup(&all);
	return holds;
}
