/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stats tree, also in the Statistics menu:
 *
 *     Opcodes      RC RDMA WRITE First   by sender
 *     NAKs         PSN sequence error    by sender
 *     Resent       10.0.0.1
 */
#include "plugin/protocol.h"

#include "plugin/compat.h"
#include "plugin/session.h"

#include "dissectors/aeth.h"

static int opcodes, naks, resent;

static void init(stats_tree *tree)
{
	opcodes = stats_tree_create_node(tree, "Opcodes", 0, STAT_DT_INT, TRUE);
	naks = stats_tree_create_node(tree, "NAKs", 0, STAT_DT_INT, TRUE);
	resent = stats_tree_create_node(tree, "Resent", 0, STAT_DT_INT, TRUE);
}

static void count(stats_tree *tree, const char *group, int parent, const char *name,
		  const char *sender)
{
	int node;

	tick_stat_node(tree, group, 0, TRUE);
	node = tick_stat_node(tree, name, parent, TRUE);
	tick_stat_node(tree, sender, node, FALSE);
}

static const char *nak_words(const struct rda_packet *packet)
{
	uint8_t syndrome = packet->aeth.syndrome;
	const char *words = rda_words(RDA_SET_SYNDROME, syndrome);

	if (rda_syndrome_kind(syndrome) == RDA_AETH_RNR)
		return "RNR NAK";
	if (rda_syndrome_kind(syndrome) != RDA_AETH_NAK)
		return NULL;
	return words ? words : "NAK";
}

RDA_TAP(see, stats_tree *tree)
{
	const struct rda_packet *packet = ((const struct rda_tapped *)data)->packet;
	const struct rda_frame_record *record = rda_session_record(pinfo->num);
	char sender[RDA_ADDRESS_TEXT];
	const char *nak;

	(void)edt;
	RDA_TAP_FLAGS_UNUSED;
	if (!rda_has(packet, BTH))
		return TAP_PACKET_DONT_REDRAW;
	rda_address_text(sender, &packet->source);
	count(tree, "Opcodes", opcodes, packet->opcode->name, sender);
	nak = rda_has(packet, AETH) ? nak_words(packet) : NULL;
	if (nak)
		count(tree, "NAKs", naks, nak, sender);
	if (record && record->standing == RDA_STANDING_RESENT) {
		tick_stat_node(tree, "Resent", 0, TRUE);
		tick_stat_node(tree, sender, resent, FALSE);
	}
	return TAP_PACKET_REDRAW;
}

void rda_opcode_tree_register(void)
{
	stats_tree_register_plugin("rdma", "rdma", "RDMA opcodes, NAKs, resends", 0, see, init,
				   NULL);
}
