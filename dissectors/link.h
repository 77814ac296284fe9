/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Link types that are understood, by their LINKTYPE_ number (the tcpdump registry).
 */
#ifndef RDA_LINK_H
#define RDA_LINK_H

#include "analyzer/rda.h"

/* RDA_LINKS(L): L(ID, LINKTYPE_ value, "name") */
#define RDA_LINKS(L)                                                                               \
	L(LOOPBACK, 0, "BSD loopback")                                                             \
	L(ETHERNET, 1, "Ethernet")                                                                 \
	L(RAW_12, 12, "Raw IP")                                                                    \
	L(RAW_14, 14, "Raw IP")                                                                    \
	L(RAW, 101, "Raw IP")                                                                      \
	L(LOOP, 108, "OpenBSD loopback")                                                           \
	L(SLL, 113, "Linux cooked v1")                                                             \
	L(ERF, 197, "ERF")                                                                         \
	L(IPV4, 228, "Raw IPv4")                                                                   \
	L(IPV6, 229, "Raw IPv6")                                                                   \
	L(INFINIBAND, 247, "InfiniBand")                                                           \
	L(SLL2, 276, "Linux cooked v2")

enum rda_link {
#define RDA_L(ID, value, name) RDA_LINK_##ID = (value),
	RDA_LINKS(RDA_L)
#undef RDA_L
};

/* The link type's name, or NULL when frames of it cannot be decoded. */
const char *rda_link_name(unsigned link);

/* The index of the interface on its host that saw the frame, where its link header tells one (Linux
 * cooked v2, a capture of "any"); 0: it does not. */
uint32_t rda_link_interface(const struct rda_frame *frame);

#endif
