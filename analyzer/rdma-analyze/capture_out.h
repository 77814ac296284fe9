/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A pcapng file that the program writes: one section, an interface for each tap and link type in
 * the order of their first frames, times in nanoseconds. Wireshark 4.0 and later, tcpdump and the
 * program itself read it.
 */
#ifndef RDA_CAPTURE_OUT_H
#define RDA_CAPTURE_OUT_H

#include "analyzer/rda.h"
#include "analyzer/report/output.h"

#include <glib.h>

struct rda_capture_out {
	struct rda_output out;
	GArray *interfaces; /* of uint64_t: tap and link of each that was written */
};

void rda_capture_out_init(struct rda_capture_out *capture, int fd);

/* One frame; `comments` are texts, may be NULL. */
void rda_capture_out_frame(struct rda_capture_out *capture, const struct rda_meta *meta,
			   const struct rda_frame *frame, const GPtrArray *comments);

/* Without comments; `interface` is the name of its tap's interface, NULL: it has none. */
void rda_capture_out_frame_of(struct rda_capture_out *capture, const char *interface,
			      const struct rda_meta *meta, const struct rda_frame *frame);

/* Packets that the capturing program could not keep; told of the first interface. */
void rda_capture_out_dropped(struct rda_capture_out *capture, uint64_t packets);

/* All were written: flushes and frees. Returns 0, or the errno of what could not be written. */
int rda_capture_out_end(struct rda_capture_out *capture);

/*
 * Appends comments as options of a block, without the end of options; `swapped`: in the byte order
 * that this host does not have. A comment longer than an option may be is cut.
 */
void rda_capture_out_comments(GString *to, const GPtrArray *comments, bool swapped);

#endif
