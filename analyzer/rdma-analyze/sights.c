/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the files again, when the engine knows what it knows of each packet. A second engine goes
 * along, for what is known at a packet only: which frame it repeats or answers, what it brought
 * about.
 */
#include "analyzer/rdma-analyze/sights.h"

#include "analyzer/engine/fpdus.h"
#include "analyzer/facts/time_facts.h"
#include "analyzer/report/notes.h"
#include "analyzer/track/roce/time_sums.h"

struct walk {
	struct rda_run *run;
	struct rda_engine *again;
	struct rda_notes notes;
	unsigned inputs; /* that were begun */
	rda_take_sight *take;
	rda_take_time_sight *take_time;
	void *context;
	bool ended; /* no more sights are wanted */
};

static void take_notes(struct walk *walk, struct rda_sight *sight, uint64_t place)
{
	const struct rda_noted noted = {
		.place = place,
		.verdict = sight->verdict,
		.standing = sight->trace.standing,
		.trigger = sight->trace.trigger,
		.source = sight->packet ? &sight->packet->source : NULL,
	};

	sight->note_count = rda_notes_codes(&walk->notes, &noted, sight->notes, RDA_NOTES_MAX);
}

uint64_t rda_sight_of_fpdu(struct rda_sight *sight, struct rda_meta *meta,
			   const struct rda_fpdu_told *told)
{
	uint64_t place = told->is_start ? told->start.place : told->fpdu.place;

	*meta = (struct rda_meta){
		.number = rda_place_number(place),
		.time_ns = told->is_start ? told->start.time_ns : told->fpdu.time_ns,
	};
	*sight = (struct rda_sight){.input = rda_place_capture(place),
				    .meta = meta,
				    .fpdu = told,
				    .trace = told->trace};
	return place;
}

/*
 * FPDUs and start frames, each as of the frame in which it ended: one that waited for a gap in its
 * stream comes behind those of the frame that filled it.
 */
static void take_fpdus(struct walk *walk)
{
	unsigned count;
	const struct rda_fpdu_told *told = rda_engine_fpdus(walk->again, &count);

	for (unsigned i = 0; i < count && !walk->ended; i++) {
		struct rda_sight sight;
		struct rda_meta meta;
		uint64_t place = rda_sight_of_fpdu(&sight, &meta, &told[i]);

		sight.verdict =
			rda_result_place_in(walk->run->result, sight.input, &told[i].flow->key);
		take_notes(walk, &sight, place);
		walk->ended = !walk->take(walk->context, &sight);
	}
}

/* A wait that taps have parted: the way there, behind the last tap, what is not known, the way
 * back. Which comes when is not known so exactly as how long each is. */
static void take_parted(struct walk *walk, struct rda_time_sight whole)
{
	const struct rda_taps_part *part =
		rda_taps_part(walk->run->taps, whole.connection, whole.side, whole.begin_ns);
	int64_t there = part ? part->network_ns / 2 : 0;
	int64_t behind = part ? part->responder_ns : 0, back = part ? part->network_ns - there : 0;
	const struct {
		uint8_t cause;
		int64_t ns;
	} all[] = {{RDA_TIME_NETWORK, there},
		   {RDA_TIME_RESPONDER, behind},
		   {RDA_TIME_WAITING, whole.end_ns - whole.begin_ns - there - behind - back},
		   {RDA_TIME_NETWORK, back}};

	for (unsigned i = 0; i < G_N_ELEMENTS(all); i++) {
		struct rda_time_sight sight = whole;

		sight.cause = all[i].cause;
		sight.end_ns = sight.begin_ns + all[i].ns;
		whole.begin_ns = sight.end_ns;
		if (all[i].ns > 0)
			walk->take_time(walk->context, &sight);
	}
}

static void take_times(struct walk *walk)
{
	const struct rda_result *result = walk->run->result;
	unsigned count;
	const struct rda_time_told *told = rda_engine_times(walk->again, &count);

	for (unsigned i = 0; walk->take_time && i < count; i++) {
		struct rda_verdict of = rda_result_place_of(result, &told[i].flow->key);
		struct rda_time_sight sight = {(uint32_t)of.connection, (uint8_t)of.flow, 0,
					       told[i].begin_ns, told[i].end_ns};
		const struct rda_flow_facts *flow;

		if (of.connection < 0)
			continue;
		flow = rda_result_flow(result, rda_result_connection(result, sight.connection),
				       sight.side);
		if (!flow->time)
			continue;
		sight.cause = rda_time_facts_cause(flow->time, &told[i]);
		if (sight.cause == RDA_TIME_WAITING)
			take_parted(walk, sight);
		else
			walk->take_time(walk->context, &sight);
	}
}

/* Whether an FPDU that was taken is of the frame, and has its findings. */
static bool has_fpdu(const struct walk *walk, uint64_t place)
{
	unsigned count;
	const struct rda_fpdu_told *told = rda_engine_fpdus(walk->again, &count);

	for (unsigned i = 0; i < count; i++)
		if ((told[i].is_start ? told[i].start.place : told[i].fpdu.place) == place)
			return true;
	return false;
}

/* Of what is no RDMA, what findings are about. */
static bool is_told(const struct walk *walk, const struct rda_sight *sight, uint64_t place)
{
	const struct rda_packet *packet = sight->packet;

	return packet->carrier != RDA_CARRIER_NONE || rda_sight_is_pause(sight) ||
	       (sight->note_count && !has_fpdu(walk, place));
}

/* What waits for gaps is handed on. */
static void end_engine(struct walk *walk)
{
	if (!walk->ended) {
		rda_engine_end(walk->again);
		take_fpdus(walk);
		rda_engine_times_left(walk->again, walk->run->result);
		take_times(walk);
	}
	rda_engine_free(walk->again);
}

static struct rda_engine *new_engine(const struct rda_run *run)
{
	const struct rda_config config = {.dissect = run->config.dissect, .trace = true};

	return rda_engine_new(&config);
}

/* Another tap has an engine of its own. */
static void begin_input(struct walk *walk, unsigned input)
{
	if (walk->inputs && walk->inputs != input + 1) {
		end_engine(walk);
		walk->again = new_engine(walk->run);
		walk->inputs = 0;
	}
	for (; walk->inputs <= input; walk->inputs++)
		rda_engine_begin_capture(walk->again);
}

static bool take_frame(void *context, unsigned input, const struct rda_meta *meta,
		       const struct rda_frame *frame)
{
	struct walk *walk = context;
	struct rda_sight sight = {.input = input, .meta = meta, .frame = frame};
	uint64_t place = rda_place_id(input, meta->number);

	begin_input(walk, input);
	if (walk->ended)
		return false;
	sight.packet = rda_engine_packet(walk->again, meta, frame);
	take_fpdus(walk);
	take_times(walk);
	if (walk->ended)
		return false;
	sight.trace = rda_engine_trace(walk->again);
	rda_settled_look(walk->run->settled, place, &sight.trace);
	sight.events = rda_engine_events(walk->again, &sight.event_count);
	sight.verdict = rda_result_verdict(walk->run->result, input, meta, frame, sight.packet);
	take_notes(walk, &sight, place);
	if (!is_told(walk, &sight, place))
		return true;
	walk->ended = !walk->take(walk->context, &sight);
	return !walk->ended;
}

void rda_sights_take(struct rda_run *run, rda_take_sight *take, rda_take_time_sight *take_time,
		     void *context)
{
	struct walk walk = {
		.run = run,
		.again = new_engine(run),
		.take = take,
		.take_time = take_time,
		.context = context,
	};

	rda_notes_init(&walk.notes, run->result);
	rda_run_again(run, take_frame, &walk);
	end_engine(&walk);
	rda_notes_cleanup(&walk.notes);
}
