/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known of each memory key, as a value: what outputs tell, when nothing more is asked of
 * the ledger, which takes twice as much room.
 */
#ifndef RDA_KEY_FACTS_H
#define RDA_KEY_FACTS_H

#include "analyzer/rda.h"
#include "analyzer/track/keys/key_ledger.h"

/*
 * All that the ledger has, in its order, by its numbers of hosts and flows; for
 * rda_key_facts_free. `spent`: nothing is asked of a key any more, so each is freed.
 */
struct rda_key_facts *rda_key_facts_of(struct rda_key_ledger *ledger, bool spent);
void rda_key_facts_free(struct rda_key_facts *facts, uint32_t count);

#endif
