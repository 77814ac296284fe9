/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One capture after the other by the ranks of one MPI job, as rdma-analyze-mpi does with one: to
 * start a job takes longer than to read a capture.
 *
 *     mpirun -n 4 rda-mpi-many FOLDER FILE...     writes FOLDER/0, FOLDER/1 ... with their JSON
 */
#include "analyzer/rdma-analyze/run.h"
#include "analyzer/report/report.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static void report(struct rda_run *run, const char *name)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	struct rda_report report;
	struct rda_output out;

	rda_output_init(&out, fd, false);
	rda_run_read(run, &out);
	report = rda_run_report(run);
	rda_report_json(&out, &report);
	rda_output_flush(&out);
	rda_output_cleanup(&out);
	close(fd);
}

static void analyze(struct rda_team *team, char *file, const char *name)
{
	char *arguments[] = {"rdma-analyze", "--format=json", file, NULL}, *error = NULL;
	struct rda_options options;
	struct rda_run run;

	if (!rda_options_parse(&options, 3, arguments, &error) ||
	    !rda_run_init(&run, &options, NULL, &error))
		rda_team_fail(team, "%s", error);
	run.team = team;
	if (rda_team_is_first(team))
		report(&run, name);
	else
		rda_run_follow(&run);
	rda_run_cleanup(&run);
	rda_options_cleanup(&options);
}

int main(int argc, char **argv)
{
	struct rda_team *team = rda_team_begin(&argc, &argv);

	for (int i = 2; i < argc; i++) {
		char *name = g_strdup_printf("%s/%d", argv[1], i - 2);

		analyze(team, argv[i], name);
		g_free(name);
	}
	return rda_team_end(team, 0);
}
