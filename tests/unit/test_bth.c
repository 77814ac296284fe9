/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every opcode in every carrier: whole, captured up to every length, and sent with every length.
 * The expected headers come from opcode_oracle.c, their fields from header_oracle.h; the offsets
 * are counted here.
 */
#include "tests/unit/build.h"
#include "tests/unit/header_oracle.h"
#include "tests/unit/opcode_oracle.h"
#include "tests/unit/suite.h"

enum { PAYLOAD = 5, PAD = 3, EXPECTED_MAX = 10, DEST_QP = 0x123456, PSN = 0xfedcba };

struct expected {
	uint8_t id;
	uint32_t offset, bytes;
};

/* One packet, and what should be found in it. */
struct sample {
	const struct rda_oracle_row *row; /* NULL: reserved, or a vendor's */
	unsigned opcode;
	uint8_t extended[64];
	struct rda_built built;
	struct expected headers[EXPECTED_MAX];
	unsigned header_count;
};

static void expect(struct sample *s, uint8_t id, uint32_t bytes)
{
	const struct expected *last = s->header_count ? &s->headers[s->header_count - 1] : NULL;
	uint32_t offset = last ? last->offset + last->bytes : 0;

	ck_assert_uint_lt(s->header_count, EXPECTED_MAX);
	s->headers[s->header_count++] = (struct expected){id, offset, bytes};
}

static void expect_routing(struct sample *s, enum rda_route route)
{
	switch (route) {
	case RDA_ROUTE_IP4:
		expect(s, RDA_ETH, 14);
		expect(s, RDA_IP4, 20);
		expect(s, RDA_UDP, 8);
		break;
	case RDA_ROUTE_IP6:
		expect(s, RDA_ETH, 14);
		expect(s, RDA_IP6, 40);
		expect(s, RDA_UDP, 8);
		break;
	case RDA_ROUTE_ROCEV1:
		expect(s, RDA_ETH, 14);
		expect(s, RDA_GRH, 40);
		break;
	case RDA_ROUTE_GLOBAL:
		expect(s, RDA_LRH, 8);
		expect(s, RDA_GRH, 40);
		break;
	default: expect(s, RDA_LRH, 8);
	}
}

static void make_sample(struct sample *s, enum rda_route route, unsigned opcode)
{
	struct rda_recipe recipe = {.route = route,
				    .from = 1,
				    .to = 2,
				    .source_port = 0xc123,
				    .opcode = (uint8_t)opcode,
				    .dest_qp = DEST_QP,
				    .psn = PSN,
				    .payload_length = PAYLOAD};

	memset(s, 0, sizeof(*s));
	s->row = rda_oracle_row(opcode);
	s->opcode = opcode;
	for (unsigned i = 0; i < sizeof(s->extended); i++)
		s->extended[i] = (uint8_t)(0x80 + 5 * i);
	recipe.extended = s->extended;
	recipe.extended_length = rda_oracle_extension(s->row);
	rda_build_packet(&s->built, &recipe);
	expect_routing(s, route);
	expect(s, RDA_BTH, 12);
	for (const char *letter = s->row ? s->row->headers : ""; *letter; letter++)
		expect(s, rda_oracle_header(*letter)->id, rda_oracle_header(*letter)->bytes);
}

static void dissect(struct rda_packet *packet, const struct sample *s, uint32_t captured,
		    uint32_t wire)
{
	struct rda_frame frame = rda_exact_frame(s->built.b.bytes, captured, wire, s->built.link);

	memset(packet, 0xa5, sizeof(*packet)); /* what was there before must not matter */
	rda_dissect(packet, &frame, NULL);
	rda_frame_free(&frame);
}

#define AT                                                                                         \
	"route %d, opcode 0x%02x, %u bytes: its row is in dissectors/opcodes.def, what it should " \
	"be in tests/unit/opcode_oracle.c, its headers in RDA_EXTENDED_HEADERS "                   \
	"(dissectors/headers.def)"

/* All headers that end within `length` bytes were found, and no others. */
static void check_headers(const struct rda_packet *packet, const struct sample *s, uint32_t length)
{
	const int route = s->built.route;
	uint64_t present = 0;
	unsigned count = 0;

	for (unsigned i = 0; i < s->header_count; i++) {
		const struct expected *want = &s->headers[i];
		const struct rda_layer *got = &packet->layers[i];

		if (want->offset + want->bytes > length)
			break;
		count++;
		RDA_CHECK(packet->layer_count >= count, AT, route, s->opcode, length);
		RDA_CHECK_SAME(got->header, want->id, AT, route, s->opcode, length);
		RDA_CHECK_SAME(got->offset, want->offset, AT, route, s->opcode, length);
		RDA_CHECK_SAME(got->length, want->bytes, AT, route, s->opcode, length);
		if (want->offset >= s->built.bth)
			present |= UINT64_C(1) << want->id;
	}
	RDA_CHECK_SAME(packet->layer_count, count, AT, route, s->opcode, length);
	RDA_CHECK_SAME(packet->present, present, AT, route, s->opcode, length);
}

static void check_carrier(const struct rda_packet *packet, const struct sample *s, uint32_t length)
{
	static const uint8_t carriers[RDA_ROUTE_COUNT] = {
		RDA_CARRIER_ROCEV2, RDA_CARRIER_ROCEV2, RDA_CARRIER_ROCEV1, RDA_CARRIER_INFINIBAND,
		RDA_CARRIER_INFINIBAND};
	/* known from UDP, GRH or LRH on */
	uint32_t known = s->built.route == RDA_ROUTE_GLOBAL ? 8 : s->built.bth;
	uint8_t want = length < known ? RDA_CARRIER_NONE : carriers[s->built.route];

	RDA_CHECK_SAME(packet->carrier, want, AT, (int)s->built.route, s->opcode, length);
}

/* From the BTH on it is known where the payload lies, whatever else was captured. */
static void check_payload(const struct rda_packet *packet, const struct sample *s, uint32_t length)
{
	bool known = s->row && length >= s->built.bth + 12;

	RDA_CHECK_SAME(packet->payload_known, known, AT, (int)s->built.route, s->opcode, length);
	if (!known)
		return;
	RDA_CHECK_SAME(packet->payload_length, PAYLOAD, AT, (int)s->built.route, s->opcode, length);
	RDA_CHECK_SAME(packet->payload_offset, s->built.payload, AT, (int)s->built.route, s->opcode,
		       length);
	RDA_CHECK_SAME(packet->end_offset, s->built.end, AT, (int)s->built.route, s->opcode,
		       length);
}

/* ---- whole ---------------------------------------------------------------------------------- */

static uint64_t bits(const uint8_t *p, unsigned skip, unsigned width)
{
	uint64_t value = 0;

	for (unsigned bit = skip; bit < skip + width; bit++)
		value = value << 1 | (p[bit / 8] >> (7 - bit % 8) & 1);
	return value;
}

/* The members of struct rda_packet, by where header_oracle.h says that their fields lie. */
static void check_fields(const struct rda_packet *packet, uint8_t id, const uint8_t *p)
{
#define F(member, byte, skip, width)                                                               \
	RDA_CHECK_SAME(h->member, bits(p + (byte), skip, width),                                   \
		       "%s: dissectors/headers.def and tests/unit/header_oracle.h differ",         \
		       rda_headers[id].id);
#define G(member, byte, bytes) ck_assert_mem_eq(h->member, p + (byte), bytes);
#define RDA_ROW(ID, id_, length, name, source)                                                     \
	case RDA_##ID: {                                                                           \
		const struct rda_##id_ *h = &packet->id_;                                          \
                                                                                                   \
		RDA_ORACLE_##ID(F, G) /* missing? type it into header_oracle.h */                  \
			break;                                                                     \
	}
	switch (id) {
		RDA_EXTENDED_HEADERS(RDA_ROW)
	default:
		ck_abort_msg("%s is not in RDA_EXTENDED_HEADERS (dissectors/headers.def)",
			     rda_headers[id].id);
	}
#undef RDA_ROW
#undef F
#undef G
}

START_TEST(every_opcode_whole)
{
	for (unsigned opcode = 0; opcode < 256; opcode++) {
		struct rda_packet packet;
		struct sample s;

		make_sample(&s, (enum rda_route)_i, opcode);
		dissect(&packet, &s, s.built.b.length, s.built.b.length);
		RDA_CHECK(packet.status == RDA_STATUS_OK && packet.faults == 0, AT, _i, opcode,
			  s.built.b.length);
		check_carrier(&packet, &s, s.built.b.length);
		check_headers(&packet, &s, s.built.b.length);
		check_payload(&packet, &s, s.built.b.length);
		for (unsigned i = 0; i < s.header_count; i++)
			if (s.headers[i].offset > s.built.bth)
				check_fields(&packet, s.headers[i].id,
					     s.built.b.bytes + s.headers[i].offset);
		ck_assert_uint_eq(packet.bth.opcode, opcode);
		ck_assert_uint_eq(packet.bth.dest_qp, DEST_QP);
		ck_assert_uint_eq(packet.bth.psn, PSN);
		ck_assert_uint_eq(packet.l3_offset, s.built.l3);
		ck_assert_uint_eq(packet.end_offset, s.built.end);
	}
}
END_TEST

/* ---- cut by the capture --------------------------------------------------------------------- */

START_TEST(every_opcode_cut_at_every_length)
{
	for (unsigned opcode = 0; opcode < 256; opcode++) {
		struct sample s;

		make_sample(&s, (enum rda_route)_i, opcode);
		for (uint32_t captured = 0; captured < s.built.b.length; captured++) {
			struct rda_packet packet;
			/* without its VCRC a packet is whole: that is no part of it */
			bool whole = captured >= s.built.end;

			dissect(&packet, &s, captured, s.built.b.length);
			RDA_CHECK_SAME(packet.status, (whole ? RDA_STATUS_OK : RDA_STATUS_CUT), AT,
				       _i, opcode, captured);
			RDA_CHECK_SAME(packet.faults, 0, AT, _i, opcode, captured);
			check_carrier(&packet, &s, captured);
			check_headers(&packet, &s, captured);
			check_payload(&packet, &s, captured);
		}
	}
}
END_TEST

/* ---- sent too short ------------------------------------------------------------------------- */

/* What is wrong with the packet when it ends at `end`. */
static unsigned fault_of_end(const struct sample *s, uint32_t end)
{
	uint32_t headers_end = s->built.payload, pad = s->row ? PAD : 0;

	if (end < headers_end)
		return 1u << RDA_FAULT_HEADER_SHORT;
	if (end < headers_end + 4)
		return 1u << RDA_FAULT_NO_ROOM_FOR_ICRC;
	if (end < headers_end + 4 + pad)
		return 1u << RDA_FAULT_PAD_EXCEEDS;
	if (s->row && (end - headers_end) % 4)
		return 1u << RDA_FAULT_PAYLOAD_LENGTH; /* odd, not malformed */
	return 0;
}

START_TEST(every_opcode_sent_with_every_length)
{
	bool native = _i == RDA_ROUTE_LOCAL || _i == RDA_ROUTE_GLOBAL;

	for (unsigned opcode = 0; opcode < 256; opcode++) {
		struct sample s;

		make_sample(&s, (enum rda_route)_i, opcode);
		/* PktLen counts words */
		for (uint32_t end = 0; end <= s.built.end; end += native ? 4 : 1) {
			struct rda_packet packet;
			unsigned fault = fault_of_end(&s, end);
			bool malformed = fault && fault != 1u << RDA_FAULT_PAYLOAD_LENGTH;
			uint32_t wire = native && end >= 8 ? end + 2 : end;

			rda_build_set_end(&s.built, end);
			dissect(&packet, &s, wire, wire);
			RDA_CHECK(packet.status ==
					  (malformed ? RDA_STATUS_MALFORMED : RDA_STATUS_OK),
				  AT, _i, opcode, end);
			RDA_CHECK_SAME(packet.faults, fault, AT, _i, opcode, end);
			if (!malformed)
				check_headers(&packet, &s, end);
		}
	}
}
END_TEST

/* ---- the BTH itself, and the payload --------------------------------------------------------- */

START_TEST(bth_fields_lie_where_the_figure_has_them)
{
	struct rda_built built;
	struct rda_packet packet;
	struct rda_build bth = {0};

	rda_build_packet(&built, &(struct rda_recipe){.opcode = 0x04, .payload_length = 8});
	rda_put_hex(&bth, "04 b5 8001 95 123456 a5 fedcba");
	memcpy(built.b.bytes + built.bth, bth.bytes, 12);
	rda_dissect_build(&packet, &built.b, built.link);
	ck_assert_uint_eq(packet.bth.opcode, 0x04);
	ck_assert(packet.bth.se);
	ck_assert(!packet.bth.migreq);
	ck_assert_uint_eq(packet.bth.padcnt, 3);
	ck_assert_uint_eq(packet.bth.tver, 5);
	ck_assert_uint_eq(packet.bth.pkey, 0x8001);
	ck_assert(packet.bth.fecn);
	ck_assert(!packet.bth.becn);
	ck_assert_uint_eq(packet.bth.resv6a, 0x15);
	ck_assert_uint_eq(packet.bth.dest_qp, 0x123456);
	ck_assert(packet.bth.ack_req);
	ck_assert_uint_eq(packet.bth.resv7, 0x25);
	ck_assert_uint_eq(packet.bth.psn, 0xfedcba);
	built.b.bytes[built.bth + 1] = 0x40;
	built.b.bytes[built.bth + 4] = 0x40;
	built.b.bytes[built.bth + 8] = 0x7f;
	rda_dissect_build(&packet, &built.b, built.link);
	ck_assert(!packet.bth.se && packet.bth.migreq && packet.bth.padcnt == 0);
	ck_assert(!packet.bth.fecn && packet.bth.becn && packet.bth.resv6a == 0);
	ck_assert(!packet.bth.ack_req && packet.bth.resv7 == 0x7f);
}
END_TEST

START_TEST(a_payload_of_zero_bytes_is_one)
{
	struct rda_built built;
	struct rda_packet packet;

	rda_build_packet(&built, &(struct rda_recipe){.opcode = 0x04});
	rda_dissect_build(&packet, &built.b, built.link);
	ck_assert_int_eq(packet.status, RDA_STATUS_OK);
	ck_assert(packet.payload_known);
	ck_assert_uint_eq(packet.payload_length, 0);
}
END_TEST

START_TEST(the_first_fragment_has_headers_but_no_known_payload)
{
	uint8_t reth[16] = {0};
	struct rda_recipe recipe = {
		.opcode = 0x0a, .extended = reth, .extended_length = 16, .payload_length = 32};
	struct rda_built built;
	struct rda_packet packet;

	rda_build_packet(&built, &recipe);
	rda_set16(&built.b, built.l3 + 6, 0x2000); /* more fragments */
	rda_dissect_build(&packet, &built.b, built.link);
	ck_assert(packet.fragment);
	ck_assert(rda_has(&packet, RETH));
	ck_assert(!packet.payload_known);
	ck_assert_int_eq(packet.status, RDA_STATUS_OK);
	rda_build_set_end(&built, built.payload - 1); /* and no RETH where it is not whole */
	rda_set16(&built.b, built.l3 + 6, 0x2000);
	rda_dissect_build(&packet, &built.b, built.link);
	ck_assert(rda_has(&packet, BTH) && !rda_has(&packet, RETH));
	ck_assert_uint_eq(packet.faults, 0);
}
END_TEST

/* A MAD is what UD carries to or from QP 0 or 1, and nothing else. */
START_TEST(only_ud_of_a_management_qp_is_a_mad)
{
	static const struct {
		uint8_t opcode, src_qp;
		uint32_t dest_qp, payload;
		bool mad;
	} cases[] = {
		{0x64, 2, 0, 256, true},	 {0x64, 2, 1, 256, true},  {0x64, 2, 2, 256, false},
		{0x64, 0, 0x123, 256, true},	 {0x64, 1, 2, 256, true},  {0x64, 2, 1, 24, true},
		{0x64, 2, 1, 20, false},	 {0x04, 1, 1, 256, false}, {0x44, 1, 1, 256, false},
		{0x64, 2, 0xffffff, 256, false},
	};
	uint8_t extended[12] = {0};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_recipe recipe = {
			.opcode = cases[i].opcode,
			.dest_qp = cases[i].dest_qp,
			.extended = extended,
			.extended_length = rda_oracle_extension(rda_oracle_row(cases[i].opcode)),
			.payload_length = cases[i].payload,
		};
		struct rda_built built;
		struct rda_packet packet;

		extended[7] = extended[11] = cases[i].src_qp; /* DETH ends there in UD, in RD */
		rda_build_packet(&built, &recipe);
		rda_dissect_build(&packet, &built.b, built.link);
		ck_assert_msg(rda_has(&packet, MAD) == cases[i].mad, "case %u", i);
	}
}
END_TEST

Suite *rda_suite_bth(void)
{
	Suite *suite = suite_create("bth");
	TCase *tcase = tcase_create("every opcode");

	tcase_add_loop_test(tcase, every_opcode_whole, 0, RDA_ROUTE_COUNT);
	tcase_add_loop_test(tcase, every_opcode_cut_at_every_length, 0, RDA_ROUTE_COUNT);
	tcase_add_loop_test(tcase, every_opcode_sent_with_every_length, 0, RDA_ROUTE_COUNT);
	suite_add_tcase(suite, tcase);
	tcase = tcase_create("fields and payload");
	tcase_add_test(tcase, bth_fields_lie_where_the_figure_has_them);
	tcase_add_test(tcase, a_payload_of_zero_bytes_is_one);
	tcase_add_test(tcase, the_first_fragment_has_headers_but_no_known_payload);
	tcase_add_test(tcase, only_ud_of_a_management_qp_is_a_mad);
	suite_add_tcase(suite, tcase);
	return suite;
}
