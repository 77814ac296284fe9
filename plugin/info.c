/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A frame in one line of the packet list:
 *
 *     WRITE Middle QP 0x518 +402 [resent after a NAK in 592, first in 503]
 *     NAK PSN sequence error QP 0x516 +402 [of 503]
 *     iWARP READ Request 4096 B; WRITE 1024 B
 *
 * It is made of the frame's own bytes, so it is whole where the capture was cut.
 */
#include "plugin/tree.h"

#include "analyzer/engine/trace.h"
#include "analyzer/report/output.h"
#include "analyzer/report/packet_lines.h"
#include "dissectors/aeth.h"
#include "plugin/session.h"

#include <inttypes.h>
#include <string.h>

/* FPDUs that are named of a frame. */
enum { FPDUS_NAMED = 3 };

static void end_with(wmem_strbuf_t *line, bool any)
{
	if (any)
		wmem_strbuf_append(line, "]");
}

/* ---- what it is ------------------------------------------------------------------------------ */

/* Without what nearly all have: "RC RDMA WRITE Middle" is a WRITE Middle. */
static void add_operation(wmem_strbuf_t *line, const char *name)
{
	static const char rc[] = "RC ", rdma[] = "RDMA ";
	const char *at;

	if (g_str_has_prefix(name, rc))
		name += strlen(rc);
	at = strstr(name, rdma);
	if (at)
		wmem_strbuf_append_printf(line, "%.*s%s", (int)(at - name), name,
					  at + strlen(rdma));
	else
		wmem_strbuf_append(line, name);
}

static void add_name(wmem_strbuf_t *line, const struct rda_packet *packet)
{
	uint8_t syndrome = packet->aeth.syndrome;
	const char *words = rda_words(RDA_SET_SYNDROME, syndrome);

	if (rda_has(packet, AETH) && rda_syndrome_kind(syndrome) == RDA_AETH_NAK)
		wmem_strbuf_append_printf(line, "NAK %s", words ? words : "");
	else if (rda_has(packet, AETH) && rda_syndrome_kind(syndrome) == RDA_AETH_RNR)
		wmem_strbuf_append_printf(line, "RNR NAK, wait %g ms",
					  (double)rda_aeth_rnr_ns(syndrome) / 1e6);
	else if (packet->opcode->roles & RDA_ROLE_ACK)
		wmem_strbuf_append(line, "ACK");
	else if (packet->opcode->kind != RDA_OPCODE_KNOWN)
		wmem_strbuf_append_printf(line, "%s 0x%02x", packet->opcode->name,
					  packet->bth.opcode);
	else
		add_operation(line, packet->opcode->name);
}

static void add_management(wmem_strbuf_t *line, const struct rda_shown *shown)
{
	struct rda_output out;

	rda_output_init(&out, RDA_OUTPUT_KEEP, false);
	rda_print_mad_line(&out, &shown->source->frame, shown->packet);
	wmem_strbuf_append(line, g_str_has_prefix(out.text->str, ", ") ? out.text->str + 2
								       : out.text->str);
	rda_output_cleanup(&out);
}

static void add_lengths(wmem_strbuf_t *line, const struct rda_packet *packet)
{
	if (rda_has(packet, RETH))
		wmem_strbuf_append_printf(line, " key 0x%" PRIx32 " len %" PRIu32,
					  packet->reth.rkey, packet->reth.dmalen);
	else if (rda_has(packet, ATOMICETH))
		wmem_strbuf_append_printf(line, " key 0x%" PRIx32, packet->atomiceth.rkey);
}

/* ---- how it stands to others ----------------------------------------------------------------- */

/* The next of what is in brackets. */
static void next(wmem_strbuf_t *line, bool *any)
{
	wmem_strbuf_append(line, *any ? ", " : " [");
	*any = true;
}

static void add_standing(wmem_strbuf_t *line, const struct rda_frame_record *record, uint32_t flags,
			 bool *any)
{
	const char *reason = rda_trace_trigger_words(record->trigger);

	if (flags & 1u << RDA_FLAG_RESENT) {
		next(line, any);
		wmem_strbuf_append(line, rda_flag_word(RDA_FLAG_RESENT));
		if (reason)
			wmem_strbuf_append_printf(line, " %s", reason);
		if (record->cause)
			wmem_strbuf_append_printf(line, " in %" PRIu32, record->cause);
	}
	if (record->original) {
		next(line, any);
		wmem_strbuf_append_printf(line, "first in %" PRIu32, record->original);
	}
	if (record->answers) {
		next(line, any);
		wmem_strbuf_append_printf(line, "of %" PRIu32, record->answers);
	}
}

/* What the name or the standing does not say. */
static void add_flags(wmem_strbuf_t *line, uint32_t flags, bool *any)
{
	flags &= ~(1u << RDA_FLAG_RESENT | 1u << RDA_FLAG_NAK | 1u << RDA_FLAG_RNR |
		   1u << RDA_FLAG_CNP);
	for (unsigned i = 0; i < RDA_FLAG_COUNT; i++) {
		if (!(flags & 1u << i))
			continue;
		next(line, any);
		wmem_strbuf_append(line, rda_flag_word((enum rda_flag)i));
	}
}

/* The codes of errors and warnings; of notes there are too many. */
static void add_findings(wmem_strbuf_t *line, const struct rda_shown *shown, bool *any)
{
	unsigned count;
	const uint32_t *indices = rda_session_findings(shown->source->meta.number, shown->verdict,
						       &shown->packet->source, &count);

	for (unsigned i = 0; i < count; i++) {
		const struct rda_finding *finding =
			rda_result_finding(rda_session_result(), indices[i]);

		if (finding->severity == RDA_SEVERITY_NOTE)
			continue;
		next(line, any);
		wmem_strbuf_append(line, rda_finding_check(finding)->code);
	}
}

/* ---- of RoCE and InfiniBand ------------------------------------------------------------------ */

static void add_packet(wmem_strbuf_t *line, const struct rda_shown *shown)
{
	const struct rda_frame_record *record = rda_session_record(shown->source->meta.number);
	const struct rda_packet *packet = shown->packet;

	if (!rda_has(packet, BTH)) {
		wmem_strbuf_append(line, "cut before its transport header");
		return;
	}
	if (rda_has(packet, MAD)) {
		add_management(line, shown);
		return;
	}
	add_name(line, packet);
	wmem_strbuf_append_printf(line, " QP 0x%" PRIx32, packet->bth.dest_qp);
	if (record && record->relative_known)
		wmem_strbuf_append_printf(line, " %+" PRId64, record->relative_psn);
	else if (!(packet->opcode->roles & RDA_ROLE_CNP))
		wmem_strbuf_append_printf(line, " PSN %" PRIu32, packet->bth.psn);
	add_lengths(line, packet);
	if (packet->payload_known && packet->payload_length)
		wmem_strbuf_append_printf(line, " %" PRIu32 " B", packet->payload_length);
}

/* ---- of iWARP -------------------------------------------------------------------------------- */

static void add_fpdu(wmem_strbuf_t *line, const struct rda_fpdu_record *fpdu)
{
	const uint8_t *head = rda_records_head(rda_session_records(), fpdu);
	struct rda_ulpdu u;

	if (fpdu->is_start) {
		wmem_strbuf_append(line, fpdu->is_reply ? "MPA Reply" : "MPA Request");
		return;
	}
	rda_read_ulpdu(&u, head + 2, fpdu->head_bytes - 2u, (uint16_t)(head[0] << 8 | head[1]));
	wmem_strbuf_append(line, rda_rdmap_operation(u.opcode)->name);
	if (u.present & RDA_HAS(RDMAP_TERMINATE))
		wmem_strbuf_append_printf(
			line, " %s",
			rda_terminate_words(u.terminate.layer, u.terminate.type, u.terminate.code));
	else if (u.present & RDA_HAS(RDMAP_READ))
		wmem_strbuf_append_printf(line, " %" PRIu32 " B", u.read.size);
	else if (u.payload_length)
		wmem_strbuf_append_printf(line, " %" PRIu32 " B", u.payload_length);
	if (fpdu->crc == RDA_MPA_CRC_BAD)
		wmem_strbuf_append_printf(line, " [%s]", rda_flag_word(RDA_FLAG_DAMAGED));
}

static void add_fpdus(wmem_strbuf_t *line, uint32_t first)
{
	const struct rda_fpdu_record *fpdu;
	unsigned count = 0;

	wmem_strbuf_append(line, "iWARP");
	for (uint32_t i = first; (fpdu = rda_records_fpdu(rda_session_records(), i));
	     i = fpdu->next) {
		if (count++ >= FPDUS_NAMED)
			continue;
		wmem_strbuf_append(line, count == 1 ? " " : "; ");
		add_fpdu(line, fpdu);
	}
	if (count > FPDUS_NAMED)
		wmem_strbuf_append_printf(line, "; %u more", count - FPDUS_NAMED);
}

/* ---------------------------------------------------------------------------------------------- */

const char *rda_info_text(const struct rda_shown *shown)
{
	const struct rda_frame_record *record = rda_session_record(shown->source->meta.number);
	wmem_strbuf_t *line = wmem_strbuf_new(shown->pinfo->pool, NULL);
	bool any = false;

	if (shown->packet->carrier != RDA_CARRIER_NONE)
		add_packet(line, shown);
	else if (record && record->fpdu)
		add_fpdus(line, record->fpdu);
	else if (rda_session_part(shown->source->meta.number))
		wmem_strbuf_append(line, "iWARP, part of an FPDU");
	else
		return NULL;
	if (record && shown->packet->carrier != RDA_CARRIER_NONE) {
		uint32_t flags = rda_flags_of(shown);

		add_standing(line, record, flags, &any);
		add_flags(line, flags, &any);
	}
	add_findings(line, shown, &any);
	end_with(line, any);
	return wmem_strbuf_get_str(line);
}

bool rda_info_is_column(const packet_info *pinfo)
{
	return pinfo->cinfo && col_get_writable(pinfo->cinfo, COL_INFO);
}

/* What the built-in dissectors wrote may say that the frame is malformed where it was cut. */
void rda_info_write(const struct rda_shown *shown)
{
	if (!shown->info)
		return;
	col_clear_fence(shown->pinfo->cinfo, COL_INFO);
	col_add_str(shown->pinfo->cinfo, COL_INFO, shown->info);
}
