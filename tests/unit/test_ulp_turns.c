/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which answers are for certain to the command before them that has their number.
 */
#include "analyzer/track/ulp/ulp_turns.h"

#include "analyzer/track/ulp/ulp_stream.h"
#include "tests/unit/suite.h"

enum { US = 1000, NUMBER = 7, SENT = 100 };

struct bench {
	struct rda_flow flow;
	struct rda_ulp ulp;
};

static void begin(struct bench *b, uint8_t protocol)
{
	*b = (struct bench){.ulp = {.protocol = protocol, .asker = &b->flow}};
	for (unsigned i = 0; i < 2; i++)
		b->ulp.streams[i] = rda_ulp_stream_new();
}

static void end(struct bench *b)
{
	for (unsigned i = 0; i < 2; i++)
		rda_ulp_stream_free(b->ulp.streams[i]);
}

static struct rda_ulp_command ask(struct bench *b, uint64_t id, int64_t ns)
{
	struct rda_ulp_command command = {.id = id, .asked_ns = ns};

	b->ulp.streams[0]->sent += SENT;
	rda_ulp_turns_ask(&b->ulp, &command, ns);
	return command;
}

static void answer(struct bench *b, uint64_t id, bool unasked, int64_t ns)
{
	b->ulp.streams[1]->sent += SENT;
	rda_ulp_turns_answer(&b->ulp, id, unasked, ns);
}

START_TEST(certain)
{
	static const struct {
		uint8_t protocol;
		uint64_t id_before; /* of the answer 10 us before the command */
		bool heard;	    /* the asker acknowledged that one */
		int64_t after_us;   /* the answer */
		bool acked;	    /* and the command was acknowledged before */
		uint64_t holes;
		bool unsure;
	} cases[] = {
		{RDA_ULP_NVME, NUMBER + 1, false, 500, false, 0, false},
		{RDA_ULP_NVME, NUMBER, false, 500, false, 0, true},
		{RDA_ULP_NFS, NUMBER, false, 500, false, 0, false},
		{RDA_ULP_NVME, NUMBER, true, 500, false, 0, false},
		{RDA_ULP_NVME, NUMBER, true, 20, false, 0, true},
		{RDA_ULP_ISER, NUMBER, true, 20, true, 0, false},
		{RDA_ULP_SRP, NUMBER, true, 500, true, 1, true},
		{RDA_ULP_SMB, NUMBER, true, 500, true, 1, false},
	};

	for (unsigned i = 0; i < RDA_COUNT(cases); i++) {
		struct rda_ulp_command command;
		struct bench b;

		begin(&b, cases[i].protocol);
		answer(&b, cases[i].id_before, false, 0);
		b.ulp.streams[1]->acked = cases[i].heard ? SENT : SENT - 1;
		command = ask(&b, NUMBER, 10 * US);
		b.ulp.streams[0]->acked = cases[i].acked ? SENT : SENT - 1;
		b.ulp.streams[1]->holes += cases[i].holes;
		ck_assert_msg(
			rda_ulp_turns_unsure(&b.ulp, &command, (10 + cases[i].after_us) * US) ==
				cases[i].unsure,
			"case %u", i);
		ck_assert(!command.early);
		end(&b);
	}
}
END_TEST

/* An answer that nothing had asked for is the command's own, unless the asker had it, or it came
 * long before. */
START_TEST(early)
{
	for (unsigned i = 0; i < 3; i++) {
		struct rda_ulp_command command;
		struct bench b;

		begin(&b, RDA_ULP_NFS);
		answer(&b, NUMBER, true, 0);
		b.ulp.streams[1]->acked = i == 1 ? SENT : 0;
		command = ask(&b, NUMBER, i == 2 ? 100 * US : 99 * US);
		ck_assert(command.early == (i == 0));
		end(&b);
	}
}
END_TEST

/* What made place may have had the number. */
START_TEST(more_than_are_kept)
{
	struct rda_ulp_command command;
	struct bench b;

	begin(&b, RDA_ULP_NVME);
	for (uint64_t i = 0; i <= RDA_ULP_TURNS_KEPT; i++)
		answer(&b, NUMBER + 1 + i, false, (int64_t)i * US);
	command = ask(&b, NUMBER, 40 * US);
	ck_assert(rda_ulp_turns_unsure(&b.ulp, &command, 500 * US));
	b.ulp.streams[1]->acked = SENT;
	command = ask(&b, NUMBER, 50 * US);
	ck_assert(!rda_ulp_turns_unsure(&b.ulp, &command, 500 * US));
	/* those that are old make place without a trace */
	for (uint64_t i = 0; i <= RDA_ULP_TURNS_KEPT; i++)
		answer(&b, NUMBER + 1 + i, false, (100 + (int64_t)i * 100) * US);
	ck_assert_uint_eq(b.ulp.turns.count, 1);
	end(&b);
}
END_TEST

Suite *rda_suite_ulp_turns(void)
{
	Suite *suite = suite_create("ulp_turns");
	TCase *tcase = tcase_create("ulp_turns");

	tcase_add_test(tcase, certain);
	tcase_add_test(tcase, early);
	tcase_add_test(tcase, more_than_are_kept);
	suite_add_tcase(suite, tcase);
	return suite;
}
