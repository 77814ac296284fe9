/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --extract: what is asked for, as frames. See extract.h.
 */
#include "analyzer/rdma-analyze/extract.h"

#include "analyzer/rdma-analyze/capture_copy.h"
#include "analyzer/rdma-analyze/picked.h"
#include "analyzer/report/nearest.h"

#include <inttypes.h>
#include <string.h>

static const char *code_of(const struct rda_result *result, unsigned finding)
{
	return rda_finding_check(rda_result_finding(result, finding))->code;
}

static char *not_there(const struct rda_result *result, uint32_t connection)
{
	unsigned count = rda_result_connection_count(result);

	if (connection < count)
		return NULL;
	return count ? g_strdup_printf("no connection %" PRIu32 ": there are 0 to %u", connection,
				       count - 1)
		     : g_strdup("there are no connections");
}

/* With a check like it that has some. */
static char *not_found(const struct rda_result *result, const char *code)
{
	struct rda_nearest nearest = {.word = code};

	for (unsigned i = 0; i < rda_result_finding_count(result); i++) {
		if (strcmp(code_of(result, i), code) == 0)
			return NULL;
		rda_nearest_try(&nearest, code_of(result, i));
	}
	if (!nearest.name)
		return g_strdup_printf("there are no findings of %s", code);
	return g_strdup_printf("there are no findings of %s; there are of %s", code, nearest.name);
}

char *rda_extract_why_not(const struct rda_run *run, const char **option)
{
	const struct rda_part_of *part = &run->options->extract;

	if (!part->file)
		return NULL;
	*option = "--extract";
	return part->code ? not_found(run->result, part->code)
			  : not_there(run->result, part->connection);
}

static void pick_finding(struct rda_picked *picked, const struct rda_finding *finding)
{
	unsigned count;
	const uint64_t *places = rda_finding_places(finding, &count);

	if (finding->connection >= 0)
		rda_picked_connection(picked, (uint32_t)finding->connection);
	for (unsigned i = 0; i < count; i++)
		rda_picked_frame(picked, places[i]);
}

static bool choose(void *picked, uint64_t number, const GPtrArray **comments)
{
	(void)comments; /* there are none */
	return rda_picked_has(picked, number);
}

bool rda_extract_write(struct rda_run *run, struct rda_outfile *file, char **error)
{
	const struct rda_part_of *part = &run->options->extract;
	struct rda_picked *picked = rda_picked_new(run);
	bool written;

	if (!part->code)
		rda_picked_connection(picked, part->connection);
	for (unsigned i = 0; part->code && i < rda_result_finding_count(run->result); i++)
		if (strcmp(code_of(run->result, i), part->code) == 0)
			pick_finding(picked, rda_result_finding(run->result, i));
	rda_picked_find(picked);
	written = rda_capture_copy(run, file, choose, picked, error);
	rda_picked_free(picked);
	return written;
}
