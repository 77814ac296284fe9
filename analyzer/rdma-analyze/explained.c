/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of logs: where they come from, and the frames for them. See explained.h.
 */
#include "analyzer/rdma-analyze/explained.h"

#include "analyzer/rdma-analyze/sights.h"
#include "analyzer/report/explain.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void take_text(struct rda_explain *explain, const char *file, const char *text,
		      size_t length)
{
	const char *end = text + length;

	for (uint64_t number = 1; text < end; number++) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));
		size_t bytes = (size_t)((stop ? stop : end) - text);

		if (bytes > 0 && (bytes > 1 || !g_ascii_isspace(*text)))
			rda_explain_line(explain, file, number, text, bytes);
		text += bytes + 1;
	}
}

/* All of it up to the most; the text is the caller's. NULL: errno says why. */
static char *read_file(const char *file, size_t *length)
{
	bool is_standard_input = strcmp(file, "-") == 0;
	FILE *from = is_standard_input ? stdin : fopen(file, "re");
	GString *text;
	char piece[65536];
	size_t bytes;
	bool failed;

	if (!from)
		return NULL;
	text = g_string_new(NULL);
	while (text->len < RDA_EXPLAINED_BYTES_MAX &&
	       (bytes = fread(piece, 1, sizeof(piece), from)) > 0)
		g_string_append_len(text, piece, (gssize)bytes);
	failed = ferror(from);
	if (!is_standard_input)
		fclose(from);
	*length = text->len;
	return g_string_free(text, failed);
}

struct rda_explain *rda_explained_new(const struct rda_options *options, char **error)
{
	struct rda_explain *explain = rda_explain_new();

	for (char **value = options->explain; value && *value; value++) {
		const char *file = *value + 1;
		char *text;
		size_t length;

		if (**value != '@') {
			rda_explain_line(explain, NULL, 1, *value, strlen(*value));
			continue;
		}
		text = read_file(file, &length);
		if (!text) {
			*error = g_strdup_printf("--explain: %s: %s", file, g_strerror(errno));
			rda_explain_free(explain);
			return NULL;
		}
		take_text(explain, file, text, length);
		g_free(text);
	}
	return explain;
}

char **rda_explained_files(const struct rda_options *options)
{
	GPtrArray *files = g_ptr_array_new();

	for (char **value = options->explain; value && *value; value++)
		if (**value == '@')
			g_ptr_array_add(files, g_strdup(*value + 1));
	g_ptr_array_add(files, NULL);
	return (char **)(void *)g_ptr_array_free(files, FALSE);
}

static bool take_sight(void *explain, const struct rda_sight *sight)
{
	rda_explain_sight(explain, sight);
	return true;
}

void rda_explained_join(struct rda_run *run)
{
	rda_explain_join(run->explain, run->result);
	if (rda_explain_wants_frames(run->explain))
		rda_sights_take(run, take_sight, NULL, run->explain);
}
