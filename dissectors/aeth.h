/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the low five bits of an AETH syndrome count (IBTA vol 1, ch. 9; tables in Linux's rdmavt).
 *
 * Credits of an ACK and timers of an RNR NAK are coded alike, in two significant binary digits:
 * 0 1 2 3 4 6 8 12 16 24 ... 32768 49152. Credit code 31 means no information; timer code 0 is the
 * longest, not the shortest: 655.36 ms.
 */
#ifndef RDA_AETH_H
#define RDA_AETH_H

#include <stdbool.h>
#include <stdint.h>

#define RDA_CREDIT_CODE_NONE 31

static inline uint32_t rda_aeth_scale(uint8_t code)
{
	return code < 2 ? code : (2u + (code & 1)) << (code / 2 - 1);
}

/* The credits that an ACK grants; false when it says nothing about them. */
static inline bool rda_aeth_credits(uint8_t syndrome, uint32_t *credits)
{
	uint8_t code = syndrome & 0x1f;

	*credits = rda_aeth_scale(code);
	return code != RDA_CREDIT_CODE_NONE;
}

/* How long an RNR NAK asks to wait, in microseconds. */
static inline uint32_t rda_rnr_timer_us(uint8_t syndrome)
{
	uint8_t code = syndrome & 0x1f;

	return code == 0 ? 655360 : 10 * rda_aeth_scale(code);
}

#endif
