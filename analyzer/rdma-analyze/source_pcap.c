/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frames of a capture file, read by libpcap.
 *
 * libpcap reads from a stream of ours (records.h), which knows where each record begins and on
 * which interface it was seen: libpcap's interface has neither. The stream has no buffer in stdio,
 * so that it is always at the record that libpcap is reading.
 */
#include <errno.h>
#include <pcap/pcap.h>
#include <stdio.h>

#include "analyzer/rdma-analyze/erf_record.h"
#include "analyzer/rdma-analyze/records.h"
#include "analyzer/rdma-analyze/source_reader.h"
#include "dissectors/link.h"

/* Where the header of a pcap file has the snaplen. */
#define SNAPLEN_OFFSET 16
#define SNAPLEN_BYTES  4

struct pcap_source {
	struct rda_source source; /* first */
	struct rda_records *records;
	pcap_t *pcap;
	uint16_t file_link; /* pcap, not pcapng */
	bool finished;
	enum rda_source_result result; /* once finished */
};

/*
 * libpcap cuts packets that are longer than the snaplen in the file's header says. There are files
 * with such packets, and their bytes are good: a snaplen of 0 makes it keep them.
 */
static void widen_snaplen(const struct rda_records *records, char *bytes, size_t size)
{
	int64_t offset = rda_records_offset(records) - (int64_t)size;

	if (records->record.kind != RDA_RECORD_FILE_HEADER)
		return;
	for (size_t i = 0; i < size; i++, offset++)
		if (offset >= SNAPLEN_OFFSET && offset < SNAPLEN_OFFSET + SNAPLEN_BYTES)
			bytes[i] = 0;
}

/* For fopencookie: libpcap's reads end where a record ends, except in damaged files. */
static ssize_t read_stream(void *cookie, char *bytes, size_t size)
{
	struct rda_records *records = cookie;
	size_t n;

	while ((n = rda_records_read(records, bytes, size)) == 0) {
		if (rda_records_next(records))
			continue;
		errno = EIO;
		return records->error ? -1 : 0;
	}
	widen_snaplen(records, bytes, n);
	return (ssize_t)n;
}

/* Why libpcap could not read on, in our words where they say more than its own. */
static char *reason(const struct rda_records *records, const char *pcap_error)
{
	char *words;

	if (records->error)
		return g_strdup(records->error);
	words = rda_records_cut_words(records);
	return words ? words : g_strdup(pcap_error);
}

static enum rda_source_result finish(struct pcap_source *s, int status)
{
	const struct rda_records *records = s->records;

	s->finished = true;
	s->result = RDA_SOURCE_END;
	if (status == PCAP_ERROR)
		s->result = rda_source_damage(&s->source, reason(records, pcap_geterr(s->pcap)),
					      records->record.offset, rda_records_packed(records));
	return s->result;
}

/* The time as the file has it: of a pcap the seconds are 32 bits without a sign. */
static int64_t time_of(const struct pcap_source *s, const struct pcap_pkthdr *header)
{
	if (s->records->pcap)
		return rda_source_time((uint32_t)header->ts.tv_sec, (uint32_t)header->ts.tv_usec);
	if (s->records->record.kind == RDA_RECORD_SIMPLE_PACKET)
		return 0;
	return rda_source_time(header->ts.tv_sec, (uint32_t)header->ts.tv_usec);
}

static void fix_erf(const struct pcap_source *s, struct rda_meta *meta, struct rda_frame *frame)
{
	if (s->records->pcap && frame->captured >= RDA_ERF_HEADER_BYTES) {
		meta->time_ns = rda_erf_time(frame->bytes);
		meta->tap = rda_erf_port(frame->bytes[9]);
	}
	rda_erf_trim(frame->bytes, &frame->captured, &frame->wire);
}

static enum rda_source_result next_frame(struct rda_source *source, struct rda_meta *meta,
					 struct rda_frame *frame)
{
	struct pcap_source *s = (struct pcap_source *)source;
	const struct rda_record *record = &s->records->record;
	struct pcap_pkthdr *header;
	int status;

	if (s->finished)
		return s->result;
	status = pcap_next_ex(s->pcap, &header, &frame->bytes);
	source->position = rda_records_position(s->records);
	if (status != 1)
		return finish(s, status);

	meta->time_ns = time_of(s, header);
	meta->number = s->records->frames;
	meta->tap = record->section * RDA_TAPS_PER_SECTION + record->interface;
	frame->captured = header->caplen;
	frame->wire = MAX(header->len, header->caplen);
	frame->link = rda_source_link(s->records->pcap ? s->file_link : record->link);
	if (frame->link == RDA_LINK_ERF)
		fix_erf(s, meta, frame);
	source->frames++;
	return RDA_SOURCE_FRAME;
}

static void close_source(struct rda_source *source)
{
	struct pcap_source *s = (struct pcap_source *)source;

	if (s->pcap)
		pcap_close(s->pcap); /* and its stream */
	rda_records_close(s->records);
	g_free(source->file);
	g_free(source->error);
	g_free(s);
}

/* A stream for libpcap; without a buffer, so that it asks for each record when it needs it. */
static FILE *stream_of(struct rda_records *records)
{
	FILE *stream = fopencookie(records, "r", (cookie_io_functions_t){.read = read_stream});

	if (!stream || setvbuf(stream, NULL, _IONBF, 0) != 0)
		g_error("out of memory");
	return stream;
}

static void refuse(const struct rda_records *records, const char *pcap_error,
		   struct rda_refusal *refusal)
{
	bool foreign = records->record.kind == RDA_RECORD_FOREIGN;

	refusal->offset = foreign ? RDA_OFFSET_UNKNOWN : records->record.offset;
	refusal->reason = NULL;
	if (!foreign || records->error)
		refusal->reason = rda_source_reason(reason(records, pcap_error), refusal->offset,
						    rda_records_packed(records));
}

struct rda_source *rda_source_pcap_open(const char *file, struct rda_refusal *refusal)
{
	char pcap_error[PCAP_ERRBUF_SIZE] = "";
	struct pcap_source *s = g_new0(struct pcap_source, 1);
	FILE *stream;

	refusal->offset = RDA_OFFSET_UNKNOWN;
	s->source.next = next_frame;
	s->source.close = close_source;
	s->records = rda_records_open(file, &refusal->reason);
	if (!s->records) {
		close_source(&s->source);
		return NULL;
	}
	stream = stream_of(s->records);
	s->pcap = pcap_fopen_offline_with_tstamp_precision(stream, PCAP_TSTAMP_PRECISION_NANO,
							   pcap_error);
	if (!s->pcap) {
		refuse(s->records, pcap_error, refusal);
		fclose(stream);
		close_source(&s->source);
		return NULL;
	}
	s->file_link = s->records->record.link;
	return &s->source;
}
