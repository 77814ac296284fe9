/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the files again, when the engine knows what it knows of each packet. A second engine goes
 * along, for what is known at a packet only: which frame it repeats or answers, what it brought
 * about.
 */
#include "analyzer/rdma-analyze/sights.h"

#include "analyzer/engine/fpdus.h"
#include "analyzer/report/notes.h"

struct walk {
	struct rda_run *run;
	struct rda_engine *again;
	struct rda_notes notes;
	unsigned inputs; /* that were begun */
	rda_take_sight *take;
	void *context;
	bool ended; /* no more sights are wanted */
};

/*
 * FPDUs and start frames, each as of the frame in which it ended: one that waited for a gap in its
 * stream comes behind those of the frame that filled it.
 */
static void take_fpdus(struct walk *walk)
{
	unsigned count;
	const struct rda_fpdu_told *told = rda_engine_fpdus(walk->again, &count);

	for (unsigned i = 0; i < count && !walk->ended; i++) {
		uint64_t place = told[i].is_start ? told[i].start.place : told[i].fpdu.place;
		struct rda_meta meta = {
			.number = rda_place_number(place),
			.time_ns = told[i].is_start ? told[i].start.time_ns : told[i].fpdu.time_ns,
		};
		struct rda_sight sight = {.input = rda_place_capture(place),
					  .meta = &meta,
					  .fpdu = &told[i],
					  .trace = told[i].trace};

		sight.verdict = rda_result_place_of(walk->run->result, &told[i].flow->key);
		sight.note_count = rda_notes_of(&walk->notes, place, sight.notes, RDA_NOTES_MAX);
		walk->ended = !walk->take(walk->context, &sight);
	}
}

static bool is_told(const struct rda_packet *packet)
{
	return packet->carrier != RDA_CARRIER_NONE || rda_find_layer(packet, RDA_PAUSE) ||
	       rda_find_layer(packet, RDA_PFC);
}

static bool take_frame(void *context, unsigned input, const struct rda_meta *meta,
		       const struct rda_frame *frame)
{
	struct walk *walk = context;
	struct rda_sight sight = {.input = input, .meta = meta, .frame = frame};
	uint64_t place = rda_place_id(input, meta->number);

	for (; walk->inputs <= input; walk->inputs++)
		rda_engine_begin_capture(walk->again);
	sight.packet = rda_engine_packet(walk->again, meta, frame);
	take_fpdus(walk);
	if (walk->ended || !is_told(sight.packet))
		return !walk->ended;
	sight.trace = rda_engine_trace(walk->again);
	rda_run_settle(walk->run, place, &sight.trace);
	sight.events = rda_engine_events(walk->again, &sight.event_count);
	sight.verdict = rda_result_verdict(walk->run->result, input, meta, frame, sight.packet);
	sight.note_count = rda_notes_of(&walk->notes, place, sight.notes, RDA_NOTES_MAX);
	walk->ended = !walk->take(walk->context, &sight);
	return !walk->ended;
}

void rda_sights_take(struct rda_run *run, rda_take_sight *take, void *context)
{
	struct rda_config config = {.dissect = run->dissect, .trace = true};
	struct walk walk = {
		.run = run, .again = rda_engine_new(&config), .take = take, .context = context};

	rda_notes_init(&walk.notes, run->result);
	rda_run_again(run, take_frame, &walk);
	if (!walk.ended) {
		rda_engine_end(walk.again); /* hands on what waits for gaps */
		take_fpdus(&walk);
	}
	rda_notes_cleanup(&walk.notes);
	rda_engine_free(walk.again);
}
