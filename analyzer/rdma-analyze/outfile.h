/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that the program writes besides standard output. It appears under its name only when it is
 * complete: until then it is a temporary file in the same folder, which a full disk, a signal that
 * ends the program or an error removes. What stood under the name before stays till then.
 *
 *     file = rda_outfile_new("report.html", &error);
 *     ... write to rda_outfile_fd(file), or have a library write to rda_outfile_path(file) ...
 *     rda_outfile_finish(file, write_error, &error);
 *
 * A name that stands for a device or a pipe (/dev/stdout, a FIFO) is written to as it is.
 */
#ifndef RDA_OUTFILE_H
#define RDA_OUTFILE_H

#include <stdbool.h>

struct rda_outfile;

/*
 * Make it early, so that a folder that is not there is told before hours of reading. NULL on
 * failure, with the reason in *error (g_free it; it does not repeat the name).
 */
struct rda_outfile *rda_outfile_new(const char *name, char **error);

/* Open for writing, empty; whoever writes to the path by other means leaves it alone. */
int rda_outfile_fd(const struct rda_outfile *file);

/* The temporary file. Only it is removed: no journals or other files beside it. */
const char *rda_outfile_path(const struct rda_outfile *file);

/*
 * All was written, or `failure` is the errno of what was not: then nothing appears. Frees the file.
 * False on failure, this or another, with the reason in *error.
 */
bool rda_outfile_finish(struct rda_outfile *file, int failure, char **error);

/* Nothing appears. Frees the file; NULL is none. */
void rda_outfile_drop(struct rda_outfile *file);

/* The folders that the files that are being written get their names in; a name may come again. */
void rda_outfile_each_folder(void (*take)(void *context, const char *folder), void *context);

/* Has rda_outfile_die called for the signals that end programs; rda_outfile_new does it too. */
void rda_outfile_watch_signals(void);

/* Removes what is not complete, and nothing else: the program ends, be it in a handler. */
void rda_outfile_remove_temporary(void);

/* For handlers of signals: removes what is not complete, and ends the program by the signal. */
void rda_outfile_die(int signal);

#endif
