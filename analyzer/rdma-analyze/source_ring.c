/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files of a ring, one after the other. See source_ring.h.
 */
#include "analyzer/rdma-analyze/source_ring.h"

#include "analyzer/rdma-analyze/complain.h"
#include "analyzer/rdma-analyze/interrupt.h"
#include "analyzer/rdma-analyze/source_reader.h"
#include "analyzer/report/output.h"

#include <glob.h>
#include <poll.h>
#include <stdio.h>
#include <sys/stat.h>

/* Between two looks at the files: inotify says nothing of files on other hosts. */
enum { LOOK_MS = 100 };

/* When the first packet of a file is, as looked up when the file was like that. */
struct known {
	ino_t inode;
	off_t size;
	int64_t changed_ns;
	int64_t first_ns; /* NO_PACKET: it has none yet, or is no capture */
};

#define NO_PACKET INT64_MIN

struct ring_source {
	struct rda_source source; /* first */
	struct rda_source *file;  /* at hand; NULL: none */
	ino_t inode;		  /* of the file at hand */
	int64_t first_ns;	  /* of the file at hand, or of the one before; NO_PACKET: none */
	uint64_t before;	  /* frames of the files before */
	GHashTable *known;	  /* name -> struct known, of the files that are there */
	char *next;		  /* a later file than that at hand was there; NULL: not yet */
	int64_t next_ns;
	bool over;
};

/* ---- the files ------------------------------------------------------------------------------- */

static int64_t look_up_first(const char *name)
{
	struct rda_refusal refusal = {NULL, RDA_OFFSET_UNKNOWN};
	struct rda_source *file = rda_source_pcap_open(name, &refusal);
	int64_t first_ns = NO_PACKET;
	struct rda_meta meta;
	struct rda_frame frame;

	g_free(refusal.reason);
	if (!file)
		return NO_PACKET;
	if (file->next(file, &meta, &frame) == RDA_SOURCE_FRAME)
		first_ns = meta.time_ns;
	file->close(file);
	return first_ns;
}

static int64_t first_of(struct ring_source *ring, const char *name)
{
	struct known *known = g_hash_table_lookup(ring->known, name), now;
	struct stat status;

	if (stat(name, &status) != 0 || !S_ISREG(status.st_mode))
		return NO_PACKET;
	now = (struct known){
		status.st_ino, status.st_size,
		rda_source_time(status.st_mtim.tv_sec, (uint32_t)status.st_mtim.tv_nsec),
		NO_PACKET};
	/* one that has grown may be another one by now, of the same inode */
	if (known && known->inode == now.inode && known->size == now.size &&
	    known->changed_ns == now.changed_ns)
		return known->first_ns;
	now.first_ns = look_up_first(name);
	known = g_new(struct known, 1);
	*known = now;
	g_hash_table_replace(ring->known, g_strdup(name), known);
	return now.first_ns;
}

static gboolean is_gone(void *name, void *known, void *context)
{
	struct stat status;

	(void)known;
	(void)context;
	return stat(name, &status) != 0;
}

/* The file that comes behind the one at hand: noted in `next`. False: it is not there yet. */
static bool find_next(struct ring_source *ring)
{
	glob_t found;

	if (glob(ring->source.file, GLOB_NOSORT, NULL, &found) != 0)
		return false; /* none match */
	for (size_t i = 0; i < found.gl_pathc; i++) {
		int64_t first_ns = first_of(ring, found.gl_pathv[i]);

		if (first_ns == NO_PACKET ||
		    (ring->first_ns != NO_PACKET && first_ns <= ring->first_ns) ||
		    (ring->next && first_ns >= ring->next_ns))
			continue;
		g_free(ring->next);
		ring->next = g_strdup(found.gl_pathv[i]);
		ring->next_ns = first_ns;
	}
	globfree(&found);
	g_hash_table_foreach_remove(ring->known, is_gone, NULL);
	return ring->next != NULL;
}

/* ---- waiting --------------------------------------------------------------------------------- */

/* Waits a moment; false: nobody wants more. */
static bool wait_a_moment(struct ring_source *ring)
{
	struct rda_source *source = &ring->source;

	ring->over = rda_interrupt_came() || (source->waits && !source->waits(source->waits_for));
	if (!ring->over)
		poll(NULL, 0, LOOK_MS);
	return !ring->over;
}

/* The file at hand has no more bytes. True: it may have by now. */
static bool grows(void *context)
{
	struct ring_source *ring = context;

	if (ring->over || ring->next)
		return false;
	/* what was written before the later one was begun may have come since the last look */
	return find_next(ring) || wait_a_moment(ring);
}

/* ---- frames ---------------------------------------------------------------------------------- */

static void tell(struct ring_source *ring, const char *what)
{
	rda_complain("%s: %s", ring->file->file, what);
}

/* Whether other packets stand in it by now: not so of a new file of the same name. */
static bool is_overwritten(struct ring_source *ring)
{
	struct stat status;

	return stat(ring->file->file, &status) == 0 && status.st_ino == ring->inode &&
	       first_of(ring, ring->file->file) != ring->first_ns;
}

/* The file at hand was read to its end, or to where it is damaged. */
static void leave_file(struct ring_source *ring, enum rda_source_result result)
{
	if (is_overwritten(ring)) {
		tell(ring, "it was overwritten before it was read to its end");
		ring->source.dropped++;
	} else if (result == RDA_SOURCE_DAMAGED && !ring->over && !rda_interrupt_came()) {
		tell(ring, ring->file->error);
	}
	ring->source.dropped += ring->file->dropped;
	ring->file->close(ring->file);
	ring->file = NULL;
	ring->before = ring->source.frames;
}

/* Opens the file that comes next, once it is there. False: nobody waits any more. */
static bool open_next(struct ring_source *ring)
{
	struct rda_refusal refusal = {NULL, RDA_OFFSET_UNKNOWN};

	while (!ring->file) {
		struct stat status;

		if (!ring->next && !find_next(ring)) {
			if (!wait_a_moment(ring))
				return false;
			continue;
		}
		ring->first_ns = ring->next_ns;
		ring->file = rda_source_pcap_open_growing(ring->next, grows, ring, &refusal);
		if (ring->file && stat(ring->next, &status) == 0)
			ring->inode = status.st_ino;
		if (ring->file)
			ring->file->file = ring->next;
		else
			g_free(ring->next); /* it went meanwhile */
		ring->next = NULL;
		g_free(refusal.reason);
		refusal.reason = NULL;
	}
	return true;
}

static enum rda_source_result next_frame(struct rda_source *source, struct rda_meta *meta,
					 struct rda_frame *frame)
{
	struct ring_source *ring = (struct ring_source *)source;

	while (!rda_interrupt_came() && (ring->file || open_next(ring))) {
		enum rda_source_result result = ring->file->next(ring->file, meta, frame);

		if (result == RDA_SOURCE_FRAME) {
			meta->number += ring->before;
			source->frames = meta->number;
			return RDA_SOURCE_FRAME;
		}
		leave_file(ring, result);
		if (ring->over)
			break;
	}
	return RDA_SOURCE_END;
}

static void close_source(struct rda_source *source)
{
	struct ring_source *ring = (struct ring_source *)source;

	if (ring->file)
		ring->file->close(ring->file);
	g_hash_table_unref(ring->known);
	g_free(ring->next);
	g_free(source->file);
	g_free(source->error);
	g_free(ring);
}

struct rda_source *rda_source_ring_open(const char *pattern)
{
	struct ring_source *ring = g_new0(struct ring_source, 1);

	ring->source.next = next_frame;
	ring->source.close = close_source;
	ring->source.file = g_strdup(pattern);
	ring->source.offset = RDA_OFFSET_UNKNOWN;
	ring->source.live = true;
	ring->first_ns = NO_PACKET;
	ring->known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	return &ring->source;
}
