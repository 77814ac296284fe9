/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The AETH syndrome in words and numbers (IBTA vol 1, ch. 9; the tables as Linux has them).
 *
 *     bit 7    0
 *     bits 6-5 0 ACK: credits; 1 RNR NAK: timer; 3 NAK: code; 2 reserved
 *     bits 4-0 the value
 */
#ifndef RDA_AETH_H
#define RDA_AETH_H

#include "dissectors/values.h"

#include <stdint.h>

/* What an AETH says, by the type bits of its syndrome. */
enum rda_aeth_kind {
	RDA_AETH_ACK,
	RDA_AETH_RNR,
	RDA_AETH_RESERVED,
	RDA_AETH_NAK,
};

static inline enum rda_aeth_kind rda_syndrome_kind(uint8_t syndrome)
{
	return (enum rda_aeth_kind)(syndrome >> 5 & 3);
}

#define RDA_NO_CREDITS (-1)

/* The credits of an ACK: messages that may be sent ahead of its MSN; RDA_NO_CREDITS: not in use. */
int32_t rda_aeth_credits(uint8_t syndrome);

/* The time that an RNR NAK asks to wait, in nanoseconds. Code 0 is the longest: 655.36 ms. */
int64_t rda_aeth_rnr_ns(uint8_t syndrome);

#endif
