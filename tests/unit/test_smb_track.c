/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests and responses of SMB 2, over both kinds of RDMA.
 */
#include "analyzer/track/ulp/smb_track.h"

#include "tests/unit/smb_feed.h"
#include "tests/unit/suite.h"

static const struct rda_ulp_facts *facts_of(const struct rda_nvme_feed *n)
{
	return &rda_nvme_found(n)->facts;
}

START_TEST(data_is_joined)
{
	struct rda_build read = {0}, done = {0};
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, _i);
	rda_smb_open(&n);
	rda_smb_put_read(&read, 7, 0x1000, 512);
	rda_nvme_send(&n, 0, &read);
	rda_nvme_data(&n, 0x1000, 500);
	rda_smb_data(&done, 64 + 16, 0);
	rda_smb_head(&done, &(struct rda_smb_header){.command = 8, .flags = 1, .id = 7});
	rda_put_hex(&done, "1100 5000 00000000 f4010000 00000000"); /* 500, by RDMA */
	rda_nvme_send(&n, 1, &done);
	ck_assert_uint_eq(rda_nvme_found(&n)->protocol, RDA_ULP_SMB);
	ck_assert_uint_eq(facts_of(&n)->answered, 2);
	ck_assert_uint_eq(facts_of(&n)->unjoined, 0);
	ck_assert_str_eq(facts_of(&n)->operations[0].name, "SMB Direct Negotiate");
	ck_assert_str_eq(facts_of(&n)->operations[1].name, "READ");
	ck_assert_uint_eq(facts_of(&n)->operations[1].bytes, 500);
	ck_assert_uint_eq(facts_of(&n)->operations[1].data.count, 1);
	rda_nvme_feed_end(&n);
}
END_TEST

START_TEST(answers)
{
	struct rda_build pending = {0};
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, _i);
	rda_smb_open(&n);
	rda_smb_ask(&n, 1, 1);
	rda_smb_answer(&n, 1, 1, 0xc0000016); /* a step of the set-up */
	rda_smb_ask(&n, 5, 2);
	rda_smb_data(&pending, 64, 0);
	rda_smb_head(&pending, &(struct rda_smb_header){5, 0x103, 3, 0, 2});
	rda_nvme_send(&n, 1, &pending);
	ck_assert_uint_eq(rda_nvme_found(&n)->commands.count, 1);
	rda_smb_answer(&n, 5, 2, 0xc0000034);
	rda_smb_answer(&n, 0x12, UINT64_MAX, 0); /* a break of an oplock */
	rda_smb_answer(&n, 5, 9, 0);
	rda_smb_ask(&n, 0x0f, 10); /* to be told of changes */
	rda_smb_ask(&n, 0x0c, 10); /* and not any more */
	ck_assert_uint_eq(rda_nvme_found(&n)->waiting, 1);
	ck_assert_uint_eq(facts_of(&n)->asked, 4);
	ck_assert_uint_eq(facts_of(&n)->answered, 3);
	ck_assert_uint_eq(facts_of(&n)->failed, 1);
	ck_assert_uint_eq(facts_of(&n)->unasked, 1);
	ck_assert_str_eq(facts_of(&n)->statuses[0].words, "STATUS_OBJECT_NAME_NOT_FOUND");
	rda_nvme_feed_end(&n);
}
END_TEST

static void compound(struct rda_build *b, uint32_t flags)
{
	rda_smb_data(b, 3 * 64, 0);
	rda_smb_head(b, &(struct rda_smb_header){5, 0, flags, 64, 3});
	rda_smb_head(b, &(struct rda_smb_header){0x10, 0, flags, 64, 4});
	rda_smb_head(b, &(struct rda_smb_header){6, 0, flags, 0, 5});
}

START_TEST(compounds)
{
	struct rda_build ask = {0}, answer = {0};
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, _i);
	rda_smb_open(&n);
	compound(&ask, 0);
	rda_nvme_send(&n, 0, &ask);
	ck_assert_uint_eq(rda_nvme_found(&n)->commands.count, 3);
	compound(&answer, 1);
	rda_nvme_send(&n, 1, &answer);
	ck_assert_uint_eq(facts_of(&n)->answered, 4);
	ck_assert_uint_eq(facts_of(&n)->cut, 0);
	rda_nvme_feed_end(&n);
}
END_TEST

/* 50 bytes of a message from there on: an IOCTL's response, of 4 times as many. */
static void piece(struct rda_nvme_feed *n, unsigned number)
{
	struct rda_build b = {0}, whole = {0};

	rda_smb_head(&whole, &(struct rda_smb_header){.command = 0x0b, .flags = 1, .id = 7});
	rda_put_zeros(&whole, 200 - whole.length);
	rda_smb_data(&b, 50, 150 - 50 * number);
	rda_put(&b, whole.bytes + 50 * number, 50);
	rda_nvme_send(n, 1, &b);
}

/* One message in four SENDs, the header in two of them: answered with the end of the last. */
START_TEST(in_pieces)
{
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, _i);
	rda_smb_open(&n);
	rda_smb_ask(&n, 0x0b, 7);
	for (unsigned i = 0; i < 4; i++) {
		ck_assert_uint_eq(rda_nvme_found(&n)->commands.count, 1);
		rda_nvme_wait(&n, 1000000);
		piece(&n, i);
	}
	ck_assert_uint_eq(rda_nvme_found(&n)->commands.count, 0);
	ck_assert_int_gt(facts_of(&n)->operations[1].latency.max, 4000000);
	/* the end is missing, and another message follows */
	rda_smb_ask(&n, 0x0b, 7);
	piece(&n, 0);
	piece(&n, 1);
	rda_smb_ask(&n, 5, 8);
	rda_smb_answer(&n, 5, 8, 0);
	ck_assert_uint_eq(facts_of(&n)->operations[1].answered, 2);
	ck_assert_uint_eq(facts_of(&n)->operations[2].answered, 1);
	ck_assert_uint_eq(facts_of(&n)->cut, 0);
	/* and so is the beginning of the next */
	piece(&n, 3);
	ck_assert_uint_eq(facts_of(&n)->unread, 1);
	rda_nvme_feed_end(&n);
}
END_TEST

START_TEST(not_understood)
{
	struct rda_build encrypted = {0}, cut = {0}, other = {0}, credits = {0};
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, _i);
	rda_smb_open(&n);
	rda_smb_data(&encrypted, 64, 0);
	rda_put_hex(&encrypted, "fd534d42");
	rda_put_zeros(&encrypted, 60);
	rda_nvme_send(&n, 1, &encrypted);
	ck_assert_uint_eq(facts_of(&n)->unread, 1);
	rda_put_zeros(&other, 19);
	rda_nvme_send(&n, 1, &other);
	ck_assert_uint_eq(facts_of(&n)->unread, 2);
	rda_smb_data(&cut, 40, 0);
	rda_put_hex(&cut, "fe534d42");
	rda_put_zeros(&cut, 36);
	rda_nvme_send(&n, 1, &cut);
	ck_assert_uint_eq(facts_of(&n)->cut, 1);
	rda_put_hex(&credits, "ff00 0700 0000 0000 00000000 00000000 00000000");
	rda_nvme_send(&n, 0, &credits);
	ck_assert_uint_eq(facts_of(&n)->cut, 1);
	ck_assert_uint_eq(facts_of(&n)->asked, 1);
	rda_nvme_feed_end(&n);
}
END_TEST

/* Each SEND uses a credit of its sender, and grants the other side some. */
START_TEST(credits)
{
	const struct rda_smb_track *sides;
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, _i);
	rda_smb_negotiate(&n, 3);
	sides = rda_nvme_found(&n)->smb;
	ck_assert(sides[0].direct.begun && !sides[1].direct.begun);
	ck_assert_int_eq(sides[0].direct.left, 3);
	ck_assert_int_eq(sides[1].direct.left, 0);
	rda_smb_empty(&n, 0, 5);
	rda_smb_ask(&n, 0, 0);
	rda_smb_ask(&n, 5, 1); /* each of them grants one */
	ck_assert_int_eq(sides[0].direct.left, 0);
	ck_assert_int_eq(sides[1].direct.left, 7);
	rda_nvme_wait(&n, 3000000);
	rda_smb_empty(&n, 1, 4);
	rda_smb_ask(&n, 5, 2);
	ck_assert_int_eq(sides[0].direct.left, 3);
	ck_assert_uint_eq(sides[0].direct.waits.times, 1);
	ck_assert_int_ge(sides[0].direct.waits.held_ns, 3000000);
	ck_assert_uint_eq(sides[0].debts.exceeded, 0);
	/* of SMB 2: one at the beginning, two used, none back */
	ck_assert(!sides[0].smb.known);
	/* a second negotiation is none that anything is known of */
	rda_smb_negotiate(&n, 9);
	ck_assert(!sides[0].direct.known && !sides[1].direct.known);
	rda_nvme_feed_end(&n);
}
END_TEST

/* What is not there, or not understood, may have granted any number. */
START_TEST(credits_not_known)
{
	struct rda_build odd = {0};
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, _i);
	rda_smb_negotiate(&n, 1);
	ck_assert(rda_nvme_found(&n)->smb[0].direct.known);
	rda_put_zeros(&odd, 19);
	rda_nvme_send(&n, 1, &odd);
	ck_assert(!rda_nvme_found(&n)->smb[0].direct.known);
	rda_smb_empty(&n, 0, 1);
	rda_smb_empty(&n, 0, 1);
	ck_assert_uint_eq(rda_nvme_found(&n)->smb[0].debts.exceeded, 0);
	rda_nvme_feed_end(&n);
}
END_TEST

Suite *rda_suite_smb_track(void)
{
	Suite *suite = suite_create("smb_track");
	TCase *tcase = tcase_create("smb_track");

	tcase_add_loop_test(tcase, data_is_joined, 0, 2);
	tcase_add_loop_test(tcase, answers, 0, 2);
	tcase_add_loop_test(tcase, compounds, 0, 2);
	tcase_add_loop_test(tcase, in_pieces, 0, 2);
	tcase_add_loop_test(tcase, not_understood, 0, 2);
	tcase_add_loop_test(tcase, credits, 0, 2);
	tcase_add_loop_test(tcase, credits_not_known, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite;
}
