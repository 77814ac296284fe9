/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is wrong with a file and where, found by reading it again: libwiretap does not tell all.
 * Only for files that can be read a second time: no pipes, no standard input.
 */
#ifndef RDA_DAMAGE_H
#define RDA_DAMAGE_H

#include <stdint.h>

/*
 * Why the record at *offset is not whole: "the file ends inside a packet record: 82 bytes expected,
 * 28 there", or the error of unpacking (g_free). With an offset of RDA_OFFSET_UNKNOWN it is the
 * last record, and *offset is set. NULL when nothing is wrong with it.
 */
char *rda_damage_cut(const char *file, int64_t *offset);

/*
 * The offset of the block of a pcapng, among those before the first packet, whose two lengths
 * differ or cannot be; else RDA_OFFSET_UNKNOWN.
 */
int64_t rda_damage_block(const char *file);

#endif
