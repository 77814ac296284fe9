/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A connection that begins with an MPA request or reply is iWARP at once. One whose start was not
 * captured must show FPDUs: in a row, in segments that each begin with one, in either direction.
 *
 * That chance makes one: an untagged header must name its own queue in 32 bits, a tagged one has 13
 * bits that are fixed, and every CRC field that is in the segment must be 0 or fit in 32 bits.
 */
#include "analyzer/iwarp_detect.h"

#include <glib.h>
#include <string.h>

struct rda_iwarp_candidate {
	struct rda_iwarp_key key;
	bool used;
	uint8_t score; /* FPDUs in a row */
	uint8_t kept_count;
	struct rda_iwarp_kept kept[RDA_IWARP_KEPT_SEGMENTS];
};

void rda_iwarp_free_kept(struct rda_iwarp_kept *kept, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		g_free((void *)(uintptr_t)kept[i].segment.bytes);
}

static void clear(struct rda_iwarp_candidate *candidate)
{
	rda_iwarp_free_kept(candidate->kept, candidate->kept_count);
	candidate->kept_count = 0;
	candidate->score = 0;
}

void rda_iwarp_forget_candidates(struct rda_iwarp *iw)
{
	for (unsigned i = 0; iw->candidates && i < RDA_IWARP_CANDIDATES; i++)
		clear(&iw->candidates[i]);
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
		clear(candidate);
		memcpy(&candidate->key, key, sizeof(*key));
		candidate->used = true;
	}
	return candidate;
}

static void keep(struct rda_iwarp_candidate *candidate, unsigned side,
		 const struct rda_segment *segment, const struct rda_tcp *tcp)
{
	struct rda_iwarp_kept *kept;

	if (candidate->kept_count == RDA_IWARP_KEPT_SEGMENTS ||
	    segment->captured > RDA_IWARP_KEPT_BYTES)
		return;
	kept = &candidate->kept[candidate->kept_count++];
	kept->segment = *segment;
	kept->segment.bytes = g_memdup2(segment->bytes, segment->captured);
	kept->tcp = *tcp;
	kept->side = side;
}

bool rda_iwarp_detect(struct rda_iwarp *iw, const struct rda_iwarp_key *key, unsigned side,
		      const struct rda_segment *segment, const struct rda_tcp *tcp,
		      bool *from_start, struct rda_iwarp_kept kept[RDA_IWARP_KEPT_SEGMENTS],
		      unsigned *kept_count)
{
	struct rda_iwarp_candidate *candidate;
	unsigned fpdus;
	bool checked;

	*kept_count = 0;
	*from_start = false;
	if (segment->captured == 0)
		return false;
	if (rda_mpa_is_start(segment->bytes, segment->captured)) {
		*from_start = true;
		return true;
	}
	fpdus = rda_mpa_looks_like(segment->bytes, segment->captured, &checked);
	if (fpdus == 0 && !iw->candidates)
		return false;
	candidate = candidate_of(iw, key);
	if (fpdus == 0) {
		clear(candidate);
		return false;
	}
	if (fpdus >= RDA_IWARP_CONFIRM || candidate->score + fpdus >= RDA_IWARP_CONFIRM ||
	    checked) {
		memcpy(kept, candidate->kept, sizeof(candidate->kept));
		*kept_count = candidate->kept_count;
		candidate->kept_count = 0;
		clear(candidate);
		candidate->used = false;
		return true;
	}
	candidate->score = (uint8_t)(candidate->score + fpdus);
	keep(candidate, side, segment, tcp);
	return false;
}
