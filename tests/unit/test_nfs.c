/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What calls of NFS ask for, cut anywhere, and how they are named.
 */
#include "dissectors/ulp/nfs.h"

#include "tests/unit/build.h"
#include "tests/unit/suite.h"

#define SEQUENCE "00000035 00000000000000000000000000000000 00000001 00000000 00000000 00000000"
#define PUTFH	 "00000016 00000003 01020300"
#define GETATTR	 "00000009 00000002 00000018 00300020"
#define STATEID	 "00000000 000000000000000000000000"

START_TEST(compounds)
{
	static const struct {
		const char *hex;
		uint16_t number;
		uint8_t count;
		uint32_t bytes;
	} cases[] = {
		{"00000000 00000001 00000000", RDA_NFS_COMPOUND, 0, 0},
		{"00000002 61620000 00000001 00000003" SEQUENCE PUTFH GETATTR, 9, 3, 0},
		{"00000000 00000001 00000004" SEQUENCE PUTFH "00000019" STATEID
		 "0000000000001000 00002000" GETATTR,
		 25, 4, 0x2000},
		/* WRITE: what is behind its data is not known */
		{"00000000 00000001 00000004" SEQUENCE PUTFH "00000026" STATEID
		 "0000000000001000 00000002 0000ea60" GETATTR,
		 38, 3, 60000},
		{"00000000 00000001 00000003" SEQUENCE PUTFH "00000012", 18, 3, 0},
		{"00000000 00000001 00000002" PUTFH "0000ffff", 0xffff, 2, 0},
		/* a bitmap, and a file handle, of four thousand million bytes */
		{"00000000 00000001 00000002 00000009 ffffffff" GETATTR, 9, 1, 0},
		{"00000000 00000001 00000002 00000016 ffffffff" GETATTR, 22, 1, 0},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_build b = {0};
		struct rda_nfs_call call;

		rda_put_hex(&b, cases[i].hex);
		for (uint32_t have = 0; have <= b.length; have++) {
			struct rda_frame frame = rda_exact_frame(b.bytes, have, have, 1);
			struct rda_cursor c = {frame.bytes, 0, have, b.length};

			rda_read_nfs_call(&c, RDA_RPC_SET_NFS4, RDA_NFS_COMPOUND, &call);
			ck_assert_uint_le(call.count, cases[i].count);
			rda_frame_free(&frame);
		}
		ck_assert_msg(call.number == cases[i].number && call.count == cases[i].count &&
				      call.bytes == cases[i].bytes,
			      "case %u: %u, %u operations, %u bytes", i, call.number, call.count,
			      call.bytes);
	}
}
END_TEST

START_TEST(replies)
{
	static const struct {
		enum rda_rpc_set set;
		uint16_t number;
		const char *hex;
		uint32_t status, results, bytes; /* bytes 0: not told */
	} cases[] = {
		{RDA_RPC_SET_NFS3, 0, "", 0, 0, 0},
		{RDA_RPC_SET_NFS3, 3, "00000002", 2, 0, 0},
		{RDA_RPC_SET_NFS3, 6, "00000000 00000000 00000777", 0, 0, 0x777},
		{RDA_RPC_SET_NFS3, 7, "00000000 00000000 00000000 00000555", 0, 0, 0x555},
		{RDA_RPC_SET_NFS4, 25,
		 "00000000 00000000 00000002 00000016 00000000 00000019 00000000 00000001 00000006",
		 0, 2, 6},
		{RDA_RPC_SET_NFS4, 25,
		 "00000046 00000000 00000002 00000016 00000000 00000019 00000046", 70, 2, 0},
		{RDA_RPC_SET_NLM, 2, "", 0, 0, 0},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_build b = {0};
		struct rda_nfs_reply reply = {0};

		rda_put_hex(&b, cases[i].hex);
		for (uint32_t have = 0; have <= b.length; have++) {
			struct rda_frame frame = rda_exact_frame(b.bytes, have, have, 1);
			struct rda_cursor c = {frame.bytes, 0, have, b.length};

			ck_assert(rda_read_nfs_reply(&c, cases[i].set, cases[i].number, &reply) ==
				  (have >= 4 || !b.length));
			rda_frame_free(&frame);
		}
		ck_assert_msg(reply.status == cases[i].status &&
				      reply.results == cases[i].results &&
				      reply.bytes == cases[i].bytes &&
				      reply.has_bytes == (cases[i].bytes != 0),
			      "case %u: status %u, %u bytes", i, reply.status, reply.bytes);
	}
}
END_TEST

START_TEST(words)
{
	ck_assert_str_eq(rda_nfs_operation_name(rda_nfs_operation(RDA_RPC_SET_NFS3, 6)), "READ");
	ck_assert_str_eq(rda_nfs_operation_name(rda_nfs_operation(RDA_RPC_SET_NFS4, 53)),
			 "SEQUENCE");
	ck_assert_ptr_null(rda_nfs_operation_name(rda_nfs_operation(RDA_RPC_SET_NFS4, 2)));
	ck_assert_str_eq(rda_nfs_status_words(RDA_RPC_SET_NFS3, 10008), "NFS3ERR_JUKEBOX");
	ck_assert_str_eq(rda_nfs_status_words(RDA_RPC_SET_NFS4, 10008), "NFS4ERR_DELAY");
	ck_assert_ptr_null(rda_nfs_status_words(RDA_RPC_SET_NFS4, 9));
	ck_assert(rda_nfs_status_is_usual(RDA_RPC_SET_NFS4, 2));
	ck_assert(!rda_nfs_status_is_usual(RDA_RPC_SET_NFS4, 70));
	ck_assert(!rda_nfs_status_is_usual(RDA_RPC_SET_NFS4, 9));
}
END_TEST

Suite *rda_suite_nfs(void)
{
	Suite *suite = suite_create("nfs");
	TCase *tcase = tcase_create("nfs");

	tcase_add_test(tcase, compounds);
	tcase_add_test(tcase, replies);
	tcase_add_test(tcase, words);
	suite_add_tcase(suite, tcase);
	return suite;
}
