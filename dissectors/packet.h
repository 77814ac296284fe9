/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One frame as values: what rda_dissect makes of the bytes.
 *
 * The frame's layers are kept outermost first, as {header, offset, length}, so that every header
 * can be listed again from the bytes; the ones that the analysis needs are also kept as structs.
 *
 *     Ethernet | VLAN | IPv4 | UDP | BTH | RETH |  payload ... pad | ICRC
 *     ^layers[0]      ^l3_offset   ^bth_offset  ^payload_offset     ^end_offset - 4
 *
 * All numbers are in host byte order; offsets and lengths count bytes from the start of the frame;
 * "wire" lengths are what was sent, whatever was captured of it.
 */
#ifndef RDA_PACKET_H
#define RDA_PACKET_H

#include "analyzer/rda.h"
#include "dissectors/faults.def"
#include "dissectors/headers.h"
#include "dissectors/opcode.h"

#define RDA_ROCEV2_PORT 4791

/*
 * Layers kept of a frame, and tunnels followed: past either, RDA_FAULT_TOO_DEEP. 8 VXLANs are 32
 * layers; then Ethernet, IP, UDP and what the InfiniBand part needs.
 */
#define RDA_MAX_LAYERS	       48
#define RDA_MAX_ENCAPSULATIONS 8

enum rda_status {
	RDA_STATUS_OK,	/* whole, and as its headers say */
	RDA_STATUS_CUT, /* the capture has less than was on the wire; what is there was read */
	RDA_STATUS_MALFORMED, /* the packet contradicts itself: see faults */
};

enum rda_fault {
#define RDA_X(ID, words, kind) RDA_FAULT_##ID,
	RDA_FAULTS(RDA_X)
#undef RDA_X
		RDA_FAULT_COUNT
};

struct rda_layer {
	uint8_t header;	 /* enum rda_header_id */
	uint16_t length; /* of the header with its options, cut at 65535 */
	uint32_t offset;
};

struct rda_packet {
	uint8_t carrier; /* enum rda_carrier */
	uint8_t status;	 /* enum rda_status */
	uint8_t layer_count;
	bool fragment;	      /* of an IP datagram, and not the whole of it */
	bool tunnel_fragment; /* that is the one around its own, of a tunnel or a mirror */
	bool payload_known;   /* payload_offset and payload_length are valid */
	bool has_vcrc;	      /* the two bytes behind end_offset were on the wire */
	uint8_t ecn;	      /* of the IP header or GRH next to the BTH; enum rda_value ECN */
	uint8_t dscp;	      /* of the IP header or GRH next to the BTH */
	uint16_t source_port; /* UDP, RoCEv2 only */
	uint16_t ip_id;	      /* of the IPv4 header next to the BTH; else 0 */
	uint16_t faults;      /* mask of 1 << enum rda_fault */
	bool tagged;	      /* the second layer is a VLAN tag: the one of the link at hand */
	uint8_t priority;     /* of that tag */
	uint64_t present; /* mask of RDA_HAS(...): TCP, or the headers at and behind the BTH that
			   * were read
			   */
	struct rda_address source, destination; /* of the IP header, GRH or LRH next to the BTH */
	/* RoCEv2 as nearly all of it is (plain.h): Ethernet, IPv4, UDP and BTH, of a known opcode,
	 * no UD; no tag, no tunnel, no fragment, no fault, no VCRC. What else is, is not: both is
	 * to be told by the other members */
	bool plain;

	uint32_t l3_offset; /* that header: where the ICRC begins; LRH in native InfiniBand */
	uint32_t bth_offset;
	uint32_t payload_offset;
	uint32_t payload_length; /* without pad; of RDMA: 0 where it is not known */
	uint32_t end_offset;	 /* behind the ICRC, as the packet's own length says */

	const struct rda_opcode *opcode; /* valid where RDA_HAS(BTH) is present */
	struct rda_bth bth;
#define RDA_MEMBER(ID, id, bytes, name, source) struct rda_##id id;
	RDA_EXTENDED_HEADERS(RDA_MEMBER)
#undef RDA_MEMBER
	struct rda_mad mad;
	struct rda_tcp tcp; /* carrier NONE: the payload is the segment's */

	struct rda_layer layers[RDA_MAX_LAYERS];
};

/* Whether a header at or behind the BTH was read into its struct. */
#define rda_has(packet, ID) (((packet)->present & RDA_HAS(ID)) != 0)

/*
 * Reads a frame into *packet. Never fails: a frame without RDMA has carrier NONE (its outer layers
 * are listed all the same), and what is wrong with a packet is in its status and faults.
 * `config` may be NULL.
 */
void rda_dissect(struct rda_packet *packet, const struct rda_frame *frame,
		 const struct rda_dissect_config *config);

/* Whether the UDP destination port announces RoCEv2: 4791, or one that the user added. */
bool rda_packet_is_rocev2_port(const struct rda_dissect_config *config, uint16_t port);

/* The words for a fault, and whether it makes a packet malformed. */
const char *rda_fault_words(enum rda_fault fault);

/* Whether the bytes of the frame from `offset` on are zero, as far as they were captured. */
bool rda_packet_is_zero(const struct rda_frame *frame, uint32_t offset, uint32_t length);

/* The payload behind the BTH: the bytes of it that were captured, *length of them. */
const uint8_t *rda_packet_payload(const struct rda_frame *frame, const struct rda_packet *packet,
				  uint32_t *length);

/* The addresses of the Ethernet header; 0: none was captured. */
uint64_t rda_packet_source_mac(const struct rda_frame *frame, const struct rda_packet *packet);
uint64_t rda_packet_destination_mac(const struct rda_frame *frame, const struct rda_packet *packet);

/* The TTL or hop limit of the IP header or GRH next to the BTH; 0: none was captured. */
uint8_t rda_packet_hop_limit(const struct rda_frame *frame, const struct rda_packet *packet);

/* The innermost layer of a kind, or NULL. */
const struct rda_layer *rda_find_layer(const struct rda_packet *packet, enum rda_header_id id);

/*
 * bool rda_read_udp_of(frame, packet, struct rda_udp *), ...: reads the innermost header of a kind
 * again, for those that are not kept in struct rda_packet. False when the packet has none, or not
 * all of its fixed part was captured.
 */
#define RDA_READER_OF(ID, id, bytes_, name, source)                                                \
	static inline bool rda_read_##id##_of(const struct rda_frame *frame,                       \
					      const struct rda_packet *packet,                     \
					      struct rda_##id *out)                                \
	{                                                                                          \
		const struct rda_layer *layer = rda_find_layer(packet, RDA_##ID);                  \
		struct rda_cursor c = {frame->bytes, 0, frame->captured, frame->wire};             \
                                                                                                   \
		if (!layer)                                                                        \
			return false;                                                              \
		c.offset = layer->offset;                                                          \
		return rda_read_##id(&c, out);                                                     \
	}
RDA_HEADERS(RDA_READER_OF)
#undef RDA_READER_OF

#endif
