/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What another tap lacks, and was not lost. See missing.h.
 */
#include "analyzer/taps/missing.h"

#include "analyzer/taps/delivered.h"

#include <glib.h>

/* A request of a flow of the first tap. */
struct request {
	uint32_t flow, psn;
};

struct rda_missing {
	struct rda_missing_of of;
	bool *delivered; /* owned; by packet */
	bool *doubled;	 /* owned; by flow: most packets stand there twice, and at the other once */
	GArray *alone;	 /* struct request: what only the other tap has, in order */
};

static int compare_requests(const void *one, const void *two)
{
	const struct request *a = one, *b = two;

	if (a->flow != b->flow)
		return a->flow < b->flow ? -1 : 1;
	return (a->psn > b->psn) - (a->psn < b->psn);
}

/* Requests that the first tap missed. */
static void find_alone(struct rda_missing *missing)
{
	const struct rda_missing_of *of = &missing->of;

	missing->alone = g_array_new(FALSE, FALSE, sizeof(struct request));
	for (uint32_t i = 0; i < of->to->count; i++) {
		const struct rda_passage *packet = &of->to->packets[i];
		struct request one = {packet->flow, packet->sequence};

		if (!packet->answered || packet->flow == RDA_PASSAGE_NO_FLOW ||
		    rda_passage_is_matched(of->match_back[i]))
			continue;
		one.flow = of->peer_back[packet->flow];
		if (one.flow != RDA_PASSAGE_NO_FLOW)
			g_array_append_val(missing->alone, one);
	}
	g_array_sort(missing->alone, compare_requests);
}

static void find_doubled(struct rda_missing *missing)
{
	const struct rda_missing_of *of = &missing->of;
	uint64_t *twins = g_new0(uint64_t, of->flow_count + 1);
	uint64_t *others = g_new0(uint64_t, of->flow_count + 1);

	for (uint32_t i = 0; i < of->from->count; i++) {
		uint32_t flow = of->from->packets[i].flow;

		if (flow != RDA_PASSAGE_NO_FLOW)
			++*(of->match[i] == RDA_PASSAGE_TWIN ? &twins[flow] : &others[flow]);
	}
	missing->doubled = g_new0(bool, of->flow_count + 1);
	for (uint32_t i = 0; i < of->flow_count; i++)
		missing->doubled[i] = twins[i] * 2 > others[i];
	g_free(twins);
	g_free(others);
}

struct rda_missing *rda_missing_new(const struct rda_missing_of *of)
{
	struct rda_missing *missing = g_new0(struct rda_missing, 1);

	missing->of = *of;
	missing->delivered = rda_delivered_find(of->from, of->back, of->flow_count);
	find_alone(missing);
	find_doubled(missing);
	return missing;
}

void rda_missing_free(struct rda_missing *missing)
{
	g_free(missing->delivered);
	g_free(missing->doubled);
	g_array_free(missing->alone, TRUE);
	g_free(missing);
}

/* Whether only the other tap has one more with its PSN, so that it was sent more than once. */
static bool is_there_again(const struct rda_missing *missing, const struct rda_passage *packet)
{
	const struct request wanted = {packet->flow, packet->sequence};

	return g_array_binary_search(missing->alone, &wanted, compare_requests, NULL);
}

bool rda_missing_is_delivered(const struct rda_missing *missing, uint32_t index)
{
	return missing->delivered[index] &&
	       !is_there_again(missing, &missing->of.from->packets[index]);
}

bool rda_missing_passed(const struct rda_missing *missing, uint32_t index)
{
	const uint8_t *beyond = missing->of.beyond;

	return (beyond && beyond[index / 8] >> index % 8 & 1) ||
	       rda_missing_is_delivered(missing, index);
}

bool rda_missing_is_mirrored(const struct rda_missing *missing, uint32_t index)
{
	uint32_t flow = missing->of.from->packets[index].flow;

	return missing->of.match[index] == RDA_PASSAGE_TWIN && flow != RDA_PASSAGE_NO_FLOW &&
	       missing->doubled[flow];
}
