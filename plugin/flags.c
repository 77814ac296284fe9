/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is out of the ordinary about a packet: for filters, colours and the line in the list.
 */
#include "plugin/tree.h"

#include "analyzer/engine/trace.h"
#include "dissectors/aeth.h"
#include "dissectors/icrc.h"
#include "plugin/session.h"

static uint32_t of_standing(const struct rda_frame_record *record)
{
	switch (record->standing) {
	case RDA_STANDING_RESENT: return 1u << RDA_FLAG_RESENT;
	case RDA_STANDING_REORDERED: return 1u << RDA_FLAG_REORDERED;
	case RDA_STANDING_MIRRORED: return 1u << RDA_FLAG_MIRRORED;
	default: return 0;
	}
}

static uint32_t of_answer(const struct rda_packet *packet)
{
	if (!rda_has(packet, AETH))
		return 0;
	switch (rda_syndrome_kind(packet->aeth.syndrome)) {
	case RDA_AETH_NAK: return 1u << RDA_FLAG_NAK;
	case RDA_AETH_RNR: return 1u << RDA_FLAG_RNR;
	case RDA_AETH_ACK:
	case RDA_AETH_RESERVED: break;
	}
	return 0;
}

static uint32_t of_congestion(const struct rda_packet *packet)
{
	uint32_t flags = packet->ecn == RDA_ECN_CE ? 1u << RDA_FLAG_MARKED : 0;

	if (!rda_has(packet, BTH))
		return flags;
	if (packet->opcode->roles & RDA_ROLE_CNP)
		return flags | 1u << RDA_FLAG_CNP;
	return packet->bth.fecn || packet->bth.becn ? flags | 1u << RDA_FLAG_MARKED : flags;
}

uint32_t rda_flags_of(const struct rda_shown *shown)
{
	const struct rda_frame_record *record = rda_session_record(shown->source->meta.number);
	const struct rda_packet *packet = shown->packet;
	uint32_t flags = of_answer(packet) | of_congestion(packet);

	if (record)
		flags |= of_standing(record) | (record->missing ? 1u << RDA_FLAG_GAP : 0);
	if (shown->verdict.icrc == RDA_ICRC_BAD)
		flags |= 1u << RDA_FLAG_DAMAGED;
	if (packet->status == RDA_STATUS_MALFORMED)
		flags |= 1u << RDA_FLAG_MALFORMED;
	return flags;
}

const char *rda_flag_word(enum rda_flag flag)
{
	static const char *const words[RDA_FLAG_COUNT] = {
#define RDA_F(ID, word) [RDA_FLAG_##ID] = word,
		RDA_FLAGS(RDA_F)
#undef RDA_F
	};

	return words[flag];
}

void rda_flags_show(const struct rda_shown *shown, proto_tree *tree, uint32_t flags)
{
	for (unsigned i = 0; i < RDA_FLAG_COUNT; i++)
		if (flags & 1u << i)
			rda_tree_add_words(shown, tree, RDA_OWN_FLAGS,
					   rda_flag_word((enum rda_flag)i));
}
