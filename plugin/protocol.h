/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The protocol "rdma", and what is registered with it. The protocol is a postdissector that sees
 * every frame after the built-in dissectors, which know nothing of it.
 */
#ifndef RDA_PLUGIN_PROTOCOL_H
#define RDA_PLUGIN_PROTOCOL_H

#include "plugin/compat.h"
#include "plugin/source.h"

struct rda_flow;

extern int rda_protocol;

/* What the tap "rdma" gets of each RDMA frame. */
struct rda_tapped {
	const struct rda_packet *packet;
	struct rda_source_frame source;
	/* that carries it, and the other way's: on the first pass, as far as they are known */
	const struct rda_flow *flow, *back;
};

void rda_protocol_register(void);

/*
 * -z conv,rdma and -z endpoints,rdma: packets and bytes by connection and by QP. Wireshark lists
 * them in the dialogs of its menu Statistics.
 */
void rda_conversations_register(void);

/* -z rdma,tree: opcodes, NAKs and resends, each by the host that sent them. */
void rda_opcode_tree_register(void);

/* -z rdma,connections, -z rdma,keys and -z rdma,findings, in the words of the program. */
void rda_reports_register(void);

/*
 * -z rdma,srt, and in the menu Statistics, Service Response Time: how long messages took from their
 * first packet to what completed them, by kind.
 */
void rda_response_times_register(void);

/*
 * -z follow,rdma,ascii,N: the payload of both directions of connection N in the order of its
 * messages; what was sent again is there once, and damaged packets are not. And the conversation
 * filter.
 */
void rda_follow_register(void);

/* A frame that is shown belongs to this connection. */
void rda_follow_note(packet_info *pinfo, uint32_t connection);

/* The preferences of the protocol: ports, limits, checks that are switched off. */
void rda_preferences_register(int protocol);

#endif
