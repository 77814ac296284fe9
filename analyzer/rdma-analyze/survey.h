/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A first look at several files, to find out what they are to each other (taps/relation.h). What
 * cannot be read is found out again, and said, when the file is analyzed.
 */
#ifndef RDA_SURVEY_H
#define RDA_SURVEY_H

#include "analyzer/rdma-analyze/filter.h"
#include "analyzer/rdma-analyze/options.h"
#include "analyzer/taps/relation.h"

struct rda_survey {
	struct rda_relation *relation;
	struct rda_sketch *sketches; /* of each file, as given */
	uint32_t count;
};

/* `filter`: NULL, or what frames are to be looked at. The caller's, to be given to rda_survey_free.
 */
struct rda_survey *rda_survey_new(const struct rda_options *options, struct rda_filter *filter);
void rda_survey_free(struct rda_survey *survey); /* takes NULL */

/* Whether a second look at the file finds the same bytes: not so with pipes and standard input. */
bool rda_survey_can_reread(const char *file);

#endif
