/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the headers of an FPDU are. See fpdu_layers.h.
 */
#include "analyzer/engine/fpdu_layers.h"

#include "dissectors/headers.h"

enum { LENGTH_BYTES = 2 }; /* of an FPDU, and of the segment that a Terminate is about */

struct list {
	struct rda_layer *layers;
	unsigned count;
	uint32_t offset;
};

static void add(struct list *list, enum rda_header_id header, bool there, uint32_t bytes)
{
	if (!there)
		return;
	list->layers[list->count++] = (struct rda_layer){
		.header = (uint8_t)header, .length = (uint16_t)bytes, .offset = list->offset};
	list->offset += bytes;
}

/* What it copies of the message that failed. */
static void add_copies(struct list *list, const struct rda_terminate *t)
{
	if (t->has_length)
		list->offset += LENGTH_BYTES;
	add(list, RDA_DDP_TAGGED, t->has_ddp && t->tagged, RDA_DDP_TAGGED_BYTES);
	add(list, RDA_DDP_UNTAGGED, t->has_ddp && !t->tagged, RDA_DDP_UNTAGGED_BYTES);
	add(list, RDA_RDMAP_READ, t->has_rdmap, RDA_RDMAP_READ_BYTES);
}

unsigned rda_fpdu_layers(const struct rda_fpdu_told *told,
			 struct rda_layer layers[RDA_FPDU_LAYERS_MAX])
{
	struct list list = {.layers = layers};
	const struct rda_ulpdu *u = &told->fpdu.ulpdu;

	if (told->is_start) {
		add(&list, RDA_MPA_START, true, RDA_MPA_START_BYTES);
		add(&list, RDA_MPA_DEPTHS, told->start.has_depths, RDA_MPA_DEPTHS_BYTES);
		return list.count;
	}
	list.offset = LENGTH_BYTES;
	add(&list, RDA_DDP_TAGGED, u->present & RDA_HAS(DDP_TAGGED), RDA_DDP_TAGGED_BYTES);
	add(&list, RDA_DDP_UNTAGGED, u->present & RDA_HAS(DDP_UNTAGGED), RDA_DDP_UNTAGGED_BYTES);
	add(&list, RDA_RDMAP_READ, u->present & RDA_HAS(RDMAP_READ), RDA_RDMAP_READ_BYTES);
	add(&list, RDA_RDMAP_ATOMIC, u->present & RDA_HAS(RDMAP_ATOMIC), RDA_RDMAP_ATOMIC_BYTES);
	add(&list, RDA_RDMAP_ATOMIC_ACK, u->present & RDA_HAS(RDMAP_ATOMIC_ACK),
	    RDA_RDMAP_ATOMIC_ACK_BYTES);
	if (u->present & RDA_HAS(RDMAP_TERMINATE)) {
		add(&list, RDA_RDMAP_TERMINATE, true, RDA_RDMAP_TERMINATE_BYTES);
		add_copies(&list, &u->terminate);
	}
	return list.count;
}
