/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * S06, S07, S08, S11: what was sent again has the same headers and payload; a READ may be asked
 * again from a packet inside it.
 *
 *     READ of 10-17, va, 8000 bytes           the window's record
 *     READ of 12-17, va + 2 MTU, 5952 bytes   a part: legal
 *     SEND of 12                              the sender counts the READ's PSNs otherwise: S11
 *
 * Of the old packet only its headers and its ICRC are left. With the old identification and AckReq
 * put back the new one must have that ICRC, if its payload is the same.
 */
#include "analyzer/checks/sequence/state.h"

#include "analyzer/base/psn.h"
#include "dissectors/icrc.h"

static struct rda_finding *find(const struct rda_at *at, enum rda_check check,
				const struct rda_sent *old)
{
	struct rda_finding *finding = rda_finding_by_both(
		at, rda_judge_was_checked(at, at->asker, old), check, rda_about_flow(at->asker));

	rda_losses_of(at->asker)->differ++;
	rda_finding_frame(finding, old->last_frame);
	return finding;
}

/* ---- headers --------------------------------------------------------------------------------- */

static void retransmitted_header_differs(const struct rda_at *at, const struct rda_sent *old,
					 const struct rda_request_difference *difference)
{
	struct rda_finding *finding = find(at, RDA_CHECK_S06, old);

	rda_finding_repeats(at, finding, difference->now - difference->before,
			    rda_account_counts(at->asker)->packets[RDA_REQUEST_RESENT]);
	rda_finding_say(finding, RDA_SAY_S06_HEADER, RDA_ARG_PSN("psn", at->request->begin),
			RDA_ARG_WORD("field", difference->field),
			RDA_ARG_MEMORY("value", difference->now),
			RDA_ARG_MEMORY("earlier", difference->before));
}

/* S08: a READ asks for what the old one did not. */
static void no_part_of_read(const struct rda_at *at, const struct rda_sent *old)
{
	const struct rda_request *q = at->request;

	rda_finding_say(find(at, RDA_CHECK_S08, old), RDA_SAY_S08_PART,
			RDA_ARG_NUMBER("length", q->length), RDA_ARG_MEMORY("address", q->va),
			RDA_ARG_PSN("psn", q->begin), RDA_ARG_NUMBER("earlier_length", old->length),
			RDA_ARG_MEMORY("earlier_address", old->va),
			RDA_ARG_PSN("earlier_psn", old->psn));
}

/* S11: a request that is no READ lies among the PSNs of one. */
static void psn_after_read(const struct rda_at *at, const struct rda_sent *old)
{
	rda_finding_say(find(at, RDA_CHECK_S11, old), RDA_SAY_S11_INSIDE,
			RDA_ARG_WORD("opcode", at->packet->opcode->name),
			RDA_ARG_PSN("psn", at->request->begin),
			RDA_ARG_NUMBER("length", old->length), RDA_ARG_PSN("first_psn", old->begin),
			RDA_ARG_PSN("last_psn", old->end - 1));
}

/* ---- payload --------------------------------------------------------------------------------- */

/*
 * Whether what the ICRC covers is the same but for what may change. True when it cannot be told:
 * with an ICRC that is wrong, or covers the headers twice, and with another UDP source port, which
 * it covers too.
 */
static bool same_bytes(const struct rda_at *at, const struct rda_sent *old)
{
	struct rda_crc crc;
	uint32_t was;

	return !old->icrc ||
	       (at->flow->source_port_known && at->packet->source_port != at->flow->source_port) ||
	       !rda_icrc_as(at->frame, at->packet, old->ip_id, old->ack_req, &was) ||
	       was == old->icrc || !rda_icrc(at->frame, at->packet, &crc) ||
	       crc.stored != crc.computed || crc.twice;
}

/* S07; of an ATOMIC what differs are its operands, which are a header: S06. */
static void retransmitted_payload_differs(const struct rda_at *at, const struct rda_sent *old)
{
	if (old->roles & RDA_ROLE_ATOMIC)
		rda_finding_say(find(at, RDA_CHECK_S06, old), RDA_SAY_S06_OPERANDS,
				RDA_ARG_PSN("psn", at->request->begin));
	else
		rda_finding_say(find(at, RDA_CHECK_S07, old), RDA_SAY_S07_PAYLOAD,
				RDA_ARG_PSN("psn", at->request->begin));
}

/* ---------------------------------------------------------------------------------------------- */

/* The headers behind the BTH were captured. */
static bool is_readable(const struct rda_packet *packet)
{
	return (packet->present & packet->opcode->headers) == packet->opcode->headers;
}

/* False when what it asks for differs. */
static bool same(const struct rda_at *at, const struct rda_sent *old)
{
	struct rda_request_difference difference;

	switch (rda_request_compare(at->request, old, rda_account_mtu(at->asker), &difference)) {
	case RDA_DIFFERS_FIELD:
		retransmitted_header_differs(at, old, &difference);
		return old->roles & at->request->roles & RDA_ROLE_READ;
	case RDA_DIFFERS_PART_OF_READ: no_part_of_read(at, old); return true;
	case RDA_DIFFERS_INSIDE_READ: psn_after_read(at, old); return false;
	case RDA_DIFFERS_PERHAPS: return false;
	case RDA_DIFFERS_NOT: break;
	}
	if (!(old->roles & RDA_ROLE_READ) && !same_bytes(at, old))
		retransmitted_payload_differs(at, old);
	return true;
}

bool rda_resent_packet(const struct rda_at *at, const struct rda_event *event)
{
	const struct rda_sent *old = rda_account_sent(at->asker->account, event->psn);

	return !old || !is_readable(at->packet) || !old->seen || old->damaged ||
	       rda_icrc_was_damaged(at->icrc_source, old->last_frame) || same(at, old);
}
