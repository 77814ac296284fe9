/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One line that is written over and over. See progress.h.
 */
#include "analyzer/rdma-analyze/progress.h"

#include "analyzer/report/output.h"
#include "analyzer/report/units.h"

#include <glib.h>
#include <stdio.h>
#include <unistd.h>

/* Files that are read in less than a second show nothing. */
#define FIRST_AFTER_US 1000000
#define THEN_EVERY_US  200000
#define NAME_COLUMNS   40

void rda_progress_begin(struct rda_progress_line *progress, bool wanted)
{
	progress->wanted = wanted && rda_output_is_smart_terminal(STDERR_FILENO);
	progress->shown = false;
	progress->began_us = progress->wanted ? g_get_monotonic_time() : 0;
	progress->next_us = progress->began_us + FIRST_AFTER_US;
}

/* What the file is called, as far as there is room; g_free it. */
static char *name_of(const char *file)
{
	char *base = g_path_get_basename(file), *name = rda_output_harmless(base);

	if (g_utf8_strlen(name, -1) > NAME_COLUMNS)
		*g_utf8_offset_to_pointer(name, NAME_COLUMNS) = '\0';
	g_free(base);
	return name;
}

void rda_progress_look(struct rda_progress_line *progress, const char *file, uint64_t frames,
		       int64_t position, int64_t size)
{
	char count[RDA_UNITS_TEXT], rate[RDA_UNITS_TEXT], share[8] = "";
	char *name;
	int64_t now;

	now = g_get_monotonic_time();
	if (now < progress->next_us)
		return;
	progress->next_us = now + THEN_EVERY_US;
	if (size > 0)
		g_snprintf(share, sizeof(share), "%3d%%  ",
			   (int)(100.0 * (double)MIN(position, size) / (double)size));
	rda_units_compact(rate,
			  (uint64_t)((double)frames * 1e6 / (double)(now - progress->began_us)));
	name = name_of(file);
	fprintf(stderr, "\r\033[K%s  %s%s packets  %s/s", name, share,
		rda_units_compact(count, frames), rate);
	g_free(name);
	progress->shown = true;
}

void rda_progress_end(struct rda_progress_line *progress)
{
	if (progress->shown)
		fputs("\r\033[K", stderr);
	progress->shown = false;
}
