/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Connection management messages as values, and the names of management attributes.
 */
#ifndef RDA_MAD_H
#define RDA_MAD_H

#include "dissectors/packet.h"

/* RDA_CM_MESSAGES(M): M(ID, id) as in headers.def (RDA_CM_<ID>, struct rda_cm_<id>) */
#define RDA_CM_MESSAGES(M)                                                                         \
	M(REQ, req)                                                                                \
	M(MRA, mra)                                                                                \
	M(REJ, rej)                                                                                \
	M(REP, rep)                                                                                \
	M(RTU, rtu)                                                                                \
	M(DREQ, dreq)                                                                              \
	M(DREP, drep)                                                                              \
	M(SIDR_REQ, sidr_req)                                                                      \
	M(SIDR_REP, sidr_rep)                                                                      \
	M(LAP, lap)                                                                                \
	M(APR, apr)

struct rda_cm {
	uint8_t id;	   /* which: RDA_CM_REQ, ... (enum rda_header_id) */
	uint16_t captured; /* bytes of its fixed part that were captured */
	union {
#define RDA_M(ID, id) struct rda_cm_##id cm_##id;
		RDA_CM_MESSAGES(RDA_M)
#undef RDA_M
	};
};

/*
 * The CM message of a packet. False when it has none, or none of it was captured. Fields behind
 * `captured` read as 0: ask rda_cm_knows first.
 */
bool rda_read_cm(const struct rda_frame *frame, const struct rda_packet *packet, struct rda_cm *cm);

/* Whether a field of the message was captured, by its member name in headers.def. */
bool rda_cm_knows(const struct rda_cm *cm, const char *member);

/*
 * The consumer's private data of a CM message, behind that of the RDMA IP CM service; `ip_cm`:
 * there is some. False when there is none, or none of it was captured.
 */
bool rda_cm_private_data(const struct rda_frame *frame, const struct rda_packet *packet,
			 const struct rda_cm *cm, struct rda_cursor *private_data, bool *ip_cm);

/*
 * The port that a service ID of the RDMA IP CM service (IBTA annex A11) names; -1 when it is none.
 * Such a service ID is 0x0000000001PPpppp: protocol, port.
 */
static inline int32_t rda_ip_cm_port(uint64_t service_id)
{
	return service_id >> 24 == 1 ? (int32_t)(service_id & 0xffff) : -1;
}

/* Its protocol, "TCP" or "IP" where the number has no name; NULL when the service ID is none of
 * these.
 */
const char *rda_ip_cm_protocol(uint64_t service_id);

/* The name of the attribute in its class ("PortInfo"), or NULL. */
const char *rda_mad_attribute(const struct rda_mad *mad);

#endif
