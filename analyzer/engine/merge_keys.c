/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory keys of two results, and the words that ATOMICs change: a responder's peers are in
 * both, so what was kept of their events is told to one ledger, and judged as one engine does.
 */
#include "analyzer/engine/merge_part.h"

#include "analyzer/checks/judge.h"

#include <glib.h>

/* Whose it is, and what the capture lacks of that connection. */
static void settle(struct rda_result *to, struct rda_judge *judge, struct rda_finding *finding)
{
	const struct rda_subject *subject = &finding->key.subject;
	uint8_t seen = 0;

	if (subject->kind == RDA_SUBJECT_FLOW) {
		finding->connection = (int32_t)to->flows[subject->index].connection;
		finding->flow = (int8_t)to->flows[subject->index].side;
		seen = to->connections[finding->connection].seen;
	}
	rda_judge_weigh(judge, finding, seen);
}

/* What is found of the keys, beside the findings that are there. */
static void judge_keys(struct rda_result *to, struct rda_key_ledger *ledger)
{
	const struct rda_table no_flows = {.count = 0};
	uint32_t before = to->findings.table.count;
	struct rda_judge judge;

	rda_judge_init(&judge, 0);
	rda_findings_cleanup(&judge.findings);
	judge.findings = to->findings;
	judge.whole.host_of = to->hosts;
	memcpy(judge.off, to->off, sizeof(judge.off));
	rda_judge_keys(&judge, to->key_log, ledger);
	for (uint32_t i = before; i < judge.findings.table.count; i++)
		settle(to, &judge, judge.findings.table.items[i]);
	for (unsigned check = 0; check < RDA_CHECK_COUNT; check++) {
		to->withheld[check] += judge.withheld[check];
		to->lowered[check] += judge.lowered[check];
	}
	to->findings = judge.findings;
	rda_findings_init(&judge.findings, 0);
	rda_judge_cleanup(&judge, &no_flows);
}

void rda_merge_keys(struct rda_result *to, const struct rda_part part[2])
{
	const struct rda_result *a = part[0].from, *b = part[1].from;
	const struct rda_key_map map_a = {part[0].flows, part[0].hosts};
	const struct rda_key_map map_b = {part[1].flows, part[1].hosts};
	struct rda_key_ledger *ledger;

	to->keys_cap = a->keys_cap;
	memcpy(to->off, a->off, sizeof(to->off));
	to->key_log = rda_key_log_merge(a->key_log, &map_a, b->key_log, &map_b);
	ledger = rda_key_ledger_new(0, to->keys_cap);
	judge_keys(to, ledger);
	rda_result_take_keys(to, ledger);
	to->keys_not_kept += rda_key_log_not_kept(to->key_log);
	rda_key_ledger_free(ledger);
}
