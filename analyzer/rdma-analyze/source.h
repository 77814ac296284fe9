/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The seam between files and the engine: a source hands out frames one by one.
 *
 * Behind it are libwiretap (source_wiretap.c), or a few lines of our own for pcap (source_pcap.c)
 * and libpcap for pcapng (source_pcapng.c); nothing outside those files knows which one reads. All
 * give the same frames: nanoseconds, a link type and an interface per frame, captured and original
 * length.
 *
 *     meta.number  counts the records as Wireshark does, so custom and journal blocks of a pcapng
 *                  have numbers, though they are not handed out
 *     meta.tap     index of the interface, plus 65536 for each pcapng section before; of ERF in
 *                  other files the port of the card. Simple packet blocks have time 0.
 *     frame.link   LINKTYPE_ value; the old values of raw IP (12, 14) are told as 101
 */
#ifndef RDA_SOURCE_H
#define RDA_SOURCE_H

#include "analyzer/engine/ahead.h"
#include "analyzer/engine/engine.h"

enum rda_source_result {
	RDA_SOURCE_FRAME, /* *meta and *frame are filled; the bytes live until the next call */
	RDA_SOURCE_END,	  /* the end of the file */
	RDA_SOURCE_IDLE,  /* nothing for a moment: more may come (an interface, a ring of files) */
	RDA_SOURCE_DAMAGED, /* no more can be read: source->error and source->offset say why */
};

enum rda_reader {
	RDA_READER_AUTO,
	RDA_READER_WIRETAP,
	RDA_READER_PCAP, /* without libwiretap */
};

/* rda_source.offset: not known. */
#define RDA_OFFSET_UNKNOWN (-1)

/* rda_frame.link: the file has packets of a kind that has no LINKTYPE_ value. */
#define RDA_LINK_UNKNOWN 0xffff

struct rda_source {
	enum rda_source_result (*next)(struct rda_source *, struct rda_meta *, struct rda_frame *);
	/* where it is set: the next of at most `most` frames behind the latest one, as the file has
	 * it, each once; false: none is to be had without reading on */
	bool (*ahead)(struct rda_source *, unsigned most, struct rda_frame *);
	void (*close)(struct rda_source *); /* frees the source itself too */
	char *file;			    /* the name as given; "-" is standard input */
	char *error;	  /* set with DAMAGED: the reason, without file name or offset */
	int64_t offset;	  /* of the damaged record, in bytes of the unpacked file; or unknown */
	int64_t size;	  /* of the file; 0 when not known: for progress */
	uint64_t frames;  /* handed out so far */
	int64_t position; /* bytes of the file read so far, for progress */
	uint64_t dropped; /* packets that the capturing program could not keep, as the file says */
	bool one;	  /* of them only those of one interface, `tap` (meta.tap), are counted */
	uint32_t tap;
	/* called while next() waits for packets, where it is set; false: it is to end */
	bool (*waits)(void *context);
	void *waits_for; /* its context */
	bool plain; /* a file that is not packed, of pcap or pcapng, read by our own readers: who
		       opens it again has the same frames */
	bool live;  /* packets come as they are sent: time goes on when none come, and none twice */
};

/* Whether what this interface dropped is to be counted. */
static inline bool rda_source_counts(const struct rda_source *source, uint32_t tap)
{
	return !source->one || source->tap == tap;
}

/* Whether the program was built with it, and what it needs can be loaded. */
bool rda_reader_is_there(enum rda_reader reader);

/*
 * Opens a capture. NULL on failure, with the reason in *error (g_free it) and the offset in
 * *offset: not there, a directory, empty, not a capture.
 *
 * AUTO reads a pcap or pcapng, packed or not, without libwiretap, which takes twice the time; all
 * else with libwiretap where that can be loaded (wiretap_module.h); and without it what it refuses.
 */
struct rda_source *rda_source_open(const char *file, enum rda_reader reader, char **error,
				   int64_t *offset);

/*
 * Tells the engine frames that are behind the latest one, where it has so many flows that
 * this helps (ahead.h).
 */
void rda_source_tell_ahead(struct rda_source *source, struct rda_engine *engine);

static inline void rda_source_look_ahead(struct rda_source *source, struct rda_engine *engine)
{
	if (source->ahead && rda_ahead_is_worth(engine))
		rda_source_tell_ahead(source, engine);
}

/* ---- parts of a file --------------------------------------------------------------------------
 */

/*
 * Whether it can be read from any record on: a plain pcap. Then numbers of frames count from where
 * that was.
 */
bool rda_source_seeks(const struct rda_source *source);

/* Where the next record begins; reads on from where one does, also after the end. */
int64_t rda_source_tell(const struct rda_source *source);
void rda_source_seek(struct rda_source *source, int64_t offset);

/*
 * Where the first record behind `from` seems to begin, as records go on from there;
 * RDA_OFFSET_UNKNOWN: nowhere near. Whether it is so is known to who reads up to there.
 */
int64_t rda_source_guess(const struct rda_source *source, int64_t from);

#endif
