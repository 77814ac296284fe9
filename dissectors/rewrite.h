/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A frame written anew with other addresses, keys and QPNs, and without what it carries: bytes that
 * belong to no header become zero, numbers of secrets.def and addresses what the caller has for
 * them, all else stays: the reserved bytes of CNPs too, and that a pad is not zero. Checksums and
 * CRCs are as right or wrong as they were.
 *
 *     Ethernet | IPv4 | UDP | BTH | RETH |  payload ... pad | ICRC
 *     MACs      addresses     QP     key     0 0 0 0 0 0 0     right again, or as wrong
 *
 * What an ICMP error quotes is a frame too, and is written anew as well.
 */
#ifndef RDA_REWRITE_H
#define RDA_REWRITE_H

#include "dissectors/packet.h"
#include "dissectors/secrets.def"

/* RDA_SECRETS(K): K(ID): kinds of values; DATA has none, and becomes 0 */
#define RDA_SECRETS(K)                                                                             \
	K(MAC) K(IP4) K(IP6) K(QPN) K(KEY) K(QKEY) K(LID) K(GUID) K(VA) K(IMMEDIATE) K(DATA)

enum rda_secret {
#define RDA_K(ID) RDA_SECRET_##ID,
	RDA_SECRETS(RDA_K)
#undef RDA_K
		RDA_SECRET_COUNT
};

struct rda_rewrite {
	/* Puts other bytes, in network order, in place of these `length` ones (2 to 16). */
	void (*secret)(void *context, enum rda_secret kind, uint8_t *bytes, unsigned length);
	/* The payload of a TCP segment or a SEND, zeros in `out` but for what is headers of it:
	 * puts there what shall stay. NULL: nothing. */
	void (*payload)(void *context, const struct rda_packet *packet, uint8_t *out,
			const uint8_t *payload, uint32_t length);
	/* The UDP source port of a RoCEv2 packet: drivers make it of QPNs. NULL: the same. */
	uint16_t (*source_port)(void *context, const struct rda_packet *packet);
	/* What the last byte of a RoCE or InfiniBand payload becomes, so that it differs from
	 * another one that differed. NULL: 0. */
	uint8_t (*contents)(void *context, const struct rda_packet *packet, const uint8_t *payload,
			    uint32_t length);
	void *context;
};

/* Writes frame->captured bytes to `out`, which is no part of the frame. */
void rda_rewrite(uint8_t *out, const struct rda_frame *frame,
		 const struct rda_dissect_config *config, const struct rda_rewrite *rewrite);

/*
 * The same of headers that lie in no frame of their own (iWARP's, in a stream): writes `length`
 * bytes to `out`, of which those of secrets are other ones. Offsets of the layers count from the
 * first.
 */
void rda_rewrite_headers(uint8_t *out, const uint8_t *bytes, uint32_t length,
			 const struct rda_layer *layers, unsigned count,
			 const struct rda_rewrite *rewrite);

#endif
