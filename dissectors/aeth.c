/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Credit codes and RNR timer codes of the AETH.
 */
#include "dissectors/aeth.h"

/* 1, 2, 3, 4, 6, 8, 12, 16 ... for 1, 2, 3 ...: the powers of two and, between them, one and a half
 */
static uint32_t step(unsigned code)
{
	return code & 1 ? (3u << (code / 2)) >> 1 : 1u << (code / 2);
}

int32_t rda_aeth_credits(uint8_t syndrome)
{
	unsigned code = syndrome & 31;

	if (code == 31)
		return RDA_NO_CREDITS;
	return code ? (int32_t)step(code) : 0;
}

int64_t rda_aeth_rnr_ns(uint8_t syndrome)
{
	unsigned code = syndrome & 31;

	return INT64_C(10000) * (code ? step(code) : 65536);
}
