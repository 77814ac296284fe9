/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The last phase of an engine, in copies of what it changes. See ending.h.
 */
#include "analyzer/engine/ending.h"

#include "analyzer/base/fetch.h"
#include "analyzer/engine/result_state.h"
#include "analyzer/track/host.h"
#include "analyzer/track/roce/account.h"
#include "analyzer/track/roce/gave_up.h"

#include <glib.h>

/* ---- what only the accounts of connections tell of hosts ------------------------------------- */

/*
 * The resends that a timer began, by the counters of ConnectX: those of its ladder have one of
 * their own.
 */
static void settle_timeouts(struct rda_host *sender, const struct rda_flow *flow)
{
	uint64_t timeouts = rda_account_counts(flow)->resends[RDA_TRIGGER_TIMEOUT];
	struct rda_timer_counts timers = rda_giveup_timers(flow);

	sender->roce_adp_retrans += timers.adaptive;
	sender->local_ack_timeout_err += timeouts - MIN(timers.adaptive, timeouts);
}

void rda_ending_flow(const struct rda_flow *flow, struct rda_host *sender,
		     struct rda_host *receiver)
{
	if (!rda_account_is_whole(flow))
		return;
	rda_host_has_accounts(sender);
	rda_host_has_accounts(receiver);
	settle_timeouts(sender, flow);
	sender->implied_nak_seq_err += rda_account_counts(flow)->resends[RDA_TRIGGER_IMPLIED];
	receiver->duplicate_request += rda_account_duplicates(flow);
	receiver->out_of_sequence += rda_account_unexpected(flow)->out_of_sequence;
}

static void settle_hosts(struct rda_host *hosts, const struct rda_table *flows)
{
	for (uint32_t i = 0; i < flows->count; i++) {
		const struct rda_flow *flow = flows->items[i];

		rda_fetch_item(flows->items, i, flows->count, offsetof(struct rda_flow, account));
		rda_fetch_item(flows->items, i, flows->count, offsetof(struct rda_flow, sender));
		rda_ending_flow(flow, &hosts[flow->sender->index], &hosts[flow->receiver->index]);
	}
}

void rda_ending_given_up(const struct rda_flow *flow, struct rda_host *sender,
			 const struct rda_whole *whole)
{
	struct rda_gave_up gave_up;

	if (!flow->account)
		return;
	gave_up = rda_gave_up(flow, whole->cm, whole->captures, whole->capture_count);
	rda_host_has_requests(sender);
	sender->retry_exceeded +=
		gave_up.kind == RDA_GIVEUP_RETRY || gave_up.kind == RDA_GIVEUP_NAKS;
	/* the last regular timeout shows in nothing that is sent */
	if (gave_up.kind == RDA_GIVEUP_RETRY && gave_up.schedule.timer == RDA_TIMER_ADAPTIVE &&
	    rda_account_is_whole(flow))
		sender->local_ack_timeout_err++;
	sender->rnr_retry_exceeded += gave_up.kind == RDA_GIVEUP_RNR;
}

static void settle_given_up(struct rda_host *hosts, const struct rda_whole *whole)
{
	for (uint32_t i = 0; i < whole->flows->count; i++) {
		const struct rda_flow *flow = whole->flows->items[i];

		rda_fetch_item(whole->flows->items, i, whole->flows->count,
			       offsetof(struct rda_flow, account));
		rda_fetch_item(whole->flows->items, i, whole->flows->count,
			       offsetof(struct rda_flow, sender));
		rda_ending_given_up(flow, &hosts[flow->sender->index], whole);
	}
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* All frames of the captures, whichever engine has them. */
struct rda_capture *rda_ending_all_frames(const struct rda_capture *captures,
					  const struct rda_engine *engine)
{
	struct rda_capture *all = g_memdup2(captures, engine->captures->len * sizeof(*captures));

	for (guint i = 0; i < engine->captures->len; i++)
		all[i].packets += g_array_index(engine->others, struct rda_others_frames, i).frames;
	return all;
}

static void judge(struct rda_ending *ending, const struct rda_engine *engine)
{
	struct rda_capture *all = rda_ending_all_frames(ending->captures, engine);
	struct rda_whole whole = {
		.flows = &engine->flows.table,
		.hosts = &engine->hosts,
		.host_of = ending->hosts,
		.cm = engine->cm,
		.connections = ending->pairs.connections,
		.connection_count = ending->pairs.count,
		.seats = ending->pairs.seats,
		.captures = all,
		.capture_count = engine->captures->len,
	};

	rda_judge_end(&ending->judge, &engine->judge, &whole);
	settle_given_up(ending->hosts, &whole);
	ending->judge.whole.captures = NULL; /* only valid in here */
	g_free(all);
}

void rda_ending_make(struct rda_ending *ending, const struct rda_engine *engine)
{
	ending->captures = g_new(struct rda_capture, engine->captures->len);
	ending->timed = g_new(bool, engine->captures->len);
	for (guint i = 0; i < engine->captures->len; i++) {
		const struct rda_others_frames *others =
			&g_array_index(engine->others, struct rda_others_frames, i);

		ending->captures[i] = g_array_index(engine->captures, struct rda_capture, i);
		ending->timed[i] = ending->captures[i].packets > 0;
		ending->captures[i].back_ns = MAX(ending->captures[i].back_ns, others->back_ns);
		if (others->frames)
			rda_result_add_time(&ending->captures[i], &ending->timed[i],
					    others->first_ns, others->last_ns);
	}
	ending->hosts = g_new(struct rda_host, engine->hosts.count);
	for (uint32_t i = 0; i < engine->hosts.count; i++)
		ending->hosts[i] = *(const struct rda_host *)engine->hosts.items[i];
	settle_hosts(ending->hosts, &engine->flows.table);
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
