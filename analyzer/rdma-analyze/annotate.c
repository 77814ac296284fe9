/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --annotate: comments by frame, and the blocks that they go into. See annotate.h.
 *
 *     packet block   type 4 | length 4 | ... captured 4 | wire 4 | data, padded | options | length
 * 4 ^ comments go here
 */
#include "analyzer/rdma-analyze/annotate.h"

#include "analyzer/rdma-analyze/capture_out.h"
#include "analyzer/rdma-analyze/records.h"

#include <errno.h>
#include <string.h>

enum { CAPTURED_AT = 20, DATA_AT = 28, TRAILER = 4, SECTION_LENGTH_AT = 16 };

/* ---- comments -------------------------------------------------------------------------------- */

static void free_comments(void *comments)
{
	g_ptr_array_free(comments, TRUE);
}

/* "S01 packets-lost (error): 3 packets ..." */
static char *comment_of(const struct rda_finding *finding)
{
	char *text = rda_finding_text(finding);
	const struct rda_check_row *row = rda_finding_check(finding);
	char *comment = g_strdup_printf("%s %s (%s): %s", row->code, row->name,
					rda_severity_name(finding->severity), text ? text : "");

	g_free(text);
	return comment;
}

/* By number of frame: arrays of texts, in the order of findings. */
static GHashTable *collect(const struct rda_result *result)
{
	GHashTable *comments =
		g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, free_comments);

	for (unsigned i = 0; i < rda_result_finding_count(result); i++) {
		const struct rda_finding *finding = rda_result_finding(result, i);

		unsigned count;
		const uint64_t *places = rda_finding_places(finding, &count);

		for (unsigned j = 0; j < count; j++) {
			gint64 number = (gint64)rda_place_number(places[j]);
			GPtrArray *texts = g_hash_table_lookup(comments, &number);

			if (!texts) {
				texts = g_ptr_array_new_with_free_func(g_free);
				g_hash_table_insert(comments, g_memdup2(&number, sizeof(number)),
						    texts);
			}
			g_ptr_array_add(texts, comment_of(finding));
		}
	}
	return comments;
}

static const GPtrArray *comments_on(GHashTable *comments, uint64_t frame)
{
	gint64 number = (gint64)frame;

	return g_hash_table_lookup(comments, &number);
}

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

static void copy_blocks(struct rda_file_records *records, GHashTable *comments,
			struct rda_output *out)
{
	GString *block = g_string_new(NULL);
	bool more = true; /* the first record is begun */

	while (more && read_block(records, block)) {
		const GPtrArray *texts = comments_on(comments, records->frames);

		if (records->record.kind == RDA_RECORD_SECTION &&
		    block->len >= SECTION_LENGTH_AT + 8)
			memset(block->str + SECTION_LENGTH_AT, 0xff, 8);
		if (records->record.kind == RDA_RECORD_PACKET_BLOCK && texts)
			insert(block, texts, records->swapped);
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
	GHashTable *comments;
};

static bool take(void *context, unsigned input, const struct rda_meta *meta,
		 const struct rda_frame *frame)
{
	struct writer *w = context;

	(void)input; /* there is one */
	rda_capture_out_frame(&w->capture, meta, frame, comments_on(w->comments, meta->number));
	return true;
}

static int write_frames(struct rda_run *run, GHashTable *comments, int fd)
{
	struct writer writer = {.comments = comments};

	rda_capture_out_init(&writer.capture, fd);
	rda_run_again(run, take, &writer);
	return rda_capture_out_end(&writer.capture);
}

bool rda_annotate_write(struct rda_run *run, struct rda_outfile *file, char **error)
{
	GHashTable *comments = collect(run->result);
	const struct rda_input *input = rda_run_input(run, 0);
	struct rda_file_records *records =
		input->spool ? NULL : rda_records_open(input->origin.file, error);
	struct rda_output out;
	int failure;

	if (records && rda_records_next(records) && records->record.kind == RDA_RECORD_SECTION) {
		rda_output_init(&out, rda_outfile_fd(file), false);
		copy_blocks(records, comments, &out);
		rda_output_flush(&out);
		failure = out.closed ? EPIPE : out.error;
		rda_output_cleanup(&out);
	} else {
		failure = write_frames(run, comments, rda_outfile_fd(file));
	}
	rda_records_close(records);
	g_hash_table_destroy(comments);
	return rda_outfile_finish(file, failure, error);
}
