/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory for this process. See machine.h.
 */
#include "analyzer/rdma-analyze/machine.h"

#include "analyzer/rdma-analyze/options.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* What a file says; "max", or no such file, is no limit. */
static uint64_t limit_in(const char *folder, const char *name)
{
	char *file = g_build_filename(folder, name, NULL), *text = NULL;
	uint64_t limit = UINT64_MAX;

	if (g_file_get_contents(file, &text, NULL, NULL) &&
	    !g_ascii_string_to_unsigned(g_strstrip(text), 10, 0, UINT64_MAX, &limit, NULL))
		limit = UINT64_MAX;
	g_free(text);
	g_free(file);
	return limit;
}

/* Of a cgroup and of those around it: `path` is cut from behind. */
static uint64_t limit_of(const char *root, char *path, const char *name)
{
	uint64_t least = UINT64_MAX;

	for (;;) {
		char *folder = g_strconcat(root, path, NULL), *end = strrchr(path, '/');
		uint64_t limit = limit_in(folder, name);

		least = MIN(least, limit);
		g_free(folder);
		if (!end)
			return least;
		*end = '\0';
	}
}

/* Whether memory is among the controllers of a hierarchy of version 1: "cpu,memory". */
static bool has_memory(const char *controllers)
{
	char **names = g_strsplit(controllers, ",", -1);
	bool has = g_strv_contains((const char *const *)names, "memory");

	g_strfreev(names);
	return has;
}

/* "0::/user.slice", or of version 1 "4:memory:/job" */
uint64_t rda_machine_cgroup(const char *self, const char *root)
{
	char **lines = g_strsplit(self, "\n", -1), *first = g_strconcat(root, "/memory", NULL);
	uint64_t least = UINT64_MAX;

	for (char **line = lines; *line; line++) {
		char **parts = g_strsplit(*line, ":", 3);
		uint64_t limit = UINT64_MAX;

		if (g_strv_length(parts) == 3 && !*parts[1])
			limit = limit_of(root, parts[2], "memory.max");
		else if (g_strv_length(parts) == 3 && has_memory(parts[1]))
			limit = limit_of(first, parts[2], "memory.limit_in_bytes");
		least = MIN(least, limit);
		g_strfreev(parts);
	}
	g_free(first);
	g_strfreev(lines);
	return least;
}

static uint64_t find_memory(void)
{
	static const int resources[] = {RLIMIT_AS, RLIMIT_DATA};
	long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
	uint64_t memory = pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;
	struct rlimit limit;
	char *self = NULL;

	for (unsigned i = 0; i < G_N_ELEMENTS(resources); i++)
		if (getrlimit(resources[i], &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
			memory = MIN(memory, limit.rlim_cur);
	if (g_file_get_contents("/proc/self/cgroup", &self, NULL, NULL)) {
		uint64_t group = rda_machine_cgroup(self, "/sys/fs/cgroup");

		memory = MIN(memory, group);
	}
	g_free(self);
	return memory;
}

uint64_t rda_machine_memory(void)
{
	static uint64_t memory;
	static bool known;

	if (!known)
		memory = find_memory();
	known = true;
	return memory;
}

/*
 * Batches and engines of their own cost a thread some milliseconds (docs/performance.md), and
 * limits of docs/architecture.md need half a GiB: with less, threads would hit them where one
 * engine does not.
 */
enum { BYTES_WORTH_IT = 64 << 20, MEMORY_OF_THREAD = 512 << 20 };

unsigned rda_machine_threads(unsigned cores, uint64_t memory, uint64_t bytes)
{
	uint64_t enough = memory / MEMORY_OF_THREAD; /* one share is the reader's */

	if (bytes < BYTES_WORTH_IT || enough < 3)
		return 1;
	return (unsigned)MIN(MIN(cores, enough - 1), RDA_THREADS_MAX);
}
