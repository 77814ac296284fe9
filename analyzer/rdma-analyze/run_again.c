/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hands out the frames once more, from the files or from where they were kept. See run.h.
 */
#include "analyzer/rdma-analyze/run_part.h"

#include <errno.h>

static bool again_from_spool(struct rda_run *run, const struct rda_input *input,
			     rda_take_frame *take, void *context)
{
	struct rda_frame frame;
	struct rda_meta meta;

	if (!rda_spool_rewind(input->spool)) {
		rda_run_complain(run, input->origin.file, RDA_OFFSET_UNKNOWN, g_strerror(errno));
		return true;
	}
	while (rda_spool_next(input->spool, &meta, &frame))
		if (!take(context, input->scope, &meta, &frame))
			return false;
	return true;
}

/* No further than the first time: a capture that is still being written has grown since. */
static bool again_from_file(struct rda_run *run, const struct rda_input *input,
			    rda_take_frame *take, void *context)
{
	struct rda_source *source = rda_run_open_seat(run, input->seat);
	bool go_on = true;
	struct rda_frame frame;
	struct rda_meta meta;

	if (!source)
		return true;
	for (uint64_t i = 0; i < input->frames && go_on; i++) {
		if (source->next(source, &meta, &frame) != RDA_SOURCE_FRAME) {
			rda_run_complain(run, input->origin.file, RDA_OFFSET_UNKNOWN,
					 "changed while it was being read");
			break;
		}
		rda_run_number_on(input, &meta);
		if (!run->filter || rda_filter_frame(run->filter, &frame) == RDA_FILTER_PASS)
			go_on = take(context, input->scope, &meta, &frame);
	}
	source->close(source);
	return go_on;
}

void rda_run_again(struct rda_run *run, rda_take_frame *take, void *context)
{
	for (unsigned i = 0; i < rda_run_input_count(run); i++) {
		const struct rda_input *input = rda_run_input(run, i);
		bool go_on = input->spool ? again_from_spool(run, input, take, context)
					  : again_from_file(run, input, take, context);

		if (!go_on)
			return;
	}
}

static struct rda_source *open_file(struct rda_run *run, uint32_t seat)
{
	const char *file = rda_survey_seat(run->survey, seat)->file;
	int64_t offset = RDA_OFFSET_UNKNOWN;
	char *error = NULL;
	struct rda_source *source =
		rda_source_open(file, (enum rda_reader)run->options->reader, &error, &offset);

	if (!source)
		rda_run_complain(run, file, offset, error);
	g_free(error);
	return source;
}

/* The input whose interface it is. */
static unsigned input_of_interface(const struct rda_run *run, uint32_t interface)
{
	unsigned i = 0;

	while (i < rda_run_input_count(run) && rda_run_input(run, i)->origin.interface != interface)
		i++;
	return i;
}

void rda_run_again_as_filed(struct rda_run *run, rda_take_frame *take, void *context)
{
	unsigned count = rda_run_input_count(run);
	struct rda_source *source;
	struct rda_frame frame;
	struct rda_meta meta;
	uint64_t left = 0;
	bool go_on = true;

	if (!count || !rda_run_input(run, 0)->origin.by_interface) {
		rda_run_again(run, take, context);
		return;
	}
	for (unsigned i = 0; i < count; i++)
		left += rda_run_input(run, i)->frames;
	source = open_file(run, rda_run_input(run, 0)->seat);
	while (source && left && go_on && source->next(source, &meta, &frame) == RDA_SOURCE_FRAME) {
		unsigned input = input_of_interface(run, meta.tap);

		if (input == count)
			continue;
		left--;
		if (!run->filter || rda_filter_frame(run->filter, &frame) == RDA_FILTER_PASS)
			go_on = take(context, input, &meta, &frame);
	}
	if (source && left && go_on)
		rda_run_complain(run, source->file, RDA_OFFSET_UNKNOWN,
				 "changed while it was being read");
	if (source)
		source->close(source);
}
