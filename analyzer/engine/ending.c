/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The last phase of an engine, in copies of what it changes. See ending.h.
 */
#include "analyzer/engine/ending.h"

#include "analyzer/engine/result_state.h"
#include "analyzer/engine/settle.h"
#include "analyzer/track/roce/icrc_damage.h"

static void judge(struct rda_ending *ending, const struct rda_engine *engine)
{
	struct rda_whole whole = {
		.flows = &engine->flows.table,
		.hosts = &engine->hosts,
		.host_of = ending->hosts,
		.cm = &engine->cm,
		.connections = ending->pairs.connections,
		.connection_count = ending->pairs.count,
		.seats = ending->pairs.seats,
		.captures = ending->captures,
		.capture_count = engine->captures->len,
	};

	rda_judge_end(&ending->judge, &engine->judge, &whole);
	rda_settle_given_up(ending->hosts, whole.flows, whole.cm, whole.captures,
			    whole.capture_count);
}

void rda_ending_make(struct rda_ending *ending, const struct rda_engine *engine)
{
	ending->captures = g_new(struct rda_capture, engine->captures->len);
	ending->timed = g_new(bool, engine->captures->len);
	for (guint i = 0; i < engine->captures->len; i++) {
		const struct rda_time_span *span =
			&g_array_index(engine->elsewhere, struct rda_time_span, i);

		ending->captures[i] = g_array_index(engine->captures, struct rda_capture, i);
		ending->timed[i] = ending->captures[i].packets > 0;
		if (span->any)
			rda_time_span_add(&ending->captures[i], &ending->timed[i], span->first_ns,
					  span->last_ns);
	}
	ending->hosts = g_new(struct rda_host, engine->hosts.count);
	for (uint32_t i = 0; i < engine->hosts.count; i++)
		ending->hosts[i] = *(const struct rda_host *)engine->hosts.items[i];
	rda_icrc_damage_settle(&engine->damages, &engine->icrc, ending->captures, &engine->hosts,
			       ending->hosts);
	rda_settle_hosts(ending->hosts, &engine->flows.table);
	rda_pair_flows(&ending->pairs, &engine->flows.table);
	judge(ending, engine);
}

void rda_ending_cleanup(struct rda_ending *ending)
{
	rda_judge_end_cleanup(&ending->judge);
	rda_pairs_cleanup(&ending->pairs);
	g_free(ending->captures);
	g_free(ending->timed);
	g_free(ending->hosts);
}
