/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The findings of two results: those about one connection are taken over, those about one capture
 * are joined, and what is told overall, or of memory keys (merge_keys.c), is told anew.
 */
#include "analyzer/engine/merge_part.h"

#include "analyzer/checks/judge.h"

#include <glib.h>
#include <string.h>

/* Of a spent part it is freed, too. */
static void take_finding(struct rda_result *to, const struct rda_part *part,
			 struct rda_finding *from)
{
	const struct rda_moved moved = rda_part_moved(part);
	struct rda_finding taken = *from;

	memcpy(&taken.key, &from->key, sizeof(taken.key)); /* padding too */
	rda_subject_move(&taken.key.subject, &moved);
	if (taken.connection >= 0)
		taken.connection = (int32_t)part->connections[taken.connection];
	if (taken.explained)
		rda_subject_move(&taken.cause_subject, &moved);
	if (!part->spent) {
		rda_findings_take(&to->judge.findings, &taken.key, &taken);
		return;
	}
	*from = taken;
	rda_findings_take_over(&to->judge.findings, &taken.key, from);
	rda_finding_cleanup(from);
	g_free(from);
}

static bool is_told_anew(const struct rda_finding *finding)
{
	return finding->key.overall != RDA_FINDING_RETIRED &&
	       (finding->key.overall || rda_judge_is_of_keys((enum rda_check)finding->key.check));
}

static void join_part(struct rda_result *to, const struct rda_part *part)
{
	const struct rda_findings *from = &part->from->judge.findings;
	const struct rda_moved moved = rda_part_moved(part);

	rda_judge_join(&to->judge, &part->from->judge, &moved);
	to->judge.findings.not_kept += from->not_kept;
	for (uint32_t i = 0; i < from->table.count; i++)
		if (!is_told_anew(from->table.items[i]))
			take_finding(
				to, part,
				part->spent ? rda_table_steal(&part->spent->judge.findings.table, i)
					    : from->table.items[i]);
}

void rda_merge_findings(struct rda_result *to, const struct rda_part part[2],
			struct rda_part_keys *keys)
{
	rda_judge_init(&to->judge, 0);
	join_part(to, &part[0]);
	join_part(to, &part[1]);
	to->keys_cap = part[0].from->keys_cap;
	if (keys)
		rda_part_keys_settle(keys, to);
	else
		rda_merge_keys(to, part);
}
