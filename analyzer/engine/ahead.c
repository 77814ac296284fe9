/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frames that come soon, in a ring; at each that is told four others go a step on. See ahead.h.
 */
#include "analyzer/engine/ahead.h"

#include "analyzer/base/address.h"
#include "analyzer/base/fetch.h"
#include "analyzer/engine/state.h"
#include "dissectors/plain.h"

#include <string.h>

/* Frames between two steps: memory takes about so long. */
enum { STEP = 6 };

G_STATIC_ASSERT(4 * STEP <= RDA_AHEAD_FRAMES && RDA_AHEAD_FRAMES < RDA_AHEAD_RING);

bool rda_ahead_is_worth(const struct rda_engine *engine)
{
	return engine->flows.table.count >= RDA_AHEAD_FLOWS;
}

void rda_ahead_forget(struct rda_engine *engine)
{
	memset(&engine->ahead, 0, sizeof(engine->ahead));
}

static struct rda_ahead_frame *before(struct rda_ahead *ahead, uint32_t frames)
{
	return &ahead->frames[(ahead->count - frames) & (RDA_AHEAD_RING - 1)];
}

/* ---- steps ----------------------------------------------------------------------------------- */

static void find_place(const struct rda_flows *flows, struct rda_ahead_frame *to,
		       const struct rda_frame *frame, const struct rda_ahead_frame *last)
{
	*to = (struct rda_ahead_frame){
		.source = rda_plain_word(frame, RDA_PLAIN_SOURCE),
		.destination = rda_plain_word(frame, RDA_PLAIN_DESTINATION),
		.dest_qp = rda_plain_be24(frame, RDA_PLAIN_BTH + 5),
		.psn = (uint32_t)frame->bytes[RDA_PLAIN_BTH] << 24 |
		       rda_plain_be24(frame, RDA_PLAIN_BTH + 9),
		.ip_id = rda_plain_be16(frame, RDA_PLAIN_IP4 + 4),
		.known = true,
	};
	to->follows = last->known && last->dest_qp == to->dest_qp && last->source == to->source;
	if (to->follows)
		return;
	to->place = rda_flows_place(flows, to->source, to->destination, to->dest_qp);
	rda_flows_fetch_place(flows, to->place);
}

/* There is no flow of it, or it is looked for in the table. */
static void find_none(const struct rda_engine *engine, struct rda_ahead_frame *frame)
{
	struct rda_flow_key key;

	memset(&key, 0, sizeof(key)); /* padding too: keys are hashed as bytes */
	key.source = rda_plain_ip4(frame->source);
	key.destination = rda_plain_ip4(frame->destination);
	key.carrier = RDA_CARRIER_ROCEV2;
	key.dest_qp = frame->dest_qp;
	rda_table_fetch(&engine->flows.table, &key);
	frame->share =
		(uint8_t)rda_share_class(rda_address_ip4_pair(frame->source, frame->destination));
	frame->copies = true;
}

static void find_flow(const struct rda_engine *engine, struct rda_ahead_frame *frame,
		      const struct rda_ahead_frame *last)
{
	if (frame->follows) {
		frame->flow = last->flow;
		return;
	}
	frame->flow = rda_flows_guess(&engine->flows, frame->place, frame->source, frame->dest_qp);
	if (frame->flow)
		rda_fetch_lines(frame->flow, 6);
	else
		find_none(engine, frame);
}

static void find_parts(const struct rda_engine *engine, struct rda_ahead_frame *frame,
		       const struct rda_ahead_frame *last)
{
	const struct rda_flow *flow = frame->flow;

	if (frame->follows) {
		frame->share = last->share;
		frame->copies = last->copies;
	} else if (flow) {
		frame->share = flow->share;
		frame->copies = rda_copies_are_looked_for(flow);
		rda_judge_fetch(flow);
		rda_fetch_lines(flow->sender, 2);
		rda_fetch_lines(flow->receiver, 2);
		if (flow->peer)
			rda_fetch_lines(flow->peer, 4);
		if (frame->copies)
			rda_fetch_lines(&flow->ids, 1);
	}
	if (frame->copies)
		rda_copies_fetch(engine->copies, frame->share, frame->psn, frame->ip_id,
				 frame->dest_qp);
}

static void find_rest(const struct rda_engine *engine, const struct rda_ahead_frame *frame)
{
	if (frame->copies)
		rda_copies_fetch_link(engine->copies, frame->share, frame->psn, frame->ip_id,
				      frame->dest_qp);
	if (frame->flow && !frame->follows)
		rda_footprint_fetch_rest(frame->flow->account);
}

void rda_ahead_frame(struct rda_engine *engine, const struct rda_frame *frame)
{
	struct rda_ahead *ahead = &engine->ahead;
	struct rda_ahead_frame *at = before(ahead, 0);

	if (rda_plain_is(frame) && frame->captured >= RDA_PLAIN_END)
		find_place(&engine->flows, at, frame, before(ahead, 1));
	else
		memset(at, 0, sizeof(*at));
	ahead->count++;
	at = before(ahead, STEP);
	if (at->known && !at->follows)
		rda_flows_fetch_keys(&engine->flows, at->place);
	at = before(ahead, 2 * STEP);
	if (at->known)
		find_flow(engine, at, before(ahead, 2 * STEP + 1));
	at = before(ahead, 3 * STEP);
	if (at->known)
		find_parts(engine, at, before(ahead, 3 * STEP + 1));
	at = before(ahead, 4 * STEP);
	if (at->known)
		find_rest(engine, at);
}
