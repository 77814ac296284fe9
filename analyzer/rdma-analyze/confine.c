/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files of a run, from its options. confine.h has the idea.
 */
#include "analyzer/rdma-analyze/confine.h"

#include "analyzer/rdma-analyze/counted.h"
#include "analyzer/rdma-analyze/explained.h"
#include "analyzer/rdma-analyze/outfile.h"
#include "analyzer/rdma-analyze/sandbox.h"
#include "analyzer/rdma-analyze/wiretap_module.h"

#include <glib.h>
#include <link.h>
#include <string.h>

/* Takes `path`. */
static void add(GArray *paths, char *path, enum rda_sandbox_access access)
{
	struct rda_sandbox_path entry = {path, access};

	g_array_append_val(paths, entry);
}

static void add_captures(GArray *paths, char *const *files)
{
	for (; files && *files; files++)
		if (strcmp(*files, "-") != 0)
			add(paths, g_strdup(*files), RDA_SANDBOX_READ);
}

/* A file that is written gets its name there when it is complete. */
static void add_written(void *paths, const char *folder)
{
	add(paths, g_strdup(folder), RDA_SANDBOX_WRITE);
}

/* Files of the ring that are not there yet: below the part of the pattern that has no wildcard. */
static void add_ring(GArray *paths, const char *pattern)
{
	char *plain = g_strndup(pattern, strcspn(pattern, "*?[\\"));

	/* "a/b" of "a/b*.pcap" is no folder */
	add(paths, g_path_get_dirname(plain), RDA_SANDBOX_READ);
	g_free(plain);
}

/* Where the kernel tells of the packets that an interface dropped. */
static void add_interfaces(GArray *paths, char *const *names)
{
	for (; names && *names; names++)
		add(paths, g_build_filename("/sys/class/net", *names, NULL), RDA_SANDBOX_READ);
}

static void add_system(GArray *paths)
{
	static const char *const read[] = {
		"/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/localtime",
		/* names in filters: --each compiles one for each file */
		"/etc/services", "/etc/protocols", "/etc/hosts", "/etc/nsswitch.conf", "/proc/self",
		"/sys/devices/system/cpu"};
	static const char *const temporary[] = {"/tmp", "/var/tmp"}; /* SQLite's */

	for (unsigned i = 0; i < G_N_ELEMENTS(read); i++)
		add(paths, g_strdup(read[i]), RDA_SANDBOX_READ);
	for (unsigned i = 0; i < G_N_ELEMENTS(temporary); i++)
		add(paths, g_strdup(temporary[i]), RDA_SANDBOX_WRITE);
	add(paths, g_strdup(g_get_tmp_dir()), RDA_SANDBOX_WRITE);
}

/* The folder of a library that the program has. */
static int add_library(struct dl_phdr_info *library, size_t size, void *paths)
{
	(void)size;
	if (library->dlpi_name && strchr(library->dlpi_name, '/'))
		add(paths, g_path_get_dirname(library->dlpi_name), RDA_SANDBOX_READ);
	return 0;
}

/* libwiretap may lie where the program's own libraries do, or where the user says, below /usr or
 * not. */
static void add_module(GArray *paths)
{
	char *file = rda_wiretap_module_file();
	const char *said = g_getenv("LD_LIBRARY_PATH");
	char **folders = g_strsplit_set(said ? said : "", ":;", -1);

	if (file)
		add(paths, file, RDA_SANDBOX_READ);
	for (char **folder = folders; *folder; folder++)
		if (**folder)
			add(paths, g_strdup(*folder), RDA_SANDBOX_READ);
	g_strfreev(folders);
	dl_iterate_phdr(add_library, paths);
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
	char **counters, **logs;

	if (!CONFINES || options->no_sandbox)
		return 0;
	counters = rda_counted_files(options);
	logs = rda_explained_files(options);
	paths = g_array_new(FALSE, FALSE, sizeof(struct rda_sandbox_path));
	add_captures(paths, options->files);
	add_captures(paths, counters);
	add_captures(paths, logs);
	g_strfreev(counters);
	g_strfreev(logs);
	add_interfaces(paths, options->interfaces);
	rda_outfile_each_folder(add_written, paths);
	if (options->follow)
		add_ring(paths, options->follow);
	if (options->save_on.folder)
		add(paths, g_strdup(options->save_on.folder), RDA_SANDBOX_WRITE);
	add_system(paths);
	add_module(paths);
	holds = rda_sandbox_enter((const struct rda_sandbox_path *)(const void *)paths->data,
				  paths->len);
	for (unsigned i = 0; i < paths->len; i++)
		g_free(g_array_index(paths, struct rda_sandbox_path, i).path);
	g_array_free(paths, TRUE);
	return holds;
}
