/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finding and loading the module with libwiretap; wiretap_module.h has the reason.
 */
#include "analyzer/rdma-analyze/wiretap_module.h"

#include <dlfcn.h>
#include <glib.h>
#include <string.h>
#include <unistd.h>

static const char *folder_given;

void rda_wiretap_module_in(const char *folder)
{
	folder_given = folder;
}

#ifdef RDA_HAVE_WIRETAP
/* The folder of the program, or NULL where the system does not tell. */
static char *program_folder(void)
{
	char *program = g_file_read_link("/proc/self/exe", NULL);
	char *folder = program ? g_path_get_dirname(program) : NULL;

	g_free(program);
	return folder;
}

/* Never one that is looked for in the folders of the system's libraries. */
char *rda_wiretap_module_file(void)
{
	char *beside, *file, *installed, *plain;

	if (folder_given)
		return g_build_filename(folder_given, RDA_WIRETAP_MODULE, NULL);
	beside = program_folder();
	if (!beside)
		return NULL;
	file = g_build_filename(beside, RDA_WIRETAP_MODULE, NULL);
	installed = g_build_filename(beside, RDA_MODULES_FROM_PROGRAM, RDA_WIRETAP_MODULE, NULL);
	g_free(beside);
	if (access(file, F_OK) == 0) {
		g_free(installed);
		return file;
	}
	g_free(file);
	plain = g_canonicalize_filename(installed, "/");
	g_free(installed);
	return plain;
}

static const struct rda_wiretap_module *load(char **why)
{
	char *file = rda_wiretap_module_file();
	const struct rda_wiretap_module *module = NULL;
	void *library = file ? dlopen(file, RTLD_NOW | RTLD_LOCAL) : NULL;

	if (library)
		module = dlsym(library, "rda_wiretap_module");
	if (module && strcmp(module->version, RDA_VERSION) != 0) {
		*why = g_strdup_printf("%s is of version %s", file, module->version);
		module = NULL;
	} else if (!module) {
		*why = g_strdup(file ? dlerror() : "the program's own folder is not known");
	}
	g_free(file);
	return module;
}
#else
char *rda_wiretap_module_file(void)
{
	return NULL;
}

static const struct rda_wiretap_module *load(char **why)
{
	*why = g_strdup("the program was built without it");
	return NULL;
}
#endif

const struct rda_wiretap_module *rda_wiretap_module_load(char **why)
{
	static const struct rda_wiretap_module *module;
	static char *reason;

	if (!module && !reason)
		module = load(&reason);
	*why = module ? NULL : g_strdup(reason);
	return module;
}
