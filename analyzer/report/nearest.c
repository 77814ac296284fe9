/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Levenshtein's distance, for names of a few letters. See nearest.h.
 */
#include "analyzer/report/nearest.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

#define LONGEST 63

static unsigned distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
	unsigned row[LONGEST + 1]; /* edits from the a seen so far to each beginning of b */

	for (unsigned j = 0; j <= b_length; j++)
		row[j] = j;
	for (unsigned i = 1; i <= a_length; i++) {
		unsigned diagonal = row[0];

		row[0] = i;
		for (unsigned j = 1; j <= b_length; j++) {
			bool same = g_ascii_tolower(a[i - 1]) == g_ascii_tolower(b[j - 1]);
			unsigned replaced = diagonal + !same;

			diagonal = row[j];
			row[j] = MIN(replaced, MIN(row[j], row[j - 1]) + 1);
		}
	}
	return row[b_length];
}

void rda_nearest_try(struct rda_nearest *nearest, const char *name)
{
	size_t length = strlen(nearest->word), name_length = strlen(name);
	unsigned edits;

	if (length > LONGEST || name_length > LONGEST)
		return;
	edits = distance(nearest->word, length, name, name_length);
	/* with half of the letters wrong it is another word */
	if (edits <= MAX(length, name_length) / 2 && (!nearest->name || edits < nearest->edits)) {
		nearest->name = name;
		nearest->edits = edits;
	}
}
