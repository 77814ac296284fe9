/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records of a pcap or pcapng file: where each one begins, how long it says it is, and of a
 * packet the interface and its link type. Neither library tells all of that.
 *
 *     pcap:   header 24 | { record header 16 | bytes }*
 *     pcapng: { type 4 | length 4 | body | length 4 }*, sections begin with type 0x0a0d0d0a
 *
 * Reads plain and packed files (gzip, zstd) and pipes, front to back. Only the frame of the two
 * formats is known here; what is in a record is left to source_pcap.c and source_pcapng.c. A file
 * of neither format is one record of kind RDA_RECORD_FOREIGN.
 */
#ifndef RDA_RECORDS_H
#define RDA_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* RDA_RECORD_KINDS(K): K(ID, "words") */
#define RDA_RECORD_KINDS(K)                                                                        \
	K(FOREIGN, "the file")                                                                     \
	K(FILE_HEADER, "the file header")                                                          \
	K(PACKET, "a packet record")                                                               \
	K(SECTION, "a section header block")                                                       \
	K(INTERFACE, "an interface description block")                                             \
	K(SIMPLE_PACKET, "a simple packet block")                                                  \
	K(PACKET_BLOCK, "a packet block")                                                          \
	K(STATISTICS, "an interface statistics block")                                             \
	K(NO_PACKET, "a custom or journal block")                                                  \
	K(OTHER, "a block")

enum rda_record_kind {
#define RDA_K(ID, words) RDA_RECORD_##ID,
	RDA_RECORD_KINDS(RDA_K)
#undef RDA_K
};

enum { RDA_PCAP_RECORD_BYTES = 16 }; /* of the header of a record in a pcap */

/* What is said of a record that is all zeros. */
#define RDA_RECORD_NOT_WRITTEN                                                                     \
	"the file was not written to its end: there are zeros where the next record should begin"

struct rda_file_record {
	int64_t offset;	    /* of its first byte, in the unpacked file */
	uint64_t length;    /* that it says it has; of its header where not even that is whole */
	bool header_cut;    /* the file ends inside its header */
	uint8_t kind;	    /* enum rda_record_kind */
	uint32_t section;   /* pcapng: from 0 */
	uint32_t interface; /* of a packet, in its section */
	uint16_t link;	    /* of a packet: LINKTYPE_ value as in the file, or RDA_LINK_UNKNOWN */

	/* of a packet in a pcap: the bytes of its header, and what is in it */
	uint8_t header_length;
	uint32_t seconds, fraction, captured, wire;
};

struct rda_file_records {
	struct rda_file_record record; /* the current one */
	uint64_t frames;	       /* begun so far, as Wireshark numbers them */
	bool swapped;		       /* its numbers are not in the byte order of this host */
	bool pcap;		       /* and not pcapng */
	bool nanoseconds;	       /* pcap: the unit of the fractions, else microseconds */
	uint16_t major, minor;	       /* pcap: version */
	bool cut;		       /* the file ended inside the current record */
	char *error; /* the file could not be read on; NULL: its end was reached */

	struct rda_records_private *private;
};

/* `file` "-" is standard input. NULL on failure, with the reason in *error (g_free). */
struct rda_file_records *rda_records_open(const char *file, char **error);
/* A file that grows: rda_unpack_grows. */
struct rda_file_records *rda_records_open_growing(const char *file, bool (*grows)(void *context),
						  void *context, char **error);
void rda_records_close(struct rda_file_records *records);

/* Goes to the first or the next record. False at the end of the file. */
bool rda_records_next(struct rda_file_records *records);

/* The next bytes of the current record; 0 at its end. */
size_t rda_records_read(struct rda_file_records *records, void *bytes, size_t size);

/*
 * The next `size` bytes of the current record where they lie, in memory that grows to that size;
 * valid until the next call. NULL when the file ends before.
 */
const uint8_t *rda_records_take(struct rda_file_records *records, size_t size);

/*
 * The next record of a pcap, header first, where nothing has to be asked of it: its numbers are in
 * the order of this host, its header is not older than version 2.4, it is whole in the buffer, has
 * a byte and at most `most`. It is taken as by rda_records_next and rda_records_take, but `record`
 * stays that of one before. NULL: not so, and nothing was done; those tell.
 */
const uint8_t *rda_records_take_plain(struct rda_file_records *records, uint32_t most);

/*
 * What was read behind the current record, *size bytes of it; 0 where that record was not taken.
 * Valid until the next call.
 */
const uint8_t *rda_records_rest(const struct rda_file_records *records, size_t *size);

/* Where the next record begins, when the current one was taken; and, in a pcap, goes on from where
 * one does, in a plain file. */
int64_t rda_records_tell(const struct rda_file_records *records);
void rda_records_seek(struct rda_file_records *records, int64_t offset);

/* Whether the file is compressed, and how many of its own bytes were read. */
bool rda_records_packed(const struct rda_file_records *records);
int64_t rda_records_position(const struct rda_file_records *records);

/* "the file ends inside a packet record: 82 bytes expected, 28 there" (g_free), if it is cut. */
char *rda_records_cut_words(const struct rda_file_records *records);

/* Whether these are the first bytes of a pcap or pcapng file. */
#define RDA_RECORDS_MAGIC 12
bool rda_records_is_plain(const uint8_t magic[RDA_RECORDS_MAGIC]);

#endif
