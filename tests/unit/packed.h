/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For the tests of what unpacks: packed bytes, of one member or several, of the kinds that
 * unpackers.h knows.
 */
#ifndef RDA_TEST_PACKED_H
#define RDA_TEST_PACKED_H

#include <glib.h>

#include "tests/unit/capture_file.h"

enum rda_packer { RDA_GZIP, RDA_ZSTD, RDA_PACKERS };

extern const char *const rda_packer_names[RDA_PACKERS];

/* Puts these bytes behind `members`, packed as one more member. */
void rda_pack(GByteArray *members, enum rda_packer packer, const void *bytes, size_t size);

/* Packs the file: the bytes before `first` as one member, those behind it, if any, as another. */
void rda_file_pack(struct rda_file *file, enum rda_packer packer, size_t first);

#endif
