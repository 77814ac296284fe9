/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is judged of two results that stand side by side: findings and memory keys are taken over as
 * they are, those about what is told. See join.h; the rest of a result: merge.c.
 */
#include "analyzer/engine/join.h"

#include "analyzer/engine/merge_part.h"

#include <glib.h>
#include <string.h>

/* ---- findings -------------------------------------------------------------------------------- */

/* False: it is not told. */
static bool move_subject(const struct rda_part *part, struct rda_subject *subject)
{
	const struct rda_moved moved = rda_part_moved(part);

	/* what is said of a capture that another has read is about nothing */
	if (subject->kind == RDA_SUBJECT_CAPTURE)
		return part->from->captures[subject->index].packets > 0;
	if (subject->kind == RDA_SUBJECT_HOST &&
	    !rda_part_tells(part->joined->hosts, subject->index))
		return false;
	return rda_subject_move(subject, &moved);
}

static void count_weakened(struct rda_judge *to, const struct rda_finding *finding)
{
	if (finding->withheld && !to->off[finding->key.check])
		to->withheld[finding->key.check] += finding->count;
	else if (finding->lowered)
		to->lowered[finding->key.check] += finding->count;
}

/* The first capture of a result that it has read. */
static uint32_t first_capture(const struct rda_result *from)
{
	uint32_t i = 0;

	while (i + 1 < from->capture_count && !from->captures[i].packets)
		i++;
	return i;
}

/* What is said of a host in captures that have nothing to do with each other stays apart: it may be
 * another host of the same address. */
static void set_apart(struct rda_finding_key *key, const struct rda_findings *findings,
		      uint32_t capture)
{
	if (key->subject.kind == RDA_SUBJECT_HOST && key->overall < RDA_FINDING_ELSEWHERE &&
	    rda_table_find(&findings->table, key))
		key->overall = RDA_FINDING_ELSEWHERE + capture * RDA_FINDING_HOP + key->overall;
}

static void take_finding(struct rda_result *to, const struct rda_part *part, uint32_t capture,
			 const struct rda_finding *from)
{
	struct rda_finding moved = *from;
	struct rda_finding_key key;

	memcpy(&key, &from->key, sizeof(key)); /* padding too */
	if (!move_subject(part, &key.subject))
		return;
	if (moved.connection >= 0 && part->connections[moved.connection] != RDA_LEFT_OUT) {
		moved.connection = (int32_t)part->connections[moved.connection];
	} else if (moved.connection >= 0) {
		/* of a host that is told: its connection is told as the other tap saw it */
		if (key.subject.kind != RDA_SUBJECT_HOST)
			return;
		moved.connection = moved.flow = -1;
	}
	moved.explained = moved.explained && move_subject(part, &moved.cause_subject);
	set_apart(&key, &to->judge.findings, capture);
	rda_findings_take(&to->judge.findings, &key, &moved);
	count_weakened(&to->judge, &moved);
}

void rda_join_findings(struct rda_result *to, const struct rda_part part[2])
{
	rda_judge_init(&to->judge, 0);
	for (unsigned p = 0; p < 2; p++) {
		const struct rda_judge *from = &part[p].from->judge;
		uint32_t capture = first_capture(part[p].from);

		to->judge.findings.not_kept += from->findings.not_kept;
		for (unsigned check = 0; check < RDA_CHECK_COUNT; check++) {
			to->judge.off[check] |= from->off[check];
			to->judge.withheld[check] += from->retired_withheld[check];
			if (!to->judge.severity[check])
				to->judge.severity[check] = from->severity[check];
		}
		for (uint32_t i = 0; i < from->findings.table.count; i++)
			take_finding(to, &part[p], capture, from->findings.table.items[i]);
	}
}

/* ---- memory keys ----------------------------------------------------------------------------- */

/* A key is told with the connection that used it first. */
static bool take_key(struct rda_key_facts *to, const struct rda_part *part,
		     const struct rda_key_facts *from)
{
	if (from->user_count && part->flows[from->users[0]] == RDA_LEFT_OUT)
		return false;
	*to = *from;
	to->id.responder = part->hosts[from->id.responder];
	to->troubles = g_memdup2(from->troubles, sizeof(*from->troubles));
	to->users = g_new(uint32_t, from->user_count);
	to->user_count = 0;
	for (uint32_t i = 0; i < from->user_count; i++)
		if (part->flows[from->users[i]] != RDA_LEFT_OUT)
			to->users[to->user_count++] = part->flows[from->users[i]];
	return true;
}

void rda_join_keys(struct rda_result *to, const struct rda_part part[2])
{
	const struct rda_result *a = part[0].from, *b = part[1].from;
	uint32_t i = 0, j = 0;

	to->keys = g_new(struct rda_key_facts, a->key_count + b->key_count);
	while (i < a->key_count || j < b->key_count) {
		bool first = j == b->key_count ||
			     (i < a->key_count && a->keys[i].first_place <= b->keys[j].first_place);
		const struct rda_key_facts *next = first ? &a->keys[i++] : &b->keys[j++];

		to->key_count += take_key(&to->keys[to->key_count], &part[!first], next);
	}
	to->keys_not_kept = a->keys_not_kept + b->keys_not_kept;
	to->keys_cap = MAX(a->keys_cap, b->keys_cap);
}
