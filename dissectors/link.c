/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Link types: from the first byte of a frame to the first thing that the other steps know.
 *
 * Covers the LINKTYPE_ values of link.h. In ERF the 16-byte record header (and its extension
 * headers of 8 bytes, while bit 7 of the one before is set) is part of the frame's bytes:
 *
 *     timestamp 8 | type 1 | flags 1 | rlen 2 | lctr 2 | wlen 2 | extension 8 * n | pad 2
 * (Ethernet)
 */
#include "dissectors/link.h"
#include "dissectors/walk.h"

const char *rda_link_name(unsigned link)
{
	switch (link) {
#define RDA_L(ID, value, name)                                                                     \
	case (value): return name;
		RDA_LINKS(RDA_L)
#undef RDA_L
	default: return NULL;
	}
}

uint32_t rda_link_interface(const struct rda_frame *frame)
{
	struct rda_cursor cursor = {frame->bytes, 0, frame->captured, frame->wire};
	struct rda_sll2 sll2;

	return frame->link == RDA_LINK_SLL2 && rda_read_sll2(&cursor, &sll2) ? sll2.ifindex : 0;
}

/* What an ERF record of a type holds, behind its headers. */
static enum rda_next next_of_erf_type(struct rda_walk *w, uint8_t type)
{
	switch (type) {
	case RDA_ERF_TYPE_ETH:
	case RDA_ERF_TYPE_COLOR_ETH:
	case RDA_ERF_TYPE_DSM_COLOR_ETH:
	case RDA_ERF_TYPE_COLOR_HASH_ETH:
		if (!rda_walk_skip(w, 2)) /* offset and pad, so that IP is aligned */
			return rda_walk_stop(w, 2);
		return RDA_NEXT_ETHERNET;
	case RDA_ERF_TYPE_INFINIBAND: return RDA_NEXT_LRH;
	case RDA_ERF_TYPE_IP4: return RDA_NEXT_IP4;
	case RDA_ERF_TYPE_IP6: return RDA_NEXT_IP6;
	default: return RDA_NEXT_STOP;
	}
}

static enum rda_next step_erf(struct rda_walk *w)
{
	uint32_t offset = w->cursor.offset;
	bool extension;
	struct rda_erf erf;

	if (!rda_read_erf(&w->cursor, &erf))
		return rda_walk_stop(w, RDA_ERF_BYTES);
	for (extension = erf.extension; extension;) {
		const uint8_t *p = rda_cursor_take(&w->cursor, 8);

		if (!p)
			return rda_walk_stop(w, 8);
		extension = rda_bits(p, 0, 1) != 0;
	}
	rda_walk_add_layer(w, RDA_ERF, offset, w->cursor.offset - offset);
	return next_of_erf_type(w, erf.type);
}

static enum rda_next step_sll(struct rda_walk *w)
{
	uint32_t offset = w->cursor.offset;
	struct rda_sll sll;

	if (!rda_read_sll(&w->cursor, &sll))
		return rda_walk_stop(w, RDA_SLL_BYTES);
	rda_walk_add_layer(w, RDA_SLL, offset, RDA_SLL_BYTES);
	return rda_next_of_ethertype(sll.protocol);
}

static enum rda_next step_sll2(struct rda_walk *w)
{
	uint32_t offset = w->cursor.offset;
	struct rda_sll2 sll2;

	if (!rda_read_sll2(&w->cursor, &sll2))
		return rda_walk_stop(w, RDA_SLL2_BYTES);
	rda_walk_add_layer(w, RDA_SLL2, offset, RDA_SLL2_BYTES);
	return rda_next_of_ethertype(sll2.protocol);
}

/*
 * The address family is in the byte order of the host that captured, and its number for IPv6 is
 * that of its system: 24 NetBSD and OpenBSD, 28 FreeBSD, 30 macOS, 10 Linux, 23 Windows. All are
 * below 256, so one of the four bytes is the number and the others are 0.
 */
static enum rda_next step_loopback(struct rda_walk *w)
{
	uint32_t offset = w->cursor.offset;
	struct rda_loopback loopback;
	unsigned family;

	if (!rda_read_loopback(&w->cursor, &loopback))
		return rda_walk_stop(w, RDA_LOOPBACK_BYTES);
	rda_walk_add_layer(w, RDA_LOOPBACK, offset, RDA_LOOPBACK_BYTES);
	if (loopback.family[1] || loopback.family[2] || (loopback.family[0] && loopback.family[3]))
		return RDA_NEXT_STOP;
	family = loopback.family[0] | loopback.family[3];
	switch (family) {
	case 2: return RDA_NEXT_IP4;
	case 10:
	case 23:
	case 24:
	case 28:
	case 30: return RDA_NEXT_IP6;
	default: return RDA_NEXT_STOP;
	}
}

enum rda_next rda_walk_link(struct rda_walk *w)
{
	switch (w->link) {
	case RDA_LINK_ETHERNET: return RDA_NEXT_ETHERNET;
	case RDA_LINK_INFINIBAND: return RDA_NEXT_LRH;
	case RDA_LINK_IPV4: return RDA_NEXT_IP4;
	case RDA_LINK_IPV6: return RDA_NEXT_IP6;
	case RDA_LINK_RAW_12:
	case RDA_LINK_RAW_14:
	case RDA_LINK_RAW: return RDA_NEXT_IP;
	case RDA_LINK_LOOPBACK:
	case RDA_LINK_LOOP: return step_loopback(w);
	case RDA_LINK_SLL: return step_sll(w);
	case RDA_LINK_SLL2: return step_sll2(w);
	case RDA_LINK_ERF: return step_erf(w);
	default: return RDA_NEXT_STOP;
	}
}
