/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How far a long file has been read, on standard error when that is a terminal.
 */
#ifndef RDA_PROGRESS_H
#define RDA_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct rda_progress_line {
	bool wanted;
	bool shown;	  /* there is a line to be wiped out */
	int64_t began_us; /* when the file was begun */
	int64_t next_us;  /* when to write again */
};

void rda_progress_begin(struct rda_progress_line *progress, bool wanted);

/* Looks at the clock, and writes if it is time to. `size` 0: not known. */
void rda_progress_look(struct rda_progress_line *progress, const char *file, uint64_t frames,
		       int64_t position, int64_t size);

#define RDA_PROGRESS_FRAMES 8192 /* between two looks: a few milliseconds of work */

/* Called for every frame. */
static inline void rda_progress_frame(struct rda_progress_line *progress, const char *file,
				      uint64_t frames, int64_t position, int64_t size)
{
	if (progress->wanted && frames % RDA_PROGRESS_FRAMES == 0)
		rda_progress_look(progress, file, frames, position, size);
}

/* Wipes the line out. */
void rda_progress_end(struct rda_progress_line *progress);

#endif
