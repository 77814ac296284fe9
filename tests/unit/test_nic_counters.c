/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What programs print of a NIC's counters: each form, twice read and once, what is no counter, and
 * any bytes.
 */
#include "analyzer/report/nic_counters.h"
#include "tests/unit/suite.h"

#include <string.h>

static struct rda_nic_counters counters;

static void setup(void)
{
	rda_nic_counters_init(&counters);
}

static void teardown(void)
{
	rda_nic_counters_cleanup(&counters);
}

static void read_text(const char *text)
{
	rda_nic_counters_read(&counters, text, strlen(text));
}

/* "DEVICE NAME CHANGE; ..."; "?" read once, "!" went back */
static void expect(const char *want)
{
	GString *got = g_string_new(NULL);

	for (guint i = 0; i < counters.readings->len; i++) {
		const struct rda_nic_reading *reading = g_ptr_array_index(counters.readings, i);
		uint64_t change;
		enum rda_nic_change how = rda_nic_counters_change(&counters, reading, &change);

		g_string_append_printf(got, "%s%s %s ", i ? "; " : "",
				       *reading->device ? reading->device : "-", reading->name);
		if (how == RDA_NIC_CHANGE_KNOWN)
			g_string_append_printf(got, "%" PRIu64, change);
		else
			g_string_append_c(got, how == RDA_NIC_CHANGE_READ_ONCE ? '?' : '!');
	}
	ck_assert_str_eq(got->str, want);
	g_string_free(got, TRUE);
}

static const struct {
	const char *text, *want;
	unsigned not_understood;
} rows[] = {
	{"NIC statistics:\n     rx_a: 1\n     [0]: rx_b: 2\nNIC statistics:\n     rx_a: 4\n"
	 "     [0]: rx_b: 2\n",
	 "- rx_a 3; - [0]: rx_b 0", 0},
	{"link mlx5_0/1 a 1 b 2 \nlink mlx5_0/1 a 5 b 9 \n", "mlx5_0 a 4; mlx5_0 b 7", 0},
	{"link mlx5_0/1 \n    a 1 \n    b 2 \nlink mlx5_0/1\n    a 2\n    b 2\n",
	 "mlx5_0 a 1; mlx5_0 b 0", 0},
	{"link mlx5_0/1 cntn 4 lqpn 178 a 1\n", "", 1}, /* of some QPs */
	{"[{\"ifindex\":3,\"ifname\":\"rxe0\",\"port\":1,\"a\":1}]\n"
	 "[{\"ifindex\":3,\"ifname\":\"rxe0\",\"port\":1,\"a\":3}]\n",
	 "rxe0 a 2", 0},
	{"[{\"ifname\":\"eth0\",\"statistics\":{\"a\":7}}]", "eth0 a ?", 0},
	{"[{\"a\":1", "", 1},
	{"/sys/class/infiniband/mlx5_1/ports/1/hw_counters/a:18446744073709551614\n"
	 "/sys/class/infiniband/mlx5_1/ports/1/hw_counters/a:18446744073709551615\n",
	 "mlx5_1 a 1", 0},
	{"==> hw_counters/a <==\n5\n\n==> hw_counters/a <==\n6\n", "- a 1", 0},
	{"==> a\n5\n", "", 2},
	{"PortRcvErrors:...................3\nPortRcvErrors:...................5\n",
	 "- PortRcvErrors 2", 0},
	{"a 1\nb 0\n", "- a ?; - b 0", 0}, /* what is 0 was never more */
	{"# delta\na 1\nb 0\n", "- a 1; - b 0", 0},
	{"a 5\na 3\n", "- a !", 0},
	{"a 1\na 2\na 9\n", "- a 8", 0},
	/* the same counter in two forms is not read twice */
	{"link rxe0/1 a 5\n/sys/class/infiniband/rxe0/ports/1/hw_counters/a:5\n",
	 "rxe0 a ?; rxe0 a ?", 0},
	{"a -1\na 0x5\na 18446744073709551616\na N/A\nno stats available\n: 5\n", "", 6},
	{"\xff\xfe 1\n\x1b[31m 1\na\x01 1\n", "", 3},
	{"a 1 \r\na 2 \r\n", "- a 1", 0},
	{"", "", 0},
};

START_TEST(forms)
{
	read_text(rows[_i].text);
	expect(rows[_i].want);
	ck_assert_msg(counters.not_understood == rows[_i].not_understood, "%s: %" PRIu64,
		      rows[_i].text, counters.not_understood);
}
END_TEST

/* The second file is of a later time. */
START_TEST(two_texts)
{
	read_text("a 1\nb 5\n");
	read_text("a 4\nb 5\nc 2\n");
	expect("- a 3; - b 0; - c ?");
}
END_TEST

/* A name that is too long is none; there are so many counters at most, and the others are counted.
 */
START_TEST(limits)
{
	char *name = g_strnfill(RDA_NIC_NAME_MAX, 'a');
	GString *text = g_string_new(NULL);

	g_string_printf(text, "%s 1\na%s 1\n", name, name);
	for (unsigned i = 0; i < RDA_NIC_READINGS_MAX; i++)
		g_string_append_printf(text, "n%u 0\n", i);
	read_text(text->str);
	ck_assert_uint_eq(counters.readings->len, RDA_NIC_READINGS_MAX);
	ck_assert_uint_eq(counters.not_kept, 1);
	ck_assert_uint_eq(counters.not_understood, 1);
	g_string_free(text, TRUE);
	g_free(name);
}
END_TEST

static const char *const pieces[] = {
	"link ",       "mlx5_0/1", " a",
	"\n",	       ":",	   "/",
	"infiniband/", "==> ",	   " <==",
	"5",	       "[",	   "{",
	"\"",	       "#delta",   "18446744073709551615",
	"\xff",	       "",	   ".",
	"ifname",      "}]",	   " ",
	"\t",	       "-1",	   "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
};

/* Texts put together of what the forms are made of: what is kept is printable and bounded. */
START_TEST(any_bytes)
{
	GRand *random = g_rand_new_with_seed((guint32)_i);
	GString *text = g_string_new(NULL);

	for (int i = g_rand_int_range(random, 0, 60); i > 0; i--) {
		unsigned piece = (unsigned)g_rand_int_range(random, 0, RDA_COUNT(pieces));

		if (*pieces[piece])
			g_string_append(text, pieces[piece]);
		else
			g_string_append_c(text, (char)g_rand_int_range(random, 0, 256));
	}
	rda_nic_counters_read(&counters, text->str, text->len);
	for (guint i = 0; i < counters.readings->len; i++) {
		const struct rda_nic_reading *reading = g_ptr_array_index(counters.readings, i);
		const char *texts[] = {reading->device, reading->name};

		ck_assert_uint_gt(strlen(reading->name), 0);
		for (unsigned k = 0; k < 2; k++) {
			RDA_CHECK(strlen(texts[k]) <= RDA_NIC_NAME_MAX, "%s", texts[k]);
			for (const char *c = texts[k]; *c; c++)
				RDA_CHECK(g_ascii_isprint(*c), "%s", texts[k]);
		}
	}
	g_string_free(text, TRUE);
	g_rand_free(random);
}
END_TEST

Suite *rda_suite_nic_counters(void)
{
	Suite *suite = suite_create("nic_counters");
	TCase *tcase = tcase_create("nic_counters");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, forms, 0, RDA_COUNT(rows));
	tcase_add_test(tcase, two_texts);
	tcase_add_test(tcase, limits);
	tcase_add_loop_test(tcase, any_bytes, 0, 500);
	suite_add_tcase(suite, tcase);
	return suite;
}
