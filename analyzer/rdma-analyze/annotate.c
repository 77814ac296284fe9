/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --annotate: comments by frame. See annotate.h.
 */
#include "analyzer/rdma-analyze/annotate.h"

#include "analyzer/rdma-analyze/capture_copy.h"

static void free_comments(void *comments)
{
	g_ptr_array_free(comments, TRUE);
}

/* "S01 packets-lost (error): 3 packets ..." */
static char *comment_of(const struct rda_finding *finding)
{
	char *text = rda_finding_text(finding);
	const struct rda_check_row *row = rda_finding_check(finding);
	char *comment = g_strdup_printf("%s %s (%s): %s", row->code, row->name,
					rda_severity_name(finding->severity), text ? text : "");

	g_free(text);
	return comment;
}

/* By number of frame: arrays of texts, in the order of findings. */
static GHashTable *collect(const struct rda_result *result)
{
	GHashTable *comments =
		g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, free_comments);

	for (unsigned i = 0; i < rda_result_finding_count(result); i++) {
		const struct rda_finding *finding = rda_result_finding(result, i);

		unsigned count;
		const uint64_t *places = rda_finding_places(finding, &count);

		for (unsigned j = 0; j < count; j++) {
			gint64 number = (gint64)rda_place_number(places[j]);
			GPtrArray *texts = g_hash_table_lookup(comments, &number);

			if (!texts) {
				texts = g_ptr_array_new_with_free_func(g_free);
				g_hash_table_insert(comments, g_memdup2(&number, sizeof(number)),
						    texts);
			}
			g_ptr_array_add(texts, comment_of(finding));
		}
	}
	return comments;
}

static bool choose(void *comments, uint64_t frame, const GPtrArray **texts)
{
	gint64 number = (gint64)frame;

	*texts = g_hash_table_lookup(comments, &number);
	return true;
}

bool rda_annotate_write(struct rda_run *run, struct rda_outfile *file, char **error)
{
	GHashTable *comments = collect(run->result);
	bool written = rda_capture_copy(run, file, choose, comments, error);

	g_hash_table_destroy(comments);
	return written;
}
