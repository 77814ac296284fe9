/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is particular to text for people: whether to colour it, its width, names made harmless.
 */
#ifndef RDA_TERMINAL_H
#define RDA_TERMINAL_H

#include "analyzer/report/output.h"

/* Reports keep to this width, on a terminal or not. */
#define RDA_TEXT_WIDTH 80

/* Whether it is a terminal that knows escape sequences. */
bool rda_is_smart_terminal(int fd);

/* Whether output there is coloured unless somebody says otherwise: NO_COLOR is not set. */
bool rda_wants_colour(int fd);

/*
 * Appends words in lines of at most RDA_TEXT_WIDTH and ends the last. The line at hand is `at`
 * columns long already; further ones are indented.
 */
void rda_wrap(GString *to, const char *text, size_t at, size_t indent);

/* A name from outside with what could upset a terminal made visible; g_free it. */
char *rda_harmless(const char *name);

#endif
