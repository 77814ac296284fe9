/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Failed ICRCs, counted now and judged at the end.
 */
#include "analyzer/track/roce/icrc_damage.h"

#include "analyzer/track/host.h"

#include <string.h>

static struct rda_icrc_damage *damage_of(struct rda_table *damages,
					 const struct rda_icrc_key *source,
					 const struct rda_address *receiver)
{
	struct rda_icrc_damage_key key;

	memset(&key, 0, sizeof(key)); /* padding too: keys are compared as bytes */
	memcpy(&key.source, source, sizeof(key.source));
	memcpy(&key.receiver, receiver, sizeof(key.receiver));
	return rda_table_get(damages, &key, NULL);
}

void rda_icrc_damage_note(struct rda_table *damages, const struct rda_icrc_key *source,
			  const struct rda_address *receiver, enum rda_icrc_check check)
{
	struct rda_icrc_damage *damage = damage_of(damages, source, receiver);

	damage->mismatched += check == RDA_ICRC_CHECK_MISMATCH;
	damage->damaged += check == RDA_ICRC_CHECK_DAMAGED;
}

void rda_icrc_damage_copied(struct rda_table *damages, struct rda_table *sources, uint32_t capture,
			    const struct rda_meta *meta, const struct rda_packet *packet,
			    enum rda_icrc_check check)
{
	struct rda_icrc_key key;

	if (check != RDA_ICRC_CHECK_MATCH && check != RDA_ICRC_CHECK_MISMATCH)
		return; /* counted for nobody */
	rda_icrc_key_of(&key, capture, meta, packet);
	rda_icrc_copied(rda_table_get(sources, &key, NULL), check);
	if (check == RDA_ICRC_CHECK_MISMATCH)
		damage_of(damages, &key, &packet->destination)->copies++;
}

void rda_icrc_damage_settle(const struct rda_table *damages, const struct rda_table *sources,
			    struct rda_capture *captures, const struct rda_table *hosts,
			    struct rda_host *host_values)
{
	for (uint32_t i = 0; i < damages->count; i++) {
		const struct rda_icrc_damage *damage = damages->items[i];
		const struct rda_icrc_source *source = rda_table_find(sources, &damage->key.source);
		enum rda_icrc_verdict verdict = rda_icrc_judge(source, RDA_ICRC_CHECK_MISMATCH);
		struct rda_capture *capture = &captures[damage->key.source.capture];
		const struct rda_host *receiver = rda_table_find(hosts, &damage->key.receiver);
		uint64_t bad = damage->damaged;

		if (verdict == RDA_ICRC_BAD)
			bad += damage->mismatched;
		else
			capture->icrc[verdict] += damage->mismatched;
		capture->icrc[RDA_ICRC_BAD] += bad;
		if (receiver)
			host_values[receiver->index].icrc_errors_received +=
				bad - (verdict == RDA_ICRC_BAD ? damage->copies : 0);
	}
}
