/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one capture (file) held, counted by the engine.
 */
#ifndef RDA_CAPTURE_H
#define RDA_CAPTURE_H

#include "analyzer/rda.h"
#include "analyzer/base/meta.h"
#include "dissectors/packet.h"

#include <stdbool.h>
#include <stdint.h>

/* No link carries longer frames: they were put together in a host (LSO, GRO). */
#define RDA_LONGEST_FRAME (9216 + 18)

/* Files that were written one after the other: the next begins so soon after the end of one. */
#define RDA_NEXT_FILE_NS INT64_C(1000000000)

/* Whether a capture that begins then goes on where one ended. */
static inline bool rda_is_next_file(int64_t end_ns, int64_t begin_ns)
{
	return begin_ns <= end_ns + RDA_NEXT_FILE_NS && begin_ns >= end_ns - RDA_NEXT_FILE_NS;
}

/* Its last frame, and so what came behind any other, was stamped then or later: where the clock was
 * set back its latest stamp may lie before that. */
static inline int64_t rda_capture_until(const struct rda_capture *capture)
{
	return rda_meta_ns_before(capture->last_time_ns, capture->back_ns);
}

/* The same of the captures behind this place, of `count`, in files that follow each other. */
int64_t rda_captures_until(const struct rda_capture *captures, uint32_t count, uint64_t place);

/* Counts a frame and what was dissected of it. */
void rda_capture_frame(struct rda_capture *capture, const struct rda_meta *meta,
		       const struct rda_frame *frame, const struct rda_packet *packet);

/* Checks the VCRC of a packet that has one; true where it fails. */
bool rda_capture_vcrc(struct rda_capture *capture, const struct rda_frame *frame,
		      const struct rda_packet *packet);

#endif
