/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CRCs of payloads by the packets that had them. See contents.h.
 */
#include "analyzer/rdma-analyze/contents.h"

#include "analyzer/base/table.h"
#include "dissectors/crc32c.h"

#include <glib.h>
#include <string.h>

struct packet_key {
	struct rda_address source, destination;
	uint32_t dest_qp, psn, opcode;
};

struct packet {
	struct packet_key key; /* first: the table's key */
	uint32_t crc;	       /* of the payload that came first */
};

struct rda_contents {
	struct rda_table kept[2]; /* struct packet: the latest, and those before them */
	uint64_t seed;
};

static void begin(struct rda_contents *contents, unsigned table)
{
	rda_table_init(&contents->kept[table], sizeof(struct packet_key), sizeof(struct packet),
		       contents->seed);
}

struct rda_contents *rda_contents_new(uint64_t hash_seed)
{
	struct rda_contents *contents = g_new(struct rda_contents, 1);

	contents->seed = hash_seed;
	begin(contents, 0);
	begin(contents, 1);
	return contents;
}

void rda_contents_free(struct rda_contents *contents)
{
	rda_table_cleanup(&contents->kept[0], NULL);
	rda_table_cleanup(&contents->kept[1], NULL);
	g_free(contents);
}

uint8_t rda_contents_mark(struct rda_contents *contents, const struct rda_packet *packet,
			  const uint8_t *payload, uint32_t length)
{
	uint32_t crc = rda_crc32c(0, payload, length);
	const struct packet *found;
	struct packet_key key;

	memset(&key, 0, sizeof(key)); /* padding too: keys are compared as bytes */
	key.source = packet->source;
	key.destination = packet->destination;
	key.dest_qp = packet->bth.dest_qp;
	key.psn = packet->bth.psn;
	key.opcode = packet->bth.opcode;
	found = rda_table_find(&contents->kept[0], &key);
	if (!found)
		found = rda_table_find(&contents->kept[1], &key);
	if (found)
		return found->crc == crc ? 0 : (uint8_t)(1 + crc % UINT8_MAX);
	if (contents->kept[0].count >= RDA_CONTENTS_KEPT) {
		rda_table_cleanup(&contents->kept[1], NULL);
		contents->kept[1] = contents->kept[0];
		begin(contents, 0);
	}
	((struct packet *)rda_table_get(&contents->kept[0], &key, NULL))->crc = crc;
	return 0;
}
