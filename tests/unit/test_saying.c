/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Templates and the arguments that fill them.
 */
#include "analyzer/checks/saying.h"

#include "analyzer/base/meta.h"
#include "tests/unit/suite.h"

#include <glib.h>
#include <string.h>

static const struct rda_address host = {{[10] = 0xff, 0xff, 10, 0, 0, 1}, RDA_ADDRESS_IP4};

static struct rda_said *some(void)
{
	char text[] = "a name";
	struct rda_said *said = rda_said_new(
		RDA_SAY_F12_NO_PAYLOAD, (const struct rda_argument[]){
						RDA_ARG_NUMBER("none", 0),
						RDA_ARG_NUMBER("one", 1),
						RDA_ARG_NUMBER("packets", 1234567),
						RDA_ARG_SIGNED("ahead", -5),
						RDA_ARG_PSN("psn", 0x1000001),
						RDA_ARG_TIME("wait_ns", 1234567),
						RDA_ARG_RATE("rate", 25000000000),
						RDA_ARG_KEY("key", 0x1622),
						RDA_ARG_QPN("qpn", 0x11),
						RDA_ARG_MEMORY("address", 0x7f00),
						RDA_ARG_HEX("syndrome", 0x60, 2),
						RDA_ARG_FRAME("frame", rda_place_id(3, 12)),
						RDA_ARG_ADDRESS("host", &host),
						RDA_ARG_DECIMAL("percent", 1205, 2),
						RDA_ARG_MAC("mac", 0x0200000000ff),
						RDA_ARG_TIME("longer_ns", 1230001),
						RDA_ARG_WORD("opcode", "RC SEND Only"),
						RDA_ARG_WORD("no_word", NULL),
						RDA_ARG_PHRASE("breaks", RDA_PHRASE_NOT_BEGUN),
						RDA_ARG_TEXT("name", text),
						RDA_ARG_BYTES("data", (const uint8_t *)text, 2),
						RDA_ARG_WORD("atomic", "ATOMIC"),
						RDA_ARG_FLAG("yes", 4),
						RDA_ARG_FLAG("no", 0),
						RDA_ARG_IF(text[0] == 'b', RDA_ARG_NUMBER("if", 1)),
						RDA_ARG_END,
					});

	strcpy(text, "other"); /* what was given is kept */
	return said;
}

static const struct {
	const char *words, *text;
} cases[] = {
	{"", ""},
	{"no argument.", "no argument."},
	{"{none} {packets}", "0 1234567"},
	{"{ahead} {psn}", "-5 1"},
	{"{wait_ns} at {rate}", "1.23 ms at 25 Gbit/s"},
	{"{key} {qpn} {address} {syndrome}", "0x00001622 0x000011 0x7f00 0x60"},
	{"it {breaks}", "it continues a message although none had begun"},
	{"frame {frame} of {host}", "frame 12 of 10.0.0.1"},
	{"{opcode}, {name}, {data}", "RC SEND Only, a name, 61 20"},
	{"{a opcode}, {A opcode}, {a atomic}, {A atomic}",
	 "a RC SEND Only, A RC SEND Only, an ATOMIC, An ATOMIC"},
	{"{none} packet{none||s} {none|was|were}", "0 packets were"},
	{"{one} packet{one||s} {one|was|were}", "1 packet was"},
	{"{one|once|{one} times} {packets|once|{packets} times}", "once 1234567 times"},
	{"{yes?is so|is not so}, {no?is so|is not so}", "is so, is not so"},
	{"all{yes?, {one} too}{no?, {packets} too}", "all, 1 too"},
	{"{yes?{no?both|one}|none}", "one"},
	{"{one%packets}, {none%packets}", "under 0.01 %, 0 %"},
	{"{percent} %", "12.05 %"},
	{"{packets/1000} {ahead/2} {wait_ns/1000} us", "1234 -2 1234 us"},
	{"{wait_ns~longer_ns} {one~packets} {mac}", "1.23 ms 1 to 1234567 02:00:00:00:00:ff"},
	/* what was not given */
	{"{if}, {other}, {pack}, {no_word}, {a if}", "{if}, {other}, {pack}, {no_word}, {if}"},
	{"{other|one|several} {other?yes|no} {one%other} {other%one}",
	 "{other} {other} {other} {other}"},
	{"one[, {one}][, {other}][, {packets} and {if}].", "one, 1."},
	{"[{one} by NAK|{other} by timer|{none} by nobody]", "1 by NAK, 0 by nobody"},
	{"[&{one} by NAK|{none} by nobody|{other}], [&{one}|{other}]",
	 "1 by NAK and 0 by nobody, 1"},
	{"[{other} by NAK|{one} by timer]", "1 by timer"},
	{"[{other} by NAK|{if} by timer]", ""},
	{"[{one}[, {other}]] [{yes?{other}}]", "1 "},
	{"[{other}] {if}", " {if}"},
	{"<{other} of {one}|{one} of<{if}|{if}|> nobody|{none}>.", "1 of nobody."},
	{"<{one}|nobody> <{other}|nobody>", "1 nobody"},
	{"{other/2} {one~other}", "{other} {other}"},
};

START_TEST(templates_are_filled)
{
	struct rda_said *said = some(), *copy = rda_said_copy(said);
	char *text = rda_said_fill(cases[_i].words, said);

	ck_assert_str_eq(text, cases[_i].text);
	g_free(text);
	memset(said, 0xff, said->bytes); /* a copy has nothing of the original */
	g_free(said);
	text = rda_said_fill(cases[_i].words, copy);
	ck_assert_str_eq(text, cases[_i].text);
	g_free(copy);
	g_free(text);
}
END_TEST

/* The argument of that name, or NULL. */
static const struct rda_argument *find(const struct rda_said *said, const char *name)
{
	for (unsigned i = 0; i < said->count; i++)
		if (strcmp(said->arguments[i].name, name) == 0)
			return &said->arguments[i];
	return NULL;
}

START_TEST(one_damaged_packet_is_no_several)
{
	struct rda_said *said = rda_said_new(
		RDA_SAY_F01_NO_SENDER,
		(const struct rda_argument[]){RDA_ARG_NUMBER("damaged", 1), RDA_ARG_END});
	char *text = rda_said_sentence(said);

	ck_assert_str_eq(text, "1 packet was damaged before this capture point, and so never "
			       "accepted by its receiver: nothing undamaged was captured of the "
			       "sender that it names.");
	g_free(text);
	g_free(said);
}
END_TEST

START_TEST(sentences_share_arguments)
{
	struct rda_said *one = some(), *two, *more;
	char *text;

	two = rda_said_more(one, RDA_SAY_F15_FRAGMENT,
			    (const struct rda_argument[]){RDA_ARG_WORD("packet", "SEND"),
							  RDA_ARG_NUMBER("fragments", 1),
							  RDA_ARG_END});
	more = rda_said_more(two, RDA_SAY_F17_QP0, (const struct rda_argument[]){RDA_ARG_END});
	g_free(one);
	g_free(two);
	ck_assert_mem_eq(rda_said_address(more, find(more, "host")), &host, sizeof(host));
	ck_assert_str_eq(rda_said_text(more, find(more, "name")), "a name");
	ck_assert_mem_eq(rda_said_bytes(more, find(more, "data")), "a ", 2);
	text = rda_said_sentence(more);
	ck_assert_str_eq(
		text, "RC SEND Only (PSN 1) has no payload. A RoCEv2 packet (SEND) is the first "
		      "fragment of an IP datagram: RDMA NICs do not reassemble, and where one is "
		      "to receive it, it does not arrive; only software takes it. RC SEND Only to "
		      "QP 0: RoCE has no subnet management.");
	g_free(text);
	for (unsigned i = more->saying_count; i <= RDA_SAID_SENTENCES; i++) {
		one = more;
		more = rda_said_more(one, RDA_SAY_F17_QP0,
				     (const struct rda_argument[]){RDA_ARG_END});
		g_free(one);
	}
	ck_assert_uint_eq(more->saying_count, RDA_SAID_SENTENCES); /* no room for more */
	g_free(more);
}
END_TEST

START_TEST(arguments_are_found_by_name)
{
	struct rda_said *said = some();

	ck_assert_uint_eq(find(said, "packets")->number, 1234567);
	ck_assert_str_eq(rda_said_text(said, find(said, "name")), "a name");
	ck_assert_str_eq(rda_said_text(said, find(said, "opcode")), "RC SEND Only");
	ck_assert_mem_eq(rda_said_address(said, find(said, "host")), &host, sizeof(host));
	ck_assert_ptr_null(find(said, "if"));
	ck_assert_ptr_null(find(said, "pack"));
	ck_assert_ptr_null(rda_said_copy(NULL));
	g_free(said);
}
END_TEST

/* Without arguments nothing but names is left in braces: the templates are closed, and names are
 * names. */
START_TEST(all_templates_are_well_formed)
{
	static const struct rda_argument nothing = {.type = RDA_ARGUMENT_END};

	for (int i = 0; i < RDA_SAYING_COUNT; i++) {
		struct rda_said *said = rda_said_new((enum rda_saying)i, &nothing);
		char *text = rda_said_sentence(said);
		int depth = 0;

		for (const char *at = text; *at; at++) {
			depth += *at == '{';
			RDA_CHECK(!strchr("[]<>|", *at) && depth <= 1 &&
					  (depth == 0 || strchr("{}_", *at) ||
					   g_ascii_islower(*at) || g_ascii_isdigit(*at)),
				  "%s", text);
			depth -= *at == '}';
			RDA_CHECK(depth >= 0, "%s", text);
		}
		RDA_CHECK(depth == 0, "%s", text);
		g_free(text);
		g_free(said);
	}
}
END_TEST

Suite *rda_suite_saying(void)
{
	Suite *suite = suite_create("saying");
	TCase *tcase = tcase_create("saying");

	tcase_add_loop_test(tcase, templates_are_filled, 0, RDA_COUNT(cases));
	tcase_add_test(tcase, sentences_share_arguments);
	tcase_add_test(tcase, one_damaged_packet_is_no_several);
	tcase_add_test(tcase, arguments_are_found_by_name);
	tcase_add_test(tcase, all_templates_are_well_formed);
	suite_add_tcase(suite, tcase);
	return suite;
}
