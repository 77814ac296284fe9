/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What hosts were told in clear: the beginnings of the SENDs and management messages that they
 * got, kept for a while, so that one can ask whether a memory key stood in one.
 *
 *     SENDs to A   | .. | r_key 0x1622 of B, address 0x7f12.. | .. |     A: WRITE r_key 0x1622
 *                        ^ told here                                     ^ asked when first used
 *
 * Keeping is a copy of a few bytes; the search happens once for each key. What is not kept (data of
 * WRITEs and READs, what stands further behind, what was cut, what had to make room) is noted: then
 * nobody can say that a host was not told.
 */
#ifndef RDA_CLEAR_TEXT_H
#define RDA_CLEAR_TEXT_H

#include "analyzer/track/keys/key_event.h"

/* Kept of each message: protocols name their keys near its start (NVMe at byte 35, RPC below 100),
 * and in CM's private data within 256. */
#define RDA_CLEAR_BYTES 256

/* Kept for each host: some hundred messages, of which the latest tell the keys that are used next.
 */
#define RDA_CLEAR_PER_HOST 32768

/* Kept in all, and searched in all: beyond it a capture with many hosts, or many keys that nobody
 * was told, would cost more than it tells. */
#define RDA_CLEAR_TOTAL	   (32 << 20)
#define RDA_CLEAR_SEARCHED (256 << 20)

struct rda_clear_message {
	uint64_t place; /* of its frame (meta.h) */
	uint32_t begin; /* in `bytes` */
	uint32_t length;
};

struct rda_clear_host {
	uint8_t *bytes;			    /* owned */
	struct rda_clear_message *messages; /* owned; in order */
	uint32_t used, allocated, count, allocated_messages;
	uint64_t overlooked; /* place of the latest that was not, or not wholly, kept; 0 none */
	uint64_t dropped;    /* place of the latest that had to make room; 0 none */
};

struct rda_clear_text {
	struct rda_clear_host *hosts; /* owned; by the index of the receiver */
	uint32_t host_count;
	uint64_t begun; /* what hosts were told up to this place is forgotten; 0: nothing is */
	uint64_t total, searched;
	uint64_t limited; /* messages that were not kept for want of room, searches not made */
};

void rda_clear_text_init(struct rda_clear_text *text);
void rda_clear_text_cleanup(struct rda_clear_text *text);

/* A message to a host: `length` bytes of it were captured, `whole` is its length. */
void rda_clear_text_keep(struct rda_clear_text *text, uint32_t host, uint64_t place,
			 const uint8_t *bytes, uint32_t length, uint32_t whole);

/* Data to a host that is not kept; between two messages in any order. */
void rda_clear_text_pass(struct rda_clear_text *text, uint32_t host, uint64_t place);

/*
 * The latest message to a host, from frames behind `after` and before `before`, in which the key
 * stands, in either byte order. Fills *told in any case; what the search cost is added to `text` by
 * rda_clear_text_searched.
 */
bool rda_clear_text_find(const struct rda_clear_text *text, uint32_t host, uint32_t key,
			 uint64_t address, uint64_t after, uint64_t before,
			 struct rda_key_told *told);

void rda_clear_text_searched(struct rda_clear_text *text, const struct rda_key_told *told);

/* About what all that is kept takes. */
uint64_t rda_clear_text_bytes(const struct rda_clear_text *text);

#endif
