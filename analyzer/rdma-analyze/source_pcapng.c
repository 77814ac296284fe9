/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frames of a pcapng file, read by libpcap.
 *
 * libpcap reads from a stream of ours (records.h), which knows where each block begins and on which
 * interface a packet was seen: libpcap's interface has neither. Each read of the stream ends where
 * a block ends, so that stdio's buffer never runs ahead of the block that libpcap is reading.
 */
#include <errno.h>
#include <pcap/pcap.h>
#include <stdio.h>

#include "analyzer/rdma-analyze/erf_record.h"
#include "analyzer/rdma-analyze/source_reader.h"
#include "dissectors/link.h"

#define STREAM_BYTES (64 * 1024)

struct pcapng_source {
	struct rda_source source; /* first */
	struct rda_file_records *records;
	pcap_t *pcap;
	bool finished;
	enum rda_source_result result; /* once finished */
	char buffer[STREAM_BYTES];     /* of stdio */
};

/* For fopencookie: the rest of the current block, or of the next one. */
static ssize_t read_stream(void *cookie, char *bytes, size_t size)
{
	struct rda_file_records *records = cookie;
	size_t n;

	while ((n = rda_records_read(records, bytes, size)) == 0) {
		if (rda_records_next(records))
			continue;
		errno = EIO;
		return records->error ? -1 : 0;
	}
	return (ssize_t)n;
}

static enum rda_source_result next_frame(struct rda_source *source, struct rda_meta *meta,
					 struct rda_frame *frame)
{
	struct pcapng_source *s = (struct pcapng_source *)source;
	const struct rda_file_record *record = &s->records->record;
	struct pcap_pkthdr *header;
	int status;

	if (s->finished)
		return s->result;
	status = pcap_next_ex(s->pcap, &header, &frame->bytes);
	source->position = rda_records_position(s->records);
	if (status != 1) {
		s->finished = true;
		s->result = rda_source_end(source, s->records,
					   status == PCAP_ERROR ? pcap_geterr(s->pcap) : NULL);
		return s->result;
	}

	meta->time_ns = rda_source_time(rda_source_seconds(header->ts.tv_sec),
					(uint32_t)header->ts.tv_usec);
	if (record->kind == RDA_RECORD_SIMPLE_PACKET) /* it has no time */
		meta->time_ns = 0;
	meta->number = s->records->frames;
	meta->tap = record->section * RDA_TAPS_PER_SECTION + record->interface;
	frame->captured = header->caplen;
	frame->wire = MAX(header->len, header->caplen);
	frame->link = rda_source_link(record->link);
	if (frame->link == RDA_LINK_ERF)
		rda_erf_trim(frame->bytes, &frame->captured, &frame->wire);
	source->frames++;
	return RDA_SOURCE_FRAME;
}

static void close_source(struct rda_source *source)
{
	struct pcapng_source *s = (struct pcapng_source *)source;

	if (s->pcap)
		pcap_close(s->pcap); /* and its stream */
	rda_records_close(s->records);
	g_free(source->file);
	g_free(source->error);
	g_free(s);
}

static FILE *stream_of(struct pcapng_source *s)
{
	FILE *stream = fopencookie(s->records, "r", (cookie_io_functions_t){.read = read_stream});

	if (!stream || setvbuf(stream, s->buffer, _IOFBF, sizeof(s->buffer)) != 0)
		g_error("out of memory");
	return stream;
}

struct rda_source *rda_source_pcapng_open(struct rda_file_records *records,
					  struct rda_refusal *refusal)
{
	char pcap_error[PCAP_ERRBUF_SIZE] = "";
	struct pcapng_source *s = g_new0(struct pcapng_source, 1);
	FILE *stream;

	s->source.next = next_frame;
	s->source.close = close_source;
	s->records = records;
	stream = stream_of(s);
	s->pcap = pcap_fopen_offline_with_tstamp_precision(stream, PCAP_TSTAMP_PRECISION_NANO,
							   pcap_error);
	if (s->pcap)
		return &s->source;
	rda_source_refuse(refusal, records, pcap_error);
	fclose(stream);
	close_source(&s->source);
	return NULL;
}
