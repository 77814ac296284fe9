/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory keys of two results, and the words that ATOMICs change: a responder's peers are in
 * both, so what was kept of their events is told to one ledger, and judged as one engine does.
 */
#include "analyzer/engine/merge_part.h"

#include "analyzer/checks/judge.h"

#include <glib.h>

void rda_merge_keys(struct rda_result *to, const struct rda_part part[2])
{
	const struct rda_result *a = part[0].from, *b = part[1].from;
	const struct rda_key_map map_a = {.flows = part[0].flows, .hosts = part[0].hosts};
	const struct rda_key_map map_b = {.flows = part[1].flows, .hosts = part[1].hosts};
	struct rda_key_ledger *ledger;

	to->key_log = rda_key_log_merge(a->key_log, &map_a, b->key_log, &map_b);
	ledger = rda_key_ledger_new(0, to->keys_cap);
	to->judge.whole.host_of = to->hosts;
	rda_judge_keys(&to->judge, to->key_log, ledger);
	to->judge.key_ledger = NULL;
	rda_result_take_keys(to, ledger, true);
	to->keys_not_kept += rda_key_log_not_kept(to->key_log);
	rda_key_ledger_free(ledger);
}
