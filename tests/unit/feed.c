/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets for the engine. See feed.h.
 */
#include "tests/unit/feed.h"

#include "tests/unit/suite.h"

enum { MAD_HEADER = 24, MAD_TOTAL = 256 };

static struct rda_extended extended_of(const struct rda_build *b)
{
	struct rda_extended extended = {.length = b->length};

	ck_assert_uint_le(b->length, sizeof(extended.bytes));
	memcpy(extended.bytes, b->bytes, b->length);
	return extended;
}

struct rda_extended rda_reth(uint64_t va, uint32_t rkey, uint32_t length)
{
	struct rda_build b = {0};

	rda_put64(&b, va);
	rda_put32(&b, rkey);
	rda_put32(&b, length);
	return extended_of(&b);
}

struct rda_extended rda_aeth(uint8_t syndrome, uint32_t msn)
{
	struct rda_build b = {0};

	rda_put8(&b, syndrome);
	rda_put24(&b, msn);
	return extended_of(&b);
}

struct rda_extended rda_deth(uint32_t src_qp)
{
	struct rda_build b = {0};

	rda_put32(&b, 0x80010000);
	rda_put32(&b, src_qp);
	return extended_of(&b);
}

struct rda_recipe rda_packet_of(uint8_t from, uint8_t to, uint32_t dest_qp, uint8_t opcode,
				uint32_t psn)
{
	return (struct rda_recipe){.from = from,
				   .to = to,
				   .source_port = 0xc000,
				   .dest_qp = dest_qp,
				   .opcode = opcode,
				   .psn = psn & 0xffffff};
}

struct rda_recipe rda_with(struct rda_recipe recipe, const struct rda_extended *extended)
{
	recipe.extended = extended->bytes;
	recipe.extended_length = extended->length;
	return recipe;
}

void rda_feed_begin(struct rda_feed *feed)
{

	memset(feed, 0, sizeof(*feed));
	feed->engine = rda_engine_new(NULL);
	feed->meta.time_ns = INT64_C(1700000000000000000);
}

void rda_feed_end(struct rda_feed *feed)
{
	rda_engine_drop(feed->engine);
	feed->engine = NULL;
}

const struct rda_packet *rda_feed_frame(struct rda_feed *feed, const struct rda_build *b,
					uint32_t captured, uint16_t link)
{
	struct rda_frame frame = rda_exact_frame(b->bytes, captured, b->length, link);
	const struct rda_packet *packet;

	feed->meta.number++;
	feed->meta.time_ns += RDA_FEED_STEP_NS;
	packet = rda_engine_packet(feed->engine, &feed->meta, &frame);
	rda_frame_free(&frame); /* the engine has borrowed it for the call only */
	return packet;
}

const struct rda_packet *rda_feed(struct rda_feed *feed, const struct rda_recipe *recipe)
{
	struct rda_built built;

	rda_build_packet(&built, recipe);
	return rda_feed_frame(feed, &built.b, built.b.length, built.link);
}

void rda_feed_send(struct rda_feed *feed, uint8_t from, uint8_t to, uint32_t dest_qp,
		   uint16_t source_port, uint32_t psn)
{
	struct rda_recipe recipe = rda_packet_of(from, to, dest_qp, 0x04, psn);

	recipe.source_port = source_port;
	rda_feed(feed, &recipe);
}

void rda_feed_acknowledge(struct rda_feed *feed, uint8_t from, uint8_t to, uint32_t dest_qp,
			  uint16_t source_port, uint32_t psn)
{
	struct rda_extended aeth = rda_aeth(0x1f, 1);
	struct rda_recipe recipe = rda_with(rda_packet_of(from, to, dest_qp, 0x11, psn), &aeth);

	recipe.source_port = source_port;
	rda_feed(feed, &recipe);
}

void rda_feed_datagram(struct rda_feed *feed, uint8_t from, uint8_t to, uint32_t src_qp,
		       uint32_t dest_qp)
{
	struct rda_extended deth = rda_deth(src_qp);
	struct rda_recipe recipe = rda_with(rda_packet_of(from, to, dest_qp, 0x64, 1), &deth);

	rda_feed(feed, &recipe);
}

unsigned rda_feed_connections(struct rda_feed *feed)
{
	unsigned count = 0;

	rda_engine_finish(feed->engine);
	for (unsigned i = 0; i < rda_engine_connection_count(feed->engine); i++)
		count += rda_engine_connection(feed->engine, i)->service == RDA_SERVICE_RC;
	return count;
}

uint64_t rda_feed_cases(const struct rda_feed *feed, enum rda_check check)
{
	uint64_t cases = 0;

	for (unsigned i = 0; i < rda_engine_finding_count(feed->engine); i++) {
		const struct rda_finding *finding = rda_engine_finding(feed->engine, i);

		cases += finding->key.check == check ? finding->count : 0;
	}
	return cases;
}

/* ---- connection management ------------------------------------------------------------------- */

/* Into the body of a REQ or REP. */
static void put24(uint8_t *p, uint32_t value)
{
	p[0] = (uint8_t)(value >> 16);
	p[1] = (uint8_t)(value >> 8);
	p[2] = (uint8_t)value;
}

static void put_limits(uint8_t *body, const struct rda_cm_message *message)
{
	if (message->attribute == 0x10) {
		put24(body + 44, message->psn);
		body[35] = message->resources;
		body[39] = message->depth;
		body[47] = message->retry_count;
		body[50] = (uint8_t)(message->path_mtu << 4 | message->rnr_retry_count);
		body[95] = (uint8_t)(message->ack_timeout << 3);
	} else if (message->attribute == 0x13) {
		put24(body + 20, message->psn);
		body[24] = message->resources;
		body[25] = message->depth;
		body[27] = (uint8_t)(message->rnr_retry_count << 5);
	} else if (message->attribute == 0x12) {
		body[10] = (uint8_t)(message->reason >> 8);
		body[11] = (uint8_t)message->reason;
	} else if (message->attribute == 0x11) {
		body[9] = (uint8_t)(message->service_timeout << 3);
	}
}

/* Where private data begins. */
static uint32_t private_data_of(uint16_t attribute)
{
	switch (attribute) {
	case 0x10: return 140;
	case 0x13: return 36;
	default: return 84; /* REJ */
	}
}

void rda_build_cm(struct rda_built *built, const struct rda_cm_message *message)
{
	struct rda_extended deth = rda_deth(1);
	struct rda_recipe recipe = rda_packet_of(message->from, message->to, 1, 0x64, 0);
	bool request = message->attribute == 0x10;
	struct rda_build mad = {0};

	rda_put_hex(&mad, "01 07 02 03 0000 0000 1122334455667788");
	rda_put16(&mad, message->attribute);
	rda_put_hex(&mad, "0000 00000000");
	rda_put_zeros(&mad, MAD_TOTAL - MAD_HEADER);
	rda_set32(&mad, MAD_HEADER, message->local_id);
	rda_set32(&mad, MAD_HEADER + 4, request ? 0 : message->remote_id);
	if (request || message->attribute == 0x13)
		rda_set32(&mad, MAD_HEADER + (request ? 32 : 12), message->qpn << 8);
	put_limits(mad.bytes + MAD_HEADER, message);
	if (request) {
		rda_set32(&mad, MAD_HEADER + 8, (uint32_t)(message->service_id >> 32));
		rda_set32(&mad, MAD_HEADER + 12, (uint32_t)message->service_id);
	}
	if (message->private_data) {
		mad.length = MAD_HEADER + private_data_of(message->attribute);
		rda_put_hex(&mad, message->private_data);
		mad.length = MAD_TOTAL;
	}
	recipe = rda_with(recipe, &deth);
	recipe.payload = mad.bytes;
	recipe.payload_length = MAD_TOTAL;
	rda_build_packet(built, &recipe);
}

void rda_feed_cm(struct rda_feed *feed, const struct rda_cm_message *message)
{
	struct rda_built built;

	rda_build_cm(&built, message);
	rda_feed_frame(feed, &built.b, built.b.length, built.link);
}

void rda_feed_exchange(struct rda_feed *feed, uint8_t active, uint8_t passive, uint32_t active_qp,
		       uint32_t passive_qp, uint32_t comm_id)
{
	rda_feed_exchange_at(feed, active, passive, active_qp, passive_qp, comm_id, 0, 0);
}

void rda_feed_exchange_at(struct rda_feed *feed, uint8_t active, uint8_t passive,
			  uint32_t active_qp, uint32_t passive_qp, uint32_t comm_id,
			  uint32_t active_psn, uint32_t passive_psn)
{
	rda_feed_cm(feed, &(struct rda_cm_message){.from = active,
						   .to = passive,
						   .attribute = 0x10,
						   .local_id = comm_id,
						   .qpn = active_qp,
						   .psn = passive_psn,
						   .path_mtu = 3});
	rda_feed_cm(feed, &(struct rda_cm_message){.from = passive,
						   .to = active,
						   .attribute = 0x13,
						   .local_id = comm_id + 1,
						   .remote_id = comm_id,
						   .qpn = passive_qp,
						   .psn = active_psn});
}
