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
	unsigned width; /* of text for people: RDA_TEXT_WIDTH unless it is set */
};

void rda_output_init(struct rda_output *out, int fd, bool colour);
void rda_output_cleanup(struct rda_output *out);

/* Writes when enough has gathered. False when there is no point in going on. */
bool rda_output_more(struct rda_output *out);

/* Writes all that has gathered. */
bool rda_output_flush(struct rda_output *out);

/* The same of a file that has to be whole: 0, or the errno of what was not written; EPIPE where
 * whoever reads went away. */
int rda_output_failure(struct rda_output *out);

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

/* rda_print in a style, and plain again. */
void rda_print_in(struct rda_output *out, enum rda_style style, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

/* ---- text for people ------------------------------------------------------------------------- */

/*
 * What is particular to text for people: whether to colour it, its width, names made harmless.
 */

/* The width of reports that are for no terminal; and the least of those for one. */
#define RDA_TEXT_WIDTH	     80
#define RDA_TEXT_LEAST_WIDTH 60

/* Sentences are broken at this width even where there is more: longer lines are hard to read. */
#define RDA_PROSE_WIDTH 110

/* The columns of a terminal; RDA_TEXT_WIDTH where it is none, or does not tell. */
unsigned rda_output_terminal_width(int fd);

/* Whether it is a terminal that knows escape sequences. */
bool rda_output_is_smart_terminal(int fd);

/* Whether output there is coloured unless somebody says otherwise: NO_COLOR is not set. */
bool rda_output_wants_colour(int fd);

/*
 * Appends words in lines of at most the width (RDA_PROSE_WIDTH) and ends the last. The line at hand
 * is `at` columns long already; further ones are indented.
 */
void rda_output_wrap(struct rda_output *out, const char *text, size_t at, size_t indent);

/* A name from outside with what could upset a terminal made visible; g_free it. */
char *rda_output_harmless(const char *name);

#endif
