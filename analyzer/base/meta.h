/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the source of a packet knows and its bytes do not say.
 */
#ifndef RDA_META_H
#define RDA_META_H

#include <stdint.h>

/*
 * One number for a frame of one of several captures, so that what remembers frames need not
 * remember captures beside them; 0: none.
 */
#define RDA_PLACE_SHIFT 44 /* 2^44 packets are 128 TB of the smallest */

static inline uint64_t rda_place_id(uint32_t capture, uint64_t number)
{
	return (uint64_t)capture << RDA_PLACE_SHIFT | number;
}

static inline uint32_t rda_place_capture(uint64_t place)
{
	return (uint32_t)(place >> RDA_PLACE_SHIFT);
}

static inline uint64_t rda_place_number(uint64_t place)
{
	return place & ((UINT64_C(1) << RDA_PLACE_SHIFT) - 1);
}

/*
 * The time of what has not happened: before all others. 0 is a time like any other, and times
 * before 1970 are negative.
 */
#define RDA_NEVER_NS INT64_MIN

/* Sums and multiples of durations that are not negative; INT64_MAX where they do not fit. */
static inline int64_t rda_ns_sum(int64_t a, int64_t b)
{
	return a > INT64_MAX - b ? INT64_MAX : a + b;
}

static inline int64_t rda_ns_times(int64_t ns, int64_t times)
{
	return ns > INT64_MAX / times ? INT64_MAX : ns * times;
}

struct rda_meta {
	int64_t time_ns; /* since 1970, as the capture tells it; within 2^62, so that differences
			    fit */
	uint64_t number; /* frame number from 1, as Wireshark counts; starts anew with each capture
			  */
	uint32_t tap;	 /* the interface that saw it: the same packet at two taps is no resend */
};

#endif
