/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a packet's roles, its standing and its AETH to its mark. See mark.h.
 */
#include "analyzer/report/page/mark.h"

#include "analyzer/engine/fpdus.h"
#include "dissectors/aeth.h"

enum shape {
#define RDA_S(ID, name) SHAPE_##ID,
	RDA_MARK_SHAPES(RDA_S)
#undef RDA_S
};

static enum rda_mark of_answer(const struct rda_packet *packet)
{
	if (!rda_has(packet, AETH))
		return RDA_MARK_RESPONSE; /* READ Response Middle */
	switch (rda_syndrome_kind(packet->aeth.syndrome)) {
	case RDA_AETH_RNR: return RDA_MARK_RNR;
	case RDA_AETH_NAK: return RDA_MARK_NAK;
	default: break;
	}
	return packet->opcode->roles & (RDA_ROLE_READ | RDA_ROLE_ATOMIC) ? RDA_MARK_RESPONSE
									 : RDA_MARK_ACK;
}

static enum rda_mark of_request(uint8_t standing)
{
	switch (standing) {
	case RDA_STANDING_RESENT: return RDA_MARK_RESENT;
	case RDA_STANDING_REORDERED: return RDA_MARK_LATE;
	case RDA_STANDING_MIRRORED: return RDA_MARK_MIRRORED;
	default: return RDA_MARK_NEW;
	}
}

static enum rda_mark of_fpdu(const struct rda_fpdu_told *told)
{
	if (told->is_start)
		return RDA_MARK_NEW;
	return rda_rdmap_operation(told->fpdu.ulpdu.opcode)->roles & RDA_ROLE_RESPONSE
		       ? RDA_MARK_RESPONSE
		       : RDA_MARK_NEW;
}

enum rda_mark rda_mark_of(const struct rda_sight *sight)
{
	const struct rda_packet *packet = sight->packet;

	if (sight->fpdu)
		return of_fpdu(sight->fpdu);
	if (!rda_has(packet, BTH))
		return RDA_MARK_NONE;
	if (packet->opcode->roles & RDA_ROLE_CNP)
		return RDA_MARK_CNP;
	if (packet->opcode->roles & RDA_ROLE_RESPONSE)
		return of_answer(packet);
	return packet->opcode->roles & RDA_ROLE_REQUEST ? of_request(sight->trace.standing)
							: RDA_MARK_NONE;
}

enum rda_mark rda_mark_of_event(const struct rda_event *event)
{
	switch (event->kind) {
	case RDA_EVENT_LOST_BEFORE: return RDA_MARK_LOST_BEFORE;
	case RDA_EVENT_LOST_AFTER: return RDA_MARK_LOST_AFTER;
	case RDA_EVENT_ACKED_UNSEEN: return RDA_MARK_LOST_CAPTURE;
	default: return RDA_MARK_NONE;
	}
}

void rda_mark_describe_all(struct rda_record *record, const char *name)
{
	static const char *const shapes[] = {
#define RDA_S(ID, word) [SHAPE_##ID] = word,
		RDA_MARK_SHAPES(RDA_S)
#undef RDA_S
	};
	static const struct {
		const char *name, *words, *light, *dark;
		enum shape shape;
	} marks[] = {
#define RDA_M(ID, word, people, SHAPE, on_light, on_dark)                                          \
	{word, people, on_light, on_dark, SHAPE_##SHAPE},
		RDA_MARKS(RDA_M)
#undef RDA_M
	};

	rda_record_open_list(record, name);
	for (unsigned i = 0; i < RDA_MARK_COUNT; i++) {
		rda_record_open(record, NULL);
		rda_record_text(record, "name", marks[i].name);
		rda_record_text(record, "words", marks[i].words);
		rda_record_text(record, "shape", shapes[marks[i].shape]);
		rda_record_text(record, "light", marks[i].light);
		rda_record_text(record, "dark", marks[i].dark);
		rda_record_close(record);
	}
	rda_record_close(record);
}
