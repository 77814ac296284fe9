/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PSNs are 24 bits on the wire and 64 everywhere else.
 *
 * rda_psn_widen rebuilds the whole number that is nearest to one seen before (IBTA vol 1: at most
 * 2^23 PSNs are outstanding, so nearest is right). After that PSNs are compared as integers, and a
 * wrap is nothing special. No other place may compare raw PSNs.
 */
#ifndef RDA_PSN_H
#define RDA_PSN_H

#include <stdint.h>

#define RDA_PSN_MASK 0xffffff

/* Wide numbers start here, so that the ones below the first packet's stay positive. */
#define RDA_PSN_ORIGIN (INT64_C(1) << 32)

static inline int64_t rda_psn_widen(int64_t near, uint32_t psn24)
{
	int64_t ahead = (int64_t)((psn24 - (uint32_t)near) & RDA_PSN_MASK);

	return near + (ahead ^ 0x800000) - 0x800000;
}

/* The first number of a flow: nothing is near yet. */
static inline int64_t rda_psn_first(uint32_t psn24)
{
	return RDA_PSN_ORIGIN + (int64_t)psn24;
}

static inline uint32_t rda_psn_narrow(int64_t psn)
{
	return (uint32_t)psn & RDA_PSN_MASK;
}

#endif
