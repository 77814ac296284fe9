/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Management datagrams: every field of every CM message at the offset that cm_oracle.h has, whole
 * and captured up to every length; the RDMA IP CM service's private data; attributes and reasons in
 * words.
 */
#include "dissectors/mad.h"

#include "dissectors/values.h"
#include "tests/unit/cm_oracle.h"
#include "tests/unit/expect.h"
#include "tests/unit/suite.h"

enum { MAD_HEADER = 24, MAD_TOTAL = 256, CLASS_CM = 7 };

struct sample {
	struct rda_built built;
	uint32_t cm; /* offset of the CM message */
};

/* A MAD of so many bytes (256, when it is right) to QP 1; behind its header, a pattern. */
static void make_mad(struct sample *s, uint8_t class, uint16_t attribute, uint32_t bytes)
{
	static const uint8_t deth[8] = {0x80, 1, 0, 0, 0, 0, 0, 1};
	struct rda_build mad = {0};

	rda_put_hex(&mad, "01");
	rda_put8(&mad, class);
	rda_put_hex(&mad, "02 03 1234 5678 1122334455667788");
	rda_put16(&mad, attribute);
	rda_put_hex(&mad, "0000 99aabbcc");
	for (uint32_t i = 0; mad.length < bytes; i++)
		rda_put8(&mad, (uint8_t)(i * 37 + (i >> 3) + 0x91));
	rda_build_packet(&s->built, &(struct rda_recipe){.from = 1,
							 .to = 2,
							 .opcode = 0x64,
							 .dest_qp = 1,
							 .extended = deth,
							 .extended_length = 8,
							 .payload = mad.bytes,
							 .payload_length = bytes});
	s->cm = s->built.payload + MAD_HEADER;
}

static struct rda_frame frame_of(const struct sample *s, uint32_t captured)
{
	return rda_exact_frame(s->built.b.bytes, captured, s->built.b.length, s->built.link);
}

/* ---- the header ----------------------------------------------------------------------------- */

START_TEST(mad_fields)
{
	struct rda_packet packet;
	struct sample s;

	make_mad(&s, 0x03, 0x0035, MAD_TOTAL);
	rda_expect_whole(&packet, &s.built.b, s.built.link, "eth ip4 udp bth deth mad");
	ck_assert_uint_eq(packet.mad.base_version, 1);
	ck_assert_uint_eq(packet.mad.mgmt_class, 3);
	ck_assert_uint_eq(packet.mad.class_version, 2);
	ck_assert_uint_eq(packet.mad.method, 3);
	ck_assert_uint_eq(packet.mad.status, 0x1234);
	ck_assert_uint_eq(packet.mad.specific, 0x5678);
	ck_assert_uint_eq(packet.mad.tid, UINT64_C(0x1122334455667788));
	ck_assert_uint_eq(packet.mad.attribute, 0x0035);
	ck_assert_uint_eq(packet.mad.modifier, 0x99aabbcc);
	ck_assert_str_eq(rda_mad_attribute(&packet.mad), "PathRecord");
}
END_TEST

START_TEST(attributes_are_named_by_their_class)
{
	static const struct {
		uint8_t class;
		uint16_t attribute;
		const char *name;
	} cases[] = {
		{0x01, 0x0015, "PortInfo"},
		{0x81, 0x0011, "NodeInfo"},
		{0x03, 0x0038, "MCMemberRecord"},
		{0x04, 0x0012, "PortCounters"},
		{0x07, 0x0010, "ConnectRequest"},
		{0x07, 0x0001, "ClassPortInfo"},
		{0x04, 0x0015, NULL},
		{0x06, 0x0010, NULL},
		{0x07, 0x001b, NULL},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_mad mad = {.mgmt_class = cases[i].class,
				      .attribute = cases[i].attribute};

		ck_assert_pstr_eq(rda_mad_attribute(&mad), cases[i].name);
	}
}
END_TEST

/* Only class CM has CM messages, and only eleven attributes are ones. */
START_TEST(other_mads_have_no_message)
{
	static const uint16_t attributes[] = {0x0001, 0x000f, 0x001b, 0x0110};
	struct rda_packet packet;
	struct sample s;

	for (unsigned i = 0; i < RDA_COUNT(attributes); i++) {
		make_mad(&s, CLASS_CM, attributes[i], MAD_TOTAL);
		rda_dissect_build(&packet, &s.built.b, s.built.link);
		rda_expect_layers(&packet, "eth ip4 udp bth deth mad");
	}
	make_mad(&s, 0x06, 0x0010, MAD_TOTAL);
	rda_dissect_build(&packet, &s.built.b, s.built.link);
	rda_expect_layers(&packet, "eth ip4 udp bth deth mad");
}
END_TEST

/* ---- messages ------------------------------------------------------------------------------- */

/* The bits of a field, one by one; 0 where they were not captured. */
static uint64_t bits(const uint8_t *message, unsigned byte, unsigned skip, unsigned width)
{
	uint64_t value = 0;

	for (unsigned i = byte * 8 + skip; width--; i++)
		value = value << 1 | (message[i / 8] >> (7 - i % 8) & 1);
	return value;
}

/* For each message, a function that compares a rda_cm with its bytes, field by field. */
#define F(member, byte, skip, width)                                                               \
	known = ((byte)*8 + (skip) + (width) + 7) / 8 <= captured;                                 \
	RDA_CHECK(rda_cm_knows(cm, #member) == known, #member ", %u bytes captured", captured);    \
	if (known)                                                                                 \
		RDA_CHECK((uint64_t)THIS->member == bits(message, byte, skip, width),              \
			  #member ", %u bytes captured", captured);                                \
	fields++;
#define G(member, byte, bytes)                                                                     \
	known = (byte) + (bytes) <= captured;                                                      \
	RDA_CHECK(rda_cm_knows(cm, #member) == known, #member ", %u bytes captured", captured);    \
	if (known)                                                                                 \
		RDA_CHECK(memcmp(THIS->member, message + (byte), bytes) == 0,                      \
			  #member ", %u bytes captured", captured);                                \
	fields++;
#define RDA_M(ID, id_)                                                                             \
	static void check_##id_(const struct rda_cm *cm, const uint8_t *message,                   \
				uint32_t captured)                                                 \
	{                                                                                          \
		const struct rda_cm_##id_ *this = &cm->cm_##id_;                                   \
		unsigned fields = 0;                                                               \
		bool known;                                                                        \
                                                                                                   \
		RDA_ORACLE_CM_##ID(F, G)                                                           \
			ck_assert_uint_eq(fields + 1, rda_headers[RDA_CM_##ID].field_count);       \
		ck_assert_uint_eq(rda_headers[RDA_CM_##ID].bytes, RDA_ORACLE_CM_##ID##_BYTES);     \
		RDA_CHECK(rda_cm_knows(cm, "private_data") ==                                      \
				  (captured >= RDA_ORACLE_CM_##ID##_BYTES),                        \
			  "%u bytes captured", captured);                                          \
	}
#define THIS this
RDA_CM_MESSAGES(RDA_M)
#undef RDA_M
#undef THIS
#undef F
#undef G

static const struct message {
	uint16_t attribute;
	uint8_t id; /* enum rda_header_id */
	uint32_t bytes;
	void (*check)(const struct rda_cm *cm, const uint8_t *message, uint32_t captured);
} messages[] = {
	{0x10, RDA_CM_REQ, 140, check_req},
	{0x11, RDA_CM_MRA, 10, check_mra},
	{0x12, RDA_CM_REJ, 84, check_rej},
	{0x13, RDA_CM_REP, 36, check_rep},
	{0x14, RDA_CM_RTU, 8, check_rtu},
	{0x15, RDA_CM_DREQ, 12, check_dreq},
	{0x16, RDA_CM_DREP, 8, check_drep},
	{0x17, RDA_CM_SIDR_REQ, 16, check_sidr_req},
	{0x18, RDA_CM_SIDR_REP, 96, check_sidr_rep},
	{0x19, RDA_CM_LAP, 64, check_lap},
	{0x1a, RDA_CM_APR, 84, check_apr},
};

static void check_captured(const struct message *m, const struct sample *s, uint32_t captured)
{
	struct rda_frame frame = frame_of(s, captured);
	uint32_t of_message = captured > s->cm ? captured - s->cm : 0;
	struct rda_packet packet;
	struct rda_cm cm;

	if (of_message > m->bytes)
		of_message = m->bytes;
	rda_dissect(&packet, &frame, NULL);
	RDA_CHECK(packet.faults == 0, "0x%02x, %u bytes", m->attribute, captured);
	RDA_CHECK(packet.status == (captured < s->built.end ? RDA_STATUS_CUT : RDA_STATUS_OK),
		  "0x%02x, %u bytes", m->attribute, captured);
	RDA_CHECK(rda_read_cm(&frame, &packet, &cm) == (of_message > 0), "0x%02x, %u bytes",
		  m->attribute, captured);
	if (of_message) {
		RDA_CHECK(cm.id == m->id && cm.captured == of_message, "0x%02x, %u bytes",
			  m->attribute, captured);
		m->check(&cm, s->built.b.bytes + s->cm, of_message);
	}
	rda_frame_free(&frame);
}

START_TEST(every_message_cut_at_every_length)
{
	const struct message *m = &messages[_i];
	struct sample s;

	make_mad(&s, CLASS_CM, m->attribute, MAD_TOTAL);
	for (uint32_t captured = 0; captured <= s.built.b.length; captured++)
		check_captured(m, &s, captured);
}
END_TEST

START_TEST(messages_are_layers_to_the_end_of_the_mad)
{
	for (unsigned i = 0; i < RDA_COUNT(messages); i++) {
		const struct rda_layer *layer;
		struct rda_packet packet;
		struct sample s;

		make_mad(&s, CLASS_CM, messages[i].attribute, MAD_TOTAL + 44);
		rda_dissect_build(&packet, &s.built.b, s.built.link);
		layer = rda_find_layer(&packet, (enum rda_header_id)messages[i].id);
		ck_assert_ptr_nonnull(layer);
		ck_assert_uint_eq(layer->offset, s.cm);
		ck_assert_uint_eq(layer->length, MAD_TOTAL - MAD_HEADER);
	}
}
END_TEST

/* A datagram that was sent too short for its message is malformed. */
START_TEST(messages_sent_too_short)
{
	for (unsigned i = 0; i < RDA_COUNT(messages); i++) {
		for (uint32_t bytes = MAD_HEADER; bytes <= MAD_TOTAL; bytes += 4) {
			bool fits = bytes >= MAD_HEADER + messages[i].bytes;
			struct rda_packet packet;
			struct sample s;

			make_mad(&s, CLASS_CM, messages[i].attribute, bytes);
			rda_dissect_build(&packet, &s.built.b, s.built.link);
			RDA_CHECK(packet.faults == (fits ? 0 : RDA_FAULT_BIT(HEADER_SHORT)),
				  "0x%02x, %u bytes", messages[i].attribute, bytes);
		}
	}
}
END_TEST

START_TEST(packets_without_a_message)
{
	struct rda_built built;
	struct rda_packet packet;
	struct rda_frame frame;
	struct rda_ip_cm ip_cm;
	struct rda_cm cm;

	rda_build_packet(&built, &(struct rda_recipe){.opcode = 0x04, .payload_length = 256});
	frame = rda_exact_frame(built.b.bytes, built.b.length, built.b.length, built.link);
	rda_dissect(&packet, &frame, NULL);
	ck_assert(!rda_read_cm(&frame, &packet, &cm));
	ck_assert(!rda_read_ip_cm_of(&frame, &packet, &ip_cm));
	rda_frame_free(&frame);
}
END_TEST

START_TEST(unknown_members_are_not_known)
{
	const struct rda_cm cm = {.id = RDA_CM_REQ, .captured = 140};

	ck_assert(!rda_cm_knows(&cm, "remote_comm_id")); /* a REQ has none */
	ck_assert(rda_cm_knows(&cm, "local_comm_id"));
}
END_TEST

START_TEST(refusals_in_words)
{
	static const char *const reasons[] = {
		[1] = "no QP available",
		[2] = "no EEC available",
		[3] = "no resources available",
		[4] = "timeout",
		[5] = "unsupported request",
		[6] = "invalid communication ID",
		[7] = "invalid communication instance",
		[8] = "invalid service ID",
		[9] = "invalid transport service type",
		[10] = "stale connection",
		[11] = "RDC does not exist",
		[12] = "primary remote port GID rejected",
		[13] = "primary remote port LID rejected",
		[14] = "invalid primary SL",
		[15] = "invalid primary traffic class",
		[16] = "invalid primary hop limit",
		[17] = "invalid primary packet rate",
		[18] = "alternate remote port GID rejected",
		[19] = "alternate remote port LID rejected",
		[20] = "invalid alternate SL",
		[21] = "invalid alternate traffic class",
		[22] = "invalid alternate hop limit",
		[23] = "invalid alternate packet rate",
		[24] = "port and CM redirection",
		[25] = "port redirection",
		[26] = "invalid path MTU",
		[27] = "insufficient responder resources",
		[28] = "consumer reject",
		[29] = "RNR retry count rejected",
		[30] = "duplicate local communication ID",
		[31] = "unsupported class version",
		[32] = "invalid primary flow label",
		[33] = "invalid alternate flow label",
		[35] = "vendor option not supported",
		[36] = NULL,
	};

	for (unsigned i = 0; i < RDA_COUNT(reasons); i++)
		ck_assert_pstr_eq(rda_words(RDA_SET_REJ_REASON, i), reasons[i]);
}
END_TEST

/* ---- the RDMA IP CM service ------------------------------------------------------------------ */

static const struct {
	uint16_t attribute;
	uint32_t service_id, private_data; /* offsets in the message */
} ip_services[] = {{0x10, 8, 140}, {0x17, 8, 16}};

static void make_ip_cm(struct sample *s, unsigned which, const char *service_id)
{
	struct rda_build *b = &s->built.b;
	uint32_t length;

	make_mad(s, CLASS_CM, ip_services[which].attribute, MAD_TOTAL);
	length = b->length;
	b->length = s->cm + ip_services[which].service_id;
	rda_put_hex(b, service_id);
	b->length = s->cm + ip_services[which].private_data;
	rda_put_hex(b, "12 40 abcd"); /* version 1.2, IPv4, source port */
	rda_put_zeros(b, 12);
	rda_put_hex(b, "c0000201");
	rda_put_zeros(b, 12);
	rda_put_hex(b, "c0000202");
	b->length = length;
}

START_TEST(ip_cm_private_data)
{
	for (unsigned i = 0; i < RDA_COUNT(ip_services); i++) {
		uint32_t end;
		struct sample s;

		make_ip_cm(&s, i, "0000000001061c06");
		end = s.cm + ip_services[i].private_data + 36;
		for (uint32_t captured = 0; captured <= s.built.b.length; captured++) {
			struct rda_frame frame = frame_of(&s, captured);
			struct rda_packet packet;
			struct rda_ip_cm ip_cm;

			rda_dissect(&packet, &frame, NULL);
			RDA_CHECK(rda_read_ip_cm_of(&frame, &packet, &ip_cm) == (captured >= end),
				  "message %u, %u bytes", i, captured);
			rda_frame_free(&frame);
			if (captured < end)
				continue;
			RDA_CHECK(ip_cm.major_version == 1 && ip_cm.minor_version == 2, "%u", i);
			RDA_CHECK(ip_cm.ip_version == 4 && ip_cm.source_port == 0xabcd, "%u", i);
			RDA_CHECK(memcmp(ip_cm.source + 12, "\xc0\0\x02\x01", 4) == 0, "%u", i);
			RDA_CHECK(memcmp(ip_cm.destination + 12, "\xc0\0\x02\x02", 4) == 0, "%u",
				  i);
		}
	}
}
END_TEST

START_TEST(other_services_have_private_data_of_their_own)
{
	static const char *const services[] = {"0000000002061c06", "1000000001061c06",
					       "0000000101061c06", "0000000000010011"};

	for (unsigned i = 0; i < RDA_COUNT(services) * RDA_COUNT(ip_services); i++) {
		struct rda_packet packet;
		struct sample s;

		make_ip_cm(&s, i % 2, services[i / 2]);
		rda_dissect_build(&packet, &s.built.b, s.built.link);
		ck_assert_ptr_null(rda_find_layer(&packet, RDA_IP_CM));
	}
}
END_TEST

START_TEST(services)
{
	static const struct {
		uint64_t id;
		const char *protocol;
		int32_t port;
	} cases[] = {
		{UINT64_C(0x0000000001061c06), "TCP", 7174},
		{UINT64_C(0x0000000001110001), "UDP", 1},
		{UINT64_C(0x00000000013f0001), "IP", 1},
		{UINT64_C(0x1000000000000123), NULL, -1},
		{0, NULL, -1},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		ck_assert_pstr_eq(rda_ip_cm_protocol(cases[i].id), cases[i].protocol);
		ck_assert_int_eq(rda_ip_cm_port(cases[i].id), cases[i].port);
	}
}
END_TEST

Suite *rda_suite_mad(void)
{
	Suite *suite = suite_create("mad");
	TCase *tcase = tcase_create("MAD");

	tcase_add_test(tcase, services);
	tcase_add_test(tcase, mad_fields);
	tcase_add_test(tcase, attributes_are_named_by_their_class);
	tcase_add_test(tcase, other_mads_have_no_message);
	suite_add_tcase(suite, tcase);
	tcase = tcase_create("CM");
	tcase_add_loop_test(tcase, every_message_cut_at_every_length, 0, RDA_COUNT(messages));
	tcase_add_test(tcase, messages_are_layers_to_the_end_of_the_mad);
	tcase_add_test(tcase, messages_sent_too_short);
	tcase_add_test(tcase, packets_without_a_message);
	tcase_add_test(tcase, unknown_members_are_not_known);
	tcase_add_test(tcase, refusals_in_words);
	tcase_add_test(tcase, ip_cm_private_data);
	tcase_add_test(tcase, other_services_have_private_data_of_their_own);
	suite_add_tcase(suite, tcase);
	return suite;
}
