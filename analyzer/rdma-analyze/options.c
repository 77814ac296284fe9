/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the command line with GLib, as options.def says.
 */
#include "analyzer/rdma-analyze/options.h"

#include "analyzer/checks/check.h"
#include "analyzer/rdma-analyze/contradiction.h"
#include "analyzer/rdma-analyze/value.h"
#include "analyzer/report/nearest.h"

#include <glib.h>
#include <string.h>

#define RDA_W(SET, ID, word) word,
#define RDA_S(SET)	     static const char *const words_of_##SET[] = {RDA_##SET##_WORDS(RDA_W) NULL};
RDA_CHOICES(RDA_S)
#undef RDA_S
#undef RDA_W

#define RDA_OFFSET_FLAG(member)	  offsetof(struct rda_options, member)
#define RDA_OFFSET_CHOICE(member) offsetof(struct rda_options, member)
#define RDA_OFFSET_LIST(member)	  offsetof(struct rda_options, member)
#define RDA_OFFSET_TEXT(member)	  offsetof(struct rda_options, member)
#define RDA_OFFSET_TEXTS(member)  offsetof(struct rda_options, member)
#define RDA_OFFSET_SPAN(member)	  offsetof(struct rda_options, member)
#define RDA_OFFSET_FILE(member)	  offsetof(struct rda_options, member)
#define RDA_OFFSET_CONFIG(member) 0 /* it leaves what it says in others */
#define RDA_OFFSET_CHECK(member)  offsetof(struct rda_options, member)
#define RDA_OFFSET_PORT(member)	  offsetof(struct rda_options, member)
#define RDA_OFFSET_TAP(member)	  offsetof(struct rda_options, member)
#define RDA_OFFSET_SIZE(member)	  offsetof(struct rda_options, member)
#define RDA_OFFSET_NUMBER(member) offsetof(struct rda_options, member)
#define RDA_OFFSET_SAVE(member)	  offsetof(struct rda_options, member)
#define RDA_OFFSET_PART(member)	  offsetof(struct rda_options, member)

const struct rda_option rda_option_table[] = {
#define RDA_O(GROUP, KIND, member, letter, name, argument, SET, help)                              \
	{name,                                                                                     \
	 argument,                                                                                 \
	 help,                                                                                     \
	 RDA_OFFSET_##KIND(member),                                                                \
	 RDA_OPTION_GROUP_##GROUP,                                                                 \
	 RDA_OPTION_##KIND,                                                                        \
	 RDA_CHOICE_##SET,                                                                         \
	 letter},
	RDA_OPTIONS(RDA_O)
#undef RDA_O
};

const unsigned rda_option_count = G_N_ELEMENTS(rda_option_table);

const char *const rda_option_group_titles[] = {
#define RDA_G(ID, name, title) title,
	RDA_OPTION_GROUPS(RDA_G)
#undef RDA_G
};

static const char *const group_names[] = {
#define RDA_G(ID, name, title) name,
	RDA_OPTION_GROUPS(RDA_G)
#undef RDA_G
};

const char *const *rda_option_words(enum rda_choice_set set)
{
	static const char *const *const sets[] = {
#define RDA_S(SET) words_of_##SET,
		RDA_CHOICES(RDA_S)
#undef RDA_S
	};

	return sets[set];
}

/* `given` is the option as it was written: "--format" or "-F". */
static const struct rda_option *find_option(const char *given)
{
	for (unsigned i = 0; i < rda_option_count; i++) {
		const struct rda_option *option = &rda_option_table[i];

		if (given[1] == '-' ? strcmp(given + 2, option->name) == 0
				    : given[1] == option->letter)
			return option;
	}
	g_assert_not_reached();
}

/* ---- checks ---------------------------------------------------------------------------------- */

static int find_check(const char *code, GError **error)
{
	struct rda_nearest nearest = {.word = code};
	int number = rda_check_number(code);

	if (number >= 0)
		return number;
	for (unsigned i = 0; i < RDA_CHECK_COUNT; i++)
		rda_nearest_try(&nearest, rda_check_row((enum rda_check)i)->code);
	g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
		    nearest.name ? "there is no check \"%s\"; did you mean %s?"
				 : "there is no check \"%s\" (--list-checks names them)",
		    code, nearest.name);
	return -1;
}

/* "S05=note" */
static bool weigh_check(struct rda_check_weights *weights, const char *value, GError **error)
{
	char **parts = g_strsplit(value, "=", 2);
	const char *weight = parts[0] && parts[1] ? parts[1] : "";
	enum rda_severity severity = rda_severity_of(weight);
	int number = find_check(parts[0] ? parts[0] : "", error);
	bool off = strcmp(weight, "off") == 0;

	if (number >= 0 && !off && severity == RDA_SEVERITY_COUNT) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "--check: \"%s\" is no CODE=WEIGHT: error, warning, note or off",
			    value);
		number = -1;
	}
	if (number >= 0) {
		weights->off[number] = off;
		weights->severity[number] = off ? 0 : (uint8_t)(severity + 1);
	}
	g_strfreev(parts);
	return number >= 0;
}

static bool weigh_checks(struct rda_check_weights *weights, const char *value, GError **error)
{
	char **each = g_strsplit(value, ",", -1);
	bool good = each[0] || weigh_check(weights, "", error); /* none: said as such */

	for (char **one = each; good && *one; one++)
		good = weigh_check(weights, *one, error);
	g_strfreev(each);
	return good;
}

/* "3" or "S01" */
static bool set_what(struct rda_part_of *part, const char *what, GError **error)
{
	uint64_t number;

	if (g_ascii_string_to_unsigned(what, 10, 0, UINT32_MAX, &number, NULL)) {
		part->connection = (uint32_t)number;
		return true;
	}
	if (g_ascii_isalpha(*what)) {
		part->code = g_strdup(what);
		return find_check(what, error) >= 0;
	}
	g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
		    "--extract: \"%s\" is no number of a connection and no check", what);
	return false;
}

/* Two words: the first (g_free), and where the second begins. */
static char *first_word(const char *value, const char **second)
{
	size_t length = strcspn(value, " \t");

	*second = value + length + strspn(value + length, " \t");
	return g_strndup(value, length);
}

/* "3 out.pcapng", "S01 out.pcapng" */
static bool set_part(struct rda_part_of *part, const char *value, GError **error)
{
	const char *file;
	char *what = first_word(value, &file);
	bool good;

	g_free(part->code);
	g_free(part->file);
	*part = (struct rda_part_of){.file = g_strdup(file)};
	good = set_what(part, what, error) && *file;
	if (!*error && !*file)
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "--extract: \"%s\" into which file?", what);
	g_free(what);
	return good;
}

/* "error DIR", "S05 DIR" */
static bool set_save(struct rda_save_on *on, const char *value, GError **error)
{
	const char *folder;
	char *what = first_word(value, &folder);
	enum rda_severity severity = rda_severity_of(what);

	g_free(on->code);
	g_free(on->folder);
	*on = (struct rda_save_on){.folder = g_strdup(folder), .severity = severity};
	if (!*folder)
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "--save-on: \"%s\" into which folder?", what);
	else if (severity == RDA_SEVERITY_COUNT && find_check(what, error) >= 0)
		on->code = g_strdup(what);
	g_free(what);
	return !*error;
}

/* ---- one option ------------------------------------------------------------------------------ */

static bool take_config(struct rda_options *options, const char *file, GError **error);

static bool take_value(struct rda_options *options, const struct rda_option *option,
		       const char *value, GError **error)
{
	void *member = (char *)options + option->offset;

	switch ((enum rda_option_kind)option->kind) {
	case RDA_OPTION_FLAG: *(bool *)member = true; return true;
	case RDA_OPTION_CHOICE: return rda_value_choice(member, option, value, error);
	case RDA_OPTION_LIST:
		return rda_value_choice(member, option,
					value ? value : rda_option_words(option->set)[0], error);
	case RDA_OPTION_CONFIG: return take_config(options, value, error);
	case RDA_OPTION_CHECK: return weigh_checks(member, value, error);
	case RDA_OPTION_TEXT:
	case RDA_OPTION_FILE: rda_value_text(member, value); return true;
	case RDA_OPTION_TEXTS: rda_value_add_text(member, value); return true;
	case RDA_OPTION_SPAN: return rda_value_period(member, option, value, error);
	case RDA_OPTION_SIZE: return rda_value_size(member, option, value, error);
	case RDA_OPTION_NUMBER: return rda_value_number(member, option, value, error);
	case RDA_OPTION_PORT: return rda_value_add_port(member, value, error);
	case RDA_OPTION_SAVE: return set_save(member, value, error);
	case RDA_OPTION_PART: return set_part(member, value, error);
	case RDA_OPTION_TAP: return rda_tap_names_add(member, value, error);
	}
	return false;
}

/* ---- --config -------------------------------------------------------------------------------- */

/* "fail-on warning", "check=S05=note", "count-only"; blank after what was a comment was taken off.
 */
static bool take_line(struct rda_options *options, char *line, GError **error)
{
	size_t length = strcspn(line, " \t=");
	char *value = line[length] ? g_strstrip(line + length + 1) : NULL;
	struct rda_nearest nearest = {.word = line};
	const struct rda_option *option = NULL;

	line[length] = '\0';
	for (unsigned i = 0; i < rda_option_count && !option; i++) {
		rda_nearest_try(&nearest, rda_option_table[i].name);
		if (strcmp(line, rda_option_table[i].name) == 0)
			option = &rda_option_table[i];
	}
	if (!option)
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION,
			    nearest.name ? "there is no option \"%s\"; did you mean %s?"
					 : "there is no option \"%s\"",
			    line, nearest.name);
	else if (option->kind == RDA_OPTION_CONFIG)
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
			    "a file of options names no other one");
	else if (option->kind == RDA_OPTION_FLAG ? value != NULL
						 : !value && option->kind != RDA_OPTION_LIST)
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    value ? "%s takes no value" : "%s needs a value", option->name);
	else
		return take_value(options, option, value, error);
	return false;
}

static bool take_config(struct rda_options *options, const char *file, GError **error)
{
	char *text, **lines;
	bool good = true;

	if (!g_file_get_contents(file, &text, NULL, error))
		return false;
	lines = g_strsplit(text, "\n", -1);
	for (unsigned i = 0; lines[i] && good; i++) {
		char *line = lines[i];

		line[strcspn(line, "#")] = '\0';
		g_strstrip(line);
		good = !line[0] || take_line(options, line, error);
		if (!good)
			g_prefix_error(error, "%s:%u: ", file, i + 1);
	}
	g_strfreev(lines);
	g_free(text);
	return good;
}

/* ---- the command line ------------------------------------------------------------------------ */

/* What GLib calls for each option that it finds. */
static gboolean take_option(const gchar *given, const gchar *value, gpointer data, GError **error)
{
	return take_value(data, find_option(given), value, error);
}

/* Values are bytes, as names of files are: GLib would refuse what is no UTF-8. */
static int flags_of(const struct rda_option *option)
{
	if (option->kind == RDA_OPTION_FLAG)
		return G_OPTION_FLAG_NO_ARG;
	return G_OPTION_FLAG_FILENAME |
	       (option->kind == RDA_OPTION_LIST ? G_OPTION_FLAG_OPTIONAL_ARG : 0);
}

static void add_group(GOptionContext *context, unsigned id, struct rda_options *options)
{
	GOptionGroup *group =
		g_option_group_new(group_names[id], rda_option_group_titles[id], "", options, NULL);

	for (unsigned i = 0; i < rda_option_count; i++) {
		const struct rda_option *option = &rda_option_table[i];
		GOptionEntry entries[] = {{option->name, option->letter, flags_of(option),
					   G_OPTION_ARG_CALLBACK, NULL, option->help,
					   option->argument},
					  {0}};

		/* a function in a void *, which ISO C has no cast for and POSIX allows */
		memcpy(&entries[0].arg_data, &(GOptionArgFunc){take_option}, sizeof(gpointer));
		if (option->group == id)
			g_option_group_add_entries(group, entries);
	}
	g_option_context_add_group(context, group);
}

static void add_files(GOptionContext *context, struct rda_options *options)
{
	GOptionEntry entries[] = {{G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY,
				   &options->files, NULL, "FILE..."},
				  {0}};

	g_option_context_add_main_entries(context, entries, NULL);
}

/* GLib takes "--packets=no" for --packets. */
static bool has_unwanted_value(int argc, char **argv, char **error)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		for (unsigned j = 0; j < rda_option_count; j++) {
			const struct rda_option *option = &rda_option_table[j];
			size_t length = strlen(option->name);

			if (option->kind == RDA_OPTION_FLAG && g_str_has_prefix(argv[i], "--") &&
			    strncmp(argv[i] + 2, option->name, length) == 0 &&
			    argv[i][2 + length] == '=') {
				*error = g_strdup_printf("--%s takes no value", option->name);
				return true;
			}
		}
	return false;
}

/* Options that print something and end: no file is needed. */
static bool prints_and_ends(const struct rda_options *options)
{
#define RDA_ENDS_OTHER(member) options->member ||
#define RDA_ENDS_INPUT(member)
#define RDA_ENDS_OUTPUT(member)
#define RDA_ENDS_EXIT(member)
#define RDA_O(GROUP, KIND, member, letter, name, argument, SET, help) RDA_ENDS_##GROUP(member)
	return RDA_OPTIONS(RDA_O) false;
#undef RDA_O
}

struct rda_choice rda_options_choice(const struct rda_options *options)
{
	return (struct rda_choice){
		.top = options->top.value,
		.sort = options->sort,
		.all = options->all,
		.has_connection = options->connection.given,
		.connection = options->connection.value,
		.host = options->host,
		.code = options->finding,
	};
}

/* Whether it is a letter that takes a value, and the value behind it: "-j2". */
static bool has_value_behind_letter(const char *word)
{
	if (word[0] != '-' || !g_ascii_isalpha(word[1]) || !word[2])
		return false;
	for (unsigned i = 0; i < rda_option_count; i++)
		if (rda_option_table[i].letter == word[1])
			return rda_option_table[i].kind != RDA_OPTION_FLAG;
	return false;
}

/* Whether two words behind it are its value: "--extract WHAT FILE". */
static bool takes_two_words(const char *word)
{
	for (unsigned i = 0; i < rda_option_count; i++)
		if ((rda_option_table[i].kind == RDA_OPTION_PART ||
		     rda_option_table[i].kind == RDA_OPTION_SAVE) &&
		    g_str_has_prefix(word, "--") && strcmp(word + 2, rda_option_table[i].name) == 0)
			return true;
	return false;
}

/*
 * The words for GLib, which takes a letter's value only as a word of its own, and as a value one
 * word; g_strfreev them.
 */
static char **words_of(int argc, char **argv)
{
	GPtrArray *words = g_ptr_array_new();
	bool options = true; /* up to "--" */

	for (int i = 0; i < argc; i++) {
		bool both = options && i && has_value_behind_letter(argv[i]);
		bool pair = options && i && takes_two_words(argv[i]) && i + 2 < argc;

		options &= strcmp(argv[i], "--") != 0;
		g_ptr_array_add(words, both ? g_strndup(argv[i], 2) : g_strdup(argv[i]));
		if (both)
			g_ptr_array_add(words, g_strdup(argv[i] + 2));
		if (pair) {
			g_ptr_array_add(words, g_strjoin(" ", argv[i + 1], argv[i + 2], NULL));
			i += 2;
		}
	}
	g_ptr_array_add(words, NULL);
	return (char **)(void *)g_ptr_array_free(words, FALSE);
}

bool rda_options_parse(struct rda_options *options, int argc, char **argv, char **error)
{
	GOptionContext *context;
	GError *failure = NULL;
	char **arguments;

	memset(options, 0, sizeof(*options));
	*error = NULL;
	if (has_unwanted_value(argc, argv, error))
		return false;
	context = g_option_context_new(NULL);
	arguments = words_of(argc, argv);		   /* GLib takes out what it reads */
	g_option_context_set_help_enabled(context, FALSE); /* help.c prints it */
	for (unsigned i = 0; i < RDA_OPTION_GROUP_COUNT; i++)
		add_group(context, i, options);
	add_files(context, options);
	if (!g_option_context_parse_strv(context, &arguments, &failure) ||
	    (options->explain_check && find_check(options->explain_check, &failure) < 0) ||
	    (options->finding && find_check(options->finding, &failure) < 0)) {
		*error = g_strdup(failure->message);
		g_error_free(failure);
	} else if (!options->files && !options->taps.count && !options->interfaces &&
		   !options->follow && !prints_and_ends(options)) {
		*error = g_strdup("no capture file given");
	} else {
		rda_tap_names_append(&options->taps, &options->files);
		*error = rda_contradiction_of(options);
	}
	options->packets = options->packets || options->headers;
	g_option_context_free(context);
	g_strfreev(arguments);
	return *error == NULL;
}

const char *rda_options_tap_of(const struct rda_options *options, uint32_t file)
{
	uint32_t first = g_strv_length(options->files) - options->taps.count;

	return file >= first ? options->taps.name[file - first] : NULL;
}

const char *rda_option_file(const struct rda_options *options, const struct rda_option *option)
{
	const char *member = (const char *)options + option->offset;

	if (option->kind == RDA_OPTION_FILE)
		return *(char *const *)(const void *)member;
	if (option->kind == RDA_OPTION_PART)
		return ((const struct rda_part_of *)(const void *)member)->file;
	return NULL;
}

void rda_options_cleanup(struct rda_options *options)
{
	for (unsigned i = 0; i < rda_option_count; i++) {
		void *member = (char *)options + rda_option_table[i].offset;

		if (rda_option_table[i].kind == RDA_OPTION_TEXT ||
		    rda_option_table[i].kind == RDA_OPTION_FILE)
			g_free(*(char **)member);
		else if (rda_option_table[i].kind == RDA_OPTION_TEXTS)
			g_strfreev(*(char ***)member);
	}
	g_free(options->save_on.folder);
	g_free(options->save_on.code);
	g_free(options->extract.file);
	g_free(options->extract.code);
	g_strfreev(options->files);
	rda_tap_names_cleanup(&options->taps);
}
