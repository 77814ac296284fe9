/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The findings of two results: those about one connection are taken over, those about one capture
 * are joined, and what is told overall, or of memory keys (merge_keys.c), is told anew.
 */
#include "analyzer/engine/merge_part.h"

#include "analyzer/checks/judge.h"

#include <glib.h>
#include <string.h>

static struct rda_subject subject_in(const struct rda_part *part, struct rda_subject subject)
{
	switch (subject.kind) {
	case RDA_SUBJECT_HOST: subject.index = part->hosts[subject.index]; break;
	case RDA_SUBJECT_FLOW: subject.index = part->flows[subject.index]; break;
	case RDA_SUBJECT_CONNECTION: subject.index = part->connections[subject.index]; break;
	default: break; /* captures are the same */
	}
	return subject;
}

static void take_findings(struct rda_result *to, const struct rda_part *part)
{
	for (uint32_t i = 0; i < part->from->judge.findings.table.count; i++) {
		struct rda_finding moved, *finding;
		struct rda_finding_key key;
		bool made;

		moved = *(const struct rda_finding *)part->from->judge.findings.table.items[i];
		if (moved.key.overall != RDA_FINDING_RETIRED &&
		    (moved.key.overall || rda_judge_is_of_keys((enum rda_check)moved.key.check)))
			continue;		       /* told anew */
		memcpy(&key, &moved.key, sizeof(key)); /* padding too */
		key.subject = subject_in(part, key.subject);
		if (moved.connection >= 0)
			moved.connection = (int32_t)part->connections[moved.connection];
		moved.cause_subject = subject_in(part, moved.cause_subject);
		rda_findings_make_room(&to->judge.findings);
		finding = rda_table_get(&to->judge.findings.table, &key, &made);
		if (made)
			rda_finding_copy(finding, &moved);
		else
			rda_finding_join(finding, &moved);
		memcpy(&finding->key, &key, sizeof(key));
	}
}

static void join_part(struct rda_result *to, const struct rda_part *part)
{
	const struct rda_moved moved = {part->flows, part->connections, part->hosts,
					part->conversations};

	rda_judge_join(&to->judge, &part->from->judge, &moved);
	to->judge.findings.not_kept += part->from->judge.findings.not_kept;
	take_findings(to, part);
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
