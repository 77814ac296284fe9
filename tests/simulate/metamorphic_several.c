/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two captures as one, one as two, and a capture that has less than another.
 */
#include "tests/simulate/metamorphic.h"

#include "analyzer/track/roce/copies.h"
#include "analyzer/track/roce/request.h"
#include "dissectors/link.h"
#include "tests/simulate/differ.h"
#include "tests/simulate/poorer.h"
#include "tests/simulate/rewrite.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>

static json_object *list_of(const struct sim_outcome *outcome, const char *name)
{
	return json_object_object_get(outcome->report, name);
}

static bool is_of_capture(json_object *finding, const void *context)
{
	(void)context;
	return json_object_get_boolean(json_object_object_get(finding, "of_capture"));
}

/* Bursts (T12) are told of captures without copies only. */
static bool is_of_copies(json_object *finding, const void *context)
{
	(void)context;
	return strcmp(sim_words(finding, "code"), "Q05") == 0 ||
	       strcmp(sim_words(finding, "code"), "T12") == 0;
}

/* ---- two as one ------------------------------------------------------------------------------ */

/* One of two captures that were merged. */
struct part {
	const char *hosts; /* how their addresses begin */
	const int32_t *places;
	uint32_t count;		  /* of the merged frames */
	int32_t sign;		  /* of the part in `places` */
	json_object *connections; /* of the whole: what a member belongs to */
	GArray *ids;		  /* the part's connections by their number in the whole; -1 */
};

static bool is_foreign(const struct part *part, const char *address)
{
	return !g_str_has_prefix(address, part->hosts);
}

static bool is_foreign_host(json_object *host, const void *context)
{
	return is_foreign(context, sim_words(host, "address"));
}

static bool is_foreign_key(json_object *key, const void *context)
{
	return is_foreign(context, sim_words(key, "responder"));
}

static bool is_foreign_connection(json_object *connection, const void *context)
{
	json_object *ends = json_object_object_get(connection, "endpoints");

	return is_foreign(context, sim_words(json_object_array_get_idx(ends, 0), "address"));
}

/* A finding or a slow message. */
static bool is_foreign_case(json_object *member, const void *context)
{
	const struct part *part = context;
	int64_t id = sim_number(member, "connection", -1);

	if (id >= 0)
		return g_array_index(part->ids, int32_t, id) < 0;
	return is_of_capture(member, NULL) || is_foreign(part, sim_words(member, "host"));
}

static void number_connections(struct part *part)
{
	int32_t next = 0;

	part->ids = g_array_new(FALSE, FALSE, sizeof(int32_t));
	for (size_t i = 0; i < json_object_array_length(part->connections); i++) {
		bool foreign = is_foreign_connection(
			json_object_array_get_idx(part->connections, i), part);
		int32_t id = foreign ? -1 : next++;

		g_array_append_val(part->ids, id);
	}
}

/* The number of a merged frame in the part; 0 of no frame. */
static int64_t frame_in(const struct part *part, int64_t frame)
{
	return frame ? part->sign * part->places[frame - 1] : 0;
}

static bool is_frame_in(uint64_t before, uint64_t after, const void *context)
{
	const struct part *part = context;

	return after && after <= part->count && frame_in(part, (int64_t)after) == (int64_t)before;
}

static void renumber(json_object *member, const char *name, int64_t number)
{
	json_object_object_add(member, name, json_object_new_int64(number));
}

static void renumber_moment(json_object *moment, const void *part)
{
	if (json_object_object_get(moment, "frame"))
		renumber(moment, "frame", frame_in(part, sim_number(moment, "frame", 0)));
}

/* The members of a list of the whole, numbered as those of the part. */
static void rename_members(json_object *list, const struct part *part, const char *id)
{
	for (size_t i = 0; i < json_object_array_length(list); i++) {
		json_object *member = json_object_array_get_idx(list, i), *frames;
		int64_t number = sim_number(member, id, -1);

		if (number >= 0)
			renumber(member, id, g_array_index(part->ids, int32_t, number));
		for (unsigned k = 0; k < 3; k++) {
			const char *name = ((const char *[]){"frame", "done_frame",
							     "invalidated_at_frame"})[k];

			if (json_object_object_get(member, name))
				renumber(member, name, frame_in(part, sim_number(member, name, 0)));
		}
		sim_each_moment(member, renumber_moment, part);
		frames = json_object_object_get(member, "frames");
		for (size_t k = 0; frames && k < json_object_array_length(frames); k++)
			json_object_array_put_idx(
				frames, k,
				json_object_new_int64(frame_in(
					part, json_object_get_int64(
						      json_object_array_get_idx(frames, k)))));
	}
}

/* What the whole says of a part. */
static json_object *report_of(const struct sim_outcome *whole, struct part *part)
{
	static const struct {
		const char *name, *id;
		bool (*is_foreign)(json_object *member, const void *context);
	} lists[] = {
		{"hosts", "", is_foreign_host},
		{"connections", "id", is_foreign_connection},
		{"conversations", "", is_foreign_connection},
		{"memory_keys", "", is_foreign_key},
		{"findings", "connection", is_foreign_case},
		{"slowest_messages", "connection", is_foreign_case},
	};
	json_object *report = NULL;

	json_object_deep_copy(whole->report, &report, NULL);
	part->connections = list_of(whole, "connections");
	number_connections(part);
	for (unsigned i = 0; i < G_N_ELEMENTS(lists); i++) {
		json_object *list = json_object_object_get(report, lists[i].name);

		sim_drop(list, lists[i].is_foreign, part);
		rename_members(list, part, lists[i].id);
	}
	return report;
}

/* The whole tells fewer slow messages of a part than the part alone. */
static void forget_slow(json_object *alone, json_object *of_whole)
{
	json_object *a = json_object_object_get(alone, "slowest_messages");
	json_object *b = json_object_object_get(of_whole, "slowest_messages");
	size_t count = json_object_array_length(b);

	if (json_object_array_length(a) > count)
		json_object_array_del_idx(a, count, json_object_array_length(a) - count);
}

static unsigned hold_frames(const struct sim_outcome *whole, const struct sim_outcome *alone,
			    const struct part *part)
{
	unsigned wrong = 0;

	for (uint32_t i = 0; i < whole->count && wrong < 10; i++) {
		struct sim_told told = whole->frames[i];
		int64_t frame = frame_in(part, i + 1);

		if (frame <= 0)
			continue;
		told.retransmission_of = (uint64_t)frame_in(part, (int64_t)told.retransmission_of);
		told.answers = (uint64_t)frame_in(part, (int64_t)told.answers);
		told.cause = (uint64_t)frame_in(part, (int64_t)told.cause);
		told.message_frame = (uint64_t)frame_in(part, (int64_t)told.message_frame);
		if (told.connection >= 0)
			told.connection = g_array_index(part->ids, int32_t, told.connection);
		wrong += sim_differ_frame("merged", (uint32_t)frame, &alone->frames[frame - 1],
					  &told);
	}
	return wrong;
}

static unsigned hold_part(const struct sim_outcome *whole, const struct sim_capture *capture,
			  const struct part *like, const char *const *beside)
{
	struct part part = *like;
	struct sim_rule rule = {.beside = beside, .is_frame = is_frame_in, .context = &part};
	struct sim_outcome alone;
	json_object *report;
	unsigned wrong;

	sim_outcome_of(&alone, capture);
	sim_drop(list_of(&alone, "findings"), is_of_capture, NULL);
	sim_drop(list_of(&alone, "findings"), is_of_copies, NULL);
	report = report_of(whole, &part);
	sim_drop(json_object_object_get(report, "findings"), is_of_copies, NULL);
	forget_slow(alone.report, report);
	wrong = sim_differ("merged", alone.report, report, &rule);
	wrong += hold_frames(whole, &alone, &part);
	json_object_put(report);
	g_array_unref(part.ids);
	sim_outcome_cleanup(&alone);
	return wrong;
}

/* What was not seen before a capture began, and after it ended, is not known: both span the same.
 */
static void watch_both(struct sim_capture *a, struct sim_capture *b)
{
	int64_t begin = MIN(a->frames[0].time_ns, b->frames[0].time_ns) - 1;
	int64_t end = MAX(a->frames[a->count - 1].time_ns, b->frames[b->count - 1].time_ns) + 1;

	sim_watch(a, begin);
	sim_watch(a, end);
	sim_watch(b, begin);
	sim_watch(b, end);
}

bool sim_holds_merged(const struct sim_property *property, uint64_t seed, uint64_t *packets)
{
	static const char *const beside[] = {"withheld", "lowered", NULL};
	struct sim_random random = {seed};
	struct sim_plan plan[2];
	struct sim_world world[2];
	struct sim_capture merged;
	struct sim_outcome whole;
	struct part part = {.hosts = "10.0.0.", .sign = 1};
	unsigned wrong;
	int32_t *places;

	for (unsigned i = 0; i < 2; i++) {
		sim_draw(&plan[i], property->faults, seed + i * UINT64_C(0x100000000));
		if (i && seed % 2) /* QPNs repeat across hosts */
			memcpy(plan[1].qpn, plan[0].qpn, sizeof(plan[1].qpn));
		sim_run(&world[i], &plan[i]);
		*packets += world[i].capture.count;
	}
	sim_place_hosts(&world[1].capture, 1, false);
	sim_shift_times(&world[1].capture, sim_between(&random, -10000000, 10000000));
	watch_both(&world[0].capture, &world[1].capture);
	sim_merge(&merged, &world[0].capture, &world[1].capture, &places);
	sim_outcome_of(&whole, &merged);
	part.places = places;
	part.count = merged.count;
	wrong = hold_part(&whole, &world[0].capture, &part, beside);
	part.hosts = "10.0.1.";
	part.sign = -1;
	wrong += hold_part(&whole, &world[1].capture, &part, beside);
	sim_outcome_cleanup(&whole);
	sim_capture_cleanup(&merged);
	g_free(places);
	for (unsigned i = 0; i < 2; i++)
		sim_world_cleanup(&world[i]);
	return wrong == 0;
}

/* ---- one twice ------------------------------------------------------------------------------- */

/* Packets of one kind and half-flow: whether their identifications go up with their PSNs. */
struct series {
	uint64_t key;
	uint16_t beyond_psn;
	bool independent;
};

static struct series *series_of(GArray *all, const struct rda_packet *packet)
{
	const struct series fresh = {
		.key = (uint64_t)packet->bth.dest_qp << 8 | rda_copies_kind(packet->opcode->roles),
		.beyond_psn = (uint16_t)(packet->ip_id - packet->bth.psn),
	};

	for (guint i = 0; i < all->len; i++)
		if (g_array_index(all, struct series, i).key == fresh.key)
			return &g_array_index(all, struct series, i);
	g_array_append_val(all, fresh);
	return &g_array_index(all, struct series, all->len - 1);
}

/*
 * How many frames of a doubled capture are copies; of these may be packets sent again: up to them
 * their sender's identifications may be made of the PSN, as some hardware does, and so of what it
 * sends again.
 */
static uint64_t copies_of(const struct sim_capture *doubled, const int32_t *places,
			  uint64_t *perhaps_resent)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct series));
	uint64_t count = 0;

	*perhaps_resent = 0;
	for (uint32_t i = 0; i < doubled->count; i++) {
		const struct sim_frame *f = &doubled->frames[i];
		const struct rda_frame frame = {doubled->store + f->offset, f->captured, f->wire,
						RDA_LINK_ETHERNET};
		struct rda_packet packet;
		struct series *series;

		rda_dissect(&packet, &frame, NULL);
		if (!rda_has(&packet, BTH))
			continue;
		series = series_of(all, &packet);
		if (places[i] < 0) {
			count++;
			*perhaps_resent += !series->independent;
		} else if ((uint16_t)(packet.ip_id - packet.bth.psn) != series->beyond_psn) {
			series->independent = true;
		}
	}
	g_array_unref(all);
	return count;
}

/*
 * Copies that are known as such change nothing. Where some are not, these have to be such as may
 * have been sent again; the capture tells less then, and nothing is proven that it does not prove
 * without them.
 */
static unsigned hold_doubled(const struct sim_outcome *whole, const struct sim_capture *capture,
			     const struct sim_capture *doubled, const struct part *part)
{
	static const char *const beside[] = {
		"withheld", "lowered",		"packets",	    "bytes",	"request_packets",
		"icrc",	    "response_packets", "mirrored_packets", "mirrored", NULL};
	struct sim_outcome alone;
	uint64_t perhaps, copies = copies_of(doubled, part->places, &perhaps);
	unsigned wrong;

	if (whole->copies == copies)
		return hold_part(whole, capture, part, beside);
	sim_outcome_of(&alone, capture);
	wrong = sim_hold_poorer("doubled", &alone, whole, 0);
	if (whole->copies > copies || copies - whole->copies > perhaps) {
		fprintf(stderr, "doubled: %llu of %llu copies are told\n",
			(unsigned long long)whole->copies, (unsigned long long)copies);
		wrong++;
	}
	sim_outcome_cleanup(&alone);
	return wrong;
}

/* A mirror shows every frame once more, a while later. */
bool sim_holds_doubled(const struct sim_property *property, uint64_t seed, uint64_t *packets)
{
	struct sim_random random = {seed};
	struct part part = {.hosts = "10.0.", .sign = 1};
	struct sim_plan plan;
	struct sim_world world;
	struct sim_capture copies, doubled;
	struct sim_outcome whole;
	unsigned wrong;
	int32_t *places;

	sim_draw(&plan, property->faults, seed);
	sim_run(&world, &plan);
	*packets += world.capture.count;
	sim_copy(&copies, &world.capture);
	sim_shift_times(&copies, sim_between(&random, 0, RDA_MIRROR_NS - 1));
	watch_both(&world.capture, &copies);
	sim_merge(&doubled, &world.capture, &copies, &places);
	sim_outcome_of(&whole, &doubled);
	part.places = places;
	part.count = doubled.count;
	wrong = hold_doubled(&whole, &world.capture, &doubled, &part);
	sim_outcome_cleanup(&whole);
	sim_capture_cleanup(&copies);
	sim_capture_cleanup(&doubled);
	g_free(places);
	sim_world_cleanup(&world);
	return wrong == 0;
}

/* ---- one as two ------------------------------------------------------------------------------ */

static bool is_frame_of_second(uint64_t before, uint64_t after, const void *context)
{
	return before == after + *(const uint32_t *)context;
}

bool sim_holds_halves(const struct sim_property *property, uint64_t seed, uint64_t *packets)
{
	struct sim_random random = {seed};
	struct sim_plan plan;
	struct sim_world world;
	struct sim_outcome whole, halves;
	struct sim_rule rule = {.is_frame = is_frame_of_second};
	uint32_t split;
	unsigned wrong;

	sim_draw(&plan, property->faults, seed);
	sim_run(&world, &plan);
	*packets += world.capture.count;
	split = 1 + (uint32_t)sim_below(&random, world.capture.count - 1);
	rule.context = &split;
	sim_outcome_of(&whole, &world.capture);
	sim_outcome_read(&halves, &world.capture, 0, world.capture.count, split);
	sim_drop(list_of(&whole, "findings"), is_of_capture, NULL);
	sim_drop(list_of(&halves, "findings"), is_of_capture, NULL);
	wrong = sim_differ("halves", whole.report, halves.report, &rule);
	wrong += sim_differ_frames("halves", &whole, &halves);
	sim_outcome_cleanup(&whole);
	sim_outcome_cleanup(&halves);
	sim_world_cleanup(&world);
	return wrong == 0;
}

/* ---- less ------------------------------------------------------------------------------------ */

bool sim_holds_begun(const struct sim_property *property, uint64_t seed, uint64_t *packets)
{
	struct sim_random random = {seed};
	struct sim_plan plan;
	struct sim_world world;
	struct sim_outcome whole, second;
	uint32_t begin, count;
	unsigned wrong;

	sim_draw(&plan, property->faults, seed);
	sim_run(&world, &plan);
	count = world.capture.count;
	*packets += count;
	begin = 1 + (uint32_t)sim_below(&random, count - 1);
	sim_outcome_of(&whole, &world.capture);
	sim_outcome_read(&second, &world.capture, begin, count, count);
	wrong = sim_hold_poorer("begun in the middle", &whole, &second, begin);
	sim_outcome_cleanup(&whole);
	sim_outcome_cleanup(&second);
	sim_world_cleanup(&world);
	return wrong == 0;
}
