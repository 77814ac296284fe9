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

	rda_table_init(&keys->unknown, sizeof(uint32_t), sizeof(struct rda_key_unknown), hash_seed);
	return keys;
}

void rda_keys_state_free(struct rda_keys_state *keys)
{
	for (uint32_t i = 0; i < keys->host_count; i++) {
		g_free(keys->hosts[i].scan);
		g_free(keys->hosts[i].numbers);
	}
	g_free(keys->hosts);
	rda_table_cleanup(&keys->unknown, NULL);
	g_free(keys);
}

struct rda_key_host *rda_keys_host(struct rda_keys_state *keys, uint32_t host)
{
	uint32_t count = keys->host_count;

	if (host >= count) {
		keys->host_count = MAX(host + 1, 2 * count);
		keys->hosts = g_renew(struct rda_key_host, keys->hosts, keys->host_count);
		memset(keys->hosts + count, 0,
		       (keys->host_count - count) * sizeof(struct rda_key_host));
	}
	return &keys->hosts[host];
}
