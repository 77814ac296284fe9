/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writing to standard output. See output.h.
 */
#include "analyzer/report/output.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Large enough that system calls cost nothing beside the formatting. */
#define WRITE_AT (64 * 1024)

void rda_output_init(struct rda_output *out, int fd, bool colour)
{
	*out = (struct rda_output){.text = g_string_sized_new(WRITE_AT * 2),
				   .fd = fd,
				   .colour = colour,
				   .width = RDA_TEXT_WIDTH};
}

void rda_output_cleanup(struct rda_output *out)
{
	g_string_free(out->text, TRUE);
}

bool rda_output_flush(struct rda_output *out)
{
	gsize done = 0;

	if (out->fd == RDA_OUTPUT_KEEP)
		return true;
	while (done < out->text->len && !out->error && !out->closed) {
		ssize_t n = write(out->fd, out->text->str + done, out->text->len - done);

		if (n >= 0)
			done += (gsize)n;
		else if (errno == EPIPE)
			out->closed = true;
		else if (errno != EINTR)
			out->error = errno;
	}
	g_string_truncate(out->text, 0);
	return !out->error && !out->closed;
}

int rda_output_failure(struct rda_output *out)
{
	rda_output_flush(out);
	return out->closed ? EPIPE : out->error;
}

bool rda_output_more(struct rda_output *out)
{
	return out->text->len < WRITE_AT || rda_output_flush(out);
}

void rda_print(struct rda_output *out, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	g_string_append_vprintf(out->text, format, arguments);
	va_end(arguments);
}

void rda_style(struct rda_output *out, enum rda_style style)
{
	static const char *const codes[] = {
		[RDA_STYLE_PLAIN] = "\033[0m",	 [RDA_STYLE_BOLD] = "\033[1m",
		[RDA_STYLE_FAINT] = "\033[2m",	 [RDA_STYLE_RED] = "\033[31m",
		[RDA_STYLE_YELLOW] = "\033[33m", [RDA_STYLE_CYAN] = "\033[36m",
	};

	if (out->colour)
		g_string_append(out->text, codes[style]);
}

void rda_print_in(struct rda_output *out, enum rda_style style, const char *format, ...)
{
	va_list arguments;

	rda_style(out, style);
	va_start(arguments, format);
	g_string_append_vprintf(out->text, format, arguments);
	va_end(arguments);
	rda_style(out, RDA_STYLE_PLAIN);
}

/* ---- text for people ------------------------------------------------------------------------- */

/*
 * Text for people. See terminal.h.
 */

bool rda_output_is_smart_terminal(int fd)
{
	const char *terminal = g_getenv("TERM");

	return isatty(fd) && terminal && strcmp(terminal, "dumb") != 0;
}

bool rda_output_wants_colour(int fd)
{
	const char *no_color = g_getenv("NO_COLOR");

	return rda_output_is_smart_terminal(fd) && !(no_color && no_color[0]);
}

unsigned rda_output_terminal_width(int fd)
{
	struct winsize size;

	if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
		return RDA_TEXT_WIDTH;
	return MAX(size.ws_col, RDA_TEXT_LEAST_WIDTH);
}

void rda_output_wrap(struct rda_output *out, const char *text, size_t at, size_t indent)
{
	size_t width = MIN(out->width, RDA_PROSE_WIDTH);
	GString *to = out->text;
	char **words = g_strsplit(text, " ", -1);
	bool first = true; /* on its line */

	for (char **word = words; *word; word++) {
		size_t length = strlen(*word);

		if (!length)
			continue;
		if (!first && at + 1 + length > width) {
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

char *rda_output_harmless(const char *name)
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
