/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the findings of a document are about, in words that documents of other runs share, so that
 * those of one can be held against those of an older one. Connections have other numbers and QPs in
 * each run: a finding is known by its check and by the hosts between which it is.
 */
#ifndef RDA_BASELINE_H
#define RDA_BASELINE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct json_object;

struct rda_baseline {
	GPtrArray *pairs;   /* of char *: "10.0.0.1 > 10.0.0.2", by the id of the connection */
	GPtrArray *keys;    /* of char *: of each finding, by its index */
	GHashTable *groups; /* key -> struct rda_baseline_group */
	GPtrArray *order;   /* of char *, borrowed of `groups`: the keys, as they first came */
};

/* The findings of one key. */
struct rda_baseline_group {
	int severity;	/* the greatest; enum rda_severity */
	uint64_t cases; /* in all */
	char *text;	/* of the first finding */
};

void rda_baseline_init(struct rda_baseline *baseline);
void rda_baseline_cleanup(struct rda_baseline *baseline);

/* One record of the JSON document, in its order. */
void rda_baseline_take(struct rda_baseline *baseline, const char *list, unsigned index,
		       struct json_object *record);

const char *rda_baseline_key(const struct rda_baseline *baseline, unsigned finding);

enum rda_baseline_state {
	RDA_BASELINE_NEW,   /* the older document has none of its key */
	RDA_BASELINE_WORSE, /* all of its key together are more cases, or of greater severity */
	RDA_BASELINE_SAME,
};

enum rda_baseline_state rda_baseline_state(const struct rda_baseline *now,
					   const struct rda_baseline *old, unsigned finding);

#endif
