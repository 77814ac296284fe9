/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A connection over time, drawn with characters: one graph for each direction that has something to
 * show. Of each column only the least and the most is kept, so that no extreme is lost, or sums:
 * memory goes with the width, whatever the number of packets.
 */
#ifndef RDA_GRAPH_H
#define RDA_GRAPH_H

#include "analyzer/report/describe.h"
#include "analyzer/report/output.h"

/* RDA_GRAPH_WORDS(W): W(GRAPH, ID, "word"), as options.def has the words of options */
/* clang-format off */
#define RDA_GRAPH_WORDS(W)                                                                         \
	W(GRAPH, NONE, "none") W(GRAPH, PSN, "psn") W(GRAPH, OUTSTANDING, "outstanding")           \
	W(GRAPH, GOODPUT, "goodput") W(GRAPH, LATENCY, "latency") W(GRAPH, LEDGER, "ledger")
/* clang-format on */

enum rda_graph_kind {
#define RDA_W(SET, ID, word) RDA_GRAPH_##ID,
	RDA_GRAPH_WORDS(RDA_W)
#undef RDA_W
};

struct rda_graph;

/* `width` columns; the caller's, to be given to rda_graph_free. The result is borrowed. */
struct rda_graph *rda_graph_new(enum rda_graph_kind kind, const struct rda_result *result,
				uint32_t connection, unsigned width, bool ascii);
void rda_graph_free(struct rda_graph *graph);

/* The next packet; those of other connections are left out. */
void rda_graph_add(struct rda_graph *graph, const struct rda_sight *sight);
/* The next part of the time of a direction. */
void rda_graph_time(struct rda_graph *graph, const struct rda_time_sight *time);

void rda_graph_print(const struct rda_graph *graph, struct rda_output *out);

#endif
