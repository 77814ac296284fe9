/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For the tests of what reads files: capture files made byte by byte, also wrong ones, and all that
 * a reader says of one.
 *
 * The bytes of a packet follow from its place among the packets of its file: rda_file_byte.
 */
#ifndef RDA_TEST_CAPTURE_FILE_H
#define RDA_TEST_CAPTURE_FILE_H

#include <glib.h>

#include "analyzer/rdma-analyze/source.h"

#define RDA_PCAP_US 0xa1b2c3d4
#define RDA_PCAP_NS 0xa1b23c4d

struct rda_file {
	GByteArray *bytes;
	GArray *starts;	  /* of int64_t: the offset of each record and of the end */
	bool big;	  /* its numbers are big endian */
	unsigned packets; /* so far */
	char *folder, *path;
};

void rda_file_begin(struct rda_file *file, bool big);
void rda_file_end(struct rda_file *file); /* and removes it */

void rda_file_number(struct rda_file *file, uint64_t value, unsigned size);
void rda_file_bytes(struct rda_file *file, const void *bytes, size_t size);
int64_t rda_file_start(const struct rda_file *file, unsigned record);

/* Writes the file, or its first bytes, and returns its path. */
const char *rda_file_write(struct rda_file *file);
const char *rda_file_write_cut(struct rda_file *file, size_t size);

uint8_t rda_file_byte(unsigned packet, size_t index);

/* ---- pcap */
void rda_pcap_header(struct rda_file *file, uint32_t magic, uint32_t snaplen, uint32_t link);
void rda_pcap_packet(struct rda_file *file, uint32_t seconds, uint32_t fraction, uint32_t captured,
		     uint32_t wire);
void rda_pcap_record(struct rda_file *file, uint32_t seconds, uint32_t fraction, const void *bytes,
		     uint32_t size);

/* ---- pcapng. A time resolution of 0 is none: microseconds */
void rda_pcapng_section(struct rda_file *file);
void rda_pcapng_interface(struct rda_file *file, uint16_t link, uint32_t snaplen,
			  uint8_t resolution);
void rda_pcapng_packet(struct rda_file *file, uint32_t interface, uint64_t time, uint32_t captured,
		       uint32_t wire);
void rda_pcapng_record(struct rda_file *file, uint32_t interface, uint64_t time, const void *bytes,
		       uint32_t size);
void rda_pcapng_simple(struct rda_file *file, uint32_t captured, uint32_t wire);
void rda_pcapng_old(struct rda_file *file, uint16_t interface, uint64_t time, uint32_t captured);
void rda_pcapng_block(struct rda_file *file, uint32_t type, const void *body, uint32_t size);

/* ---- what a reader says */
struct rda_seen_frame {
	struct rda_meta meta;
	uint32_t captured, wire;
	uint16_t link;
	uint8_t *bytes;
};

struct rda_seen {
	bool opened;
	GArray *frames; /* of struct rda_seen_frame */
	enum rda_source_result result;
	char *error; /* why it was not opened, or where DAMAGED */
	int64_t offset;
};

struct rda_seen *rda_see(const char *path, enum rda_reader reader);
void rda_seen_free(struct rda_seen *seen);
const struct rda_seen_frame *rda_seen_frame(const struct rda_seen *seen, unsigned index);

/* The file was read to its end, and had so many frames. */
void rda_expect_end(const struct rda_seen *seen, unsigned frames);

/* It was read up to the record at `offset`, for a reason with these words in it. */
void rda_expect_damage(const struct rda_seen *seen, unsigned frames, int64_t offset,
		       const char *words);

/*
 * Whether a reader tells what odd files say. libwiretap 3.6 takes the lesser of a packet's two
 * lengths, has all sections' interfaces as one, and passes over if_tsoffset.
 */
static inline bool rda_reader_tells_odd(enum rda_reader reader)
{
#ifdef RDA_WIRETAP_3_6
	return reader != RDA_READER_WIRETAP;
#else
	(void)reader;
	return true;
#endif
}

/* It was not opened, for a reason with these words in it. */
void rda_expect_refused(const struct rda_seen *seen, int64_t offset, const char *words);

/* Frame `index` is this, and has the bytes of packet `packet`. */
void rda_expect_frame(const struct rda_seen *seen, unsigned index, unsigned packet, int64_t time_ns,
		      uint32_t captured, uint32_t wire);

void rda_expect_same(const struct rda_seen *a, const struct rda_seen *b);

#endif
