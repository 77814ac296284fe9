/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "did you mean": of some names the one that a mistyped word is nearest to.
 *
 *     struct rda_nearest nearest = {.word = "flws"};
 *
 *     rda_nearest_try(&nearest, "flows");
 *     ... nearest.name ...
 */
#ifndef RDA_NEAREST_H
#define RDA_NEAREST_H

/* All is borrowed. */
struct rda_nearest {
	const char *word;
	const char *name; /* the nearest of those tried, the first of several; NULL: none is near */
	unsigned edits;	  /* letters that differ; valid if there is a name */
};

/* Upper and lower case are the same. Of names longer than 63 bytes none is near. */
void rda_nearest_try(struct rda_nearest *nearest, const char *name);

#endif
