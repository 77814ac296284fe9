/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Between whom a packet went: its connection's two ends, by name. Once the first pass is over as
 * the program has it; before that as far as it is known when the packet passes, which may be one
 * end only: the BTH does not name the sender's QP.
 */
#ifndef RDA_PLUGIN_ENDS_H
#define RDA_PLUGIN_ENDS_H

#include "plugin/protocol.h"

#include "analyzer/track/connection.h"

struct rda_ends {
	uint32_t id;  /* of the connection; during the first pass of its first half-flow */
	bool reverse; /* sent by endpoints[1] of the connection */
	bool damaged; /* the packet is, as is known when the first pass is over */
	struct rda_endpoint from, to;
};

/* False when no connection has the packet. */
bool rda_ends_of(const struct rda_tapped *tapped, struct rda_ends *ends);

/* "10.10.0.1 0x000170"; "10.10.0.1 ?" when the QP is not known; of iWARP "10.10.0.1 port 7174" */
#define RDA_END_TEXT 64
const char *rda_end_text(char text[RDA_END_TEXT], const struct rda_endpoint *end);

#endif
