/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SMB Direct and SMB 2, cut anywhere, and numbers that lie.
 */
#include "dissectors/ulp/smb.h"

#include "tests/unit/smb_feed.h"
#include "tests/unit/suite.h"

/* of a recorded capture */
static const char REQUEST[] = "0001 0001 0000 ff00 54050000 54050000 56a70200";
static const char RESPONSE[] = "0001 0001 0001 0000 ff00 fe00 00000000 00008000 54050000 54050000"
			       "56a70200";

START_TEST(negotiation)
{
	static const char *const messages[] = {REQUEST, RESPONSE};

	for (unsigned i = 0; i < 2; i++) {
		struct rda_build b = {0};

		rda_put_hex(&b, messages[i]);
		for (uint32_t have = 0; have <= b.length; have++) {
			struct rda_frame frame = rda_exact_frame(b.bytes, have, have, 1);
			struct rda_cursor c = {frame.bytes, 0, have, b.length};
			struct rda_smbd_data data;
			uint32_t status = 1;
			enum rda_smbd_kind kind = rda_smb_read_direct(&c, &data, &status);

			ck_assert_uint_eq(kind, have < 20 ? RDA_SMBD_CUT
						: i	  ? RDA_SMBD_RESPONSE
							  : RDA_SMBD_REQUEST);
			ck_assert_uint_eq(status, kind == RDA_SMBD_RESPONSE ? 0 : 1);
			ck_assert(rda_smb_is_request(frame.bytes, have, _i) ==
				  (have >= 20 && i == 0));
			rda_frame_free(&frame);
		}
	}
}
END_TEST

START_TEST(data_messages)
{
	static const struct {
		uint32_t length, remaining, offset;
		uint8_t flags;
		enum rda_smbd_kind kind;
	} cases[] = {
		{64, 0, 24, 1, RDA_SMBD_DATA},
		{0, 0, 0, 0, RDA_SMBD_DATA},
		{64, 1000, 24, 0, RDA_SMBD_DATA},
		{65, 0, 24, 0, RDA_SMBD_OTHER},
		{64, 0, 16, 0, RDA_SMBD_OTHER},
		{60, 0, 28, 0, RDA_SMBD_OTHER},
		{64, 0, 24, 2, RDA_SMBD_OTHER},
		{UINT32_MAX, 0, 24, 0, RDA_SMBD_OTHER},
		{8, 0, UINT32_MAX - 7, 0, RDA_SMBD_OTHER},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_build b = {0};

		rda_put_hex(&b, "0001 0001"); /* 256 credits: as a negotiation begins */
		rda_put8(&b, cases[i].flags);
		rda_put_zeros(&b, 3);
		rda_smb_put_le(&b, cases[i].remaining, 4);
		rda_smb_put_le(&b, cases[i].offset, 4);
		rda_smb_put_le(&b, cases[i].length, 4);
		rda_put_zeros(&b, 4 + 64);
		if (i >= 3)
			b.bytes[0] = 7;
		for (uint32_t have = 0; have <= b.length; have++) {
			struct rda_frame frame = rda_exact_frame(b.bytes, have, have, 1);
			struct rda_cursor c = {frame.bytes, 0, have, b.length};
			struct rda_smbd_data data;
			uint32_t status;
			enum rda_smbd_kind kind = rda_smb_read_direct(&c, &data, &status);
			bool cut = have < 20 ||
				   (cases[i].kind == RDA_SMBD_DATA && have < cases[i].offset);

			ck_assert_msg(kind == (cut ? RDA_SMBD_CUT : cases[i].kind), "case %u, %u",
				      i, have);
			rda_frame_free(&frame);
		}
	}
}
END_TEST

START_TEST(a_read)
{
	struct rda_build b = {0};

	rda_smb_put_read(&b, UINT64_C(0x123456789a), 0x1000, 65536);
	for (uint32_t have = 24; have <= b.length; have++) {
		struct rda_frame frame = rda_exact_frame(b.bytes, have, have, 1);
		struct rda_cursor c = {frame.bytes, 24, have, b.length};
		struct rda_smb smb = {0};
		enum rda_smb_form form = rda_read_smb(&c, &smb);

		ck_assert_uint_eq(form, have >= 24 + 64 ? RDA_SMB_FORM_PLAIN : RDA_SMB_FORM_CUT);
		ck_assert_uint_eq(smb.has_bytes, have >= 24 + 64 + 48);
		ck_assert_uint_eq(smb.buffer_count, have == b.length);
		ck_assert(rda_smb_is_request(frame.bytes, have, false) == (have >= 24 + 64));
		rda_frame_free(&frame);
		if (have < b.length)
			continue;
		ck_assert_uint_eq(smb.message_id, UINT64_C(0x123456789a));
		ck_assert_uint_eq(smb.bytes, 65536);
		ck_assert_uint_eq(smb.buffers[0].offset, RDA_NVME_ADDRESS);
		ck_assert_uint_eq(smb.buffers[0].token, 0x1000);
		ck_assert_uint_eq(smb.buffers[0].length, 65536);
	}
}
END_TEST

START_TEST(compounds)
{
	static const uint32_t nexts[] = {1, 63, 64, 72, 4096, UINT32_MAX};
	static const enum rda_smb_form first[] = {RDA_SMB_FORM_UNREAD, RDA_SMB_FORM_UNREAD,
						  RDA_SMB_FORM_PLAIN,  RDA_SMB_FORM_PLAIN,
						  RDA_SMB_FORM_PLAIN,  RDA_SMB_FORM_PLAIN};

	for (unsigned i = 0; i < RDA_COUNT(nexts); i++) {
		struct rda_build b = {0};
		struct rda_cursor c;
		struct rda_smb smb;

		rda_smb_head(&b, &(struct rda_smb_header){.command = 5, .next = nexts[i]});
		if (nexts[i] == 72)
			rda_put_zeros(&b, 8);
		rda_smb_head(&b, &(struct rda_smb_header){.command = 6});
		c = (struct rda_cursor){b.bytes, 0, b.length, b.length};
		ck_assert_uint_eq(rda_read_smb(&c, &smb), first[i]);
		if (first[i] != RDA_SMB_FORM_PLAIN)
			continue;
		ck_assert_uint_eq(smb.command, 5);
		ck_assert_uint_eq(rda_read_smb(&c, &smb),
				  nexts[i] <= 72 ? RDA_SMB_FORM_PLAIN : RDA_SMB_FORM_CUT);
	}
}
END_TEST

START_TEST(encrypted)
{
	struct rda_build b = {0};
	struct rda_cursor c;
	struct rda_smb smb;

	rda_put_hex(&b, "fd534d42");
	rda_put_zeros(&b, 60);
	for (uint32_t have = 0; have <= b.length; have += 4) {
		c = (struct rda_cursor){b.bytes, 0, have, b.length};
		ck_assert_uint_eq(rda_read_smb(&c, &smb),
				  have ? RDA_SMB_FORM_UNREAD : RDA_SMB_FORM_CUT);
	}
}
END_TEST

START_TEST(words)
{
	ck_assert_str_eq(rda_smb_command_name(RDA_SMB_QUERY_INFO), "QUERY_INFO");
	ck_assert_ptr_null(rda_smb_command_name(0x13));
	ck_assert(rda_smb_command_waits(RDA_SMB_CHANGE_NOTIFY));
	ck_assert(!rda_smb_command_waits(RDA_SMB_READ) && !rda_smb_command_waits(0x13));
	ck_assert_str_eq(rda_smb_status_words(0xc000007f), "STATUS_DISK_FULL");
	ck_assert_ptr_null(rda_smb_status_words(0xc0ffffff));
	ck_assert(rda_smb_status_is_usual(0xc0000034));
	ck_assert(!rda_smb_status_is_usual(0xc000007f) && !rda_smb_status_is_usual(0xc0ffffff));
}
END_TEST

Suite *rda_suite_smb(void)
{
	Suite *suite = suite_create("smb");
	TCase *tcase = tcase_create("smb");

	tcase_add_loop_test(tcase, negotiation, 0, 2);
	tcase_add_test(tcase, data_messages);
	tcase_add_test(tcase, a_read);
	tcase_add_test(tcase, compounds);
	tcase_add_test(tcase, encrypted);
	tcase_add_test(tcase, words);
	suite_add_tcase(suite, tcase);
	return suite;
}
