/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Filters in the language of tcpdump (pcap-filter(7)), on frames of any reader.
 *
 * What an expression means depends on the link type, so it is compiled for each that is known
 * (link.h), all at once: names of hosts and services are looked up before the program gives up
 * other files and sockets (sandbox.h). For others it is compiled when the first such frame comes.
 */
#ifndef RDA_FILTER_H
#define RDA_FILTER_H

#include "dissectors/packet.h"

enum rda_filter_result {
	RDA_FILTER_DROP,
	RDA_FILTER_PASS,
	RDA_FILTER_UNUSABLE, /* it means nothing for frames of this link type: rda_filter_error */
};

struct rda_filter;

/* NULL when it compiles for no link type, with libpcap's reason in *error (g_free it). */
struct rda_filter *rda_filter_new(const char *expression, char **error);
void rda_filter_free(struct rda_filter *filter);

enum rda_filter_result rda_filter_frame(struct rda_filter *filter, const struct rda_frame *frame);

/* After UNUSABLE: libpcap's reason, with the link type. Lives until it is asked again. */
const char *rda_filter_error(struct rda_filter *filter);

#endif
