/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each kind of packed data is known by its first bytes, and gives what was packed, in steps of any
 * size; what is wrong with it is told.
 */
#include "analyzer/rdma-analyze/unpackers.h"

#include <string.h>

#include "tests/unit/packed.h"
#include "tests/unit/suite.h"

enum { BYTES = 300000 };

static void make(uint8_t *bytes)
{
	for (uint32_t i = 0; i < BYTES; i++)
		bytes[i] = (uint8_t)(i % 7000 < 6000 ? i / 100 : i * 2654435761U >> 24);
}

/* Of each member to its end, `in` bytes at most and `out` at most a step. */
static enum rda_unpack_result unpack(const struct rda_unpacker *unpacker, const GByteArray *packed,
				     size_t in, size_t out, GByteArray *all, const char **damage)
{
	void *state = unpacker->open();
	uint8_t *room = g_malloc(out);
	enum rda_unpack_result result = RDA_UNPACK_GOES_ON;
	size_t at = 0;
	bool moved = true;

	ck_assert_ptr_nonnull(state);
	while (result < RDA_UNPACK_DAMAGED && (at < packed->len || moved)) {
		struct rda_unpack_step step = {packed->data + at, MIN(in, packed->len - at), room,
					       out, NULL};
		const size_t given = step.in_size;

		if (result == RDA_UNPACK_MEMBER_ENDS) {
			if (at == packed->len)
				break;
			RDA_CHECK(unpacker->again(state), "at %zu", at);
		}
		result = unpacker->step(state, &step);
		moved = step.in_size < given || step.out_size < out;
		at += given - step.in_size;
		g_byte_array_append(all, room, (guint)(out - step.out_size));
		if (damage)
			*damage = step.damage ? g_intern_string(step.damage) : NULL;
	}
	unpacker->close(state);
	g_free(room);
	return result;
}

/* loop over the kinds: two members, of which none is empty */
START_TEST(any_steps)
{
	static const size_t sizes[] = {1, 2, 3, 100, 4096, BYTES};
	GByteArray *packed = g_byte_array_new(), *all = g_byte_array_new();
	uint8_t *bytes = g_malloc(BYTES);
	const struct rda_unpacker *unpacker;

	make(bytes);
	rda_pack(packed, (enum rda_packer)_i, bytes, 12345);
	rda_pack(packed, (enum rda_packer)_i, bytes + 12345, BYTES - 12345);
	unpacker = rda_unpacker_of(packed->data, RDA_UNPACKERS_MAGIC);
	ck_assert_ptr_nonnull(unpacker);
	ck_assert_str_eq(unpacker->name, rda_packer_names[_i]);
	for (unsigned in = 0; in < RDA_COUNT(sizes); in++)
		for (unsigned out = 0; out < RDA_COUNT(sizes); out++) {
			g_byte_array_set_size(all, 0);
			RDA_CHECK(unpack(unpacker, packed, sizes[in], sizes[out], all, NULL) ==
					  RDA_UNPACK_MEMBER_ENDS,
				  "%zu in, %zu out", sizes[in], sizes[out]);
			RDA_CHECK_SAME(all->len, BYTES, "%zu in, %zu out", sizes[in], sizes[out]);
			RDA_CHECK(memcmp(all->data, bytes, BYTES) == 0, "%zu in, %zu out",
				  sizes[in], sizes[out]);
		}
	g_byte_array_free(packed, TRUE);
	g_byte_array_free(all, TRUE);
	g_free(bytes);
}
END_TEST

/* loop over the kinds: a sum at the end, and a cut, which is nobody's damage */
START_TEST(damaged)
{
	GByteArray *packed = g_byte_array_new(), *all = g_byte_array_new();
	uint8_t *bytes = g_malloc(BYTES);
	const struct rda_unpacker *unpacker;
	const char *damage;

	make(bytes);
	rda_pack(packed, (enum rda_packer)_i, bytes, BYTES);
	unpacker = rda_unpacker_of(packed->data, RDA_UNPACKERS_MAGIC);
	packed->data[packed->len - (_i == RDA_GZIP ? 7 : 1)] ^= 1;
	ck_assert_int_eq(unpack(unpacker, packed, BYTES, BYTES, all, &damage), RDA_UNPACK_DAMAGED);
	ck_assert_uint_eq(all->len, BYTES);
	ck_assert_ptr_nonnull(damage);
	g_byte_array_set_size(packed, packed->len - 9);
	g_byte_array_set_size(all, 0);
	ck_assert_int_eq(unpack(unpacker, packed, BYTES, BYTES, all, &damage), RDA_UNPACK_GOES_ON);
	ck_assert_uint_le(all->len, BYTES);
	g_byte_array_free(packed, TRUE);
	g_byte_array_free(all, TRUE);
	g_free(bytes);
}
END_TEST

/* pzstd writes a frame to be skipped before each other one */
START_TEST(skipped_frames)
{
	static const uint8_t skipped[] = {0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4};
	GByteArray *packed = g_byte_array_new(), *all = g_byte_array_new();
	const struct rda_unpacker *unpacker;

	for (unsigned i = 0; i < 3; i++) {
		g_byte_array_append(packed, skipped, sizeof(skipped));
		rda_pack(packed, RDA_ZSTD, "abc", 3);
	}
	unpacker = rda_unpacker_of(packed->data, RDA_UNPACKERS_MAGIC);
	ck_assert_ptr_nonnull(unpacker);
	ck_assert_int_eq(unpack(unpacker, packed, 5, 2, all, NULL), RDA_UNPACK_MEMBER_ENDS);
	ck_assert_mem_eq(all->data, "abcabcabc", 9);
	g_byte_array_free(packed, TRUE);
	g_byte_array_free(all, TRUE);
}
END_TEST

/* a frame that says it needs 2 GiB to be unpacked */
START_TEST(too_large)
{
	/* no checksum, no size; the window: 2^(10 + 21) */
	static const uint8_t frame[] = {0x28, 0xb5, 0x2f, 0xfd, 0x00, 21 << 3, 1, 0, 0};
	GByteArray *packed = g_byte_array_new(), *all = g_byte_array_new();

	g_byte_array_append(packed, frame, sizeof(frame));
	ck_assert_int_eq(unpack(rda_unpacker_of(frame, sizeof(frame)), packed, 9, 9, all, NULL),
			 RDA_UNPACK_TOO_LARGE);
	g_byte_array_free(packed, TRUE);
	g_byte_array_free(all, TRUE);
}
END_TEST

START_TEST(of_none)
{
	static const uint8_t pcap[] = {0xd4, 0xc3, 0xb2, 0xa1};
	static const uint8_t zstd[] = {0x28, 0xb5, 0x2f};

	ck_assert_ptr_null(rda_unpacker_of(pcap, sizeof(pcap)));
	ck_assert_ptr_null(rda_unpacker_of(zstd, sizeof(zstd)));
	ck_assert_ptr_null(rda_unpacker_of(zstd, 0));
}
END_TEST

Suite *rda_suite_unpackers(void)
{
	Suite *suite = suite_create("unpackers");
	TCase *tcase = tcase_create("unpackers");

	tcase_add_loop_test(tcase, any_steps, 0, RDA_PACKERS);
	tcase_add_loop_test(tcase, damaged, 0, RDA_PACKERS);
	tcase_add_test(tcase, skipped_frames);
	tcase_add_test(tcase, too_large);
	tcase_add_test(tcase, of_none);
	suite_add_tcase(suite, tcase);
	return suite;
}
