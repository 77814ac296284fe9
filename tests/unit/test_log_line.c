/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of logs: what is found in each form, what is not, and any bytes.
 */
#include "analyzer/report/log_line.h"
#include "tests/unit/suite.h"

#include <glib.h>
#include <string.h>

/* "PROGRAM|KIND VALUE; ...|STATUS" */
static char *found(const char *text, size_t length)
{
	GString *got = g_string_new(NULL);
	struct rda_log_line line;
	char address[RDA_ADDRESS_TEXT];

	rda_log_line_read(&line, text, length);
	g_string_append_printf(got, "%s|", line.program ? line.program : "");
	for (unsigned i = 0; i < line.count; i++) {
		const struct rda_log_item *item = &line.items[i];

		g_string_append_printf(got, "%s%s ", i ? "; " : "", rda_log_kind_name(item->kind));
		if (item->kind == RDA_LOG_ADDRESS)
			g_string_append(got, rda_address_text(address, &item->address));
		else
			g_string_append_printf(got, "%" PRIx64, item->number);
	}
	g_string_append_printf(got, "|%" PRId32, line.status);
	return g_string_free(got, FALSE);
}

static const struct {
	const char *text, *want;
} rows[] = {
	{"", "||0"},
	/* QPNs: by the words before them, in whatever form */
	{"qpn=0x12bd", "|qpn 12bd|0"},
	{"QPN 4797", "|qpn 12bd|0"},
	{"qp_num: 4797,", "|qpn 12bd|0"},
	{"\"qpn\":4797}", "|qpn 12bd|0"},
	{"qp#4797 x", "|qpn 12bd|0"},
	{"[rqpn 1d4a dlid=0]", "|remote_qpn 1d4a|0"},
	{"local QPN 0x1 remote QPN 0x2", "|local_qpn 1; remote_qpn 2|0"},
	{"DCI QP 0xd16 wqe[6168]", "|qpn d16|0"},
	/* no QPN: a state, a word, too large, a part of a word */
	{"qp state 1", "||0"},
	{"QPs 4, xqp 5, qp 0x1000000", "||0"},
	{"qp: dead", "||0"},
	{"qp 12x", "||0"},
	{"qp", "||0"},
	{"qp = = = = = 5", "||0"},
	/* keys, memory */
	{"[rva 0x7f10 rkey 0x17ff2f] [va 0x1 lkey 0x15de4]",
	 "|virtual_address 7f10; rkey 17ff2f; lkey 15de4|0"},
	{"RKey 0x00c159", "|rkey c159|0"},
	{"rkey 0x123456789", "||0"},
	/* addresses */
	{"peer 10.0.0.1<52324> and 10.0.0.2:4420.", "|address 10.0.0.1; address 10.0.0.2|0"},
	{"localGid ::ffff:10.10.0.1 remoteGids::ffff:10.10.0.2",
	 "|address 10.10.0.1; address 10.10.0.2|0"},
	{"dgid fe80::526b:4bff:fecb:bece tc 0", "|address fe80::526b:4bff:fecb:bece|0"},
	{"fe80::966d:ae03:8b:df54%ib0<33397>", "|address fe80::966d:ae03:8b:df54|0"},
	{"GID: 00:00:00:00:00:00:00:00:00:00:255:255:10:10:00:01", "|address 10.10.0.1|0"},
	{"0000:0000:0000:0000:0000:ffff:0a0a:0001", "|address 10.10.0.1|0"},
	{"<::ffff:10.10.0.2, ::ffff:10.10.0.1>", "|address 10.10.0.2; address 10.10.0.1|0"},
	/* none: a clock, a MAC, a version, an unset GID */
	{"12:34:56.789 50:6b:4b:cb:be:ce 1.2.3 300.1.1.1 ::", "||0"},
	/* statuses: a number, mlx5's syndrome, words */
	{"Failed status 12: wr_id 0 syndrom 0x81", "perftest|status c; vendor_error 81|12"},
	{"with status=12 opcode=0 len=0 vendor err 129", "|status c; vendor_error 81|12"},
	{"completion from peer x with error 4, opcode 3", "|status 4|4"},
	{"(synd 0x13 vend 0x88 hw_synd 0/0)", "|syndrome 13; vendor_error 88|10"},
	{"status: (12): transport retry counter exceeded", "|status c|12"},
	{"prov_err: remote access error (10)", "libfabric||10"},
	{"Work Request Flushed Error", "||5"},
	{"RNR retry counter exceeded", "||13"},
	{"return status 0", "|status 0|0"},
	/* completion entries of mlx5 as bytes */
	{"00000000 00008813 08002c4a 0008c4d2", "|local_qpn 2c4a; syndrome 13; vendor_error 88|10"},
	{"00000000 93005204 0a0019a1 c0921cd2", "|local_qpn 19a1; syndrome 4; vendor_error 52|4"},
	{"[1.0] 00000030: 00 00 00 00 00 00 88 13 08 00 12 bd 00 01 d2 d2",
	 "|local_qpn 12bd; syndrome 13; vendor_error 88|10"},
	{"00000000 00008813 08002c4a 0008c402", "||0"}, /* no error entry */
	{"00000000 00000000 00000000 00000000", "||0"},
	/* times: with their zone */
	{"[1795218285.736035] x", "|time_ns 18e9e584f79502b8|0"},
	{"2026-11-20T23:44:45.736035Z", "|time_ns 18e9e584f79502b8|0"},
	{"2026-11-21 00:44:45.736035+01:00", "|time_ns 18e9e584f79502b8|0"},
	{"2026-11-20 23:44:45.736035 x", "||0"},
	{"[  893.551124] x", "||0"},
	/* the same once */
	{"qp 5 qp 5 qp 0x5", "|qpn 5|0"},
};

START_TEST(forms)
{
	char *got = found(rows[_i].text, strlen(rows[_i].text));

	ck_assert_msg(strcmp(got, rows[_i].want) == 0, "%s: %s, not %s", rows[_i].text, got,
		      rows[_i].want);
	g_free(got);
}
END_TEST

/* Every label is found, as it stands in the table. */
START_TEST(labels)
{
	static const struct {
		const char *label;
		unsigned kind;
	} all[] = {
#define RDA_L(label, KIND) {label, RDA_LOG_##KIND},
		RDA_LOG_LABELS(RDA_L)
#undef RDA_L
	};

	for (unsigned i = 0; i < RDA_COUNT(all); i++) {
		char *text = g_strdup_printf("x %s 0x12,", all[i].label);
		struct rda_log_line line;

		rda_log_line_read(&line, text, strlen(text));
		ck_assert_msg(line.count == 1 && line.items[0].kind == all[i].kind &&
				      line.items[0].number == 0x12,
			      "%s", text);
		g_free(text);
	}
}
END_TEST

/* So many bytes of a line are looked at, so many values kept. */
START_TEST(limits)
{
	GString *text = g_string_new(NULL);
	struct rda_log_line line;

	for (unsigned i = 0; i < RDA_LOG_ITEMS_MAX + 1; i++)
		g_string_append_printf(text, "qp %u ", i);
	rda_log_line_read(&line, text->str, text->len);
	ck_assert_uint_eq(line.count, RDA_LOG_ITEMS_MAX);
	ck_assert(line.more && !line.cut);
	g_string_assign(text, "");
	while (text->len < RDA_LOG_BYTES_MAX)
		g_string_append_c(text, 'x');
	g_string_append(text, " qp 5");
	rda_log_line_read(&line, text->str, text->len);
	ck_assert_uint_eq(line.count, 0);
	ck_assert(line.cut && !line.more);
	g_string_free(text, TRUE);
}
END_TEST

static const char *const pieces[] = {"qp",
				     " ",
				     "0x",
				     "12bd",
				     ":",
				     "=",
				     "::ffff:",
				     "10.0.0.1",
				     "rkey",
				     "\x1b",
				     "",
				     "[",
				     "2026-11-20T23:44:45",
				     "Z",
				     "17952182",
				     "85.73",
				     "00",
				     "008813",
				     "d2",
				     "remoteGids",
				     "status",
				     "\xff",
				     "-"};

/* Lines put together of what the forms are made of: numbers are in their ranges. */
START_TEST(any_bytes)
{
	GRand *random = g_rand_new_with_seed((guint32)_i);
	GString *text = g_string_new(NULL);
	struct rda_log_line line;

	for (int i = g_rand_int_range(random, 0, 80); i > 0; i--) {
		unsigned piece = (unsigned)g_rand_int_range(random, 0, RDA_COUNT(pieces));

		if (*pieces[piece])
			g_string_append(text, pieces[piece]);
		else
			g_string_append_c(text, (char)g_rand_int_range(random, 0, 256));
	}
	rda_log_line_read(&line, text->str, text->len);
	ck_assert_uint_le(line.count, RDA_LOG_ITEMS_MAX);
	for (unsigned i = 0; i < line.count; i++) {
		const struct rda_log_item *item = &line.items[i];

		ck_assert_uint_lt(item->kind, RDA_LOG_KIND_COUNT);
		if (item->kind <= RDA_LOG_REMOTE_QPN)
			ck_assert_uint_le(item->number, 0xffffff);
		if (item->kind == RDA_LOG_ADDRESS)
			ck_assert(item->address.kind == RDA_ADDRESS_IP4 ||
				  item->address.kind == RDA_ADDRESS_IP6);
	}
	ck_assert(!line.status || rda_log_status_name(line.status));
	g_string_free(text, TRUE);
	g_rand_free(random);
}
END_TEST

Suite *rda_suite_log_line(void)
{
	Suite *suite = suite_create("log_line");
	TCase *tcase = tcase_create("log_line");

	tcase_add_loop_test(tcase, forms, 0, RDA_COUNT(rows));
	tcase_add_test(tcase, labels);
	tcase_add_test(tcase, limits);
	tcase_add_loop_test(tcase, any_bytes, 0, 1000);
	suite_add_tcase(suite, tcase);
	return suite;
}
