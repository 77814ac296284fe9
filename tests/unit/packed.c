/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/packed.h"

#include <zlib.h>
#include <zstd.h>

#include "tests/unit/suite.h"

const char *const rda_packer_names[RDA_PACKERS] = {"gzip", "zstd"};

static size_t gzip(const void *bytes, size_t size, uint8_t *out, size_t room)
{
	z_stream z = {.next_in = (z_const Bytef *)bytes, .avail_in = (uInt)size};

	ck_assert_int_eq(deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	z.next_out = out;
	z.avail_out = (uInt)room;
	ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
	size = z.total_out;
	deflateEnd(&z);
	return size;
}

/* With a checksum, which is not the default of the library, but that of the command. */
static size_t zstd(const void *bytes, size_t size, uint8_t *out, size_t room)
{
	ZSTD_CCtx *context = ZSTD_createCCtx();

	ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
	size = ZSTD_compress2(context, out, room, bytes, size);
	ck_assert(!ZSTD_isError(size));
	ZSTD_freeCCtx(context);
	return size;
}

void rda_pack(GByteArray *members, enum rda_packer packer, const void *bytes, size_t size)
{
	const size_t room = size + size / 100 + 1000;
	uint8_t *out = g_malloc(room);

	size = packer == RDA_GZIP ? gzip(bytes, size, out, room) : zstd(bytes, size, out, room);
	g_byte_array_append(members, out, (guint)size);
	g_free(out);
}

void rda_file_pack(struct rda_file *file, enum rda_packer packer, size_t first)
{
	GByteArray *packed = g_byte_array_new();

	rda_pack(packed, packer, file->bytes->data, first);
	if (first < file->bytes->len)
		rda_pack(packed, packer, file->bytes->data + first, file->bytes->len - first);
	g_byte_array_free(file->bytes, TRUE);
	file->bytes = packed;
}
