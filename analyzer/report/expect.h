/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Expectations of a capture: a text of one expectation a line, held against the records of the JSON
 * document. docs/ci.md is its description for people.
 *
 *     # as the switch is set up
 *     connections[*].flows[*].resends.after_timeout <= 2
 *     sum(hosts[*].counters.cnp_sent) > 0        # ECN must be at work
 *     connections[service == RC].flows[*].retransmitted_packets <= 0.01 * .request_packets
 *     if any upper_layers[*].failed == 0
 *     no finding >= warning except G08, Q05
 *     finding G03
 *
 * What is not known never passes, and neither does what nothing was compared for, unless the line
 * says `if any`.
 */
#ifndef RDA_EXPECT_H
#define RDA_EXPECT_H

#include "analyzer/checks/check.h"
#include "analyzer/report/expect_path.h"

struct rda_output;

/* Violations of one expectation that are told with their places; others are counted. */
#define RDA_EXPECT_TOLD 8

enum rda_expect_kind {
	RDA_EXPECT_VALUES,   /* of each value: `comparison` */
	RDA_EXPECT_FOLD,     /* of all of them: `fold`, `comparison` */
	RDA_EXPECT_FINDINGS, /* there are some, or none: `findings` */
};

struct rda_expect_findings {
	bool wanted;	  /* there must be one; else there must be none */
	uint8_t severity; /* enum rda_severity: of at least this one */
	bool any_code;	  /* else those of `codes` */
	bool codes[RDA_CHECK_COUNT];
};

/* The values of a fold as they come. */
struct rda_expect_sum {
	uint64_t count;
	long double sum, min, max;
	char *unknown; /* owned; the place of the first that is not known, or NULL */
};

struct rda_expect_line {
	unsigned line;
	char *text;    /* the line, without blanks around it and without `comment` */
	char *comment; /* what stands behind '#' in the line; NULL: nothing */
	uint8_t kind;  /* enum rda_expect_kind */
	bool if_any;   /* nothing to compare is all right */
	uint8_t fold;  /* enum rda_fold */
	struct rda_comparison comparison;
	struct rda_expect_findings findings;

	/* while it is held against records, and then the result */
	struct rda_expect_sum left, right; /* of RDA_EXPECT_FOLD: both sides */
	uint64_t compared, violated;
	GPtrArray *told; /* of char *: what was seen and where, of the first violations */
};

struct rda_expectations {
	GPtrArray *lines; /* of struct rda_expect_line */
};

/*
 * Reads the text, which is UTF-8 or not. `shape` is the document's (rda_report_shape), by which
 * paths are known. NULL on a mistake, with "LINE:COLUMN: REASON" in *error (g_free it).
 */
struct rda_expectations *rda_expectations_parse(const char *text, json_object *shape, char **error);
void rda_expectations_free(struct rda_expectations *expectations);

/* One record: `list` is the member of the document that has it, at `index`. */
void rda_expectations_take(struct rda_expectations *expectations, const char *list, unsigned index,
			   json_object *record);

/* That was all of them. Returns how many expectations do not hold. */
unsigned rda_expectations_end(struct rda_expectations *expectations);

/* What is seen of them is forgotten: they may be held against another document. */
void rda_expectations_reset(struct rda_expectations *expectations);

/* One that does not hold, with what was seen and where; `file` is where it came from. */
void rda_expect_line_print(const struct rda_expect_line *line, const char *file,
			   struct rda_output *out);

#endif
