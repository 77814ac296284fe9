/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The blocks of a pcapng handed through, or the frames of a run written anew. See capture_copy.h.
 *
 *     packet block   type 4 | length 4 | ... captured 4 | wire 4 | data, padded | options | length
 * 4 ^ comments go here
 */
#include "analyzer/rdma-analyze/capture_copy.h"

#include "analyzer/rdma-analyze/capture_out.h"
#include "analyzer/rdma-analyze/records.h"

#include <string.h>

enum { CAPTURED_AT = 20, DATA_AT = 28, TRAILER = 4, SECTION_LENGTH_AT = 16 };

/* ---- pcapng ---------------------------------------------------------------------------------- */

static uint32_t number_at(const GString *block, gsize at, bool swapped)
{
	uint32_t number;

	memcpy(&number, block->str + at, sizeof(number));
	return swapped ? GUINT32_SWAP_LE_BE(number) : number;
}

static void set_number(GString *block, gsize at, uint32_t number, bool swapped)
{
	number = swapped ? GUINT32_SWAP_LE_BE(number) : number;
	memcpy(block->str + at, &number, sizeof(number));
}

/* A packet block that contradicts itself stays as it is. */
static void insert(GString *block, const GPtrArray *comments, bool swapped)
{
	GString *options;
	gsize at;

	if (block->len < DATA_AT + TRAILER)
		return;
	at = DATA_AT + (((gsize)number_at(block, CAPTURED_AT, swapped) + 3) & ~(gsize)3);
	if (at + TRAILER > block->len)
		return;
	options = g_string_new(NULL);
	rda_capture_out_comments(options, comments, swapped);
	if (at + TRAILER == block->len)
		g_string_append_len(options, "\0\0\0", 4); /* the end of options */
	g_string_insert_len(block, (gssize)at, options->str, (gssize)options->len);
	g_string_free(options, TRUE);
	set_number(block, 4, (uint32_t)block->len, swapped);
	set_number(block, block->len - TRAILER, (uint32_t)block->len, swapped);
}

/* The current record; false where the file ends inside of it. */
static bool read_block(struct rda_file_records *records, GString *block)
{
	char bytes[16384];
	size_t n;

	g_string_truncate(block, 0);
	while ((n = rda_records_read(records, bytes, sizeof(bytes))) > 0)
		g_string_append_len(block, bytes, (gssize)n);
	return !records->cut && !records->error;
}

static bool is_frame(const struct rda_file_records *records)
{
	return records->record.kind == RDA_RECORD_PACKET_BLOCK ||
	       records->record.kind == RDA_RECORD_SIMPLE_PACKET;
}

static void copy_blocks(struct rda_file_records *records, rda_capture_copy_choose *choose,
			void *context, struct rda_output *out)
{
	GString *block = g_string_new(NULL);
	bool more = true; /* the first record is begun */

	while (more && read_block(records, block)) {
		const GPtrArray *texts = NULL;
		bool wanted = !is_frame(records) || choose(context, records->frames, &texts);

		if (records->record.kind == RDA_RECORD_SECTION &&
		    block->len >= SECTION_LENGTH_AT + 8)
			memset(block->str + SECTION_LENGTH_AT, 0xff, 8);
		if (records->record.kind == RDA_RECORD_PACKET_BLOCK && texts)
			insert(block, texts, records->swapped);
		if (wanted)
			g_string_append_len(out->text, block->str, (gssize)block->len);
		if (!rda_output_more(out))
			break;
		more = rda_records_next(records);
	}
	g_string_free(block, TRUE);
}

/* ---- other formats --------------------------------------------------------------------------- */

struct writer {
	struct rda_capture_out capture;
	rda_capture_copy_choose *choose;
	void *context;
};

static bool take(void *context, unsigned input, const struct rda_meta *meta,
		 const struct rda_frame *frame)
{
	struct writer *w = context;
	const GPtrArray *texts = NULL;

	(void)input; /* there is one file, whose frames have their own numbers */
	if (w->choose(w->context, meta->number, &texts))
		rda_capture_out_frame(&w->capture, meta, frame, texts);
	return true;
}

static int write_frames(struct rda_run *run, rda_capture_copy_choose *choose, void *context, int fd)
{
	struct writer writer = {.choose = choose, .context = context};

	rda_capture_out_init(&writer.capture, fd);
	rda_run_again_as_filed(run, take, &writer);
	return rda_capture_out_end(&writer.capture);
}

bool rda_capture_copy(struct rda_run *run, struct rda_outfile *file,
		      rda_capture_copy_choose *choose, void *context, char **error)
{
	const struct rda_input *input = rda_run_input(run, 0);
	char *unreadable = NULL; /* which is said when it is read again */
	struct rda_file_records *records =
		input->spool ? NULL : rda_records_open(input->origin.file, &unreadable);
	struct rda_output out;
	int failure;

	if (records && rda_records_next(records) && records->record.kind == RDA_RECORD_SECTION) {
		rda_output_init(&out, rda_outfile_fd(file), false);
		copy_blocks(records, choose, context, &out);
		failure = rda_output_failure(&out);
		rda_output_cleanup(&out);
	} else {
		failure = write_frames(run, choose, context, rda_outfile_fd(file));
	}
	rda_records_close(records);
	g_free(unreadable);
	return rda_outfile_finish(file, failure, error);
}
