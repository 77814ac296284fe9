/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For the tests of threads: frames between host 1 and some others, and a source of them.
 */
#ifndef RDA_TEST_SEEN_FRAMES_H
#define RDA_TEST_SEEN_FRAMES_H

#include "analyzer/rdma-analyze/source.h"
#include "tests/unit/feed.h"

#include <glib.h>

enum { RDA_SEEN_HOSTS = 9, RDA_SEEN_SEND_ONLY = 0x04 };

/* Frame `i`; the bytes are those of `built`. */
static inline struct rda_frame rda_seen_frame(struct rda_built *built, uint32_t i)
{
	struct rda_recipe recipe = rda_packet_of(1, (uint8_t)(2 + i % (RDA_SEEN_HOSTS - 1)), 0x11,
						 RDA_SEEN_SEND_ONLY, i / (RDA_SEEN_HOSTS - 1));

	rda_build_packet(built, &recipe);
	return (struct rda_frame){built->b.bytes, built->b.length, built->b.length, built->link};
}

static inline struct rda_meta rda_seen_meta(uint32_t i)
{
	return (struct rda_meta){.time_ns = i * INT64_C(1000), .number = i + 1};
}

struct rda_seen_source {
	struct rda_source source; /* first */
	struct rda_built built;
	uint32_t at, count; /* frames taken, and that there are */
	int64_t late_ns;    /* that its times are later */
	bool *closed;	    /* NULL: nobody asks */
};

static inline enum rda_source_result rda_seen_next(struct rda_source *source, struct rda_meta *meta,
						   struct rda_frame *frame)
{
	struct rda_seen_source *s = (struct rda_seen_source *)source;

	if (s->at == s->count)
		return RDA_SOURCE_END;
	*frame = rda_seen_frame(&s->built, s->at);
	*meta = rda_seen_meta(s->at++);
	meta->time_ns += s->late_ns;
	return RDA_SOURCE_FRAME;
}

static inline void rda_seen_close(struct rda_source *source)
{
	struct rda_seen_source *s = (struct rda_seen_source *)source;

	if (s->closed)
		*s->closed = true;
	g_free(s);
}

static inline struct rda_source *rda_seen_source(uint32_t count)
{
	struct rda_seen_source *s = g_new0(struct rda_seen_source, 1);

	s->source.next = rda_seen_next;
	s->source.close = rda_seen_close;
	s->count = count;
	return &s->source;
}

#endif
