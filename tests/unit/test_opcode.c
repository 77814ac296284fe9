/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The 256 rows of the opcode table against the specification's, as opcode_oracle.c has it.
 */
#include "tests/unit/opcode_oracle.h"
#include "tests/unit/suite.h"

#include <string.h>

static enum rda_payload_rule payload_of(char letter)
{
	switch (letter) {
	case 'Y': return RDA_PAYLOAD_FULL;
	case '1': return RDA_PAYLOAD_SOME;
	case '*': return RDA_PAYLOAD_ANY;
	case '8': return RDA_PAYLOAD_EIGHT;
	default: return RDA_PAYLOAD_NONE;
	}
}

#define SOURCES "dissectors/opcodes.def, against tests/unit/opcode_oracle.c"

static bool has(const struct rda_opcode *row, unsigned role)
{
	return (row->roles & role) != 0;
}

START_TEST(known_opcodes_are_those_of_the_specification)
{
	for (unsigned opcode = 0; opcode < 256; opcode++) {
		const struct rda_opcode *row = rda_opcode((uint8_t)opcode);
		const struct rda_oracle_row *want = rda_oracle_row(opcode);
		enum rda_opcode_kind kind = want	     ? RDA_OPCODE_KNOWN
					    : opcode >= 0xc0 ? RDA_OPCODE_VENDOR
							     : RDA_OPCODE_RESERVED;

		ck_assert_msg(
			row->kind == kind,
			want ? "opcode 0x%02x has no row in dissectors/opcodes.def, and one in "
			       "tests/unit/opcode_oracle.c"
			     : "opcode 0x%02x has a row in dissectors/opcodes.def: type it into "
			       "rda_oracle_rows of tests/unit/opcode_oracle.c, by the "
			       "specification",
			opcode);
		if (want) {
			ck_assert_str_eq(row->name, want->name);
			continue;
		}
		/* nothing is claimed of the others */
		ck_assert(row->name != NULL && row->headers == 0 && row->extension == 0);
		ck_assert(row->roles == 0 && row->transport == RDA_TRANSPORT_NONE);
	}
}
END_TEST

/* Multipath reliable connections are named, and nothing is claimed of them. */
START_TEST(what_is_named_and_not_decoded)
{
	for (unsigned opcode = 0xc0; opcode < 256; opcode++)
		ck_assert_msg(strncmp(rda_opcode((uint8_t)opcode)->name,
				      opcode >= 0xc6 && opcode <= 0xde ? "MRC" : "vendor", 3) == 0,
			      "opcode 0x%02x is %s", opcode, rda_opcode((uint8_t)opcode)->name);
}
END_TEST

START_TEST(headers_are_those_of_the_specification)
{
	for (unsigned i = 0; i < rda_oracle_row_count; i++) {
		const struct rda_oracle_row *want = &rda_oracle_rows[i];
		const struct rda_opcode *row = rda_opcode(want->opcode);
		uint64_t headers = 0;
		uint8_t last = RDA_BTH;

		for (const char *letter = want->headers; *letter; letter++) {
			uint8_t id = rda_oracle_header(*letter)->id;

			headers |= UINT64_C(1) << id;
			/* the parser relies on it: ids ascend in the order of the wire */
			ck_assert_msg(id > last,
				      "opcode 0x%02x: %s comes before %s in RDA_EXTENDED_HEADERS "
				      "(dissectors/headers.def), and behind it in opcode_oracle.c",
				      want->opcode, rda_headers[id].id, rda_headers[last].id);
			last = id;
		}
		RDA_CHECK_SAME(row->headers, headers, "opcode 0x%02x: " SOURCES, want->opcode);
		RDA_CHECK_SAME(row->extension, rda_oracle_extension(want),
			       "opcode 0x%02x: the sum of WITH() in its row of " SOURCES,
			       want->opcode);
	}
}
END_TEST

START_TEST(roles_and_payload_are_those_of_the_specification)
{
	for (unsigned i = 0; i < rda_oracle_row_count; i++) {
		const struct rda_oracle_row *want = &rda_oracle_rows[i];
		const struct rda_opcode *row = rda_opcode(want->opcode);
		const char *traits = want->traits;
		unsigned opcode = want->opcode;

#define HAS(role, wanted)                                                                          \
	RDA_CHECK_SAME(has(row, RDA_ROLE_##role), wanted, "opcode 0x%02x: " SOURCES, opcode)
		RDA_CHECK_SAME(row->payload, payload_of(want->payload), "opcode 0x%02x: " SOURCES,
			       opcode);
		HAS(REQUEST, !!strchr(traits, 'Q'));
		HAS(RESPONSE, !!strchr(traits, 'P'));
		HAS(FIRST, !!strchr(traits, 'S'));
		HAS(MIDDLE, !!strchr(traits, 'M'));
		HAS(LAST, !!strchr(traits, 'E'));
		HAS(USES_RECEIVE, !!strchr(traits, 'R'));
		HAS(CNP, opcode == 0x80 || opcode == 0x81);
#undef HAS
	}
}
END_TEST

/* What the message is, by the words of its name. */
START_TEST(roles_say_what_the_name_says)
{
	static const struct {
		const char *word;
		unsigned role;
	} kinds[] = {
		{"SEND ", RDA_ROLE_SEND},
		{"RDMA WRITE ", RDA_ROLE_WRITE},
		{"RDMA READ ", RDA_ROLE_READ},
		{"ATOMIC Acknowledge", RDA_ROLE_ATOMIC},
		{"CmpSwap", RDA_ROLE_ATOMIC},
		{"FetchAdd", RDA_ROLE_ATOMIC},
		{"FLUSH", RDA_ROLE_FLUSH},
		{"ATOMIC WRITE", RDA_ROLE_ATOMIC_WRITE},
		{"RC Acknowledge", RDA_ROLE_ACK},
		{"RD Acknowledge", RDA_ROLE_ACK},
		{"CNP", RDA_ROLE_CNP},
	};
	const unsigned all = RDA_ROLE_SEND | RDA_ROLE_WRITE | RDA_ROLE_READ | RDA_ROLE_ATOMIC |
			     RDA_ROLE_FLUSH | RDA_ROLE_ATOMIC_WRITE | RDA_ROLE_ACK | RDA_ROLE_CNP;

	for (unsigned i = 0; i < rda_oracle_row_count; i++) {
		const struct rda_opcode *row = rda_opcode(rda_oracle_rows[i].opcode);
		unsigned want = 0;

		for (unsigned k = 0; k < RDA_COUNT(kinds); k++)
			if (strstr(row->name, kinds[k].word))
				want |= kinds[k].role;
		RDA_CHECK_SAME(row->roles & all, want,
			       "%s: its roles in dissectors/opcodes.def, against kinds[] here",
			       row->name);
	}
}
END_TEST

START_TEST(transports_are_the_high_bits)
{
	static const int8_t transports[8] = {
		RDA_TRANSPORT_RC,   RDA_TRANSPORT_UC,  RDA_TRANSPORT_RD,   RDA_TRANSPORT_UD,
		RDA_TRANSPORT_NONE, RDA_TRANSPORT_XRC, RDA_TRANSPORT_NONE, RDA_TRANSPORT_NONE};

	for (unsigned i = 0; i < rda_oracle_row_count; i++) {
		uint8_t opcode = rda_oracle_rows[i].opcode;

		ck_assert_int_eq(rda_opcode(opcode)->transport, transports[opcode >> 5]);
	}
	ck_assert_uint_eq(RDA_OPCODE(RC, WRITE_ONLY), 0x0a);
	ck_assert_uint_eq(RDA_OPCODE(UD, SEND_ONLY), 0x64);
	ck_assert_uint_eq(RDA_OPCODE(XRC, ATOMIC_WRITE), 0xbd);
}
END_TEST

START_TEST(roles_alone_are_those_of_the_rows)
{
	for (unsigned value = 0; value < 256; value++)
		ck_assert_uint_eq(rda_opcode_roles[value], rda_opcode((uint8_t)value)->roles);
}
END_TEST

Suite *rda_suite_opcode(void)
{
	Suite *suite = suite_create("opcode");
	TCase *tcase = tcase_create("table");

	tcase_add_test(tcase, known_opcodes_are_those_of_the_specification);
	tcase_add_test(tcase, what_is_named_and_not_decoded);
	tcase_add_test(tcase, headers_are_those_of_the_specification);
	tcase_add_test(tcase, roles_and_payload_are_those_of_the_specification);
	tcase_add_test(tcase, roles_say_what_the_name_says);
	tcase_add_test(tcase, transports_are_the_high_bits);
	tcase_add_test(tcase, roles_alone_are_those_of_the_rows);
	suite_add_tcase(suite, tcase);
	return suite;
}
