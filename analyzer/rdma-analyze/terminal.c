/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text for people. See terminal.h.
 */
#include "analyzer/rdma-analyze/terminal.h"

#include "analyzer/rdma-analyze/options.h"

#include <string.h>
#include <unistd.h>

bool rda_wants_colour(int choice, int fd)
{
	const char *no_color = g_getenv("NO_COLOR"), *terminal = g_getenv("TERM");

	if (choice != RDA_COLOR_AUTO)
		return choice == RDA_COLOR_ALWAYS;
	return isatty(fd) && !(no_color && no_color[0]) && terminal &&
	       strcmp(terminal, "dumb") != 0;
}

void rda_print_wrapped(struct rda_output *out, const char *text, unsigned indent, unsigned width)
{
	char **words = g_strsplit(text, " ", -1);
	size_t at = 0;

	for (char **word = words; *word; word++) {
		size_t length = strlen(*word);

		if (!length)
			continue;
		if (at > 0 && at + 1 + length > width) {
			g_string_append_c(out->text, '\n');
			at = 0;
		}
		rda_print(out, "%*s%s", at == 0 ? (int)indent : 1, "", *word);
		at += (at == 0 ? indent : 1) + length;
	}
	g_string_append_c(out->text, '\n');
	g_strfreev(words);
}

char *rda_harmless(const char *name)
{
	GString *text = g_string_new(NULL);
	char *valid = g_utf8_make_valid(name, -1);

	for (const char *at = valid; *at; at = g_utf8_next_char(at)) {
		gunichar c = g_utf8_get_char(at);

		if (g_unichar_isprint(c))
			g_string_append_unichar(text, c);
		else
			g_string_append_printf(text, "\\x%02x", c);
	}
	g_free(valid);
	return g_string_free(text, FALSE);
}
