/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * [Memory key]: what became of the key that a packet names, in the whole capture. On the first pass
 * only how often it was used so far is known for good.
 */
#include "plugin/items.h"
#include "plugin/session.h"

#include <inttypes.h>

static void add_range(const struct rda_shown *shown, proto_tree *tree,
		      const struct rda_key_facts *key)
{
	if (!key->has_range)
		return;
	rda_add_number(shown, tree, RDA_OWN_KEY_LOW, key->low);
	if (key->last != UINT64_MAX)
		rda_add_number(shown, tree, RDA_OWN_KEY_HIGH, key->last + 1);
}

static void add_refusals(const struct rda_shown *shown, proto_tree *tree,
			 const struct rda_key_facts *key)
{
	if (!key->refused)
		return;
	rda_add_number(shown, tree, RDA_OWN_KEY_REFUSED, key->refused);
	for (uint32_t i = 0; key->refusals && i < key->refusals->count; i++)
		rda_add_frame(shown, tree, RDA_OWN_KEY_REFUSED_FRAME,
			      rda_place_number(key->refusals->place[i]));
}

void rda_key_show(const struct rda_shown *shown, proto_tree *tree,
		  const struct rda_frame_record *record)
{
	const struct rda_key_facts *key;
	proto_item *item;

	if (!record->key)
		return;
	item = rda_add_number(shown, tree, RDA_OWN_KEY_USE, record->key_uses);
	proto_item_append_text(item, ", key 0x%08" PRIx32,
			       rda_engine_key_number(rda_session_engine(), record->key - 1));
	if (!rda_session_is_finished())
		return;
	key = rda_result_key(rda_session_result(), record->key - 1);
	tree = proto_item_add_subtree(item, rda_ett[RDA_ETT_KEY]);
	rda_add_frame(shown, tree, RDA_OWN_KEY_FIRST, rda_place_number(key->first_place));
	rda_add_number(shown, tree, RDA_OWN_KEY_READS, key->asked[RDA_KEY_USE_READ]);
	rda_add_number(shown, tree, RDA_OWN_KEY_WRITES, key->asked[RDA_KEY_USE_WRITE]);
	rda_add_number(shown, tree, RDA_OWN_KEY_ATOMICS, key->asked[RDA_KEY_USE_ATOMIC]);
	rda_add_number(shown, tree, RDA_OWN_KEY_BYTES, key->bytes);
	add_range(shown, tree, key);
	add_refusals(shown, tree, key);
	rda_add_frame(shown, tree, RDA_OWN_KEY_INVALIDATED,
		      rda_place_number(key->invalidated_place));
}
