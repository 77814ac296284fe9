/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frames of a pcap file, straight from its records: they are found in the buffer and handed out
 * where they lie, in half the time of a bare loop over libpcap, which makes a copy of each. Of a
 * pcapng: source_pcapng.c.
 */
#include "analyzer/base/cold.h"
#include "analyzer/rdma-analyze/erf_record.h"
#include "analyzer/rdma-analyze/source_reader.h"
#include "dissectors/link.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct pcap_source {
	struct rda_source source; /* first */
	struct rda_file_records *records;
	uint16_t link;
	uint32_t most;	       /* captured bytes of a packet */
	uint32_t most_plain;   /* of one that nothing is asked of but its header */
	int64_t ahead;	       /* the record that is looked at ahead next */
	uint64_t ahead_frames; /* that were begun before it */
	bool finished;
	enum rda_source_result result; /* once finished */
};

static enum rda_source_result finish(struct pcap_source *s, const char *why)
{
	s->finished = true;
	s->result = rda_source_end(&s->source, s->records, why);
	return s->result;
}

static enum rda_source_result finish_too_long(struct pcap_source *s)
{
	char *why =
		g_strdup_printf("a packet of %u captured bytes, where %u are the most that can be",
				s->records->record.captured, s->most);

	finish(s, why);
	g_free(why);
	return s->result;
}

static void fix_erf(struct rda_meta *meta, struct rda_frame *frame)
{
	if (frame->captured >= RDA_ERF_HEADER_BYTES) {
		meta->time_ns = rda_erf_time(frame->bytes);
		meta->tap = rda_erf_port(frame->bytes[9]);
	}
	rda_erf_trim(frame->bytes, &frame->captured, &frame->wire);
}

/* Any record. */
RDA_APART static enum rda_source_result any_frame(struct rda_source *source, struct rda_meta *meta,
						  struct rda_frame *frame)
{
	struct pcap_source *s = (struct pcap_source *)source;
	const struct rda_file_record *record = &s->records->record;

	if (s->finished)
		return s->result;
	if (!rda_records_next(s->records) || record->header_cut)
		return finish(s, NULL);
	if (record->captured > s->most)
		return finish_too_long(s);
	frame->bytes = rda_records_take(s->records, record->length);
	if (!frame->bytes)
		return finish(s, NULL);
	source->position = rda_records_position(s->records);

	/* 32 bits: an absurd fraction overflows here just as it does in libwiretap */
	meta->time_ns =
		rda_source_time(record->seconds, s->records->nanoseconds ? record->fraction
									 : record->fraction * 1000);
	meta->number = s->records->frames;
	meta->tap = 0;
	frame->bytes += record->header_length;
	frame->captured = record->captured;
	frame->wire = MAX(record->wire, record->captured);
	frame->link = s->link;
	if (frame->link == RDA_LINK_ERF)
		fix_erf(meta, frame);
	source->frames++;
	return RDA_SOURCE_FRAME;
}

static uint32_t word_at(const uint8_t *bytes)
{
	uint32_t word;

	memcpy(&word, bytes, sizeof(word));
	return word;
}

/*
 * A record as nearly all are, for half of what it takes to read any. How much of the file was read
 * is the same until the buffer has no whole record any more.
 */
static enum rda_source_result next_frame(struct rda_source *source, struct rda_meta *meta,
					 struct rda_frame *frame)
{
	struct pcap_source *s = (struct pcap_source *)source;
	const uint8_t *header = rda_records_take_plain(s->records, s->most_plain);
	uint32_t fraction;

	if (!header)
		return any_frame(source, meta, frame);
	fraction = word_at(header + 4);
	meta->time_ns = rda_source_time(word_at(header),
					s->records->nanoseconds ? fraction : fraction * 1000);
	meta->number = s->records->frames;
	meta->tap = 0;
	frame->bytes = header + RDA_PCAP_RECORD_BYTES;
	frame->captured = word_at(header + 8);
	frame->wire = MAX(word_at(header + 12), frame->captured);
	frame->link = s->link;
	source->frames++;
	return RDA_SOURCE_FRAME;
}

static void close_source(struct rda_source *source)
{
	struct pcap_source *s = (struct pcap_source *)source;

	rda_records_close(s->records);
	g_free(source->file);
	g_free(source->error);
	g_free(s);
}

/* ---- parts of a file --------------------------------------------------------------------------
 */

bool rda_source_seeks(const struct rda_source *source)
{
	const struct pcap_source *s = (const struct pcap_source *)source;
	struct stat status;

	return source->next == next_frame && !rda_records_packed(s->records) &&
	       stat(source->file, &status) == 0 && S_ISREG(status.st_mode);
}

int64_t rda_source_tell(const struct rda_source *source)
{
	return rda_records_tell(((const struct pcap_source *)source)->records);
}

void rda_source_seek(struct rda_source *source, int64_t offset)
{
	struct pcap_source *s = (struct pcap_source *)source;

	s->records->frames = 0;
	if (!s->finished && offset == rda_records_tell(s->records))
		return;
	s->finished = false;
	g_clear_pointer(&source->error, g_free);
	rda_records_seek(s->records, offset);
}

/* What is looked at of a file, and how many records have to go on from a guess. */
enum { GUESS_BYTES = 1024 * 1024, GUESS_RECORDS = 8, GUESS_SECONDS = 100000 };

static uint32_t number_at(const struct pcap_source *s, const uint8_t *bytes)
{
	uint32_t number = word_at(bytes);

	return s->records->swapped ? GUINT32_SWAP_LE_BE(number) : number;
}

/* Whether these bytes may be the header of a record; and where the next one is, then. */
static bool may_be_record(const struct pcap_source *s, const uint8_t *header, uint32_t *seconds,
			  uint64_t *next)
{
	uint32_t captured = number_at(s, header + 8), wire = number_at(s, header + 12);
	uint32_t before = *seconds;

	*seconds = number_at(s, header);
	*next += s->records->record.header_length + (uint64_t)captured;
	return captured && captured <= rda_source_most_captured(s->link) && wire >= captured &&
	       wire <= rda_source_most_captured(s->link) &&
	       number_at(s, header + 4) < (s->records->nanoseconds ? 1000000000 : 1000000) &&
	       (!before || *seconds - before + GUESS_SECONDS < 2 * GUESS_SECONDS);
}

static bool records_go_on(const struct pcap_source *s, const uint8_t *bytes, uint64_t at,
			  uint64_t size)
{
	uint32_t seconds = 0;
	unsigned count = 0;

	while (count < GUESS_RECORDS && at + s->records->record.header_length <= size) {
		if (!may_be_record(s, bytes + at, &seconds, &at))
			return false;
		count++;
	}
	return count > 0;
}

int64_t rda_source_guess(const struct rda_source *source, int64_t from)
{
	const struct pcap_source *s = (const struct pcap_source *)source;
	int fd = open(source->file, O_RDONLY | O_CLOEXEC);
	uint8_t *bytes = g_malloc(GUESS_BYTES);
	ssize_t size = fd < 0 ? -1 : pread(fd, bytes, GUESS_BYTES, from);
	int64_t found = RDA_OFFSET_UNKNOWN;

	for (ssize_t at = 0; at < size / 2 && found == RDA_OFFSET_UNKNOWN; at++)
		if (records_go_on(s, bytes, (uint64_t)at, (uint64_t)size))
			found = from + at;
	g_free(bytes);
	if (fd >= 0)
		close(fd);
	return found;
}

/* ---- a look ahead ---------------------------------------------------------------------------- */

static bool look_ahead(struct rda_source *source, unsigned most, struct rda_frame *frame)
{
	struct pcap_source *s = (struct pcap_source *)source;
	const uint32_t header = s->records->record.header_length;
	const int64_t next = rda_records_tell(s->records);
	const uint8_t *bytes;
	size_t size, left;

	if (s->ahead < next || s->ahead_frames - s->records->frames > most) {
		s->ahead = next;
		s->ahead_frames = s->records->frames;
	}
	bytes = rda_records_rest(s->records, &size);
	if (s->ahead_frames - s->records->frames == most || size < header ||
	    (size_t)(s->ahead - next) > size - header)
		return false;
	bytes += s->ahead - next;
	left = size - header - (size_t)(s->ahead - next);
	frame->bytes = bytes + header;
	frame->captured = number_at(s, bytes + 8);
	frame->wire = number_at(s, bytes + 12);
	frame->link = s->link;
	if (frame->captured > left)
		return false;
	s->ahead += header + frame->captured;
	s->ahead_frames++;
	return true;
}

/* ---- opening --------------------------------------------------------------------------------- */

/* `records` stands at the file header. */
static struct rda_source *open_pcap(struct rda_file_records *records, struct rda_refusal *refusal)
{
	struct pcap_source *s;

	if (!rda_records_take(records, records->record.length)) {
		rda_source_refuse(refusal, records, NULL);
		rda_records_close(records);
		return NULL;
	}
	if (records->major != 543 && (records->major != 2 || records->minor > 4)) {
		refusal->offset = 0;
		refusal->reason = g_strdup_printf("version %u.%u of pcap is not known",
						  records->major, records->minor);
		rda_records_close(records);
		return NULL;
	}
	s = g_new0(struct pcap_source, 1);
	s->source.next = next_frame;
	s->source.ahead = look_ahead;
	s->source.close = close_source;
	s->source.plain = !rda_records_packed(records);
	s->records = records;
	s->link = rda_source_link(records->record.link);
	s->most = rda_source_most_captured(s->link);
	s->most_plain = s->link == RDA_LINK_ERF ? 0 : s->most; /* ERF: fix_erf */
	return &s->source;
}

/* Takes `records`, of which nothing was read; NULL: the file could not be opened. */
static struct rda_source *open_records(struct rda_file_records *records,
				       struct rda_refusal *refusal)
{
	refusal->offset = RDA_OFFSET_UNKNOWN;
	if (!records)
		return NULL;
	rda_records_next(records);
	if (records->pcap)
		return open_pcap(records, refusal);
	if (records->record.kind == RDA_RECORD_SECTION)
		return rda_source_pcapng_open(records, refusal);
	refusal->reason = g_strdup(records->error); /* or NULL: not a capture */
	rda_records_close(records);
	return NULL;
}

struct rda_source *rda_source_pcap_open(const char *file, struct rda_refusal *refusal)
{
	return open_records(rda_records_open(file, &refusal->reason), refusal);
}

struct rda_source *rda_source_pcap_open_growing(const char *file, bool (*grows)(void *context),
						void *context, struct rda_refusal *refusal)
{
	return open_records(rda_records_open_growing(file, grows, context, &refusal->reason),
			    refusal);
}
