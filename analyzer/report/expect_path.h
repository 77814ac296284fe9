/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Paths over the JSON document, and comparisons of what they lead to: what expectations (expect.h)
 * are made of.
 *
 *     connections[service == RC and seen.both_directions == true].flows[*].lost.before_tap
 *
 * A list is followed by which of its elements are meant: all of them, the one of an index, or those
 * of which all the conditions hold. In a condition a path begins at the element, and one value that
 * fits is enough.
 */
#ifndef RDA_EXPECT_PATH_H
#define RDA_EXPECT_PATH_H

#include <glib.h>
#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

enum rda_path_pick {
	RDA_PICK_MEMBER, /* it is no list */
	RDA_PICK_ALL,
	RDA_PICK_INDEX,
	RDA_PICK_WHERE,
};

struct rda_path_step {
	char *name;
	uint8_t pick;	  /* enum rda_path_pick */
	size_t index;	  /* RDA_PICK_INDEX */
	GPtrArray *where; /* RDA_PICK_WHERE: struct rda_comparison; else NULL */
};

struct rda_path {
	GArray *steps; /* of struct rda_path_step; at least one */
};

/* RDA_FOLDS(F): F(ID, "name"): several values made one */
#define RDA_FOLDS(F) F(COUNT, "count") F(SUM, "sum") F(MIN, "min") F(MAX, "max")

enum rda_fold {
	RDA_FOLD_NONE,
#define RDA_F(ID, name) RDA_FOLD_##ID,
	RDA_FOLDS(RDA_F)
#undef RDA_F
		RDA_FOLD_KINDS
};

/* RDA_COMPARES(C): C(ID, "as written", what makes it true of the order (-1, 0, 1) of two values) */
#define RDA_COMPARES(C)                                                                            \
	C(LE, "<=", order <= 0)                                                                    \
	C(GE, ">=", order >= 0)                                                                    \
	C(EQ, "==", order == 0)                                                                    \
	C(NE, "!=", order != 0)                                                                    \
	C(LT, "<", order < 0)                                                                      \
	C(GT, ">", order > 0)

enum rda_compare {
#define RDA_C(ID, sign, holds) RDA_COMPARE_##ID,
	RDA_COMPARES(RDA_C)
#undef RDA_C
		RDA_COMPARE_KINDS
};

enum rda_operand_type {
	RDA_OPERAND_NUMBER,
	RDA_OPERAND_TEXT,
	RDA_OPERAND_FLAG,
	RDA_OPERAND_UNKNOWN, /* null */
	RDA_OPERAND_MEMBER,  /* `number` times what `path` leads to from the same element */
	RDA_OPERAND_FOLD,    /* `number` times the fold of all that `path` leads to */
};

struct rda_operand {
	uint8_t type;	    /* enum rda_operand_type */
	uint8_t fold;	    /* enum rda_fold; RDA_OPERAND_FOLD */
	bool flag;	    /* RDA_OPERAND_FLAG */
	long double number; /* holds all 64-bit integers on the machines that RDMA runs on */
	char *text;	    /* RDA_OPERAND_TEXT */
	struct rda_path path;
};

struct rda_comparison {
	struct rda_path path;
	uint8_t compare; /* enum rda_compare */
	struct rda_operand operand;
};

void rda_path_cleanup(struct rda_path *path);
void rda_comparison_cleanup(struct rda_comparison *comparison);

const char *rda_compare_sign(enum rda_compare compare);
const char *rda_fold_name(enum rda_fold fold);

/* Whether a comparison holds; a value that is not known, or of another type, never passes. */
enum rda_truth {
	RDA_TRUTH_NO,
	RDA_TRUTH_YES,
	RDA_TRUTH_UNKNOWN,
};

/* Of two numbers. */
bool rda_compare_numbers(enum rda_compare compare, long double a, long double b);

/* Of a value (NULL: null) and the operand, which is no fold; `element` is what its path begins at.
 */
enum rda_truth rda_compare_value(const struct rda_comparison *comparison, json_object *value,
				 json_object *element);

/* The number of a value; false: it has none. */
bool rda_compare_number_of(json_object *value, long double *number);

/* That of an operand that is a number or a member; false: it is not known. */
bool rda_operand_number(const struct rda_operand *operand, json_object *element,
			long double *number);

/* Whether the element of that index is one of those meant by the step. */
bool rda_path_picks(const struct rda_path_step *step, size_t index, json_object *element);

/*
 * Hands out what the path leads to from `object`, without its first `skip` steps: NULL for null and
 * for what is not there. `place` has where `object` is, and is left as it was; the text of each
 * value's place is in it during the call. `element` is the innermost element of a list.
 */
typedef void rda_path_take(void *context, json_object *value, json_object *element,
			   const GString *place);
void rda_path_each(const struct rda_path *path, unsigned skip, json_object *object, GString *place,
		   rda_path_take *take, void *context);

#endif
