/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Standard output: text is gathered here and written in large pieces, and the first error is kept.
 *
 * A reader that went away (`| head`) is no error: `closed` is set, and nothing more is written.
 */
#ifndef RDA_OUTPUT_H
#define RDA_OUTPUT_H

#include <glib.h>
#include <stdbool.h>

/* In place of a file descriptor: nothing is written, all of the text stays. */
#define RDA_OUTPUT_KEEP -1

struct rda_output {
	GString *text; /* what is not written yet; append to it freely */
	int fd;
	int error;   /* errno of the first write that failed; else 0 */
	bool closed; /* whoever reads has had enough */
	bool colour;
};

void rda_output_init(struct rda_output *out, int fd, bool colour);
void rda_output_cleanup(struct rda_output *out);

/* Writes when enough has gathered. False when there is no point in going on. */
bool rda_output_more(struct rda_output *out);

/* Writes all that has gathered. */
bool rda_output_flush(struct rda_output *out);

/* Appends as printf does. */
void rda_print(struct rda_output *out, const char *format, ...) G_GNUC_PRINTF(2, 3);

enum rda_style {
	RDA_STYLE_PLAIN,
	RDA_STYLE_BOLD,	  /* headings */
	RDA_STYLE_FAINT,  /* what is there to be skipped */
	RDA_STYLE_RED,	  /* errors */
	RDA_STYLE_YELLOW, /* warnings */
	RDA_STYLE_CYAN,	  /* names */
};

/* What follows is in this style, until the next call. Nothing without colour. */
void rda_style(struct rda_output *out, enum rda_style style);

#endif
