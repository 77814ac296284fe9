/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The life of what the checks of memory keys remember; what becomes of it is up to them.
 */
#include "analyzer/checks/keys/state.h"

#include <glib.h>
#include <string.h>

struct rda_keys_state *rda_keys_state_new(uint64_t hash_seed)
{
	struct rda_keys_state *keys = g_new0(struct rda_keys_state, 1);

	rda_key_ledger_init(&keys->ledger, hash_seed, 0);
	rda_clear_text_init(&keys->clear);
	return keys;
}

void rda_keys_state_free(struct rda_keys_state *keys)
{
	rda_key_ledger_cleanup(&keys->ledger);
	rda_clear_text_cleanup(&keys->clear);
	for (uint32_t i = 0; i < keys->host_count; i++) {
		g_free(keys->hosts[i].scan);
		g_free(keys->hosts[i].numbers);
	}
	g_free(keys->hosts);
	g_free(keys);
}

struct rda_key_host *rda_keys_host(struct rda_keys_state *keys, const struct rda_host *host)
{
	uint32_t count = keys->host_count;

	if (host->index >= count) {
		keys->host_count = MAX(host->index + 1, 2 * count);
		keys->hosts = g_renew(struct rda_key_host, keys->hosts, keys->host_count);
		memset(keys->hosts + count, 0,
		       (keys->host_count - count) * sizeof(struct rda_key_host));
	}
	return &keys->hosts[host->index];
}

struct rda_keys_watch *rda_keys_watch(struct rda_flow *flow)
{
	if (!flow->watch.keys) {
		flow->watch.keys = g_new0(struct rda_keys_watch, 1);
		flow->watch.keys->refused_psn = -1;
	}
	return flow->watch.keys;
}

void rda_keys_watch_free(struct rda_flow *flow)
{
	if (!flow->watch.keys)
		return;
	rda_key_queue_cleanup(&flow->watch.keys->queue);
	g_free(flow->watch.keys);
	flow->watch.keys = NULL;
}
