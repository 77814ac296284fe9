/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rdma-analyze: reads captures through the engine and prints what it has learnt.
 *
 * Exit code: 0 done; 1 done, and the captures do not pass the gate (gate.h); 2 usage error, or a
 * file that could not be read to its end, or an output that could not be written.
 */
#include "analyzer/rdma-analyze/annotate.h"
#include "analyzer/rdma-analyze/anonymize.h"
#include "analyzer/rdma-analyze/complain.h"
#include "analyzer/rdma-analyze/confine.h"
#include "analyzer/rdma-analyze/database.h"
#include "analyzer/rdma-analyze/each.h"
#include "analyzer/rdma-analyze/extract.h"
#include "analyzer/rdma-analyze/gate.h"
#include "analyzer/rdma-analyze/graphs.h"
#include "analyzer/rdma-analyze/html.h"
#include "analyzer/rdma-analyze/interrupt.h"
#include "analyzer/rdma-analyze/lists.h"
#include "analyzer/rdma-analyze/options.h"
#include "analyzer/rdma-analyze/outfile.h"
#include "analyzer/rdma-analyze/packets.h"
#include "analyzer/rdma-analyze/privileges.h"
#include "analyzer/rdma-analyze/sanitized.h"
#include "analyzer/rdma-analyze/sandbox.h"
#include "analyzer/report/report.h"
#include "analyzer/rdma-analyze/run.h"
#include "analyzer/rdma-analyze/shortage.h"
#include "analyzer/rdma-analyze/source_live.h"
#include "analyzer/rdma-analyze/source_ring.h"
#include "analyzer/rdma-analyze/value.h"
#include "analyzer/report/output.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

enum {
	EXIT_DONE = 0,
	EXIT_FOUND = 1,
	EXIT_FAILED = 2,
};

#ifdef RDA_ASSERTIONS
static const char no_sandbox[] = "this build has sanitizers, which need what it would give up";
#else
static const char no_sandbox[] = "this system has neither Landlock nor seccomp";
#endif

static void print_version(struct rda_output *out)
{
	unsigned offered = rda_confine_offered();

	rda_print(out, "rdma-analyze " RDA_VERSION "\n");
	if (!offered)
		rda_print(out, "No sandbox: %s.\n", no_sandbox);
	else
		rda_print(out, "While it reads captures it gives up %s%s%s.\n",
			  offered & RDA_SANDBOX_FILES ? "other files (Landlock)" : "",
			  offered == (RDA_SANDBOX_FILES | RDA_SANDBOX_CALLS) ? ", and " : "",
			  offered & RDA_SANDBOX_CALLS ? "other programs and the network (seccomp)"
						      : "");
}

/* Options that print something and end; false when there is none of them. */
static bool print_and_end(struct rda_output *out, const struct rda_options *options)
{
	if (options->help)
		rda_list_help(out);
	else if (options->version)
		print_version(out);
	else if (options->list_checks)
		rda_list_checks(out, options->list_checks - 1);
	else if (options->explain_check)
		rda_list_check(out, rda_check_number(options->explain_check));
	else if (options->list_opcodes)
		rda_list_opcodes(out, options->list_opcodes - 1);
	else if (options->list_headers)
		rda_list_headers(out, options->list_headers - 1);
	else if (options->completion)
		rda_list_completion(out, options->completion - 1);
	else
		return false;
	return true;
}

static void print_report(struct rda_output *out, const struct rda_run *run)
{
	static void (*const reports[])(struct rda_output *, const struct rda_report *) = {
		[RDA_FORMAT_TEXT] = rda_report_text,
		[RDA_FORMAT_JSON] = rda_report_json,
		[RDA_FORMAT_NDJSON] = rda_report_ndjson,
		[RDA_FORMAT_CSV] = rda_report_csv,
	};

	struct rda_report report = rda_run_report(run);

	reports[run->options->format](out, &report);
}

/* Takes the reason. */
static int complain(char *reason)
{
	rda_complain("%s", reason);
	g_free(reason);
	return EXIT_FAILED;
}

/* "rdma-analyze: WHAT: REASON"; takes the reason. */
static int fail(const char *what, char *reason)
{
	rda_complain("%s: %s", what, reason);
	g_free(reason);
	return EXIT_FAILED;
}

/* ---- files beside standard output ------------------------------------------------------------ */

static const struct {
	size_t name; /* in struct rda_options: the file's */
	bool (*write)(struct rda_run *run, struct rda_outfile *file, char **error);
} writers[] = {
	{offsetof(struct rda_options, html), rda_html_write},
	{offsetof(struct rda_options, annotate), rda_annotate_write},
	{offsetof(struct rda_options, anonymize), rda_anonymize_write},
	{offsetof(struct rda_options, extract.file), rda_extract_write},
	{offsetof(struct rda_options, sqlite), rda_database_write},
};

enum { WRITERS = sizeof(writers) / sizeof(*writers) };

static const char *name_of(const struct rda_options *options, unsigned writer)
{
	return *(char *const *)(const void *)((const char *)options + writers[writer].name);
}

static void drop_files(struct rda_outfile *const *files)
{
	for (unsigned i = 0; i < WRITERS; i++)
		rda_outfile_drop(files[i]);
}

/* Makes those that are asked for, before hours of reading. False: one cannot be made, as was said.
 */
static bool make_files(const struct rda_options *options, struct rda_outfile **files)
{
	char *error;

	for (unsigned i = 0; i < WRITERS; i++) {
		const char *name = name_of(options, i);

		if (name && !(files[i] = rda_outfile_new(name, &error))) {
			fail(name, error);
			drop_files(files);
			return false;
		}
	}
	return true;
}

static int write_files(struct rda_run *run, struct rda_outfile *const *files)
{
	int code = EXIT_DONE;
	char *error;

	for (unsigned i = 0; i < WRITERS; i++)
		if (files[i] && !writers[i].write(run, files[i], &error))
			code = fail(name_of(run->options, i), error);
	return code;
}

/* Prints what a finished run has to tell, and writes its files; the exit code. */
static int tell(struct rda_output *out, struct rda_run *run, const struct rda_gate *gate,
		struct rda_outfile *const *files)
{
	const struct rda_choice choice = rda_options_choice(run->options);
	const char *option;
	char *error = rda_choice_why_not(&choice, run->result, &option);

	if (!error && run->options->graph)
		error = rda_graphs_why_not(run, &option);
	if (!error)
		error = rda_extract_why_not(run, &option);
	if (error) {
		drop_files(files);
		return fail(option, error);
	}
	if (run->options->graph)
		rda_graphs_print(out, run);
	else if (run->options->packets && !rda_run_streams(run->options))
		rda_print_packets(out, run);
	else if (run->options->packets)
		rda_output_flush(out); /* they were printed as they came */
	else if (run->options->diff)
		rda_gate_print_diff(gate, run, out);
	else
		print_report(out, run);
	return write_files(run, files);
}

/* Root opens interfaces, and does nothing else. False on failure, with the reason in *error. */
static bool open_live(const struct rda_options *options, struct rda_source **live, char **error)
{
	*live = options->follow ? rda_source_ring_open(options->follow) : NULL;
	if (!options->interfaces)
		return true;
	*live = rda_source_live_open(options, error);
	if (!*live)
		return false;
	if (!rda_privileges_drop(options->user, error)) {
		(*live)->close(*live);
		return false;
	}
	rda_interrupt_begin();
	rda_complain("listening on %s", (*live)->file);
	return true;
}

static int list_interfaces(struct rda_output *out)
{
	char *error;

	return rda_source_live_list(out, &error) ? EXIT_DONE : complain(error);
}

/* ---- a program of several processes ---------------------------------------------------------- */

/* Whether there is anything to be read together: told once. */
static void tell_others(struct rda_team *team, bool read)
{
	static bool told;

	if (team && !told)
		rda_team_tell(team, &read, sizeof(read));
	told = true;
}

/* Those that are not the first say nothing, and do what it does with the files. */
static void follow(struct rda_team *team, const struct rda_options *options)
{
	struct rda_run run;
	char *error = NULL;
	bool read;

	rda_team_tell(team, &read, sizeof(read));
	if (!read)
		return;
	if (!rda_run_init(&run, options, NULL, &error))
		rda_team_fail(team, "%s", error);
	run.team = team;
	rda_shortage_prepare(rda_team_memory(team, run.config.memory));
	rda_run_follow(&run);
	rda_run_cleanup(&run);
}

/* What one process has for itself; NULL: nothing of it is asked for. */
static const char *not_together(const struct rda_options *options)
{
	if (options->interfaces)
		return "--interface";
	if (options->follow)
		return "--follow";
	for (char **file = options->files; file && *file; file++)
		if (strcmp(*file, "-") == 0)
			return "standard input";
	return NULL;
}

/* Reads and reports; the exit code. */
static int analyze(struct rda_output *out, const struct rda_options *options, struct rda_team *team)
{
	struct rda_source *live;
	struct rda_outfile *files[WRITERS] = {NULL};
	struct rda_gate *gate;
	struct rda_run run;
	char *error = NULL;
	int code = EXIT_DONE;

	if (!open_live(options, &live, &error))
		return complain(error);
	gate = rda_gate_new(options, &error);
	if (!gate || !make_files(options, files)) {
		if (live)
			live->close(live);
		if (!gate)
			return complain(error);
		rda_gate_free(gate);
		return EXIT_FAILED;
	}
	if (!rda_run_init(&run, options, live, &error)) {
		drop_files(files);
		rda_run_cleanup(&run);
		rda_gate_free(gate);
		return complain(error);
	}
	run.team = team;
	if (!team)		      /* ranks talk to each other all the time */
		rda_confine(options); /* what is read and written is open, or known by its folder */
	rda_shortage_prepare(rda_team_memory(team, run.config.memory));
	tell_others(team, true);
	rda_run_read(&run, out);
	if (rda_interrupt_signal && rda_run_input_count(&run) == 0)
		rda_outfile_die(rda_interrupt_signal); /* nothing to report: as ever */
	if (rda_run_input_count(&run) > 0)	       /* else there is nothing to tell */
		code = tell(out, &run, gate, files);
	else
		drop_files(files);
	rda_output_flush(out); /* what the gate says stands behind the report */
	if (!rda_gate_passes(gate, &run, &error) && code == EXIT_DONE)
		code = EXIT_FOUND;
	if (error)
		code = complain(error);
	if (run.failed)
		code = EXIT_FAILED;
	if (!RDA_SANITIZED)
		run.result = NULL; /* it goes with the process: to free it takes much longer */
	rda_run_cleanup(&run);
	rda_gate_free(gate);
	return code;
}

/* The same of each file by itself. */
static int analyze_each(struct rda_output *out, const struct rda_options *options)
{
	uint64_t memory = rda_value_memory(options); /* what tells it is out of reach later */
	struct rda_each_outcome outcome;
	char *error;

	rda_confine(options);
	rda_shortage_prepare(memory);
	outcome = rda_each_report(out, options, &error);

	rda_output_flush(out);
	if (error)
		return complain(error);
	return outcome.failed ? EXIT_FAILED : outcome.found ? EXIT_FOUND : EXIT_DONE;
}

static bool wants_colour(int choice, bool automatic)
{
	return choice == RDA_COLOR_AUTO ? automatic && rda_output_wants_colour(STDOUT_FILENO)
					: choice == RDA_COLOR_ALWAYS;
}

/* What the first process does, or the only one; the exit code. */
static int lead(struct rda_output *out, const struct rda_options *options, struct rda_team *team)
{
	const char *alone = team ? not_together(options) : NULL;

	if (alone)
		return complain(g_strdup_printf("%s: several processes read files only", alone));
	if (options->list_interfaces)
		return list_interfaces(out);
	if (print_and_end(out, options))
		return EXIT_DONE;
	return options->each ? analyze_each(out, options) : analyze(out, options, team);
}

int main(int argc, char **argv)
{
	struct rda_team *team = rda_team_begin(&argc, &argv);
	struct rda_options options;
	struct rda_output out;
	char *error;
	bool terminal;
	int code;

	signal(SIGPIPE, SIG_IGN); /* seen as EPIPE by the output, which then ends quietly */
	if (!rda_options_parse(&options, argc, argv, &error)) {
		if (rda_team_is_first(team))
			rda_complain("%s (--help tells more)", error);
		g_free(error);
		rda_options_cleanup(&options);
		return rda_team_end(team, EXIT_FAILED);
	}
	options.no_progress |= team != NULL;
	if (!rda_team_is_first(team)) {
		follow(team, &options);
		rda_options_cleanup(&options);
		return rda_team_end(team, EXIT_DONE);
	}
	/* Open MPI gives ranks a terminal, wherever what they print goes to */
	terminal = !team && isatty(STDOUT_FILENO);
	rda_output_init(&out, STDOUT_FILENO, wants_colour(options.color, !team));
	if (terminal)
		out.width = rda_output_terminal_width(STDOUT_FILENO);
	code = lead(&out, &options, team);
	tell_others(team, false);
	rda_output_flush(&out);
	if (out.error) {
		rda_complain("standard output: %s", g_strerror(out.error));
		code = EXIT_FAILED;
	}
	rda_output_cleanup(&out);
	rda_options_cleanup(&options);
	return rda_team_end(team, code);
}
