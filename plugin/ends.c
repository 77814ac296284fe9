/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ends of a packet's connection. See ends.h.
 */
#include "plugin/ends.h"

#include "plugin/session.h"

#include "analyzer/track/setup/cm_track.h"

#include <inttypes.h>

static uint32_t sender_qpn(const struct rda_flow *flow, const struct rda_flow *back)
{
	if (back)
		return back->key.dest_qp;
	if (flow->key.datagram)
		return flow->key.src_qp;
	return flow->pair ? rda_cm_sender(flow->pair, flow)->qpn : RDA_QPN_UNKNOWN;
}

/* The key of iWARP has ports where others have QPNs, below a count of how often they were used. */
static struct rda_endpoint end_of(const struct rda_flow *flow, const struct rda_address *address,
				  uint32_t qpn)
{
	if (flow->key.carrier == RDA_CARRIER_IWARP)
		return (struct rda_endpoint){*address, RDA_QPN_UNKNOWN, qpn & UINT16_MAX};
	return (struct rda_endpoint){*address, qpn, -1};
}

static bool known_so_far(const struct rda_flow *flow, const struct rda_flow *back,
			 struct rda_ends *ends)
{
	if (!flow)
		return false;
	ends->reverse = back && back->index < flow->index;
	ends->damaged = false;
	ends->id = ends->reverse ? back->index : flow->index;
	ends->from = end_of(flow, &flow->key.source, sender_qpn(flow, back));
	ends->to = end_of(flow, &flow->key.destination, flow->key.dest_qp);
	return true;
}

/* Of iWARP a frame is its stream's: it has bytes of FPDUs, or a start frame. */
static struct rda_verdict verdict_of(const struct rda_tapped *tapped)
{
	const struct rda_result *result = rda_session_result();
	const struct rda_flow *flow = rda_session_flow(tapped->source.meta.number);

	if (flow)
		return rda_result_place_of(result, &flow->key);
	return rda_result_verdict(result, 0, &tapped->source.meta, &tapped->source.frame,
				  tapped->packet);
}

bool rda_ends_of(const struct rda_tapped *tapped, struct rda_ends *ends)
{
	const struct rda_connection_facts *connection;
	struct rda_verdict verdict;

	if (!rda_session_is_finished())
		return known_so_far(tapped->flow, tapped->back, ends);
	verdict = verdict_of(tapped);
	if (verdict.connection < 0)
		return false;
	connection = rda_result_connection(rda_session_result(), (unsigned)verdict.connection);
	ends->id = connection->id;
	ends->reverse = verdict.flow > 0;
	ends->damaged = verdict.icrc == RDA_ICRC_BAD;
	ends->from = connection->endpoints[ends->reverse];
	ends->to = connection->endpoints[!ends->reverse];
	return true;
}

const char *rda_end_text(char text[RDA_END_TEXT], const struct rda_endpoint *end)
{
	char address[RDA_ADDRESS_TEXT];

	rda_address_text(address, &end->address);
	if (end->qpn != RDA_QPN_UNKNOWN)
		g_snprintf(text, RDA_END_TEXT, "%s 0x%06" PRIx32, address, end->qpn);
	else if (end->port >= 0)
		g_snprintf(text, RDA_END_TEXT, "%s port %" PRId32, address, end->port);
	else
		g_snprintf(text, RDA_END_TEXT, "%s ?", address);
	return text;
}
