/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What mpa.c makes of a stream, as values: start frames and FPDUs.
 */
#ifndef RDA_FPDU_H
#define RDA_FPDU_H

#include "dissectors/rdmap.h"

enum { RDA_MPA_MARKER_EVERY = 512, RDA_MPA_PRIVATE_DATA_MAX = 512 };

/* Of an FPDU: its length and headers. */
enum { RDA_MPA_HEAD = 2 + RDA_ULPDU_HEADERS_MAX };

/* What is kept of each FPDU: its headers, and as much of a SEND's payload as tells what upper layer
 * there is (ulp.h). */
enum { RDA_MPA_KEPT = 2 + RDA_DDP_UNTAGGED_BYTES + 128 };

/* Length, pad and CRC of an FPDU whose ULPDU has so many bytes. */
static inline uint32_t rda_fpdu_bytes(uint32_t length)
{
	return ((2 + length + 3) & ~3u) + 4;
}

enum rda_mpa_crc {
	RDA_MPA_CRC_OFF, /* not in use: what stands there means nothing */
	RDA_MPA_CRC_GOOD,
	RDA_MPA_CRC_BAD,
	RDA_MPA_CRC_NOT_CHECKABLE, /* a hole, or not known whether it is in use and no match */
};

struct rda_fpdu_seen {
	struct rda_ulpdu ulpdu;
	int64_t offset;			   /* in the stream, of its length field */
	uint64_t first_place;		   /* of the segment that it begins in, meta.h */
	uint64_t place;			   /* of the one that it ends in */
	int64_t first_ns, time_ns;	   /* of these two segments */
	uint8_t crc;			   /* enum rda_mpa_crc */
	uint32_t crc_stored, crc_computed; /* valid if BAD */
	bool pad_not_zero;
	bool doubtful; /* some of its bytes were damaged here, perhaps, and no CRC vouches for it */
	bool checked;  /* its CRC fits, or the checksums of all segments that it lies in */
	bool begins_segment;
	bool guessed; /* where it begins is told by what stands there, and by no CRC that fits */
	bool front_unknown; /* it was found again, or what its segment begins with was there before
			     */
	/* what is kept of the payload: its beginning, in one piece; valid for the call */
	const uint8_t *payload;
	uint32_t payload_have;
	uint8_t bad_markers;	 /* saturates */
	uint8_t swapped_markers; /* of them: right in the other byte order */
};

/* A request or reply frame. */
struct rda_mpa_start_seen {
	struct rda_mpa_start start;
	bool is_reply;
	bool has_depths; /* revision 2, enhanced: */
	struct rda_mpa_depths depths;
	const uint8_t *private_data; /* what the frame has behind these; borrowed for the call */
	uint32_t private_data_length;
	bool doubtful; /* its segment's checksum does not fit */
	uint64_t place;
	int64_t time_ns;
};

#endif
