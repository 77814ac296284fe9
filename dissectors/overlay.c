/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Overlays and mirrors: MPLS (RFC 3032), GRE (RFC 2784, 2890), ERSPAN I/II/III
 * (draft-foschiano-erspan), VXLAN (RFC 7348), GENEVE (RFC 8926).
 *
 * Each step reads its header and hands the inner packet on. How deep they may nest is decided in
 * dissect.c.
 *
 *     GRE | ERSPAN I:   nothing between GRE and the mirrored Ethernet frame
 *     GRE | ERSPAN II:  8 bytes; told from I by GRE's sequence number
 *     GRE | ERSPAN III: 12 bytes, and 8 more when the O bit says so
 */
#include "dissectors/walk.h"

enum { VXLAN_HAS_VNI = 0x0800, ERSPAN3_FRAME_IP = 2 };

enum rda_next rda_walk_mpls(struct rda_walk *w)
{
	uint32_t offset = w->cursor.offset;
	const uint8_t *p;
	struct rda_mpls mpls;

	if (!rda_read_mpls(&w->cursor, &mpls))
		return rda_walk_stop(w, RDA_MPLS_BYTES);
	rda_walk_add_layer(w, RDA_MPLS, offset, RDA_MPLS_BYTES);
	if (!mpls.bottom)
		return RDA_NEXT_MPLS;
	/* Nothing says what follows: IP by its version, or a pseudowire control word (RFC 4385). */
	p = rda_cursor_peek(&w->cursor);
	if (!p)
		return rda_walk_stop(w, 1);
	w->encapsulations++;
	switch (rda_bits(p, 0, 4)) {
	case 4: return RDA_NEXT_IP4;
	case 6: return RDA_NEXT_IP6;
	case 0: return rda_walk_skip(w, 4) ? RDA_NEXT_ETHERNET : rda_walk_stop(w, 4);
	default: return RDA_NEXT_STOP;
	}
}

/* What a GRE protocol type announces. */
static enum rda_next next_of_gre(const struct rda_gre *gre)
{
	if (gre->protocol == RDA_ETHERTYPE_ERSPAN)
		return gre->has_sequence ? RDA_NEXT_ERSPAN2 : RDA_NEXT_ETHERNET;
	if (gre->protocol == RDA_ETHERTYPE_ERSPAN3)
		return RDA_NEXT_ERSPAN3;
	return rda_next_of_ethertype(gre->protocol);
}

enum rda_next rda_walk_gre(struct rda_walk *w)
{
	uint32_t offset = w->cursor.offset, options;
	struct rda_gre gre;

	if (!rda_read_gre(&w->cursor, &gre))
		return rda_walk_stop(w, RDA_GRE_BYTES);
	if (gre.version != 0 || gre.has_routing) /* PPTP; source routing of RFC 1701 */
		return RDA_NEXT_STOP;
	options = 4u * gre.has_checksum + 4u * gre.has_key + 4u * gre.has_sequence;
	if (!rda_walk_skip(w, options))
		return rda_walk_stop(w, options);
	rda_walk_add_layer(w, RDA_GRE, offset, RDA_GRE_BYTES + options);
	w->encapsulations++;
	return next_of_gre(&gre);
}

enum rda_next rda_walk_erspan2(struct rda_walk *w)
{
	uint32_t offset = w->cursor.offset;
	struct rda_erspan2 erspan;

	if (!rda_read_erspan2(&w->cursor, &erspan))
		return rda_walk_stop(w, RDA_ERSPAN2_BYTES);
	rda_walk_add_layer(w, RDA_ERSPAN2, offset, RDA_ERSPAN2_BYTES);
	return erspan.version == 1 ? RDA_NEXT_ETHERNET : RDA_NEXT_STOP;
}

enum rda_next rda_walk_erspan3(struct rda_walk *w)
{
	uint32_t offset = w->cursor.offset, subheader;
	struct rda_erspan3 erspan;

	if (!rda_read_erspan3(&w->cursor, &erspan))
		return rda_walk_stop(w, RDA_ERSPAN3_BYTES);
	subheader = erspan.subheader ? 8 : 0;
	if (!rda_walk_skip(w, subheader))
		return rda_walk_stop(w, subheader);
	rda_walk_add_layer(w, RDA_ERSPAN3, offset, RDA_ERSPAN3_BYTES + subheader);
	if (erspan.version != 2)
		return RDA_NEXT_STOP;
	return erspan.frame_type == ERSPAN3_FRAME_IP ? RDA_NEXT_IP : RDA_NEXT_ETHERNET;
}

enum rda_next rda_walk_vxlan(struct rda_walk *w)
{
	uint32_t offset = w->cursor.offset;
	struct rda_vxlan vxlan;

	if (!rda_read_vxlan(&w->cursor, &vxlan))
		return rda_walk_stop(w, RDA_VXLAN_BYTES);
	if (!(vxlan.flags & VXLAN_HAS_VNI)) /* something else on this port */
		return RDA_NEXT_STOP;
	rda_walk_add_layer(w, RDA_VXLAN, offset, RDA_VXLAN_BYTES);
	w->encapsulations++;
	return RDA_NEXT_ETHERNET;
}

enum rda_next rda_walk_geneve(struct rda_walk *w)
{
	uint32_t offset = w->cursor.offset, options;
	struct rda_geneve geneve;

	if (!rda_read_geneve(&w->cursor, &geneve))
		return rda_walk_stop(w, RDA_GENEVE_BYTES);
	if (geneve.version != 0)
		return RDA_NEXT_STOP;
	options = geneve.options * 4u;
	if (!rda_walk_skip(w, options))
		return rda_walk_stop(w, options);
	rda_walk_add_layer(w, RDA_GENEVE, offset, RDA_GENEVE_BYTES + options);
	w->encapsulations++;
	return rda_next_of_ethertype(geneve.protocol);
}
