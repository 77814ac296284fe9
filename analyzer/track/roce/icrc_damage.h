/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets whose ICRC failed, by sender and receiver, until it is known which of them are damage:
 * the sender is judged when all its packets were seen (icrc_source.h).
 */
#ifndef RDA_ICRC_DAMAGE_H
#define RDA_ICRC_DAMAGE_H

#include "analyzer/track/roce/icrc_source.h"

struct rda_host;

struct rda_icrc_damage_key {
	struct rda_icrc_key source;
	struct rda_address receiver;
};

struct rda_icrc_damage {
	struct rda_icrc_damage_key key; /* first: the table's key */
	uint64_t mismatched, damaged;
	uint64_t copies; /* of those that mismatched: the receiver got them once */
};

/* One more; the table is of struct rda_icrc_damage. */
void rda_icrc_damage_note(struct rda_table *damages, const struct rda_icrc_key *source,
			  const struct rda_address *receiver, enum rda_icrc_check check);

/*
 * A packet whose check was counted is a copy of another (copies.h): its sender sent that once, and
 * its receiver got it once. `sources`: struct rda_icrc_source.
 */
void rda_icrc_damage_copied(struct rda_table *damages, struct rda_table *sources, uint32_t capture,
			    const struct rda_meta *meta, const struct rda_packet *packet,
			    enum rda_icrc_check check);

/*
 * Every source is known (`sources`: struct rda_icrc_source): its failed ICRCs count as bad or
 * absent for their captures, and the bad ones for their receivers (`hosts`: struct rda_host, whose
 * counters are those of `host_values`, by rda_host.index).
 */
void rda_icrc_damage_settle(const struct rda_table *damages, const struct rda_table *sources,
			    struct rda_capture *captures, const struct rda_table *hosts,
			    struct rda_host *host_values);

#endif
