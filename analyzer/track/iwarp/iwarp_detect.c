/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A connection that begins with an MPA request or reply is iWARP at once. One whose start was not
 * captured must show FPDUs in a row: the first where a segment begins, each other exactly where the
 * length of the one before says, in whatever segment that is.
 *
 * That chance makes one: an untagged header must name its own queue in 32 bits, a tagged one has 13
 * bits that are fixed, and every CRC field that is in the segment must be 0 or fit in 32 bits.
 * docs/detection.md has what was measured. Bytes that come twice count once.
 */
#include "analyzer/track/iwarp/state.h"

#include "dissectors/tcp.h"

#include <glib.h>
#include <string.h>

struct rda_iwarp_candidate {
	struct rda_iwarp_key key;
	bool used;
	uint8_t score;		       /* FPDUs in a row, of both sides */
	struct rda_iwarp_mark next[2]; /* where the FPDU behind them begins, by side */
	struct rda_iwarp_mark first[2];
	uint8_t kept_count;
	struct rda_iwarp_kept kept[RDA_IWARP_KEPT_SEGMENTS];
};

bool rda_mpa_is_start_alone(const uint8_t *bytes, uint32_t length, int64_t segment)
{
	struct rda_cursor c = {bytes, 0, length, length};
	struct rda_mpa_start start;

	return rda_mpa_is_start(bytes, length) &&
	       (!rda_read_mpa_start(&c, &start) ||
		segment <= RDA_MPA_START_BYTES + start.private_data_length);
}

void rda_iwarp_free_kept(struct rda_iwarp *iw, struct rda_iwarp_kept *kept, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		iw->kept_bytes -= kept[i].segment.captured;
		g_free((void *)(uintptr_t)kept[i].segment.bytes);
	}
}

/* Nothing is kept of it any more: what is handed on begins later. */
static void drop_kept(struct rda_iwarp *iw, struct rda_iwarp_candidate *candidate)
{
	rda_iwarp_free_kept(iw, candidate->kept, candidate->kept_count);
	candidate->kept_count = 0;
	memset(candidate->first, 0, sizeof(candidate->first));
}

static void clear(struct rda_iwarp *iw, struct rda_iwarp_candidate *candidate)
{
	drop_kept(iw, candidate);
	memset(candidate->next, 0, sizeof(candidate->next));
	candidate->score = 0;
}

void rda_iwarp_forget_candidates(struct rda_iwarp *iw)
{
	for (unsigned i = 0; iw->candidates && i < RDA_IWARP_CANDIDATES; i++)
		clear(iw, &iw->candidates[i]);
	g_free(iw->candidates);
	iw->candidates = NULL;
}

/* The place of a key: another connection's is taken over. */
static struct rda_iwarp_candidate *candidate_of(struct rda_iwarp *iw,
						const struct rda_iwarp_key *key)
{
	struct rda_iwarp_candidate *candidate;
	uint64_t hash = iw->seed;
	const uint8_t *bytes = (const uint8_t *)key;

	if (!iw->candidates)
		iw->candidates = g_new0(struct rda_iwarp_candidate, RDA_IWARP_CANDIDATES);
	for (size_t i = 0; i < sizeof(*key); i++)
		hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
	candidate = &iw->candidates[(hash >> 20) % RDA_IWARP_CANDIDATES];
	if (!candidate->used || memcmp(&candidate->key, key, sizeof(*key)) != 0) {
		clear(iw, candidate);
		memcpy(&candidate->key, key, sizeof(*key));
		candidate->used = true;
	}
	return candidate;
}

/* Keeps a segment until the connection is known; where there is no room, none before it either. */
static void keep(struct rda_iwarp *iw, struct rda_iwarp_candidate *candidate, unsigned side,
		 const struct rda_segment *segment, const struct rda_frame *frame,
		 const struct rda_packet *packet)
{
	struct rda_iwarp_kept *kept;

	if (!candidate->first[side].known)
		return;
	if (candidate->kept_count == RDA_IWARP_KEPT_SEGMENTS ||
	    iw->kept_bytes + segment->captured > RDA_IWARP_KEPT_MAX) {
		drop_kept(iw, candidate);
		return;
	}
	kept = &candidate->kept[candidate->kept_count++];
	kept->segment = *segment;
	kept->segment.bytes = g_memdup2(segment->bytes, segment->captured);
	kept->tcp = packet->tcp;
	kept->check = rda_tcp_check(frame, packet);
	kept->side = side;
	iw->kept_bytes += segment->captured;
}

/*
 * Counts the FPDUs of a segment, from where one should begin. False: there is none. *checked: a CRC
 * fits.
 */
static bool count_fpdus(struct rda_iwarp_candidate *candidate, unsigned side,
			const struct rda_segment *segment, uint32_t ahead, bool *checked)
{
	uint32_t reach;
	unsigned fpdus = rda_mpa_looks_like(segment->bytes + ahead, segment->captured - ahead,
					    checked, &reach);

	if (fpdus == 0 && reach == 0)
		return false;
	if (!candidate->first[side].known)
		candidate->first[side] = (struct rda_iwarp_mark){true, segment->sequence + ahead};
	candidate->next[side] = (struct rda_iwarp_mark){true, segment->sequence + ahead + reach};
	candidate->score = (uint8_t)MIN(candidate->score + fpdus, RDA_IWARP_CONFIRM);
	return true;
}

/* The candidate is found out; what was kept of it is the caller's. */
static bool release(struct rda_iwarp_candidate *candidate, struct rda_iwarp_detected *detected)
{
	memcpy(detected->first, candidate->first, sizeof(detected->first));
	memcpy(detected->kept, candidate->kept, sizeof(detected->kept));
	detected->kept_count = candidate->kept_count;
	memset(candidate, 0, sizeof(*candidate));
	return true;
}

bool rda_iwarp_detect(struct rda_iwarp *iw, const struct rda_iwarp_key *key, unsigned side,
		      const struct rda_segment *segment, const struct rda_frame *frame,
		      const struct rda_packet *packet, struct rda_iwarp_detected *detected)
{
	struct rda_iwarp_candidate *candidate;
	bool checked = false, is_first;
	uint32_t reach;
	int32_t ahead;

	detected->kept_count = 0;
	detected->from_start = false;
	if (rda_mpa_is_start_alone(segment->bytes, segment->captured, segment->length)) {
		detected->from_start = true;
		return true;
	}
	if (segment->captured == 0 || segment->syn)
		return false;
	if (!iw->candidates &&
	    !rda_mpa_looks_like(segment->bytes, segment->captured, &checked, &reach))
		return false;
	candidate = candidate_of(iw, key);
	ahead = (int32_t)(candidate->next[side].sequence - segment->sequence);
	if (!candidate->next[side].known)
		ahead = 0;
	if (ahead >= (int32_t)segment->captured) {
		keep(iw, candidate, side, segment, frame,
		     packet); /* inside an FPDU, or seen before */
		return false;
	}
	if (ahead < 0) { /* behind bytes that were not captured */
		clear(iw, candidate);
		ahead = 0;
	}
	is_first = !candidate->first[0].known && !candidate->first[1].known;
	if (!count_fpdus(candidate, side, segment, (uint32_t)ahead, &checked)) {
		clear(iw, candidate);
		return false;
	}
	/* its addresses or ports may be what is damaged: then nothing follows */
	if ((checked || candidate->score >= RDA_IWARP_CONFIRM) &&
	    !(is_first && rda_tcp_check(frame, packet) == RDA_TCP_CHECK_MISMATCH))
		return release(candidate, detected);
	keep(iw, candidate, side, segment, frame, packet);
	return false;
}
