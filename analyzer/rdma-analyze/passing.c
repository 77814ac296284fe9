/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sights of packets (describe.h) made of the engine that they pass. See passing.h.
 */
#include "analyzer/rdma-analyze/passing.h"

#include "analyzer/engine/fpdus.h"
#include "analyzer/rdma-analyze/sights.h"
#include "analyzer/track/flow.h"
#include "analyzer/track/roce/icrc_source.h"

/* What lines say of a half-flow, by its index. */
struct seat {
	int32_t connection; /* -1: none yet */
	int8_t side;
	bool good; /* one of its ICRCs fits: those that do not are of damaged packets */
};

struct rda_passing {
	struct rda_run *run;
	struct rda_packet_lines *lines;
	GArray *seats; /* of struct seat */
	int32_t connections;
};

struct rda_passing *rda_passing_new(struct rda_run *run, struct rda_output *out)
{
	struct rda_passing *passing = g_new0(struct rda_passing, 1);

	passing->run = run;
	passing->lines = rda_packet_lines_new(out, run);
	passing->seats = g_array_new(FALSE, FALSE, sizeof(struct seat));
	return passing;
}

static struct seat *seat_of(struct rda_passing *passing, const struct rda_flow *flow)
{
	const struct seat none = {.connection = -1};

	while (passing->seats->len <= flow->index)
		g_array_append_val(passing->seats, none);
	return &g_array_index(passing->seats, struct seat, flow->index);
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
	g_array_set_size(passing->seats, 0);
}

void rda_passing_free(struct rda_passing *passing)
{
	if (!passing)
		return;
	rda_packet_lines_free(passing->lines);
	g_array_free(passing->seats, TRUE);
	g_free(passing);
}
