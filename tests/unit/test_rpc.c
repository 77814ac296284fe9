/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * RPC over RDMA as it was captured, cut anywhere, and lists that lie.
 */
#include "dissectors/ulp/rpc.h"

#include "tests/unit/rpc_feed.h"
#include "tests/unit/suite.h"

#include <string.h>

/* of a recorded capture: a WRITE of NFS 4.1, up to its COMPOUND */
static const char WRITE[] =
	"0e3e29fd 00000001 00000080 00000000 00000001 000000b0 000050c0 0000ea60"
	"0e3e29fd08895000 00000000 00000000 00000000"
	"0e3e29fd 00000000 00000002 000186a3 00000004 00000001 00000001 00000018"
	"00000000 00000004 6c616231 00000000 00000000 00000000 00000000 00000000";
enum { WRITE_LISTS = 52, WRITE_CALL = WRITE_LISTS + 24, WRITE_BYTES = 116 };

START_TEST(a_call)
{
	struct rda_build b = {0};

	rda_put_hex(&b, WRITE);
	ck_assert_uint_eq(b.length, WRITE_BYTES);
	for (uint32_t have = 0; have <= b.length; have++) {
		struct rda_frame frame = rda_exact_frame(b.bytes, have, have, 1);
		struct rda_cursor c = {frame.bytes, 0, have, b.length};
		struct rda_rpc_chunks chunks = {0};
		struct rda_rpc_segment segment;
		struct rda_rpc_rdma header;
		struct rda_rpc rpc;
		bool first;

		if (!rda_read_rpc_rdma(&c, &header)) {
			ck_assert_uint_lt(have, 16);
			rda_frame_free(&frame);
			continue;
		}
		ck_assert_uint_eq(header.xid, 0x0e3e29fd);
		ck_assert_uint_eq(header.credits, 128);
		first = rda_rpc_next_segment(&c, &chunks, &segment);
		ck_assert_msg(first == (have >= 40), "%u bytes", have);
		if (first) {
			ck_assert_uint_eq(segment.position, 176);
			ck_assert_uint_eq(segment.handle, 0x50c0);
			ck_assert_uint_eq(segment.length, 60000);
			ck_assert_uint_eq(segment.offset, UINT64_C(0x0e3e29fd08895000));
			ck_assert(!rda_rpc_next_segment(&c, &chunks, &segment));
		}
		ck_assert_uint_eq(chunks.list,
				  have >= WRITE_LISTS ? RDA_RPC_LISTS_END : RDA_RPC_LISTS_CUT);
		if (have >= WRITE_LISTS)
			ck_assert(rda_read_rpc(&c, &rpc) == (have >= WRITE_CALL));
		if (have >= WRITE_CALL) {
			ck_assert_uint_eq(rpc.program, 100003);
			ck_assert_uint_eq(rpc.version, 4);
			ck_assert_uint_eq(rpc.procedure, 1);
			ck_assert(rpc.has_body == (have == WRITE_BYTES));
		}
		ck_assert(rda_rpc_is_call(frame.bytes, have, false) == (have >= WRITE_CALL));
		ck_assert(rda_rpc_is_call(frame.bytes, have, true) ==
			  ((have >= 40 && have < WRITE_LISTS) || have >= WRITE_CALL));
		rda_frame_free(&frame);
	}
}
END_TEST

static struct rda_rpc rpc_of(const char *hex)
{
	struct rda_rpc rpc = {0};
	struct rda_build b = {0};
	struct rda_cursor c;

	rda_put_hex(&b, hex);
	for (uint32_t have = 0; have <= b.length; have++) {
		struct rda_frame frame = rda_exact_frame(b.bytes, have, have, 1);

		c = (struct rda_cursor){frame.bytes, 0, have, b.length};
		ck_assert(rda_read_rpc(&c, &rpc) == (have >= 8));
		ck_assert(rpc.has_body == (have == b.length));
		rda_frame_free(&frame);
	}
	ck_assert(rpc.is_reply);
	return rpc;
}

START_TEST(replies)
{
	static const struct {
		const char *hex, *words;
	} cases[] = {
		{"00000007 00000001 00000000 00000000 00000000 00000000", NULL},
		{"00000007 00000001 00000000 00000000 00000003 61626300 00000003", "PROC_UNAVAIL"},
		{"00000007 00000001 00000001 00000000", "RPC_MISMATCH"},
		{"00000007 00000001 00000001 00000001 00000005", "AUTH_TOOWEAK"},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_rpc rpc = rpc_of(cases[i].hex);
		const char *words = rda_rpc_status_words(rpc.status);

		ck_assert_msg((words == NULL) == (cases[i].words == NULL), "case %u", i);
		ck_assert((rpc.status == 0) == (words == NULL));
		if (words)
			ck_assert_str_eq(words, cases[i].words);
	}
}
END_TEST

START_TEST(usual)
{
	uint32_t no_program = rda_rpc_status_of(RDA_RPC_CLASS_ACCEPTED, 1);
	uint32_t no_procedure = rda_rpc_status_of(RDA_RPC_CLASS_ACCEPTED, 3);
	uint32_t no_context = rda_rpc_status_of(RDA_RPC_CLASS_AUTH, 14);

	ck_assert(rda_rpc_status_is_usual(RDA_RPC_SET_NFSACL, no_program));
	ck_assert(!rda_rpc_status_is_usual(RDA_RPC_SET_NFS3, no_program));
	ck_assert(!rda_rpc_status_is_usual(RDA_RPC_SET_OTHER, no_program));
	ck_assert(!rda_rpc_status_is_usual(RDA_RPC_SET_NFSACL, no_procedure));
	ck_assert(rda_rpc_status_is_usual(RDA_RPC_SET_NFS3, no_context));
}
END_TEST

START_TEST(lists_that_lie)
{
	static const struct {
		const char *hex;
		unsigned segments;
		uint8_t end;
	} cases[] = {
		/* a read list of another flag; a write chunk of more segments than the message is
		   long */
		{"00000002 00000000 00000000", 0, RDA_RPC_LISTS_BAD},
		{"00000000 00000001 ffffffff 00000000 00000000 00000000 00000000", 0,
		 RDA_RPC_LISTS_BAD},
		{"00000000 00000001 00000000 00000001 00000000 00000000 00000000", 0,
		 RDA_RPC_LISTS_END},
		{"00000000 00000000 00000001 00000001 00000001 00000002 0000000000000003", 1,
		 RDA_RPC_LISTS_END},
		/* they end where the message ends, and are not through */
		{"00000000 00000000", 0, RDA_RPC_LISTS_BAD},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_rpc_chunks chunks = {0};
		struct rda_rpc_segment segment;
		struct rda_build b = {0};
		struct rda_cursor c;
		unsigned segments = 0;

		rda_put_hex(&b, cases[i].hex);
		c = (struct rda_cursor){b.bytes, 0, b.length, b.length};
		while (rda_rpc_next_segment(&c, &chunks, &segment))
			segments++;
		ck_assert_msg(segments == cases[i].segments && chunks.list == cases[i].end,
			      "case %u: %u segments, list %u", i, segments, chunks.list);
	}
}
END_TEST

START_TEST(what_is_no_call)
{
	static const struct {
		uint32_t at;
		uint8_t value;
	} changes[] = {
		{7, 2},
		{11, 0},
		{15, 4},
		{19, 2},
		{WRITE_LISTS, 1},
		{WRITE_LISTS + 7, 1},
		{WRITE_LISTS + 11, 3},
	};

	for (unsigned i = 0; i < RDA_COUNT(changes); i++) {
		struct rda_build b = {0};

		rda_put_hex(&b, WRITE);
		b.bytes[changes[i].at] = changes[i].value;
		if (changes[i].at == 11)
			b.bytes[11] = b.bytes[8] = 0;
		ck_assert_msg(!rda_rpc_is_call(b.bytes, b.length, false), "change %u", i);
	}
}
END_TEST

START_TEST(xdr)
{
	static const uint8_t bytes[] = {0, 0, 0, 5, 1, 2, 3, 4, 5, 0, 0, 0, 0xff, 0xff, 0xff, 0xff};
	struct rda_cursor c = {bytes, 0, sizeof(bytes), sizeof(bytes)};
	uint32_t number;

	ck_assert(rda_xdr_skip_opaque(&c));
	ck_assert_uint_eq(c.offset, 12);
	ck_assert(!rda_xdr_skip_opaque(&c));
	ck_assert(!rda_xdr_number(&c, &number));
}
END_TEST

START_TEST(programs)
{
	ck_assert_uint_eq(rda_rpc_set_of(100003, 3), RDA_RPC_SET_NFS3);
	ck_assert_uint_eq(rda_rpc_set_of(100003, 4), RDA_RPC_SET_NFS4);
	ck_assert_uint_eq(rda_rpc_set_of(100003, 2), RDA_RPC_SET_OTHER);
	ck_assert_uint_eq(rda_rpc_set_of(100005, 1), RDA_RPC_SET_MOUNT);
	ck_assert_uint_eq(rda_rpc_set_of(0x40000000, 1), RDA_RPC_SET_NFSCB);
}
END_TEST

Suite *rda_suite_rpc(void)
{
	Suite *suite = suite_create("rpc");
	TCase *tcase = tcase_create("rpc");

	tcase_add_test(tcase, a_call);
	tcase_add_test(tcase, replies);
	tcase_add_test(tcase, usual);
	tcase_add_test(tcase, lists_that_lie);
	tcase_add_test(tcase, what_is_no_call);
	tcase_add_test(tcase, xdr);
	tcase_add_test(tcase, programs);
	suite_add_tcase(suite, tcase);
	return suite;
}
