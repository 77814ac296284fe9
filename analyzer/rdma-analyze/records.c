/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cuts the bytes of a capture file into its records. See records.h for the two formats.
 *
 * A record is never held as a whole, so a length of 4 GB in a hostile file costs nothing: its
 * header is looked at in the buffer, its bytes are handed through.
 */
#include "analyzer/rdma-analyze/records.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/base/cold.h"
#include "analyzer/rdma-analyze/file_bytes.h"
#include "analyzer/rdma-analyze/source.h"

#define PCAP_MAGIC	     0xa1b2c3d4
#define PCAP_NS_MAGIC	     0xa1b23c4d
#define PCAP_KUZNETZOV_MAGIC 0xa1b2cd34 /* Linux of 1999: record headers of 24 bytes */
#define PCAP_HEADER_BYTES    24

#define SECTION_TYPE	   0x0a0d0d0a
#define SECTION_BYTE_ORDER 0x1a2b3c4d
#define BLOCK_HEADER_BYTES 8

struct rda_records_private {
	struct rda_file_bytes bytes;
	uint64_t left; /* bytes of the current record that were not handed out */
	bool started;
	bool in_pcap; /* behind the header of one, and no record was cut */
	bool plain;   /* nothing has to be asked of a record's header (rda_records_take_plain) */
	bool ended;   /* no record can be told from here on */
	uint8_t record_header; /* bytes, in pcap */
	GArray *links;	       /* of uint16_t: the interfaces of the current section */
};

static const char *const kind_words[] = {
#define RDA_K(ID, words) [RDA_RECORD_##ID] = (words),
	RDA_RECORD_KINDS(RDA_K)
#undef RDA_K
};

static uint32_t number32(const struct rda_file_records *records, const uint8_t *bytes)
{
	uint32_t value;

	memcpy(&value, bytes, sizeof(value));
	return records->swapped ? GUINT32_SWAP_LE_BE(value) : value;
}

static uint16_t number16(const struct rda_file_records *records, const uint8_t *bytes)
{
	uint16_t value;

	memcpy(&value, bytes, sizeof(value));
	return records->swapped ? GUINT16_SWAP_LE_BE(value) : value;
}

static bool is_pcap_magic(uint32_t magic)
{
	return magic == PCAP_MAGIC || magic == PCAP_NS_MAGIC || magic == PCAP_KUZNETZOV_MAGIC;
}

static bool is_pcap(const uint8_t *magic)
{
	uint32_t value;

	memcpy(&value, magic, sizeof(value));
	return is_pcap_magic(value) || is_pcap_magic(GUINT32_SWAP_LE_BE(value));
}

/* The type of a section is a line end of sorts, so that a text may begin like a pcapng. */
static bool is_section(const uint8_t *magic)
{
	uint32_t type, order;

	memcpy(&type, magic, sizeof(type));
	memcpy(&order, magic + 8, sizeof(order));
	return type == SECTION_TYPE &&
	       (order == SECTION_BYTE_ORDER || order == GUINT32_SWAP_LE_BE(SECTION_BYTE_ORDER));
}

bool rda_records_is_plain(const uint8_t magic[RDA_RECORDS_MAGIC])
{
	return is_pcap(magic) || is_section(magic);
}

/* ---- bytes ----------------------------------------------------------------------------------- */

/* The formats that are seen by their first bytes, and that cannot be unpacked here. */
static const struct {
	uint8_t magic[4];
	const char *reason;
} packed_formats[] = {
	{{0x04, 0x22, 0x4d, 0x18}, "it is packed with lz4, which this reader cannot unpack"},
	{{0xfd, '7', 'z', 'X'}, "it is packed with xz: unpack it first"},
};

static void note_packed(struct rda_file_records *records)
{
	const struct rda_records_private *p = records->private;

	for (size_t i = 0; i < G_N_ELEMENTS(packed_formats); i++)
		if (rda_file_bytes_unread(&p->bytes) >= 4 &&
		    memcmp(rda_file_bytes_at(&p->bytes), packed_formats[i].magic, 4) == 0)
			records->error = g_strdup(packed_formats[i].reason);
}

/* Whether the buffer has `size` unread bytes, after reading on where it has not. */
static inline bool fill(struct rda_file_records *records, size_t size)
{
	struct rda_file_bytes *bytes = &records->private->bytes;

	return rda_file_bytes_unread(bytes) >= size ||
	       rda_file_bytes_read_on(bytes, size, &records->error);
}

size_t rda_records_read(struct rda_file_records *records, void *bytes, size_t size)
{
	struct rda_records_private *p = records->private;

	if (size > p->left)
		size = (size_t)p->left;
	if (size == 0)
		return 0;
	if (!fill(records, 1)) {
		records->cut = records->record.kind != RDA_RECORD_FOREIGN;
		p->left = 0;
		return 0;
	}
	if (size > rda_file_bytes_unread(&p->bytes))
		size = rda_file_bytes_unread(&p->bytes);
	if (bytes)
		memcpy(bytes, rda_file_bytes_at(&p->bytes), size);
	rda_file_bytes_skip(&p->bytes, size);
	p->left -= size;
	return size;
}

const uint8_t *rda_records_take(struct rda_file_records *records, size_t size)
{
	struct rda_records_private *p = records->private;
	const uint8_t *bytes;

	if (!fill(records, size)) {
		records->cut = true;
		return NULL;
	}
	bytes = rda_file_bytes_at(&p->bytes);
	rda_file_bytes_skip(&p->bytes, size);
	p->left -= size;
	return bytes;
}

const uint8_t *rda_records_rest(const struct rda_file_records *records, size_t *size)
{
	const struct rda_records_private *p = records->private;

	*size = (p->in_pcap || !records->pcap) && !p->left ? rda_file_bytes_unread(&p->bytes) : 0;
	return rda_file_bytes_at(&p->bytes);
}

/* ---- records --------------------------------------------------------------------------------- */

/* The length of a record's header is not to be had: what is there is all that will come. */
RDA_COLD static void header_is_cut(struct rda_file_records *records, size_t length)
{
	const struct rda_records_private *p = records->private;

	records->record.header_cut = true;
	records->record.length = length;
	records->cut = rda_file_bytes_unread(&p->bytes) > 0;
}

RDA_COLD static void begin_file(struct rda_file_records *records)
{
	struct rda_records_private *p = records->private;
	uint32_t magic = 0;

	records->record.kind = RDA_RECORD_FOREIGN;
	records->record.length = UINT64_MAX;
	if (!fill(records, 4))
		return;
	note_packed(records);
	memcpy(&magic, rda_file_bytes_at(&p->bytes), sizeof(magic));
	if (magic == SECTION_TYPE && fill(records, RDA_RECORDS_MAGIC) &&
	    is_section(rda_file_bytes_at(&p->bytes))) {
		records->record.kind = RDA_RECORD_SECTION;
		return;
	}
	if (!is_pcap(rda_file_bytes_at(&p->bytes)))
		return;
	records->pcap = true;
	records->swapped = !is_pcap_magic(magic);
	records->record.kind = RDA_RECORD_FILE_HEADER;
	records->record.length = PCAP_HEADER_BYTES;
	if (!fill(records, PCAP_HEADER_BYTES))
		return;
	magic = number32(records, rda_file_bytes_at(&p->bytes));
	p->record_header = RDA_PCAP_RECORD_BYTES + (magic == PCAP_KUZNETZOV_MAGIC ? 8 : 0);
	records->nanoseconds = magic == PCAP_NS_MAGIC;
	records->major = number16(records, rda_file_bytes_at(&p->bytes) + 4);
	records->minor = number16(records, rda_file_bytes_at(&p->bytes) + 6);
	p->plain = !records->swapped && records->minor > 3 &&
		   p->record_header == RDA_PCAP_RECORD_BYTES;
	records->record.link = number32(records, rda_file_bytes_at(&p->bytes) + 20) &
			       0xffff; /* above: length of the FCS */
}

/*
 * The two lengths changed places in version 2.3, but not in all files that say 2.3. DG/UX has
 * 543.0.
 */
static bool lengths_are_swapped(const struct rda_file_records *records)
{
	if (records->minor == 3)
		return records->record.captured > records->record.wire;
	return records->minor < 3;
}

/* A file whose writer or machine died has zeros where blocks of it never reached the disk. */
RDA_COLD static bool is_not_written(struct rda_file_records *records)
{
	records->error = g_strdup(RDA_RECORD_NOT_WRITTEN);
	records->private->in_pcap = false;
	records->private->ended = true;
	return false;
}

/* False where no packet begins. */
static inline bool begin_pcap_record(struct rda_file_records *records)
{
	struct rda_records_private *p = records->private;
	struct rda_file_record *record = &records->record;
	const uint8_t *header;

	record->kind = RDA_RECORD_PACKET;
	if (!fill(records, p->record_header)) {
		header_is_cut(records, p->record_header);
		return true;
	}
	header = rda_file_bytes_at(&p->bytes);
	record->seconds = number32(records, header);
	record->fraction = number32(records, header + 4);
	record->captured = number32(records, header + 8);
	record->wire = number32(records, header + 12);
	if (lengths_are_swapped(records)) {
		uint32_t wire = record->captured;

		record->captured = record->wire;
		record->wire = wire;
	}
	record->header_length = p->record_header;
	record->length = (uint64_t)p->record_header + record->captured;
	if (!(record->wire | record->captured | record->seconds | record->fraction))
		return is_not_written(records);
	records->frames++;
	return true;
}

static void begin_section(struct rda_file_records *records)
{
	struct rda_records_private *p = records->private;
	uint32_t order;

	records->record.kind = RDA_RECORD_SECTION;
	if (!fill(records, 12)) {
		header_is_cut(records, 12);
		return;
	}
	memcpy(&order, rda_file_bytes_at(&p->bytes) + 8, sizeof(order));
	records->swapped = order == GUINT32_SWAP_LE_BE(SECTION_BYTE_ORDER);
	if (records->record.offset > 0)
		records->record.section++;
	g_array_set_size(p->links, 0);
}

/* A block whose fixed part is not whole is left to the library to complain of. */
static void look_at_block(struct rda_file_records *records, uint32_t type)
{
	struct rda_records_private *p = records->private;
	bool whole = fill(records, BLOCK_HEADER_BYTES + 4);
	const uint8_t *body = rda_file_bytes_at(&p->bytes) + BLOCK_HEADER_BYTES;
	uint16_t link;

	records->record.kind = RDA_RECORD_OTHER;
	records->record.interface = 0;
	switch (type) {
	case 1:
		records->record.kind = RDA_RECORD_INTERFACE;
		if (whole) {
			link = number16(records, body);
			g_array_append_val(p->links, link);
		}
		return;
	case 2:
		records->record.kind = RDA_RECORD_PACKET_BLOCK;
		records->record.interface = whole ? number16(records, body) : 0;
		break;
	case 3: records->record.kind = RDA_RECORD_SIMPLE_PACKET; break;
	case 5: records->record.kind = RDA_RECORD_STATISTICS; return;
	case 6:
		records->record.kind = RDA_RECORD_PACKET_BLOCK;
		records->record.interface = whole ? number32(records, body) : 0;
		break;
	case 9: /* systemd journal */
	case 0xbad:
	case 0x40000bad: records->record.kind = RDA_RECORD_NO_PACKET; break;
	default: return;
	}
	records->frames++;
	records->record.link = RDA_LINK_UNKNOWN;
	if (records->record.interface < p->links->len)
		records->record.link = g_array_index(p->links, uint16_t, records->record.interface);
}

static void begin_block(struct rda_file_records *records)
{
	struct rda_records_private *p = records->private;
	uint32_t type;

	records->record.kind = RDA_RECORD_OTHER;
	if (!fill(records, BLOCK_HEADER_BYTES)) {
		header_is_cut(records, BLOCK_HEADER_BYTES);
		return;
	}
	type = number32(records, rda_file_bytes_at(&p->bytes));
	if (type == SECTION_TYPE)
		begin_section(records);
	if (records->record.header_cut)
		return;
	/* at least its header is handed out, so that the library sees a length that cannot be */
	records->record.length = number32(records, rda_file_bytes_at(&p->bytes) + 4);
	if (!type && !records->record.length) {
		is_not_written(records);
		return;
	}
	if (records->record.length < BLOCK_HEADER_BYTES)
		records->record.length = BLOCK_HEADER_BYTES;
	if (type != SECTION_TYPE)
		look_at_block(records, type);
}

/* Any record of either format, wherever the file ends. */
RDA_APART static bool begin_record(struct rda_file_records *records)
{
	struct rda_records_private *p = records->private;

	while (p->left > 0)
		rda_records_read(records, NULL, SIZE_MAX);
	if (records->cut || p->ended)
		return false;
	records->record.offset = p->bytes.offset;
	if (p->started && !fill(records, 1))
		return false;
	records->record.header_cut = false;
	if (!p->started) {
		p->started = true;
		begin_file(records);
		if (records->record.kind == RDA_RECORD_SECTION)
			begin_block(records);
	} else if (records->pcap) {
		p->in_pcap = begin_pcap_record(records) && !records->record.header_cut;
	} else {
		begin_block(records);
	}
	if (p->ended)
		return false;
	p->left = records->record.header_cut ? rda_file_bytes_unread(&p->bytes)
					     : records->record.length;
	return rda_file_bytes_unread(&p->bytes) > 0;
}

bool rda_records_next(struct rda_file_records *records)
{
	struct rda_records_private *p = records->private;

	if (!p->in_pcap || p->left > 0 || rda_file_bytes_unread(&p->bytes) < p->record_header)
		return begin_record(records);
	records->record.offset = p->bytes.offset; /* nearly always: the header is in the buffer */
	if (!begin_pcap_record(records))
		return false;
	p->left = records->record.length;
	return true;
}

const uint8_t *rda_records_take_plain(struct rda_file_records *records, uint32_t most)
{
	struct rda_records_private *p = records->private;
	struct rda_file_bytes *bytes = &p->bytes;
	const uint8_t *header = rda_file_bytes_at(bytes);
	const size_t unread = rda_file_bytes_unread(bytes);
	uint32_t captured;

	if (!p->in_pcap || !p->plain || p->left > 0 || unread < RDA_PCAP_RECORD_BYTES)
		return NULL;
	memcpy(&captured, header + 8, sizeof(captured));
	if (captured == 0 || captured > most || captured > unread - RDA_PCAP_RECORD_BYTES)
		return NULL;
	rda_file_bytes_skip(bytes, RDA_PCAP_RECORD_BYTES + (size_t)captured);
	records->frames++;
	return header;
}

/* ---- the file -------------------------------------------------------------------------------- */

struct rda_file_records *rda_records_open(const char *file, char **error)
{
	int fd = strcmp(file, "-") == 0 ? dup(STDIN_FILENO) : open(file, O_RDONLY | O_CLOEXEC);
	struct rda_file_records *records;
	struct rda_records_private *p;

	if (fd < 0) {
		*error = g_strdup(g_strerror(errno));
		return NULL;
	}
	records = g_new0(struct rda_file_records, 1);
	records->private = p = g_new0(struct rda_records_private, 1);
	rda_file_bytes_init(&p->bytes, fd);
	p->links = g_array_new(FALSE, FALSE, sizeof(uint16_t));
	return records;
}

struct rda_file_records *rda_records_open_growing(const char *file, bool (*grows)(void *context),
						  void *context, char **error)
{
	struct rda_file_records *records = rda_records_open(file, error);

	if (records)
		rda_unpack_grows(records->private->bytes.file, grows, context);
	return records;
}

void rda_records_close(struct rda_file_records *records)
{
	if (!records)
		return;
	rda_file_bytes_cleanup(&records->private->bytes);
	g_array_free(records->private->links, TRUE);
	g_free(records->private);
	g_free(records->error);
	g_free(records);
}

bool rda_records_packed(const struct rda_file_records *records)
{
	return rda_unpack_packed(records->private->bytes.file);
}

int64_t rda_records_position(const struct rda_file_records *records)
{
	return rda_file_bytes_position(&records->private->bytes);
}

int64_t rda_records_tell(const struct rda_file_records *records)
{
	return records->private->bytes.offset;
}

void rda_records_seek(struct rda_file_records *records, int64_t offset)
{
	struct rda_records_private *p = records->private;

	rda_file_bytes_seek(&p->bytes, offset);
	p->left = 0;
	p->in_pcap = true;
	p->ended = false;
	records->cut = false;
	g_clear_pointer(&records->error, g_free);
}

char *rda_records_cut_words(const struct rda_file_records *records)
{
	const struct rda_file_record *record = &records->record;
	const struct rda_records_private *p = records->private;

	if (!records->cut)
		return NULL;
	return g_strdup_printf(
		"the file ends inside %s%s: %" PRIu64 " bytes expected, %" PRId64 " there",
		record->header_cut ? "the header of " : "", kind_words[record->kind],
		record->length,
		p->bytes.offset + (int64_t)(rda_file_bytes_unread(&p->bytes)) - record->offset);
}
