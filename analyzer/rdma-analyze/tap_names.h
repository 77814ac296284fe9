/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files of which the command line says whose they are: --tap NAME=FILE.
 */
#ifndef RDA_TAP_NAMES_H
#define RDA_TAP_NAMES_H

#include <glib.h>
#include <stdint.h>

/* They stand behind the others in rda_options.files. */
struct rda_tap_names {
	char **name, **file; /* owned, NULL-terminated; NULL: there are none */
	uint32_t count;
};

/* "NAME=FILE" */
gboolean rda_tap_names_add(struct rda_tap_names *taps, const char *value, GError **error);

/* Appends the files to a list that ends with NULL, or is none. */
void rda_tap_names_append(const struct rda_tap_names *taps, char ***files);

void rda_tap_names_cleanup(struct rda_tap_names *taps);

#endif
