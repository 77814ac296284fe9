/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values on their way to another process of the same build, on a machine of the same kind: written
 * as they lie in memory, but for pointers. One function for each struct says what it is made of,
 * for writing and for reading alike:
 *
 *     rda_pack_bytes(pack, thing, sizeof(*thing));
 *     rda_pack_block(pack, &thing->list, thing->count, sizeof(*thing->list));
 *
 * Bytes go through a buffer of RDA_PACK_BYTES, so that a value of any size takes no more than that
 * beside itself. What is read is believed: it comes from another part of the same program.
 */
#ifndef RDA_PACK_H
#define RDA_PACK_H

#include "analyzer/base/table.h"

#define RDA_PACK_BYTES (256 * 1024)

/* Sends a buffer; fills one with the next that was sent, and returns how many bytes that is. */
typedef void rda_pack_send(void *context, const uint8_t *bytes, size_t size);
typedef size_t rda_pack_receive(void *context, uint8_t *bytes);

struct rda_pack {
	bool reads;
	bool cut; /* fewer bytes came than were to be read; these are zeros */
	uint8_t *buffer;
	size_t at, end;
	rda_pack_send *send;
	rda_pack_receive *receive;
	void *context;
};

/* One of the two; then rda_pack_end, which sends what is left. */
void rda_pack_write(struct rda_pack *pack, rda_pack_send *send, void *context);
void rda_pack_read(struct rda_pack *pack, rda_pack_receive *receive, void *context);
void rda_pack_end(struct rda_pack *pack);

void rda_pack_bytes(struct rda_pack *pack, void *value, size_t size);

/* What an owned pointer (a pointer to it is given) points to; allocated where it is read. NULL
 * stays NULL. */
void rda_pack_block(struct rda_pack *pack, void *pointer, uint64_t count, size_t size);

/* The items of a table that is initialised, and where it is read empty; `item`: NULL, or what
 * follows the bytes of each. */
void rda_pack_table(struct rda_pack *pack, struct rda_table *table,
		    void (*item)(struct rda_pack *pack, void *item));

/* The members of a GArray, which is read empty. */
struct _GArray;
void rda_pack_array(struct rda_pack *pack, struct _GArray *array);

/* A literal of the program, or NULL: by its place in the program, which is the same one. */
void rda_pack_literal(struct rda_pack *pack, const char **text);

#endif
