/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text for people. See terminal.h.
 */
#include "analyzer/report/terminal.h"

#include <string.h>
#include <unistd.h>

bool rda_is_smart_terminal(int fd)
{
	const char *terminal = g_getenv("TERM");

	return isatty(fd) && terminal && strcmp(terminal, "dumb") != 0;
}

bool rda_wants_colour(int fd)
{
	const char *no_color = g_getenv("NO_COLOR");

	return rda_is_smart_terminal(fd) && !(no_color && no_color[0]);
}

void rda_wrap(GString *to, const char *text, size_t at, size_t indent)
{
	char **words = g_strsplit(text, " ", -1);
	bool first = true; /* on its line */

	for (char **word = words; *word; word++) {
		size_t length = strlen(*word);

		if (!length)
			continue;
		if (!first && at + 1 + length > RDA_TEXT_WIDTH) {
			g_string_append_printf(to, "\n%*s", (int)indent, "");
			at = indent;
		} else if (!first) {
			g_string_append_c(to, ' ');
			at++;
		}
		g_string_append(to, *word);
		at += length;
		first = false;
	}
	g_string_append_c(to, '\n');
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
