/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A frame of Wireshark's as the engine takes it.
 */
#ifndef RDA_PLUGIN_SOURCE_H
#define RDA_PLUGIN_SOURCE_H

#include "plugin/compat.h"

#include "analyzer/base/meta.h"
#include "dissectors/packet.h"

struct rda_source_frame {
	struct rda_meta meta;
	struct rda_frame frame;
	uint32_t before; /* bytes of the frame that Wireshark's does not have: an ERF header */
};

/* `tvb` is the whole frame. The bytes are borrowed from it, or from the packet's memory. */
void rda_source_frame(struct rda_source_frame *to, tvbuff_t *tvb, packet_info *pinfo);

#endif
