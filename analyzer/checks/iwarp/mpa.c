/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * MPA (RFC 5044, 6581): how a connection begins and what it agrees on, and whether its FPDUs keep
 * to that, and how they lie in segments. The hooks are in iwarp.c.
 */
#include "analyzer/checks/iwarp/state.h"

#include <glib.h>

/* In IRD and ORD: nothing is said about it (RFC 6581, 9.1). */
#define NO_DEPTH 0x3fff

/* Private data of a rejection that is worth showing. */
enum { SHOWN_MAX = 16, TEXT_MAX = 64 };

/* ---- start frames ---------------------------------------------------------------------------- */

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
		rda_finding_say(
			rda_iwarp_find_agreed(c, RDA_CHECK_W07, RDA_SEVERITY_ERROR, start->place),
			RDA_SAY_W07_BREAKS, RDA_ARG_FLAG("reply", start->is_reply),
			RDA_ARG_NUMBER("revision", s->revision),
			RDA_ARG_NUMBER("private_data_bytes", s->private_data_length),
			RDA_ARG_WORD("breaks", wrong));
	else if (s->revision == 0)
		rda_finding_say(
			rda_iwarp_find_agreed(c, RDA_CHECK_W07, RDA_SEVERITY_NOTE, start->place),
			RDA_SAY_W07_REVISION, RDA_ARG_FLAG("reply", start->is_reply),
			RDA_ARG_NUMBER("revision", s->revision));
}

/* Private data that is text, with what fills it up behind the last letter left out; false: none. */
static bool as_text(const uint8_t *data, uint32_t length, char text[TEXT_MAX + 1])
{
	while (length && !data[length - 1])
		length--;
	if (!length || length > TEXT_MAX)
		return false;
	for (uint32_t i = 0; i < length; i++) {
		if (data[i] < ' ' || data[i] > '~' || data[i] == '"')
			return false;
		text[i] = (char)data[i];
	}
	text[length] = '\0';
	return true;
}

/* W08 */
static void mpa_rejected(const struct rda_iwarp_case *c, const struct rda_mpa_start_seen *start)
{
	uint32_t length = start->private_data_length;
	char text[TEXT_MAX + 1];
	struct rda_finding *f;

	if (!start->is_reply || !start->start.reject)
		return;
	f = rda_iwarp_find_agreed(c, RDA_CHECK_W08, RDA_SEVERITY_WARNING, start->place);
	if (c->other.start_seen)
		rda_finding_frame(f, c->other.start_place);
	rda_finding_say(f, RDA_SAY_W08_REJECTED, RDA_ARG_ADDRESS("sender", &c->flow->key.source),
			RDA_ARG_NUMBER("private_data_bytes", length),
			RDA_ARG_IF(length, RDA_ARG_BYTES("private_data", start->private_data,
							 MIN(length, (uint32_t)SHOWN_MAX))),
			RDA_ARG_FLAG("or_more", length > SHOWN_MAX),
			RDA_ARG_IF(as_text(start->private_data, length, text),
				   RDA_ARG_TEXT("private_text", text)));
}

/* W09 */
static void read_depths_broken(const struct rda_iwarp_case *c,
			       const struct rda_mpa_start_seen *start)
{
	const struct rda_mpa_depths *asked = &c->other.depths, *got = &start->depths;
	struct rda_finding *f;

	if (!start->is_reply || start->start.reject || !start->has_depths || !c->other.start_seen ||
	    !c->other.has_depths)
		return;
	if (got->ord != NO_DEPTH && asked->ird != NO_DEPTH && got->ord > asked->ird) {
		f = rda_iwarp_find_agreed(c, RDA_CHECK_W09, RDA_SEVERITY_ERROR, start->place);
		rda_finding_say(f, RDA_SAY_W09_MORE, RDA_ARG_NUMBER("reads", got->ord),
				RDA_ARG_NUMBER("allowed", asked->ird));
	} else if (got->ird != NO_DEPTH && asked->ord != NO_DEPTH && got->ird < asked->ord) {
		f = rda_iwarp_find_agreed(c, RDA_CHECK_W09, RDA_SEVERITY_NOTE, start->place);
		rda_finding_say(f, RDA_SAY_W09_LESS, RDA_ARG_NUMBER("reads", asked->ord),
				RDA_ARG_NUMBER("allowed", got->ird));
	} else {
		return;
	}
	rda_finding_frame(f, c->other.start_place);
}

/* W28: of who replied, also where its reply was captured first. */
static void mpa_crc_off(const struct rda_iwarp_case *c, const struct rda_mpa_start_seen *start)
{
	const struct rda_flow *replier = start->is_reply || !c->peer ? c->flow : c->peer;
	struct rda_finding *f;

	if (!rda_iwarp_is_agreed(c->at) || start->start.reject || c->side.start.crc ||
	    c->other.start.crc)
		return;
	f = rda_finding_add_proof(&c->judge->findings, RDA_CHECK_W28,
				  c->side.start_doubtful || c->other.start_doubtful
					  ? RDA_PROOF_SUSPECTED
					  : RDA_PROOF_PROVEN,
				  rda_about_flow(replier), start->place);
	rda_finding_frame(f, c->other.start_place);
	rda_finding_say(f, RDA_SAY_W28_NO_CRC, RDA_ARG_NONE);
}

/* It comes once more, and whole: what was told of the one that was damaged is not so. */
static void forget_damaged(const struct rda_iwarp_case *c)
{
	static const enum rda_check all[] = {RDA_CHECK_W07, RDA_CHECK_W08, RDA_CHECK_W09,
					     RDA_CHECK_W28};

	for (unsigned i = 0; i < G_N_ELEMENTS(all); i++)
		rda_findings_take_back(&c->judge->findings, all[i], rda_about_flow(c->flow));
}

void rda_check_mpa_start(const struct rda_iwarp_case *c, const struct rda_mpa_start_seen *start)
{
	if (c->watch->start_doubted && !start->doubtful)
		forget_damaged(c);
	c->watch->start_doubted = start->doubtful;
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
	f = rda_iwarp_find_agreed(c, RDA_CHECK_W01, RDA_SEVERITY_ERROR, c->fpdu->place);
	rda_finding_frame(f, c->fpdu->first_place);
	rda_finding_say(f, RDA_SAY_W01_CRC, RDA_ARG_NUMBER("length", c->fpdu->ulpdu.length),
			RDA_ARG_KEY("crc", c->fpdu->crc_stored),
			RDA_ARG_KEY("computed", c->fpdu->crc_computed),
			RDA_ARG_FLAG("tcp_checksum_good", c->side.checksums_good));
}

/* W02 */
static void marker_wrong(const struct rda_iwarp_case *c)
{
	if (!c->fpdu->bad_markers || !rda_iwarp_is_agreed(c->at) || c->side.markers_contradict)
		return;
	rda_finding_say(rda_iwarp_find(c, RDA_CHECK_W02, c->fpdu->place),
			c->fpdu->swapped_markers == c->fpdu->bad_markers ? RDA_SAY_W02_SWAPPED
									 : RDA_SAY_W02_MARKERS,
			RDA_ARG_NUMBER("markers", c->fpdu->bad_markers),
			RDA_ARG_NUMBER("length", c->fpdu->ulpdu.length));
}

/* W03 */
static void marker_not_agreed(const struct rda_iwarp_case *c)
{
	struct rda_finding *f;

	if (!c->side.markers_contradict || c->watch->markers_told)
		return;
	c->watch->markers_told = true;
	f = rda_iwarp_find_agreed(c, RDA_CHECK_W03, RDA_SEVERITY_ERROR, c->fpdu->first_place);
	rda_finding_frame(f, c->other.start_place);
	rda_finding_say(f, c->side.markers ? RDA_SAY_W03_MARKERS : RDA_SAY_W03_NO_MARKERS,
			RDA_ARG_NONE);
}

/* W05 */
static void fpdu_pad_not_zero(const struct rda_iwarp_case *c)
{
	if (c->fpdu->pad_not_zero && c->fpdu->crc != RDA_MPA_CRC_BAD)
		rda_finding_say(rda_iwarp_find(c, RDA_CHECK_W05, c->fpdu->place), RDA_SAY_W05_PAD,
				RDA_ARG_NUMBER("length", c->fpdu->ulpdu.length));
}

static bool is_initiator(const struct rda_iwarp_case *c)
{
	return c->side.initiates;
}

/* W06 */
static void responder_sends_first(const struct rda_iwarp_case *c)
{
	struct rda_finding *f;

	if (!rda_iwarp_is_agreed(c->at) || is_initiator(c) || c->side.fpdus != 1 ||
	    c->other.fpdus > 0 || c->other.holes || c->other.waits || c->other.behind)
		return;
	f = rda_iwarp_find(c, RDA_CHECK_W06, c->fpdu->first_place);
	rda_finding_frame(f, c->side.start_place);
	rda_finding_say(f, RDA_SAY_W06_FIRST, RDA_IWARP_ARG_OPCODE(c->fpdu->ulpdu.opcode));
}

/* Which of the agreed ready-to-receive messages an FPDU could be. */
static bool is_ready_to_receive(const struct rda_iwarp_case *c)
{
	const struct rda_mpa_depths *a = &c->side.depths, *b = &c->other.depths;
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

	if (!rda_iwarp_is_agreed(c->at) || !is_initiator(c) || c->side.fpdus != 1 ||
	    c->watch->broken || !c->side.has_depths || !c->other.has_depths ||
	    !c->side.depths.peer_to_peer || !c->other.depths.peer_to_peer || is_ready_to_receive(c))
		return;
	f = rda_iwarp_find_agreed(c, RDA_CHECK_W10, RDA_SEVERITY_WARNING, c->fpdu->first_place);
	rda_finding_frame(f, c->side.start_place);
	rda_finding_frame(f, c->other.start_place);
	rda_finding_say(f, RDA_SAY_W10_OTHER, RDA_IWARP_ARG_OPCODE(c->fpdu->ulpdu.opcode),
			RDA_ARG_NUMBER("payload", c->fpdu->ulpdu.payload_length));
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

/* ---- FPDUs in segments ----------------------------------------------------------------------- */

/*
 * Such as can be placed when its segment comes, whatever is missing before. An FPDU may begin where
 * a segment does whose front is not looked at: FPDUs were found again behind it, or the segment was
 * cut anew when it was sent again.
 */
void rda_check_mpa_place(const struct rda_iwarp_case *c)
{
	struct rda_iwarp_watch *w = c->watch;
	bool aligned = c->fpdu->begins_segment || c->fpdu->front_unknown ||
		       (w->latest_aligned && w->latest_place == c->fpdu->first_place);

	w->fpdus++;
	w->guessed |= c->fpdu->guessed || !c->side.markers_known;
	if (!aligned && w->not_aligned++ == 0)
		w->not_aligned_place = c->fpdu->first_place;
	w->latest_aligned = aligned && c->fpdu->first_place == c->fpdu->place;
	w->latest_place = c->fpdu->place;
}

/* W26 */
void rda_check_mpa_places(struct rda_judge *judge, const struct rda_flow *flow)
{
	const struct rda_iwarp_watch *w = flow->watch.iwarp;
	struct rda_finding *f;

	if (!w->not_aligned)
		return;
	f = rda_finding_add_proof(&judge->findings, RDA_CHECK_W26,
				  w->guessed ? RDA_PROOF_SUSPECTED : RDA_PROOF_PROVEN,
				  rda_about_flow(flow), w->not_aligned_place);
	rda_finding_say(f, RDA_SAY_W26_INSIDE, RDA_ARG_NUMBER("not_aligned", w->not_aligned),
			RDA_ARG_NUMBER("fpdus", w->fpdus));
}
