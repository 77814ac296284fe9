/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which packets are in the capture once more, as a mirror of several ports or the network makes
 * them, whatever the connection is in the middle of: a packet that its sender sends again has
 * another IP identification, a copy has the same one.
 *
 * That tells only where the sender gives its packets different identifications; and some hardware
 * may send a packet again with the one that it had. So a flow must have shown that its packets
 * differ, and none of them may have come again later than copies do. Where nothing is told (IPv6,
 * RoCEv1, InfiniBand, one identification for all) the trackers go by time alone (requester.h).
 */
#ifndef RDA_COPIES_H
#define RDA_COPIES_H

#include "analyzer/track/roce/account.h"

/*
 * A copy comes within this time: through the queue of a mirror's port. A sender that numbers its
 * packets one by one needs 32 million of them a second to use a number again in it.
 */
#define RDA_COPY_NS 2000000

/* The network makes one of so many packets, at most; more copies are those of a mirror. */
#define RDA_PACKETS_FOR_A_COPY 4

/* The latest packets, of all flows of a class of pairs of hosts (RDA_SHARES), among which an
 * original is looked for. */
#define RDA_COPIES_KEPT 4096

/*
 * After so many packets without a copy a flow's are not looked at any more, as that costs a sixth
 * of what all else of a packet costs; until time tells that one of its requests is there twice.
 */
#define RDA_COPIES_QUIET 1024

/* One identification for so many packets, and no other: it is no numbering, and tells no copies. */
#define RDA_COPIES_SAME 64

/* A mirror shows most packets twice: where less than a quarter are copies, the network made them.
 */
static inline bool rda_copies_are_few(uint64_t copies, uint64_t packets)
{
	return copies * 4 < packets;
}

struct rda_copies;

struct rda_copies *rda_copies_new(void);
void rda_copies_free(struct rda_copies *copies);

/* A flow was seen first. */
void rda_copies_follow(struct rda_flow *flow);

/* The place of the packet that this one is a copy of; 0: of none, and it is remembered. */
uint64_t rda_copies_look(struct rda_copies *copies, struct rda_flow *flow,
			 const struct rda_posting *posting);

/* Which of the flow's identifications (flow.h) a packet has. */
static inline unsigned rda_copies_kind(uint16_t roles)
{
	return roles & RDA_ROLE_REQUEST ? 0 : roles & RDA_ROLE_RESPONSE ? 1 : 2;
}

/*
 * Packets of the flow with a role came again with the identification that they had and may have
 * been sent again. Others that came so were copies, or nearly all came so, as a mirror shows them:
 * these may be copies too.
 */
static inline bool rda_copies_are_untold(const struct rda_flow *flow, uint16_t roles)
{
	unsigned kind = rda_copies_kind(roles);
	const struct rda_flow_alike *alike = &rda_flow_rare(flow)->alike[kind];
	uint64_t packets = rda_flow_ids(flow, kind)->packets;

	return alike->refused && (alike->copies || alike->refused >= packets - packets / 8);
}

/* rda_copies_look() where it can tell something; `flow` may be NULL. */
static inline uint64_t rda_copies_packet(struct rda_copies *copies, struct rda_flow *flow,
					 const struct rda_posting *posting)
{
	if (!flow || flow->key.source.kind != RDA_ADDRESS_IP4 ||
	    flow->quiet[rda_copies_kind(posting->packet->opcode->roles)] >= RDA_COPIES_QUIET)
		return 0;
	return rda_copies_look(copies, flow, posting);
}

/*
 * A look ahead (engine/ahead.h): where an original of a packet between two hosts of this class
 * would be found is brought in, and then what leads on from there. `psn`: with the opcode above it.
 */
void rda_copies_fetch(const struct rda_copies *copies, uint8_t share, uint32_t psn, uint16_t ip_id,
		      uint32_t dest_qp);
void rda_copies_fetch_link(const struct rda_copies *copies, uint8_t share, uint32_t psn,
			   uint16_t ip_id, uint32_t dest_qp);

/* Whether packets of a flow are looked at at all, as far as can be told ahead. */
static inline bool rda_copies_are_looked_for(const struct rda_flow *flow)
{
	return flow->quiet[0] < RDA_COPIES_QUIET && flow->quiet[1] < RDA_COPIES_QUIET;
}

/* Whether a packet with the identification of another one is a copy: identifications vary, and are
 * not made of the PSN. */
bool rda_copies_ids_tell(const struct rda_flow_ids *ids);

/* A request of the flow, in the frame at `place`, was found to be there twice, by time: whether
 * another interface saw it is counted, and its packets are looked at again. In copied.c. */
void rda_copies_by_time(struct rda_flow *flow, uint64_t place);

/* Flows have other indices, as rda_flows_sift has it. */
void rda_copies_move(struct rda_copies *copies, const uint32_t *moved);

#endif
