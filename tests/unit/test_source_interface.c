/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One interface of a pcapng: its frames with their numbers, and the damage behind them.
 */
#include "analyzer/rdma-analyze/source_interface.h"

#include "tests/unit/capture_file.h"
#include "tests/unit/suite.h"

enum { ETHERNET = 1, INTERFACES = 3, PACKETS = 12 };

/* Packets of interface 0, 1, 2, 0, ... a microsecond apart. */
static const char *make(struct rda_file *file, bool cut)
{
	rda_file_begin(file, false);
	rda_pcapng_section(file);
	for (unsigned i = 0; i < INTERFACES; i++)
		rda_pcapng_interface(file, ETHERNET, 65535, 0);
	for (unsigned i = 0; i < PACKETS; i++)
		rda_pcapng_packet(file, i % INTERFACES, i, 60, 60);
	return cut ? rda_file_write_cut(file, file->bytes->len - 10) : rda_file_write(file);
}

static struct rda_source *open_one(const char *path, uint32_t interface)
{
	int64_t offset;
	char *error = NULL;
	struct rda_source *source = rda_source_open(path, RDA_READER_PCAP, &error, &offset);

	ck_assert_msg(source != NULL, "%s", error);
	return rda_source_interface(source, interface);
}

START_TEST(its_frames_only)
{
	struct rda_file file;
	const char *path = make(&file, false);

	for (uint32_t interface = 0; interface <= INTERFACES; interface++) {
		struct rda_source *source = open_one(path, interface);
		struct rda_frame frame;
		struct rda_meta meta;

		ck_assert_str_eq(source->file, path);
		for (uint32_t i = interface; interface < INTERFACES && i < PACKETS;
		     i += INTERFACES) {
			ck_assert_int_eq(source->next(source, &meta, &frame), RDA_SOURCE_FRAME);
			ck_assert_uint_eq(meta.number, i + 1);
			ck_assert_uint_eq(meta.tap, interface);
		}
		ck_assert_int_eq(source->next(source, &meta, &frame), RDA_SOURCE_END);
		ck_assert_uint_eq(source->frames,
				  interface < INTERFACES ? PACKETS / INTERFACES : 0);
		source->close(source);
	}
	rda_file_end(&file);
}
END_TEST

START_TEST(damage_is_told)
{
	struct rda_file file;
	struct rda_source *source = open_one(make(&file, true), 0);
	struct rda_frame frame;
	struct rda_meta meta;

	for (unsigned i = 0; i < PACKETS / INTERFACES; i++)
		ck_assert_int_eq(source->next(source, &meta, &frame), RDA_SOURCE_FRAME);
	ck_assert_int_eq(source->next(source, &meta, &frame), RDA_SOURCE_DAMAGED);
	ck_assert_ptr_nonnull(source->error);
	source->close(source);
	rda_file_end(&file);
}
END_TEST

Suite *rda_suite_source_interface(void)
{
	Suite *suite = suite_create("source_interface");
	TCase *tcase = tcase_create("source_interface");

	tcase_add_test(tcase, its_frames_only);
	tcase_add_test(tcase, damage_is_told);
	suite_add_tcase(suite, tcase);
	return suite;
}
