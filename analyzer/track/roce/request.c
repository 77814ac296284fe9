/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a request asks for, and whether another one asks for the same. See request.h.
 */
#include "analyzer/track/roce/request.h"

#include "analyzer/track/roce/read_span.h"
#include "dissectors/opcode.h"
#include "dissectors/packet.h"

void rda_request_headers(struct rda_request *q, const struct rda_packet *packet, uint32_t mtu)
{
	if (rda_has(packet, RETH)) {
		q->va = packet->reth.va;
		q->rkey = packet->reth.rkey;
		q->length = packet->reth.dmalen;
	} else if (rda_has(packet, ATOMICETH)) {
		q->va = packet->atomiceth.va;
		q->rkey = packet->atomiceth.rkey;
		q->length = 8;
	}
	if (rda_has(packet, IMMDT))
		q->extra = packet->immdt.immediate;
	else if (rda_has(packet, IETH))
		q->extra = packet->ieth.rkey;
	if (!(packet->opcode->roles & RDA_ROLE_READ))
		return;
	q->length_unknown = !rda_has(packet, RETH);
	if (!q->length_unknown)
		q->payload = packet->reth.dmalen;
	q->span_unknown = q->length_unknown || (!mtu && q->payload > 256);
	if (mtu && !q->length_unknown)
		q->end = q->begin + rda_read_span_packets(q->payload, mtu);
}

/* ---- the same again? ------------------------------------------------------------------------- */

/* Whether a READ asks for packets of the old one, at their addresses. */
static bool is_part(const struct rda_request *q, const struct rda_sent *old, uint32_t mtu)
{
	if (q->begin == old->psn && q->va == old->va && q->length == old->length)
		return true;
	if (mtu == 0 || q->span_unknown || old->span_unknown)
		return true; /* as far as one can tell */
	return q->end <= old->end && q->va - old->va == (uint64_t)(q->begin - old->psn) * mtu;
}

static bool is_field(const char *field, uint64_t before, uint64_t now,
		     struct rda_request_difference *difference)
{
	*difference = (struct rda_request_difference){RDA_DIFFERS_FIELD, field, before, now};
	return before != now;
}

static void compare_read(const struct rda_request *q, const struct rda_sent *old, uint32_t mtu,
			 struct rda_request_difference *difference)
{
	if (!is_field("r_key", old->rkey, q->rkey, difference))
		difference->kind =
			is_part(q, old, mtu) ? RDA_DIFFERS_NOT : RDA_DIFFERS_PART_OF_READ;
}

static void compare_fields(const struct rda_request *q, const struct rda_sent *old,
			   struct rda_request_difference *difference)
{
	const struct {
		const char *field;
		uint64_t before, now;
	} fields[] = {
		{"opcode", old->opcode, q->opcode},
		{"r_key", old->rkey, q->rkey},
		{"virtual address", old->va, q->va},
		{"DMA length", old->length, q->length},
		{"immediate or invalidated r_key", old->extra, q->extra},
		{"payload length", old->payload, q->payload},
	};

	for (unsigned i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		if (is_field(fields[i].field, fields[i].before, fields[i].now, difference))
			return;
	difference->kind = RDA_DIFFERS_NOT;
}

enum rda_differs rda_request_compare(const struct rda_request *q, const struct rda_sent *old,
				     uint32_t mtu, struct rda_request_difference *difference)
{
	if (!(old->roles & RDA_ROLE_READ))
		compare_fields(q, old, difference);
	else if (q->roles & RDA_ROLE_READ)
		compare_read(q, old, mtu, difference);
	else if (q->begin == old->begin)
		is_field("opcode", old->opcode, q->opcode, difference);
	else
		difference->kind =
			old->span_unknown ? RDA_DIFFERS_PERHAPS : RDA_DIFFERS_INSIDE_READ;
	return difference->kind;
}
