/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every field of every layer, in a packet that is cut at every length: known as far as its bytes
 * go.
 */
#include "analyzer/report/headers_walk.h"
#include "tests/unit/build.h"
#include "tests/unit/suite.h"

static void build_write(struct rda_built *built)
{
	static const uint8_t reth[RDA_RETH_BYTES] = {[15] = 8};
	const struct rda_recipe recipe = {.route = RDA_ROUTE_IP4,
					  .opcode = RDA_OPCODE(RC, WRITE_ONLY),
					  .extended = reth,
					  .extended_length = sizeof(reth),
					  .payload_length = 8};

	rda_build_packet(built, &recipe);
}

START_TEST(fields_are_known_as_far_as_the_capture_goes)
{
	struct rda_built built;
	uint32_t known = 0;

	build_write(&built);
	for (uint32_t captured = 0; captured <= built.b.length; captured++) {
		struct rda_frame frame =
			rda_exact_frame(built.b.bytes, captured, built.b.length, built.link);
		struct rda_packet packet;

		rda_dissect(&packet, &frame, NULL);
		for (unsigned i = 0; i < packet.layer_count; i++) {
			const struct rda_layer *layer = &packet.layers[i];
			const struct rda_header *header = &rda_headers[layer->header];

			for (unsigned j = 0; j < header->field_count; j++) {
				struct rda_field_value value;

				rda_read_field_value(&value, &frame, layer, &header->fields[j]);
				RDA_CHECK(value.known, "%s.%s of %u", header->id,
					  value.field->member, captured);
				known++;
			}
		}
		rda_frame_free(&frame);
	}
	ck_assert_uint_gt(known, 1000);
}
END_TEST

/* Layers that are noted although they were cut: the fields behind the cut are not known. */
START_TEST(fields_behind_the_cut_are_not_known)
{
	uint8_t bytes[12] = {0x0a, 0, 0xff, 0xff, 0, 0, 0, 0x11, 0x80, 0x00, 0x00, 0x2a};

	for (uint32_t captured = 0; captured <= sizeof(bytes); captured++) {
		struct rda_frame frame = rda_exact_frame(bytes, captured, sizeof(bytes), 1);
		const struct rda_layer layer = {RDA_BTH, RDA_BTH_BYTES, 0};
		struct rda_field_value opcode, psn;

		rda_read_field_value(&opcode, &frame, &layer, rda_find_field(RDA_BTH, "opcode"));
		rda_read_field_value(&psn, &frame, &layer, rda_find_field(RDA_BTH, "psn"));
		ck_assert_int_eq(opcode.known, captured >= 1);
		ck_assert_int_eq(psn.known, captured >= 12);
		if (opcode.known)
			ck_assert_str_eq(opcode.words, "RC RDMA WRITE Only");
		if (psn.known)
			ck_assert_uint_eq(psn.number, 0x2a);
		rda_frame_free(&frame);
	}
}
END_TEST

static const char *text_of(GString *text, uint8_t syndrome)
{
	const uint8_t bytes[4] = {syndrome, 0, 0, 5};
	const struct rda_frame frame = {bytes, sizeof(bytes), sizeof(bytes), 1};
	struct rda_packet packet = {.layer_count = 1, .layers = {{RDA_AETH, RDA_AETH_BYTES, 0}}};
	struct rda_output out;

	rda_output_init(&out, -1, false);
	rda_print_headers(&out, &frame, &packet);
	g_string_assign(text, out.text->str);
	rda_output_cleanup(&out);
	return text->str;
}

START_TEST(syndromes_are_told_in_words)
{
	static const struct {
		uint8_t syndrome;
		const char *words;
	} rows[] = {
		{0x1f, "Syndrome: 0x1f (ACK)\n"},
		{0x08, "Syndrome: 0x08 (ACK, 16 credits)\n"},
		{0x20, "Syndrome: 0x20 (RNR NAK: wait 655.36 ms)\n"},
		{0x21, "Syndrome: 0x21 (RNR NAK: wait 0.01 ms)\n"},
		{0x60, "Syndrome: 0x60 (PSN sequence error)\n"},
		{0x5f, "Syndrome: 0x5f (reserved)\n"},
		{0x7f, "Syndrome: 0x7f (reserved)\n"},
	};
	GString *text = g_string_new(NULL);

	for (unsigned i = 0; i < RDA_COUNT(rows); i++)
		ck_assert_msg(strstr(text_of(text, rows[i].syndrome), rows[i].words), "%s",
			      text->str);
	g_string_free(text, TRUE);
}
END_TEST

START_TEST(a_record_has_every_header)
{
	struct rda_record record;
	struct rda_packet packet;
	struct rda_built built;
	GString *text = g_string_new(NULL);
	struct rda_frame frame;

	build_write(&built);
	frame = (struct rda_frame){built.b.bytes, built.b.length, built.b.length, built.link};
	rda_dissect(&packet, &frame, NULL);
	rda_record_init(&record, text);
	rda_describe_headers(&record, &frame, &packet);
	rda_record_end(&record);
	for (unsigned i = 0; i < packet.layer_count; i++) {
		char *want = g_strdup_printf("{\"header\":\"%s\",\"offset\":%u,\"length\":%u,",
					     rda_headers[packet.layers[i].header].id,
					     packet.layers[i].offset, packet.layers[i].length);

		ck_assert_msg(strstr(text->str, want), "%s: %s", want, text->str);
		g_free(want);
	}
	ck_assert_uint_ge(packet.layer_count, 5);
	ck_assert_ptr_nonnull(strstr(text->str, "\"df\":"));
	g_string_free(text, TRUE);
}
END_TEST

Suite *rda_suite_headers_walk(void)
{
	Suite *suite = suite_create("headers_walk");
	TCase *tc = tcase_create("headers_walk");

	tcase_add_test(tc, fields_are_known_as_far_as_the_capture_goes);
	tcase_add_test(tc, fields_behind_the_cut_are_not_known);
	tcase_add_test(tc, syndromes_are_told_in_words);
	tcase_add_test(tc, a_record_has_every_header);
	suite_add_tcase(suite, tc);
	return suite;
}
