/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks the records of a file up to its damage. See damage.h.
 */
#include "analyzer/rdma-analyze/damage.h"

#include <glib.h>
#include <string.h>
#include <sys/stat.h>

#include "analyzer/rdma-analyze/records.h"
#include "analyzer/rdma-analyze/source.h"

static bool is_rereadable(const char *file)
{
	struct stat status;

	return strcmp(file, "-") != 0 && stat(file, &status) == 0 && S_ISREG(status.st_mode);
}

char *rda_damage_cut(const char *file, int64_t *offset)
{
	int64_t wanted = *offset == RDA_OFFSET_UNKNOWN ? INT64_MAX : *offset;
	char *error = NULL, *words = NULL;
	struct rda_file_records *records =
		is_rereadable(file) ? rda_records_open(file, &error) : NULL;

	g_free(error);
	if (!records)
		return NULL;
	while (rda_records_next(records) && records->record.offset < wanted)
		continue;
	if (records->record.offset == wanted)
		rda_records_next(records); /* goes to the end of this one, and stays there if cut */
	if (records->record.offset == wanted || wanted == INT64_MAX) {
		words = records->error ? g_strdup(records->error) : rda_records_cut_words(records);
		if (words)
			*offset = records->record.offset;
	}
	rda_records_close(records);
	return words;
}

/* The least length of a block of a kind: its header, the fixed part of its body, and its trailer.
 */
static uint64_t least_length(uint8_t kind)
{
	switch (kind) {
	case RDA_RECORD_SECTION: return 28;
	case RDA_RECORD_INTERFACE: return 20;
	default: return 12;
	}
}

/* Goes through the current block to its last four bytes, which repeat its length. */
static bool block_is_sound(struct rda_file_records *records)
{
	uint64_t left = records->record.length;
	const uint8_t *trailer;
	uint32_t length;
	size_t n;

	if (records->record.length < least_length(records->record.kind))
		return false;
	for (; left > 4; left -= n) {
		n = rda_records_read(records, NULL, (size_t)left - 4);
		if (n == 0)
			return false;
	}
	trailer = rda_records_take(records, 4);
	if (!trailer)
		return false;
	memcpy(&length, trailer, sizeof(length));
	return (records->swapped ? GUINT32_SWAP_LE_BE(length) : length) == records->record.length;
}

int64_t rda_damage_block(const char *file)
{
	char *error = NULL;
	struct rda_file_records *records =
		is_rereadable(file) ? rda_records_open(file, &error) : NULL;
	int64_t offset = RDA_OFFSET_UNKNOWN;

	g_free(error);
	while (records && offset == RDA_OFFSET_UNKNOWN && rda_records_next(records)) {
		if (records->record.kind != RDA_RECORD_SECTION &&
		    records->record.kind != RDA_RECORD_INTERFACE)
			break;
		if (!block_is_sound(records))
			offset = records->record.offset;
	}
	rda_records_close(records);
	return offset;
}
