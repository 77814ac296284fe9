/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One direction of an MPA connection (RFC 5044, 6581): bytes of the TCP stream in, start frames and
 * FPDUs out.
 *
 *     | length | ULPDU ... | pad 0-3 | CRC32c |   with a marker of 4 bytes at every 512th byte
 *       2                              4          of the stream, where they were agreed on
 *
 * Only the headers of an FPDU are kept; its payload passes by, and through the CRC where one is in
 * use. So memory does not depend on lengths. A hole inside a payload costs the CRC of that FPDU;
 * one that has a header in it costs the FPDUs up to the next that begins with a segment and looks
 * like one.
 */
#ifndef RDA_MPA_H
#define RDA_MPA_H

#include "analyzer/track/iwarp/fpdu.h"
#include "analyzer/track/iwarp/stream.h"

/* whether CRCs are in use: the start frames say so */
enum rda_mpa_use { RDA_MPA_USE_UNKNOWN, RDA_MPA_USE_OFF, RDA_MPA_USE_ON };

struct rda_mpa_sink {
	void (*start)(void *context, const struct rda_mpa_start_seen *start);
	void (*fpdu)(void *context, const struct rda_fpdu_seen *fpdu);
	/* what should be an FPDU is none: bytes are left out until one is found again */
	void (*lost)(void *context, const struct rda_piece *piece, bool hole);
	void *context;
};

enum rda_mpa_state {
	RDA_MPA_BEGIN, /* before the start frame */
	RDA_MPA_FPDUS,
	RDA_MPA_LOST, /* until a segment begins with an FPDU, or a marker tells of one */
};

struct rda_mpa {
	uint8_t state; /* enum rda_mpa_state */
	uint8_t crc_use;
	bool markers;		 /* in this direction */
	bool markers_known;	 /* the start frames were seen, or the FPDUs tell */
	bool markers_contradict; /* the first FPDU has them, or has them not, against the start
				    frames: `markers` is what is so */
	int64_t since;		 /* where FPDUs begin that follow one another up to here */
	int64_t far_at;		 /* the latest of those behind a place where a marker would be, */
	uint32_t far;		 /* and how many, with such a place between them */
	bool guessed;		 /* the first of them was found by what stands there */
	bool joins;		 /* an FPDU begins at: */
	uint32_t join;		 /* this sequence number */
	int64_t operation_begin; /* offset of the first byte behind the start frame: markers count
				    from it */

	union {
		/* the start frame at hand: state BEGIN */
		uint8_t frame[RDA_MPA_START_BYTES + RDA_MPA_PRIVATE_DATA_MAX];
		/* the FPDU at hand: the other states */
		struct {
			uint8_t head[RDA_MPA_KEPT];
			struct rda_fpdu_seen fpdu;
		};
	};
	uint32_t frame_have;

	/* of the FPDU at hand, too; all counts are without markers */
	uint8_t *more; /* borrowed: room for as many bytes of a SEND's payload; NULL: none is wanted
			*/
	uint32_t more_room, more_have;
	uint32_t have;	/* bytes so far */
	uint32_t total; /* of the whole FPDU; 0 while its length is not known */
	bool holed;	/* part of it was not captured */
	bool doubtful;	/* part of it may be damaged */
	bool unchecked; /* of part of it no checksum of TCP tells that it is what was sent */
	uint32_t crc;	/* of the bytes so far */
	uint8_t crc_bytes[4];
	uint8_t marker[4];
	uint64_t fpdus, lost_bytes;
};

void rda_mpa_init(struct rda_mpa *mpa);

/* What the two start frames agreed on for this direction. */
void rda_mpa_agree(struct rda_mpa *mpa, bool markers, bool crc);

/*
 * There was no start frame to be seen: FPDUs from *sequence on, or (NULL) from the next segment on
 * that begins with one.
 */
void rda_mpa_join(struct rda_mpa *mpa, const uint32_t *sequence);

void rda_mpa_piece(struct rda_mpa *mpa, const struct rda_piece *piece,
		   const struct rda_mpa_sink *sink);

/* Whether the bytes so far end inside an FPDU. */
static inline bool rda_mpa_is_inside(const struct rda_mpa *mpa)
{
	return mpa->state == RDA_MPA_FPDUS && mpa->have > 0;
}

/* Where the headers of the FPDU at hand end, at the latest, once its length is known: the payload
 * of a short one may be in them. */
static inline uint32_t rda_mpa_head_bytes(const struct rda_mpa *mpa)
{
	uint32_t body = mpa->total - 4; /* without its CRC */

	return body < RDA_MPA_HEAD ? body : RDA_MPA_HEAD;
}

/* Whether all of them are there. */
static inline bool rda_mpa_has_head(const struct rda_mpa *mpa)
{
	return mpa->total && mpa->have >= rda_mpa_head_bytes(mpa);
}

/*
 * How many FPDUs these bytes look like, one behind the other, without markers; 0 when one of them
 * does not. *checked: some had a CRC that fits, and is not 0. *reach: where the FPDU behind them
 * begins; past `length` when the last is not all there.
 */
unsigned rda_mpa_looks_like(const uint8_t *bytes, uint32_t length, bool *checked, uint32_t *reach);

/* Whether bytes begin with the key of a request; or of a request or a reply. */
bool rda_mpa_is_request(const uint8_t *bytes, uint32_t length);
bool rda_mpa_is_start(const uint8_t *bytes, uint32_t length);

/* And nothing behind it in its segment of `segment` bytes: who sends one waits for the other side.
 */
bool rda_mpa_is_start_alone(const uint8_t *bytes, uint32_t length, int64_t segment);

#endif
