/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the value of an option means, by its kind (options.def): a word of the command line goes in,
 * a member of struct rda_options comes out. False when it makes no sense, with the reason in
 * *error, which names the option.
 */
#ifndef RDA_VALUE_H
#define RDA_VALUE_H

#include "analyzer/rdma-analyze/options.h"

#include <glib.h>

/* The number of the word in the option's set; of a LIST 1 more. */
bool rda_value_choice(int *member, const struct rda_option *option, const char *value,
		      GError **error);
bool rda_value_number(struct rda_number *number, const struct rda_option *option, const char *value,
		      GError **error);
/* "10s", "500ms", "2m", "1h" or "10", which is seconds */
bool rda_value_period(struct rda_period *period, const struct rda_option *option, const char *value,
		      GError **error);
/* "512M", "4G", at least RDA_MEMORY_MIN */
bool rda_value_size(uint64_t *bytes, const struct rda_option *option, const char *value,
		    GError **error);
bool rda_value_add_port(struct rda_ports *ports, const char *value, GError **error);
/* In place of what was there. */
void rda_value_text(char **text, const char *value);
/* To a list that ends with NULL; NULL: an empty one. */
void rda_value_add_text(char ***texts, const char *value);

/* --memory, or a quarter of what there is (machine.h), at most 4 GiB. */
uint64_t rda_value_memory(const struct rda_options *options);

#endif
