/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ERF records in pcap, in pcapng and alone: the same frame from every reader, whatever libwiretap
 * has taken apart.
 */
#include "analyzer/rdma-analyze/erf_record.h"

#include <string.h>

#include "dissectors/link.h"
#include "tests/unit/capture_file.h"
#include "tests/unit/suite.h"

#define SECONDS UINT64_C(1700000000)

enum { PACKET = 40 };

/* RDA_ERFS(E): E(type, extensions, bytes of the sub-header, padding, flags, wire length) */
#define RDA_ERFS(E)                                                                                \
	E(21, 0, 0, 0, 4, PACKET) /* InfiniBand */                                                 \
	E(21, 0, 0, 8, 1, PACKET)                                                                  \
	E(21, 1, 0, 0, 0, PACKET + 2000) /* cut by a snaplen */                                    \
	E(21, 3, 0, 4, 2, PACKET)                                                                  \
	E(21, 16, 0, 0, 3, PACKET)                                                                 \
	E(21, 0, 0, 0, 0, 10) /* less on the wire than is there */                                 \
	E(25, 0, 0, 0, 0, PACKET)                                                                  \
	E(2, 0, 2, 6, 2, PACKET) /* Ethernet and its colours */                                    \
	E(11, 2, 2, 6, 2, PACKET)                                                                  \
	E(16, 0, 2, 0, 0, PACKET)                                                                  \
	E(20, 0, 2, 0, 0, PACKET)                                                                  \
	E(5, 0, 4, 0, 0, PACKET) /* multi-channel */                                               \
	E(12, 1, 4, 0, 0, PACKET)                                                                  \
	E(18, 0, 4, 0, 0, PACKET)                                                                  \
	E(22, 0, 0, 0, 0, PACKET) /* IPv4 */

struct erf {
	uint8_t type, extensions, sub, padding, flags;
	uint16_t wire;
};

static const struct erf erfs[] = {
#define E(...) {__VA_ARGS__},
	RDA_ERFS(E)
#undef E
};

static unsigned headers_of(const struct erf *erf)
{
	return 16u + 8u * erf->extensions + erf->sub;
}

/* The record as the card wrote it. */
static uint32_t put(uint8_t *bytes, const struct erf *erf)
{
	uint32_t length = headers_of(erf) + PACKET + erf->padding;
	uint8_t *p = bytes + 16;

	memset(bytes, 0, length);
	memcpy(bytes, "\0\0\0\x80", 4); /* half a second */
	for (unsigned i = 0; i < 4; i++)
		bytes[4 + i] = (uint8_t)(SECONDS >> 8 * i);
	bytes[8] = (uint8_t)(erf->type | (erf->extensions ? 0x80 : 0));
	bytes[9] = erf->flags;
	bytes[10] = (uint8_t)(length >> 8);
	bytes[11] = (uint8_t)length;
	bytes[13] = 7; /* packets lost before */
	bytes[14] = (uint8_t)(erf->wire >> 8);
	bytes[15] = (uint8_t)erf->wire;
	for (unsigned i = 0; i < erf->extensions; i++, p += 8) {
		memcpy(p, "\5ABCDEF", 8);
		p[7] = (uint8_t)i;
		if (i + 1u < erf->extensions)
			p[0] |= 0x80;
	}
	memcpy(p, "\1\2\3\4", erf->sub);
	for (unsigned i = 0; i < PACKET; i++)
		p[erf->sub + i] = (uint8_t)(i * 3);
	return length;
}

static void expect_erfs(const struct rda_seen *seen)
{
	rda_expect_end(seen, RDA_COUNT(erfs));
	for (unsigned i = 0; i < RDA_COUNT(erfs); i++) {
		const struct rda_seen_frame *frame = rda_seen_frame(seen, i);
		uint32_t there = headers_of(&erfs[i]) + MIN(erfs[i].wire, PACKET);
		uint8_t bytes[256];

		put(bytes, &erfs[i]);
		ck_assert_uint_eq(frame->link, RDA_LINK_ERF);
		ck_assert_uint_eq(frame->captured, there);
		ck_assert_uint_eq(frame->wire, headers_of(&erfs[i]) + erfs[i].wire);
		RDA_CHECK(memcmp(frame->bytes, bytes, there) == 0, "record %u", i);
	}
}

/* loop over byte orders; the time is that of the card, the tap its port */
START_TEST(in_pcap)
{
	uint8_t bytes[256];
	struct rda_file file;

	rda_file_begin(&file, _i);
	rda_pcap_header(&file, RDA_PCAP_US, 65535, RDA_LINK_ERF);
	for (unsigned i = 0; i < RDA_COUNT(erfs); i++)
		rda_pcap_record(&file, 5, 6, bytes, put(bytes, &erfs[i]));
	rda_file_write(&file);
	for (enum rda_reader reader = RDA_READER_AUTO; reader <= RDA_READER_PCAP; reader++) {
		struct rda_seen *seen;

		if (!rda_reader_is_there(reader))
			continue;
		seen = rda_see(file.path, reader);
		expect_erfs(seen);
		for (unsigned i = 0; i < RDA_COUNT(erfs); i++) {
			ck_assert_int_eq(rda_seen_frame(seen, i)->meta.time_ns,
					 (int64_t)SECONDS * 1000000000 + 500000000);
			ck_assert_uint_eq(rda_seen_frame(seen, i)->meta.tap, erfs[i].flags & 3);
		}
		rda_seen_free(seen);
	}
	rda_file_end(&file);
}
END_TEST

/* the time and the interface are those of the block */
START_TEST(in_pcapng)
{
	uint8_t bytes[256];
	struct rda_file file;

	rda_file_begin(&file, _i);
	rda_pcapng_section(&file);
	rda_pcapng_interface(&file, RDA_LINK_ERF, 0, 0);
	rda_pcapng_interface(&file, RDA_LINK_ERF, 0, 0);
	for (unsigned i = 0; i < RDA_COUNT(erfs); i++)
		rda_pcapng_record(&file, i & 1, i, bytes, put(bytes, &erfs[i]));
	rda_file_write(&file);
	for (enum rda_reader reader = RDA_READER_AUTO; reader <= RDA_READER_PCAP; reader++) {
		struct rda_seen *seen;

		if (!rda_reader_is_there(reader))
			continue;
		seen = rda_see(file.path, reader);
		expect_erfs(seen);
		for (unsigned i = 0; i < RDA_COUNT(erfs); i++) {
			ck_assert_int_eq(rda_seen_frame(seen, i)->meta.time_ns, i * 1000);
			ck_assert_uint_eq(rda_seen_frame(seen, i)->meta.tap, i & 1);
		}
		rda_seen_free(seen);
	}
	rda_file_end(&file);
}
END_TEST

/* with no file header at all: a format that only libwiretap knows */
START_TEST(alone)
{
	uint8_t bytes[256];
	struct rda_seen *seen;
	struct rda_file file;

	if (!rda_reader_is_there(RDA_READER_WIRETAP))
		return;
	rda_file_begin(&file, false);
	for (unsigned i = 0; i < RDA_COUNT(erfs); i++)
		rda_file_bytes(&file, bytes, put(bytes, &erfs[i]));
	seen = rda_see(rda_file_write(&file), RDA_READER_AUTO);
	expect_erfs(seen);
	rda_seen_free(seen);
	rda_file_end(&file);
}
END_TEST

/* headers that are cut, at every length, are left as they are; nothing is read past the end */
START_TEST(trims_nothing_of_cut_headers)
{
	uint8_t bytes[256];

	for (unsigned i = 0; i < RDA_COUNT(erfs); i++) {
		put(bytes, &erfs[i]);
		for (uint32_t length = 0; length < headers_of(&erfs[i]); length++) {
			uint8_t *exact = g_memdup2(bytes, length);
			uint32_t captured = length, wire = 1000;

			rda_erf_trim(exact, &captured, &wire);
			RDA_CHECK(captured == length && wire == 1000, "record %u at %u", i, length);
			g_free(exact);
		}
	}
}
END_TEST

START_TEST(time_of_card)
{
	static const struct {
		uint8_t bytes[8];
		int64_t time;
	} times[] = {
		{{0, 0, 0, 0, 0, 0, 0, 0}, 0},
		{{0, 0, 0, 0x40, 1, 0, 0, 0}, 1250000000},
		{{5, 0, 0, 0, 0, 0, 0, 0}, 1}, /* 1.16 ns */
		{{7, 0, 0, 0, 0, 0, 0, 0}, 2}, /* 1.63 ns */
		{{255, 255, 255, 255, 1, 0, 0, 0}, 2000000000},
		{{0, 0, 0, 0, 255, 255, 255, 255}, INT64_C(4294967295000000000)},
	};

	for (unsigned i = 0; i < RDA_COUNT(times); i++)
		ck_assert_int_eq(rda_erf_time(times[i].bytes), times[i].time);
}
END_TEST

Suite *rda_suite_erf_record(void)
{
	Suite *suite = suite_create("erf_record");
	TCase *tcase = tcase_create("erf_record");

	tcase_add_loop_test(tcase, in_pcap, 0, 2);
	tcase_add_loop_test(tcase, in_pcapng, 0, 2);
	tcase_add_test(tcase, alone);
	tcase_add_test(tcase, trims_nothing_of_cut_headers);
	tcase_add_test(tcase, time_of_card);
	suite_add_tcase(suite, tcase);
	return suite;
}
