/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files of any bytes through the readers.
 *
 *     reader 1 | file
 *
 * A second reading hands out the same frames, with the same end, and a plain pcap the same frame
 * from where it was; where a record is guessed lies behind what was asked for. libwiretap is not
 * here: it is found beside the program only (wiretap_module.h), and has fuzzers of its own.
 */
#define _GNU_SOURCE
#include "analyzer/rdma-analyze/source.h"
#include "tests/fuzz/fuzz_file.h"

#include <glib.h>
#include <string.h>

enum { GUESSES = 16, FRAMES_MAX = 100000 };

static const enum rda_reader readers[] = {RDA_READER_AUTO, RDA_READER_PCAP};

/* What a reading came to. */
struct reading {
	bool opened;
	enum rda_source_result end;
	uint64_t frames, bytes, sum;
	int64_t offset, last_time_ns;
	char reason[256];
};

static void note(struct reading *reading, const struct rda_meta *meta,
		 const struct rda_frame *frame)
{
	RDA_MUST(frame->bytes || !frame->captured);
	RDA_MUST(meta->number == reading->frames + 1);
	reading->frames++;
	reading->bytes += frame->captured;
	reading->last_time_ns = meta->time_ns;
	for (uint32_t i = 0; i < frame->captured; i++) /* each is there */
		reading->sum = reading->sum * 31 + frame->bytes[i];
	reading->sum = reading->sum * 31 + frame->wire + frame->link + meta->tap;
}

/* From where the latest frame began the same frame comes once more. */
static void check_seek(struct rda_source *source, int64_t begin, const struct rda_frame *frame,
		       const struct rda_meta *meta)
{
	uint8_t *bytes = g_memdup2(frame->bytes, frame->captured);
	int64_t end = rda_source_tell(source), time_ns = meta->time_ns;
	uint32_t captured = frame->captured, wire = frame->wire;
	struct rda_frame again;
	struct rda_meta other;

	rda_source_seek(source, begin);
	RDA_MUST(source->next(source, &other, &again) == RDA_SOURCE_FRAME);
	RDA_MUST(again.captured == captured && again.wire == wire && other.time_ns == time_ns);
	RDA_MUST(captured == 0 || memcmp(again.bytes, bytes, captured) == 0);
	RDA_MUST(rda_source_tell(source) == end);
	g_free(bytes);
}

static void check_guesses(struct rda_source *source, int64_t size)
{
	for (int64_t i = 0; i < GUESSES; i++) {
		int64_t from = size * i / GUESSES, found = rda_source_guess(source, from);

		RDA_MUST(found == RDA_OFFSET_UNKNOWN || found >= from);
	}
}

static void read_to_end(struct rda_source *source, struct reading *reading)
{
	struct rda_frame frame;
	struct rda_meta meta;

	while ((reading->end = source->next(source, &meta, &frame)) == RDA_SOURCE_FRAME &&
	       reading->frames < FRAMES_MAX)
		note(reading, &meta, &frame);
	if (reading->end == RDA_SOURCE_DAMAGED) {
		RDA_MUST(source->error);
		g_strlcpy(reading->reason, source->error, sizeof(reading->reason));
		reading->offset = source->offset;
	}
}

static struct reading read_file(const char *name, enum rda_reader reader)
{
	struct reading reading = {.offset = RDA_OFFSET_UNKNOWN};
	char *error = NULL;
	struct rda_source *source = rda_source_open(name, reader, &error, &reading.offset);

	RDA_MUST(!source == !!error);
	if (error)
		g_strlcpy(reading.reason, error, sizeof(reading.reason));
	g_free(error);
	if (!source)
		return reading;
	reading.opened = true;
	read_to_end(source, &reading);
	source->close(source);
	return reading;
}

/* Reads to and fro where that is possible. */
static void seek_in(const char *name, int64_t size)
{
	int64_t offset;
	char *error = NULL;
	struct rda_source *source = rda_source_open(name, RDA_READER_AUTO, &error, &offset);
	struct rda_frame frame;
	struct rda_meta meta;

	g_free(error);
	if (!source)
		return;
	for (int i = 0; rda_source_seeks(source) && i < GUESSES; i++) {
		int64_t begin = rda_source_tell(source);

		if (source->next(source, &meta, &frame) != RDA_SOURCE_FRAME)
			break;
		check_seek(source, begin, &frame, &meta);
	}
	if (rda_source_seeks(source))
		check_guesses(source, size);
	source->close(source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct reading one, two;
	char *name;

	if (size < 1)
		return 0;
	name = rda_fuzz_file(data + 1, size - 1);
	one = read_file(name, readers[data[0] % G_N_ELEMENTS(readers)]);
	two = read_file(name, readers[data[0] % G_N_ELEMENTS(readers)]);
	RDA_MUST(one.opened == two.opened && one.end == two.end);
	RDA_MUST(one.frames == two.frames && one.bytes == two.bytes && one.sum == two.sum);
	RDA_MUST(one.offset == two.offset && one.last_time_ns == two.last_time_ns);
	RDA_MUST(strcmp(one.reason, two.reason) == 0);
	seek_in(name, (int64_t)size - 1);
	return 0;
}
