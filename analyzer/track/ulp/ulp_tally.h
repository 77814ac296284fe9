/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Commands and answers, counted by kind, with the time that they took: the same for all upper
 * layers.
 *
 *     first packet of the command ... first data ... last data ... last packet of the answer
 *     |---------- before ----------|----- data -----|---- after ----|
 *     |--------------------------- latency -------------------------|
 */
#ifndef RDA_ULP_TALLY_H
#define RDA_ULP_TALLY_H

#include "analyzer/track/ulp/ulp.h"

/* What a command is, as its protocol knows it. */
struct rda_ulp_asked {
	uint64_t id;	  /* that its answer names */
	uint32_t code;	  /* of the operation */
	const char *name; /* of it; a literal, or NULL */
	bool waits;
	uint64_t bytes;
	bool back; /* the answerer asks */
};

/* A new command; NULL: there was no room. */
struct rda_ulp_command *rda_ulp_ask(struct rda_ulp *ulp, const struct rda_ulp_asked *asked,
				    const struct rda_ulp_message *message);

/*
 * The command that an answer names. NULL: none that is known, which is counted; one that comes
 * right behind its answer, as a tap shows it that shows one direction late, is known to be
 * answered.
 */
struct rda_ulp_command *rda_ulp_asked(struct rda_ulp *ulp, uint64_t id,
				      const struct rda_ulp_message *answer);

/* Its answer; the command is gone afterwards. `status` 0: no error; `words` is a literal, or NULL.
 */
void rda_ulp_answer(struct rda_ulp *ulp, struct rda_ulp_command *command, uint32_t status,
		    const char *words, const struct rda_ulp_message *message);

#endif
