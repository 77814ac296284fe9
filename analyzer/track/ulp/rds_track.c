/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages of RDS as commands, their acknowledgements as answers, and congestion maps.
 */
#include "analyzer/track/ulp/rds_track.h"

#include "analyzer/base/meta.h"
#include "analyzer/track/ulp/ulp_tally.h"
#include "dissectors/ulp/rds.h"

/* Both sides count from 1 on. */
#define ID_OF_ANSWERER (UINT64_C(1) << 63)

/* A SEND, the cursor behind its header. */
struct taken {
	const struct rda_ulp_message *message;
	struct rda_cursor cursor;
	struct rda_rds rds;
	bool by_asker;
};

void rda_rds_begin(struct rda_ulp *ulp)
{
	ulp->rds = g_new0(struct rda_rds_track, 1);
}

static uint64_t id_of(bool by_asker, uint64_t sequence)
{
	return by_asker ? sequence : sequence ^ ID_OF_ANSWERER;
}

/* ---- acknowledgements ------------------------------------------------------------------------ */

static void answer(struct rda_ulp *ulp, struct rda_ulp_command *command, const struct taken *t)
{
	if (command)
		rda_ulp_answer(ulp, command, 0, NULL, t->message);
}

/* Of more sequences than there are commands: by what waits. */
static void answer_waiting(struct rda_ulp *ulp, const struct taken *t, uint64_t from, uint64_t to)
{
	const struct rda_ulp_command *command = rda_ulp_commands_first(&ulp->commands);

	while (command) {
		const struct rda_ulp_command *next = rda_ulp_commands_next(&ulp->commands, command);
		uint64_t sequence = id_of(!t->by_asker, command->id);

		if (command->back == t->by_asker && sequence > from && sequence <= to)
			answer(ulp, rda_ulp_commands_find(&ulp->commands, command->id), t);
		command = next;
	}
}

static void acknowledge(struct rda_ulp *ulp, const struct taken *t)
{
	struct rda_rds_side *other = &ulp->rds->sides[t->by_asker];
	uint64_t from = other->acked, to = MIN(t->rds.ack, other->latest);

	if (t->rds.ack <= from)
		return;
	other->acked = t->rds.ack;
	ulp->facts.unasked += t->rds.ack > other->latest;
	if (to <= from)
		return;
	if (to - from > ulp->commands.count) {
		answer_waiting(ulp, t, from, to);
		return;
	}
	for (uint64_t sequence = from; sequence++ < to;)
		answer(ulp, rda_ulp_commands_find(&ulp->commands, id_of(!t->by_asker, sequence)),
		       t);
}

/* ---- messages -------------------------------------------------------------------------------- */

/* What was moved before this message, which names its key. */
static uint64_t take_rdma(struct rda_ulp *ulp, const struct rda_rds *header)
{
	struct rda_rds_track *rds = ulp->rds;
	uint64_t bytes = rds->rdma_bytes;

	if (!header->has_rdma || !bytes || rds->rdma_key != header->rdma_key)
		return 0;
	rds->rdma_bytes = 0;
	return bytes;
}

void rda_rds_transferred(struct rda_ulp *ulp, const struct rda_ulp_transfer *transfer)
{
	struct rda_rds_track *rds = ulp->rds;

	if (rds->rdma_bytes && rds->rdma_key != transfer->range.key) {
		ulp->facts.unjoined++;
		rds->rdma_bytes = 0;
	}
	rds->rdma_key = transfer->range.key;
	rds->rdma_bytes += transfer->range.length;
}

static void take_message(struct rda_ulp *ulp, struct rda_rds_side *side, const struct taken *t)
{
	const struct rda_rds *header = &t->rds;
	uint32_t piece = rda_cursor_wire_left(&t->cursor);
	struct rda_ulp_asked asked = {
		.id = id_of(t->by_asker, header->sequence),
		.code = (uint32_t)header->source << 16 | header->destination,
		.bytes = header->length,
		.back = !t->by_asker,
	};
	struct rda_ulp_command *command;

	side->map_left = 0; /* no message comes between the pieces of a map */
	side->map_unknown = false;
	if (side->left && side->open == header->sequence) {
		side->left -= MIN(side->left, piece);
		return;
	}
	side->open = header->sequence;
	side->left = header->length - MIN(header->length, piece);
	side->latest = MAX(side->latest, header->sequence);
	if (header->sequence <= side->acked) /* an acknowledgement lied, or it begins anew */
		side->acked = header->sequence ? header->sequence - 1 : 0;
	asked.bytes += take_rdma(ulp, header);
	command = rda_ulp_ask(ulp, &asked, t->message);
	if (!command)
		return;
	command->lazy = !(header->flags & RDA_RDS_ACK_REQUIRED);
	command->own.rds = (struct rda_rds_own){header->source, header->destination};
}

/* ---- congestion ------------------------------------------------------------------------------ */

static void set_held(struct rda_ulp *ulp, uint32_t index, bool held, const struct taken *t)
{
	struct rda_ulp_port *port = &ulp->facts.ports[index];
	int64_t *since = &ulp->rds->since_ns[index], ns = t->message->last_ns - *since;

	if (port->held == held)
		return;
	port->held = held;
	port->unchecked |= !t->message->checked;
	port->times += held;
	if (held)
		*since = t->message->last_ns;
	else
		port->held_ns = rda_ns_sum(port->held_ns, MAX(ns, 0));
}

static bool is_known(const struct rda_ulp *ulp, uint16_t port, uint8_t side)
{
	for (uint32_t i = 0; i < ulp->facts.port_count; i++)
		if (ulp->facts.ports[i].port == port && ulp->facts.ports[i].side == side)
			return true;
	return false;
}

static void add_port(struct rda_ulp *ulp, uint16_t number, uint8_t side, const struct taken *t)
{
	struct rda_ulp_facts *facts = &ulp->facts;

	if (!facts->ports)
		facts->ports = g_new0(struct rda_ulp_port, RDA_ULP_PORTS_MAX);
	facts->ports[facts->port_count] = (struct rda_ulp_port){
		.port = number, .side = side, .first_place = t->message->place};
	set_held(ulp, facts->port_count++, true, t);
}

/* A piece of a map, of the ports from `base` on. */
static void take_ports(struct rda_ulp *ulp, const struct taken *t, uint32_t base)
{
	uint32_t known = 8 * rda_cursor_captured_left(&t->cursor);
	uint32_t rest = rda_rds_count_congested(&t->cursor);
	uint8_t side = t->by_asker; /* that has to wait */

	for (uint32_t i = 0; i < ulp->facts.port_count; i++) {
		const struct rda_ulp_port *port = &ulp->facts.ports[i];
		uint32_t at = port->port - base;

		if (port->side != side || port->port < base || at >= known)
			continue;
		set_held(ulp, i, rda_rds_next_congested(&t->cursor, at) == (int32_t)at, t);
		rest -= port->held;
	}
	for (int32_t at = rda_rds_next_congested(&t->cursor, 0);
	     at >= 0 && rest && ulp->facts.port_count < RDA_ULP_PORTS_MAX;
	     at = rda_rds_next_congested(&t->cursor, (uint32_t)at + 1)) {
		uint16_t number = (uint16_t)(base + (uint32_t)at);

		if (is_known(ulp, number, side))
			continue;
		add_port(ulp, number, side, t);
		rest--;
	}
	ulp->facts.ports_not_kept += rest;
}

static void take_map(struct rda_ulp *ulp, struct rda_rds_side *side, const struct taken *t)
{
	if (t->rds.length != RDA_RDS_MAP_BYTES ||
	    rda_cursor_wire_left(&t->cursor) != RDA_RDS_PIECE_BYTES) {
		ulp->facts.unread++;
		side->map_unknown = true;
		return;
	}
	if (side->map_unknown) {
		ulp->facts.unread++;
		return;
	}
	if (!side->map_left)
		side->map_left = RDA_RDS_MAP_BYTES;
	ulp->facts.cut += rda_cursor_captured_left(&t->cursor) < RDA_RDS_PIECE_BYTES;
	take_ports(ulp, t, 8 * (RDA_RDS_MAP_BYTES - side->map_left));
	side->map_left -= RDA_RDS_PIECE_BYTES;
}

void rda_rds_hold(struct rda_ulp_facts *facts, const struct rda_rds_track *rds, int64_t until_ns)
{
	for (uint32_t i = 0; i < facts->port_count; i++)
		if (facts->ports[i].held)
			facts->ports[i].held_ns = rda_ns_sum(facts->ports[i].held_ns,
							     MAX(until_ns - rds->since_ns[i], 0));
}

/* ---------------------------------------------------------------------------------------------- */

void rda_rds_message(struct rda_ulp *ulp, bool by_asker, const struct rda_ulp_message *message)
{
	struct rda_rds_side *side = &ulp->rds->sides[!by_asker];
	struct taken t = {.message = message,
			  .cursor = {message->bytes, 0, message->have, message->length},
			  .by_asker = by_asker};

	if (!rda_read_rds(&t.cursor, &t.rds)) {
		ulp->facts.cut += message->length != 0;
		side->map_unknown = true;
		return;
	}
	if (!t.rds.sum_right) {
		ulp->facts.unread++;
		side->map_unknown = true;
		return;
	}
	acknowledge(ulp, &t);
	switch (rda_rds_kind(&t.rds)) {
	case RDA_RDS_MESSAGE: take_message(ulp, side, &t); break;
	case RDA_RDS_MAP: take_map(ulp, side, &t); break;
	case RDA_RDS_ACK: break;
	}
}
