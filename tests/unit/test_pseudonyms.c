/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pseudonyms: which values are given, which stay, that none is an original; lines of text and keys
 * in payload. Where secrets stand in a frame: test_rewrite.c.
 */
#include "analyzer/rdma-analyze/pseudonyms.h"

#include "tests/unit/keys_feed.h"
#include "tests/unit/suite.h"

#include <glib.h>
#include <string.h>

static struct rda_engine *engine;
static struct rda_result *nothing;
static struct rda_pseudonyms *pseudonyms;

static void setup(void)
{
	engine = rda_engine_new(NULL);
	nothing = rda_engine_result(engine);
	pseudonyms = rda_pseudonyms_new(nothing, 1);
}

static void teardown(void)
{
	rda_pseudonyms_free(pseudonyms);
	rda_result_free(nothing);
	rda_engine_free(engine);
}

/* "0a000001" -> what is put in its place, as digits; good until the next call but three */
static const char *given(struct rda_pseudonyms *p, enum rda_secret kind, const char *digits)
{
	static char texts[4][33];
	static unsigned next;
	char *text = texts[next++ % 4];
	struct rda_build b = {0};

	rda_put_hex(&b, digits);
	rda_pseudonyms_secret(p, kind, b.bytes, b.length);
	for (unsigned i = 0; i < b.length; i++)
		g_snprintf(text + 2 * i, 3, "%02x", b.bytes[i]);
	return text;
}

/* a kind, an original, what it becomes as the first of its kind: itself where it stays */
static const struct {
	enum rda_secret kind;
	const char *original, *first;
} values[] = {
	{RDA_SECRET_IP4, "0a000007", "c6120001"},
	{RDA_SECRET_IP4, "e1020304", "efff0001"}, /* a group stays one */
	{RDA_SECRET_IP4, "00000000", "00000000"},
	{RDA_SECRET_IP4, "7f000001", "7f000001"},
	{RDA_SECRET_IP4, "ffffffff", "ffffffff"},
	{RDA_SECRET_IP4, "e0000001", "e0000001"}, /* all nodes of a link */
	{RDA_SECRET_IP6, "20010db8000000000000000000000007", "fd000000000000000000000000000001"},
	{RDA_SECRET_IP6, "fe800000000000005054000000000007", "fe800000000000000000000000000001"},
	{RDA_SECRET_IP6, "ff1e0000000000000000000000000207", "ff1e0000000000000000000100000001"},
	{RDA_SECRET_IP6, "00000000000000000000ffff0a000007", "00000000000000000000ffffc6120001"},
	{RDA_SECRET_IP6, "0000000000000000000000000a000007", "000000000000000000000000c6120001"},
	{RDA_SECRET_IP6, "00000000000000000000000000000000", "00000000000000000000000000000000"},
	{RDA_SECRET_IP6, "00000000000000000000000000000001", "00000000000000000000000000000001"},
	{RDA_SECRET_IP6, "ff020000000000000000000000000001", "ff020000000000000000000000000001"},
	{RDA_SECRET_MAC, "b8599fa1b2c3", "02005e000001"},
	{RDA_SECRET_MAC, "01005e010203", "03005e000001"}, /* a group stays one */
	{RDA_SECRET_MAC, "000000000000", "000000000000"},
	{RDA_SECRET_MAC, "ffffffffffff", "ffffffffffff"},
	{RDA_SECRET_MAC, "0180c2000001", "0180c2000001"}, /* of pauses */
	{RDA_SECRET_QPN, "00013f", "000010"},
	{RDA_SECRET_QPN, "000000", "000000"},
	{RDA_SECRET_QPN, "000001", "000001"},
	{RDA_SECRET_QPN, "ffffff", "ffffff"},
	{RDA_SECRET_KEY, "deadbe42", "00010142"}, /* its last byte stays */
	{RDA_SECRET_KEY, "00000000", "00000000"},
	{RDA_SECRET_QKEY, "11111111", "00020001"},
	{RDA_SECRET_QKEY, "91111111", "80020001"}, /* its first bit stays */
	{RDA_SECRET_QKEY, "80010000", "80010000"},
	{RDA_SECRET_LID, "0123", "0001"},
	{RDA_SECRET_LID, "0000", "0000"},
	{RDA_SECRET_LID, "c001", "c001"},
	{RDA_SECRET_LID, "ffff", "ffff"},
	{RDA_SECRET_GUID, "b8599f0300a1b2c3", "02005efffe000001"},
	{RDA_SECRET_GUID, "0000000000000000", "0000000000000000"},
	{RDA_SECRET_VA, "00007f0012345678", "0000100002345678"}, /* the same place of its 256 MiB */
};

START_TEST(of_each_kind)
{
	ck_assert_str_eq(given(pseudonyms, values[_i].kind, values[_i].original), values[_i].first);
}
END_TEST

START_TEST(the_same_for_the_same_others_for_others)
{
	ck_assert_str_eq(given(pseudonyms, RDA_SECRET_QPN, "00013f"), "000010");
	ck_assert_str_eq(given(pseudonyms, RDA_SECRET_QPN, "000140"), "000011");
	ck_assert_str_eq(given(pseudonyms, RDA_SECRET_QPN, "00013f"), "000010");
	ck_assert_str_eq(given(pseudonyms, RDA_SECRET_LID, "013f"), "0001"); /* each kind its own */
	/* an IPv4 address is the same wherever it stands */
	ck_assert_str_eq(given(pseudonyms, RDA_SECRET_IP4, "0a000001"), "c6120001");
	ck_assert_str_eq(given(pseudonyms, RDA_SECRET_IP4, "0a000002"), "c6120002");
	ck_assert_str_eq(given(pseudonyms, RDA_SECRET_IP6, "00000000000000000000ffff0a000002"),
			 "00000000000000000000ffffc6120002");
	/* two keys of one index and different last bytes are two */
	ck_assert_str_eq(given(pseudonyms, RDA_SECRET_KEY, "deadbe42"), "00010142");
	ck_assert_str_eq(given(pseudonyms, RDA_SECRET_KEY, "deadbe43"), "00010243");
	/* all addresses of memory are moved by the same distance */
	ck_assert_str_eq(given(pseudonyms, RDA_SECRET_VA, "00007f0012345678"), "0000100002345678");
	ck_assert_str_eq(given(pseudonyms, RDA_SECRET_VA, "00007f0022345679"), "0000100012345679");
}
END_TEST

/* Host 1 (QPs 0x10, 0x11 ...) has what pseudonyms would be. */
START_TEST(no_original_is_given)
{
	struct rda_recipe recipe = rda_packet_of(1, 2, 0x10, 0x04, 1);
	struct rda_pseudonyms *p;
	struct rda_result *result;
	struct rda_feed feed;

	rda_feed_begin(&feed);
	rda_feed(&feed, &recipe);
	recipe.dest_qp = 0x12;
	rda_feed(&feed, &recipe);
	result = rda_engine_result(feed.engine);
	p = rda_pseudonyms_new(result, 1);
	ck_assert_str_eq(given(p, RDA_SECRET_QPN, "00013f"), "000011");
	ck_assert_str_eq(given(p, RDA_SECRET_QPN, "000010"), "000013");
	rda_pseudonyms_free(p);
	rda_result_free(result);
	rda_feed_end(&feed);
}
END_TEST

/* ---- lines of text --------------------------------------------------------------------------- */

static const struct {
	const char *line, *anew;
} lines[] = {
	{"0000:0010:00013f:23b79a:00008099:000055f753de8000:"
	 "00:00:00:00:00:00:00:00:00:00:ff:ff:0a:0a:00:01:00000000:",
	 "0000:0010:000010:23b79a:00010199:0000100003de8000:"
	 "00:00:00:00:00:00:00:00:00:00:ff:ff:c6:12:00:01:00000000:"},
	{"0007:0010:00013f:00013f:00008099:000055f753de8000:",
	 "0001:0010:000010:00013f:00010199:0000100003de8000:"}, /* the PSN stays */
	{"0007:00019b:ecf8ea:20010db8000000000000000000000001",
	 "0001:000010:ecf8ea:fd000000000000000000000000000001"},
	{"qp 13d 46a5e7 ::ffff:10.10.0.1 3a8 7f45eb44e000\n",
	 "qp 010 46a5e7 ---------------- 1a8 10000b44e000\n"},
};

START_TEST(a_line_that_tells_a_qp_keeps_its_form)
{
	uint32_t length = (uint32_t)strlen(lines[_i].line);
	char *out = g_malloc0(length + 1);

	rda_pseudonyms_payload(pseudonyms, (uint8_t *)out, (const uint8_t *)lines[_i].line, length);
	ck_assert_str_eq(out, lines[_i].anew);
	g_free(out);
}
END_TEST

/* ---- keys in payload ------------------------------------------------------------------------- */

enum { AT = 24, MESSAGE = 320 };

/* A message with the key and its memory, 8 bytes before the key, in either byte order. */
START_TEST(keys_that_were_used_stay_tied_to_their_memory)
{
	const bool swapped = _i & 1, far = _i & 2;
	uint8_t payload[MESSAGE], out[MESSAGE] = {0}, zeros[MESSAGE] = {0};
	struct rda_keys_feed keys;
	struct rda_pseudonyms *p;
	struct rda_result *result;
	const uint32_t key = 0xdeadbe42, at = far ? 280 : AT;
	const uint64_t va = 0x7f0012345000;

	rda_keys_begin(&keys);
	rda_keys_connect(&keys, 0, 1);
	rda_keys_access(&keys, RC_WRITE_ONLY, va, key, 8);
	rda_keys_ack(&keys);
	rda_keys_finish(&keys);
	result = rda_engine_result(keys.feed.engine);
	ck_assert_uint_eq(rda_result_key_count(result), 1);
	p = rda_pseudonyms_new(result, 1);
	memset(payload, 0x5a, sizeof(payload));
	for (unsigned i = 0; i < 8; i++)
		payload[at - 8 + i] = (uint8_t)(va >> 8 * (swapped ? i : 7 - i));
	for (unsigned i = 0; i < 4; i++)
		payload[at + i] = (uint8_t)(key >> 8 * (swapped ? i : 3 - i));
	rda_pseudonyms_payload(p, out, payload, sizeof(payload));
	for (unsigned i = 0; !far && i < 8; i++) {
		const uint64_t moved = UINT64_C(0x100002345000);

		ck_assert_uint_eq(out[at - 8 + i], (uint8_t)(moved >> 8 * (swapped ? i : 7 - i)));
		out[at - 8 + i] = 0;
	}
	for (unsigned i = 0; !far && i < 4; i++) {
		ck_assert_uint_eq(out[at + i],
				  (uint8_t)(UINT32_C(0x00010142) >> 8 * (swapped ? i : 3 - i)));
		out[at + i] = 0;
	}
	ck_assert_mem_eq(out, zeros, sizeof(out)); /* nothing else; further on nothing at all */
	rda_pseudonyms_free(p);
	rda_result_free(result);
	rda_keys_end(&keys);
}
END_TEST

/* ---- immediates and ports -------------------------------------------------------- */

START_TEST(immediates_are_counted_up_to_a_limit)
{
	char digits[9];

	for (uint32_t i = 0; i < 1 << 16; i++) {
		g_snprintf(digits, sizeof(digits), "%08x", 0xabc00000 + i);
		given(pseudonyms, RDA_SECRET_IMMEDIATE, digits);
	}
	ck_assert_str_eq(given(pseudonyms, RDA_SECRET_IMMEDIATE, "abc0ffff"), "00010000");
	ck_assert_str_eq(given(pseudonyms, RDA_SECRET_IMMEDIATE, "abc10000"), "00000000");
}
END_TEST

/* A port that is no product of QPNs stays: test_anonymize.py has those that are. */
START_TEST(a_port_that_is_no_product_stays)
{
	const struct rda_packet packet = {.source_port = 50000};

	ck_assert_uint_eq(rda_pseudonyms_source_port(pseudonyms, &packet), 50000);
}
END_TEST

Suite *rda_suite_pseudonyms(void)
{
	Suite *suite = suite_create("pseudonyms");
	TCase *tc = tcase_create("pseudonyms");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, of_each_kind, 0, RDA_COUNT(values));
	tcase_add_test(tc, the_same_for_the_same_others_for_others);
	tcase_add_test(tc, no_original_is_given);
	tcase_add_loop_test(tc, a_line_that_tells_a_qp_keeps_its_form, 0, RDA_COUNT(lines));
	tcase_add_loop_test(tc, keys_that_were_used_stay_tied_to_their_memory, 0, 4);
	tcase_add_test(tc, immediates_are_counted_up_to_a_limit);
	tcase_add_test(tc, a_port_that_is_no_product_stays);
	suite_add_tcase(suite, tc);
	return suite;
}
