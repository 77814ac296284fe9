/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one way to standard error: a line of its own for each message. Names of files, words of the
 * command line and of files, and strings out of captures stand in them: whatever could move a
 * terminal is made visible, line ends too, by whoever writes the message and by nobody before.
 */
#ifndef RDA_COMPLAIN_H
#define RDA_COMPLAIN_H

#include <glib.h>

/* "rdma-analyze: MESSAGE" */
void rda_complain(const char *format, ...) G_GNUC_PRINTF(1, 2);

/* A text of several lines, each as it is. */
void rda_complain_lines(const char *text);

#endif
