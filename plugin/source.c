/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Wireshark's frame and record to the engine's frame and meta, as source_wiretap.c does it in the
 * program.
 */
#include "plugin/source.h"

#include "analyzer/rdma-analyze/source_reader.h"
#include "analyzer/rdma-analyze/wiretap_link.h"

#include <string.h>

static void fill_meta(struct rda_meta *meta, packet_info *pinfo)
{
	const wtap_rec *rec = pinfo->rec;

	meta->number = pinfo->num;
	meta->time_ns = rda_source_time(pinfo->abs_ts.secs, (uint32_t)pinfo->abs_ts.nsecs);
	meta->tap = 0;
	if (rec->presence_flags & WTAP_HAS_INTERFACE_ID)
		meta->tap = rec->rec_header.packet_header.interface_id;
	meta->tap += rda_wiretap_section(rec) * RDA_TAPS_PER_SECTION;
}

/* libwiretap takes the ERF header off. */
static void rebuild_erf(struct rda_source_frame *to, packet_info *pinfo)
{
	const struct erf_mc_phdr *erf = &pinfo->rec->rec_header.packet_header.pseudo_header.erf;
	uint8_t *bytes = wmem_alloc(pinfo->pool, RDA_WIRETAP_ERF_MAX + to->frame.captured);

	to->before = rda_wiretap_put_erf(bytes, erf);
	memcpy(bytes + to->before, to->frame.bytes, to->frame.captured);
	to->frame.bytes = bytes;
	to->frame.captured += to->before;
	to->frame.wire += to->before;
	if (!(pinfo->rec->presence_flags & WTAP_HAS_INTERFACE_ID))
		to->meta.tap = rda_erf_port(erf->phdr.flags);
}

void rda_source_frame(struct rda_source_frame *to, tvbuff_t *tvb, packet_info *pinfo)
{
	int encap = pinfo->rec->rec_header.packet_header.pkt_encap;

	fill_meta(&to->meta, pinfo);
	to->before = 0;
	to->frame.captured = tvb_captured_length(tvb);
	to->frame.wire = MAX(tvb_reported_length(tvb), to->frame.captured);
	to->frame.bytes = tvb_get_ptr(tvb, 0, (int)to->frame.captured);
	to->frame.link = rda_wiretap_link(encap);
	if (encap == WTAP_ENCAP_ERF)
		rebuild_erf(to, pinfo);
}
