/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of taps and their files. See tap_names.h.
 */
#include "analyzer/rdma-analyze/tap_names.h"

#include <string.h>

static void append(char ***words, uint32_t count, char *word)
{
	*words = g_renew(char *, *words, count + 2);
	(*words)[count] = word;
	(*words)[count + 1] = NULL;
}

gboolean rda_tap_names_add(struct rda_tap_names *taps, const char *value, GError **error)
{
	const char *equals = strchr(value, '=');

	if (!equals || equals == value || !equals[1]) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "--tap: \"%s\" is no NAME=FILE", value);
		return FALSE;
	}
	append(&taps->name, taps->count, g_strndup(value, (gsize)(equals - value)));
	append(&taps->file, taps->count, g_strdup(equals + 1));
	taps->count++;
	return TRUE;
}

void rda_tap_names_append(const struct rda_tap_names *taps, char ***files)
{
	uint32_t count = *files ? g_strv_length(*files) : 0;

	for (uint32_t i = 0; i < taps->count; i++)
		append(files, count++, g_strdup(taps->file[i]));
}

void rda_tap_names_cleanup(struct rda_tap_names *taps)
{
	g_strfreev(taps->name);
	g_strfreev(taps->file);
}
