/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kinds of packed data that are unpacked here, step by step: gzip (RFC 1952, by zlib) and zstd
 * (RFC 8878, by libzstd). Both come in members (zstd: frames), one behind the other, each with a
 * beginning of its own. What a file is made of is known to unpack.c.
 */
#ifndef RDA_UNPACKERS_H
#define RDA_UNPACKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of so many bytes at its beginning, or of all there are, a member is known. */
#define RDA_UNPACKERS_MAGIC 4

/* Packed bytes, and room for unpacked ones: a step moves both on. */
struct rda_unpack_step {
	const uint8_t *in;
	size_t in_size;
	uint8_t *out;
	size_t out_size;
	const char
		*damage; /* of DAMAGED: what is wrong with the data; lives as long as the state */
};

enum rda_unpack_result {
	RDA_UNPACK_GOES_ON, /* without a byte in or out: it needs more of either */
	RDA_UNPACK_MEMBER_ENDS,
	RDA_UNPACK_DAMAGED,
	RDA_UNPACK_TOO_LARGE, /* zstd --long: more than 128 MiB of memory would be needed */
};

struct rda_unpacker {
	const char *name;
	bool (*begins)(const uint8_t *bytes, size_t size); /* a member, with these bytes */
	void *(*open)(void);				   /* its state; NULL: out of memory */
	bool (*again)(void *state); /* for the next member, behind the end of one */
	enum rda_unpack_result (*step)(void *state, struct rda_unpack_step *step);
	void (*close)(void *state);
};

/* Of which these are the first bytes; NULL: of none. */
const struct rda_unpacker *rda_unpacker_of(const uint8_t *bytes, size_t size);

#endif
