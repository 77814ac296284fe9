/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which headers FPDUs and start frames have, and where.
 */
#include "analyzer/engine/fpdu_layers.h"

#include "tests/unit/build.h"
#include "tests/unit/suite.h"

#include <glib.h>

/* The layers that a ULPDU has. */
static const struct row {
	const char *ulpdu;
	uint32_t payload;
	struct rda_layer layers[RDA_FPDU_LAYERS_MAX];
} rows[] = {
	{"c140 00001100 0000000000007000", 10, {{RDA_DDP_TAGGED, 14, 2}}},
	{"4143 00000000 00000000 00000001 00000000", 10, {{RDA_DDP_UNTAGGED, 18, 2}}},
	{"4141 00000000 00000001 00000001 00000000 00005100 0000000000009000 00000064 "
	 "00001100 0000000000007000",
	 0,
	 {{RDA_DDP_UNTAGGED, 18, 2}, {RDA_RDMAP_READ, 28, 20}}},
	{"414b 00000000 00000003 00000001 00000000 00000007 0000000000000000",
	 0,
	 {{RDA_DDP_UNTAGGED, 18, 2}, {RDA_RDMAP_ATOMIC_ACK, 12, 20}}},
	{"4147 00000000 00000002 00000001 00000000 1100 c000 004e c140 00001100 0000000000007000",
	 0,
	 {{RDA_DDP_UNTAGGED, 18, 2}, {RDA_RDMAP_TERMINATE, 4, 20}, {RDA_DDP_TAGGED, 14, 26}}},
	{"4147 00000000 00000002 00000001 00000000 2002 0000",
	 0,
	 {{RDA_DDP_UNTAGGED, 18, 2}, {RDA_RDMAP_TERMINATE, 4, 20}}},
	{"c1", 0, {{0}}}, /* too short for any */
};

START_TEST(layers_are_where_the_headers_are)
{
	const struct row *row = &rows[_i];
	struct rda_layer layers[RDA_FPDU_LAYERS_MAX];
	struct rda_fpdu_told told = {0};
	struct rda_build b = {0};
	unsigned count, want = 0;

	rda_put_hex(&b, row->ulpdu);
	rda_put_pattern(&b, row->payload);
	rda_read_ulpdu(&told.fpdu.ulpdu, b.bytes, b.length, (uint16_t)b.length);
	while (want < RDA_FPDU_LAYERS_MAX && row->layers[want].length)
		want++;
	count = rda_fpdu_layers(&told, layers);
	ck_assert_uint_eq(count, want);
	for (unsigned i = 0; i < count; i++) {
		ck_assert_uint_eq(layers[i].header, row->layers[i].header);
		ck_assert_uint_eq(layers[i].length, row->layers[i].length);
		ck_assert_uint_eq(layers[i].offset, row->layers[i].offset);
	}
}
END_TEST

START_TEST(a_start_frame_may_have_depths)
{
	struct rda_layer layers[RDA_FPDU_LAYERS_MAX];
	struct rda_fpdu_told told = {.is_start = true};

	ck_assert_uint_eq(rda_fpdu_layers(&told, layers), 1);
	ck_assert_uint_eq(layers[0].header, RDA_MPA_START);
	told.start.has_depths = true;
	ck_assert_uint_eq(rda_fpdu_layers(&told, layers), 2);
	ck_assert_uint_eq(layers[1].offset, 20);
}
END_TEST

Suite *rda_suite_fpdu_layers(void)
{
	Suite *suite = suite_create("fpdu_layers");
	TCase *tcase = tcase_create("fpdu_layers");

	tcase_add_loop_test(tcase, layers_are_where_the_headers_are, 0, RDA_COUNT(rows));
	tcase_add_test(tcase, a_start_frame_may_have_depths);
	suite_add_tcase(suite, tcase);
	return suite;
}
