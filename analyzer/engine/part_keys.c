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
#include "analyzer/facts/key_facts.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

/* What is of one part. */
struct part {
	GArray *hosts; /* uint32_t: the number of each of its hosts, by rda_host.index */
	GQueue logs;   /* struct rda_key_log, owned: those that were not told yet */
};

struct rda_part_keys {
	struct rda_key_ledger *ledger; /* NULL: it is closed */
	/* owned; of the ledger, once that is closed */
	struct rda_key_facts *facts;
	uint32_t fact_count;
	uint64_t not_kept;
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
	rda_key_facts_free(keys->facts, keys->fact_count);
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

/* ---- of other processes ---- */

static void pack_log(struct rda_pack *pack, struct rda_key_log *log)
{
	struct rda_key_log *taken = rda_key_log_take(log);

	rda_key_log_pack(pack, &taken);
	rda_key_log_free(taken);
}

void rda_part_keys_pack(struct rda_pack *pack, struct rda_engine *engine, uint32_t *known)
{
	uint32_t count = engine->hosts.count - *known;

	rda_pack_bytes(pack, &count, sizeof(count));
	for (; *known < engine->hosts.count; ++*known) {
		struct rda_host *host = engine->hosts.items[*known];

		rda_pack_bytes(pack, &host->address, sizeof(host->address));
	}
	pack_log(pack, engine->key_log);
}

void rda_part_keys_pack_end(struct rda_pack *pack, struct rda_result *result, uint32_t *known)
{
	uint32_t count = result->host_count - *known;

	rda_pack_bytes(pack, &count, sizeof(count));
	for (; *known < result->host_count; ++*known)
		rda_pack_bytes(pack, &result->hosts[*known].address, sizeof(struct rda_address));
	pack_log(pack, result->key_log);
}

void rda_part_keys_unpack(struct rda_part_keys *keys, unsigned part, struct rda_pack *pack)
{
	struct rda_key_log *log;
	uint32_t count;

	rda_pack_bytes(pack, &count, sizeof(count));
	for (uint32_t i = 0; i < count; i++) {
		struct rda_address address;

		rda_pack_bytes(pack, &address, sizeof(address));
		know_host(keys, &keys->parts[part], &address);
	}
	rda_key_log_pack(pack, &log);
	take_log(keys, part, log);
}

/* ---- their end ------------------------------------------------------------------------------- */

void rda_part_keys_close(struct rda_part_keys *keys)
{
	if (!keys || !keys->ledger)
		return;
	rda_check_keys_end(&keys->judge);
	keys->fact_count = rda_key_ledger_count(keys->ledger);
	keys->not_kept = rda_key_ledger_not_kept(keys->ledger);
	keys->facts = rda_key_facts_of(keys->ledger, true);
	rda_key_ledger_free(g_steal_pointer(&keys->ledger));
	keys->judge.key_ledger = NULL;
}

/* ---- the merged result ----------------------------------------------------------------------- */

/* A flow of the merged result, by the number that it has here. */
struct flow_place {
	uint64_t number;
	uint32_t index;
};

/* Where hosts are in it, by the numbers that they have here, and flows. */
struct places {
	uint32_t *hosts;	  /* RDA_GONE: it is no more */
	struct flow_place *flows; /* of those that are left, by number */
	uint32_t flow_count;
};

static int by_number(const void *a, const void *b)
{
	uint64_t left = ((const struct flow_place *)a)->number;
	uint64_t right = ((const struct flow_place *)b)->number;

	return (left > right) - (left < right);
}

static void find_places(struct places *to, const struct rda_part_keys *keys,
			const struct rda_result *result)
{
	to->flow_count = result->flow_count;
	to->flows = g_new(struct flow_place, result->flow_count);
	to->hosts = g_new(uint32_t, keys->hosts.count);
	for (uint32_t i = 0; i < result->flow_count; i++) {
		const struct rda_flow_facts *flow = result->flows[i];

		to->flows[i].number = (uint64_t)flow->number * keys->count + flow->part;
		to->flows[i].index = i;
	}
	if (to->flow_count)
		qsort(to->flows, to->flow_count, sizeof(*to->flows), by_number);
	for (uint32_t i = 0; i < keys->hosts.count; i++)
		to->hosts[i] = RDA_GONE;
	for (uint32_t i = 0; i < result->host_count; i++) {
		const struct rda_host *host =
			rda_table_find(&keys->hosts, &result->hosts[i].address);

		if (host)
			to->hosts[host->index] = i;
	}
}

static uint32_t flow_in(const struct places *places, uint32_t flow)
{
	const struct flow_place key = {.number = flow};
	const struct flow_place *place;

	if (!places->flow_count)
		return RDA_GONE;
	place = bsearch(&key, places->flows, places->flow_count, sizeof(*places->flows), by_number);
	return place ? place->index : RDA_GONE;
}

/* False: it is no more. */
static bool move_subject(struct rda_subject *subject, const struct places *places)
{
	const struct rda_moved moved = {.hosts = places->hosts};

	if (subject->kind == RDA_SUBJECT_FLOW)
		subject->index = flow_in(places, subject->index);
	return rda_subject_move(subject, &moved);
}

static void take_findings(struct rda_result *to, const struct rda_part_keys *keys,
			  const struct places *places)
{
	const struct rda_findings *from = &keys->judge.findings;

	to->judge.findings.not_kept += from->not_kept;
	for (uint32_t i = 0; i < from->table.count; i++) {
		struct rda_finding moved;

		memcpy(&moved, from->table.items[i], sizeof(moved)); /* padding too */
		moved.explained = moved.explained && move_subject(&moved.cause_subject, places);
		/* what was captured of a connection that went is not known any more */
		if (move_subject(&moved.key.subject, places) ||
		    rda_judge_settle_gone(&to->judge, &moved, 0))
			rda_findings_take(&to->judge.findings, &moved.key, &moved);
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

/* A key goes with its responder. */
static void take_keys(struct rda_result *to, struct rda_part_keys *keys,
		      const struct places *places)
{
	uint32_t left = 0;

	to->keys = g_steal_pointer(&keys->facts);
	to->key_count = keys->fact_count;
	keys->fact_count = 0;
	to->keys_not_kept = keys->not_kept;
	for (uint32_t i = 0; i < to->key_count; i++) {
		struct rda_key_facts facts = to->keys[i];

		facts.id.responder = places->hosts[facts.id.responder];
		facts.user_count = take_users(&facts, places);
		if (facts.id.responder != RDA_GONE) {
			to->keys[left++] = facts;
			continue;
		}
		to->retired.keys++;
		g_free(facts.users);
		g_free(facts.troubles);
	}
	to->key_count = left;
}

/* Findings of checks of keys are told by nobody else: those of parts are not taken over. */
void rda_part_keys_settle(struct rda_part_keys *keys, struct rda_result *to)
{
	struct places places;

	rda_part_keys_close(keys);
	find_places(&places, keys, to);
	take_findings(to, keys, &places);
	take_keys(to, keys, &places);
	to->key_log = rda_key_log_new(0);
	g_free(places.flows);
	g_free(places.hosts);
}
