/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See hop_ways.h.
 */
#include "tests/unit/hop_ways.h"

#include "analyzer/base/meta.h"
#include "tests/unit/suite.h"

#include <string.h>

const uint64_t rda_way_places[RDA_WAY_PLACES] = {17, UINT64_C(1) << RDA_PLACE_SHIFT | 3, 19};

struct rda_hop_cases rda_cases_of(uint64_t count)
{
	return (struct rda_hop_cases){count, rda_way_places, RDA_WAY_PLACES};
}

struct rda_hop_way rda_way_of(uint64_t lost, uint64_t certain)
{
	return (struct rda_hop_way){
		.connection = RDA_WAY_CONNECTION,
		.side = RDA_WAY_SIDE,
		.flow = RDA_WAY_FLOW,
		.other = RDA_WAY_OTHER,
		.most_requests = true,
		.most_answers = true,
		.all_requests = lost,
		.all_answers = lost,
		.is_before = true, /* of two taps it is one of these */
		.is_behind = true,
		.requests = {.lost_stalls = lost},
		.answers = {.lost_stalls = lost},
		.damaged_is_sure = true,
		.reclassed_is_sure = true,
		.marked_is_sure = true,
		.from = "left",
		.to = "right",
		.packets = 100,
		.sender = -1,
		.lost = rda_cases_of(lost),
		.certain = certain,
	};
}

struct rda_judge rda_way_judge;

void rda_way_setup(void)
{
	memset(&rda_way_judge, 0, sizeof(rda_way_judge));
	rda_findings_init(&rda_way_judge.findings, 0);
}

void rda_way_teardown(void)
{
	rda_findings_cleanup(&rda_way_judge.findings);
}

const struct rda_finding *rda_way_ranked(uint32_t index)
{
	rda_findings_rank(&rda_way_judge.findings);
	ck_assert_uint_lt(index, rda_way_judge.findings.ranked_count);
	return rda_way_judge.findings.ranked[index];
}
