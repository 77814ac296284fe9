/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the frames of a capture are when no RDMA is in it: the answer to "why does my capture show
 * nothing?". Counted only until the first RDMA packet, and of no interest after it.
 */
#ifndef RDA_OTHERS_H
#define RDA_OTHERS_H

#include "analyzer/track/capture.h"
#include "dissectors/packet.h"

struct rda_others {
	uint64_t tcp, udp, other_ip; /* packets */
	uint64_t not_ip;	     /* frames in which no IP header was found */
	uint64_t cut; /* of all of these: frames that the snap length cut in headers, so that what
		       * stands behind is not known */
	uint32_t *udp_ports; /* packets by destination port; owned; NULL until needed */
	uint16_t roce_port;  /* one whose packets have a right ICRC; 0: none was found */
	uint64_t icrc_tries;
};

void rda_others_cleanup(struct rda_others *others);

/* Counts a frame that is no RDMA. */
void rda_others_count(struct rda_others *others, const struct rda_frame *frame,
		      const struct rda_packet *packet);

/* Why there is no RDMA, as far as can be told, in sentences; g_free it. */
char *rda_others_why_nothing(const struct rda_capture *capture, const struct rda_others *others);

#endif
