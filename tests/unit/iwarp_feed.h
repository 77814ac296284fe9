/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For the tests of iWARP: a connection of host 1 (side 0, the initiator) with host 2 (side 1), as
 * TCP segments.
 *
 *     rda_iwarp_open(&w);                            start frames
 *     rda_iwarp_send(&w, 0, 1, 100);                 SEND number 1 of 100 bytes, by host 1
 *     rda_iwarp_write(&w, 0, 0x1100, 0x7000, 64);
 *     rda_iwarp_finish(&w);
 *     ck_assert_uint_eq(rda_iwarp_cases(&w, RDA_CHECK_W11), 0);
 *
 * How the bytes are cut into segments, and what becomes of these on the way, is set in `shape`: it
 * must not matter for what is found out about RDMA.
 */
#ifndef RDA_TEST_IWARP_FEED_H
#define RDA_TEST_IWARP_FEED_H

#include "tests/unit/feed.h"

struct rda_iwarp_shape {
	const char *name;
	uint32_t mss;	/* 0: what is sent at once is one segment */
	bool duplicate; /* each segment comes twice */
	bool reverse;	/* the segments of what is sent at once come last first */
};

struct rda_iwarp_stream {
	uint32_t sequence; /* of the next byte */
	uint32_t begin;	   /* of full operation: markers are counted from it */
	bool markers, crc;
};

/* Flags of the next start frame or FPDU only. */
enum {
	RDA_IWARP_BAD_CRC = 1,
	RDA_IWARP_BAD_PAD = 2,
	RDA_IWARP_BAD_MARKER = 4,
	RDA_IWARP_MISSED = 8,	/* not captured, and acknowledged: a hole */
	RDA_IWARP_PENDING = 16, /* lost before the capture: nobody acknowledges it */
	RDA_IWARP_FIN = 32,
	RDA_IWARP_RST = 64,
};

struct rda_iwarp_feed {
	struct rda_feed feed;
	struct rda_iwarp_shape shape;
	struct rda_iwarp_stream streams[2];
	unsigned flags;
	uint16_t port; /* of side 0 */
	uint16_t window;
	uint32_t ip_id; /* of the latest segment */
	uint32_t openings;
	bool checksums; /* TCP's are right; else all of them are 0 */
};

void rda_iwarp_feed_begin(struct rda_iwarp_feed *w);
void rda_iwarp_feed_end(struct rda_iwarp_feed *w);
void rda_iwarp_finish(struct rda_iwarp_feed *w);

/* SYNs only. */
void rda_iwarp_shake_hands(struct rda_iwarp_feed *w);

/* Bytes of a side's stream. */
void rda_iwarp_bytes(struct rda_iwarp_feed *w, unsigned side, const uint8_t *bytes,
		     uint32_t length);

/* A start frame: flags (0x80 markers, 0x40 CRC, 0x20 reject, 0x10 depths), private data in hex. */
void rda_iwarp_start(struct rda_iwarp_feed *w, unsigned side, uint8_t flags, uint8_t revision,
		     const char *private_data);

/* SYNs, and start frames without CRC and markers, revision 1. */
void rda_iwarp_open(struct rda_iwarp_feed *w);
/* SYNs, and start frames with CRCs or markers. */
void rda_iwarp_open_with(struct rda_iwarp_feed *w, uint8_t flags);
/* Revision 2 with depths; the first two bytes have IRD and flags A and B, the others ORD, C, D. */
void rda_iwarp_open_deep(struct rda_iwarp_feed *w, const char *request, const char *reply);

/* An FPDU around this ULPDU. */
void rda_iwarp_fpdu(struct rda_iwarp_feed *w, unsigned side, const struct rda_build *ulpdu);
/* An FPDU around a ULPDU: its first bytes in hex, and so many of payload. */
void rda_iwarp_raw(struct rda_iwarp_feed *w, unsigned side, const char *hex, uint32_t payload);

void rda_iwarp_write(struct rda_iwarp_feed *w, unsigned side, uint32_t stag, uint64_t offset,
		     uint32_t length);
/* Part of one; `last` ends it. */
void rda_iwarp_write_part(struct rda_iwarp_feed *w, unsigned side, uint32_t stag, uint64_t offset,
			  uint32_t length, bool last);
void rda_iwarp_send(struct rda_iwarp_feed *w, unsigned side, uint32_t msn, uint32_t length);
void rda_iwarp_invalidate(struct rda_iwarp_feed *w, unsigned side, uint32_t msn, uint32_t stag);
/* To sink STag 0x5100, offset 0x9000; from the source. */
void rda_iwarp_read(struct rda_iwarp_feed *w, unsigned side, uint32_t msn, uint32_t stag,
		    uint64_t offset, uint32_t size);
void rda_iwarp_response(struct rda_iwarp_feed *w, unsigned side, uint32_t length);
void rda_iwarp_atomic(struct rda_iwarp_feed *w, unsigned side, uint32_t msn, uint32_t id,
		      uint64_t offset, uint8_t operation);
void rda_iwarp_atomic_answer(struct rda_iwarp_feed *w, unsigned side, uint32_t msn, uint32_t id);
/* With the headers of a WRITE of so many bytes. */
void rda_iwarp_terminate_write(struct rda_iwarp_feed *w, unsigned side, const char *control,
			       uint32_t stag, uint64_t offset);

/* What was found. */
uint64_t rda_iwarp_cases(const struct rda_iwarp_feed *w, enum rda_check check);
bool rda_iwarp_says(const struct rda_iwarp_feed *w, enum rda_check check, const char *words);
/* Everything about group W but TCP (W26, W27), as text: "W18x1 W11x2 ". To be freed. */
char *rda_iwarp_found(const struct rda_iwarp_feed *w);

/* ---- stories --------------------------------------------------------------------------------- */

/*
 * What happens on a connection, and what is found (rda_iwarp_found) in every shape; `words` are in
 * the text of the last of them.
 */
struct rda_iwarp_story {
	const char *name;
	void (*act)(struct rda_iwarp_feed *w);
	const char *found;
	const char *words; /* or NULL */
};

void rda_iwarp_story_check(const struct rda_iwarp_story *story);

#endif
