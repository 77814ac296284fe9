/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -z follow,rdma,ascii,N: the payload of both directions of stream N in the order of its messages;
 * what was sent again is there once, and damaged packets are not.
 */
#ifndef RDA_PLUGIN_FOLLOW_H
#define RDA_PLUGIN_FOLLOW_H

#include "plugin/compat.h"

void rda_follow_register(void);

/* A frame that is shown belongs to this stream. */
void rda_follow_note(packet_info *pinfo, uint32_t stream);

#endif
