/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line: options.def as a struct, and as rows for whoever walks the options (--help, the
 * completion scripts).
 */
#ifndef RDA_OPTIONS_H
#define RDA_OPTIONS_H

#include "analyzer/rda.h"
#include "analyzer/rdma-analyze/options.def"
#include "analyzer/rdma-analyze/tap_names.h"
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
#ifndef RDA_MEMORY_MIN
#define RDA_MEMORY_MIN (UINT64_C(64) << 20)
#endif

#define RDA_SNAPLEN_MAX	   262144  /* that of libpcap */
#define RDA_LINK_GBITS_MAX 1600	   /* of Ethernet as it is standardised */
#define RDA_BUFFER_KIB_MAX 2097151 /* libpcap takes a number of bytes in an int */

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

/* A part of the capture, and the file that it goes to. */
struct rda_part_of {
	char *file; /* NULL: not given */
	char *code; /* of a check; NULL: */
	uint32_t connection;
};

struct rda_period {
	bool given;
	int64_t ns;
};

/* Findings whose packets are saved, and where. */
struct rda_save_on {
	char *folder; /* NULL: not given */
	char *code;   /* of a check; NULL: */
	enum rda_severity severity;
};

enum rda_option_kind {
	RDA_OPTION_FLAG,
	RDA_OPTION_CHOICE,
	RDA_OPTION_LIST,
	RDA_OPTION_TEXT,
	RDA_OPTION_TEXTS,
	RDA_OPTION_FILE,
	RDA_OPTION_CONFIG,
	RDA_OPTION_CHECK,
	RDA_OPTION_NUMBER,
	RDA_OPTION_SPAN,
	RDA_OPTION_SIZE,
	RDA_OPTION_PORT,
	RDA_OPTION_PART,
	RDA_OPTION_TAP,
	RDA_OPTION_SAVE,
};

#define RDA_MEMBER_FLAG(member)	  bool member;
#define RDA_MEMBER_CHOICE(member) int member;
#define RDA_MEMBER_LIST(member)	  int member;
#define RDA_MEMBER_TEXT(member)	  char *member;
#define RDA_MEMBER_TEXTS(member)  char **member;
#define RDA_MEMBER_FILE(member)	  char *member;
#define RDA_MEMBER_CONFIG(member)
#define RDA_MEMBER_CHECK(member)  struct rda_check_weights member;
#define RDA_MEMBER_NUMBER(member) struct rda_number member;
#define RDA_MEMBER_SPAN(member)	  struct rda_period member;
#define RDA_MEMBER_SIZE(member)	  uint64_t member;
#define RDA_MEMBER_PORT(member)	  struct rda_ports member;
#define RDA_MEMBER_SAVE(member)	  struct rda_save_on member;
#define RDA_MEMBER_PART(member)	  struct rda_part_of member;
#define RDA_MEMBER_TAP(member)	  struct rda_tap_names member;

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
	return option->kind == RDA_OPTION_FILE || option->kind == RDA_OPTION_CONFIG ||
	       option->kind == RDA_OPTION_TAP;
}

/* Whether it may be given again, and counts each time. */
static inline bool rda_option_repeats(const struct rda_option *option)
{
	return option->kind == RDA_OPTION_TEXTS || option->kind == RDA_OPTION_CONFIG ||
	       option->kind == RDA_OPTION_CHECK || option->kind == RDA_OPTION_PORT ||
	       option->kind == RDA_OPTION_TAP;
}

/* The name of the file that was given with it; NULL: none. Lives as long as the options. */
const char *rda_option_file(const struct rda_options *options, const struct rda_option *option);

/*
 * Reads the command line into *options. False on a usage error, with the reason in *error (g_free
 * it). Files may be missing when an option that prints and ends was given.
 */
bool rda_options_parse(struct rda_options *options, int argc, char **argv, char **error);
/* What of the report is asked for; borrows from the options. */
struct rda_choice rda_options_choice(const struct rda_options *options);
/* The tap that a file is said to be of; NULL: nothing is said. */
const char *rda_options_tap_of(const struct rda_options *options, uint32_t file);
void rda_options_cleanup(struct rda_options *options);

#endif
