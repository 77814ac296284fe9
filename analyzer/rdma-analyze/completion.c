/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --completion: scripts for three shells, made from the table of options.
 */
#include "analyzer/rdma-analyze/lists.h"

#include <string.h>

#define PROGRAM "rdma-analyze"

/* The words of an option's set with `between` between them; g_free it. */
static char *join_words(const struct rda_option *option, const char *between)
{
	return g_strjoinv(between, (char **)rda_option_words(option->set));
}

static bool has_words(const struct rda_option *option)
{
	return option->kind == RDA_OPTION_CHOICE || option->kind == RDA_OPTION_LIST;
}

/* Text inside '...' of a shell script. */
static char *quote(const char *text)
{
	char **parts = g_strsplit(text, "'", -1);
	char *quoted = g_strjoinv("'\\''", parts);

	g_strfreev(parts);
	return quoted;
}

/* Bash splits words at '=', so the value of --format=t has '=' and then t as its words. */
static void print_bash(struct rda_output *out)
{
	rda_print(out, "# bash completion for " PROGRAM "; source it, or install it as\n"
		       "# share/bash-completion/completions/" PROGRAM "\n"
		       "_rdma_analyze()\n"
		       "{\n"
		       "\tlocal word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]}\n"
		       "\tif [[ $word == = ]]; then\n"
		       "\t\tword=\n"
		       "\telif [[ $option == = ]]; then\n"
		       "\t\toption=${COMP_WORDS[COMP_CWORD-2]}\n"
		       "\tfi\n"
		       "\tCOMPREPLY=()\n"
		       "\tcase $option in\n");
	for (unsigned i = 0; i < rda_option_count; i++) {
		const struct rda_option *option = &rda_option_table[i];
		char *words = join_words(option, " ");

		if (option->kind == RDA_OPTION_FLAG) {
			g_free(words);
			continue;
		}
		rda_print(out, "\t--%s", option->name);
		if (option->letter)
			rda_print(out, "|-%c", option->letter);
		rda_print(out, ")\n");
		if (has_words(option))
			rda_print(out, "\t\tCOMPREPLY=($(compgen -W '%s' -- \"$word\"))\n", words);
		else if (rda_option_names_file(option))
			rda_print(out, "\t\tCOMPREPLY=($(compgen -f -- \"$word\"))\n");
		rda_print(out, "\t\treturn ;;\n");
		g_free(words);
	}
	rda_print(out, "\tesac\n"
		       "\tif [[ $word == -* ]]; then\n"
		       "\t\tCOMPREPLY=($(compgen -W '");
	for (unsigned i = 0; i < rda_option_count; i++)
		rda_print(out, "%s--%s", i ? " " : "", rda_option_table[i].name);
	rda_print(out, "' -- \"$word\"))\n"
		       "\telse\n"
		       "\t\tCOMPREPLY=($(compgen -f -- \"$word\"))\n"
		       "\tfi\n"
		       "}\n"
		       "complete -o filenames -F _rdma_analyze " PROGRAM "\n");
}

/* One argument of zsh's _arguments; brackets and colons mean something to it. */
static void print_zsh_option(struct rda_output *out, const struct rda_option *option)
{
	char *words = join_words(option, " ");
	char *help = quote(option->help);
	GString *text = g_string_new(help);

	g_string_replace(text, "]", "\\]", 0);
	g_string_replace(text, ":", "\\:", 0);
	if (option->letter && rda_option_repeats(option))
		rda_print(out, "\t'*'{-%c,--%s=}'", option->letter, option->name);
	else if (option->letter)
		rda_print(out, "\t'(-%c --%s)'{-%c,--%s%s}'", option->letter, option->name,
			  option->letter, option->name, option->argument[0] ? "=" : "");
	else if (rda_option_repeats(option))
		rda_print(out, "\t'*--%s=", option->name);
	else
		rda_print(out, "\t'--%s%s", option->name,
			  option->kind == RDA_OPTION_LIST ? "=-"
			  : option->argument[0]		  ? "="
							  : "");
	rda_print(out, "[%s]", text->str);
	if (option->argument[0])
		rda_print(out, "%s:%s:", option->kind == RDA_OPTION_LIST ? ":" : "",
			  option->argument);
	if (has_words(option))
		rda_print(out, "(%s)", words);
	else if (rda_option_names_file(option))
		rda_print(out, "_files");
	rda_print(out, "' \\\n");
	g_string_free(text, TRUE);
	g_free(help);
	g_free(words);
}

static void print_zsh(struct rda_output *out)
{
	rda_print(out, "#compdef " PROGRAM "\n"
		       "# zsh completion for " PROGRAM "; install it as _" PROGRAM " in $fpath\n"
		       "_arguments -s -S \\\n");
	for (unsigned i = 0; i < rda_option_count; i++)
		print_zsh_option(out, &rda_option_table[i]);
	rda_print(out, "\t'*:capture file:_files'\n");
}

static void print_fish(struct rda_output *out)
{
	rda_print(out, "# fish completion for " PROGRAM "; install it as\n"
		       "# share/fish/vendor_completions.d/" PROGRAM ".fish\n");
	for (unsigned i = 0; i < rda_option_count; i++) {
		const struct rda_option *option = &rda_option_table[i];
		char *words = join_words(option, " "), *help = quote(option->help);

		rda_print(out, "complete -c " PROGRAM " -l %s", option->name);
		if (option->letter)
			rda_print(out, " -s %c", option->letter);
		if (rda_option_names_file(option))
			rda_print(out, " -r -F");
		else if (option->kind != RDA_OPTION_FLAG && option->kind != RDA_OPTION_LIST)
			rda_print(out, " -x");
		if (has_words(option))
			rda_print(out, " -a '%s'", words);
		rda_print(out, " -d '%s'\n", help);
		g_free(help);
		g_free(words);
	}
}

void rda_list_completion(struct rda_output *out, int shell)
{
	static void (*const print[])(struct rda_output *) = {
		[RDA_SHELL_BASH] = print_bash,
		[RDA_SHELL_ZSH] = print_zsh,
		[RDA_SHELL_FISH] = print_fish,
	};

	print[shell](out);
}
