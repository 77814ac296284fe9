/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MPA (RFC 5044, 6581): how a connection begins and what it agrees on, and whether its FPDUs keep
 * to that. The hooks are in check_iwarp.c.
 */
#include "analyzer/checks/iwarp/parts.h"

#include "analyzer/base/words.h"

#include <glib.h>
#include <inttypes.h>

/* In IRD and ORD: nothing is said about it (RFC 6581, 9.1). */
#define NO_DEPTH 0x3fff

/* Private data of a rejection that is worth showing. */
enum { SHOWN_MAX = 16 };

/* ---- start frames ---------------------------------------------------------------------------- */

static const char *frame_words(const struct rda_mpa_start_seen *start)
{
	return start->is_reply ? "reply" : "request";
}

/* W07 */
static void mpa_frame_invalid(const struct rda_iwarp_case *c,
			      const struct rda_mpa_start_seen *start)
{
	const struct rda_mpa_start *s = &start->start;
	const char *wrong = NULL;

	if (s->private_data_length > RDA_MPA_PRIVATE_DATA_MAX)
		wrong = "has more than 512 bytes of private data";
	else if (s->revision > 2)
		wrong = "is of a revision above 2";
	else if (s->enhanced && s->revision == 1)
		wrong = "has the flag of revision 2 set in revision 1";
	else if (s->enhanced && s->revision == 2 && !start->has_depths)
		wrong = "announces READ depths that it does not have";
	else if (start->has_depths && !start->depths.peer_to_peer &&
		 (start->depths.send_rtr || start->depths.write_rtr || start->depths.read_rtr))
		wrong = "names ready-to-receive messages without asking for peer-to-peer mode";
	else if (s->reject && !start->is_reply)
		wrong = "has the flag set that rejects a connection";
	if (wrong)
		rda_say(rda_iwarp_find(c, RDA_CHECK_W07, start->place),
			"The MPA %s (revision %u, %u bytes of private data) %s.",
			frame_words(start), s->revision, s->private_data_length, wrong);
	else if (s->revision == 0)
		rda_say(rda_iwarp_find_as(c, RDA_CHECK_W07, RDA_SEVERITY_NOTE, RDA_PROOF_PROVEN,
					  start->place),
			"The MPA %s is of revision 0, from before RFC 5044.", frame_words(start));
}

/* W08 */
static void mpa_rejected(const struct rda_iwarp_case *c, const struct rda_mpa_start_seen *start)
{
	struct rda_finding *f;
	GString *bytes;
	char *name;

	if (!start->is_reply || !start->start.reject)
		return;
	name = rda_iwarp_name(c->flow);
	bytes = g_string_new(NULL);
	for (uint32_t i = 0; i < MIN(start->private_data_length, (uint32_t)SHOWN_MAX); i++)
		g_string_append_printf(bytes, "%s%02x", i ? " " : ": ", start->private_data[i]);
	f = rda_iwarp_find(c, RDA_CHECK_W08, start->place);
	if (c->other->start_seen)
		rda_finding_frame(f, c->other->start_place);
	rda_say(f,
		"%s rejected the connection in its MPA reply, with %" PRIu32
		" bytes of private data%s%s.",
		name, start->private_data_length, bytes->str,
		start->private_data_length > SHOWN_MAX ? " ..." : "");
	g_string_free(bytes, TRUE);
	g_free(name);
}

/* W09 */
static void read_depths_broken(const struct rda_iwarp_case *c,
			       const struct rda_mpa_start_seen *start)
{
	const struct rda_mpa_depths *asked = &c->other->depths, *got = &start->depths;
	struct rda_finding *f;

	if (!start->is_reply || start->start.reject || !start->has_depths ||
	    !c->other->start_seen || !c->other->has_depths)
		return;
	if (got->ord != NO_DEPTH && asked->ird != NO_DEPTH && got->ord > asked->ird) {
		f = rda_iwarp_find(c, RDA_CHECK_W09, start->place);
		rda_say(f,
			"The reply says that its side will have %u READs outstanding, and the "
			"request allowed %u.",
			got->ord, asked->ird);
	} else if (got->ird != NO_DEPTH && asked->ord != NO_DEPTH && got->ird < asked->ord) {
		f = rda_iwarp_find_as(c, RDA_CHECK_W09, RDA_SEVERITY_NOTE, RDA_PROOF_PROVEN,
				      start->place);
		rda_say(f,
			"The request wants %u READs outstanding and the reply allows %u: the "
			"initiator has to do with less.",
			asked->ord, got->ird);
	} else {
		return;
	}
	rda_finding_frame(f, c->other->start_place);
}

/* W28 */
static void mpa_crc_off(const struct rda_iwarp_case *c, const struct rda_mpa_start_seen *start)
{
	struct rda_finding *f;

	if (!c->at->connection->agreed || start->start.reject || c->side->start.crc ||
	    c->other->start.crc)
		return;
	f = rda_iwarp_find(c, RDA_CHECK_W28, start->place);
	rda_finding_frame(f, c->other->start_place);
	rda_say(f,
		"Neither side asked for MPA's CRC: FPDUs are protected by TCP's checksum alone.");
}

void rda_check_mpa_start(const struct rda_iwarp_case *c, const struct rda_mpa_start_seen *start)
{
	mpa_frame_invalid(c, start);
	mpa_rejected(c, start);
	read_depths_broken(c, start);
	mpa_crc_off(c, start);
}

/* ---- FPDUs ----------------------------------------------------------------------------------- */

/* W01 */
static void mpa_crc_error(const struct rda_iwarp_case *c)
{
	struct rda_finding *f;

	if (c->fpdu->crc != RDA_MPA_CRC_BAD)
		return;
	f = rda_iwarp_find(c, RDA_CHECK_W01, c->fpdu->place);
	rda_finding_frame(f, c->fpdu->first_place);
	rda_say(f,
		"The CRC of an FPDU of %u bytes is 0x%08" PRIx32 " and should be 0x%08" PRIx32
		", although TCP's checksum let it pass.",
		c->fpdu->ulpdu.length, c->fpdu->crc_stored, c->fpdu->crc_computed);
}

/* W02 */
static void marker_wrong(const struct rda_iwarp_case *c)
{
	struct rda_finding *f;

	if (!c->fpdu->bad_markers || !c->at->connection->agreed || c->side->mpa.markers_contradict)
		return;
	f = rda_iwarp_find(c, RDA_CHECK_W02, c->fpdu->place);
	rda_say(f, "%u marker%s in an FPDU of %u bytes %s not say where the FPDU began.",
		c->fpdu->bad_markers, rda_words_plural(c->fpdu->bad_markers), c->fpdu->ulpdu.length,
		c->fpdu->bad_markers == 1 ? "does" : "do");
}

/* W03 */
static void marker_not_agreed(const struct rda_iwarp_case *c)
{
	struct rda_finding *f;
	bool present = c->side->mpa.markers;

	if (!c->side->mpa.markers_contradict || c->watch->markers_told)
		return;
	c->watch->markers_told = true;
	f = rda_iwarp_find(c, RDA_CHECK_W03, c->fpdu->first_place);
	rda_finding_frame(f, c->other->start_place);
	if (present)
		rda_say(f, "The FPDUs have markers, which the other side did not ask for.");
	else
		rda_say(f, "The FPDUs have no markers, which the other side asked for.");
}

/* W05 */
static void fpdu_pad_not_zero(const struct rda_iwarp_case *c)
{
	if (c->fpdu->pad_not_zero && c->fpdu->crc != RDA_MPA_CRC_BAD)
		rda_say(rda_iwarp_find(c, RDA_CHECK_W05, c->fpdu->place),
			"The pad behind a ULPDU of %u bytes is not zero.", c->fpdu->ulpdu.length);
}

static bool is_initiator(const struct rda_iwarp_case *c)
{
	return c->at->connection->initiator == (int8_t)c->at->side;
}

/* W06 */
static void responder_sends_first(const struct rda_iwarp_case *c)
{
	struct rda_finding *f;

	if (!c->at->connection->agreed || is_initiator(c) || c->side->fpdus != 1 ||
	    c->other->fpdus > 0 || c->other->stream.holes || c->other->stream.held_count)
		return;
	f = rda_iwarp_find(c, RDA_CHECK_W06, c->fpdu->first_place);
	rda_finding_frame(f, c->side->start_place);
	rda_say(f,
		"The responder sent %s %s before the initiator had sent anything: the "
		"initiator may still expect the MPA reply in its place.",
		rda_iwarp_article(c->fpdu->ulpdu.opcode),
		rda_rdmap_operation(c->fpdu->ulpdu.opcode)->name);
}

/* Which of the agreed ready-to-receive messages an FPDU could be. */
static bool is_ready_to_receive(const struct rda_iwarp_case *c)
{
	const struct rda_mpa_depths *a = &c->side->depths, *b = &c->other->depths;
	const struct rda_ulpdu *u = &c->fpdu->ulpdu;
	uint16_t roles = rda_rdmap_operation(u->opcode)->roles;

	if (roles & RDA_ROLE_SEND)
		return a->send_rtr && b->send_rtr && u->payload_length == 0;
	if (roles & RDA_ROLE_WRITE)
		return a->write_rtr && b->write_rtr && u->payload_length == 0;
	if (roles & RDA_ROLE_READ)
		return a->read_rtr && b->read_rtr && u->read.size == 0;
	return false;
}

/* W10 */
static void ready_to_receive_missing(const struct rda_iwarp_case *c)
{
	struct rda_finding *f;

	if (!c->at->connection->agreed || !is_initiator(c) || c->side->fpdus != 1 ||
	    c->watch->broken || !c->side->has_depths || !c->other->has_depths ||
	    !c->side->depths.peer_to_peer || !c->other->depths.peer_to_peer ||
	    is_ready_to_receive(c))
		return;
	f = rda_iwarp_find(c, RDA_CHECK_W10, c->fpdu->first_place);
	rda_finding_frame(f, c->side->start_place);
	rda_finding_frame(f, c->other->start_place);
	rda_say(f,
		"Both sides agreed on peer-to-peer mode, and the initiator's first message is %s "
		"%s of "
		"%" PRIu32 " bytes instead of a ready-to-receive message that both sides named.",
		rda_iwarp_article(c->fpdu->ulpdu.opcode),
		rda_rdmap_operation(c->fpdu->ulpdu.opcode)->name, c->fpdu->ulpdu.payload_length);
}

void rda_check_mpa_fpdu(const struct rda_iwarp_case *c)
{
	mpa_crc_error(c);
	marker_wrong(c);
	marker_not_agreed(c);
	fpdu_pad_not_zero(c);
	if (c->fpdu->crc == RDA_MPA_CRC_BAD)
		return;
	responder_sends_first(c);
	ready_to_receive_missing(c);
}
