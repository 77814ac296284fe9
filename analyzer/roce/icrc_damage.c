/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Failed ICRCs, counted now and judged at the end.
 */
#include "analyzer/roce/icrc_damage.h"

#include "analyzer/host.h"

#include <string.h>

void rda_icrc_damage_note(struct rda_table *damages, const struct rda_icrc_key *source,
			  const struct rda_address *receiver, enum rda_icrc_check check)
{
	struct rda_icrc_damage_key key;
	struct rda_icrc_damage *damage;

	memset(&key, 0, sizeof(key)); /* padding too: keys are compared as bytes */
	memcpy(&key.source, source, sizeof(key.source));
	memcpy(&key.receiver, receiver, sizeof(key.receiver));
	damage = rda_table_get(damages, &key, NULL);
	damage->mismatched += check == RDA_ICRC_CHECK_MISMATCH;
	damage->damaged += check == RDA_ICRC_CHECK_DAMAGED;
}

void rda_icrc_damage_settle(const struct rda_table *damages, const struct rda_table *sources,
			    struct rda_capture *captures, const struct rda_table *hosts)
{
	for (uint32_t i = 0; i < damages->count; i++) {
		const struct rda_icrc_damage *damage = damages->items[i];
		const struct rda_icrc_source *source = rda_table_find(sources, &damage->key.source);
		enum rda_icrc_verdict verdict = rda_icrc_judge(source, RDA_ICRC_CHECK_MISMATCH);
		struct rda_capture *capture = &captures[damage->key.source.capture];
		struct rda_host *receiver = rda_table_find(hosts, &damage->key.receiver);
		uint64_t bad = damage->damaged;

		if (verdict == RDA_ICRC_BAD)
			bad += damage->mismatched;
		else
			capture->icrc[verdict] += damage->mismatched;
		capture->icrc[RDA_ICRC_BAD] += bad;
		if (receiver)
			receiver->icrc_errors_received += bad;
	}
}
