/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Items that no bytes of the frame stand for: marked as generated.
 */
#ifndef RDA_PLUGIN_ITEMS_H
#define RDA_PLUGIN_ITEMS_H

#include "plugin/fields.h"
#include "plugin/tree.h"

proto_item *rda_add_number(const struct rda_shown *shown, proto_tree *tree,
			   enum rda_own_field field, uint64_t number);
proto_item *rda_add_seconds(const struct rda_shown *shown, proto_tree *tree,
			    enum rda_own_field field, int64_t ns);
void rda_add_mark(const struct rda_shown *shown, proto_tree *tree, enum rda_own_field field);

/* Nothing is added of frame 0, and of no words. */
void rda_add_frame(const struct rda_shown *shown, proto_tree *tree, enum rda_own_field field,
		   uint64_t frame);
void rda_add_words(const struct rda_shown *shown, proto_tree *tree, enum rda_own_field field,
		   const char *words);

#endif
