/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples of captures. See sketch.h.
 */
#include "analyzer/taps/sketch.h"

#include "analyzer/base/psn.h"
#include "dissectors/icrc.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

/* Kept until they are sorted, and all but the smallest dropped. */
enum { ROOM = 2 * RDA_SKETCH_PACKETS };

/*
 * How far a flow's next packet may be from the latest: as many as a requester keeps outstanding,
 * ahead for what was lost, and back for what it sends again. TCP's window is counted in bytes.
 */
enum { NEAR_PSNS = 4096, NEAR_BYTES = 4 << 20 };

/* Nobody's clock is so far off by accident, and a job may be run again. */
#define APART_NS INT64_C(3600000000000)

/* Clocks of two taps differ evenly: by so much more or less, however long packets took, and by one
 * in so many of the time that passes; but for one packet in so many, which may be another one. */
#define EVEN_NS INT64_C(10000000)
enum { EVEN_DRIFT = 1000, EVEN_PART = 10, EVEN_LEAST = 3 };

void rda_sketch_init(struct rda_sketch *sketch)
{
	*sketch = (struct rda_sketch){
		.below = UINT64_MAX,
		.sample = g_new(struct rda_sketch_packet, ROOM),
	};
	rda_table_init(&sketch->flows, sizeof(uint64_t), sizeof(struct rda_sketch_flow), 0);
	rda_table_init(&sketch->ways, sizeof(uint64_t), sizeof(struct rda_sketch_way), 0);
}

void rda_sketch_cleanup(struct rda_sketch *sketch)
{
	g_free(sketch->sample);
	rda_table_cleanup(&sketch->flows, NULL);
	rda_table_cleanup(&sketch->ways, NULL);
	sketch->sample = NULL;
}

/* ---- the sample ------------------------------------------------------------------------------ */

static int compare(const void *one, const void *two)
{
	const struct rda_sketch_packet *a = one, *b = two;

	if (a->hash != b->hash)
		return a->hash < b->hash ? -1 : 1;
	return (a->time_ns > b->time_ns) - (a->time_ns < b->time_ns);
}

/* By hash, each once: of equal ones the earliest. */
static void thin(struct rda_sketch *sketch)
{
	struct rda_sketch_packet *sample = sketch->sample;
	uint32_t kept = 0;

	if (sketch->sample_count)
		qsort(sample, sketch->sample_count, sizeof(*sample), compare);
	for (uint32_t i = 0; i < sketch->sample_count && kept < RDA_SKETCH_PACKETS; i++)
		if (!kept || sample[kept - 1].hash != sample[i].hash)
			sample[kept++] = sample[i];
	sketch->sample_count = kept;
	if (kept == RDA_SKETCH_PACKETS)
		sketch->below = sample[kept - 1].hash;
}

static void add_packet(struct rda_sketch *sketch, const struct rda_fingerprint *print,
		       int64_t time_ns, const struct rda_frame *frame,
		       const struct rda_packet *packet)
{
	struct rda_crc crc;

	sketch->packets++;
	if (print->hash >= sketch->below)
		return;
	if (sketch->sample_count == ROOM)
		thin(sketch);
	sketch->sample[sketch->sample_count++] = (struct rda_sketch_packet){
		.hash = print->hash,
		.time_ns = time_ns,
		.icrc = print->icrc,
		.firm = print->has_icrc && packet->payload_length &&
			rda_icrc(frame, packet, &crc) && crc.stored == crc.computed,
	};
}

void rda_sketch_settle(struct rda_sketch *sketch)
{
	thin(sketch);
}

/* ---- frames ---------------------------------------------------------------------------------- */

static void add_way(struct rda_sketch *sketch, const struct rda_packet *packet)
{
	uint64_t key = rda_fingerprint_way(&packet->source, &packet->destination);
	struct rda_sketch_way *way = rda_table_get(&sketch->ways, &key, NULL);

	way->back = rda_fingerprint_way(&packet->destination, &packet->source);
}

static void add_flow(struct rda_sketch *sketch, const struct rda_fingerprint *print,
		     const struct rda_packet *packet)
{
	struct rda_sketch_flow *flow = rda_table_find(&sketch->flows, &print->flow);

	if (!flow && sketch->flows.count < RDA_SKETCH_FLOWS) {
		flow = rda_table_get(&sketch->flows, &print->flow, NULL);
		flow->first = print->sequence;
		flow->is_tcp = print->is_tcp;
		add_way(sketch, packet);
	}
	if (flow)
		flow->last = print->sequence;
}

static void add_link(struct rda_sketch *sketch, uint16_t link)
{
	for (unsigned i = 0; i < sketch->link_count; i++)
		if (sketch->links[i] == link)
			return;
	if (sketch->link_count < RDA_LINKS_KEPT)
		sketch->links[sketch->link_count++] = link;
}

static void add_time(struct rda_sketch *sketch, int64_t time_ns)
{
	if (!sketch->frames++) {
		sketch->first_ns = sketch->last_ns = time_ns;
		return;
	}
	if (time_ns > sketch->last_ns)
		sketch->longest_gap_ns = MAX(sketch->longest_gap_ns, time_ns - sketch->last_ns);
	sketch->first_ns = MIN(sketch->first_ns, time_ns);
	sketch->last_ns = MAX(sketch->last_ns, time_ns);
}

void rda_sketch_frame(struct rda_sketch *sketch, const struct rda_meta *meta,
		      const struct rda_frame *frame, const struct rda_packet *packet)
{
	struct rda_fingerprint print;

	add_time(sketch, meta->time_ns);
	add_link(sketch, frame->link);
	if (!rda_fingerprint_of(&print, frame, packet))
		return;
	add_packet(sketch, &print, meta->time_ns, frame, packet);
	if (!print.is_datagram)
		add_flow(sketch, &print, packet);
}

/* ---- two of them ----------------------------------------------------------------------------- */

uint32_t rda_sketch_common(const struct rda_sketch *a, const struct rda_sketch *b)
{
	uint32_t i = 0, j = 0, common = 0;

	while (i < a->sample_count && j < b->sample_count) {
		uint64_t one = a->sample[i].hash, two = b->sample[j].hash;

		common += one == two;
		i += one <= two;
		j += two <= one;
	}
	return common;
}

/* A packet of both: when the first one saw it, and how much later the second. */
struct both {
	int64_t time_ns, later_ns;
};

static gint compare_both(gconstpointer one, gconstpointer two)
{
	const struct both *a = one, *b = two;

	return (a->later_ns > b->later_ns) - (a->later_ns < b->later_ns);
}

static uint64_t apart(int64_t a, int64_t b)
{
	return a < b ? (uint64_t)b - (uint64_t)a : (uint64_t)a - (uint64_t)b;
}

static bool differ_evenly(GArray *all)
{
	const struct both *middle;
	guint even = 0;

	if (all->len < EVEN_LEAST)
		return false;
	g_array_sort(all, compare_both);
	middle = &g_array_index(all, struct both, all->len / 2);
	for (guint i = 0; i < all->len; i++) {
		const struct both *one = &g_array_index(all, struct both, i);

		even += apart(one->later_ns, middle->later_ns) <=
			EVEN_NS + apart(one->time_ns, middle->time_ns) / EVEN_DRIFT;
	}
	return all->len - even <= all->len / EVEN_PART;
}

static bool are_hours_apart(const struct rda_sketch *a, const struct rda_sketch *b)
{
	return (a->last_ns < b->first_ns && apart(a->last_ns, b->first_ns) > APART_NS) ||
	       (b->last_ns < a->first_ns && apart(b->last_ns, a->first_ns) > APART_NS);
}

bool rda_sketch_is_another_run(const struct rda_sketch *a, const struct rda_sketch *b)
{
	GArray *equal = g_array_new(FALSE, FALSE, sizeof(struct both));
	GArray *firm = g_array_new(FALSE, FALSE, sizeof(struct both));
	uint32_t i = 0, j = 0, others = 0;
	bool another;

	while (i < a->sample_count && j < b->sample_count) {
		const struct rda_sketch_packet *x = &a->sample[i], *y = &b->sample[j];
		struct both one = {x->time_ns,
				   (int64_t)((uint64_t)y->time_ns - (uint64_t)x->time_ns)};
		bool same = x->hash == y->hash, are_firm = same && x->firm && y->firm;

		i += x->hash <= y->hash;
		j += y->hash <= x->hash;
		others += are_firm && x->icrc != y->icrc;
		if (!same || (are_firm && x->icrc != y->icrc))
			continue;
		g_array_append_val(equal, one);
		if (are_firm)
			g_array_append_val(firm, one);
	}
	another = (others > firm->len && !differ_evenly(firm)) ||
		  (are_hours_apart(a, b) && !differ_evenly(equal));
	g_array_free(equal, TRUE);
	g_array_free(firm, TRUE);
	return another;
}

enum step { STEP_NONE, STEP_NEAR, STEP_NEXT };

/*
 * Whether a flow goes on with the very next number, or near where it ended and behind where it
 * began: else it began anew with the same number.
 */
static enum step step_of(const struct rda_sketch_flow *earlier, const struct rda_sketch_flow *later)
{
	int64_t last, first, begin;

	if (earlier->is_tcp) /* segments have lengths: the next one is not known */
		return (int32_t)(later->first - earlier->first) > 0 &&
				       llabs((int32_t)(later->first - earlier->last)) <= NEAR_BYTES
			       ? STEP_NEAR
			       : STEP_NONE;
	last = rda_psn_first(earlier->last);
	first = rda_psn_widen(last, later->first);
	begin = rda_psn_widen(last, earlier->first);
	if (first <= begin || llabs(first - last) > NEAR_PSNS)
		return STEP_NONE;
	return first == last + 1 ? STEP_NEXT : STEP_NEAR;
}

bool rda_sketch_carried(const struct rda_sketch *earlier, const struct rda_sketch *later)
{
	uint32_t next = 0, near = 0;

	for (uint32_t i = 0; i < later->flows.count; i++) {
		const struct rda_sketch_flow *flow = later->flows.items[i];
		const struct rda_sketch_flow *before = rda_table_find(&earlier->flows, &flow->flow);
		enum step step = before ? step_of(before, flow) : STEP_NONE;

		next += step == STEP_NEXT;
		near += step == STEP_NEAR && !flow->is_tcp;
	}
	return next && next >= near;
}

static bool is_one_way(const struct rda_sketch *sketch)
{
	if (sketch->flows.count == RDA_SKETCH_FLOWS)
		return false; /* there may be more ways than are kept */
	for (uint32_t i = 0; i < sketch->ways.count; i++) {
		const struct rda_sketch_way *way = sketch->ways.items[i];

		if (rda_table_find(&sketch->ways, &way->back))
			return false;
	}
	return true;
}

bool rda_sketch_opposite(const struct rda_sketch *a, const struct rda_sketch *b)
{
	bool found = false;

	if (!is_one_way(a) || !is_one_way(b))
		return false;
	for (uint32_t i = 0; i < b->ways.count; i++) {
		const struct rda_sketch_way *way = b->ways.items[i];

		if (rda_table_find(&a->ways, &way->way))
			return false;
		found = found || rda_table_find(&a->ways, &way->back);
	}
	return found;
}

bool rda_sketch_same_links(const struct rda_sketch *a, const struct rda_sketch *b)
{
	for (unsigned i = 0; i < a->link_count; i++) {
		bool found = false;

		for (unsigned j = 0; j < b->link_count; j++)
			found |= a->links[i] == b->links[j];
		if (!found)
			return false;
	}
	return a->link_count == b->link_count;
}

static void pack_table(struct rda_pack *pack, struct rda_table *table, size_t size)
{
	if (pack->reads)
		rda_table_init(table, sizeof(uint64_t), size, 0);
	rda_pack_table(pack, table, NULL);
}

void rda_sketch_pack(struct rda_pack *pack, struct rda_sketch *sketch)
{
	struct rda_table flows = {0}, ways = {0};

	if (!pack->reads) {
		flows = sketch->flows;
		ways = sketch->ways;
	}
	rda_pack_bytes(pack, sketch, sizeof(*sketch));
	rda_pack_block(pack, &sketch->sample, sketch->sample_count, sizeof(*sketch->sample));
	pack_table(pack, &flows, sizeof(struct rda_sketch_flow));
	pack_table(pack, &ways, sizeof(struct rda_sketch_way));
	sketch->flows = flows;
	sketch->ways = ways;
}
