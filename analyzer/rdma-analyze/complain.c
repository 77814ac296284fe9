/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages for people, on standard error. See complain.h.
 */
#include "analyzer/rdma-analyze/complain.h"

#include "analyzer/report/output.h"

#include <stdarg.h>
#include <stdio.h>

static void print(const char *begin, const char *line)
{
	char *harmless = rda_output_harmless(line);

	fprintf(stderr, "%s%s\n", begin, harmless);
	g_free(harmless);
}

void rda_complain(const char *format, ...)
{
	va_list arguments;
	char *message;

	va_start(arguments, format);
	message = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	print("rdma-analyze: ", message);
	g_free(message);
}

void rda_complain_lines(const char *text)
{
	char **lines = g_strsplit(text, "\n", -1);

	for (char **line = lines; *line; line++)
		if (line[1] || **line) /* behind the last line's end is no line */
			print("", *line);
	g_strfreev(lines);
}
