/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * zlib and libzstd, one step at a time. See unpackers.h.
 */
#include "analyzer/rdma-analyze/unpackers.h"

#include <glib.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

/* ---- gzip ------------------------------------------------------------------------------------ */

#define GZIP_WINDOW (15 + 16) /* zlib: the largest window, and gzip's header and CRC */

static bool gzip_begins(const uint8_t *bytes, size_t size)
{
	return size >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

static void *gzip_open(void)
{
	z_stream *zlib = g_new0(z_stream, 1);

	if (inflateInit2(zlib, GZIP_WINDOW) == Z_OK)
		return zlib;
	g_free(zlib);
	return NULL;
}

static bool gzip_again(void *state)
{
	return inflateReset(state) == Z_OK;
}

static enum rda_unpack_result gzip_step(void *state, struct rda_unpack_step *step)
{
	z_stream *zlib = state;
	const unsigned in = (unsigned)MIN(step->in_size, G_MAXINT);
	const unsigned out = (unsigned)MIN(step->out_size, G_MAXINT);
	int code;

	zlib->next_in = (z_const Bytef *)step->in;
	zlib->avail_in = in;
	zlib->next_out = step->out;
	zlib->avail_out = out;
	code = inflate(zlib, Z_NO_FLUSH);
	step->in += in - zlib->avail_in;
	step->in_size -= in - zlib->avail_in;
	step->out += out - zlib->avail_out;
	step->out_size -= out - zlib->avail_out;
	if (code == Z_STREAM_END)
		return RDA_UNPACK_MEMBER_ENDS;
	if (code == Z_OK || code == Z_BUF_ERROR)
		return RDA_UNPACK_GOES_ON;
	step->damage = zlib->msg ? zlib->msg : zError(code);
	return RDA_UNPACK_DAMAGED;
}

static void gzip_close(void *state)
{
	inflateEnd(state);
	g_free(state);
}

/* ---- zstd ------------------------------------------------------------------------------------ */

/* Frames to be skipped are members, too: pzstd writes one before each frame. */
static bool zstd_begins(const uint8_t *bytes, size_t size)
{
	uint32_t magic;

	if (size < 4)
		return false;
	magic = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
		(uint32_t)bytes[3] << 24;
	return magic == ZSTD_MAGICNUMBER ||
	       (magic & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START;
}

struct zstd {
	ZSTD_DStream *stream;
	size_t wants; /* bytes of input: to the end of a block, or of what else comes as a whole */
};

static void *zstd_open(void)
{
	struct zstd *zstd;
	ZSTD_DStream *stream = ZSTD_createDStream();

	if (!stream)
		return NULL;
	zstd = g_new(struct zstd, 1);
	*zstd = (struct zstd){stream, ZSTD_initDStream(stream)};
	return zstd;
}

static bool zstd_again(void *state)
{
	struct zstd *zstd = state;

	zstd->wants = ZSTD_initDStream(zstd->stream);
	return !ZSTD_isError(zstd->wants);
}

/*
 * Where a call meets damage, how much it had unpacked before is not told. So it gets no more than
 * what it wants, which is a block, and what came before is told by the calls before.
 */
static enum rda_unpack_result zstd_step(void *state, struct rda_unpack_step *step)
{
	struct zstd *zstd = state;
	ZSTD_inBuffer in = {step->in, MIN(step->in_size, zstd->wants), 0};
	ZSTD_outBuffer out = {step->out, step->out_size, 0};
	const size_t code = ZSTD_decompressStream(zstd->stream, &out, &in);

	step->in += in.pos;
	step->in_size -= in.pos;
	step->out += out.pos;
	step->out_size -= out.pos;
	if (!ZSTD_isError(code)) {
		zstd->wants = code;
		return code == 0 ? RDA_UNPACK_MEMBER_ENDS : RDA_UNPACK_GOES_ON;
	}
	step->damage = ZSTD_getErrorName(code);
	return ZSTD_getErrorCode(code) == ZSTD_error_frameParameter_windowTooLarge
		       ? RDA_UNPACK_TOO_LARGE
		       : RDA_UNPACK_DAMAGED;
}

static void zstd_close(void *state)
{
	struct zstd *zstd = state;

	ZSTD_freeDStream(zstd->stream);
	g_free(zstd);
}

/* ---- all ------------------------------------------------------------------------------------- */

static const struct rda_unpacker unpackers[] = {
	{"gzip", gzip_begins, gzip_open, gzip_again, gzip_step, gzip_close},
	{"zstd", zstd_begins, zstd_open, zstd_again, zstd_step, zstd_close},
};

const struct rda_unpacker *rda_unpacker_of(const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < G_N_ELEMENTS(unpackers); i++)
		if (unpackers[i].begins(bytes, size))
			return &unpackers[i];
	return NULL;
}
