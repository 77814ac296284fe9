/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which command an answer is to, where numbers are used again, and how sure that is.
 *
 *     asker      C1 ---------- C2 ----------
 *     answerer       X1 ----------- X2 -----    all with one number
 *
 * A tap may show one direction later than the other, up to RDA_MIRROR_NS, or miss X1 and C2: then
 * each answer seems to be to the command before or behind its own. It is to the one that it seems
 * to be to where
 *
 *  - the answerer had acknowledged the command before it sent the answer, or the command passed
 *    long before it: else it may be to an earlier one;
 *  - the asker had acknowledged the latest answer with this number before it sent the command, or
 *    that passed long before it: else that may be the command's own;
 *  - nothing that the answerer sent between the two is missing: else that may be.
 *
 * What one side sent is shown in the order of sending, its acknowledgments among it.
 */
#ifndef RDA_ULP_TURNS_H
#define RDA_ULP_TURNS_H

#include <stdbool.h>
#include <stdint.h>

/* Answers of a connection that are younger than RDA_MIRROR_NS, and not acknowledged. Where there
 * are more, a number may have been among the older ones. */
#define RDA_ULP_TURNS_KEPT 32

struct rda_ulp;
struct rda_ulp_command;

struct rda_ulp_turn {
	uint64_t id;
	int64_t end;  /* of it: a PSN, or an offset of TCP */
	int64_t ns;   /* when it passed */
	bool unasked; /* no command with its number was known */
};

struct rda_ulp_turns {
	struct rda_ulp_turn latest[RDA_ULP_TURNS_KEPT]; /* answers, the oldest first */
	uint32_t count;
	struct rda_ulp_turn forgotten; /* the latest for which there was no room; `end` 0: none */
};

/* A command that passes at `ns`: whether its answer was shown before it is noted in it. */
void rda_ulp_turns_ask(const struct rda_ulp *ulp, struct rda_ulp_command *command, int64_t ns);

/* An answer passes at `ns`; `unasked`: to no command that is known. */
void rda_ulp_turns_answer(struct rda_ulp *ulp, uint64_t id, bool unasked, int64_t ns);

/* Whether an answer that passes at `ns` may be to another command of this number; before
 * rda_ulp_turns_answer. */
bool rda_ulp_turns_unsure(const struct rda_ulp *ulp, const struct rda_ulp_command *command,
			  int64_t ns);

#endif
