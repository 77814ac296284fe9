/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line: options.def as a struct, and as rows for whoever walks the options (--help, the
 * completion scripts).
 */
#ifndef RDA_OPTIONS_H
#define RDA_OPTIONS_H

#include "analyzer/rda.h"
#include "analyzer/rdma-analyze/options.def"
#include "analyzer/report/choice.h"
#include "analyzer/report/graph.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* enum rda_format, enum rda_color, ...: the words of each set */
enum rda_choice_set {
#define RDA_S(SET) RDA_CHOICE_##SET,
	RDA_CHOICES(RDA_S)
#undef RDA_S
		RDA_CHOICE_SETS
};
enum {
#define RDA_W(SET, ID, word) RDA_##SET##_##ID,
	RDA_FORMAT_WORDS(RDA_W)
};
enum { RDA_READER_NAME_WORDS(RDA_W) };
enum { RDA_COLOR_WORDS(RDA_W) };
enum { RDA_FAIL_ON_WORDS(RDA_W) };
enum { RDA_LISTING_WORDS(RDA_W) };
enum {
	RDA_SHELL_WORDS(RDA_W)
#undef RDA_W
};

#define RDA_PORTS_MAX	8
#define RDA_THREADS_MAX 64

struct rda_ports {
	uint16_t port[RDA_PORTS_MAX];
	uint8_t count;
};

/* By the number of a check, as struct rda_config has them. */
struct rda_check_weights {
	bool off[RDA_CHECKS_MAX];
	uint8_t severity[RDA_CHECKS_MAX];
};

struct rda_number {
	bool given;
	uint32_t value;
};

enum rda_option_kind {
	RDA_OPTION_FLAG,
	RDA_OPTION_CHOICE,
	RDA_OPTION_LIST,
	RDA_OPTION_TEXT,
	RDA_OPTION_FILE,
	RDA_OPTION_CONFIG,
	RDA_OPTION_CHECK,
	RDA_OPTION_NUMBER,
	RDA_OPTION_PORT,
};

#define RDA_MEMBER_FLAG(member)	  bool member;
#define RDA_MEMBER_CHOICE(member) int member;
#define RDA_MEMBER_LIST(member)	  int member;
#define RDA_MEMBER_TEXT(member)	  char *member;
#define RDA_MEMBER_FILE(member)	  char *member;
#define RDA_MEMBER_CONFIG(member)
#define RDA_MEMBER_CHECK(member)  struct rda_check_weights member;
#define RDA_MEMBER_NUMBER(member) struct rda_number member;
#define RDA_MEMBER_PORT(member)	  struct rda_ports member;

struct rda_options {
#define RDA_O(GROUP, KIND, member, letter, name, argument, SET, help) RDA_MEMBER_##KIND(member)
	RDA_OPTIONS(RDA_O)
#undef RDA_O
	char **files; /* NULL-terminated; "-" is standard input */
};

struct rda_option {
	const char *name;     /* "format" */
	const char *argument; /* "FORMAT"; "" when it takes none */
	const char *help;
	size_t offset; /* in struct rda_options */
	uint8_t group; /* enum rda_option_group */
	uint8_t kind;  /* enum rda_option_kind */
	uint8_t set;   /* enum rda_choice_set */
	char letter;   /* 'F', or 0 */
};

enum rda_option_group {
#define RDA_G(ID, name, title) RDA_OPTION_GROUP_##ID,
	RDA_OPTION_GROUPS(RDA_G)
#undef RDA_G
		RDA_OPTION_GROUP_COUNT
};

extern const struct rda_option rda_option_table[];
extern const unsigned rda_option_count;
extern const char *const rda_option_group_titles[RDA_OPTION_GROUP_COUNT];

/* The words of a set, NULL-terminated. */
const char *const *rda_option_words(enum rda_choice_set set);

/* Whether its values are file names, which shells complete. */
static inline bool rda_option_names_file(const struct rda_option *option)
{
	return option->kind == RDA_OPTION_FILE || option->kind == RDA_OPTION_CONFIG;
}

/*
 * Reads the command line into *options. False on a usage error, with the reason in *error (g_free
 * it). Files may be missing when an option that prints and ends was given.
 */
bool rda_options_parse(struct rda_options *options, int argc, char **argv, char **error);
/* What of the report is asked for; borrows from the options. */
struct rda_choice rda_options_choice(const struct rda_options *options);
void rda_options_cleanup(struct rda_options *options);

#endif
