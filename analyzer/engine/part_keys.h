/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory keys of all parts, while they still read: what each has kept of their events since
 * the last time is told to one ledger, in order, and judged. So nothing grows with the packets, and
 * nothing is left to be done at the end.
 *
 *     part 0   events up to frame 9000 ---+
 *     part 1   events up to frame 9000 ---+--> ledger, checks of group K --> the merged result
 *
 * Without it the results of parts carry their events with them (merge_keys.c).
 */
#ifndef RDA_PART_KEYS_H
#define RDA_PART_KEYS_H

#include "analyzer/base/pack.h"
#include "analyzer/rda.h"

struct rda_part_keys;

/* Of so many engines, which were made with `config`. */
struct rda_part_keys *rda_part_keys_new(const struct rda_config *config, unsigned parts);
void rda_part_keys_free(struct rda_part_keys *keys); /* takes NULL */

/*
 * What the engine of a part has kept is taken, of each part up to the same frames: the n-th of all
 * parts is told when the last of them is there. One thread at a time, and the engine's own.
 */
void rda_part_keys_take(struct rda_part_keys *keys, unsigned part, struct rda_engine *engine);

/* The same of its result, once for each part, behind all else. */
void rda_part_keys_end(struct rda_part_keys *keys, unsigned part, struct rda_result *result);

/*
 * The same for a part in another process: it packs what is new of its engine, and at the end of its
 * result (`known`: hosts that were packed, from 0); whoever has the ledger takes it.
 */
void rda_part_keys_pack(struct rda_pack *pack, struct rda_engine *engine, uint32_t *known);
void rda_part_keys_pack_end(struct rda_pack *pack, struct rda_result *result, uint32_t *known);
void rda_part_keys_unpack(struct rda_part_keys *keys, unsigned part, struct rda_pack *pack);

/* All parts have told all: what is known of keys takes less room from here on. Uniting does it too:
 * this is for before other results come. Takes NULL. */
void rda_part_keys_close(struct rda_part_keys *keys);

/* As rda_result_unite, of the last two: the keys of all are in what is returned. */
struct rda_result *rda_part_keys_unite(struct rda_part_keys *keys, struct rda_result *a,
				       struct rda_result *b);

#endif
