/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two outcomes held against each other, where one is known to differ from the other in some ways:
 * by a constant in its PSNs, in its times, in its frame numbers.
 */
#ifndef RDA_SIM_DIFFER_H
#define RDA_SIM_DIFFER_H

#include "tests/simulate/outcome.h"

struct sim_rule {
	uint32_t psn_add;
	int64_t time_add;
	const char *const *beside; /* members that are not looked at, at any depth; NULL: none */
	/* whether a frame that a text names may be another one; NULL: no */
	bool (*is_frame)(uint64_t before, uint64_t after, const void *context);
	const void *context;
};

/* Prints what differs to stderr, behind `title`; returns how many, up to some. */
unsigned sim_differ(const char *title, json_object *before, json_object *after,
		    const struct sim_rule *rule);

/* Prints what differs of what is told of two frames; `number` is the first one's. */
unsigned sim_differ_frame(const char *title, uint32_t number, const struct sim_told *before,
			  const struct sim_told *after);
unsigned sim_differ_frames(const char *title, const struct sim_outcome *before,
			   const struct sim_outcome *after);

/* Takes away those members of a list for which `drop` is true. */
void sim_drop(json_object *list, bool (*drop)(json_object *member, const void *context),
	      const void *context);

/* Changes what is told of each message of connection management, however deep. */
void sim_each_moment(json_object *value, void (*change)(json_object *moment, const void *context),
		     const void *context);

/* A member's words, "" where it has none; its number, or `otherwise`. */
const char *sim_words(json_object *object, const char *member);
int64_t sim_number(json_object *object, const char *member, int64_t otherwise);

#endif
