/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sights of packets (describe.h) made of the engine that they pass. See passing.h.
 */
#include "analyzer/rdma-analyze/passing.h"

#include "analyzer/engine/fpdus.h"
#include "analyzer/rdma-analyze/sights.h"
#include "analyzer/track/flow.h"
#include "analyzer/track/roce/icrc_source.h"

/* What lines say of a half-flow, by its number. */
struct seat {
	uint32_t flow;	    /* first: the table's key */
	int32_t connection; /* -1: none yet */
	int8_t side;
	bool good; /* one of its ICRCs fits: those that do not are of damaged packets */
};

struct rda_passing {
	struct rda_run *run;
	struct rda_packet_lines *lines;
	GHashTable *seats; /* struct seat, of flows that the engine knows */
	uint64_t retired;  /* connections that the engine knows no more */
	int32_t connections;
};

struct rda_passing *rda_passing_new(struct rda_run *run, struct rda_output *out)
{
	struct rda_passing *passing = g_new0(struct rda_passing, 1);

	passing->run = run;
	passing->lines = rda_packet_lines_new(out, run);
	passing->seats = g_hash_table_new_full(g_int_hash, g_int_equal, NULL, g_free);
	return passing;
}

static gboolean is_gone(gpointer flow, gpointer seat, gpointer engine)
{
	(void)seat;
	return !rda_engine_knows_flow(engine, *(const uint32_t *)flow);
}

static struct seat *seat_of(struct rda_passing *passing, const struct rda_flow *flow)
{
	struct seat *seat = g_hash_table_lookup(passing->seats, &flow->number);

	if (!seat) {
		seat = g_new(struct seat, 1);
		*seat = (struct seat){.flow = flow->number, .connection = -1};
		g_hash_table_add(passing->seats, seat);
	}
	return seat;
}

/* Those of flows that are no more are needed no more. */
static void forget_retired(struct rda_passing *passing)
{
	const struct rda_engine *engine = passing->run->engine;
	uint64_t retired = rda_engine_retired(engine);

	if (retired == passing->retired)
		return;
	g_hash_table_foreach_remove(passing->seats, is_gone, passing->run->engine);
	passing->retired = retired;
}

/* `back` is the other direction as far as it is known; NULL: it is not. */
static struct seat *sit_down(struct rda_passing *passing, const struct rda_flow *flow,
			     const struct rda_flow *back)
{
	struct seat other = back ? *seat_of(passing, back) : (struct seat){.connection = -1};
	struct seat *seat = seat_of(passing, flow);

	if (other.connection >= 0 &&
	    (seat->connection < 0 || other.connection < seat->connection)) {
		seat->connection = other.connection;
		seat->side = !other.side;
	}
	if (seat->connection < 0)
		seat->connection = passing->connections++;
	return seat;
}

static uint8_t icrc_of(struct seat *seat, const struct rda_frame *frame,
		       const struct rda_packet *packet)
{
	switch (rda_icrc_check(frame, packet)) {
	case RDA_ICRC_CHECK_NONE: return RDA_ICRC_NOT_CHECKABLE;
	case RDA_ICRC_CHECK_MATCH: seat->good = true; return RDA_ICRC_GOOD;
	case RDA_ICRC_CHECK_MISMATCH:
	case RDA_ICRC_CHECK_DAMAGED: break;
	}
	return seat->good ? RDA_ICRC_BAD : RDA_ICRC_ABSENT;
}

static bool take_fpdus(struct rda_passing *passing)
{
	unsigned count;
	const struct rda_fpdu_told *told = rda_engine_fpdus(passing->run->engine, &count);
	bool more = true;

	for (unsigned i = 0; i < count && more; i++) {
		struct rda_sight sight;
		struct rda_meta meta;
		const struct seat *seat = sit_down(passing, told[i].flow, told[i].flow->peer);

		rda_sight_of_fpdu(&sight, &meta, &told[i]);
		sight.verdict =
			(struct rda_verdict){RDA_ICRC_NOT_CHECKABLE, seat->connection, seat->side};
		more = rda_packet_lines_take(passing->lines, &sight);
	}
	return more;
}

bool rda_passing_frame(struct rda_passing *passing, const struct rda_meta *meta,
		       const struct rda_frame *frame, const struct rda_packet *packet)
{
	const struct rda_engine *engine = passing->run->engine;
	const struct rda_flow *flow = rda_engine_flow(engine);
	struct rda_sight sight = {.input = rda_run_input_count(passing->run) - 1,
				  .meta = meta,
				  .frame = frame,
				  .packet = packet,
				  .verdict = {RDA_ICRC_NOT_CHECKABLE, -1, -1}};

	forget_retired(passing);
	if (!take_fpdus(passing))
		return false;
	if (packet->carrier == RDA_CARRIER_NONE && !rda_sight_is_pause(&sight))
		return true;
	if (flow && packet->carrier != RDA_CARRIER_NONE) {
		struct seat *seat = sit_down(passing, flow, rda_engine_flow_back(engine));

		sight.verdict = (struct rda_verdict){icrc_of(seat, frame, packet), seat->connection,
						     seat->side};
	}
	sight.trace = rda_engine_trace(engine);
	sight.events = rda_engine_events(engine, &sight.event_count);
	return rda_packet_lines_take(passing->lines, &sight);
}

void rda_passing_flush(struct rda_passing *passing)
{
	rda_packet_lines_flush(passing->lines);
}

void rda_passing_tap_end(struct rda_passing *passing)
{
	take_fpdus(passing);
	g_hash_table_remove_all(passing->seats);
	passing->retired = 0;
}

void rda_passing_free(struct rda_passing *passing)
{
	if (!passing)
		return;
	rda_packet_lines_free(passing->lines);
	g_hash_table_unref(passing->seats);
	g_free(passing);
}
