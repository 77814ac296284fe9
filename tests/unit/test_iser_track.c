/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests and responses of iSCSI, over both kinds of RDMA.
 */
#include "analyzer/track/ulp/iser_track.h"

#include "tests/unit/iser_feed.h"
#include "tests/unit/suite.h"

static const struct rda_ulp_facts *facts_of(const struct rda_nvme_feed *n)
{
	return &rda_nvme_found(n)->facts;
}

static void login(struct rda_nvme_feed *n, uint16_t result)
{
	rda_iser_send(n, 0, &(struct rda_iser_pdu){.opcode = 0x43, .flags = 0x87, .word = 1});
	rda_iser_send(n, 1, &(struct rda_iser_pdu){.opcode = 0x23, .flags = 0x87, .login = result});
}

START_TEST(data_is_joined)
{
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, _i);
	login(&n, 0);
	rda_iser_read(&n, 7, 0x1000, 512);
	rda_nvme_data(&n, 0x1000, 512);
	rda_iser_respond(&n, 7, 0);
	/* a write, of which 4 bytes came with the command */
	rda_iser_send(&n, 0,
		      &(struct rda_iser_pdu){.opcode = 0x01,
					     .flags = 0xa0,
					     .task = 8,
					     .word = 512,
					     .write_key = 0x1001,
					     .cdb = 0x2a,
					     .data = "01020304"});
	rda_nvme_fetch(&n, 0x1001, 508);
	rda_iser_respond(&n, 8, 0);
	ck_assert_uint_eq(rda_nvme_found(&n)->protocol, RDA_ULP_ISER);
	ck_assert_uint_eq(facts_of(&n)->answered, 3);
	ck_assert_uint_eq(facts_of(&n)->unjoined, 0);
	ck_assert_uint_eq(facts_of(&n)->failed, 0);
	ck_assert_str_eq(facts_of(&n)->operations[0].name, "Login");
	ck_assert_str_eq(facts_of(&n)->operations[1].name, "READ(10)");
	ck_assert_uint_eq(facts_of(&n)->operations[1].bytes, 512);
	ck_assert_uint_eq(facts_of(&n)->operations[1].data.count, 1);
	ck_assert_str_eq(facts_of(&n)->operations[2].name, "WRITE(10)");
	ck_assert_uint_eq(facts_of(&n)->operations[2].data.count, 1);
	rda_nvme_feed_end(&n);
}
END_TEST

START_TEST(errors)
{
	static const struct {
		struct rda_iser_pdu response;
		uint32_t status;
		const char *words;
	} cases[] = {
		{{.opcode = 0x21,
		  .status = 2,
		  .task = 7,
		  .data = "0012 7000030000000000 00000000 1100 00000000"},
		 0x03110002,
		 "UNRECOVERED READ ERROR"},
		{{.opcode = 0x21, .status = 8, .task = 7}, 8, "BUSY"},
		{{.opcode = 0x21, .response = 1, .task = 7}, 0x10000001, "Target Failure"},
		{{.opcode = 0x21, .status = 4, .task = 7}, 0, NULL}, /* CONDITION MET */
		{{.opcode = 0x3f,
		  .response = 4,
		  .task = UINT32_MAX,
		  .data = "01c1000000000000 0000000000000000 00000007 00000000"
			  "00000000 00000000 00000000 00000000 00000000 00000000"},
		 0x30000004,
		 "Protocol Error"},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_nvme_feed n;

		rda_nvme_feed_begin(&n, _i);
		login(&n, 0);
		rda_iser_read(&n, 7, 0x1000, 512);
		rda_iser_send(&n, 1, &cases[i].response);
		ck_assert_msg(facts_of(&n)->answered == 2, "case %u", i);
		ck_assert_uint_eq(facts_of(&n)->failed, cases[i].status != 0);
		if (cases[i].status) {
			ck_assert_uint_eq(facts_of(&n)->statuses[0].code, cases[i].status);
			ck_assert_str_eq(facts_of(&n)->statuses[0].words, cases[i].words);
		}
		rda_nvme_feed_end(&n);
	}
}
END_TEST

START_TEST(a_login_refused)
{
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, _i);
	login(&n, 0x0201);
	ck_assert_uint_eq(facts_of(&n)->failed, 1);
	ck_assert_str_eq(facts_of(&n)->statuses[0].words, "Authentication failure");
	rda_nvme_feed_end(&n);
}
END_TEST

/* Both sides ping; tags of the one are not tags of the other. */
START_TEST(pings)
{
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, _i);
	login(&n, 0);
	rda_iser_send(&n, 0, &(struct rda_iser_pdu){.opcode = 0x40, .task = 7, .word = UINT32_MAX});
	rda_iser_send(&n, 1, &(struct rda_iser_pdu){.opcode = 0x20, .task = UINT32_MAX, .word = 7});
	ck_assert_uint_eq(rda_nvme_found(&n)->commands.count, 2);
	rda_iser_send(&n, 1, &(struct rda_iser_pdu){.opcode = 0x20, .task = 7, .word = UINT32_MAX});
	rda_iser_send(&n, 0, &(struct rda_iser_pdu){.opcode = 0x40, .task = UINT32_MAX, .word = 7});
	ck_assert_uint_eq(facts_of(&n)->answered, 3);
	ck_assert_uint_eq(facts_of(&n)->unasked, 0);
	ck_assert_str_eq(facts_of(&n)->operations[2].name, "NOP-In");
	rda_nvme_feed_end(&n);
}
END_TEST

START_TEST(shorter_than_asked)
{
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, _i);
	login(&n, 0);
	rda_iser_read(&n, 7, 0x1000, 512);
	rda_nvme_data(&n, 0x1000, 100);
	rda_iser_send(
		&n, 1,
		&(struct rda_iser_pdu){.opcode = 0x21, .flags = 0x82, .task = 7, .residual = 412});
	ck_assert_uint_eq(facts_of(&n)->operations[1].bytes, 100);
	ck_assert_uint_eq(facts_of(&n)->operations[1].data.count, 1);
	/* a residual that lies */
	rda_iser_read(&n, 7, 0x1000, 512);
	rda_iser_send(&n, 1,
		      &(struct rda_iser_pdu){
			      .opcode = 0x21, .flags = 0x82, .task = 7, .residual = UINT32_MAX});
	ck_assert_uint_eq(facts_of(&n)->operations[1].bytes, 612);
	rda_nvme_feed_end(&n);
}
END_TEST

START_TEST(others)
{
	static const char *const messages[] = {"20 0a 0010 0000", "30010010 0000", "4000"};
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, _i);
	login(&n, 0);
	for (unsigned i = 0; i < RDA_COUNT(messages); i++) {
		struct rda_build b = {0};

		rda_put_hex(&b, messages[i]);
		rda_put_zeros(&b, 28 - b.length);
		rda_nvme_send(&n, i == 1, &b);
	}
	ck_assert_str_eq(facts_of(&n)->operations[1].name, "Hello");
	ck_assert_uint_eq(facts_of(&n)->operations[1].answered, 1);
	ck_assert_uint_eq(facts_of(&n)->unread, 1);
	for (uint32_t length = 27; length <= 28; length++) {
		struct rda_build b = {0};

		rda_put_hex(&b, "10");
		rda_put_zeros(&b, length - b.length);
		rda_nvme_send(&n, 1, &b);
	}
	ck_assert_uint_eq(facts_of(&n)->cut, 2);
	rda_iser_respond(&n, 99, 0);
	ck_assert_uint_eq(facts_of(&n)->unasked, 1);
	rda_nvme_feed_end(&n);
}
END_TEST

Suite *rda_suite_iser_track(void)
{
	Suite *suite = suite_create("iser_track");
	TCase *tcase = tcase_create("iser_track");

	tcase_add_loop_test(tcase, data_is_joined, 0, 2);
	tcase_add_loop_test(tcase, errors, 0, 2);
	tcase_add_loop_test(tcase, a_login_refused, 0, 2);
	tcase_add_loop_test(tcase, pings, 0, 2);
	tcase_add_loop_test(tcase, shorter_than_asked, 0, 2);
	tcase_add_loop_test(tcase, others, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite;
}
