/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of logs joined with a capture: which connection a line is about, and what became of it.
 *
 *     line ── rda_log_line_read ──► QPNs, addresses, keys, status, time
 *                                        │ held against the connections of a result
 *                                        ▼
 *     frames of those, once more ──► their stories (explain_story.h) ──► text | JSON
 *
 * A connection is about a line by what names it: a QPN, a memory key, an address. Of a line that
 * names a QP that is not in the capture no connection is; of one that names none, those of its
 * addresses or keys are, and without these those that show what its status means. Of the ones that
 * have most of the line the status and the time choose. What is left may be several: that is said.
 */
#ifndef RDA_EXPLAIN_H
#define RDA_EXPLAIN_H

#include "analyzer/report/explain_story.h"
#include "analyzer/report/log_line.h"

/* Lines that are looked at; connections that are told of one. */
#define RDA_EXPLAIN_LINES_MAX 1000
#define RDA_EXPLAIN_TOLD      8

/* RDA_EXPLAIN_VERDICTS(V): V(ID, "name in the JSON") */
#define RDA_EXPLAIN_VERDICTS(V)                                                                    \
	V(ONE, "one")                                                                              \
	V(SEVERAL, "several")                                                                      \
	V(NO_MATCH, "not_in_capture")                                                              \
	V(NOTHING, "nothing_to_find")

enum rda_explain_verdict {
#define RDA_V(ID, name) RDA_EXPLAIN_##ID,
	RDA_EXPLAIN_VERDICTS(RDA_V)
#undef RDA_V
		RDA_EXPLAIN_VERDICT_COUNT
};

const char *rda_explain_verdict_name(unsigned verdict);

/* A connection that a line may be about. */
struct rda_explain_candidate {
	uint32_t connection;
	uint8_t side; /* the endpoint whose log it is, or that asked */
	uint32_t by;  /* mask of 1 << enum rda_log_kind: what of the line is its */
	bool fits;    /* it shows what the status means */
	unsigned score;
};

struct rda_explained {
	char *text;	  /* the line, of printable characters, and cut; owned */
	const char *file; /* where it is from, borrowed; NULL: the command line */
	uint64_t number;  /* of the line there */
	struct rda_log_line line;
	uint8_t verdict; /* enum rda_explain_verdict */
	struct rda_explain_candidate candidates[RDA_EXPLAIN_TOLD];
	unsigned candidate_count, more; /* that are told, and that are not */
};

struct rda_explain {
	GPtrArray *lines;    /* of struct rda_explained */
	uint64_t lines_left; /* past the most */
	GHashTable *stories; /* connection -> struct rda_story */
};

struct rda_explain *rda_explain_new(void);
void rda_explain_free(struct rda_explain *explain);

/* One line of `length` bytes, without its end. */
void rda_explain_line(struct rda_explain *explain, const char *file, uint64_t number,
		      const char *text, size_t length);

/* What the lines are about; whose frames are wanted is known then. */
void rda_explain_join(struct rda_explain *explain, const struct rda_result *result);

/* Whether any frames are wanted; and one of them, in the order of the capture. */
bool rda_explain_wants_frames(const struct rda_explain *explain);
void rda_explain_sight(struct rda_explain *explain, const struct rda_sight *sight);

/* The story of a candidate. */
const struct rda_story *rda_explain_story(const struct rda_explain *explain,
					  const struct rda_explain_candidate *candidate);

/* Why no connection is told, to be given to g_free: "no QP 0x12bd is in the capture". */
char *rda_explain_why(const struct rda_explained *explained);

/* Whether an item names a connection: a QPN, a key, an address. */
bool rda_explain_names(const struct rda_log_item *item);

/* "QP 0x0012bd", "address 10.0.0.1", "status 12 (transport retry counter exceeded)"; g_free it. */
char *rda_explain_item_text(const struct rda_log_item *item);

#endif
