/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One expression on frames of several link types, and expressions that do not compile.
 */
#include "analyzer/rdma-analyze/filter.h"

#include <glib.h>
#include <string.h>

#include "dissectors/link.h"
#include "tests/unit/suite.h"

/* An IPv4 header and a UDP header to the port of RoCEv2, behind `before` bytes. */
struct packet {
	uint8_t bytes[128];
	struct rda_frame frame;
};

static struct rda_frame *packet_of(struct packet *packet, uint16_t link, uint32_t before,
				   uint16_t port)
{
	uint8_t *ip = packet->bytes + before;

	memset(packet, 0, sizeof(*packet));
	ip[0] = 0x45;
	ip[3] = 60;
	ip[8] = 64;
	ip[9] = 17;
	memcpy(ip + 12, (uint8_t[]){10, 0, 0, 1, 10, 0, 0, 2}, 8);
	ip[22] = (uint8_t)(port >> 8);
	ip[23] = (uint8_t)port;
	packet->frame = (struct rda_frame){packet->bytes, before + 60, before + 60, link};
	return &packet->frame;
}

static struct rda_frame *ethernet(struct packet *packet, uint16_t port)
{
	struct rda_frame *frame = packet_of(packet, RDA_LINK_ETHERNET, 14, port);

	packet->bytes[12] = 8; /* 0x0800 */
	return frame;
}

static struct rda_frame *cooked(struct packet *packet, uint16_t port)
{
	struct rda_frame *frame = packet_of(packet, RDA_LINK_SLL, 16, port);

	packet->bytes[14] = 8;
	return frame;
}

static struct rda_filter *filter_of(const char *expression)
{
	char *error = NULL;
	struct rda_filter *filter = rda_filter_new(expression, &error);

	ck_assert_msg(filter != NULL, "%s", error);
	ck_assert_ptr_null(error);
	return filter;
}

START_TEST(each_link_has_its_program)
{
	struct rda_filter *filter = filter_of("udp dst port 4791 and host 10.0.0.2");
	static const uint16_t raw[] = {RDA_LINK_RAW, RDA_LINK_RAW_12, RDA_LINK_RAW_14};
	struct packet p;

	for (unsigned again = 0; again < 3; again++) {
		ck_assert_int_eq(rda_filter_frame(filter, ethernet(&p, 4791)), RDA_FILTER_PASS);
		ck_assert_int_eq(rda_filter_frame(filter, ethernet(&p, 4792)), RDA_FILTER_DROP);
		ck_assert_int_eq(rda_filter_frame(filter, cooked(&p, 4791)), RDA_FILTER_PASS);
		ck_assert_int_eq(rda_filter_frame(filter, cooked(&p, 4790)), RDA_FILTER_DROP);
		for (unsigned i = 0; i < RDA_COUNT(raw); i++) {
			ck_assert_int_eq(rda_filter_frame(filter, packet_of(&p, raw[i], 0, 4791)),
					 RDA_FILTER_PASS);
			ck_assert_int_eq(rda_filter_frame(filter, packet_of(&p, raw[i], 0, 1)),
					 RDA_FILTER_DROP);
		}
	}
	rda_filter_free(filter);
}
END_TEST

/* what the expression asks for is not captured: it does not pass, and nothing is read past the end
 */
START_TEST(cut_frames)
{
	struct rda_filter *filter = filter_of("udp dst port 4791");
	struct packet p;

	ethernet(&p, 4791);
	for (uint32_t captured = 0; captured <= p.frame.wire; captured++) {
		uint8_t *exact = g_memdup2(p.bytes, captured);
		struct rda_frame cut = {exact ? exact : p.bytes, captured, p.frame.wire,
					RDA_LINK_ETHERNET};

		ck_assert_int_eq(rda_filter_frame(filter, &cut),
				 captured >= 14 + 24 ? RDA_FILTER_PASS : RDA_FILTER_DROP);
		g_free(exact);
	}
	rda_filter_free(filter);
	filter = filter_of("greater 74"); /* of the wire, not of what was captured */
	p.frame.captured = 20;
	ck_assert_int_eq(rda_filter_frame(filter, &p.frame), RDA_FILTER_PASS);
	rda_filter_free(filter);
}
END_TEST

START_TEST(no_expression_passes_all)
{
	struct rda_filter *filter = filter_of("");
	struct packet p;

	ck_assert_int_eq(rda_filter_frame(filter, ethernet(&p, 1)), RDA_FILTER_PASS);
	rda_filter_free(filter);
}
END_TEST

START_TEST(does_not_compile)
{
	static const struct {
		const char *expression, *words;
	} wrong[] = {
		{"udp dst port", "syntax error"},
		{"port (", "syntax error"},
		{"host 300.1.1.1", ""},
		{"port 70000", "70000"},
	};

	for (unsigned i = 0; i < RDA_COUNT(wrong); i++) {
		char *error = NULL;

		ck_assert_ptr_null(rda_filter_new(wrong[i].expression, &error));
		ck_assert_ptr_nonnull(error);
		ck_assert_msg(strstr(error, wrong[i].words) != NULL, "%s", error);
		g_free(error);
	}
}
END_TEST

/* libpcap knows no protocols behind these link types */
START_TEST(means_nothing_for_a_link)
{
	struct rda_filter *filter = filter_of("udp dst port 4791");
	struct packet p;

	ck_assert_int_eq(rda_filter_frame(filter, packet_of(&p, RDA_LINK_INFINIBAND, 0, 4791)),
			 RDA_FILTER_UNUSABLE);
	ck_assert_msg(strstr(rda_filter_error(filter), "InfiniBand") != NULL, "%s",
		      rda_filter_error(filter));
	ck_assert_int_eq(rda_filter_frame(filter, packet_of(&p, RDA_LINK_ERF, 0, 4791)),
			 RDA_FILTER_UNUSABLE);
	ck_assert_ptr_nonnull(strstr(rda_filter_error(filter), "ERF"));
	ck_assert_int_eq(rda_filter_frame(filter, packet_of(&p, 0xffff, 0, 4791)),
			 RDA_FILTER_UNUSABLE);
	ck_assert_ptr_nonnull(strstr(rda_filter_error(filter), "65535"));
	/* the others are filtered all the same, and the first reason can be had again */
	ck_assert_int_eq(rda_filter_frame(filter, ethernet(&p, 4791)), RDA_FILTER_PASS);
	ck_assert_int_eq(rda_filter_frame(filter, packet_of(&p, RDA_LINK_INFINIBAND, 0, 4791)),
			 RDA_FILTER_UNUSABLE);
	ck_assert_ptr_nonnull(strstr(rda_filter_error(filter), "InfiniBand"));
	rda_filter_free(filter);
}
END_TEST

/* no usage error before a frame is seen that it cannot be used for */
START_TEST(compiles_for_some_links)
{
	struct rda_filter *filter = filter_of("ether dst 0:0:0:0:0:0");
	struct packet p;

	ck_assert_int_eq(rda_filter_frame(filter, ethernet(&p, 1)), RDA_FILTER_PASS);
	ck_assert_int_eq(rda_filter_frame(filter, packet_of(&p, RDA_LINK_RAW, 0, 1)),
			 RDA_FILTER_UNUSABLE);
	rda_filter_free(filter);
}
END_TEST

Suite *rda_suite_filter(void)
{
	Suite *suite = suite_create("filter");
	TCase *tcase = tcase_create("filter");

	tcase_add_test(tcase, each_link_has_its_program);
	tcase_add_test(tcase, cut_frames);
	tcase_add_test(tcase, no_expression_passes_all);
	tcase_add_test(tcase, does_not_compile);
	tcase_add_test(tcase, means_nothing_for_a_link);
	tcase_add_test(tcase, compiles_for_some_links);
	suite_add_tcase(suite, tcase);
	return suite;
}
