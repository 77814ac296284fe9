/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events of several engines told to one ledger. See part_keys.h.
 *
 * Flows and hosts have numbers of their own here, as those that they get in the merged result are
 * not known yet: hosts in order of appearance, flows as rda_key_map has it.
 */
#include "analyzer/engine/part_keys.h"

#include "analyzer/checks/judge.h"
#include "analyzer/engine/merge_part.h"
#include "analyzer/engine/state.h"

#include <glib.h>
#include <string.h>

/* What is of one part. */
struct part {
	GArray *hosts; /* uint32_t: the number of each of its hosts, by rda_host.index */
	GQueue logs;   /* struct rda_key_log, owned: those that were not told yet */
};

struct rda_part_keys {
	struct rda_key_ledger *ledger;
	struct rda_judge judge;
	struct rda_table hosts; /* struct rda_host: of all parts */
	GArray *host_of;	/* struct rda_host: the same, by number */
	struct part *parts;	/* owned */
	uint32_t count;
};

struct rda_part_keys *rda_part_keys_new(const struct rda_config *config, unsigned parts)
{
	struct rda_part_keys *keys = g_new0(struct rda_part_keys, 1);

	keys->ledger = rda_key_ledger_new(config->hash_seed, config->keys_cap);
	rda_judge_init(&keys->judge, config->hash_seed);
	keys->judge.key_ledger = keys->ledger;
	rda_table_init(&keys->hosts, sizeof(struct rda_address), sizeof(struct rda_host),
		       config->hash_seed);
	keys->host_of = g_array_new(FALSE, TRUE, sizeof(struct rda_host));
	keys->parts = g_new0(struct part, parts);
	keys->count = parts;
	for (unsigned i = 0; i < parts; i++) {
		keys->parts[i].hosts = g_array_new(FALSE, FALSE, sizeof(uint32_t));
		g_queue_init(&keys->parts[i].logs);
	}
	return keys;
}

static void free_log(void *log)
{
	rda_key_log_free(log);
}

void rda_part_keys_free(struct rda_part_keys *keys)
{
	if (!keys)
		return;
	for (unsigned i = 0; i < keys->count; i++) {
		g_array_free(keys->parts[i].hosts, TRUE);
		g_queue_clear_full(&keys->parts[i].logs, free_log);
	}
	g_free(keys->parts);
	rda_judge_cleanup(&keys->judge, NULL);
	rda_key_ledger_free(keys->ledger);
	rda_table_cleanup(&keys->hosts, NULL);
	g_array_free(keys->host_of, TRUE);
	g_free(keys);
}

/* ---- events ---------------------------------------------------------------------------------- */

static void know_host(struct rda_part_keys *keys, struct part *part,
		      const struct rda_address *address)
{
	bool made;
	struct rda_host *host = rda_table_get(&keys->hosts, address, &made);

	if (made) {
		host->index = keys->hosts.count - 1;
		g_array_append_val(keys->host_of, *host);
	}
	g_array_append_val(part->hosts, host->index);
}

static void hear(void *judge, const struct rda_key_event *event, const struct rda_key_news *news)
{
	rda_judge_key(judge, event, news);
}

/* Tells the oldest log of each part: they go up to the same frame. */
static void tell(struct rda_part_keys *keys)
{
	struct rda_key_log *logs[RDA_SHARES];
	struct rda_key_map maps[RDA_SHARES];

	keys->judge.whole.host_of = (const struct rda_host *)(const void *)keys->host_of->data;
	for (unsigned i = 0; i < keys->count; i++) {
		logs[i] = g_queue_pop_head(&keys->parts[i].logs);
		maps[i] = (struct rda_key_map){
			.hosts = (const uint32_t *)(const void *)keys->parts[i].hosts->data,
			.parts = keys->count,
			.part = i,
		};
	}
	rda_key_log_tell(logs, maps, keys->count, keys->ledger, hear, &keys->judge);
	for (unsigned i = 0; i < keys->count; i++)
		rda_key_log_free(logs[i]);
}

/* A part's next log is here; a part that is faster than others waits with it. */
static void take_log(struct rda_part_keys *keys, unsigned part, struct rda_key_log *log)
{
	g_queue_push_tail(&keys->parts[part].logs, log);
	for (unsigned i = 0; i < keys->count; i++)
		if (g_queue_is_empty(&keys->parts[i].logs))
			return;
	tell(keys);
}

void rda_part_keys_take(struct rda_part_keys *keys, unsigned part, struct rda_engine *engine)
{
	for (uint32_t i = keys->parts[part].hosts->len; i < engine->hosts.count; i++)
		know_host(keys, &keys->parts[part],
			  &((const struct rda_host *)engine->hosts.items[i])->address);
	take_log(keys, part, rda_key_log_take(engine->key_log));
}

void rda_part_keys_end(struct rda_part_keys *keys, unsigned part, struct rda_result *result)
{
	for (uint32_t i = keys->parts[part].hosts->len; i < result->host_count; i++)
		know_host(keys, &keys->parts[part], &result->hosts[i].address);
	take_log(keys, part, rda_key_log_take(result->key_log));
}

/* ---- the merged result ----------------------------------------------------------------------- */

/* Where flows and hosts are in it, by the numbers that they have here. */
struct places {
	uint32_t *flows, *hosts; /* RDA_GONE: it is no more */
	uint32_t flow_count;
};

static void find_places(struct places *to, const struct rda_part_keys *keys,
			const struct rda_result *result)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < result->flow_count; i++)
		if (result->flows[i].part_index != RDA_GONE)
			most = MAX(most, result->flows[i].part_index);
	to->flow_count = (most + 1) * keys->count;
	to->flows = g_new(uint32_t, to->flow_count);
	to->hosts = g_new(uint32_t, keys->hosts.count);
	for (uint32_t i = 0; i < to->flow_count; i++)
		to->flows[i] = RDA_GONE;
	for (uint32_t i = 0; i < keys->hosts.count; i++)
		to->hosts[i] = RDA_GONE;
	for (uint32_t i = 0; i < result->flow_count; i++)
		if (result->flows[i].part_index != RDA_GONE)
			to->flows[result->flows[i].part_index * keys->count +
				  result->flows[i].part] = i;
	for (uint32_t i = 0; i < result->host_count; i++) {
		const struct rda_host *host =
			rda_table_find(&keys->hosts, &result->hosts[i].address);

		if (host)
			to->hosts[host->index] = i;
	}
}

static uint32_t flow_in(const struct places *places, uint32_t flow)
{
	return flow < places->flow_count ? places->flows[flow] : RDA_GONE;
}

static struct rda_subject subject_in(const struct places *places, struct rda_subject subject)
{
	if (subject.kind == RDA_SUBJECT_HOST)
		subject.index = places->hosts[subject.index];
	else if (subject.kind == RDA_SUBJECT_FLOW)
		subject.index = flow_in(places, subject.index);
	return subject;
}

static void take_findings(struct rda_result *to, const struct rda_part_keys *keys,
			  const struct places *places)
{
	to->judge.findings.not_kept += keys->judge.findings.not_kept;
	for (uint32_t i = 0; i < keys->judge.findings.table.count; i++) {
		struct rda_finding *finding, moved;
		bool made;

		memcpy(&moved, keys->judge.findings.table.items[i],
		       sizeof(moved)); /* padding too */
		moved.key.subject = subject_in(places, moved.key.subject);
		moved.cause_subject = subject_in(places, moved.cause_subject);
		moved.explained &= moved.cause_subject.index != RDA_GONE;
		if (moved.key.subject.index == RDA_GONE) { /* of a connection that went */
			moved.key.subject = rda_about_capture(rda_place_capture(moved.places[0]));
			moved.key.overall = RDA_FINDING_RETIRED;
			moved.proof = RDA_PROOF_SUSPECTED;
		}
		rda_findings_make_room(&to->judge.findings);
		finding = rda_table_get(&to->judge.findings.table, &moved.key, &made);
		if (made)
			rda_finding_copy(finding, &moved);
		else
			rda_finding_join(finding, &moved);
	}
}

/* Those that are left. */
static uint32_t take_users(struct rda_key_facts *facts, const struct places *places)
{
	uint32_t left = 0;

	for (uint32_t k = 0; k < facts->user_count; k++) {
		uint32_t flow = flow_in(places, facts->users[k]);

		if (flow == RDA_GONE)
			facts->more_users = true;
		else
			facts->users[left++] = flow;
	}
	return left;
}

static void take_keys(struct rda_result *to, const struct rda_part_keys *keys,
		      const struct places *places)
{
	rda_result_take_keys(to, keys->ledger);
	for (uint32_t i = 0; i < to->key_count; i++) {
		struct rda_key_facts *facts = &to->keys[i];

		facts->id.responder = places->hosts[facts->id.responder];
		facts->user_count = take_users(facts, places);
	}
}

/* Findings of checks of keys are told by nobody else: those of parts are not taken over. */
void rda_part_keys_settle(struct rda_part_keys *keys, struct rda_result *to)
{
	struct places places;

	rda_check_keys_end(&keys->judge);
	find_places(&places, keys, to);
	take_findings(to, keys, &places);
	take_keys(to, keys, &places);
	to->key_log = rda_key_log_new(0);
	g_free(places.flows);
	g_free(places.hosts);
}
