/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Findings that are added to a result. See later.h.
 */
#include "analyzer/engine/later.h"

#include "analyzer/checks/hop/hop.h"
#include "analyzer/engine/result_state.h"

struct rda_finding *rda_result_find_later(struct rda_result *result, enum rda_check check,
					  uint32_t host)
{
	return rda_finding_add(&result->judge.findings, check,
			       (struct rda_subject){RDA_SUBJECT_HOST, host}, 0);
}

void rda_result_add_way(struct rda_result *result, const struct rda_hop_way *way)
{
	struct rda_hop_way known = *way;
	const struct rda_host *sender =
		way->flow < 0
			? NULL
			: rda_host_find(result->hosts, result->sorted_hosts, result->host_count,
					&result->flows[way->flow]->key.source);

	known.sender = sender ? (int32_t)sender->index : -1;
	rda_check_hop_way(&result->judge, &known);
}

void rda_result_part_waits(struct rda_result *result, const struct rda_hop_waits *waits)
{
	struct rda_flow_time *time = result->flows[waits->flow]->time;

	time->ns[RDA_TIME_WAITING] -= waits->unlimited_network_ns + waits->unlimited_responder_ns;
	time->ns[RDA_TIME_NETWORK] += waits->unlimited_network_ns;
	time->ns[RDA_TIME_RESPONDER] += waits->unlimited_responder_ns;
	rda_check_hop_waits(&result->judge, waits);
}

void rda_result_parted_waits(struct rda_result *result)
{
	rda_result_sum_times(result);
}

void rda_result_found_later(struct rda_result *result)
{
	struct rda_findings *findings = &result->judge.findings;

	for (uint32_t i = 0; i < findings->table.count; i++) {
		struct rda_finding *finding = findings->table.items[i];

		if (rda_finding_check(finding)->code[0] == 'N')
			rda_judge_weigh(&result->judge, finding);
	}
	rda_findings_rank(findings);
}
