/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the source of a packet knows and its bytes do not say.
 */
#ifndef RDA_META_H
#define RDA_META_H

#include <stdint.h>

struct rda_meta {
	int64_t time_ns; /* since 1970, as the capture tells it */
	uint64_t number; /* frame number from 1, as Wireshark counts; starts anew with each capture
			  */
	uint32_t tap;	 /* the interface that saw it: the same packet at two taps is no resend */
};

#endif
