/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading paths and comparisons (expect_path.h) from a line of text, along the shape of the
 * document (rda_report_shape): what has no place in it is a mistake, and the nearest name is told.
 *
 *     path       = step { "." step }
 *     step       = NAME [ "[" ( "*" | INDEX | condition { "and" condition } ) "]" ]
 *     condition  = path SIGN operand
 *     operand    = NUMBER [ "ns" | "us" | "ms" | "s" ] | WORD | "\"" TEXT "\"" | "unknown"
 *                | [ NUMBER "*" ] ( "." path | FOLD "(" path ")" )
 *
 * Conditions in conditions go down in the shape, so they end where it ends.
 */
#ifndef RDA_EXPECT_PARSER_H
#define RDA_EXPECT_PARSER_H

#include "analyzer/report/expect_path.h"

struct rda_parser {
	const char *begin, *at; /* of the line, which ends with '\0' */
	json_object *shape;	/* of the document */
	char *error;		/* "COLUMN: REASON": the first mistake, owned; NULL: none */
};

/* What is read returns false on a mistake, and so does this. */
bool rda_parser_mistake(struct rda_parser *p, const char *at, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

void rda_parser_skip_blanks(struct rda_parser *p);

/* Takes the sign or the word, if it stands here; or says that it must. */
bool rda_parser_accept(struct rda_parser *p, const char *what);
bool rda_parser_expect(struct rda_parser *p, const char *what);

/* Letters, digits and '_'; maybe none. The caller's. */
char *rda_parser_name(struct rda_parser *p);

/* "sum(": RDA_FOLD_NONE when none begins here. And what stands in its parentheses. */
enum rda_fold rda_parser_fold(struct rda_parser *p);
bool rda_parser_folded(struct rda_parser *p, enum rda_fold fold, struct rda_path *path);

/* What begins at something of that shape. */
bool rda_parser_comparison(struct rda_parser *p, struct rda_comparison *comparison,
			   json_object *shape);

/*
 * What stands behind the left side, which begins at `begin` and leads to something of the shape
 * `leaf`, in an element of a list of the shape `element`.
 */
bool rda_parser_right_side(struct rda_parser *p, struct rda_comparison *comparison,
			   const char *begin, json_object *leaf, json_object *element);

#endif
