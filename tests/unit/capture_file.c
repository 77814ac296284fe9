/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/capture_file.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/suite.h"

void rda_file_begin(struct rda_file *file, bool big)
{
	*file = (struct rda_file){.big = big};
	file->bytes = g_byte_array_new();
	file->starts = g_array_new(FALSE, FALSE, sizeof(int64_t));
	file->folder = g_dir_make_tmp("rda-XXXXXX", NULL);
	ck_assert_ptr_nonnull(file->folder);
	file->path = g_build_filename(file->folder, "capture", NULL);
}

void rda_file_end(struct rda_file *file)
{
	unlink(file->path);
	rmdir(file->folder);
	g_byte_array_free(file->bytes, TRUE);
	g_array_free(file->starts, TRUE);
	g_free(file->folder);
	g_free(file->path);
}

void rda_file_bytes(struct rda_file *file, const void *bytes, size_t size)
{
	g_byte_array_append(file->bytes, bytes, (guint)size);
}

void rda_file_number(struct rda_file *file, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++) {
		uint8_t byte = (uint8_t)(value >> 8 * (file->big ? size - 1 - i : i));

		rda_file_bytes(file, &byte, 1);
	}
}

static void start_record(struct rda_file *file)
{
	int64_t offset = file->bytes->len;

	g_array_append_val(file->starts, offset);
}

int64_t rda_file_start(const struct rda_file *file, unsigned record)
{
	if (record >= file->starts->len)
		return file->bytes->len;
	return g_array_index(file->starts, int64_t, record);
}

const char *rda_file_write_cut(struct rda_file *file, size_t size)
{
	FILE *out;

	ck_assert_uint_le(size, file->bytes->len);
	out = fopen(file->path, "wb"); /* g_file_set_contents would wait for the disk */
	ck_assert_ptr_nonnull(out);
	if (size > 0)
		ck_assert_uint_eq(fwrite(file->bytes->data, 1, size, out), size);
	ck_assert_int_eq(fclose(out), 0);
	return file->path;
}

const char *rda_file_write(struct rda_file *file)
{
	return rda_file_write_cut(file, file->bytes->len);
}

uint8_t rda_file_byte(unsigned packet, size_t index)
{
	return (uint8_t)(packet * 31 + index * 7 + index / 256);
}

static void put_packet(struct rda_file *file, uint32_t size)
{
	for (uint32_t i = 0; i < size; i++)
		rda_file_number(file, rda_file_byte(file->packets, i), 1);
	file->packets++;
}

/* ---- pcap ------------------------------------------------------------------------------------ */

void rda_pcap_header(struct rda_file *file, uint32_t magic, uint32_t snaplen, uint32_t link)
{
	start_record(file);
	rda_file_number(file, magic, 4);
	rda_file_number(file, 2, 2);
	rda_file_number(file, 4, 2);
	rda_file_number(file, 0, 8);
	rda_file_number(file, snaplen, 4);
	rda_file_number(file, link, 4);
}

static void put_pcap_header(struct rda_file *file, uint32_t seconds, uint32_t fraction,
			    uint32_t captured, uint32_t wire)
{
	start_record(file);
	rda_file_number(file, seconds, 4);
	rda_file_number(file, fraction, 4);
	rda_file_number(file, captured, 4);
	rda_file_number(file, wire, 4);
}

void rda_pcap_packet(struct rda_file *file, uint32_t seconds, uint32_t fraction, uint32_t captured,
		     uint32_t wire)
{
	put_pcap_header(file, seconds, fraction, captured, wire);
	put_packet(file, captured);
}

void rda_pcap_record(struct rda_file *file, uint32_t seconds, uint32_t fraction, const void *bytes,
		     uint32_t size)
{
	put_pcap_header(file, seconds, fraction, size, size);
	rda_file_bytes(file, bytes, size);
	file->packets++;
}

/* ---- pcapng ---------------------------------------------------------------------------------- */

static uint32_t padding(uint32_t size)
{
	return (4 - size % 4) % 4;
}

static void begin_block(struct rda_file *file, uint32_t type, uint32_t body)
{
	start_record(file);
	rda_file_number(file, type, 4);
	rda_file_number(file, body + padding(body) + 12, 4);
}

static void end_block(struct rda_file *file, uint32_t body)
{
	rda_file_number(file, 0, padding(body));
	rda_file_number(file, body + padding(body) + 12, 4);
}

void rda_pcapng_block(struct rda_file *file, uint32_t type, const void *body, uint32_t size)
{
	begin_block(file, type, size);
	rda_file_bytes(file, body, size);
	end_block(file, size);
}

void rda_pcapng_section(struct rda_file *file)
{
	begin_block(file, 0x0a0d0d0a, 16);
	rda_file_number(file, 0x1a2b3c4d, 4);
	rda_file_number(file, 1, 2);
	rda_file_number(file, 0, 2);
	rda_file_number(file, UINT64_MAX, 8);
	end_block(file, 16);
}

void rda_pcapng_interface(struct rda_file *file, uint16_t link, uint32_t snaplen,
			  uint8_t resolution)
{
	uint32_t size = resolution ? 8 + 12 : 8;

	begin_block(file, 1, size);
	rda_file_number(file, link, 2);
	rda_file_number(file, 0, 2);
	rda_file_number(file, snaplen, 4);
	if (resolution) {
		rda_file_number(file, 9, 2); /* if_tsresol */
		rda_file_number(file, 1, 2);
		rda_file_bytes(file, (uint8_t[]){resolution, 0, 0, 0}, 4);
		rda_file_number(file, 0, 4); /* opt_endofopt */
	}
	end_block(file, size);
}

static void begin_enhanced(struct rda_file *file, uint32_t interface, uint64_t time, uint32_t size,
			   uint32_t wire)
{
	begin_block(file, 6, 20 + size);
	rda_file_number(file, interface, 4);
	rda_file_number(file, time >> 32, 4);
	rda_file_number(file, time & UINT32_MAX, 4);
	rda_file_number(file, size, 4);
	rda_file_number(file, wire, 4);
}

void rda_pcapng_packet(struct rda_file *file, uint32_t interface, uint64_t time, uint32_t captured,
		       uint32_t wire)
{
	begin_enhanced(file, interface, time, captured, wire);
	put_packet(file, captured);
	end_block(file, 20 + captured);
}

void rda_pcapng_record(struct rda_file *file, uint32_t interface, uint64_t time, const void *bytes,
		       uint32_t size)
{
	begin_enhanced(file, interface, time, size, size);
	rda_file_bytes(file, bytes, size);
	end_block(file, 20 + size);
	file->packets++;
}

void rda_pcapng_simple(struct rda_file *file, uint32_t captured, uint32_t wire)
{
	begin_block(file, 3, 4 + captured);
	rda_file_number(file, wire, 4);
	put_packet(file, captured);
	end_block(file, 4 + captured);
}

void rda_pcapng_old(struct rda_file *file, uint16_t interface, uint64_t time, uint32_t captured)
{
	begin_block(file, 2, 20 + captured);
	rda_file_number(file, interface, 2);
	rda_file_number(file, 0, 2);
	rda_file_number(file, time >> 32, 4);
	rda_file_number(file, time & UINT32_MAX, 4);
	rda_file_number(file, captured, 4);
	rda_file_number(file, captured, 4);
	put_packet(file, captured);
	end_block(file, 20 + captured);
}

/* ---- what a reader says ---------------------------------------------------------------------- */

static void clear_frame(void *frame)
{
	g_free(((struct rda_seen_frame *)frame)->bytes);
}

static void see_frames(struct rda_seen *seen, struct rda_source *source)
{
	struct rda_frame frame;
	struct rda_meta meta;

	while ((seen->result = source->next(source, &meta, &frame)) == RDA_SOURCE_FRAME) {
		struct rda_seen_frame copy = {meta, frame.captured, frame.wire, frame.link,
					      g_memdup2(frame.bytes, frame.captured)};

		ck_assert_ptr_nonnull(frame.bytes);
		g_array_append_val(seen->frames, copy);
	}
	ck_assert_uint_eq(source->frames, seen->frames->len);
	/* an end is an end, however often it is asked for */
	ck_assert_int_eq(source->next(source, &meta, &frame), seen->result);
	seen->error = g_strdup(source->error);
	seen->offset = source->offset;
}

struct rda_seen *rda_see(const char *path, enum rda_reader reader)
{
	struct rda_seen *seen = g_new0(struct rda_seen, 1);
	struct rda_source *source;

	seen->frames = g_array_new(FALSE, FALSE, sizeof(struct rda_seen_frame));
	g_array_set_clear_func(seen->frames, clear_frame);
	source = rda_source_open(path, reader, &seen->error, &seen->offset);
	if (!source) {
		ck_assert_ptr_nonnull(seen->error);
		return seen;
	}
	seen->opened = true;
	ck_assert_str_eq(source->file, path);
	see_frames(seen, source);
	source->close(source);
	return seen;
}

void rda_seen_free(struct rda_seen *seen)
{
	g_array_free(seen->frames, TRUE);
	g_free(seen->error);
	g_free(seen);
}

const struct rda_seen_frame *rda_seen_frame(const struct rda_seen *seen, unsigned index)
{
	ck_assert_uint_lt(index, seen->frames->len);
	return &g_array_index(seen->frames, struct rda_seen_frame, index);
}

void rda_expect_end(const struct rda_seen *seen, unsigned frames)
{
	ck_assert_msg(seen->opened, "not opened: %s", seen->error);
	ck_assert_msg(seen->result == RDA_SOURCE_END, "damaged at %" G_GINT64_FORMAT ": %s",
		      seen->offset, seen->error);
	ck_assert_uint_eq(seen->frames->len, frames);
}

static void expect_words(const struct rda_seen *seen, int64_t offset, const char *words)
{
	ck_assert_ptr_nonnull(seen->error);
	ck_assert_msg(strstr(seen->error, words) != NULL, "\"%s\" lacks \"%s\"", seen->error,
		      words);
	ck_assert_msg(seen->offset == offset,
		      "%" G_GINT64_FORMAT " and not %" G_GINT64_FORMAT ": %s", seen->offset, offset,
		      seen->error);
}

void rda_expect_damage(const struct rda_seen *seen, unsigned frames, int64_t offset,
		       const char *words)
{
	ck_assert_msg(seen->opened, "not opened: %s", seen->error);
	ck_assert_int_eq(seen->result, RDA_SOURCE_DAMAGED);
	ck_assert_uint_eq(seen->frames->len, frames);
	expect_words(seen, offset, words);
}

void rda_expect_refused(const struct rda_seen *seen, int64_t offset, const char *words)
{
	ck_assert_msg(!seen->opened, "opened, %u frames", seen->frames->len);
	expect_words(seen, offset, words);
}

void rda_expect_frame(const struct rda_seen *seen, unsigned index, unsigned packet, int64_t time_ns,
		      uint32_t captured, uint32_t wire)
{
	const struct rda_seen_frame *frame = rda_seen_frame(seen, index);

	ck_assert_int_eq(frame->meta.time_ns, time_ns);
	ck_assert_uint_eq(frame->captured, captured);
	ck_assert_uint_eq(frame->wire, wire);
	for (uint32_t i = 0; i < captured; i++)
		RDA_CHECK(frame->bytes[i] == rda_file_byte(packet, i), "byte %u of frame %u", i,
			  index);
}

void rda_expect_same(const struct rda_seen *a, const struct rda_seen *b)
{
	ck_assert_uint_eq(a->frames->len, b->frames->len);
	for (unsigned i = 0; i < a->frames->len; i++) {
		const struct rda_seen_frame *f = rda_seen_frame(a, i), *g = rda_seen_frame(b, i);

		RDA_CHECK(f->meta.time_ns == g->meta.time_ns, "frame %u", i);
		RDA_CHECK(f->meta.number == g->meta.number, "frame %u", i);
		RDA_CHECK(f->meta.tap == g->meta.tap, "frame %u", i);
		RDA_CHECK(f->link == g->link, "frame %u", i);
		RDA_CHECK(f->captured == g->captured, "frame %u", i);
		RDA_CHECK(f->wire == g->wire, "frame %u", i);
		RDA_CHECK(f->captured == 0 || memcmp(f->bytes, g->bytes, f->captured) == 0,
			  "frame %u", i);
	}
	ck_assert_int_eq(a->result, b->result);
}
