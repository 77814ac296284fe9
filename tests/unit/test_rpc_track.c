/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls and replies of RPC, over both kinds of RDMA.
 */
#include "analyzer/track/ulp/rpc_track.h"

#include "analyzer/engine/state.h"
#include "tests/unit/rpc_feed.h"
#include "tests/unit/suite.h"

static const struct rda_ulp_facts *facts_of(const struct rda_nvme_feed *n)
{
	return &rda_nvme_found(n)->facts;
}

/* A call of so many bytes, and memory for them. */
static void read_call(struct rda_nvme_feed *n, uint32_t xid, uint32_t bytes,
		      struct rda_rpc_lent lent)
{
	struct rda_build b = {0};

	rda_rpc_head(&b, xid, 0, lent);
	rda_rpc_read(&b, xid, bytes);
	rda_nvme_send(n, 0, &b);
}

START_TEST(data_is_joined)
{
	struct rda_build b = {0};
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, _i);
	rda_rpc_ask(&n, 1);
	rda_rpc_answer(&n, 1, 0);
	read_call(&n, 2, 1024, (struct rda_rpc_lent){.write = 1024});
	rda_nvme_data(&n, RDA_RPC_WRITE_KEY, 512);
	rda_rpc_head(&b, 2, 0, (struct rda_rpc_lent){.write = 512});
	rda_rpc_read_done(&b, 2, 512); /* the file was shorter */
	rda_nvme_send(&n, 1, &b);
	ck_assert_uint_eq(rda_nvme_found(&n)->protocol, RDA_ULP_NFS);
	ck_assert_uint_eq(facts_of(&n)->answered, 2);
	ck_assert_uint_eq(facts_of(&n)->unjoined, 0);
	ck_assert_uint_eq(facts_of(&n)->cut, 0);
	ck_assert_str_eq(facts_of(&n)->operations[0].name, "PUTROOTFH");
	ck_assert_str_eq(facts_of(&n)->operations[1].name, "READ");
	ck_assert_uint_eq(facts_of(&n)->operations[1].bytes, 512);
	ck_assert_uint_eq(facts_of(&n)->operations[1].data.count, 1);
	rda_nvme_feed_end(&n);
}
END_TEST

/* A reply that is written into its chunk, with what it says. */
START_TEST(long_replies)
{
	for (unsigned k = 0; k < 3; k++) {
		struct rda_build reply = {0}, b = {0};
		struct rda_nvme_feed n;

		rda_nvme_feed_begin(&n, _i);
		rda_rpc_ask(&n, 1);
		rda_rpc_answer(&n, 1, 0);
		read_call(&n, 2, 1024, (struct rda_rpc_lent){.reply = 1024});
		rda_rpc_reply(&reply, 2, 0);
		rda_put_hex(&reply,
			    "00000046 00000000 00000002 00000018 00000000 00000019 00000046");
		if (k != 1) /* not captured */
			rda_nvme_place(&n, RDA_RPC_REPLY_KEY, &reply);
		rda_rpc_head(&b, k == 2 ? 3 : 2, 1, (struct rda_rpc_lent){.reply = reply.length});
		rda_nvme_send(&n, 1, &b);
		ck_assert_uint_eq(facts_of(&n)->answered, k == 2 ? 1 : 2);
		ck_assert_uint_eq(facts_of(&n)->unasked, k == 2);
		ck_assert_uint_eq(facts_of(&n)->failed, k == 0);
		ck_assert_uint_eq(facts_of(&n)->cut, k == 1);
		if (k == 0)
			ck_assert_str_eq(facts_of(&n)->statuses[0].words, "NFS4ERR_STALE");
		rda_nvme_feed_end(&n);
	}
}
END_TEST

/* The server calls with an XID that the client uses as well. */
START_TEST(called_back)
{
	struct rda_build call = {0}, reply = {0};
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, _i);
	rda_rpc_ask(&n, 1);
	rda_rpc_head(&call, 1, 0, (struct rda_rpc_lent){0});
	rda_rpc_call(&call, 1, 0x40000000, 1, 1);
	rda_put_hex(&call, "00000000 00000001 00000000 00000001 00000004");
	rda_nvme_send(&n, 1, &call);
	ck_assert_uint_eq(rda_nvme_found(&n)->commands.count, 2);
	rda_rpc_answer(&n, 1, 0);
	rda_rpc_head(&reply, 1, 0, (struct rda_rpc_lent){0});
	rda_rpc_reply(&reply, 1, 0);
	rda_put_hex(&reply, "00000000 00000000 00000001 00000004 00000000");
	rda_nvme_send(&n, 0, &reply);
	ck_assert_uint_eq(facts_of(&n)->answered, 2);
	ck_assert_str_eq(facts_of(&n)->operations[1].name, "CB_RECALL");
	ck_assert_uint_eq(facts_of(&n)->operations[1].answered, 1);
	rda_nvme_feed_end(&n);
}
END_TEST

START_TEST(refused)
{
	struct rda_build b = {0}, error = {0}, done = {0};
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, _i);
	rda_rpc_ask(&n, 1);
	rda_rpc_ask(&n, 2);
	rda_rpc_head(&b, 1, 0, (struct rda_rpc_lent){0});
	rda_put_hex(&b, "00000001 00000001 00000001 00000001 00000001");
	rda_nvme_send(&n, 1, &b);
	rda_put_hex(&error, "00000002 00000001 00000020 00000004 00000002");
	rda_nvme_send(&n, 1, &error);
	rda_put_hex(&done, "00000002 00000001 00000020 00000003");
	rda_nvme_send(&n, 1, &done);
	ck_assert_uint_eq(facts_of(&n)->failed, 2);
	ck_assert_str_eq(facts_of(&n)->statuses[0].words, "AUTH_BADCRED");
	ck_assert_str_eq(facts_of(&n)->statuses[1].words, "ERR_CHUNK");
	rda_nvme_feed_end(&n);
}
END_TEST

/* Kerberos: with privacy nothing of a COMPOUND can be read, and this is said. */
START_TEST(protected)
{
	static const char call[] = "00000000 00000002 000186a3 00000004 00000001"
				   "00000006 00000014 00000001 00000000 00000001";
	struct rda_nvme_feed n;

	for (uint32_t service = 1; service <= 3; service++) {
		struct rda_build b = {0}, reply = {0};

		rda_nvme_feed_begin(&n, _i);
		rda_rpc_ask(&n, 1);
		rda_rpc_head(&b, 2, 0, (struct rda_rpc_lent){0});
		rda_put32(&b, 2);
		rda_put_hex(&b, call);
		rda_put32(&b, service);
		rda_put_hex(&b, "00000000 00000000 00000000");
		if (service == 2)
			rda_put_hex(&b, "00000014 00000001");
		rda_put_hex(&b, "00000000 00000001 00000001 0000000a");
		rda_nvme_send(&n, 0, &b);
		rda_rpc_head(&reply, 2, 0, (struct rda_rpc_lent){0});
		rda_rpc_reply(&reply, 2, 0);
		if (service == 2)
			rda_put_hex(&reply, "00000014 00000001");
		rda_put_hex(&reply, "00000046 00000000 00000001 0000000a 00000046");
		rda_nvme_send(&n, 1, &reply);
		ck_assert_str_eq(facts_of(&n)->operations[1].name,
				 service == 3 ? "COMPOUND" : "GETFH");
		ck_assert_uint_eq(facts_of(&n)->operations[1].answered, 1);
		ck_assert_uint_eq(facts_of(&n)->operations[1].failed, service != 3);
		ck_assert_uint_eq(facts_of(&n)->unread, service == 3);
		rda_nvme_feed_end(&n);
	}
}
END_TEST

START_TEST(not_understood)
{
	struct rda_build cut = {0}, version = {0}, lists = {0}, long_call = {0};
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, _i);
	rda_rpc_ask(&n, 1);
	rda_rpc_ask(&n, 1); /* before its reply */
	ck_assert_uint_eq(facts_of(&n)->replaced, 1);
	rda_put_hex(&cut, "00000002 00000001");
	rda_nvme_send(&n, 0, &cut);
	ck_assert_uint_eq(facts_of(&n)->cut, 1);
	rda_put_hex(&version, "00000002 00000002 00000020 00000000");
	rda_nvme_send(&n, 0, &version);
	ck_assert_uint_eq(facts_of(&n)->unread, 1);
	rda_put_hex(&lists, "00000002 00000001 00000020 00000000 00000007");
	rda_nvme_send(&n, 0, &lists);
	ck_assert_uint_eq(facts_of(&n)->unread, 2);
	rda_rpc_head(&long_call, 3, 1, (struct rda_rpc_lent){.read = 5000});
	rda_nvme_send(&n, 0, &long_call);
	ck_assert_str_eq(facts_of(&n)->operations[1].name, "call in a chunk");
	rda_rpc_answer(&n, 3, 0);
	ck_assert_uint_eq(facts_of(&n)->operations[1].answered, 1);
	rda_nvme_feed_end(&n);
}
END_TEST

/* XIDs that repeat, and calls that nobody answers: as many are kept as there is room for. */
START_TEST(a_flood)
{
	struct rda_ulp_message message = {.place = 1};
	struct rda_build b = {0};
	struct rda_nvme_feed n;
	struct rda_ulp *ulp;

	rda_nvme_feed_begin(&n, false);
	rda_rpc_ask(&n, 1);
	ulp = n.w.feed.engine->ulps.list->pdata[0];
	rda_rpc_head(&b, 0, 0, (struct rda_rpc_lent){1, 1, 1});
	rda_rpc_read(&b, 0, 1);
	message.bytes = b.bytes;
	message.have = message.length = b.length;
	for (uint32_t i = 0; i < 1000000; i++) {
		for (unsigned k = 0; k < 4; k++)
			b.bytes[k] = (uint8_t)(i % 999983 >> 8 * k);
		rda_rpc_message(ulp, true, &message);
	}
	ck_assert_uint_eq(ulp->facts.asked, 1000001);
	ck_assert_uint_eq(ulp->commands.count, RDA_ULP_COMMANDS_MAX);
	ck_assert_uint_eq(ulp->commands.forgotten + ulp->facts.replaced,
			  1000001 - RDA_ULP_COMMANDS_MAX);
	rda_nvme_feed_end(&n);
}
END_TEST

Suite *rda_suite_rpc_track(void)
{
	Suite *suite = suite_create("rpc_track");
	TCase *tcase = tcase_create("rpc_track");

	tcase_add_loop_test(tcase, data_is_joined, 0, 2);
	tcase_add_loop_test(tcase, long_replies, 0, 2);
	tcase_add_loop_test(tcase, called_back, 0, 2);
	tcase_add_loop_test(tcase, refused, 0, 2);
	tcase_add_loop_test(tcase, protected, 0, 2);
	tcase_add_loop_test(tcase, not_understood, 0, 2);
	tcase_add_test(tcase, a_flood);
	suite_add_tcase(suite, tcase);
	return suite;
}
