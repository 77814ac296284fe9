/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frames of real senders whose CRCs are right.
 */
#ifndef RDA_TEST_VECTORS_H
#define RDA_TEST_VECTORS_H

#include <stdint.h>

struct rda_vector {
	const char *name;
	uint16_t link;
	const char *frame;
	uint32_t icrc; /* as a number: on the wire its last byte comes first */
	int32_t vcrc;  /* as a number, or -1 */
};

/*
 * RoCE: the vectors that scapy tests its RoCE layer with; the CNP was recorded from a ConnectX-4
 * Lx. InfiniBand: the first packets without and with a GRH of Wireshark's sample capture
 * infiniband.pcap.
 */
static const struct rda_vector rda_vectors[] = {
	{"RoCEv2, CNP", 1,
	 "e41d2dab2bc2 7cfe90643b32 0800 45c2003c718c40004011 9161 0a001101 0a001201"
	 "000012b700280000 8100ffff4000011800000000 00000000000000000000000000000000 82fd002a",
	 0x2a00fd82, -1},
	{"RoCEv2, UC SEND Only", 1,
	 "248a07a8fa22 248a07a8fa22 0800 450100400478 40004011b4d5c0a80007c0a80007 c00012b7002caca2"
	 "2460ffff000000d300cf1710 4630818be28935d90e9a95505401be885e500000 78f353f3",
	 0xf353f378, -1},
	{"RoCEv2 over IPv6, UC SEND Only", 1,
	 "248a07a8fa22 248a07a8fa22 86dd 6e21face002c11ff20220000000000000000000000001023"
	 "20230000000000000000000000001024 c00012b7002ce7c5"
	 "2460ffff000000d300cf1710 4630818be28935d90e9a95505401be885e500000 3e5b743b",
	 0x3b745b3e, -1},
	{"RoCEv1, RDMA WRITE Only", 1,
	 "7cfe90753cd8 7cfe90753cd8 8915 6020000000281b40 00000000000000000000ffff0f000002"
	 "00000000000000000000ffff0f000002 0a70ffff0000010a80a788bc"
	 "000055d4c0726000000047b300000005 0000000001000000 e3d856bb",
	 0xbb56d8e3, -1},
	{"RoCEv1, Acknowledge", 1,
	 "7cfe90753cd8 7cfe90753cd8 8915 6020000000141b40 00000000000000000000ffff0f000002"
	 "00000000000000000000ffff0f000002 1140ffff0000010900a788c0 00000005 25f0c038",
	 0x38c0f025, -1},
	{"InfiniBand, LNH 2, Acknowledge", 247,
	 "0002000400070001 1140ffff0087040800d40a55 1f000001 a8035550 3081", 0x505503a8, 0x8130},
	{"InfiniBand, LNH 3, UD SEND Only", 247,
	 "0003c00000210004 6000000000541b00fe800000000000000002c9020024f636"
	 "ff12401bffff000000000000ffffffff 6440ffff00ffffff000020af 00000b1b00000405"
	 "08060000002008001404000180000405fe800000000000000002c9020024f636"
	 "0a00012200000000000000000000000000000000000000000a00003a bd6bd6a8 8883",
	 0xa8d66bbd, 0x8388},
};

#endif
