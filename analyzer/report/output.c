/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writing to standard output. See output.h.
 */
#include "analyzer/report/output.h"

#include <errno.h>
#include <unistd.h>

/* Large enough that system calls cost nothing beside the formatting. */
#define WRITE_AT (64 * 1024)

void rda_output_init(struct rda_output *out, int fd, bool colour)
{
	*out = (struct rda_output){
		.text = g_string_sized_new(WRITE_AT * 2), .fd = fd, .colour = colour};
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
