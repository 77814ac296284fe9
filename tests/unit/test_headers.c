/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of headers against itself: fields lie within their header, in its order, and do not
 * overlap; names are there and unique; the readers take what the table says. Where the fields of
 * each header belong is checked where the header is dissected (test_bth.c, test_mad.c, ...).
 */
#include "dissectors/headers.h"
#include "dissectors/values.h"
#include "tests/unit/cm_oracle.h"
#include "tests/unit/header_oracle.h"
#include "tests/unit/suite.h"

#include <ctype.h>
#include <string.h>

/* What runs to the end of the layer begins behind the fixed part. */
static bool is_open_ended(const struct rda_field *field)
{
	return field->width == 0;
}

static const struct rda_field *last_field(enum rda_header_id id)
{
	return &rda_headers[id].fields[rda_headers[id].field_count - 1];
}

#define SOURCES ": dissectors/headers.def, against tests/unit/header_oracle.h or cm_oracle.h"

/* The field of the table; that of a number begins and ends in the given bits. */
static void check_field(enum rda_header_id id, const char *member, unsigned bit, unsigned width,
			bool number)
{
	const struct rda_header *header = &rda_headers[id];

	for (unsigned i = 0; i < header->field_count; i++) {
		const struct rda_field *field = &header->fields[i];

		if (strcmp(field->member, member) != 0)
			continue;
		RDA_CHECK_SAME(field->bit, bit, "%s.%s" SOURCES, header->id, member);
		RDA_CHECK_SAME(field->width, width, "%s.%s" SOURCES, header->id, member);
		RDA_CHECK_SAME(rda_field_is_number(field), number, "%s.%s" SOURCES, header->id,
			       member);
		return;
	}
	ck_abort_msg("%s has no %s" SOURCES, header->id, member);
}

/*
 * All fields of a header are in the oracle, and all of the oracle in the header. RDA_ORACLE_...
 * that is not declared: a header of headers.def that has yet to be typed into header_oracle.h.
 */
START_TEST(every_field_is_where_header_oracle_h_has_it)
{
#define F(member, byte, skip, width)                                                               \
	check_field(id, #member, (byte)*8 + (skip), width, true);                                  \
	fields++;
#define G(member, byte, bytes)                                                                     \
	check_field(id, #member, (byte)*8, (bytes)*8, false);                                      \
	fields++;
#define RDA_H(ID, id_, length, name, source)                                                       \
	{                                                                                          \
		const enum rda_header_id id = RDA_##ID;                                            \
		unsigned fields = 0;                                                               \
                                                                                                   \
		RDA_ORACLE_##ID(F, G) /* missing? type it into header_oracle.h */                  \
			fields += is_open_ended(last_field(id));                                   \
		RDA_CHECK_SAME(rda_headers[id].field_count, fields, "%s" SOURCES, #id_);           \
		RDA_CHECK_SAME(rda_headers[id].bytes, RDA_ORACLE_##ID##_BYTES, "%s" SOURCES,       \
			       #id_);                                                              \
	}
	RDA_HEADERS(RDA_H)
#undef RDA_H
#undef F
#undef G
}
END_TEST

START_TEST(every_field_lies_within_its_header)
{
	for (unsigned h = 0; h < RDA_HEADER_COUNT; h++) {
		const struct rda_header *header = &rda_headers[h];

		ck_assert_uint_gt(header->field_count, 0);
		for (unsigned i = 0; i < header->field_count; i++) {
			const struct rda_field *field = &header->fields[i];

			if (is_open_ended(field))
				ck_assert_msg(field->bit == header->bytes * 8 &&
						      i == header->field_count - 1u,
					      "%s.%s", header->id, field->member);
			else
				ck_assert_msg(field->bit + field->width <= header->bytes * 8,
					      "%s.%s", header->id, field->member);
		}
	}
}
END_TEST

START_TEST(fields_are_in_order_and_do_not_overlap)
{
	for (unsigned h = 0; h < RDA_HEADER_COUNT; h++) {
		const struct rda_header *header = &rda_headers[h];

		for (unsigned i = 1; i < header->field_count; i++) {
			const struct rda_field *last = &header->fields[i - 1];
			const struct rda_field *field = &header->fields[i];

			ck_assert_msg(last->bit + last->width <= field->bit, "%s.%s", header->id,
				      field->member);
		}
	}
}
END_TEST

/* What rda_bits can read: at most 64 bits, in at most eight bytes. */
START_TEST(numbers_fit_into_64_bits)
{
	for (unsigned h = 0; h < RDA_HEADER_COUNT; h++) {
		for (unsigned i = 0; i < rda_headers[h].field_count; i++) {
			const struct rda_field *field = &rda_headers[h].fields[i];

			if (rda_field_is_number(field))
				ck_assert_msg(field->width >= 1 &&
						      field->bit % 8 + field->width <= 64,
					      "%s.%s", rda_headers[h].id, field->member);
			if (field->show == RDA_SHOW_FLAG)
				ck_assert_msg(field->width == 1, "%s.%s", rda_headers[h].id,
					      field->member);
		}
	}
}
END_TEST

START_TEST(addresses_have_their_lengths)
{
	for (unsigned h = 0; h < RDA_HEADER_COUNT; h++) {
		for (unsigned i = 0; i < rda_headers[h].field_count; i++) {
			const struct rda_field *field = &rda_headers[h].fields[i];
			const char *member = field->member;

			if (field->show == RDA_SHOW_MAC)
				ck_assert_msg(field->width == 48, "%s", member);
			if (field->show == RDA_SHOW_IP4)
				ck_assert_msg(field->width == 32, "%s", member);
			if (field->show == RDA_SHOW_IP6)
				ck_assert_msg(field->width == 128, "%s", member);
			ck_assert_msg(field->values < RDA_SET_COUNT, "%s", member);
			ck_assert_msg(rda_field_is_number(field) || field->values == RDA_SET_NONE,
				      "%s", member);
		}
	}
}
END_TEST

/* Members become members of the output: lower case, digits and _, unique in their header. */
START_TEST(names_are_there_and_unique)
{
	for (unsigned h = 0; h < RDA_HEADER_COUNT; h++) {
		const struct rda_header *header = &rda_headers[h];

		ck_assert(header->name[0] && header->source[0]);
		for (unsigned other = 0; other < h; other++)
			ck_assert_str_ne(header->id, rda_headers[other].id);
		for (unsigned i = 0; i < header->field_count; i++) {
			ck_assert(header->fields[i].name[0]);
			for (const char *p = header->fields[i].member; *p; p++)
				ck_assert_msg(islower((unsigned char)*p) ||
						      isdigit((unsigned char)*p) || *p == '_',
					      "%s.%s", header->id, header->fields[i].member);
			for (unsigned j = 0; j < i; j++)
				ck_assert_str_ne(header->fields[i].member,
						 header->fields[j].member);
		}
	}
}
END_TEST

/* presence masks have 64 bits */
START_TEST(ids_fit_into_a_mask)
{
	ck_assert_int_le(RDA_HEADER_COUNT, 64);
	ck_assert_str_eq(rda_headers[RDA_BTH].id, "bth");
	ck_assert_uint_eq(rda_headers[RDA_BTH].bytes, RDA_BTH_BYTES);
	ck_assert_uint_eq(RDA_HAS(ETH) & RDA_HAS(IP_CM), 0);
}
END_TEST

START_TEST(readers_take_their_header_whole)
{
	static const uint8_t bytes[256];

#define RDA_CHECK_READER(ID, id, length, name, source)                                             \
	{                                                                                          \
		struct rda_cursor c = {bytes, 0, (length), sizeof(bytes)};                         \
		struct rda_##id header;                                                            \
                                                                                                   \
		ck_assert_msg(rda_read_##id(&c, &header) && c.offset == (length), #id);            \
		c = (struct rda_cursor){bytes, 0, (length)-1, sizeof(bytes)};                      \
		ck_assert_msg(!rda_read_##id(&c, &header) && c.offset == 0, #id);                  \
	}
	RDA_HEADERS(RDA_CHECK_READER)
#undef RDA_CHECK_READER
}
END_TEST

Suite *rda_suite_headers(void)
{
	Suite *suite = suite_create("headers");
	TCase *tcase = tcase_create("table");

	tcase_add_test(tcase, every_field_is_where_header_oracle_h_has_it);
	tcase_add_test(tcase, every_field_lies_within_its_header);
	tcase_add_test(tcase, fields_are_in_order_and_do_not_overlap);
	tcase_add_test(tcase, numbers_fit_into_64_bits);
	tcase_add_test(tcase, addresses_have_their_lengths);
	tcase_add_test(tcase, names_are_there_and_unique);
	tcase_add_test(tcase, ids_fit_into_a_mask);
	tcase_add_test(tcase, readers_take_their_header_whole);
	suite_add_tcase(suite, tcase);
	return suite;
}
