/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CRCs of payloads by the packets that had them. See contents.h.
 */
#include "analyzer/rdma-analyze/contents.h"

#include "dissectors/crc32c.h"

#include <glib.h>
#include <string.h>

struct packet {
	struct rda_address source, destination; /* with the next three: the table's key */
	uint32_t dest_qp, psn, opcode;
	uint32_t crc; /* of the payload that came first */
};

struct rda_contents {
	GHashTable *kept[2]; /* struct packet: the latest, and those before them */
};

static guint hash_packet(const void *packet)
{
	const uint8_t *bytes = packet;
	guint hash = 5381;

	for (size_t i = 0; i < offsetof(struct packet, crc); i++)
		hash = hash * 33 + bytes[i];
	return hash;
}

static gboolean equal_packets(const void *a, const void *b)
{
	return memcmp(a, b, offsetof(struct packet, crc)) == 0;
}

struct rda_contents *rda_contents_new(void)
{
	struct rda_contents *contents = g_new(struct rda_contents, 1);

	for (unsigned i = 0; i < 2; i++)
		contents->kept[i] = g_hash_table_new_full(hash_packet, equal_packets, g_free, NULL);
	return contents;
}

void rda_contents_free(struct rda_contents *contents)
{
	for (unsigned i = 0; i < 2; i++)
		g_hash_table_destroy(contents->kept[i]);
	g_free(contents);
}

uint8_t rda_contents_mark(struct rda_contents *contents, const struct rda_packet *packet,
			  const uint8_t *payload, uint32_t length)
{
	uint32_t crc = rda_crc32c(0, payload, length);
	const struct packet *found;
	struct packet key;

	memset(&key, 0, sizeof(key)); /* padding too: keys are compared as bytes */
	key.source = packet->source;
	key.destination = packet->destination;
	key.dest_qp = packet->bth.dest_qp;
	key.psn = packet->bth.psn;
	key.opcode = packet->bth.opcode;
	key.crc = crc;
	found = g_hash_table_lookup(contents->kept[0], &key);
	if (!found)
		found = g_hash_table_lookup(contents->kept[1], &key);
	if (found)
		return found->crc == crc ? 0 : (uint8_t)(1 + crc % UINT8_MAX);
	if (g_hash_table_size(contents->kept[0]) >= RDA_CONTENTS_KEPT) {
		GHashTable *older = contents->kept[1];

		contents->kept[1] = contents->kept[0];
		contents->kept[0] = older;
		g_hash_table_remove_all(older);
	}
	g_hash_table_add(contents->kept[0], g_memdup2(&key, sizeof(key)));
	return 0;
}
