/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Small blocks of memory, for allocator.c. What is kept of a connection lies in some twenty of
 * them, and with many connections each line of memory that is touched costs more than what is done
 * with it.
 *
 *     range   | slab | slab | slab | ...     nothing yet         |   address space, put by once
 *     slab    | block | block | block | ...  never used yet  |       64 KiB of blocks of one size
 *
 * So a block has nothing beside it, and is never joined with its neighbours: to take or to give one
 * needs the first bytes of that block and a line for its slab. A slab of which no block is in use
 * serves any size: thus what was freed of an engine is room for its result. Of more than a few such
 * slabs the memory goes back to the system.
 *
 * Each thread takes blocks of slabs that others leave alone, behind a lock that hardly ever is
 * waited for; any thread may give any block. The end of a chain of blocks within a slab is a number
 * of 16 bits, so that whoever writes into a block that was given reaches no other slab.
 *
 * Where address space or data has a limit (RLIMIT_AS, RLIMIT_DATA: what is put by, and slabs of
 * which little is used, would count), and with pointers of 32 bits, there are no such blocks.
 */
#ifndef RDA_BLOCKS_H
#define RDA_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

/* Larger ones are not kept here. */
#define RDA_BLOCK_MOST 2048

/* A block of at least so many bytes, aligned to 16; *zero: all of them are 0. NULL: it is too
 * large, or there is no room. */
void *rda_block_take(size_t size, bool *zero);

/* Whether it is one of these blocks; any address may be asked for. */
bool rda_block_is(const void *memory);

/* Of one of them: what it has room for; and back with it. */
size_t rda_block_size(const void *memory);
void rda_block_give(void *memory);

#endif
