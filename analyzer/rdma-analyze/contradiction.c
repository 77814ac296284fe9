/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options that exclude each other, one rule after the other. See contradiction.h.
 */
#include "analyzer/rdma-analyze/contradiction.h"

#include <fnmatch.h>
#include <glib.h>
#include <string.h>

/* Whether a file is one of a pattern, whatever way from the root either of them names. */
static bool matches(const char *pattern, const char *file)
{
	char *whole_pattern = g_canonicalize_filename(pattern, NULL);
	char *whole_file = g_canonicalize_filename(file, NULL);
	bool does = fnmatch(whole_pattern, whole_file, FNM_PATHNAME | FNM_PERIOD) == 0;

	g_free(whole_file);
	g_free(whole_pattern);
	return does;
}

/* What does not go together of where packets come from, and where they go. */
static char *contradiction_of_sources(const struct rda_options *options)
{
	if (!!options->interfaces + (options->files || options->taps.count) + !!options->follow > 1)
		return g_strdup(
			"--interface, --follow: packets come from interfaces, from a ring or "
			"from files");
	if (options->every.given &&
	    ((options->format != RDA_FORMAT_TEXT && options->format != RDA_FORMAT_NDJSON) ||
	     options->packets || options->headers || options->graph))
		return g_strdup("--every: of a summary as text or ndjson");
	if (!options->interfaces &&
	    (options->snaplen.given || options->buffer.given || options->user))
		return g_strdup("--snaplen, --buffer-size and --relinquish-privileges are for "
				"--interface");
	if (options->count.given && !options->count.value)
		return g_strdup("--count: at least 1");
	if (options->link_speed.given &&
	    (options->link_speed.value == 0 || options->link_speed.value > RDA_LINK_GBITS_MAX))
		return g_strdup_printf("--link-speed: 1 to %d Gbit/s", RDA_LINK_GBITS_MAX);
	if (options->snaplen.given &&
	    (options->snaplen.value == 0 || options->snaplen.value > RDA_SNAPLEN_MAX))
		return g_strdup_printf("--snaplen: 1 to %d bytes", RDA_SNAPLEN_MAX);
	if (options->buffer.given &&
	    (options->buffer.value == 0 || options->buffer.value > RDA_BUFFER_KIB_MAX))
		return g_strdup_printf("--buffer-size: 1 to %d KiB", RDA_BUFFER_KIB_MAX);
	if (options->write && strcmp(options->write, "-") == 0)
		return g_strdup("--write: standard output has the report");
	if (options->write && options->follow && matches(options->follow, options->write))
		return g_strdup("--write: its file would be one of those that --follow reads");
	return NULL;
}

/* What is printed, written or held against one report. */
static bool needs_one_report(const struct rda_options *options)
{
	for (unsigned i = 0; i < rda_option_count; i++)
		if (rda_option_file(options, &rda_option_table[i]))
			return true;
	return options->every.given || options->save_on.folder || options->follow ||
	       options->taps.count || options->interfaces || options->packets || options->headers ||
	       options->graph || options->counters || options->explain ||
	       options->format == RDA_FORMAT_CSV;
}

char *rda_contradiction_of(const struct rda_options *options)
{
	bool part = options->connection.given || options->host || options->finding;
	bool wide = options->all || options->top.given || options->sort;

	if (options->headers && options->format == RDA_FORMAT_CSV)
		return g_strdup("--headers: a line of CSV has no room for them");
	if (options->diff &&
	    (options->packets || options->headers || options->format != RDA_FORMAT_TEXT))
		return g_strdup("--diff: it is text, and stands in the place of the summary");
	if (part && options->format != RDA_FORMAT_TEXT && !options->packets && !options->headers)
		return g_strdup("--connection, --host and --finding are for text and --packets: "
				"the other formats have everything");
	if (wide && (options->format != RDA_FORMAT_TEXT || options->packets || options->headers))
		return g_strdup("--all, --top and --sort are for text");
	if (options->graph && (options->format != RDA_FORMAT_TEXT || options->packets ||
			       options->headers || options->host || options->finding))
		return g_strdup("--graph draws instead of anything else that could be printed");
	if (options->top.given && options->top.value == 0)
		return g_strdup("--top: at least 1");
	if (options->jobs.given && (options->jobs.value - 1u) >= RDA_THREADS_MAX)
		return g_strdup_printf("--jobs: 1 to %d threads", RDA_THREADS_MAX);
	if ((options->annotate || options->anonymize || options->extract.file) && options->files &&
	    options->files[0] && options->files[1])
		return g_strdup("--annotate, --anonymize, --extract: one capture at a time");
	if ((options->counters || options->explain) &&
	    (options->packets || options->headers || options->graph ||
	     options->format == RDA_FORMAT_CSV))
		return g_strdup(
			"--counters, --explain: they are in the summary as text, json or ndjson");
	if (options->explain && g_strv_contains((const char *const *)options->explain, "@-") &&
	    options->files && g_strv_contains((const char *const *)options->files, "-"))
		return g_strdup("--explain @-: standard input has the capture");
	if (options->each && needs_one_report(options))
		return g_strdup("--each: reports as text, json or ndjson, and nothing beside them");
	return contradiction_of_sources(options);
}
