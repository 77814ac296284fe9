/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frames written anew: what stays, what is zero, what is asked for; checksums and CRCs as right or
 * wrong as before; at every captured length.
 */
#include "dissectors/rewrite.h"

#include "dissectors/icrc.h"
#include "dissectors/tcp.h"
#include "tests/unit/build.h"
#include "tests/unit/suite.h"

#include <string.h>

enum { PAYLOAD = 64, UDP_PROTOCOL = 17, ROCE = 4791 };

/* Adds one to the last byte of each, and counts them by kind. */
static void add_one(void *context, enum rda_secret kind, uint8_t *bytes, unsigned length)
{
	unsigned *counts = context;

	bytes[length - 1]++;
	counts[kind]++;
}

static void keep_first(void *context, const struct rda_packet *packet, uint8_t *out,
		       const uint8_t *payload, uint32_t length)
{
	(void)context;
	ck_assert_ptr_nonnull(packet);
	ck_assert_uint_gt(length, 0);
	out[0] = payload[0];
}

/* A WRITE Only of host 1 to host 2 over RoCEv2, with a good ICRC and checksum. */
static struct rda_build make_write(void)
{
	struct rda_build b = {0};
	struct rda_packet packet;
	struct rda_frame frame;
	struct rda_crc crc;
	uint32_t ip, udp;

	rda_put_eth(&b, 0x0800);
	ip = rda_put_ip4(&b, UDP_PROTOCOL, 1, 2);
	udp = rda_put_udp(&b, 50000, ROCE);
	rda_put_bth(&b, RDA_OPCODE(RC, WRITE_ONLY), 0x222, 77);
	rda_put64(&b, 0x7f0000001000); /* RETH */
	rda_put32(&b, 0x1622);
	rda_put32(&b, PAYLOAD);
	rda_put_pattern(&b, PAYLOAD);
	rda_put_zeros(&b, 4);
	rda_close_udp(&b, udp);
	rda_close_ip4(&b, ip);
	frame = (struct rda_frame){b.bytes, b.length, b.length, 1};
	rda_dissect(&packet, &frame, NULL);
	ck_assert(rda_icrc(&frame, &packet, &crc));
	for (unsigned i = 0; i < 4; i++)
		b.bytes[b.length - 4 + i] = (uint8_t)(crc.computed >> 8 * i);
	return b;
}

static void write_anew(uint8_t *out, const struct rda_build *b, uint32_t captured, unsigned *counts)
{
	struct rda_frame frame = rda_exact_frame(b->bytes, captured, b->length, 1);
	struct rda_rewrite rewrite = {.secret = add_one, .payload = keep_first, .context = counts};

	memset(counts, 0, RDA_SECRET_COUNT * sizeof(*counts));
	rda_rewrite(out, &frame, NULL, &rewrite);
	rda_frame_free(&frame);
}

static struct rda_packet read(const uint8_t *bytes, uint32_t length, struct rda_crc *crc)
{
	struct rda_frame frame = {bytes, length, length, 1};
	struct rda_packet packet;

	rda_dissect(&packet, &frame, NULL);
	ck_assert(rda_icrc(&frame, &packet, crc));
	ck_assert(!rda_ip4_checksum_fails(&frame, &packet));
	return packet;
}

START_TEST(secrets_are_replaced_and_the_rest_stays)
{
	struct rda_build b = make_write();
	unsigned counts[RDA_SECRET_COUNT];
	uint8_t out[RDA_BUILD_MAX];
	struct rda_packet packet;
	struct rda_crc crc;

	write_anew(out, &b, b.length, counts);
	packet = read(out, b.length, &crc);
	ck_assert_uint_eq(crc.stored, crc.computed);
	ck_assert_uint_eq(packet.bth.dest_qp, 0x223);
	ck_assert_uint_eq(packet.bth.psn, 77);
	ck_assert_uint_eq(packet.reth.rkey, 0x1623);
	ck_assert_uint_eq(packet.reth.va, 0x7f0000001001);
	ck_assert_uint_eq(packet.reth.dmalen, PAYLOAD);
	ck_assert_uint_eq(packet.source_port, 50000);
	ck_assert_uint_eq(counts[RDA_SECRET_MAC], 2);
	ck_assert_uint_eq(counts[RDA_SECRET_IP4], 2);
	ck_assert_uint_eq(counts[RDA_SECRET_QPN], 1);
	for (unsigned i = 0; i < PAYLOAD; i++)
		ck_assert_uint_eq(out[packet.payload_offset + i], 0);
}
END_TEST

START_TEST(what_was_damaged_is_as_damaged)
{
	struct rda_build b = make_write();
	unsigned counts[RDA_SECRET_COUNT];
	uint8_t out[RDA_BUILD_MAX];
	struct rda_crc before, after;

	b.bytes[b.length - 2] ^= 0x5a;
	read(b.bytes, b.length, &before);
	write_anew(out, &b, b.length, counts);
	read(out, b.length, &after);
	ck_assert_uint_ne(after.stored, after.computed);
	ck_assert_uint_eq(after.stored ^ after.computed, before.stored ^ before.computed);
}
END_TEST

START_TEST(a_wrong_checksum_stays_wrong)
{
	struct rda_build b = make_write();
	unsigned counts[RDA_SECRET_COUNT];
	uint8_t out[RDA_BUILD_MAX];
	struct rda_frame frame = {out, b.length, b.length, 1};
	struct rda_packet packet;

	b.bytes[24] ^= 1; /* of the IPv4 header */
	write_anew(out, &b, b.length, counts);
	rda_dissect(&packet, &frame, NULL);
	ck_assert(rda_ip4_checksum_fails(&frame, &packet));
}
END_TEST

/* A TCP segment whose checksum is this: its window is chosen so. */
static struct rda_build make_segment(uint16_t checksum)
{
	enum { IP = 14, ADDRESSES = IP + 12, TCP = IP + 20, TCP_BYTES = 20, TCP_PROTOCOL = 6 };
	struct rda_build b = {0};
	uint32_t ip, sum = TCP_PROTOCOL + TCP_BYTES;

	rda_put_eth(&b, 0x0800);
	ip = rda_put_ip4(&b, TCP_PROTOCOL, 1, 2);
	rda_put16(&b, 50000);
	rda_put16(&b, 7000);
	rda_put32(&b, 1000);
	rda_put32(&b, 2000);
	rda_put16(&b, 0x5010);
	rda_put16(&b, 0);
	rda_put16(&b, checksum);
	rda_put16(&b, 0);
	rda_close_ip4(&b, ip);
	for (uint32_t at = ADDRESSES; at < b.length; at += 2)
		sum += (uint32_t)b.bytes[at] << 8 | b.bytes[at + 1];
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	rda_set16(&b, TCP + 14, (uint16_t)~sum);
	return b;
}

/* Of TCP 0 is a checksum as any; of UDP there is none then. */
START_TEST(a_checksum_of_zero_stays_right)
{
	static const uint16_t sums[] = {0, 0xffff, 0x1234};
	struct rda_build b = make_segment(sums[_i]);
	unsigned counts[RDA_SECRET_COUNT];
	uint8_t out[RDA_BUILD_MAX];
	struct rda_frame before = {b.bytes, b.length, b.length, 1};
	struct rda_frame after = {out, b.length, b.length, 1};
	struct rda_packet packet;

	rda_dissect(&packet, &before, NULL);
	ck_assert_int_eq(rda_tcp_check(&before, &packet), RDA_TCP_CHECK_MATCH);
	write_anew(out, &b, b.length, counts);
	ck_assert_mem_ne(out, b.bytes, b.length);
	rda_dissect(&packet, &after, NULL);
	ck_assert_int_eq(rda_tcp_check(&after, &packet), RDA_TCP_CHECK_MATCH);
}
END_TEST

/* Numbers of bytes are no secret, when a host was up is. */
START_TEST(what_came_twice_is_kept)
{
	enum { TCP = 14 + 20, OPTIONS = TCP + 20, TIMESTAMP = OPTIONS + 4 };
	struct rda_build b = {0};
	unsigned counts[RDA_SECRET_COUNT];
	uint8_t out[RDA_BUILD_MAX];
	struct rda_frame after = {out, 0, 0, 1};
	struct rda_tcp_block block;
	struct rda_packet packet;
	uint32_t ip;

	rda_put_eth(&b, 0x0800);
	ip = rda_put_ip4(&b, 6, 1, 2);
	rda_put16(&b, 50000);
	rda_put16(&b, 7000);
	rda_put32(&b, 1000);
	rda_put32(&b, 2000);
	rda_put32(&b, 0xb0100000);
	rda_put32(&b, 0);
	rda_put32(&b, 0x0101080a);
	rda_put32(&b, 0x12345678);
	rda_put32(&b, 0x9abcdef0);
	rda_put32(&b, 0x0101050a);
	rda_put32(&b, 1500);
	rda_put32(&b, 1600);
	rda_close_ip4(&b, ip);
	write_anew(out, &b, b.length, counts);
	after.captured = after.wire = b.length;
	rda_dissect(&packet, &after, NULL);
	ck_assert(rda_tcp_got_twice(&after, &packet, &block));
	ck_assert_uint_eq(block.begin, 1500);
	ck_assert_uint_eq(block.end, 1600);
	ck_assert_mem_eq(out + TIMESTAMP, "\1\1\1\1\1\1\1\1", 8);
}
END_TEST

/* Under the address sanitizer: nothing behind either buffer is touched, and no original stays. */
START_TEST(every_length_may_be_captured)
{
	struct rda_build b = make_write();
	unsigned counts[RDA_SECRET_COUNT];

	for (uint32_t captured = 0; captured <= b.length; captured++) {
		struct rda_frame out = rda_exact_frame(b.bytes, captured, b.length, 1);

		write_anew((uint8_t *)(uintptr_t)out.bytes, &b, captured, counts);
		if (captured >= 66) /* behind the r_key */
			ck_assert_mem_ne(out.bytes + 62, "\0\0\x16\x22", 4);
		else if (captured >= 30) /* cut headers are gone */
			ck_assert_uint_eq(counts[RDA_SECRET_KEY], 0);
		rda_frame_free(&out);
	}
}
END_TEST

START_TEST(of_a_send_stays_what_is_asked_for)
{
	struct rda_build b = {0};
	unsigned counts[RDA_SECRET_COUNT];
	uint8_t out[RDA_BUILD_MAX];
	uint32_t ip, udp, payload;

	rda_put_eth(&b, 0x0800);
	ip = rda_put_ip4(&b, UDP_PROTOCOL, 1, 2);
	udp = rda_put_udp(&b, 50000, ROCE);
	rda_put_bth(&b, RDA_OPCODE(RC, SEND_ONLY), 0x222, 77);
	payload = b.length;
	rda_put_pattern(&b, 8);
	rda_put_zeros(&b, 4);
	rda_close_udp(&b, udp);
	rda_close_ip4(&b, ip);
	write_anew(out, &b, b.length, counts);
	ck_assert_uint_eq(out[payload], b.bytes[payload]);
	ck_assert_uint_eq(out[payload + 1], 0);
}
END_TEST

static uint16_t another_port(void *context, const struct rda_packet *packet)
{
	(void)context;
	return packet->source_port + 1;
}

static uint8_t nine(void *context, const struct rda_packet *packet, const uint8_t *payload,
		    uint32_t length)
{
	(void)context;
	ck_assert_uint_eq(packet->bth.dest_qp, 0x222);
	ck_assert_uint_eq(length, PAYLOAD);
	ck_assert_uint_eq(payload[1], 8);
	return 9;
}

/* Both are in the ICRC and the checksum. */
START_TEST(the_port_and_what_differs_are_asked_for)
{
	const struct rda_rewrite rewrite = {.secret = add_one,
					    .source_port = another_port,
					    .contents = nine,
					    .context = (unsigned[RDA_SECRET_COUNT]){0}};
	struct rda_build b = make_write();
	struct rda_frame frame = {b.bytes, b.length, b.length, 1};
	uint8_t out[RDA_BUILD_MAX];
	struct rda_packet packet;
	struct rda_crc crc;

	rda_rewrite(out, &frame, NULL, &rewrite);
	packet = read(out, b.length, &crc);
	ck_assert_uint_eq(crc.stored, crc.computed);
	ck_assert_uint_eq(packet.source_port, 50001);
	ck_assert_uint_eq(out[b.length - 5], 9);
	ck_assert_uint_eq(out[b.length - 6], 0);
}
END_TEST

/* The reserved bytes of a CNP; that the pad of a SEND was not zero. */
START_TEST(what_is_no_payload_stays)
{
	struct rda_build b = {0};
	unsigned counts[RDA_SECRET_COUNT];
	uint8_t out[RDA_BUILD_MAX];
	uint32_t ip, udp, bth, behind;

	rda_put_eth(&b, 0x0800);
	ip = rda_put_ip4(&b, UDP_PROTOCOL, 1, 2);
	udp = rda_put_udp(&b, 50000, ROCE);
	bth = rda_put_bth(&b, _i ? RDA_OPCODE(RC, SEND_ONLY) : RDA_OPCODE_CNP, 0x222, 77);
	b.bytes[bth + 1] |= _i ? 3 << 4 : 0; /* of 16 bytes, 3 are a pad */
	behind = b.length;
	rda_put_pattern(&b, 16);
	rda_put_zeros(&b, 4);
	rda_close_udp(&b, udp);
	rda_close_ip4(&b, ip);
	write_anew(out, &b, b.length, counts);
	if (_i)
		ck_assert_mem_eq(out + behind + 13, "\1\1\1", 3);
	else
		ck_assert_mem_eq(out + behind, b.bytes + behind, 16);
}
END_TEST

/* A name that headers.def does not have would protect nothing. */
START_TEST(every_secret_is_a_field)
{
	static const char *const members[] = {
#define RDA_S(member, KIND) #member,
		RDA_SECRET_FIELDS(RDA_S)
#undef RDA_S
	};

	for (unsigned i = 0; i < RDA_COUNT(members); i++) {
		bool found = false;

		for (unsigned header = 0; header < RDA_HEADER_COUNT; header++)
			for (unsigned j = 0; j < rda_headers[header].field_count; j++)
				found = found || strcmp(rda_headers[header].fields[j].member,
							members[i]) == 0;
		ck_assert_msg(found, "%s is no field of headers.def", members[i]);
	}
}
END_TEST

Suite *rda_suite_rewrite(void)
{
	Suite *suite = suite_create("rewrite");
	TCase *frames = tcase_create("rewrite");

	tcase_add_test(frames, secrets_are_replaced_and_the_rest_stays);
	tcase_add_test(frames, what_was_damaged_is_as_damaged);
	tcase_add_test(frames, a_wrong_checksum_stays_wrong);
	tcase_add_loop_test(frames, a_checksum_of_zero_stays_right, 0, 3);
	tcase_add_test(frames, what_came_twice_is_kept);
	tcase_add_test(frames, every_length_may_be_captured);
	tcase_add_test(frames, of_a_send_stays_what_is_asked_for);
	tcase_add_test(frames, the_port_and_what_differs_are_asked_for);
	tcase_add_loop_test(frames, what_is_no_payload_stays, 0, 2);
	tcase_add_test(frames, every_secret_is_a_field);
	suite_add_tcase(suite, frames);
	return suite;
}
