/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files of a run, from its options. confine.h has the idea.
 */
#include "analyzer/rdma-analyze/confine.h"

#include "analyzer/rdma-analyze/sandbox.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

/* Takes `path`. */
static void add(GArray *paths, char *path, enum rda_sandbox_access access)
{
	struct rda_sandbox_path entry = {path, access};

	g_array_append_val(paths, entry);
}

/* The folder of a file that is written: it gets its name there when it is complete. A link leads to
 * another one. */
static void add_folder_of(GArray *paths, const char *file, enum rda_sandbox_access access)
{
	char *real = realpath(file, NULL);

	add(paths, g_path_get_dirname(file), access);
	if (real)
		add(paths, g_path_get_dirname(real), access);
	free(real);
}

static void add_captures(GArray *paths, char *const *files)
{
	for (; files && *files; files++)
		if (strcmp(*files, "-") != 0)
			add(paths, g_strdup(*files), RDA_SANDBOX_READ);
}

/* Of options that name files. Which are written is not told apart: a folder is the user's choice.
 */
static void add_named(GArray *paths, const struct rda_options *options)
{
	for (unsigned i = 0; i < rda_option_count; i++) {
		const struct rda_option *option = &rda_option_table[i];
		const char *file = rda_option_file(options, option);

		if (file)
			add_folder_of(paths, file, RDA_SANDBOX_WRITE);
	}
}

static void add_system(GArray *paths)
{
	static const char *const read[] = {"/usr",
					   "/lib",
					   "/lib64",
					   "/etc/ld.so.cache",
					   "/etc/localtime",
					   "/proc/self",
					   "/sys/devices/system/cpu"};
	static const char *const temporary[] = {"/tmp", "/var/tmp"}; /* SQLite's */

	for (unsigned i = 0; i < G_N_ELEMENTS(read); i++)
		add(paths, g_strdup(read[i]), RDA_SANDBOX_READ);
	for (unsigned i = 0; i < G_N_ELEMENTS(temporary); i++)
		add(paths, g_strdup(temporary[i]), RDA_SANDBOX_WRITE);
	add(paths, g_strdup(g_get_tmp_dir()), RDA_SANDBOX_WRITE);
}

/* The module with libwiretap lies beside the program, or below the same prefix. */
static void add_program(GArray *paths)
{
	char *program = g_file_read_link("/proc/self/exe", NULL);
	char *folder = program ? g_path_get_dirname(program) : NULL;
	char *prefix = folder ? g_path_get_dirname(folder) : NULL;

	if (folder)
		add(paths, folder, RDA_SANDBOX_READ);
	if (prefix)
		add(paths, g_build_filename(prefix, "lib", NULL), RDA_SANDBOX_READ);
	g_free(prefix);
	g_free(program);
}

#ifdef RDA_ASSERTIONS
enum { CONFINES = 0 };
#else
enum { CONFINES = 1 };
#endif

unsigned rda_confine_offered(void)
{
	return CONFINES ? rda_sandbox_offered() : 0;
}

unsigned rda_confine(const struct rda_options *options)
{
	GArray *paths;
	unsigned holds;

	if (!CONFINES || options->no_sandbox)
		return 0;
	paths = g_array_new(FALSE, FALSE, sizeof(struct rda_sandbox_path));
	add_captures(paths, options->files);
	add_named(paths, options);
	if (options->follow) /* files of the ring that are not there yet */
		add_folder_of(paths, options->follow, RDA_SANDBOX_READ);
	if (options->save_on.folder)
		add(paths, g_strdup(options->save_on.folder), RDA_SANDBOX_WRITE);
	add_system(paths);
	add_program(paths);
	holds = rda_sandbox_enter((const struct rda_sandbox_path *)(const void *)paths->data,
				  paths->len);
	for (unsigned i = 0; i < paths->len; i++)
		g_free(g_array_index(paths, struct rda_sandbox_path, i).path);
	g_array_free(paths, TRUE);
	return holds;
}
