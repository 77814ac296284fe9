/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Start frames and FPDUs out of a stream of bytes; mpa.h has the figure.
 */
#include "analyzer/track/iwarp/mpa.h"

#include "analyzer/track/iwarp/markers.h"
#include "dissectors/crc32c.h"

#include <glib.h>
#include <string.h>

enum { KEY_BYTES = 16, CRC_BYTES = 4, MARKER_BYTES = RDA_MARKER_BYTES };

static const char request_key[KEY_BYTES + 1] = "MPA ID Req Frame";
static const char reply_key[KEY_BYTES + 1] = "MPA ID Rep Frame";

void rda_mpa_init(struct rda_mpa *m)
{
	memset(m, 0, sizeof(*m));
}

void rda_mpa_agree(struct rda_mpa *m, bool markers, bool crc)
{
	if (m->markers_known) { /* the first FPDU has told already */
		m->markers_contradict = m->markers != markers;
	} else {
		m->markers = markers;
		m->markers_known = true;
	}
	m->crc_use = crc ? RDA_MPA_USE_ON : RDA_MPA_USE_OFF;
}

void rda_mpa_join(struct rda_mpa *m, const uint32_t *sequence)
{
	m->state = RDA_MPA_LOST;
	m->joins = sequence != NULL;
	m->join = sequence ? *sequence : 0;
}

bool rda_mpa_is_request(const uint8_t *bytes, uint32_t length)
{
	return length >= KEY_BYTES && memcmp(bytes, request_key, KEY_BYTES) == 0;
}

bool rda_mpa_is_start(const uint8_t *bytes, uint32_t length)
{
	return rda_mpa_is_request(bytes, length) ||
	       (length >= KEY_BYTES && memcmp(bytes, reply_key, KEY_BYTES) == 0);
}

/* ---- start frames ---------------------------------------------------------------------------- */

static void tell_start(const struct rda_mpa *m, uint32_t bytes, const struct rda_piece *piece,
		       const struct rda_mpa_sink *sink)
{
	struct rda_cursor c = {m->frame, 0, bytes, bytes};
	struct rda_mpa_start_seen seen = {
		.doubtful = m->doubtful, .place = piece->place, .time_ns = piece->time_ns};

	if (!rda_read_mpa_start(&c, &seen.start))
		return;
	seen.is_reply = memcmp(seen.start.key, reply_key, KEY_BYTES) == 0;
	if (seen.start.revision >= 2 && seen.start.enhanced)
		seen.has_depths = rda_read_mpa_depths(&c, &seen.depths);
	seen.private_data = m->frame + c.offset;
	seen.private_data_length = bytes - c.offset;
	sink->start(sink->context, &seen);
}

/* The whole start frame's length, as far as it is there; 0: more bytes are needed to tell. */
static uint32_t start_bytes(const struct rda_mpa *m)
{
	struct rda_cursor c = {m->frame, 0, m->frame_have, m->frame_have};
	struct rda_mpa_start start;

	if (!rda_read_mpa_start(&c, &start))
		return 0;
	return RDA_MPA_START_BYTES + MIN(start.private_data_length, RDA_MPA_PRIVATE_DATA_MAX);
}

/* From here on the room of the start frame is that of FPDUs. */
static void leave_begin(struct rda_mpa *m, enum rda_mpa_state state)
{
	m->state = (uint8_t)state;
	m->frame_have = 0;
	memset(&m->fpdu, 0, sizeof(m->fpdu));
}

/* Takes bytes of the start frame; returns how many. */
static int64_t take_start(struct rda_mpa *m, const struct rda_piece *piece,
			  const struct rda_mpa_sink *sink)
{
	int64_t taken = 0;
	uint32_t whole;

	if (!piece->bytes) { /* a start frame with a hole cannot be read */
		leave_begin(m, RDA_MPA_LOST);
		return 0;
	}
	m->doubtful |= piece->doubtful;
	while (taken < piece->length) {
		m->frame[m->frame_have++] = piece->bytes[taken++];
		if (m->frame_have == KEY_BYTES && !rda_mpa_is_start(m->frame, KEY_BYTES)) {
			leave_begin(m, RDA_MPA_LOST); /* this is not where it began */
			return 0;
		}
		whole = start_bytes(m);
		if (whole == 0 || m->frame_have < whole)
			continue;
		m->since = m->far_at = m->operation_begin = piece->offset + taken;
		tell_start(m, whole, piece, sink);
		leave_begin(m, RDA_MPA_FPDUS);
		m->doubtful = false;
		break;
	}
	return taken;
}

/* ---- FPDUs ----------------------------------------------------------------------------------- */

unsigned rda_mpa_looks_like(const uint8_t *bytes, uint32_t length, bool *checked, uint32_t *reach)
{
	unsigned count = 0;

	*checked = false;
	*reach = 0;
	while (length >= 2) {
		uint32_t ulpdu_length = rda_be16(bytes), whole = rda_fpdu_bytes(ulpdu_length);
		struct rda_ulpdu ulpdu;
		uint32_t stored;
		bool plausible;

		rda_read_ulpdu(&ulpdu, bytes + 2, length - 2, (uint16_t)ulpdu_length);
		plausible = ulpdu.faults == 0 && ulpdu.headers > 0;
		if (ulpdu.faults || (!plausible && whole <= length))
			return 0;
		*reach += whole;
		if (whole > length)
			return count + plausible;
		memcpy(&stored, bytes + whole - CRC_BYTES, CRC_BYTES);
		if (stored != 0) {
			if (rda_le32(bytes + whole - CRC_BYTES) !=
			    rda_crc32c(0, bytes, whole - CRC_BYTES))
				return 0;
			*checked = true;
		}
		bytes += whole;
		length -= whole;
		count++;
	}
	return count;
}

static void begin_fpdu(struct rda_mpa *m)
{
	m->have = m->total = m->more_have = 0;
	m->holed = m->doubtful = m->unchecked = false;
	m->crc = 0;
	m->fpdu.bad_markers = m->fpdu.swapped_markers = 0;
	m->fpdu.pad_not_zero = m->fpdu.doubtful = false;
}

/* From here on one FPDU stands behind the other. */
static void begin_fpdus(struct rda_mpa *m, int64_t offset)
{
	m->state = RDA_MPA_FPDUS;
	m->since = m->far_at = offset;
	m->far = 0;
	m->guessed = true;
	begin_fpdu(m);
}

static uint8_t judge_crc(struct rda_mpa *m)
{
	m->fpdu.crc_stored = rda_le32(m->crc_bytes);
	m->fpdu.crc_computed = m->crc;
	if (m->crc_use == RDA_MPA_USE_OFF)
		return RDA_MPA_CRC_OFF;
	if (m->holed)
		return RDA_MPA_CRC_NOT_CHECKABLE;
	if (m->fpdu.crc_stored == m->crc)
		return RDA_MPA_CRC_GOOD;
	if (m->crc_use == RDA_MPA_USE_ON && !m->doubtful)
		return RDA_MPA_CRC_BAD;
	return m->fpdu.crc_stored == 0 ? RDA_MPA_CRC_OFF : RDA_MPA_CRC_NOT_CHECKABLE;
}

/* More of a SEND's payload than the head has, in one piece with what that has. */
static void keep_more(struct rda_mpa *m, const uint8_t *bytes, uint32_t count)
{
	enum { HEADERS = 2 + RDA_DDP_UNTAGGED_BYTES, TAGGED = 0x80 };

	if (m->have < RDA_MPA_HEAD || m->head[2] & TAGGED)
		return;
	if (!m->more_have) {
		m->more_have = RDA_MPA_HEAD - HEADERS;
		memcpy(m->more, m->head + HEADERS, m->more_have);
	}
	if (m->have - HEADERS != m->more_have) /* behind a hole, or behind what there is room for */
		return;
	count = MIN(count, m->more_room - m->more_have);
	memcpy(m->more + m->more_have, bytes, count);
	m->more_have += count;
}

static void tell_payload(struct rda_mpa *m)
{
	uint32_t begin = 2u + m->fpdu.ulpdu.headers;
	uint32_t kept = m->holed ? rda_mpa_head_bytes(m) : MIN(m->total - CRC_BYTES, RDA_MPA_KEPT);

	m->fpdu.payload = m->more_have ? m->more : m->head + MIN(begin, kept);
	m->fpdu.payload_have = MIN(m->fpdu.ulpdu.payload_length,
				   m->more_have ? m->more_have : kept - MIN(begin, kept));
}

static void end_fpdu(struct rda_mpa *m, const struct rda_piece *piece,
		     const struct rda_mpa_sink *sink)
{
	m->fpdu.crc = judge_crc(m);
	m->fpdu.doubtful = m->doubtful && m->fpdu.crc != RDA_MPA_CRC_GOOD;
	m->fpdu.checked = !m->unchecked || m->fpdu.crc == RDA_MPA_CRC_GOOD;
	/* headers one behind another, farther than from one marker to the next: there are none */
	if (m->fpdu.offset - m->far_at >= RDA_MPA_MARKER_EVERY) {
		m->far_at = m->fpdu.offset;
		m->far++;
	}
	m->markers_known |= m->far >= (m->fpdu.begins_segment ? 1 : RDA_MARKER_FAR_MIN);
	m->guessed &= m->fpdu.crc != RDA_MPA_CRC_GOOD;
	m->fpdu.guessed = m->guessed;
	/* a marker that is not known of shifts what is behind it */
	m->fpdu.pad_not_zero &= m->markers_known || m->fpdu.crc == RDA_MPA_CRC_GOOD;
	m->fpdu.place = piece->place;
	m->fpdu.time_ns = piece->time_ns;
	m->fpdus++;
	tell_payload(m);
	sink->fpdu(sink->context, &m->fpdu);
	begin_fpdu(m);
}

static void lose(struct rda_mpa *m, const struct rda_piece *piece, const struct rda_mpa_sink *sink,
		 bool hole)
{
	m->state = RDA_MPA_LOST;
	sink->lost(sink->context, piece, hole); /* which may look at what is there of it */
	begin_fpdu(m);
}

/* Bytes until the next marker begins, or, inside one, 0 and how far inside in *inside. */
static int64_t before_marker(const struct rda_mpa *m, int64_t offset, uint32_t *inside)
{
	*inside = 0;
	return m->markers ? rda_marker_next(m->operation_begin, offset, inside) : INT64_MAX;
}

/* A marker says how far behind the FPDU began; 0 in front of one. */
static void check_marker(struct rda_mpa *m, int64_t offset)
{
	int64_t begin = offset - (MARKER_BYTES - 1);
	int64_t distance = m->have ? begin - m->fpdu.offset : 0;

	if (rda_marker_distance(m->marker, 0) == distance)
		return;
	m->fpdu.bad_markers += m->fpdu.bad_markers < UINT8_MAX;
	m->fpdu.swapped_markers +=
		m->fpdu.swapped_markers < UINT8_MAX && rda_marker_is_swapped(m->marker, distance);
}

static void take_marker_byte(struct rda_mpa *m, int64_t offset, const uint8_t *byte,
			     uint32_t inside)
{
	if (!byte) {
		m->holed = true;
		return;
	}
	m->crc = rda_crc32c(m->crc, byte, 1); /* one right in front of the CRC is covered too */
	m->marker[inside] = *byte;
	if (inside == MARKER_BYTES - 1 && !m->holed)
		check_marker(m, offset);
}

/* Bytes of the FPDU that are kept: its headers and its CRC; the pad is looked at. */
static void keep_bytes(struct rda_mpa *m, const uint8_t *bytes, uint32_t count)
{
	uint32_t body = m->total ? m->total - CRC_BYTES : UINT32_MAX;
	uint32_t in_body = m->have < body ? MIN(count, body - m->have) : 0;

	if (m->have < RDA_MPA_KEPT)
		memcpy(m->head + m->have, bytes, MIN(in_body, RDA_MPA_KEPT - m->have));
	if (m->more && in_body)
		keep_more(m, bytes, in_body);
	if (in_body && m->crc_use != RDA_MPA_USE_OFF)
		m->crc = rda_crc32c(m->crc, bytes, in_body);
	if (m->total && m->have + in_body > 2u + rda_be16(m->head)) {
		uint32_t pad = 2u + rda_be16(m->head);

		for (uint32_t i = m->have < pad ? pad - m->have : 0; i < in_body; i++)
			m->fpdu.pad_not_zero |= bytes[i] != 0;
	}
	for (uint32_t i = in_body; i < count; i++)
		m->crc_bytes[m->have + i - body] = bytes[i];
}

/* As many bytes as may be taken at once: to the end of the length field, the headers, the FPDU. */
static int64_t wanted(const struct rda_mpa *m)
{
	if (m->total == 0)
		return 2 - m->have;
	return (m->have < rda_mpa_head_bytes(m) ? rda_mpa_head_bytes(m) : m->total) - m->have;
}

/*
 * One thing wrong is a fault of the sender; more than that is no FPDU. Neither is one with a single
 * one where FPDUs were just found again, or a marker may lie in it that is not known of.
 */
static bool is_nonsense(const struct rda_mpa *m, const struct rda_ulpdu *ulpdu)
{
	bool strict = !m->markers_known || (m->since == m->fpdu.offset && m->lost_bytes);

	return (ulpdu->faults & (ulpdu->faults - 1)) != 0 || (ulpdu->faults && strict) ||
	       ulpdu->faults & 1u << RDA_ULPDU_FAULT_SHORT;
}

/* The length is known, or the headers are complete. False when they make no sense. */
static bool look_at_head(struct rda_mpa *m)
{
	if (m->total == 0 && m->have == 2)
		m->total = rda_fpdu_bytes(rda_be16(m->head));
	if (m->total == 0 || m->have != rda_mpa_head_bytes(m))
		return true;
	rda_read_ulpdu(&m->fpdu.ulpdu, m->head + 2, m->have - 2, rda_be16(m->head));
	return !is_nonsense(m, &m->fpdu.ulpdu);
}

/* Bytes of a marker that a piece begins with. */
static int64_t marker_in_front(const struct rda_mpa *m, const struct rda_piece *piece)
{
	uint32_t inside;

	return before_marker(m, piece->offset, &inside) ? 0 : MARKER_BYTES - (int64_t)inside;
}

/* Takes bytes of FPDUs, markers between them; returns how many of the piece. */
static int64_t take_fpdu(struct rda_mpa *m, const struct rda_piece *piece, int64_t at,
			 const struct rda_mpa_sink *sink)
{
	int64_t offset = piece->offset + at, left = piece->length - at;
	const uint8_t *bytes = piece->bytes ? piece->bytes + at : NULL;
	uint32_t inside;
	int64_t room = before_marker(m, offset, &inside), count;

	m->doubtful |= piece->doubtful;
	m->unchecked |= !piece->checked;
	if (room == 0) {
		take_marker_byte(m, offset, bytes, inside);
		return 1;
	}
	count = MIN(MIN(left, room), wanted(m));
	if (m->have == 0) {
		m->fpdu.offset = offset;
		m->fpdu.first_place = piece->place;
		m->fpdu.first_ns = piece->time_ns;
		m->fpdu.front_unknown = piece->trimmed || offset == m->since;
		m->fpdu.begins_segment = piece->begins_segment && at == marker_in_front(m, piece);
	}
	if (bytes) {
		keep_bytes(m, bytes, (uint32_t)count);
	} else if (m->total == 0 || m->have < rda_mpa_head_bytes(m)) {
		lose(m, piece, sink, true); /* a header is missing */
		return left;
	} else {
		m->holed = true;
	}
	m->have += (uint32_t)count;
	if (!look_at_head(m)) {
		lose(m, piece, sink, false);
		return left;
	}
	if (m->total && m->have == m->total)
		end_fpdu(m, piece, sink);
	return count;
}

/* A connection that began before the capture: where an FPDU of it begins was found out. */
static bool joins(struct rda_mpa *m, const struct rda_piece *piece, int64_t *at)
{
	int64_t ahead = (int32_t)(m->join - (uint32_t)piece->offset);

	if (!m->joins || !piece->bytes || ahead < *at || ahead >= piece->length)
		return false;
	m->lost_bytes += (uint64_t)(ahead - *at);
	*at = ahead;
	m->joins = false;
	begin_fpdus(m, piece->offset + ahead);
	return true;
}

/*
 * Without a marker in it a segment may begin with an FPDU, or behind the end of a marker. One that
 * looks so in one of 2^13 segments by chance: it has to end where the segment does, or its CRC is
 * alone in the next one (as siw sends it), or another has to follow it, in a later segment perhaps.
 */
static int64_t unmarked_begin(struct rda_mpa *m, const struct rda_piece *piece)
{
	int64_t skip = marker_in_front(m, piece), left = piece->segment_left - skip;
	uint32_t inside, reach;
	unsigned fpdus;
	bool checked;

	if (!piece->begins_segment || piece->length <= skip ||
	    before_marker(m, piece->offset + skip, &inside) < piece->length - skip)
		return -1;
	fpdus = rda_mpa_looks_like(piece->bytes + skip, (uint32_t)(piece->length - skip), &checked,
				   &reach);
	if (checked || fpdus > 1 || (fpdus && (reach == left || reach == left + CRC_BYTES)))
		return skip;
	if (fpdus) {
		m->joins = true;
		m->join = (uint32_t)(piece->offset + skip + reach);
	}
	return -1;
}

/*
 * Where nothing is known: a segment may begin with an FPDU, or with a start frame. Markers tell of
 * an FPDU in whatever place; where there are some, where segments begin tells nothing.
 */
static bool finds_again(struct rda_mpa *m, const struct rda_piece *piece, int64_t *at)
{
	static const uint8_t front[MARKER_BYTES];
	int64_t begin = -1;
	uint32_t inside;

	if (!piece->bytes)
		return false;
	if (*at == 0 && piece->begins_segment &&
	    rda_mpa_is_start_alone(piece->bytes, (uint32_t)piece->length, piece->segment_left)) {
		m->state = RDA_MPA_BEGIN;
		m->frame_have = 0;
		return true;
	}
	if (m->markers)
		begin = rda_marker_finds(m->operation_begin, piece, *at);
	if (begin < 0 && *at == 0)
		begin = unmarked_begin(m, piece);
	if (begin < 0)
		return false;
	m->lost_bytes += (uint64_t)(begin - *at);
	*at = begin;
	begin_fpdus(m, piece->offset + begin);
	if (before_marker(m, piece->offset + begin - 1, &inside) == 0) /* its own: all zeros */
		m->crc = rda_crc32c(0, front, MARKER_BYTES);
	return true;
}

/*
 * At the first FPDU: the marker in front of it is all zeros, and no FPDU begins like that. Where
 * the start frames did not tell whether there are any, this does.
 */
static void test_markers(struct rda_mpa *m, const struct rda_piece *piece, int64_t at)
{
	static const uint8_t first_marker[MARKER_BYTES];
	const uint8_t *bytes = piece->bytes + at;
	int64_t length = piece->length - at;
	bool present = length > MARKER_BYTES && memcmp(bytes, first_marker, MARKER_BYTES) == 0 &&
		       rda_marker_free_fpdu(bytes + MARKER_BYTES, length - MARKER_BYTES);
	bool absent = rda_marker_free_fpdu(bytes, length);

	if (present == absent)
		return;
	m->markers_contradict = m->markers_known && present != m->markers;
	m->markers = present;
	m->markers_known = true;
}

void rda_mpa_piece(struct rda_mpa *m, const struct rda_piece *piece,
		   const struct rda_mpa_sink *sink)
{
	int64_t at = 0;

	while (at < piece->length) {
		if (m->state == RDA_MPA_LOST && !joins(m, piece, &at) &&
		    !finds_again(m, piece, &at)) {
			m->lost_bytes += (uint64_t)(piece->length - at);
			return;
		}
		if (m->state == RDA_MPA_BEGIN) {
			at += take_start(m, piece, sink);
			continue;
		}
		if (piece->bytes && piece->offset + at == m->operation_begin)
			test_markers(m, piece, at);
		at += take_fpdu(m, piece, at, sink);
	}
}
