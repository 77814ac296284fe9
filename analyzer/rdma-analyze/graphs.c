/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --graph: hands the packets of a run to its graph. See graphs.h.
 */
#include "analyzer/rdma-analyze/graphs.h"

#include "analyzer/rdma-analyze/sights.h"
#include "analyzer/report/graph.h"

static bool take(void *graph, const struct rda_sight *sight)
{
	rda_graph_add(graph, sight);
	return true;
}

static void take_time(void *graph, const struct rda_time_sight *time)
{
	rda_graph_time(graph, time);
}

char *rda_graphs_why_not(const struct rda_run *run, const char **option)
{
	unsigned count = rda_result_connection_count(run->result);

	*option = "--graph";
	if (count == 1 || run->options->connection.given)
		return NULL;
	return count ? g_strdup_printf("which of 0 to %u? --connection says it", count - 1)
		     : g_strdup("there are no connections");
}

void rda_graphs_print(struct rda_output *out, struct rda_run *run)
{
	const struct rda_options *options = run->options;
	struct rda_graph *graph =
		rda_graph_new((enum rda_graph_kind)options->graph, run->result,
			      options->connection.value, out->width, options->ascii);

	rda_sights_take(run, take, take_time, graph);
	rda_graph_print(graph, out);
	rda_graph_free(graph);
}
