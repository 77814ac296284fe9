/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --help: the options in their groups, from the table. GLib's own help is not used: it neither
 * wraps nor keeps to ASCII.
 */
#include "analyzer/rdma-analyze/lists.h"

#include "analyzer/report/output.h"

#define COLUMN 27 /* where the help texts begin */

static void print_option(struct rda_output *out, const struct rda_option *option)
{
	GString *left = g_string_new("  ");

	if (option->letter)
		g_string_append_printf(left, "-%c, ", option->letter);
	else
		g_string_append(left, "    ");
	g_string_append_printf(left, "--%s", option->name);
	if (option->kind == RDA_OPTION_LIST)
		g_string_append_printf(left, "[=%s]", option->argument);
	else if (option->argument[0])
		g_string_append_printf(left, " %s", option->argument);

	if (left->len + 2 > COLUMN)
		g_string_append_printf(left, "\n%*s", COLUMN, "");
	else
		g_string_append_printf(left, "%*s", (int)(COLUMN - left->len), "");
	g_string_append(out->text, left->str);
	g_string_free(left, TRUE);
	rda_output_wrap(out, option->help, COLUMN, COLUMN);
}

void rda_list_help(struct rda_output *out)
{
	rda_print(out,
		  "Usage: rdma-analyze [OPTION]... FILE...\n"
		  "Tells from packet captures what RDMA connections did.\n"
		  "FILE is a capture (pcap, pcapng and what else the reader knows); - is standard\n"
		  "input. Several files are read one after the other, as one.\n");
	for (unsigned group = 0; group < RDA_OPTION_GROUP_COUNT; group++) {
		rda_print(out, "\n");
		rda_print_in(out, RDA_STYLE_BOLD, "%s:", rda_option_group_titles[group]);
		rda_print(out, "\n");
		for (unsigned i = 0; i < rda_option_count; i++)
			if (rda_option_table[i].group == group)
				print_option(out, &rda_option_table[i]);
	}
	rda_print(
		out,
		"\n"
		"Exit code: 0 done; 1 done, and there is a finding at or above --fail-on, or\n"
		"something is not as --expect has it; 2 usage error, or a file that could not be\n"
		"read to its end or not be written.\n"
		"rdma-analyze(1) has the details.\n");
}
