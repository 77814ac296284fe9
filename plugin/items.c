/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See items.h.
 */
#include "plugin/items.h"

proto_item *rda_add_number(const struct rda_shown *shown, proto_tree *tree,
			   enum rda_own_field field, uint64_t number)
{
	int hf = rda_own_hf[field];
	proto_item *item;

	if (proto_registrar_get_ftype(hf) == FT_UINT64)
		item = proto_tree_add_uint64(tree, hf, shown->tvb, 0, 0, number);
	else
		item = proto_tree_add_uint(tree, hf, shown->tvb, 0, 0, (uint32_t)number);
	proto_item_set_generated(item);
	return item;
}

proto_item *rda_add_seconds(const struct rda_shown *shown, proto_tree *tree,
			    enum rda_own_field field, int64_t ns)
{
	proto_item *item =
		proto_tree_add_double(tree, rda_own_hf[field], shown->tvb, 0, 0, (double)ns / 1e9);

	proto_item_append_text(item, " s");
	proto_item_set_generated(item);
	return item;
}

void rda_add_mark(const struct rda_shown *shown, proto_tree *tree, enum rda_own_field field)
{
	proto_item_set_generated(
		proto_tree_add_item(tree, rda_own_hf[field], shown->tvb, 0, 0, ENC_NA));
}

void rda_add_frame(const struct rda_shown *shown, proto_tree *tree, enum rda_own_field field,
		   uint64_t frame)
{
	if (frame)
		rda_add_number(shown, tree, field, frame);
}

void rda_add_words(const struct rda_shown *shown, proto_tree *tree, enum rda_own_field field,
		   const char *words)
{
	if (words)
		proto_item_set_generated(
			proto_tree_add_string(tree, rda_own_hf[field], shown->tvb, 0, 0, words));
}
