/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frames of one interface. See source_interface.h.
 */
#include "analyzer/rdma-analyze/source_interface.h"

#include <glib.h>

struct interface_source {
	struct rda_source source; /* first */
	struct rda_source *file;  /* owned */
	uint32_t interface;
};

static enum rda_source_result next(struct rda_source *source, struct rda_meta *meta,
				   struct rda_frame *frame)
{
	struct interface_source *of = (struct interface_source *)source;
	enum rda_source_result result;

	do
		result = of->file->next(of->file, meta, frame);
	while (result == RDA_SOURCE_FRAME && meta->tap != of->interface);
	source->position = of->file->position;
	source->dropped = of->file->dropped;
	source->frames += result == RDA_SOURCE_FRAME;
	if (result == RDA_SOURCE_DAMAGED) {
		g_free(source->error);
		source->error = g_strdup(of->file->error);
		source->offset = of->file->offset;
	}
	return result;
}

static void close_source(struct rda_source *source)
{
	struct interface_source *of = (struct interface_source *)source;

	of->file->close(of->file);
	g_free(source->error);
	g_free(source->file);
	g_free(of);
}

struct rda_source *rda_source_interface(struct rda_source *file, uint32_t interface)
{
	struct interface_source *of = g_new0(struct interface_source, 1);

	of->source = (struct rda_source){
		.next = next,
		.close = close_source,
		.file = g_strdup(file->file),
		.offset = RDA_OFFSET_UNKNOWN,
		.size = file->size,
	};
	of->file = file;
	file->one = true;
	file->tap = interface;
	of->interface = interface;
	return &of->source;
}
