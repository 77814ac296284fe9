/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ICRC: on packets of real senders, against a bit-by-bit computation for every carrier, and
 * what it does and does not protect. And IPv4's own checksum.
 */
#include "dissectors/icrc.h"

#include "dissectors/crc32c.h"
#include "dissectors/link.h"
#include "tests/unit/expect.h"
#include "tests/unit/suite.h"
#include "tests/unit/vectors.h"

#include <string.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

static bool icrc_of(const struct rda_build *b, uint32_t captured, uint16_t link,
		    struct rda_crc *crc)
{
	struct rda_frame frame = rda_exact_frame(b->bytes, captured, b->length, link);
	struct rda_packet packet;
	bool checked;

	rda_dissect(&packet, &frame, NULL);
	checked = rda_icrc(&frame, &packet, crc);
	rda_frame_free(&frame);
	return checked;
}

static bool is_right(const struct rda_build *b, uint16_t link)
{
	struct rda_crc crc;

	ck_assert(icrc_of(b, b->length, link, &crc));
	return crc.stored == crc.computed;
}

START_TEST(packets_of_real_senders)
{
	for (unsigned i = 0; i < RDA_COUNT(rda_vectors); i++) {
		struct rda_build b = {0};
		struct rda_crc crc;

		rda_put_hex(&b, rda_vectors[i].frame);
		ck_assert(icrc_of(&b, b.length, rda_vectors[i].link, &crc));
		ck_assert_msg(crc.stored == rda_vectors[i].icrc, "%s", rda_vectors[i].name);
		ck_assert_msg(crc.computed == rda_vectors[i].icrc, "%s", rda_vectors[i].name);
	}
}
END_TEST

START_TEST(every_carrier_and_length)
{
	for (uint32_t payload = 0; payload <= 260; payload++) {
		for (unsigned route = 0; route < RDA_ROUTE_COUNT; route++) {
			struct rda_recipe recipe = {.route = (enum rda_route)route,
						    .from = 1,
						    .to = 2,
						    .opcode = 0x04,
						    .psn = payload,
						    .payload_length = payload};
			struct rda_built built;
			struct rda_crc crc;

			rda_build_packet(&built, &recipe);
			RDA_CHECK(icrc_of(&built.b, built.b.length, built.link, &crc),
				  "route %u, %u bytes", route, payload);
			RDA_CHECK(crc.stored == crc.computed, "route %u, %u bytes", route, payload);
		}
	}
}
END_TEST

/* ---- what it protects ----------------------------------------------------------------------- */

/* The bits of a byte of the packet (from its L3 header on) that a switch or router may change. */
static uint8_t unprotected(const struct rda_built *built, uint32_t at)
{
	bool udp = built->udp != 0;
	uint32_t bth = built->bth - built->l3, ip6 = built->route == RDA_ROUTE_GLOBAL ? 8 : 0;

	if (at == bth + 4)
		return 0xff; /* FECN, BECN, reserved */
	if (udp && (at == bth - 2 || at == bth - 1))
		return 0xff;		   /* UDP checksum */
	if (built->route == RDA_ROUTE_IP4) /* TOS, TTL, checksum */
		return at == 1 || at == 8 || at == 10 || at == 11 ? 0xff : 0;
	if (built->route == RDA_ROUTE_LOCAL)
		return at == 0 ? 0xf0 : 0; /* virtual lane */
	if (at < ip6)
		return 0xff; /* all of the LRH when a GRH follows */
	if (at == ip6)
		return 0x0f; /* traffic class */
	/* traffic class and flow label, hop limit */
	return (at > ip6 && at <= ip6 + 3) || at == ip6 + 7 ? 0xff : 0;
}

/* The offsets stay those of the whole packet: only the CRC is to notice the change. */
static void check_bit(const struct rda_built *built, const struct rda_packet *packet, uint32_t at,
		      unsigned bit)
{
	struct rda_build b = built->b;
	struct rda_frame frame;
	bool is_free = unprotected(built, at - built->l3) >> bit & 1;
	struct rda_crc crc;

	b.bytes[at] ^= (uint8_t)(1u << bit);
	frame = rda_exact_frame(b.bytes, b.length, b.length, built->link);
	RDA_CHECK(rda_icrc(&frame, packet, &crc), "byte %u", at);
	rda_frame_free(&frame);
	RDA_CHECK((crc.stored == crc.computed) == is_free, "route %d, byte %u, bit %u",
		  (int)built->route, at - built->l3, bit);
}

START_TEST(every_bit_is_protected_or_not)
{
	struct rda_recipe recipe = {.route = (enum rda_route)_i,
				    .from = 1,
				    .to = 2,
				    .opcode = 0x04,
				    .payload_length = 6};
	struct rda_packet packet;
	struct rda_built built;

	rda_build_packet(&built, &recipe);
	rda_dissect_build(&packet, &built.b, built.link);
	for (uint32_t at = built.l3; at < built.end; at++)
		for (unsigned bit = 0; bit < 8; bit++)
			if (at != built.l3 || bit < 4 || built.route == RDA_ROUTE_LOCAL)
				check_bit(&built, &packet, at, bit); /* but for IP's version */
}
END_TEST

/* The same with the packet dissected anew, for the changes that happen on the way. */
START_TEST(what_the_network_changes_does_no_harm)
{
	struct rda_built built;

	rda_build_packet(&built, &(struct rda_recipe){.opcode = 0x04, .payload_length = 8});
	built.b.bytes[built.l3 + 1] |= 3;     /* CE */
	built.b.bytes[built.l3 + 8] -= 3;     /* TTL */
	built.b.bytes[built.l3 + 10] ^= 0xff; /* checksum */
	built.b.bytes[built.bth + 4] |= 0x80; /* FECN */
	built.b.bytes[0] ^= 0xff;	      /* MAC */
	ck_assert(is_right(&built.b, built.link));
	built.b.bytes[built.l3 + 19] ^= 1; /* destination address */
	ck_assert(!is_right(&built.b, built.link));
}
END_TEST

/* ---- where it begins and ends --------------------------------------------------------------- */

START_TEST(what_is_around_the_packet_does_not_count)
{
	struct rda_build b = {0};
	uint32_t ip, udp;

	rda_put_eth(&b, 0x8100); /* VLAN tag, VXLAN, and Ethernet padding behind */
	rda_put_hex(&b, "0005 0800");
	ip = rda_put_ip4(&b, 17, 8, 9);
	udp = rda_put_udp(&b, 50000, 4789);
	rda_put_hex(&b, "0800000000000100");
	rda_put_eth(&b, 0x86dd);
	rda_put_send(&b, RDA_ROUTE_IP6);
	rda_close_udp(&b, udp);
	rda_close_ip4(&b, ip);
	rda_put_pattern(&b, 10);
	ck_assert(is_right(&b, RDA_LINK_ETHERNET));
}
END_TEST

/* IPv4 options and IPv6 extension headers are fed as they are. */
START_TEST(options_and_extension_headers)
{
	for (unsigned version = 4; version <= 6; version += 2) {
		enum rda_route route = version == 4 ? RDA_ROUTE_IP4 : RDA_ROUTE_IP6;
		struct rda_build b = {0};
		uint32_t udp, bth, icrc;

		if (version == 4)
			rda_put_ip4(&b, 17, 1, 2);
		else
			rda_put_ip6(&b, 60, 1, 2);
		rda_put_hex(&b, version == 4 ? "94040000 01010101" : "1100 010400000000");
		udp = rda_put_udp(&b, 0xc000, 4791);
		bth = rda_put_bth(&b, 0x04, 2, 3);
		rda_put_pattern(&b, 8);
		rda_put_zeros(&b, 4);
		rda_close_udp(&b, udp);
		b.bytes[0] = version == 4 ? 0x47 : 0x60;
		if (version == 4)
			rda_close_ip4(&b, 0);
		else
			rda_close_ip6(&b, 0);
		icrc = rda_reference_icrc(route, b.bytes, bth, b.length - 4);
		for (unsigned i = 0; i < 4; i++)
			b.bytes[b.length - 4 + i] = (uint8_t)(icrc >> 8 * i);
		ck_assert(is_right(&b, RDA_LINK_RAW));
		b.bytes[version == 4 ? 22 : 42] ^= 1; /* in them */
		ck_assert(!is_right(&b, RDA_LINK_RAW));
	}
}
END_TEST

/* ---- when nothing can be said --------------------------------------------------------------- */

START_TEST(a_cut_packet_cannot_be_checked)
{
	for (unsigned route = 0; route < RDA_ROUTE_COUNT; route++) {
		struct rda_recipe recipe = {
			.route = (enum rda_route)route, .opcode = 0x04, .payload_length = 8};
		struct rda_built built;
		struct rda_crc crc;

		rda_build_packet(&built, &recipe);
		for (uint32_t captured = 0; captured <= built.b.length; captured++)
			RDA_CHECK(icrc_of(&built.b, captured, built.link, &crc) ==
					  (captured >= built.end),
				  "route %u, %u bytes", route, captured);
	}
}
END_TEST

static uint32_t stored_in(const struct rda_built *built)
{
	struct rda_frame frame =
		rda_exact_frame(built->b.bytes, built->b.length, built->b.length, built->link);
	struct rda_packet packet;
	uint32_t stored;

	rda_dissect(&packet, &frame, NULL);
	stored = rda_icrc_stored(&frame, &packet);
	rda_frame_free(&frame);
	return stored;
}

START_TEST(fragments_and_wrong_ends_cannot_be_checked)
{
	const struct rda_recipe recipe = {.opcode = 0x04, .payload_length = 8};
	struct rda_built built;
	struct rda_crc crc;

	rda_build_packet(&built, &recipe);
	ck_assert_uint_ne(stored_in(&built), 0);
	rda_set16(&built.b, built.l3 + 6, 0x2000);
	ck_assert(!icrc_of(&built.b, built.b.length, built.link, &crc));
	ck_assert_uint_eq(stored_in(&built), 0);
	rda_build_packet(&built, &recipe);
	rda_set16(&built.b, built.l3 + 2, 200); /* more than there is */
	ck_assert(!icrc_of(&built.b, built.b.length, built.link, &crc));
	ck_assert_uint_eq(stored_in(&built), 0);
	rda_build_packet(&built, &recipe);
	rda_set16(&built.b, built.udp + 2, 53); /* no RDMA */
	ck_assert(!icrc_of(&built.b, built.b.length, built.link, &crc));
	for (uint32_t end = built.udp; end < built.bth + 16; end++) { /* no room for it */
		rda_build_packet(&built, &recipe);
		rda_build_set_end(&built, end);
		ck_assert(!icrc_of(&built.b, built.b.length, built.link, &crc));
	}
}
END_TEST

/* ---- IPv4's checksum ------------------------------------------------------------------------ */

static bool checksum_fails(const struct rda_build *b, uint16_t link)
{
	struct rda_frame frame = rda_exact_frame(b->bytes, b->length, b->length, link);
	struct rda_packet packet;
	bool fails;

	rda_dissect(&packet, &frame, NULL);
	fails = rda_ip4_checksum_fails(&frame, &packet);
	rda_frame_free(&frame);
	return fails;
}

START_TEST(ip4_checksums)
{
	struct rda_built built;

	rda_build_packet(&built, &(struct rda_recipe){.opcode = 0x04, .payload_length = 8});
	ck_assert(!checksum_fails(&built.b, built.link));
	for (uint32_t at = built.l3 + 12; at < built.l3 + 20; at++) {
		built.b.bytes[at] ^= 0x10;
		ck_assert(checksum_fails(&built.b, built.link));
		built.b.bytes[at] ^= 0x10;
	}
	rda_set16(&built.b, built.l3 + 10, 0); /* left to the NIC */
	ck_assert(!checksum_fails(&built.b, built.link));
	rda_close_ip4(&built.b, built.l3);
	memset(built.b.bytes + built.l3 + 12, 0xff, 8); /* carries, and with options */
	built.b.bytes[built.l3] = 0x47;
	rda_close_ip4(&built.b, built.l3);
	ck_assert(!checksum_fails(&built.b, built.link));
}
END_TEST

START_TEST(only_the_header_next_to_the_packet_counts)
{
	struct rda_build b = {0};
	struct rda_built built;

	rda_put_ip4(&b, 41, 8, 9); /* the outer one is wrong */
	rda_put_send(&b, RDA_ROUTE_IP6);
	rda_close_ip4(&b, 0);
	b.bytes[10] ^= 1;
	ck_assert(!checksum_fails(&b, RDA_LINK_IPV4));
	rda_build_packet(&built, &(struct rda_recipe){.route = RDA_ROUTE_ROCEV1, .opcode = 0x04});
	ck_assert(!checksum_fails(&built.b, built.link));
	rda_build_packet(&built, &(struct rda_recipe){.route = RDA_ROUTE_LOCAL, .opcode = 0x04});
	ck_assert(!checksum_fails(&built.b, built.link));
}
END_TEST

/* A packet that is sent again, with another identification and AckReq, has the ICRC of the first.
 */
START_TEST(what_a_resend_may_change_can_be_put_back)
{
	for (unsigned route = 0; route < RDA_ROUTE_COUNT; route++) {
		struct rda_recipe recipe = {.route = (enum rda_route)route,
					    .from = 1,
					    .to = 2,
					    .opcode = 0x04,
					    .psn = 7,
					    .payload_length = 100};
		struct rda_built built;
		struct rda_frame frame;
		struct rda_packet packet;
		uint32_t first, again, other;
		uint16_t ip_id;

		rda_build_packet(&built, &recipe);
		rda_dissect_build(&packet, &built.b, built.link);
		ip_id = packet.ip_id;
		first = rda_be32(built.b.bytes + built.end - 4);
		if (built.b.bytes[built.l3] >> 4 == 4)
			rda_set16(&built.b, built.l3 + 4, (uint16_t)(ip_id + 0x1234));
		built.b.bytes[built.bth + 8] ^= 0x80;
		frame = rda_exact_frame(built.b.bytes, built.b.length, built.b.length, built.link);
		rda_dissect(&packet, &frame, NULL);
		ck_assert(rda_icrc_as(&frame, &packet, ip_id, false, &again));
		ck_assert(rda_icrc_as(&frame, &packet, ip_id, true, &other));
		ck_assert_uint_eq(again, first);
		ck_assert_uint_ne(other, first);
		rda_frame_free(&frame);
		frame = rda_exact_frame(built.b.bytes, built.b.length - 7, built.b.length,
					built.link);
		rda_dissect(&packet, &frame, NULL);
		ck_assert(!rda_icrc_as(&frame, &packet, ip_id, false, &again));
		rda_frame_free(&frame);
	}
}
END_TEST

/* ---- wide registers -------------------------------------------------------------------------- */

#if defined(__x86_64__)
/* Upper halves of vector registers (XINUSE). */
static bool are_in_use(void)
{
	unsigned low, high;

	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(1) : "memory");
	return low & 4;
}

/* Whether the processor says so exactly: not all do. */
static bool are_told(void)
{
	unsigned a, b, c, d;

	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) ||
	    !__get_cpuid_count(13, 1, &a, &b, &c, &d) || !(a & 4))
		return false;
	__asm__ volatile("vzeroupper" ::: "memory");
	return !are_in_use();
}

/* Behind a CRC they are not, or all that comes behind it is slow. */
START_TEST(wide_registers_are_left)
{
	static uint8_t bytes[2000];
	struct rda_frame frame = {bytes, sizeof(bytes), sizeof(bytes), rda_vectors[0].link};
	struct rda_build b = {0};
	struct rda_packet packet;
	struct rda_crc crc;

	if (!are_told())
		return;
	rda_put_hex(&b, rda_vectors[0].frame);
	memcpy(bytes, b.bytes, b.length);
	rda_dissect(&packet, &frame, NULL);
	packet.end_offset = sizeof(bytes);
	rda_crc32c(0, bytes, sizeof(bytes));
	ck_assert(!are_in_use());
	ck_assert(rda_icrc(&frame, &packet, &crc));
	ck_assert(!are_in_use());
}
END_TEST
#endif

Suite *rda_suite_icrc(void)
{
	Suite *suite = suite_create("icrc");
	TCase *tcase = tcase_create("icrc");

	tcase_add_test(tcase, packets_of_real_senders);
	tcase_add_test(tcase, every_carrier_and_length);
	tcase_add_loop_test(tcase, every_bit_is_protected_or_not, 0, RDA_ROUTE_COUNT);
	tcase_add_test(tcase, what_the_network_changes_does_no_harm);
	tcase_add_test(tcase, what_is_around_the_packet_does_not_count);
	tcase_add_test(tcase, options_and_extension_headers);
	tcase_add_test(tcase, a_cut_packet_cannot_be_checked);
	tcase_add_test(tcase, fragments_and_wrong_ends_cannot_be_checked);
	tcase_add_test(tcase, what_a_resend_may_change_can_be_put_back);
#if defined(__x86_64__)
	tcase_add_test(tcase, wide_registers_are_left);
#endif
	suite_add_tcase(suite, tcase);
	tcase = tcase_create("IPv4 checksum");
	tcase_add_test(tcase, ip4_checksums);
	tcase_add_test(tcase, only_the_header_next_to_the_packet_counts);
	suite_add_tcase(suite, tcase);
	return suite;
}
