/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a reader asks a report for: how many connections, in which order, and whose.
 */
#ifndef RDA_CHOICE_H
#define RDA_CHOICE_H

#include "analyzer/checks/finding.h"
#include "analyzer/engine/result.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* By what connections are sorted, most first: RDA_SORT_WORDS(W): W(SORT, ID, "word"). WORST is by
 * the weightiest finding that is no note, then by payload. */
/* clang-format off */
#define RDA_SORT_WORDS(W)                                                                          \
	W(SORT, WORST, "worst") W(SORT, STALLED, "stalled") W(SORT, RESENT, "resent")              \
	W(SORT, LOST, "lost") W(SORT, LATENCY, "latency") W(SORT, PACKETS, "packets")              \
	W(SORT, BYTES, "bytes") W(SORT, ID, "id")
/* clang-format on */

enum rda_sort {
#define RDA_W(SET, ID, word) RDA_SORT_##ID,
	RDA_SORT_WORDS(RDA_W)
#undef RDA_W
};

#define RDA_CHOICE_TOP 10

/* Zeros are the defaults. */
struct rda_choice {
	uint32_t top; /* connections that are listed; 0: RDA_CHOICE_TOP */
	int sort;     /* enum rda_sort */
	bool all;     /* every connection and every finding, in full */
	bool has_connection;
	uint32_t connection; /* only this one; valid if has_connection */
	const char *host;    /* only what concerns this address; NULL: all */
	const char *code;    /* only findings of this check; NULL: all */
};

/* Whether only a part is asked for. */
bool rda_choice_is_part(const struct rda_choice *choice);

bool rda_choice_has_connection(const struct rda_choice *choice, const struct rda_result *result,
			       uint32_t connection);
bool rda_choice_has_finding(const struct rda_choice *choice, const struct rda_result *result,
			    const struct rda_finding *finding);
/* Hands out the flows of the chosen connections that were seen, in order of these; `side` is which
 * of its connection's. */
typedef void rda_choice_take_flow(void *context, const struct rda_connection_facts *connection,
				  unsigned side, const struct rda_flow_facts *flow);
void rda_choice_each_flow(const struct rda_choice *choice, const struct rda_result *result,
			  rda_choice_take_flow *take, void *context);

/* Of packets, whose connection may not be known (-1). */
bool rda_choice_has_packet(const struct rda_choice *choice, int32_t connection,
			   const struct rda_address *source, const struct rda_address *destination,
			   const char *const *codes, unsigned code_count);

/* Why the choice asks for what is not there, by which option: g_free it; NULL: it is there. */
char *rda_choice_why_not(const struct rda_choice *choice, const struct rda_result *result,
			 const char **option);

/* In place of an index: there is none. */
#define RDA_CHOICE_HEALTHY UINT32_MAX

/* Of each connection the index of the weightiest finding above a note, or RDA_CHOICE_HEALTHY;
 * g_free it. */
uint32_t *rda_choice_problems(const struct rda_result *result);

/* The ids of the chosen connections in their order, of uint32_t; the caller's. */
GArray *rda_choice_connections(const struct rda_choice *choice, const struct rda_result *result,
			       const uint32_t *problems);

#endif
