/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group F, the fields of the BTH: F07-F10, F17-F19, F25.
 */
#include "analyzer/checks/frame/state.h"

#define GSI_QUEUE_KEY  0x80010000
#define PKEY_NUMBER    0x7fff /* without the bit for full members */
#define LID_MULTICAST  0xc000 /* and above, but for the permissive LID */
#define LID_PERMISSIVE 0xffff

static struct rda_finding *find(const struct rda_at *at, enum rda_check check)
{
	return rda_finding_by_bytes(at, check, rda_about_flow(at->flow));
}

/* F07: there is one version. */
static void transport_version(const struct rda_at *at)
{
	rda_finding_say(find(at, RDA_CHECK_F07), RDA_SAY_F07_VERSION,
			RDA_ARG_NUMBER("version", at->packet->bth.tver));
}

/* F08: an opcode that no specification known here has. */
static void reserved_opcode(const struct rda_at *at)
{
	rda_finding_say(find(at, RDA_CHECK_F08), RDA_SAY_F08_RESERVED,
			RDA_ARG_HEX("opcode", at->packet->bth.opcode, 2));
}

/* F09: 0 is no partition, and RoCE has but the default one. */
static void partition_key_invalid(const struct rda_at *at)
{
	uint16_t pkey = at->packet->bth.pkey;

	if ((pkey & PKEY_NUMBER) == 0)
		rda_finding_say(find(at, RDA_CHECK_F09), RDA_SAY_F09_NO_PARTITION,
				RDA_ARG_HEX("pkey", pkey, 4));
	else if (at->packet->carrier != RDA_CARRIER_INFINIBAND &&
		 (pkey & PKEY_NUMBER) != PKEY_NUMBER)
		rda_finding_say(find(at, RDA_CHECK_F09), RDA_SAY_F09_NOT_DEFAULT,
				RDA_ARG_HEX("pkey", pkey, 4));
}

/* F10: bits that mean nothing yet. */
static void reserved_bits_set(const struct rda_at *at)
{
	const struct rda_bth *bth = &at->packet->bth;

	rda_finding_say(find(at, RDA_CHECK_F10), RDA_SAY_F10_BTH,
			RDA_ARG_HEX("behind_becn", bth->resv6a, 2),
			RDA_ARG_HEX("behind_ack_req", bth->resv7, 2));
}

static bool is_multicast(const struct rda_address *address)
{
	unsigned lid = (unsigned)address->bytes[14] << 8 | address->bytes[15];

	switch (address->kind) {
	case RDA_ADDRESS_IP4: return address->bytes[12] >> 4 == 0xe;
	case RDA_ADDRESS_IP6: return address->bytes[0] == 0xff;
	case RDA_ADDRESS_LID: return lid >= LID_MULTICAST && lid != LID_PERMISSIVE;
	default: return true; /* not known */
	}
}

/* F17: QPs 0, 1 and 0xffffff are for datagrams, and each for its own kind. */
static void destination_qp_illegal(const struct rda_at *at)
{
	const struct rda_packet *packet = at->packet;
	uint32_t qp = packet->bth.dest_qp;
	const char *name = packet->opcode->name;

	if (packet->opcode->transport == RDA_TRANSPORT_NONE)
		return;
	if (packet->opcode->transport != RDA_TRANSPORT_UD)
		rda_finding_say(find(at, RDA_CHECK_F17), RDA_SAY_F17_NO_DATAGRAM,
				RDA_ARG_WORD("opcode", name), RDA_ARG_QPN("qpn", qp));
	else if (qp == RDA_QP_SMI && packet->carrier != RDA_CARRIER_INFINIBAND)
		rda_finding_say(find(at, RDA_CHECK_F17), RDA_SAY_F17_QP0,
				RDA_ARG_WORD("opcode", name));
	else if (qp == RDA_QP_MULTICAST && !is_multicast(&packet->destination))
		rda_finding_say(find(at, RDA_CHECK_F17), RDA_SAY_F17_MULTICAST,
				RDA_ARG_WORD("opcode", name));
}

/* F18: the Q_Key of QP 1 is fixed. */
static void gsi_queue_key(const struct rda_at *at)
{
	const struct rda_packet *packet = at->packet;

	if (packet->opcode->transport == RDA_TRANSPORT_UD && rda_has(packet, DETH) &&
	    packet->deth.q_key != GSI_QUEUE_KEY)
		rda_finding_say(find(at, RDA_CHECK_F18), RDA_SAY_F18_QKEY,
				RDA_ARG_KEY("qkey", packet->deth.q_key));
}

/* F19: nobody answers an answer. */
static void response_asks_for_response(const struct rda_at *at)
{
	const struct rda_packet *packet = at->packet;

	rda_finding_say(find(at, RDA_CHECK_F19), RDA_SAY_F19_ANSWER,
			RDA_ARG_WORD("opcode", packet->opcode->name),
			RDA_ARG_FLAG("ack_req", packet->bth.ack_req),
			RDA_ARG_FLAG("se", packet->bth.se));
}

/* F25: an event is solicited where a receive completes. */
static void solicited_event_misuse(const struct rda_at *at)
{
	uint16_t roles = at->packet->opcode->roles;
	bool completes = roles & RDA_ROLE_LAST &&
			 (roles & RDA_ROLE_SEND ||
			  (roles & RDA_ROLE_WRITE && roles & RDA_ROLE_USES_RECEIVE));

	if (!completes)
		rda_finding_say(find(at, RDA_CHECK_F25), RDA_SAY_F25_SE,
				RDA_ARG_WORD("opcode", at->packet->opcode->name));
}

void rda_frame_fields(const struct rda_at *at)
{
	const struct rda_bth *bth = &at->packet->bth;
	uint16_t roles = at->packet->opcode->roles;

	if (bth->tver)
		transport_version(at);
	if (at->packet->opcode->kind == RDA_OPCODE_RESERVED)
		reserved_opcode(at);
	if (bth->pkey != RDA_PKEY_DEFAULT)
		partition_key_invalid(at);
	if (bth->resv6a || bth->resv7)
		reserved_bits_set(at);
	if (bth->dest_qp <= RDA_QP_GSI || bth->dest_qp == RDA_QP_MULTICAST)
		destination_qp_illegal(at);
	if (bth->dest_qp == RDA_QP_GSI)
		gsi_queue_key(at);
	if (roles & RDA_ROLE_RESPONSE && (bth->ack_req || bth->se))
		response_asks_for_response(at);
	else if (bth->se && roles & RDA_ROLE_REQUEST)
		solicited_event_misuse(at);
}
