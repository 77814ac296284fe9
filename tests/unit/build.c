/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frames for the tests, byte by byte. See build.h.
 */
#include "tests/unit/build.h"

#include "dissectors/link.h"
#include "tests/unit/suite.h"

#include <ctype.h>
#include <stdlib.h>

enum { ROCEV2 = 4791, PROTOCOL_UDP = 17, TYPE_IP4 = 0x0800, TYPE_IP6 = 0x86dd, TYPE_ROCE = 0x8915 };

/* ---- bytes --------------------------------------------------------------------------------- */

void rda_put(struct rda_build *b, const void *bytes, uint32_t length)
{
	RDA_CHECK(length <= RDA_BUILD_MAX - b->length, "the frame is too long");
	if (length)
		memcpy(b->bytes + b->length, bytes, length);
	b->length += length;
}

void rda_put8(struct rda_build *b, uint8_t value)
{
	rda_put(b, &value, 1);
}

void rda_put16(struct rda_build *b, uint16_t value)
{
	rda_put8(b, (uint8_t)(value >> 8));
	rda_put8(b, (uint8_t)value);
}

void rda_put24(struct rda_build *b, uint32_t value)
{
	rda_put8(b, (uint8_t)(value >> 16));
	rda_put16(b, (uint16_t)value);
}

void rda_put32(struct rda_build *b, uint32_t value)
{
	rda_put16(b, (uint16_t)(value >> 16));
	rda_put16(b, (uint16_t)value);
}

void rda_put64(struct rda_build *b, uint64_t value)
{
	rda_put32(b, (uint32_t)(value >> 32));
	rda_put32(b, (uint32_t)value);
}

void rda_put_zeros(struct rda_build *b, uint32_t length)
{
	while (length--)
		rda_put8(b, 0);
}

void rda_put_pattern(struct rda_build *b, uint32_t length)
{
	for (uint32_t i = 0; i < length; i++)
		rda_put8(b, (uint8_t)(i * 7 + 1));
}

static uint8_t digit_value(char digit)
{
	return (uint8_t)(isdigit((unsigned char)digit) ? digit - '0' : tolower(digit) - 'a' + 10);
}

void rda_put_hex(struct rda_build *b, const char *digits)
{
	for (; *digits; digits++) {
		if (*digits == ' ')
			continue;
		RDA_CHECK(isxdigit((unsigned char)digits[0]) && isxdigit((unsigned char)digits[1]),
			  "%s", digits);
		rda_put8(b, (uint8_t)(digit_value(digits[0]) << 4 | digit_value(digits[1])));
		digits++;
	}
}

void rda_set16(struct rda_build *b, uint32_t offset, uint16_t value)
{
	b->bytes[offset] = (uint8_t)(value >> 8);
	b->bytes[offset + 1] = (uint8_t)value;
}

void rda_set32(struct rda_build *b, uint32_t offset, uint32_t value)
{
	rda_set16(b, offset, (uint16_t)(value >> 16));
	rda_set16(b, offset + 2, (uint16_t)value);
}

/* ---- headers -------------------------------------------------------------------------------- */

uint32_t rda_put_eth(struct rda_build *b, uint16_t type)
{
	uint32_t at = b->length;

	rda_put_hex(b, "020000000002 020000000001");
	rda_put16(b, type);
	return at;
}

uint32_t rda_put_ip4(struct rda_build *b, uint8_t protocol, uint8_t from, uint8_t to)
{
	uint32_t at = b->length;

	rda_put_hex(b, "4500 0000 1234 4000 40");
	rda_put8(b, protocol);
	rda_put_hex(b, "0000 c00002");
	rda_put8(b, from);
	rda_put_hex(b, "c00002");
	rda_put8(b, to);
	return at;
}

static void put_ip6_address(struct rda_build *b, uint8_t host)
{
	rda_put_hex(b, "20010db8 00000000 00000000 000000");
	rda_put8(b, host);
}

uint32_t rda_put_ip6(struct rda_build *b, uint8_t next_header, uint8_t from, uint8_t to)
{
	uint32_t at = b->length;

	rda_put_hex(b, "60012345 0000");
	rda_put8(b, next_header);
	rda_put8(b, 64);
	put_ip6_address(b, from);
	put_ip6_address(b, to);
	return at;
}

uint32_t rda_put_grh(struct rda_build *b, uint8_t from, uint8_t to)
{
	return rda_put_ip6(b, 0x1b, from, to);
}

uint32_t rda_put_udp(struct rda_build *b, uint16_t source_port, uint16_t destination_port)
{
	uint32_t at = b->length;

	rda_put16(b, source_port);
	rda_put16(b, destination_port);
	rda_put32(b, 0);
	return at;
}

uint32_t rda_put_lrh(struct rda_build *b, uint8_t lnh, uint16_t from, uint16_t to)
{
	uint32_t at = b->length;

	rda_put8(b, 0x30);		    /* VL 3 */
	rda_put8(b, (uint8_t)(0x50 | lnh)); /* SL 5 */
	rda_put16(b, to);
	rda_put16(b, 0);
	rda_put16(b, from);
	return at;
}

uint32_t rda_put_bth(struct rda_build *b, uint8_t opcode, uint32_t dest_qp, uint32_t psn)
{
	uint32_t at = b->length;

	rda_put8(b, opcode);
	rda_put_hex(b, "00 ffff 00");
	rda_put24(b, dest_qp);
	rda_put8(b, 0);
	rda_put24(b, psn);
	return at;
}

static void set_ip4_checksum(struct rda_build *b, uint32_t ip)
{
	uint32_t header = (b->bytes[ip] & 15u) * 4, sum = 0;

	rda_set16(b, ip + 10, 0);
	for (uint32_t i = 0; i < header; i += 2)
		sum += (uint32_t)b->bytes[ip + i] << 8 | b->bytes[ip + i + 1];
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	rda_set16(b, ip + 10, (uint16_t)~sum);
}

void rda_close_ip4(struct rda_build *b, uint32_t ip)
{
	rda_set16(b, ip + 2, (uint16_t)(b->length - ip));
	set_ip4_checksum(b, ip);
}

void rda_close_ip6(struct rda_build *b, uint32_t ip)
{
	rda_set16(b, ip + 4, (uint16_t)(b->length - ip - 40));
}

void rda_close_udp(struct rda_build *b, uint32_t udp)
{
	rda_set16(b, udp + 4, (uint16_t)(b->length - udp));
}

void rda_close_lrh(struct rda_build *b, uint32_t lrh)
{
	rda_set16(b, lrh + 4, (uint16_t)((b->length - lrh) / 4));
}

void rda_close_grh(struct rda_build *b, uint32_t grh)
{
	rda_close_ip6(b, grh);
}

/* ---- whole RDMA packets --------------------------------------------------------------------- */

static void put_routing(struct rda_built *built, const struct rda_recipe *recipe)
{
	struct rda_build *b = &built->b;
	uint8_t from = recipe->from, to = recipe->to;
	bool udp = recipe->route == RDA_ROUTE_IP4 || recipe->route == RDA_ROUTE_IP6;

	built->link = RDA_LINK_ETHERNET;
	switch (recipe->route) {
	case RDA_ROUTE_IP4:
		rda_put_eth(b, TYPE_IP4);
		built->l3 = rda_put_ip4(b, PROTOCOL_UDP, from, to);
		b->bytes[built->l3 + 1] |= recipe->ecn;
		rda_set16(b, built->l3 + 4, (uint16_t)(0x1234 + recipe->ip_id_by));
		break;
	case RDA_ROUTE_IP6:
		rda_put_eth(b, TYPE_IP6);
		built->l3 = rda_put_ip6(b, PROTOCOL_UDP, from, to);
		b->bytes[built->l3 + 1] |= (uint8_t)(recipe->ecn << 4);
		break;
	case RDA_ROUTE_ROCEV1:
		rda_put_eth(b, TYPE_ROCE);
		built->l3 = built->grh = rda_put_grh(b, from, to);
		break;
	default:
		built->link = RDA_LINK_INFINIBAND;
		built->l3 = rda_put_lrh(b, recipe->route == RDA_ROUTE_LOCAL ? 2 : 3, from, to);
		if (recipe->route == RDA_ROUTE_GLOBAL)
			built->grh = rda_put_grh(b, from, to);
	}
	if (udp)
		built->udp = rda_put_udp(b, recipe->source_port, ROCEV2);
}

static void put_crcs(struct rda_built *built, bool damaged)
{
	struct rda_build *b = &built->b;
	const uint8_t *l3 = b->bytes + built->l3;
	uint32_t crc = rda_reference_icrc(built->route, l3, built->bth - built->l3,
					  built->end - 4 - built->l3);

	crc ^= damaged ? 0x00010000 : 0;
	for (uint32_t i = 0; i < 4; i++) /* least significant byte first */
		b->bytes[built->end - 4 + i] = (uint8_t)(crc >> 8 * i);
	if (built->link == RDA_LINK_INFINIBAND) {
		uint16_t vcrc = rda_reference_vcrc(l3, built->end - built->l3);

		rda_put8(b, (uint8_t)vcrc);
		rda_put8(b, (uint8_t)(vcrc >> 8));
	}
}

void rda_build_packet(struct rda_built *built, const struct rda_recipe *recipe)
{
	struct rda_build *b = &built->b;
	uint32_t pad = -recipe->payload_length & 3;

	memset(built, 0, sizeof(*built));
	built->route = recipe->route;
	put_routing(built, recipe);
	built->bth = rda_put_bth(b, recipe->opcode, recipe->dest_qp, recipe->psn);
	b->bytes[built->bth + 1] |= (uint8_t)(pad << 4);
	b->bytes[built->bth + 4] |= recipe->becn ? 0x40 : 0;
	b->bytes[built->bth + 8] |= recipe->ack_req ? 0x80 : 0;
	rda_put(b, recipe->extended, recipe->extended_length);
	built->payload = b->length;
	if (recipe->payload)
		rda_put(b, recipe->payload, recipe->payload_length);
	else
		rda_put_pattern(b, recipe->payload_length);
	rda_put_zeros(b, pad);
	rda_put_zeros(b, 4);
	built->end = b->length;
	rda_build_set_end(built, built->end);
	put_crcs(built, recipe->damaged);
}

void rda_put_packet(struct rda_build *b, const struct rda_recipe *recipe)
{
	struct rda_built built;

	rda_build_packet(&built, recipe);
	rda_put(b, built.b.bytes + built.l3, built.b.length - built.l3);
}

void rda_put_send(struct rda_build *b, enum rda_route route)
{
	const struct rda_recipe recipe = {.route = route,
					  .from = 1,
					  .to = 2,
					  .source_port = 0xc123,
					  .opcode = 0x04,
					  .dest_qp = 0x11,
					  .psn = 100,
					  .payload_length = 8};

	rda_put_packet(b, &recipe);
}

void rda_build_set_end(struct rda_built *built, uint32_t end)
{
	struct rda_build *b = &built->b;
	uint32_t length = b->length;

	b->length = end;
	if (built->udp)
		rda_close_udp(b, built->udp);
	if (built->grh)
		rda_close_grh(b, built->grh);
	if (built->route == RDA_ROUTE_IP4)
		rda_close_ip4(b, built->l3);
	else if (built->route == RDA_ROUTE_IP6)
		rda_close_ip6(b, built->l3);
	else if (built->link == RDA_LINK_INFINIBAND)
		rda_close_lrh(b, built->l3);
	b->length = length;
}

/* ---- frames --------------------------------------------------------------------------------- */

struct rda_frame rda_exact_frame(const uint8_t *bytes, uint32_t captured, uint32_t wire,
				 uint16_t link)
{
	uint8_t *copy = malloc(captured);

	RDA_CHECK(copy || captured == 0, "no memory");
	if (captured)
		memcpy(copy, bytes, captured);
	return (struct rda_frame){copy, captured, wire, link};
}

void rda_frame_free(struct rda_frame *frame)
{
	free((void *)frame->bytes);
	frame->bytes = NULL;
}

void rda_dissect_build(struct rda_packet *packet, const struct rda_build *b, uint16_t link)
{
	struct rda_frame frame = rda_exact_frame(b->bytes, b->length, b->length, link);

	rda_dissect(packet, &frame, NULL);
	rda_frame_free(&frame);
}
