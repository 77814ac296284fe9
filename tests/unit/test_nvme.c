/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Capsules as they were captured, cut anywhere, and the words of the standard.
 */
#include "dissectors/ulp/nvme.h"

#include "tests/unit/nvme_feed.h"
#include "tests/unit/suite.h"

#include <string.h>

/* of a recorded capture: Connect to the admin queue, Write by RDMA, Write with its data behind it
 */
static const char CONNECT[] = "7f400000010000000000000000000000000000000000000000e89c07000011ff"
			      "000400e75500004f000000001f00000088130000000000000000000000000000";
static const char WRITE[] = "01400450010000000000000000000000000000000000000000702d0a000011ff"
			    "000001f59600004f00000000000000007f000000000000000000000000000000";
static const char IN_CAPSULE[] = "0140040001000000000000000000000000000000000000000000000000000000"
				 "0010000000000001000000000000000007000000000000000000000000000000";
static const char COMPLETION[] = "0000000000000000130001000260 0cc0";

static bool read_command(const struct rda_build *b, uint32_t have, struct rda_nvme_command *command)
{
	struct rda_frame frame = rda_exact_frame(b->bytes, have, have, 1);
	struct rda_cursor c = {frame.bytes, 0, have, b->length};
	bool whole = rda_read_nvme_command(&c, command);

	ck_assert_uint_eq(c.offset, whole ? RDA_NVME_COMMAND_BYTES : 0);
	rda_frame_free(&frame);
	return whole;
}

static struct rda_nvme_command command_of(const char *hex)
{
	struct rda_nvme_command command;
	struct rda_build b = {0};

	rda_put_hex(&b, hex);
	ck_assert_uint_eq(b.length, RDA_NVME_COMMAND_BYTES);
	for (uint32_t have = 0; have < b.length; have++)
		ck_assert(!read_command(&b, have, &command));
	ck_assert(read_command(&b, b.length, &command));
	return command;
}

START_TEST(commands)
{
	struct rda_nvme_command connect = command_of(CONNECT), write = command_of(WRITE);
	struct rda_nvme_command inside = command_of(IN_CAPSULE);

	ck_assert_uint_eq(rda_nvme_operation(&connect, RDA_NVME_QUEUE_UNKNOWN),
			  RDA_NVME_FABRICS_CONNECT);
	ck_assert_uint_eq(rda_nvme_connect_queue(&connect), 0);
	ck_assert_uint_eq(rda_nvme_connect_keep_alive_ms(&connect), 5000);
	ck_assert_uint_eq(connect.data, RDA_NVME_DATA_KEYED);
	ck_assert_uint_eq(connect.address, UINT64_C(0xff110000079ce800));
	ck_assert_uint_eq(connect.length, 1024);
	ck_assert_uint_eq(connect.key, 0x55e7);
	ck_assert_uint_eq(write.cid, 0x5004);
	ck_assert_uint_eq(write.nsid, 1);
	ck_assert_uint_eq(write.length, 65536);
	ck_assert_uint_eq(write.key, 0x96f5);
	ck_assert_uint_eq(write.dwords[2], 0x7f);
	ck_assert_uint_eq(inside.data, RDA_NVME_DATA_INLINE);
	ck_assert_uint_eq(inside.length, 4096);
	ck_assert(rda_nvme_is_command(&connect, false));
	ck_assert(rda_nvme_is_command(&write, false));
	ck_assert(rda_nvme_is_command(&inside, false));
}
END_TEST

START_TEST(connect_data)
{
	struct rda_build b = {0};
	struct rda_cursor c = {b.bytes, 0, 17, 1024};
	uint16_t controller = 0;

	rda_put_zeros(&b, 16);
	rda_put_hex(&b, "0201");
	ck_assert(!rda_read_nvme_connect_data(&c, &controller));
	c.captured_end = 18;
	ck_assert(rda_read_nvme_connect_data(&c, &controller));
	ck_assert_uint_eq(controller, 0x0102);
}
END_TEST

START_TEST(what_is_none)
{
	static const struct {
		uint8_t at, value;
		bool expected;
	} changes[] = {
		{1, 0x00, false}, {1, 0x80, false}, {39, 0x50, false}, {8, 1, true},
		{16, 1, true},	  {0, 0xee, true},  {32, 0x01, true},
	};
	struct rda_nvme_command command;

	for (unsigned i = 0; i < RDA_COUNT(changes); i++) {
		struct rda_build b = {0};

		rda_put_hex(&b, WRITE);
		b.bytes[changes[i].at] = changes[i].value;
		ck_assert(read_command(&b, b.length, &command));
		ck_assert_msg(!rda_nvme_is_command(&command, false), "change %u", i);
		ck_assert_msg(rda_nvme_is_command(&command, true) == changes[i].expected,
			      "change %u, where a port says NVMe", i);
	}
}
END_TEST

START_TEST(queues)
{
	static const struct {
		uint8_t opcode;
		uint32_t nsid, length, dwords[3];
		enum rda_nvme_queue queue;
	} cases[] = {
		{0x06, 0, 4096, {1, 0, 0}, RDA_NVME_QUEUE_ADMIN},
		{0x18, 0, 0, {0, 0, 0}, RDA_NVME_QUEUE_ADMIN},
		{0x0c, 0, 0, {0, 0, 0}, RDA_NVME_QUEUE_ADMIN},
		{0x09, 7, 0, {0, 0, 0}, RDA_NVME_QUEUE_UNKNOWN},
		{0x00, 1, 0, {0, 0, 0}, RDA_NVME_QUEUE_IO},
		{0x01, 1, 4096, {0, 0, 7}, RDA_NVME_QUEUE_IO},
		{0x02, 1, 4096, {0, 0, 7}, RDA_NVME_QUEUE_IO},			   /* Read */
		{0x02, UINT32_MAX, 512, {0x007f0002, 0, 0}, RDA_NVME_QUEUE_ADMIN}, /* log page */
		{0x02, 1, 1000, {0, 0, 0}, RDA_NVME_QUEUE_UNKNOWN},
		{0x7f, 1, 1024, {0, 0, 0}, RDA_NVME_QUEUE_ADMIN}, /* Connect to queue 0, 3 */
		{0x7f, 1, 1024, {3 << 16, 0, 0}, RDA_NVME_QUEUE_IO},
		{0x7f, 4, 0, {0, 0, 0}, RDA_NVME_QUEUE_UNKNOWN},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_nvme_command command;
		struct rda_build b = {0};

		rda_nvme_capsule(&b, cases[i].opcode, 1, cases[i].nsid, 1, cases[i].length,
				 cases[i].dwords);
		ck_assert(read_command(&b, b.length, &command));
		ck_assert_msg(rda_nvme_queue_of(&command) == cases[i].queue, "case %u", i);
	}
}
END_TEST

START_TEST(completions)
{
	struct rda_nvme_completion completion;
	struct rda_build b = {0};
	struct rda_cursor c;

	rda_put_hex(&b, COMPLETION);
	for (uint32_t have = 0; have < b.length; have++) {
		c = (struct rda_cursor){b.bytes, 0, have, b.length};
		ck_assert(!rda_read_nvme_completion(&c, &completion));
	}
	c = (struct rda_cursor){b.bytes, 0, b.length, b.length};
	ck_assert(rda_read_nvme_completion(&c, &completion));
	ck_assert_uint_eq(completion.sq_head, 0x13);
	ck_assert_uint_eq(completion.sq_id, 1);
	ck_assert_uint_eq(completion.cid, 0x6002);
	ck_assert_uint_eq(rda_nvme_status(completion.status), 0x0006);
}
END_TEST

START_TEST(words)
{
	ck_assert_str_eq(rda_nvme_operation_name(RDA_NVME_IO_READ), "Read");
	ck_assert_ptr_null(rda_nvme_operation_name(0x1ff));
	ck_assert(rda_nvme_operation_waits(RDA_NVME_ADMIN_ASYNC_EVENT));
	ck_assert(!rda_nvme_operation_waits(RDA_NVME_IO_READ));
	ck_assert_str_eq(rda_nvme_status_words(RDA_NVME_IO_READ, 0x0080), "LBA Out of Range");
	ck_assert_str_eq(rda_nvme_status_words(RDA_NVME_IO_WRITE, 0x0182),
			 "Attempted Write to Read Only Range");
	ck_assert_str_eq(rda_nvme_status_words(RDA_NVME_FABRICS_CONNECT, 0x0182),
			 "Connect Invalid Parameters");
	ck_assert_ptr_null(rda_nvme_status_words(RDA_NVME_ADMIN_IDENTIFY, 0x0182));
	ck_assert_ptr_null(rda_nvme_status_words(RDA_NVME_IO_READ, 0x0780));
	ck_assert(rda_nvme_status_is_usual(RDA_NVME_IO_COMPARE, 0x0285));
	ck_assert(!rda_nvme_status_is_usual(RDA_NVME_IO_READ, 0x0080) &&
		  !rda_nvme_status_is_usual(RDA_NVME_IO_READ, 0x0780));
}
END_TEST

Suite *rda_suite_nvme(void)
{
	Suite *suite = suite_create("nvme");
	TCase *tcase = tcase_create("nvme");

	tcase_add_test(tcase, commands);
	tcase_add_test(tcase, connect_data);
	tcase_add_test(tcase, what_is_none);
	tcase_add_test(tcase, queues);
	tcase_add_test(tcase, completions);
	tcase_add_test(tcase, words);
	suite_add_tcase(suite, tcase);
	return suite;
}
