/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libwiretap's table of links, read backwards, and ERF headers put together again. See
 * wiretap_link.h.
 */
#include "analyzer/rdma-analyze/wiretap_link.h"

#include "analyzer/rdma-analyze/source_reader.h"
#include "dissectors/link.h"

#define MAX_LINK 1023 /* greater than any LINKTYPE_ value there is */

static uint16_t *link_of_encap; /* by WTAP_ENCAP_ value */
static int encap_count;

/* libwiretap's own table is not exported in this direction. */
static void map_links(void)
{
	encap_count = wtap_get_num_encap_types();
	link_of_encap = g_new(uint16_t, (size_t)encap_count);
	for (int i = 0; i < encap_count; i++)
		link_of_encap[i] = RDA_LINK_UNKNOWN;
	for (int link = 0; link <= MAX_LINK; link++) {
		int encap = wtap_pcap_encap_to_wtap_encap(link);

		if (encap > WTAP_ENCAP_UNKNOWN && encap < encap_count)
			link_of_encap[encap] = rda_source_link((unsigned)link);
	}
	link_of_encap[WTAP_ENCAP_INFINIBAND] = RDA_LINK_INFINIBAND; /* iptrace; unknown in pcap */
}

uint16_t rda_wiretap_link(int encap)
{
	if (!link_of_encap)
		map_links();
	return encap >= 0 && encap < encap_count ? link_of_encap[encap] : RDA_LINK_UNKNOWN;
}

static void put16(uint8_t *p, uint16_t value)
{
	p[0] = (uint8_t)(value >> 8);
	p[1] = (uint8_t)value;
}

static void put64(uint8_t *p, uint64_t value)
{
	for (int i = 0; i < 8; i++)
		p[i] = (uint8_t)(value >> (56 - 8 * i));
}

unsigned rda_wiretap_put_erf(uint8_t *p, const struct erf_mc_phdr *erf)
{
	unsigned sub = rda_erf_sub_header_bytes(erf->phdr.type);
	unsigned length = RDA_ERF_HEADER_BYTES;
	bool extended = erf->phdr.type >> 7;

	put64(p, GUINT64_SWAP_LE_BE(erf->phdr.ts));
	p[8] = erf->phdr.type;
	p[9] = erf->phdr.flags;
	put16(p + 10, erf->phdr.rlen);
	put16(p + 12, erf->phdr.lctr);
	put16(p + 14, erf->phdr.wlen);
	for (int i = 0; extended && i < MAX_ERF_EHDR; i++, length += 8) {
		put64(p + length, erf->ehdr_list[i].ehdr);
		extended = p[length] >> 7;
	}
	if (extended) /* the others are lost */
		p[length - 8] &= 0x7f;
	if (sub == sizeof(erf->subhdr.eth_hdr)) {
		memcpy(p + length, &erf->subhdr.eth_hdr, sub);
	} else if (sub == 4) {
		put16(p + length, (uint16_t)(erf->subhdr.mc_hdr >> 16));
		put16(p + length + 2, (uint16_t)erf->subhdr.mc_hdr);
	}
	return length + sub;
}
