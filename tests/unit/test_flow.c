/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a half-flow counts: each PSN once, messages by kind, answers by meaning.
 */
#include "analyzer/track/flow.h"

#include "analyzer/base/meta.h"
#include "tests/unit/feed.h"
#include "tests/unit/opcode_oracle.h"
#include "tests/unit/opcodes.h"
#include "tests/unit/suite.h"

enum {
	A = 1,
	B = 2,
	QP = 0x11,
};

static struct rda_flow flow;
static struct rda_meta meta;

static void setup(void)
{
	memset(&flow, 0, sizeof(flow));
	meta = (struct rda_meta){.time_ns = 1000, .number = 1};
	rda_flow_init(&flow, 3, meta.time_ns);
}

static void teardown(void)
{
	rda_flow_cleanup(&flow);
}

static void count_as(const struct rda_recipe *recipe, bool credible)
{
	struct rda_packet packet;
	struct rda_built built;
	struct rda_frame frame;

	rda_build_packet(&built, recipe);
	frame = rda_exact_frame(built.b.bytes, built.b.length, built.b.length, built.link);
	rda_dissect(&packet, &frame, NULL);
	meta.time_ns += 10;
	rda_flow_packet(&flow, &meta, &frame, &packet, credible);
	rda_frame_free(&frame);
}

static void count(const struct rda_recipe *recipe)
{
	count_as(recipe, true);
}

/* A packet without extended headers, of so many bytes of payload. */
static void count_plain(uint8_t opcode, uint32_t psn, uint32_t payload)
{
	struct rda_recipe recipe = rda_packet_of(A, B, QP, opcode, psn);

	recipe.payload_length = payload;
	count(&recipe);
}

static void count_read(uint32_t psn, uint64_t va, uint32_t rkey, uint32_t length)
{
	struct rda_extended reth = rda_reth(va, rkey, length);
	struct rda_recipe recipe = rda_with(rda_packet_of(A, B, QP, RC_READ_REQUEST, psn), &reth);

	count(&recipe);
}

static void count_answer(uint8_t opcode, uint32_t psn, uint8_t syndrome, uint32_t payload)
{
	struct rda_extended aeth = rda_aeth(syndrome, 1);
	struct rda_recipe recipe = rda_with(rda_packet_of(B, A, QP, opcode, psn), &aeth);

	if (opcode == RC_ATOMIC_ACKNOWLEDGE) {
		memset(aeth.bytes + 4, 0, 8);
		recipe.extended_length = 12;
	}
	recipe.payload_length = payload;
	count(&recipe);
}

static uint64_t all_messages(void)
{
	uint64_t all = 0;

	for (unsigned i = 0; i < RDA_MESSAGE_COUNT; i++)
		all += rda_flow_messages(&flow, i).count;
	return all;
}

/* ---- the key -------------------------------------------------------------------------------- */

static struct rda_flow_key key_of(const struct rda_recipe *recipe, uint32_t tap)
{
	static int garbage = 0xa5;
	struct rda_meta at = {.tap = tap};
	struct rda_packet packet;
	struct rda_built built;
	struct rda_flow_key key;

	rda_build_packet(&built, recipe);
	rda_dissect_build(&packet, &built.b, built.link);
	memset(&key, garbage++, sizeof(key)); /* padding must not matter */
	rda_flow_key_of(&key, &at, &packet);
	return key;
}

static bool same(const struct rda_flow_key *a, const struct rda_flow_key *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

START_TEST(the_key_is_the_receivers_qp_and_both_hosts)
{
	struct rda_recipe recipe = rda_packet_of(A, B, QP, RC_SEND_ONLY, 1);
	struct rda_flow_key key = key_of(&recipe, 5), other;

	ck_assert_uint_eq(key.dest_qp, QP);
	ck_assert_uint_eq(key.src_qp, 0);
	ck_assert_uint_eq(key.tap, 5);
	ck_assert_uint_eq(key.source.bytes[15], A);
	ck_assert_uint_eq(key.destination.bytes[15], B);
	ck_assert(!key.datagram);
	recipe.psn = 77;
	recipe.source_port = 0xdddd;
	recipe.opcode = RC_ACKNOWLEDGE;
	other = key_of(&recipe, 5);
	ck_assert(same(&key, &other));
	other = key_of(&recipe, 6);
	ck_assert(!same(&key, &other));
	recipe.route = RDA_ROUTE_IP6;
	other = key_of(&recipe, 5);
	ck_assert(!same(&key, &other));
	recipe = rda_packet_of(A, B, QP + 1, RC_SEND_ONLY, 1);
	other = key_of(&recipe, 5);
	ck_assert(!same(&key, &other));
	recipe = rda_packet_of(B, A, QP, RC_SEND_ONLY, 1); /* equal QPNs on both ends are common */
	other = key_of(&recipe, 5);
	ck_assert(!same(&key, &other));
}
END_TEST

START_TEST(datagrams_are_told_apart_by_their_sender_too)
{
	struct rda_extended deth = rda_deth(0x22), other_deth = rda_deth(0x23);
	struct rda_recipe recipe = rda_with(rda_packet_of(A, B, QP, 0x64, 1), &deth);
	struct rda_flow_key key = key_of(&recipe, 0), other;

	ck_assert(key.datagram);
	ck_assert_uint_eq(key.src_qp, 0x22);
	recipe = rda_with(recipe, &other_deth);
	other = key_of(&recipe, 0);
	ck_assert(!same(&key, &other));
}
END_TEST

/* ---- requests ------------------------------------------------------------------------------- */

START_TEST(a_psn_counts_once)
{
	count_plain(RC_SEND_ONLY, 100, 8);
	count_plain(RC_SEND_ONLY, 101, 20);
	count_plain(RC_SEND_ONLY, 100, 8);
	count_plain(RC_SEND_ONLY, 101, 20);
	count_plain(RC_SEND_ONLY, 102, 4);
	ck_assert_uint_eq(flow.packets, 5);
	ck_assert_uint_eq(flow.request_packets, 5);
	ck_assert_uint_eq(rda_flow_messages(&flow, RDA_MESSAGE_SEND).count, 3);
	ck_assert_uint_eq(rda_flow_messages(&flow, RDA_MESSAGE_SEND).bytes, 32);
	ck_assert_uint_eq(flow.payload_bytes, 32);
	ck_assert_uint_eq(flow.first_psn, 100);
	ck_assert_uint_eq(flow.last_psn, 102);
	ck_assert_uint_eq(flow.requests.count, 1);
}
END_TEST

/* Nothing of UC is sent again. What is below all others may be a new beginning. */
START_TEST(what_fills_a_gap_of_uc_was_overtaken)
{
	const uint32_t psns[] = {100, 103, 101, 101, 99, 104, 102, 105};

	for (unsigned i = 0; i < sizeof(psns) / sizeof(psns[0]); i++)
		count_plain(UC_SEND_ONLY, psns[i], 8);
	ck_assert_uint_eq(rda_flow_rare(&flow)->overtaken, 2);
	count_plain(RC_SEND_ONLY, 110, 8);
	count_plain(RC_SEND_ONLY, 108, 8);
	ck_assert_uint_eq(rda_flow_rare(&flow)->overtaken, 2);
}
END_TEST

START_TEST(across_the_wrap_too)
{
	for (unsigned again = 0; again < 2; again++)
		for (uint32_t i = 0; i < 6; i++)
			count_plain(RC_SEND_ONLY, 0xfffffd + i, 4);
	ck_assert_uint_eq(rda_flow_messages(&flow, RDA_MESSAGE_SEND).count, 6);
	ck_assert_uint_eq(flow.requests.count, 1);
	ck_assert_uint_eq(flow.last_psn, 2);
}
END_TEST

/* A message ends with its last packet; its bytes are those of all. */
START_TEST(messages_of_several_packets)
{
	struct rda_extended reth = rda_reth(0, 1, 520);
	struct rda_recipe first = rda_with(rda_packet_of(A, B, QP, RC_WRITE_FIRST, 10), &reth);

	first.payload_length = 256;
	count(&first);
	count_plain(0x07, 11, 256);
	ck_assert_uint_eq(all_messages(), 0);
	count_plain(RC_WRITE_LAST, 12, 8);
	ck_assert_uint_eq(rda_flow_messages(&flow, RDA_MESSAGE_WRITE).count, 1);
	ck_assert_uint_eq(rda_flow_messages(&flow, RDA_MESSAGE_WRITE).bytes, 520);
	ck_assert_uint_eq(flow.payload_bytes, 520);
	ck_assert_uint_eq(flow.full_payload, 256);
	ck_assert(!flow.full_payload_varies);
	count_plain(RC_SEND_FIRST, 13, 1024);
	ck_assert(flow.full_payload_varies);
}
END_TEST

/* Every request opcode counts as the message that the specification says it is, and ends one or
 * not. */
START_TEST(every_opcode_counts_for_its_kind)
{
	static const struct {
		const char *word;
		enum rda_message kind;
	} kinds[] = {
		{"SEND ", RDA_MESSAGE_SEND},
		{"RDMA WRITE ", RDA_MESSAGE_WRITE},
		{"RDMA READ ", RDA_MESSAGE_READ},
		{"CmpSwap", RDA_MESSAGE_ATOMIC},
		{"FetchAdd", RDA_MESSAGE_ATOMIC},
		{"FLUSH", RDA_MESSAGE_FLUSH},
		{"ATOMIC WRITE", RDA_MESSAGE_ATOMIC_WRITE},
	};
	static const uint8_t zeros[64];

	for (unsigned i = 0; i < rda_oracle_row_count; i++) {
		const struct rda_oracle_row *row = &rda_oracle_rows[i];
		struct rda_recipe recipe = rda_packet_of(A, B, QP, row->opcode, i);
		uint64_t before = all_messages(), before_kind, ended = 0;
		enum rda_message kind = RDA_MESSAGE_COUNT;

		for (unsigned k = 0; k < RDA_COUNT(kinds); k++)
			if (strchr(row->traits, 'Q') && strstr(row->name, kinds[k].word))
				kind = kinds[k].kind;
		if (kind != RDA_MESSAGE_COUNT)
			ended = strchr(row->traits, 'E') != NULL;
		before_kind = ended ? rda_flow_messages(&flow, kind).count : 0;
		recipe.extended = zeros;
		recipe.extended_length = rda_oracle_extension(row);
		count(&recipe);
		ck_assert_msg(all_messages() == before + ended, "%s", row->name);
		if (ended)
			ck_assert_msg(rda_flow_messages(&flow, kind).count == before_kind + 1, "%s",
				      row->name);
	}
}
END_TEST

START_TEST(reads_count_the_bytes_that_they_ask_for)
{
	count_read(100, 0x1000, 7, 5000);
	ck_assert_uint_eq(rda_flow_messages(&flow, RDA_MESSAGE_READ).count, 1);
	ck_assert_uint_eq(rda_flow_messages(&flow, RDA_MESSAGE_READ).bytes, 5000);
	ck_assert_uint_eq(flow.payload_bytes, 0);
}
END_TEST

/* A requester that lost a response asks for the rest: the same READ, from a later PSN. */
START_TEST(the_rest_of_a_read_is_no_new_one)
{
	count_read(100, 0x1000, 7, 4096); /* 4 packets of 1024 */
	count_read(102, 0x1000 + 2048, 7, 2048);
	ck_assert_uint_eq(rda_flow_messages(&flow, RDA_MESSAGE_READ).count, 1);
	ck_assert_uint_eq(rda_flow_messages(&flow, RDA_MESSAGE_READ).bytes, 4096);
	count_read(103, 0x1000 + 3072, 7, 1024); /* and the rest of the rest */
	ck_assert_uint_eq(rda_flow_messages(&flow, RDA_MESSAGE_READ).count, 1);
}
END_TEST

START_TEST(what_looks_like_the_rest_of_a_read_and_is_none)
{
	static const struct {
		uint32_t psn;
		uint64_t va;
		uint32_t rkey, length;
	} others[] = {
		{102, 0x1000 + 2048, 8, 2048}, /* another key */
		{102, 0x1000 + 2048, 7, 2047}, /* another end */
		{102, 0x1000 - 2048, 7, 6144}, /* from before */
		{109, 0x1000 + 2048, 7, 2048}, /* more PSNs ahead than 2048 bytes can be */
		{102, 0x1000 + 4096, 7, 0},    /* behind it */
		{99, 0x1000 + 2048, 7, 2048},  /* before it */
	};

	for (unsigned i = 0; i < RDA_COUNT(others); i++) {
		setup();
		count_read(100, 0x1000, 7, 4096);
		count_read(others[i].psn, others[i].va, others[i].rkey, others[i].length);
		ck_assert_msg(rda_flow_messages(&flow, RDA_MESSAGE_READ).count == 2, "case %u", i);
		teardown();
	}
	setup();
}
END_TEST

START_TEST(only_the_last_reads_are_remembered)
{
	for (uint32_t i = 0; i < RDA_READS_KEPT + 1; i++)
		count_read(100 + 10 * i, 0x10000 * i, i, 2048);
	count_read(101, 1024, 0, 1024); /* the rest of the first, which is forgotten */
	ck_assert_uint_eq(rda_flow_messages(&flow, RDA_MESSAGE_READ).count, RDA_READS_KEPT + 2);
	count_read(131, 0x30000 + 1024, 3, 1024);
	ck_assert_uint_eq(rda_flow_messages(&flow, RDA_MESSAGE_READ).count, RDA_READS_KEPT + 2);
}
END_TEST

/* ---- responses ------------------------------------------------------------------------------ */

START_TEST(answers_by_their_syndrome)
{
	for (unsigned syndrome = 0; syndrome < 256; syndrome++)
		count_answer(RC_ACKNOWLEDGE, 50, (uint8_t)syndrome, 0);
	/* bit 7 does not count: twice each */
	ck_assert_uint_eq(rda_flow_answers(&flow)->acks, 64);
	ck_assert_uint_eq(rda_flow_rare(&flow)->rnr_naks, 64);
	ck_assert_uint_eq(rda_flow_rare(&flow)->naks[RDA_NAK_SEQUENCE], 1);
	ck_assert_uint_eq(rda_flow_rare(&flow)->naks[RDA_NAK_INVALID_REQUEST], 1);
	ck_assert_uint_eq(rda_flow_rare(&flow)->naks[RDA_NAK_REMOTE_ACCESS], 1);
	ck_assert_uint_eq(rda_flow_rare(&flow)->naks[RDA_NAK_REMOTE_OPERATIONAL], 1);
	ck_assert_uint_eq(rda_flow_rare(&flow)->naks[RDA_NAK_OTHER], 60);
	ck_assert_uint_eq(rda_flow_answers(&flow)->packets, 256);
	ck_assert_uint_eq(flow.request_packets, 0);
	ck_assert_uint_eq(flow.requests.count, 0);
}
END_TEST

START_TEST(naks_by_their_code)
{
	ck_assert_int_eq(rda_nak_of_syndrome(0x60), RDA_NAK_SEQUENCE);
	ck_assert_int_eq(rda_nak_of_syndrome(0x61), RDA_NAK_INVALID_REQUEST);
	ck_assert_int_eq(rda_nak_of_syndrome(0x62), RDA_NAK_REMOTE_ACCESS);
	ck_assert_int_eq(rda_nak_of_syndrome(0x63), RDA_NAK_REMOTE_OPERATIONAL);
	ck_assert_int_eq(rda_nak_of_syndrome(0x64), RDA_NAK_OTHER);
	ck_assert_int_eq(rda_nak_of_syndrome(0x7f), RDA_NAK_OTHER);
}
END_TEST

/* Data comes back in READ responses, each PSN once; their AETH is no ACK of its own. */
START_TEST(read_responses)
{
	for (unsigned again = 0; again < 2; again++) {
		count_answer(RC_READ_RESPONSE_FIRST, 70, 0x1f, 256);
		count_plain(RC_READ_RESPONSE_MIDDLE, 71, 256);
		count_answer(RC_READ_RESPONSE_LAST, 72, 0x1f, 44);
	}
	ck_assert_uint_eq(flow.payload_bytes, 556);
	ck_assert_uint_eq(rda_flow_answers(&flow)->packets, 6);
	ck_assert_uint_eq(rda_flow_answers(&flow)->acks, 0);
	ck_assert_uint_eq(rda_flow_answers(&flow)->first_psn, 70);
	ck_assert_uint_eq(rda_flow_answers(&flow)->last_psn, 72);
	ck_assert_uint_eq(flow.full_payload, 256);
	ck_assert_uint_eq(all_messages(), 0); /* messages are the requester's */
	count_answer(RC_ATOMIC_ACKNOWLEDGE, 73, 0x1f, 0);
	ck_assert_uint_eq(rda_flow_answers(&flow)->acks, 0);
}
END_TEST

/* ---- the rest ------------------------------------------------------------------------------- */

START_TEST(congestion_notifications_are_only_counted)
{
	struct rda_recipe cnp = rda_packet_of(A, B, QP, ROCE_CNP, 0);

	cnp.source_port = 0;
	cnp.payload_length = 16;
	count(&cnp);
	ck_assert_uint_eq(rda_flow_rare(&flow)->cnps, 1);
	ck_assert_uint_eq(flow.packets, 1);
	ck_assert_uint_eq(flow.payload_bytes, 0);
	ck_assert(!flow.source_port_known);
	ck_assert_int_eq(flow.transport, RDA_TRANSPORT_NONE);
	count_plain(RC_SEND_ONLY, 1, 4);
	ck_assert(flow.source_port_known);
	ck_assert_uint_eq(flow.source_port, 0xc000);
	ck_assert_int_eq(flow.transport, RDA_TRANSPORT_RC);
}
END_TEST

START_TEST(marks_times_and_frames)
{
	struct rda_recipe recipe = rda_packet_of(A, B, QP, RC_SEND_ONLY, 1);
	uint64_t bytes;

	for (recipe.ecn = 0; recipe.ecn < 4; recipe.ecn++)
		count(&recipe);
	ck_assert_uint_eq(rda_flow_rare(&flow)->ce_marked, 1);
	bytes = 4 * (14 + 20 + 8 + 12 + 4);
	ck_assert_uint_eq(flow.bytes, bytes);
	ck_assert_int_eq(flow.first_time_ns, 1000);
	ck_assert_int_eq(flow.last_time_ns, 1040);
	meta.time_ns = 500; /* interfaces are not always in step */
	count(&recipe);
	ck_assert_int_eq(flow.first_time_ns, 510);
	ck_assert_int_eq(flow.last_time_ns, 1040);
}
END_TEST

START_TEST(of_a_damaged_packet_nothing_is_believed)
{
	struct rda_frame frame = {.wire = 100, .captured = 60};

	rda_flow_damaged(&flow, &meta, &frame);
	ck_assert_uint_eq(flow.packets, 1);
	ck_assert_uint_eq(rda_flow_rare(&flow)->damaged, 1);
	ck_assert_uint_eq(flow.bytes, 100);
	ck_assert_uint_eq(flow.request_packets + rda_flow_answers(&flow)->packets, 0);
	ck_assert_int_eq(flow.transport, RDA_TRANSPORT_NONE);
}
END_TEST

/* What may be damaged says it as long as nothing else does. */
START_TEST(the_service_is_what_a_credible_packet_says)
{
	struct rda_recipe uc = rda_packet_of(A, B, QP, UC_SEND_ONLY, 1);
	struct rda_recipe rc = rda_packet_of(A, B, QP, RC_SEND_ONLY, 2);

	count_as(&uc, false);
	ck_assert_int_eq(flow.transport, RDA_TRANSPORT_UC);
	ck_assert(!flow.transport_told);
	count_as(&rc, false);
	ck_assert_int_eq(flow.transport, RDA_TRANSPORT_UC);
	count_as(&rc, true);
	ck_assert_int_eq(flow.transport, RDA_TRANSPORT_RC);
	ck_assert(flow.transport_told);
	count_as(&uc, true); /* flows.c begins another flow for such a request */
	ck_assert_int_eq(flow.transport, RDA_TRANSPORT_RC);
}
END_TEST

Suite *rda_suite_flow(void)
{
	Suite *suite = suite_create("flow");
	TCase *tcase = tcase_create("flow");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, the_key_is_the_receivers_qp_and_both_hosts);
	tcase_add_test(tcase, datagrams_are_told_apart_by_their_sender_too);
	tcase_add_test(tcase, a_psn_counts_once);
	tcase_add_test(tcase, what_fills_a_gap_of_uc_was_overtaken);
	tcase_add_test(tcase, across_the_wrap_too);
	tcase_add_test(tcase, messages_of_several_packets);
	tcase_add_test(tcase, every_opcode_counts_for_its_kind);
	tcase_add_test(tcase, reads_count_the_bytes_that_they_ask_for);
	tcase_add_test(tcase, the_rest_of_a_read_is_no_new_one);
	tcase_add_test(tcase, what_looks_like_the_rest_of_a_read_and_is_none);
	tcase_add_test(tcase, only_the_last_reads_are_remembered);
	tcase_add_test(tcase, answers_by_their_syndrome);
	tcase_add_test(tcase, naks_by_their_code);
	tcase_add_test(tcase, read_responses);
	tcase_add_test(tcase, congestion_notifications_are_only_counted);
	tcase_add_test(tcase, marks_times_and_frames);
	tcase_add_test(tcase, of_a_damaged_packet_nothing_is_believed);
	tcase_add_test(tcase, the_service_is_what_a_credible_packet_says);
	suite_add_tcase(suite, tcase);
	return suite;
}
