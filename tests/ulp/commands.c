/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every command of the upper layers of a capture, for comparison with others that know them: a
 * line each, the answered ones in the order of their answers, then those that wait.
 *
 *     commands FILE
 *
 *     protocol  frame  answer's frame  operation  status  latency in ns       (tabs; - not known)
 */
#include "analyzer/engine/state.h"
#include "analyzer/rdma-analyze/source.h"

#include <inttypes.h>
#include <stdio.h>

static void print_answered(void *context, const struct rda_ulp_answer *answer)
{
	(void)context;
	printf("%s\t%" PRIu64 "\t%" PRIu64 "\t0x%04" PRIx32 "\t0x%04" PRIx32 "\t%" PRId64 "\n",
	       rda_ulp_name(answer->ulp->protocol), rda_place_number(answer->command->place),
	       rda_place_number(answer->place), answer->operation->code, answer->status,
	       answer->time_ns - answer->command->asked_ns);
}

static void print_waiting(const struct rda_ulp *ulp)
{
	for (const struct rda_ulp_command *command = rda_ulp_commands_first(&ulp->commands);
	     command; command = rda_ulp_commands_next(&ulp->commands, command))
		printf("%s\t%" PRIu64 "\t-\t0x%04" PRIx32 "\t-\t-\n", rda_ulp_name(ulp->protocol),
		       rda_place_number(command->place),
		       ulp->facts.operations[command->operation].code);
}

int main(int argc, char **argv)
{
	struct rda_engine *engine = rda_engine_new(NULL);
	struct rda_source *source;
	struct rda_meta meta = {0};
	struct rda_frame frame;
	char *error = NULL;
	int64_t offset;

	if (argc != 2)
		return 2;
	source = rda_source_open(argv[1], RDA_READER_AUTO, &error, &offset);
	if (!source) {
		fprintf(stderr, "%s: %s\n", argv[1], error);
		return 1;
	}
	engine->ulps.answered = print_answered;
	rda_engine_begin_capture(engine);
	while (source->next(source, &meta, &frame) == RDA_SOURCE_FRAME)
		rda_engine_packet(engine, &meta, &frame);
	rda_engine_end(engine);
	for (guint i = 0; i < engine->ulps.list->len; i++)
		print_waiting(engine->ulps.list->pdata[i]);
	source->close(source);
	rda_engine_free(engine);
	return 0;
}
