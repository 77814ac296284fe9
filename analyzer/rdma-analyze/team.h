/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes that share the work of one run, as ranks of an MPI job (ranks.h): all of them go
 * through the same files in the same order, and the first one says what there is to say.
 *
 *     each:  begin_tap, begin_capture, read, begin_capture, read ..., end_tap
 *
 * rdma-analyze itself is one process: it has none of this (team_alone.c).
 */
#ifndef RDA_TEAM_H
#define RDA_TEAM_H

#include "analyzer/base/pack.h"
#include "analyzer/rdma-analyze/filter.h"
#include "analyzer/rdma-analyze/source.h"

#include <glib.h>

struct rda_team;

/* What the first process does with the frames that all read, in order. */
struct rda_team_reader {
	struct rda_filter *filter; /* of each process; NULL: all frames */
	uint64_t before;	   /* frames of the tap's files before; of the first process */
	void (*frame)(void *context, const struct rda_meta *meta, const struct rda_frame *frame,
		      const struct rda_packet *packet);
	void (*read)(void *context, uint64_t frames,
		     uint64_t latest); /* more, dropped by the filter
					  or not; and the last's number */
	void *context;
};

/* Why reading ended, to the first process. */
struct rda_team_end {
	char *error; /* NULL: at the end of the file; owned */
	int64_t offset;
};

/* NULL: the program is alone. Ends the program when the processes cannot work together. */
struct rda_team *rda_team_begin(int *argc, char ***argv);

/* All are done; the exit code of the first. Takes NULL. */
int rda_team_end(struct rda_team *team, int code);

bool rda_team_is_first(const struct rda_team *team);  /* NULL: yes */
unsigned rda_team_count(const struct rda_team *team); /* NULL: 1 */
unsigned rda_team_number(const struct rda_team *team);

/* Ends all of them, with a line on standard error and exit code 2: nothing is reported. */
_Noreturn void rda_team_fail(struct rda_team *team, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* What `from` packs all others read: `pack` is the caller's for reading and writing alike. */
void rda_team_share(struct rda_team *team, unsigned from, struct rda_pack *pack);

/* The first one's value; or that all have the same one, for as many bytes. */
void rda_team_tell(struct rda_team *team, void *value, size_t size);

/* The memory that each of them may take, of what one may on its machine. */
uint64_t rda_team_memory(const struct rda_team *team, uint64_t memory);

void rda_team_begin_tap(struct rda_team *team, const struct rda_config *config);
void rda_team_begin_capture(struct rda_team *team, bool continues);

/*
 * Reads a file to its end, or to where it is damaged: `source` is open in each process if
 * rda_source_seeks is true of the first one's, else in the first.
 */
struct rda_team_end rda_team_read(struct rda_team *team, struct rda_source *source,
				  const struct rda_team_reader *reader);

/* What all say, for the first process; NULL for the others. */
struct rda_result *rda_team_end_tap(struct rda_team *team);

#endif
