/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frames of a pcapng file, straight from its blocks, which records.h finds: they are handed out
 * where they lie, in a fifth of what libwiretap takes. Layouts are those of
 * draft-ietf-opsawg-pcapng, sections 4.1 to 4.6; numbers are in the byte order of their section.
 *
 *     type 4 | length 4 | fixed part, by type | a packet's bytes | options | length 4
 *     options: { code 2 | length 2 | bytes }*, each part to a multiple of 4
 *
 * Blocks without packets, interfaces or their statistics are passed over.
 */
#include "analyzer/rdma-analyze/erf_record.h"
#include "analyzer/rdma-analyze/source_reader.h"
#include "dissectors/link.h"

#include <string.h>

/* No block that is looked at is longer, of any program: as libpcap and libwiretap see it. */
#define MOST_OF_BLOCK (16 * 1024 * 1024)

#define NS_PER_SECOND	   UINT64_C(1000000000)
#define DEFAULT_PER_SECOND 1000000

/* Bytes before the fixed part of a block, and behind all. */
enum { BLOCK_HEAD = 8, BLOCK_TAIL = 4 };

/* Bytes of fixed parts. */
enum {
	SECTION_FIXED = 16,
	INTERFACE_FIXED = 8,
	PACKET_FIXED = 20,
	SIMPLE_FIXED = 4,
	STATISTICS_FIXED = 12
};

enum { TYPE_OLD_PACKET = 2, TYPE_ENHANCED_PACKET = 6 };

enum {
	OPTION_END = 0,
	OPTION_PACKET_DROPS = 4,     /* of an enhanced packet block */
	OPTION_STATISTICS_DROPS = 5, /* of an interface statistics block */
	OPTION_RESOLUTION = 9,	     /* of an interface */
	OPTION_TIME_OFFSET = 14,     /* of an interface: seconds to be added to its times */
};

/* An old packet block tells what was dropped before it in 16 bits, of which this is "unknown". */
#define OLD_DROPS_UNKNOWN 0xffff

struct interface {
	uint64_t per_second; /* units of time */
	uint64_t ns;	     /* of a unit, where that is a number; else 0 */
	int64_t offset;	     /* seconds */
	uint64_t dropped;    /* by its latest statistics, which count from the beginning */
	uint32_t snaplen;    /* 0: no limit */
	uint16_t link;
};

struct pcapng_source {
	struct rda_source source; /* first */
	struct rda_file_records *records;
	GArray *interfaces;    /* struct interface, of the section at hand */
	uint64_t statistics;   /* packets that all interfaces dropped, by their statistics */
	int64_t ahead;	       /* the block that is looked at ahead next */
	uint64_t ahead_frames; /* that were begun before it */
	bool finished;
	enum rda_source_result result; /* once finished */
};

/* A block in memory, between its two lengths. */
struct block {
	const uint8_t *bytes;
	uint32_t type, length; /* length: of `bytes` */
};

/* ---- numbers --------------------------------------------------------------------------------- */

static uint16_t number16(const struct pcapng_source *s, const uint8_t *bytes)
{
	uint16_t number;

	memcpy(&number, bytes, sizeof(number));
	return s->records->swapped ? GUINT16_SWAP_LE_BE(number) : number;
}

static uint32_t number32(const struct pcapng_source *s, const uint8_t *bytes)
{
	uint32_t number;

	memcpy(&number, bytes, sizeof(number));
	return s->records->swapped ? GUINT32_SWAP_LE_BE(number) : number;
}

static uint64_t number64(const struct pcapng_source *s, const uint8_t *bytes)
{
	uint64_t number;

	memcpy(&number, bytes, sizeof(number));
	return s->records->swapped ? GUINT64_SWAP_LE_BE(number) : number;
}

/* Up to a multiple of 4; of a length in a block, so nothing overflows. */
static uint32_t padded(uint32_t length)
{
	return (length + 3) & ~UINT32_C(3);
}

/* Goes to the next option that has this code and size, from *at on; NULL: there is none. */
static const uint8_t *option(const struct pcapng_source *s, const struct block *block, uint32_t *at,
			     uint16_t code, uint16_t size)
{
	while (*at <= block->length && block->length - *at >= 4) {
		const uint8_t *head = block->bytes + *at;
		uint16_t found = number16(s, head), length = number16(s, head + 2);

		if (found == OPTION_END || length > block->length - *at - 4)
			break;
		*at += 4 + padded(length);
		if (found == code && length == size)
			return head + 4;
	}
	return NULL;
}

/* ---- the end --------------------------------------------------------------------------------- */

/* `why`: NULL where the records themselves end. */
static enum rda_source_result finish(struct pcapng_source *s, const char *why)
{
	s->finished = true;
	s->source.dropped = MAX(s->source.dropped, s->statistics);
	s->result = rda_source_end(&s->source, s->records, why);
	return s->result;
}

static const char too_short[] = "a block that is shorter than what has to be in it";

/* ---- blocks ---------------------------------------------------------------------------------- */

/* The whole block at hand, which has `fixed` bytes at least. What is wrong with it; NULL: nothing,
 * or the file ends inside it, and block->bytes is NULL. */
static const char *take_block(struct pcapng_source *s, struct block *block, uint32_t fixed)
{
	uint64_t length = s->records->record.length;
	const uint8_t *bytes;

	*block = (struct block){0};
	if (length < BLOCK_HEAD + fixed + BLOCK_TAIL)
		return too_short;
	if (length > MOST_OF_BLOCK)
		return "a block of more than 16 MiB";
	if (length % 4)
		return "a block whose length is no multiple of 4";
	bytes = rda_records_take(s->records, length);
	if (!bytes)
		return NULL;
	block->type = number32(s, bytes);
	block->length = (uint32_t)length - BLOCK_HEAD - BLOCK_TAIL;
	if (number32(s, bytes + length - BLOCK_TAIL) != length)
		return "a block whose two lengths do not match";
	block->bytes = bytes + BLOCK_HEAD;
	return NULL;
}

static const char *begin_section(struct pcapng_source *s)
{
	struct block block;
	const char *wrong = take_block(s, &block, SECTION_FIXED);

	if (wrong || !block.bytes)
		return wrong;
	g_array_set_size(s->interfaces, 0);
	/* 1.2 is what some programs wrote for 1.0 */
	if (number16(s, block.bytes + 4) != 1 ||
	    (number16(s, block.bytes + 6) != 0 && number16(s, block.bytes + 6) != 2))
		return "a section of a version of pcapng that is not known";
	return NULL;
}

/* Units of time in a second: a power of 10, or of 2; 0: more than can be counted. */
static uint64_t per_second(uint8_t resolution)
{
	unsigned exponent = resolution & 0x7f;
	uint64_t units = 1;

	if (resolution & 0x80)
		return exponent < 64 ? UINT64_C(1) << exponent : 0;
	if (exponent > 19)
		return 0;
	while (exponent--)
		units *= 10;
	return units;
}

static const char *take_interface(struct pcapng_source *s)
{
	struct interface interface = {.per_second = DEFAULT_PER_SECOND};
	uint32_t at = INTERFACE_FIXED;
	const uint8_t *bytes;
	struct block block;
	const char *wrong = take_block(s, &block, INTERFACE_FIXED);

	if (wrong || !block.bytes)
		return wrong;
	interface.link = rda_source_link(number16(s, block.bytes));
	interface.snaplen = number32(s, block.bytes + 4);
	bytes = option(s, &block, &at, OPTION_RESOLUTION, 1);
	if (bytes)
		interface.per_second = per_second(*bytes);
	at = INTERFACE_FIXED;
	bytes = option(s, &block, &at, OPTION_TIME_OFFSET, sizeof(uint64_t));
	if (bytes)
		interface.offset = (int64_t)number64(s, bytes);
	if (!interface.per_second)
		return "an interface whose unit of time is too short to be counted";
	if (NS_PER_SECOND % interface.per_second == 0)
		interface.ns = NS_PER_SECOND / interface.per_second;
	g_array_append_val(s->interfaces, interface);
	return NULL;
}

static uint32_t tap_of(const struct pcapng_source *s, uint32_t interface)
{
	return s->records->record.section * RDA_TAPS_PER_SECTION + interface;
}

static const char *take_statistics(struct pcapng_source *s)
{
	struct interface *interface;
	uint32_t at = STATISTICS_FIXED;
	const uint8_t *bytes;
	struct block block;
	const char *wrong = take_block(s, &block, STATISTICS_FIXED);

	if (wrong || !block.bytes || number32(s, block.bytes) >= s->interfaces->len)
		return wrong;
	interface = &g_array_index(s->interfaces, struct interface, number32(s, block.bytes));
	bytes = option(s, &block, &at, OPTION_STATISTICS_DROPS, sizeof(uint64_t));
	if (bytes && number64(s, bytes) > interface->dropped &&
	    rda_source_counts(&s->source, tap_of(s, number32(s, block.bytes)))) {
		s->statistics += number64(s, bytes) - interface->dropped;
		interface->dropped = number64(s, bytes);
	}
	return NULL;
}

/* ---- packets --------------------------------------------------------------------------------- */

/* A fraction of a second in nanoseconds. Of units that are too many the lowest bits go, which are
 * of less than a nanosecond. */
static uint32_t nanoseconds(const struct interface *interface, uint64_t units)
{
	uint64_t all = interface->per_second;

	if (interface->ns)
		return (uint32_t)(units * interface->ns);
	if (all % NS_PER_SECOND == 0)
		return (uint32_t)(units / (all / NS_PER_SECOND));
	while (all > UINT64_C(1) << 34) {
		all >>= 1;
		units >>= 1;
	}
	return (uint32_t)(units * NS_PER_SECOND / all);
}

/* Seconds beyond all that can be told stay so, whatever is added. */
static int64_t time_of(const struct interface *interface, uint64_t units)
{
	uint64_t seconds = units / interface->per_second;
	int64_t sum;

	if (__builtin_add_overflow((int64_t)MIN(seconds, INT64_MAX), interface->offset, &sum))
		sum = INT64_MAX;
	return rda_source_time(sum, nanoseconds(interface, units % interface->per_second));
}

/* What a packet block says, whichever of the three it is. */
struct packet {
	uint32_t interface, captured, wire, fixed;
	uint64_t units, dropped;
	bool timed;
};

static void look_at_simple(const struct pcapng_source *s, const struct block *block,
			   struct packet *packet)
{
	const struct interface *first = (const void *)s->interfaces->data;
	uint32_t most = block->length - SIMPLE_FIXED;

	*packet = (struct packet){.wire = number32(s, block->bytes), .fixed = SIMPLE_FIXED};
	if (s->interfaces->len && first->snaplen)
		most = MIN(most, first->snaplen);
	packet->captured = MIN(packet->wire, most);
}

static void look_at_packet(const struct pcapng_source *s, const struct block *block,
			   struct packet *packet)
{
	const uint8_t *fixed = block->bytes;
	bool is_old = block->type == TYPE_OLD_PACKET;

	*packet = (struct packet){
		.interface = is_old ? number16(s, fixed) : number32(s, fixed),
		.units = (uint64_t)number32(s, fixed + 4) << 32 | number32(s, fixed + 8),
		.captured = number32(s, fixed + 12),
		.wire = number32(s, fixed + 16),
		.fixed = PACKET_FIXED,
		.timed = true,
	};
	if (is_old && number16(s, fixed + 2) != OLD_DROPS_UNKNOWN)
		packet->dropped = number16(s, fixed + 2);
}

/* What is wrong with it; NULL: nothing. */
static const char *check_packet(const struct pcapng_source *s, const struct block *block,
				const struct packet *packet)
{
	if (packet->interface >= s->interfaces->len)
		return "a packet of an interface that was not described before";
	if (packet->captured > block->length - packet->fixed)
		return "a packet with more captured bytes than its block has";
	if (packet->captured >
	    rda_source_most_captured(
		    g_array_index(s->interfaces, struct interface, packet->interface).link))
		return "a packet with more captured bytes than there can be";
	return NULL;
}

static uint64_t drops_before(const struct pcapng_source *s, const struct block *block,
			     const struct packet *packet)
{
	uint32_t at = packet->fixed + padded(packet->captured);
	const uint8_t *bytes;

	if (block->type != TYPE_ENHANCED_PACKET || at >= block->length)
		return packet->dropped;
	bytes = option(s, block, &at, OPTION_PACKET_DROPS, sizeof(uint64_t));
	return bytes ? number64(s, bytes) : 0;
}

static const char *take_packet(struct pcapng_source *s, struct rda_meta *meta,
			       struct rda_frame *frame)
{
	bool is_simple = s->records->record.kind == RDA_RECORD_SIMPLE_PACKET;
	const struct interface *interface;
	struct packet packet;
	struct block block;
	const char *wrong = take_block(s, &block, is_simple ? SIMPLE_FIXED : PACKET_FIXED);

	frame->bytes = NULL;
	if (wrong || !block.bytes)
		return wrong;
	(is_simple ? look_at_simple : look_at_packet)(s, &block, &packet);
	wrong = check_packet(s, &block, &packet);
	if (wrong)
		return wrong;
	interface = &g_array_index(s->interfaces, struct interface, packet.interface);
	meta->time_ns = packet.timed ? time_of(interface, packet.units) : 0;
	meta->number = s->records->frames;
	meta->tap = tap_of(s, packet.interface);
	frame->bytes = block.bytes + packet.fixed;
	frame->captured = packet.captured;
	frame->wire = MAX(packet.wire, packet.captured);
	frame->link = interface->link;
	if (frame->link == RDA_LINK_ERF)
		rda_erf_trim(frame->bytes, &frame->captured, &frame->wire);
	if (rda_source_counts(&s->source, meta->tap))
		s->source.dropped += drops_before(s, &block, &packet);
	s->source.frames++;
	return NULL;
}

/* What is wrong with the record at hand; NULL: nothing, and frame->bytes: a packet. */
static const char *take_record(struct pcapng_source *s, struct rda_meta *meta,
			       struct rda_frame *frame)
{
	switch (s->records->record.kind) {
	case RDA_RECORD_PACKET_BLOCK:
	case RDA_RECORD_SIMPLE_PACKET: return take_packet(s, meta, frame);
	case RDA_RECORD_SECTION: return begin_section(s);
	case RDA_RECORD_INTERFACE: return take_interface(s);
	case RDA_RECORD_STATISTICS: return take_statistics(s);
	default: return NULL;
	}
}

static enum rda_source_result next_frame(struct rda_source *source, struct rda_meta *meta,
					 struct rda_frame *frame)
{
	struct pcapng_source *s = (struct pcapng_source *)source;
	const char *wrong;

	if (s->finished)
		return s->result;
	frame->bytes = NULL;
	while (!frame->bytes) {
		if (!rda_records_next(s->records) || s->records->record.header_cut)
			return finish(s, NULL);
		wrong = take_record(s, meta, frame);
		if (wrong || s->records->cut)
			return finish(s, wrong);
	}
	source->position = rda_records_position(s->records);
	return RDA_SOURCE_FRAME;
}

static void close_source(struct rda_source *source)
{
	struct pcapng_source *s = (struct pcapng_source *)source;

	rda_records_close(s->records);
	g_array_unref(s->interfaces);
	g_free(source->file);
	g_free(source->error);
	g_free(s);
}

/* ---- a look ahead ---------------------------------------------------------------------------- */

/* The enhanced packet block at `bytes`, of which `left` are there; its length, or 0: it is none. */
static uint32_t look_at_next(const struct pcapng_source *s, const uint8_t *bytes, size_t left,
			     struct rda_frame *frame)
{
	const uint32_t least = BLOCK_HEAD + PACKET_FIXED + BLOCK_TAIL;
	uint32_t length, interface;

	if (left < least || number32(s, bytes) != TYPE_ENHANCED_PACKET)
		return 0;
	length = number32(s, bytes + 4);
	interface = number32(s, bytes + BLOCK_HEAD);
	frame->captured = number32(s, bytes + BLOCK_HEAD + 12);
	if (length > left || length < least || frame->captured > length - least ||
	    interface >= s->interfaces->len)
		return 0;
	frame->bytes = bytes + BLOCK_HEAD + PACKET_FIXED;
	frame->wire = number32(s, bytes + BLOCK_HEAD + 16);
	frame->link = g_array_index(s->interfaces, struct interface, interface).link;
	return length;
}

static bool look_ahead(struct rda_source *source, unsigned most, struct rda_frame *frame)
{
	struct pcapng_source *s = (struct pcapng_source *)source;
	const int64_t next = rda_records_tell(s->records);
	const uint8_t *bytes;
	uint32_t length;
	size_t size;

	if (s->ahead < next || s->ahead_frames - s->records->frames > most) {
		s->ahead = next;
		s->ahead_frames = s->records->frames;
	}
	bytes = rda_records_rest(s->records, &size);
	if (s->ahead_frames - s->records->frames == most || (size_t)(s->ahead - next) > size)
		return false;
	bytes += s->ahead - next;
	length = look_at_next(s, bytes, size - (size_t)(s->ahead - next), frame);
	s->ahead += length;
	s->ahead_frames += length != 0;
	return length;
}

/* ---- opening --------------------------------------------------------------------------------- */

struct rda_source *rda_source_pcapng_open(struct rda_file_records *records,
					  struct rda_refusal *refusal)
{
	struct pcapng_source *s = g_new0(struct pcapng_source, 1);
	const char *wrong = NULL;

	s->source.next = next_frame;
	s->source.ahead = look_ahead;
	s->source.plain = !rda_records_packed(records);
	s->source.close = close_source;
	s->records = records;
	s->interfaces = g_array_new(FALSE, FALSE, sizeof(struct interface));
	if (!records->record.header_cut)
		wrong = begin_section(s);
	if (!wrong && !records->record.header_cut && !records->cut)
		return &s->source;
	rda_source_refuse(refusal, records, wrong);
	close_source(&s->source);
	return NULL;
}
