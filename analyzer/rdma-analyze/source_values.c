/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What all readers tell alike: times, link types and limits. Apart from them, because the plugin
 * needs it too, and no reader.
 */
#include "analyzer/rdma-analyze/source_reader.h"

#define NS_PER_SECOND 1000000000

/* Years 1823 to 2116: the difference of any two times fits in 64 bits too. */
#define TIME_LIMIT (INT64_C(1) << 62)

int64_t rda_source_time(int64_t seconds, uint32_t nanoseconds)
{
	if (nanoseconds >= NS_PER_SECOND)
		nanoseconds = NS_PER_SECOND - 1;
	if (seconds >= TIME_LIMIT / NS_PER_SECOND)
		return TIME_LIMIT - 1;
	if (seconds <= -TIME_LIMIT / NS_PER_SECOND)
		return -TIME_LIMIT;
	return seconds * NS_PER_SECOND + nanoseconds;
}

uint16_t rda_source_link(unsigned link)
{
	switch (link) {
	case 11: return 100; /* RFC 1483 ATM */
	case 12:
	case 14: return 101; /* raw IP */
	case 13: return 109; /* OpenBSD IPsec */
	case 16:
	case 18:
	case 19: return 106;  /* IP over ATM on Linux */
	case 50: return 9;    /* PPP */
	case 112: return 104; /* Cisco HDLC */
	default: return link < RDA_LINK_UNKNOWN ? (uint16_t)link : RDA_LINK_UNKNOWN;
	}
}

uint32_t rda_source_most_captured(unsigned link)
{
	switch (link) {
	case 231: return 128 * 1024 * 1024; /* D-Bus */
	case 249: return 128 * 1024 * 1024; /* USBPcap */
	case 279: return 8 * 1024 * 1024;   /* EBHSCR */
	default: return 256 * 1024;
	}
}
