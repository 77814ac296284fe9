/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A temporary file of records: a fixed head as it lies in memory, then the frame's bytes. It is
 * read by the process that wrote it and by no other, so its form is nobody's business.
 */
#include "analyzer/rdma-analyze/spool.h"

#include <errno.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <unistd.h>

struct rda_spool {
	FILE *file;
	GByteArray *bytes; /* of the frame that was handed out */
};

struct head {
	struct rda_meta meta;
	uint32_t captured, wire;
	uint16_t link;
};

struct rda_spool *rda_spool_new(char **error)
{
	char *name = NULL;
	GError *failure = NULL;
	int fd = g_file_open_tmp("rdma-analyze-XXXXXX", &name, &failure);
	struct rda_spool *spool;

	if (fd < 0) {
		*error = g_strdup(failure->message);
		g_error_free(failure);
		return NULL;
	}
	g_unlink(name);
	g_free(name);
	spool = g_new0(struct rda_spool, 1);
	spool->file = fdopen(fd, "w+b");
	spool->bytes = g_byte_array_new();
	g_assert(spool->file); /* fails for want of memory only */
	return spool;
}

void rda_spool_free(struct rda_spool *spool)
{
	if (!spool)
		return;
	fclose(spool->file);
	g_byte_array_unref(spool->bytes);
	g_free(spool);
}

bool rda_spool_add(struct rda_spool *spool, const struct rda_meta *meta,
		   const struct rda_frame *frame)
{
	struct head head = {*meta, frame->captured, frame->wire, frame->link};

	return fwrite(&head, sizeof(head), 1, spool->file) == 1 &&
	       fwrite(frame->bytes, 1, frame->captured, spool->file) == frame->captured;
}

bool rda_spool_rewind(struct rda_spool *spool)
{
	return fflush(spool->file) == 0 && fseek(spool->file, 0, SEEK_SET) == 0;
}

bool rda_spool_next(struct rda_spool *spool, struct rda_meta *meta, struct rda_frame *frame)
{
	struct head head;

	if (fread(&head, sizeof(head), 1, spool->file) != 1)
		return false;
	g_byte_array_set_size(spool->bytes, head.captured);
	if (fread(spool->bytes->data, 1, head.captured, spool->file) != head.captured)
		return false;
	*meta = head.meta;
	*frame = (struct rda_frame){spool->bytes->data, head.captured, head.wire, head.link};
	return true;
}
