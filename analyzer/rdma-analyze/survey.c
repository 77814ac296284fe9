/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks at files before they are analyzed. See survey.h.
 */
#include "analyzer/rdma-analyze/survey.h"

#include "analyzer/rdma-analyze/interrupt.h"
#include "analyzer/rdma-analyze/progress.h"
#include "analyzer/rdma-analyze/source.h"

#include <glib.h>
#include <string.h>
#include <sys/stat.h>

bool rda_survey_can_reread(const char *file)
{
	struct stat status;

	return strcmp(file, "-") != 0 && stat(file, &status) == 0 && S_ISREG(status.st_mode);
}

static void look(struct rda_sketch *sketch, const char *file, const struct rda_options *options,
		 struct rda_filter *filter)
{
	int64_t offset;
	char *error = NULL;
	struct rda_source *source =
		rda_source_open(file, (enum rda_reader)options->reader, &error, &offset);
	struct rda_dissect_config config = {.port_count = options->ports.count};
	struct rda_progress_line progress;
	struct rda_packet packet;
	struct rda_frame frame;
	struct rda_meta meta;
	uint64_t frames = 0;

	g_free(error);
	if (!source)
		return;
	memcpy(config.ports, options->ports.port, sizeof(config.ports));
	rda_progress_begin(&progress, !options->no_progress);
	while (!rda_interrupt_came() && source->next(source, &meta, &frame) == RDA_SOURCE_FRAME) {
		rda_progress_frame(&progress, file, ++frames, source->position, source->size);
		if (filter && rda_filter_frame(filter, &frame) != RDA_FILTER_PASS)
			continue;
		rda_dissect(&packet, &frame, &config);
		rda_sketch_frame(sketch, &meta, &frame, &packet);
	}
	rda_progress_end(&progress);
	source->close(source);
}

struct rda_survey *rda_survey_new(const struct rda_options *options, struct rda_filter *filter)
{
	struct rda_survey *survey = g_new0(struct rda_survey, 1);
	struct rda_relation_input *inputs;

	survey->count = g_strv_length(options->files);
	survey->sketches = g_new0(struct rda_sketch, survey->count);
	inputs = g_new0(struct rda_relation_input, survey->count);
	for (uint32_t i = 0; i < survey->count; i++) {
		struct rda_sketch *sketch = &survey->sketches[i];
		const char *file = options->files[i];

		rda_sketch_init(sketch);
		if (survey->count > 1 && rda_survey_can_reread(file))
			look(sketch, file, options, filter);
		rda_sketch_settle(sketch);
		inputs[i] =
			(struct rda_relation_input){file, rda_options_tap_of(options, i), sketch};
	}
	survey->relation = rda_relation_find(inputs, survey->count);
	g_free(inputs);
	return survey;
}

void rda_survey_free(struct rda_survey *survey)
{
	if (!survey)
		return;
	for (uint32_t i = 0; i < survey->count; i++)
		rda_sketch_cleanup(&survey->sketches[i]);
	rda_relation_free(survey->relation);
	g_free(survey->sketches);
	g_free(survey);
}
