/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Identifications of what is sent again; own_ids.h has the reasoning.
 */
#include "analyzer/track/roce/own_ids.h"

#include "analyzer/track/roce/account_parts.h"
#include "analyzer/track/roce/copies.h"

#include <glib.h>

#define LATE_COPY_NS INT64_C(500000000)

bool rda_own_ids_have_resends(const struct rda_flow *flow, const struct rda_requester *r)
{
	const struct rda_flow_alike *alike =
		&rda_flow_rare(flow)->alike[rda_copies_kind(RDA_ROLE_REQUEST)];
	const uint64_t *packets = r->rare->counts.packets;

	/* what had not passed before, or damaged only, can have none that is equal */
	return packets[RDA_REQUEST_RESENT] + packets[RDA_REQUEST_MIRRORED] >
	       alike->refused + alike->copies + r->rare->counts.doubts.unlike;
}

/* Answers to what was asked again were seen to have identifications of their own, as they are
 * numbered in the order of sending. */
static bool have_answers(const struct rda_flow *flow)
{
	const struct rda_account *asker = flow->peer ? flow->peer->account : NULL;
	const struct rda_sending_order *order = asker ? &asker->responder.heard->order : NULL;

	return order && order->again && rda_sending_order_is_known(order);
}

int64_t rda_own_ids_copy_ns(const struct rda_flow *flow, const struct rda_packet *packet)
{
	const struct rda_requester *r = flow->account ? &flow->account->requester : NULL;

	if (packet->opcode->roles & RDA_ROLE_RESPONSE)
		return have_answers(flow) ? LATE_COPY_NS : RDA_COPY_NS;
	if (!r || !(packet->opcode->roles & RDA_ROLE_REQUEST))
		return RDA_COPY_NS;
	if (flow->ids.packets == 1 &&
	    MIN(r->progress.acked, r->progress.incomplete) == r->progress.next)
		return RDA_SILENCE_NS;
	return r->order.again && rda_sending_order_is_known(&r->order) &&
			       rda_own_ids_have_resends(flow, r)
		       ? LATE_COPY_NS
		       : RDA_COPY_NS;
}
