/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages and acknowledgements of RDS, its RDMA, its congested ports, and what lies.
 */
#include "analyzer/track/ulp/rds_track.h"

#include "tests/unit/rds_feed.h"
#include "tests/unit/suite.h"

static const struct rda_ulp_facts *facts_of(const struct rda_nvme_feed *n)
{
	return &rda_nvme_found(n)->facts;
}

static void message(struct rda_nvme_feed *n, unsigned side, uint64_t sequence, uint64_t ack,
		    uint32_t length)
{
	rda_rds_send(n, side,
		     &(struct rda_rds_pdu){.sequence = sequence,
					   .ack = ack,
					   .source = side ? 4000 : 4001,
					   .destination = side ? 4001 : 4000,
					   .length = length,
					   .inside = length});
}

START_TEST(both_sides)
{
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, false);
	message(&n, 0, 1, 0, 100);
	message(&n, 0, 2, 0, 200);
	message(&n, 1, 1, 2, 10);
	ck_assert_uint_eq(rda_nvme_found(&n)->protocol, RDA_ULP_RDS);
	ck_assert_uint_eq(facts_of(&n)->asked, 3);
	ck_assert_uint_eq(facts_of(&n)->answered, 2);
	rda_rds_send(&n, 0, &(struct rda_rds_pdu){.ack = 1}); /* an acknowledgement alone */
	ck_assert_uint_eq(facts_of(&n)->answered, 3);
	rda_rds_send(&n, 0, &(struct rda_rds_pdu){.ack = 1});
	ck_assert_uint_eq(facts_of(&n)->unasked, 0);
	ck_assert_uint_eq(facts_of(&n)->operation_count, 2);
	ck_assert_uint_eq(facts_of(&n)->operations[0].code, 4001u << 16 | 4000);
	ck_assert_uint_eq(facts_of(&n)->operations[0].bytes, 300);
	ck_assert_uint_eq(facts_of(&n)->operations[1].bytes, 10);
	ck_assert_uint_eq(facts_of(&n)->depth_most, 2);
	rda_nvme_feed_end(&n);
}
END_TEST

START_TEST(several_sends)
{
	struct rda_rds_pdu pdu = {.sequence = 1, .source = 5, .destination = 6, .length = 5000};
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, false);
	pdu.inside = 4096;
	rda_rds_send(&n, 0, &pdu);
	pdu.inside = 5000 - 4096;
	rda_rds_send(&n, 0, &pdu);
	ck_assert_uint_eq(facts_of(&n)->asked, 1);
	rda_rds_send(&n, 0, &pdu); /* it was whole: this is it once more */
	ck_assert_uint_eq(facts_of(&n)->replaced, 1);
	rda_nvme_feed_end(&n);
}
END_TEST

START_TEST(rdma)
{
	struct rda_rds_pdu pdu = {
		.sequence = 1, .source = 5, .destination = 6, .extension = "02 00001000"};
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, false);
	message(&n, 0, 1, 0, 8);
	rda_nvme_data(&n, 0x1000, 512);
	rda_nvme_data(&n, 0x1000, 512);
	rda_rds_send(&n, 1, &pdu);
	rda_rds_send(&n, 0, &(struct rda_rds_pdu){.ack = 1});
	ck_assert_uint_eq(facts_of(&n)->operations[1].bytes, 1024);
	rda_nvme_data(&n, 0x1001, 512);
	rda_nvme_data(&n, 0x1002, 512);
	ck_assert_uint_eq(facts_of(&n)->unjoined, 1);
	rda_nvme_feed_end(&n);
}
END_TEST

START_TEST(ports)
{
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, false);
	message(&n, 0, 1, 0, 8);
	rda_rds_map(&n, 1, (uint16_t[]){4000, 40000}, 2);
	ck_assert_uint_eq(facts_of(&n)->port_count, 2);
	ck_assert_uint_eq(facts_of(&n)->ports[0].port, 4000);
	ck_assert_uint_eq(facts_of(&n)->ports[1].port, 40000);
	ck_assert_uint_eq(facts_of(&n)->ports[0].side, 0); /* the asker has to wait */
	rda_nvme_wait(&n, 1000000);
	rda_rds_map(&n, 1, (uint16_t[]){40000}, 1);
	ck_assert(!facts_of(&n)->ports[0].held && facts_of(&n)->ports[1].held);
	ck_assert_int_ge(facts_of(&n)->ports[0].held_ns, 1000000);
	ck_assert_int_lt(facts_of(&n)->ports[0].held_ns, 1100000);
	rda_rds_map(&n, 1, (uint16_t[]){4000}, 1);
	ck_assert_uint_eq(facts_of(&n)->ports[0].times, 2);
	ck_assert_uint_eq(facts_of(&n)->ports[1].times, 1);
	/* the same port of the other host is another */
	rda_rds_map(&n, 0, (uint16_t[]){4000}, 1);
	ck_assert_uint_eq(facts_of(&n)->port_count, 3);
	ck_assert_uint_eq(facts_of(&n)->ports[2].side, 1);
	ck_assert_uint_eq(facts_of(&n)->cut, 0);
	rda_nvme_feed_end(&n);
}
END_TEST

/* Behind a piece that could not be read nobody knows which half the next one is. */
START_TEST(half_a_map)
{
	const struct rda_rds_pdu bad = {.flags = 1, .length = 8192, .inside = 100};
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, false);
	message(&n, 0, 1, 0, 8);
	rda_rds_send(&n, 1, &bad);
	rda_rds_map(&n, 1, (uint16_t[]){4000, 40000}, 2);
	ck_assert_uint_eq(facts_of(&n)->port_count, 0);
	ck_assert_uint_eq(facts_of(&n)->unread, 3);
	message(&n, 1, 1, 1, 8);
	rda_rds_map(&n, 1, (uint16_t[]){4000, 40000}, 2);
	ck_assert_uint_eq(facts_of(&n)->port_count, 2);
	ck_assert_uint_eq(facts_of(&n)->unread, 3);
	rda_nvme_feed_end(&n);
}
END_TEST

/* Every port is congested: some are kept, and the others counted. */
START_TEST(too_many_ports)
{
	enum { COUNT = 100 };
	uint16_t many[COUNT];
	struct rda_nvme_feed n;

	for (unsigned i = 0; i < COUNT; i++)
		many[i] = (uint16_t)(7 * i + 1);
	rda_nvme_feed_begin(&n, false);
	message(&n, 0, 1, 0, 8);
	rda_rds_map(&n, 1, many, COUNT);
	ck_assert_uint_eq(facts_of(&n)->port_count, RDA_ULP_PORTS_MAX);
	ck_assert_uint_eq(facts_of(&n)->ports_not_kept, COUNT - RDA_ULP_PORTS_MAX);
	rda_nvme_feed_end(&n);
}
END_TEST

START_TEST(what_lies)
{
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, false);
	message(&n, 0, 1, 0, 8);
	rda_rds_send(&n, 1, &(struct rda_rds_pdu){.ack = 9, .wrong = true});
	ck_assert_uint_eq(facts_of(&n)->unread, 1);
	ck_assert_uint_eq(facts_of(&n)->answered, 0);
	/* acknowledges what was never sent, as far as that goes; what is sent later is not */
	rda_rds_send(&n, 1, &(struct rda_rds_pdu){.ack = UINT64_MAX});
	ck_assert_uint_eq(facts_of(&n)->answered, 1);
	ck_assert_uint_eq(facts_of(&n)->unasked, 1);
	message(&n, 0, 2, 0, 8);
	ck_assert_uint_eq(facts_of(&n)->answered, 1);
	/* sequences far apart */
	message(&n, 0, UINT64_C(1) << 62, 0, 8);
	rda_rds_send(&n, 1, &(struct rda_rds_pdu){.ack = UINT64_C(1) << 62});
	ck_assert_uint_eq(facts_of(&n)->answered, 3);
	/* no message has the sequence 0; what is acknowledged behind it counts */
	message(&n, 0, 5, 0, 8);
	message(&n, 0, 0, 0, 8);
	rda_rds_send(&n, 1, &(struct rda_rds_pdu){.ack = 5});
	ck_assert_uint_eq(facts_of(&n)->answered, 4);
	/* a map of another size */
	rda_rds_send(&n, 1, &(struct rda_rds_pdu){.flags = 1, .length = 8192, .inside = 100});
	ck_assert_uint_eq(facts_of(&n)->unread, 2);
	rda_nvme_feed_end(&n);
}
END_TEST

/* A receiver that never acknowledges. */
START_TEST(never_acknowledged)
{
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, false);
	for (uint64_t i = 1; i <= RDA_ULP_COMMANDS_MAX + 10; i++)
		message(&n, 0, i, 0, 0);
	ck_assert_uint_eq(rda_nvme_found(&n)->commands.count, RDA_ULP_COMMANDS_MAX);
	ck_assert_uint_eq(rda_nvme_found(&n)->commands.forgotten, 10);
	rda_nvme_feed_end(&n);
}
END_TEST

Suite *rda_suite_rds_track(void)
{
	Suite *suite = suite_create("rds_track");
	TCase *tcase = tcase_create("rds_track");

	tcase_add_test(tcase, both_sides);
	tcase_add_test(tcase, several_sends);
	tcase_add_test(tcase, rdma);
	tcase_add_test(tcase, ports);
	tcase_add_test(tcase, half_a_map);
	tcase_add_test(tcase, too_many_ports);
	tcase_add_test(tcase, what_lies);
	tcase_add_test(tcase, never_acknowledged);
	suite_add_tcase(suite, tcase);
	return suite;
}
