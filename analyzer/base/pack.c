/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values as bytes, and bytes as values. See pack.h.
 */
#include "analyzer/base/pack.h"

#include <glib.h>
#include <string.h>

/* Literals are told by how far they are from this one. */
static const char here[] = "";

void rda_pack_write(struct rda_pack *pack, rda_pack_send *send, void *context)
{
	*pack = (struct rda_pack){
		.buffer = g_malloc(RDA_PACK_BYTES), .send = send, .context = context};
}

void rda_pack_read(struct rda_pack *pack, rda_pack_receive *receive, void *context)
{
	*pack = (struct rda_pack){.reads = true,
				  .buffer = g_malloc(RDA_PACK_BYTES),
				  .receive = receive,
				  .context = context};
}

static void send(struct rda_pack *pack)
{
	if (pack->at)
		pack->send(pack->context, pack->buffer, pack->at);
	pack->at = 0;
}

void rda_pack_end(struct rda_pack *pack)
{
	if (!pack->reads)
		send(pack);
	g_free(pack->buffer);
	pack->buffer = NULL;
}

static void write_bytes(struct rda_pack *pack, const uint8_t *from, size_t size)
{
	while (size) {
		size_t part = MIN(size, RDA_PACK_BYTES - pack->at);

		memcpy(pack->buffer + pack->at, from, part);
		pack->at += part;
		from += part;
		size -= part;
		if (pack->at == RDA_PACK_BYTES)
			send(pack);
	}
}

static void read_bytes(struct rda_pack *pack, uint8_t *to, size_t size)
{
	while (size) {
		size_t part;

		if (pack->at == pack->end && !pack->cut) {
			pack->at = 0;
			pack->end = pack->receive(pack->context, pack->buffer);
			pack->cut = pack->end == 0;
		}
		if (pack->cut) {
			memset(to, 0, size);
			return;
		}
		part = MIN(size, pack->end - pack->at);
		memcpy(to, pack->buffer + pack->at, part);
		pack->at += part;
		to += part;
		size -= part;
	}
}

void rda_pack_bytes(struct rda_pack *pack, void *value, size_t size)
{
	if (pack->reads)
		read_bytes(pack, value, size);
	else
		write_bytes(pack, value, size);
}

void rda_pack_block(struct rda_pack *pack, void *pointer, uint64_t count, size_t size)
{
	void *block;
	bool there;

	memcpy(&block, pointer, sizeof(block));
	there = block != NULL;
	rda_pack_bytes(pack, &there, sizeof(there));
	if (pack->reads) {
		block = there && !pack->cut ? g_malloc_n(MAX(count, 1), size) : NULL;
		memcpy(pointer, &block, sizeof(block));
	}
	if (block)
		rda_pack_bytes(pack, block, count * size);
}

void rda_pack_table(struct rda_pack *pack, struct rda_table *table,
		    void (*item)(struct rda_pack *pack, void *item))
{
	uint32_t count = table->count;
	uint8_t *bytes = g_malloc(table->item_size);

	rda_pack_bytes(pack, &count, sizeof(count));
	for (uint32_t i = 0; i < count && !pack->cut; i++) {
		void *at = pack->reads ? NULL : table->items[i];

		if (pack->reads) {
			rda_pack_bytes(pack, bytes, table->item_size);
			at = rda_table_get(table, bytes, NULL);
			memcpy(at, bytes, table->item_size);
		} else {
			rda_pack_bytes(pack, at, table->item_size);
		}
		if (item)
			item(pack, at);
	}
	g_free(bytes);
}

void rda_pack_array(struct rda_pack *pack, GArray *array)
{
	guint count = array->len;

	rda_pack_bytes(pack, &count, sizeof(count));
	g_array_set_size(array, count);
	rda_pack_bytes(pack, array->data, (size_t)count * g_array_get_element_size(array));
}

void rda_pack_literal(struct rda_pack *pack, const char **text)
{
	/* 0 is `here` itself, which nobody has */
	intptr_t away = *text && !pack->reads ? (intptr_t)*text - (intptr_t)here : 0;

	rda_pack_bytes(pack, &away, sizeof(away));
	if (pack->reads) {
		const char *there = (const char *)((intptr_t)here + away);

		*text = away ? there : NULL;
	}
}
