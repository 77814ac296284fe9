/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The module that reads captures with libwiretap: what it exports, and where the program looks for
 * it. libwiretap has another version, and another file name, with each Wireshark: a program that
 * was linked with it would not start without that very one.
 *
 * The module (source_wiretap.c and what it calls, with copies of their own of the little that the
 * program has too) is loaded when the first capture asks for it, and stays.
 */
#ifndef RDA_WIRETAP_MODULE_H
#define RDA_WIRETAP_MODULE_H

#include "analyzer/rdma-analyze/source_reader.h"

#define RDA_WIRETAP_MODULE "rdma-analyze-wiretap.so"

/* What is exported, as `rda_wiretap_module`. Structs of the source differ between versions. */
struct rda_wiretap_module {
	const char *version; /* RDA_VERSION: the same as the program's, or it is not used */
	struct rda_source *(*open)(const char *file, struct rda_refusal *refusal);
};

/*
 * Names the folder of the module, which must live as long as the program, before the first capture
 * is opened. Without it the module lies beside the program (where it was built) or in the folder of
 * libraries below the same prefix (where it was installed).
 */
void rda_wiretap_module_in(const char *folder);

/* Where the module is looked for (g_free); NULL: nowhere. */
char *rda_wiretap_module_file(void);

/* NULL, and in *why (g_free it) the reason in words, where the module cannot be loaded. */
const struct rda_wiretap_module *rda_wiretap_module_load(char **why);

#endif
