/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Acknowledgments that came late, twice or not at all.
 */
#include "analyzer/checks/answer/ack_order.h"

#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

#include <string.h>

enum { A = 1, B = 2, QP_A = 0x11, QP_B = 0x12 };

/* An ACK as its sender numbers it. */
struct ack {
	uint32_t psn, msn;
	uint16_t ip_id;
};

struct counts {
	uint64_t late, copies, missing;
};

static void acknowledge(struct rda_feed *feed, const struct ack *ack)
{
	struct rda_extended aeth = rda_aeth(0x1f, ack->msn & 0xffffff);
	struct rda_recipe packet = rda_packet_of(B, A, QP_A, 0x11, ack->psn & 0xffffff);

	packet.ip_id_by = ack->ip_id;
	packet = rda_with(packet, &aeth);
	rda_feed(feed, &packet);
}

/* SENDs with PSNs `first`, `first` + 1 ..., and ACKs, whose PSNs and MSNs count from there. */
static struct counts count(uint32_t first, uint32_t requests, const struct ack *acks,
			   unsigned ack_count)
{
	struct counts counts;
	struct rda_feed feed;

	rda_feed_begin(&feed);
	rda_feed_exchange_at(&feed, A, B, QP_A, QP_B, 1, first & 0xffffff, 0);
	for (uint32_t i = 0; i < requests; i++) {
		struct rda_recipe packet = rda_packet_of(A, B, QP_B, 0x04, (first + i) & 0xffffff);

		packet.ip_id_by = (uint16_t)i;
		rda_feed(&feed, &packet);
	}
	for (unsigned i = 0; i < ack_count; i++) {
		struct ack ack = acks[i];

		ack.psn += first;
		acknowledge(&feed, &ack);
	}
	rda_engine_finish(feed.engine);
	counts.late = rda_feed_cases(&feed, RDA_CHECK_Q10);
	counts.copies = rda_feed_cases(&feed, RDA_CHECK_Q05);
	counts.missing = rda_feed_cases(&feed, RDA_CHECK_S01);
	rda_feed_end(&feed);
	return counts;
}

static void check(const struct ack *acks, unsigned ack_count, struct counts wanted)
{
	static const uint32_t firsts[] = {100, 0xfffff0, 0xfffffe};

	for (unsigned i = 0; i < RDA_COUNT(firsts); i++) {
		struct counts counts = count(firsts[i], 64, acks, ack_count);

		ck_assert_uint_eq(counts.late, wanted.late);
		ck_assert_uint_eq(counts.copies, wanted.copies);
		ck_assert_uint_eq(counts.missing, wanted.missing);
	}
}

/* So many ACKs one by one, of PSNs and MSNs that follow one another; the count. */
static unsigned steadily(struct ack *acks, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		acks[i] = (struct ack){i, i + 1, (uint16_t)(65530 + i)};
	return count;
}

START_TEST(all_came)
{
	struct ack acks[64];

	check(acks, steadily(acks, 64), (struct counts){0});
}
END_TEST

START_TEST(late)
{
	struct ack acks[20], held;

	steadily(acks, 20);
	held = acks[5];
	memmove(&acks[5], &acks[6], 4 * sizeof(held));
	acks[9] = held;
	check(acks, 20, (struct counts){.late = 1});
}
END_TEST

/* Equal numbers tell at any time; without numbers only at once. */
START_TEST(copies)
{
	struct ack acks[20];

	steadily(acks, 19);
	memmove(&acks[8], &acks[7], 12 * sizeof(acks[0]));
	check(acks, 20, (struct counts){.copies = 1});
	for (unsigned i = 0; i < 20; i++)
		acks[i].ip_id = 0;
	check(acks, 20, (struct counts){.copies = 1});
}
END_TEST

/* The responder answers again, with a packet of its own. */
START_TEST(no_copy)
{
	struct ack acks[20];

	steadily(acks, 20);
	acks[19].psn = acks[18].psn;
	acks[19].msn = acks[18].msn;
	check(acks, 20, (struct counts){0});
}
END_TEST

START_TEST(missing)
{
	struct ack acks[40];
	unsigned count = steadily(acks, 40);

	memmove(&acks[30], &acks[33], (count - 33) * sizeof(acks[0]));
	memmove(&acks[10], &acks[11], (count - 3 - 11) * sizeof(acks[0]));
	check(acks, count - 4, (struct counts){.missing = 4});
}
END_TEST

/* It answered several at once, and says so by its numbers; or they say nothing at all. */
START_TEST(gathered)
{
	struct ack acks[20];

	for (unsigned i = 0; i < 20; i++)
		acks[i] = (struct ack){3 * i + 2, 3 * i + 3, (uint16_t)i};
	check(acks, 20, (struct counts){0});
	for (unsigned i = 0; i < 20; i++)
		acks[i].ip_id = 0;
	check(acks, 20, (struct counts){0});
	for (unsigned i = 0; i < 20; i++)
		acks[i].ip_id = (uint16_t)(i * 7);
	check(acks, 20, (struct counts){0});
}
END_TEST

/* Too few to tell how the sender numbers its packets. */
START_TEST(few)
{
	struct ack acks[10];
	unsigned count = steadily(acks, 10);

	memmove(&acks[5], &acks[6], 4 * sizeof(acks[0]));
	check(acks, count - 1, (struct counts){0});
}
END_TEST

Suite *rda_suite_check_answer_ack_order(void)
{
	Suite *suite = suite_create("check_ack_order");
	TCase *tests = tcase_create("check_ack_order");

	tcase_add_test(tests, all_came);
	tcase_add_test(tests, late);
	tcase_add_test(tests, copies);
	tcase_add_test(tests, no_copy);
	tcase_add_test(tests, missing);
	tcase_add_test(tests, gathered);
	tcase_add_test(tests, few);
	suite_add_tcase(suite, tests);
	return suite;
}
