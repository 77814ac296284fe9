/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What libwiretap makes of links and pseudo headers, turned back: for the program's reader and for
 * the plugin, which both get their packets from it.
 */
#ifndef RDA_WIRETAP_LINK_H
#define RDA_WIRETAP_LINK_H

#include "analyzer/rdma-analyze/erf_record.h"
#include "analyzer/rdma-analyze/wiretap_compat.h"

/* The LINKTYPE_ value of a WTAP_ENCAP_ value, or RDA_LINK_UNKNOWN. */
uint16_t rda_wiretap_link(int encap);

/* ERF record with all that libwiretap keeps of its headers. */
#define RDA_WIRETAP_ERF_MAX (RDA_ERF_HEADER_BYTES + 8 * MAX_ERF_EHDR + 4)

/* The headers of an ERF record, from what libwiretap made of them. Returns their length. */
unsigned rda_wiretap_put_erf(uint8_t *p, const struct erf_mc_phdr *erf);

#endif
