/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A run's file read by several processes (team.h): the first one knows what was read, and says so.
 */
#include "analyzer/rdma-analyze/run_part.h"

#include <string.h>

static void team_frame(void *input, const struct rda_meta *meta, const struct rda_frame *frame,
		       const struct rda_packet *packet)
{
	(void)meta;
	rda_run_note_packet(input, frame, packet);
}

static void team_read(void *context, uint64_t frames, uint64_t latest)
{
	struct rda_input *input = context;

	input->frames += frames;
	input->latest = latest;
}

void rda_run_read_together(struct rda_run *run, struct rda_input *input, struct rda_source *source)
{
	const struct rda_team_reader reader = {
		.filter = run->filter,
		.before = input ? input->before : 0,
		.frame = team_frame,
		.read = team_read,
		.context = input,
	};
	struct rda_team_end end = rda_team_read(run->team, source, &reader);

	if (input && end.error)
		rda_run_note_damage(run, input, end.offset, end.error);
	g_free(end.error);
}

/* What the first process found out of a file for the others. */
struct opened {
	bool there, seeks, continues;
};

void rda_run_follow_file(struct rda_run *run, uint32_t seat)
{
	struct rda_source *source = NULL;
	int64_t offset;
	char *error = NULL;
	struct opened opened;

	rda_team_tell(run->team, &opened, sizeof(opened));
	if (!opened.there)
		return;
	if (opened.seeks) {
		source = rda_survey_open(run->survey, seat, run->options, &error, &offset);
		if (!source || !rda_source_seeks(source))
			rda_team_fail(run->team, "%s: %s", rda_survey_seat(run->survey, seat)->file,
				      error ? error : "it is another file here");
	}
	rda_team_begin_capture(run->team, opened.continues);
	rda_run_read_together(run, NULL, source);
	if (source)
		source->close(source);
}

void rda_run_tell_opened(struct rda_run *run, const struct rda_source *source, bool continues)
{
	struct opened opened;

	if (!run->shared)
		return;
	memset(&opened, 0, sizeof(opened));
	opened.there = source != NULL;
	opened.seeks = source && rda_source_seeks(source);
	opened.continues = continues;
	rda_team_tell(run->team, &opened, sizeof(opened));
}
