/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds frames for the tests: bytes are appended in the order of the wire, and a header that has a
 * length gets it when it is closed.
 *
 *     struct rda_build b = {0};
 *     rda_put_eth(&b, 0x0800);
 *     ip = rda_put_ip4(&b, 17, 1, 2);
 *     ...
 *     rda_close_ip4(&b, ip);
 *
 * Offsets and values are written by hand, not taken from headers.def: a test that took them from
 * there could not find a mistake in it.
 */
#ifndef RDA_TEST_BUILD_H
#define RDA_TEST_BUILD_H

#include "dissectors/packet.h"
#include "tests/unit/reference.h"

enum { RDA_BUILD_MAX = 8192 };

struct rda_build {
	uint8_t bytes[RDA_BUILD_MAX];
	uint32_t length;
};

/* ---- bytes --------------------------------------------------------------------------------- */

void rda_put(struct rda_build *b, const void *bytes, uint32_t length);
void rda_put8(struct rda_build *b, uint8_t value);
void rda_put16(struct rda_build *b, uint16_t value);
void rda_put24(struct rda_build *b, uint32_t value);
void rda_put32(struct rda_build *b, uint32_t value);
void rda_put64(struct rda_build *b, uint64_t value);
void rda_put_zeros(struct rda_build *b, uint32_t length);
/* bytes that differ from their neighbours: 1, 8, 15, ... */
void rda_put_pattern(struct rda_build *b, uint32_t length);
/* "45 00 003c ..."; blanks do not matter */
void rda_put_hex(struct rda_build *b, const char *digits);

void rda_set16(struct rda_build *b, uint32_t offset, uint16_t value);
void rda_set32(struct rda_build *b, uint32_t offset, uint32_t value);

/* ---- headers: return their offset. Hosts are the last byte of an address. ---------------------
 */

uint32_t rda_put_eth(struct rda_build *b, uint16_t type);
uint32_t rda_put_ip4(struct rda_build *b, uint8_t protocol, uint8_t from, uint8_t to);
uint32_t rda_put_ip6(struct rda_build *b, uint8_t next_header, uint8_t from, uint8_t to);
uint32_t rda_put_udp(struct rda_build *b, uint16_t source_port, uint16_t destination_port);
uint32_t rda_put_lrh(struct rda_build *b, uint8_t lnh, uint16_t from, uint16_t to);
uint32_t rda_put_grh(struct rda_build *b, uint8_t from, uint8_t to);
uint32_t rda_put_bth(struct rda_build *b, uint8_t opcode, uint32_t dest_qp, uint32_t psn);

/* Lengths, to the end of what was put, and the checksum of IPv4. */
void rda_close_ip4(struct rda_build *b, uint32_t ip);
void rda_close_ip6(struct rda_build *b, uint32_t ip);
void rda_close_udp(struct rda_build *b, uint32_t udp);
void rda_close_lrh(struct rda_build *b, uint32_t lrh);
void rda_close_grh(struct rda_build *b, uint32_t grh);

/* ---- whole RDMA packets --------------------------------------------------------------------- */

struct rda_recipe {
	enum rda_route route;
	uint8_t from, to; /* hosts */
	uint16_t source_port;
	uint8_t ecn;
	uint16_t ip_id_by; /* IPv4: so much more than usual */
	uint8_t opcode;
	bool becn, ack_req;
	uint32_t dest_qp, psn;
	const uint8_t *extended; /* the headers behind the BTH */
	uint32_t extended_length;
	const uint8_t *payload; /* NULL: a pattern */
	uint32_t payload_length;
	bool damaged; /* the ICRC is wrong */
};

/* Where things ended up. */
struct rda_built {
	struct rda_build b;
	enum rda_route route;
	uint16_t link;
	uint32_t l3, grh, udp, bth; /* offsets; grh and udp where the route has them */
	uint32_t payload, end;	    /* end: behind the ICRC; the frame may go on with a VCRC */
};

void rda_build_packet(struct rda_built *built, const struct rda_recipe *recipe);

/* Appends such a packet without its link header (VCRC and LRH go with native InfiniBand). */
void rda_put_packet(struct rda_build *b, const struct rda_recipe *recipe);

/* Puts a SEND of 8 bytes from host 1 to host 2: something to find inside an encapsulation. */
void rda_put_send(struct rda_build *b, enum rda_route route);

/* Makes the lengths of IP and UDP, GRH or LRH say that the packet ends at `end`. */
void rda_build_set_end(struct rda_built *built, uint32_t end);

/* ---- frames --------------------------------------------------------------------------------- */

/* A copy in a heap block of exactly `captured` bytes, so that ASan sees one byte over. */
struct rda_frame rda_exact_frame(const uint8_t *bytes, uint32_t captured, uint32_t wire,
				 uint16_t link);
void rda_frame_free(struct rda_frame *frame);

/* Dissects what was built as a whole frame of this link type, from such a copy. */
void rda_dissect_build(struct rda_packet *packet, const struct rda_build *b, uint16_t link);

#endif
