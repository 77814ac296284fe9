/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A first look at several files, or at one with several interfaces, to find out what they are to
 * each other (taps/relation.h). What
 * cannot be read is found out again, and said, when the file is analyzed.
 */
#ifndef RDA_SURVEY_H
#define RDA_SURVEY_H

#include "analyzer/rdma-analyze/filter.h"
#include "analyzer/rdma-analyze/options.h"
#include "analyzer/rdma-analyze/source.h"
#include "analyzer/rdma-analyze/team.h"
#include "analyzer/report/report.h"
#include "analyzer/taps/relation.h"

/* A file, or one interface of it where they are taps of the same traffic. */
struct rda_surveyed {
	const char *file;
	const char *tap; /* as --tap says; NULL: it does not */
	bool by_interface;
	uint32_t interface; /* meta.tap, then */
	struct rda_sketch sketch;
};

struct rda_survey {
	struct rda_relation *relation;
	struct rda_surveyed *inputs; /* files as given, interfaces as they came: of its seats */
	uint32_t count;
};

/* `filter`: NULL, or what frames are to be looked at. `team`: NULL, or who shares the files. The
 * caller's, to be given to rda_survey_free.
 */
struct rda_survey *rda_survey_new(const struct rda_options *options, struct rda_filter *filter,
				  struct rda_team *team);
void rda_survey_free(struct rda_survey *survey); /* takes NULL */

/* What is to be read at a seat of its relation; opened as rda_source_open does. */
const struct rda_surveyed *rda_survey_seat(const struct rda_survey *survey, uint32_t seat);
struct rda_source *rda_survey_open(const struct rda_survey *survey, uint32_t seat,
				   const struct rda_options *options, char **error,
				   int64_t *offset);

/* Fills in which part of its file a capture is. `survey`: NULL, of what is no file. */
void rda_survey_tell(const struct rda_survey *survey, uint32_t seat, struct rda_origin *origin);

/* Of all files of a tap; 0 of what is no file, as is all where `survey` is NULL. */
uint64_t rda_survey_bytes(const struct rda_survey *survey, uint32_t tap);

/* Whether all of them can be read by several threads side by side (rda_source.plain). */
bool rda_survey_is_plain(const struct rda_survey *survey, uint32_t tap,
			 const struct rda_options *options);

/* Whether a second look at the file finds the same bytes: not so with pipes and standard input. */
bool rda_survey_can_reread(const char *file);

#endif
