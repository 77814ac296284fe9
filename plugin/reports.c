/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of the program's report, printed when Wireshark has passed all frames.
 */
#include "plugin/reports.h"

#include "plugin/compat.h"
#include "plugin/session.h"

#include "analyzer/rdma-analyze/report.h"

#include <stdio.h>
#include <unistd.h>

typedef void report(struct rda_output *out, const struct rda_run *run);

struct kind {
	const char *argument; /* of -z */
	const char *title;
	report *report;
	unsigned (*count)(const struct rda_engine *engine);
	const char *none; /* what is said where that is 0 */
};

static struct kind kinds[] = {
	{"rdma,connections", "RDMA connections", rda_report_connections,
	 rda_engine_connection_count, "No RDMA connections were seen."},
	{"rdma,keys", "RDMA memory keys", rda_report_keys, rda_engine_key_count,
	 "No memory keys were named."},
	{"rdma,findings", "RDMA findings", rda_report_findings, rda_engine_finding_count,
	 "No findings."},
};

static void print(const struct kind *kind)
{
	struct rda_options options = {0};
	struct rda_input input = {.file = "this capture"};
	struct rda_run run = {
		.options = &options, .engine = rda_session_engine(), .inputs = g_ptr_array_new()};
	struct rda_output out;

	g_ptr_array_add(run.inputs, &input);
	rda_output_init(&out, STDOUT_FILENO, false);
	if (kind->count(run.engine))
		kind->report(&out, &run);
	else
		rda_print(&out, "%s\n", kind->none);
	fflush(stdout); /* what Wireshark printed comes before */
	rda_output_flush(&out);
	rda_output_cleanup(&out);
	g_ptr_array_unref(run.inputs);
}

static void draw(void *kind)
{
	if (!rda_session_engine())
		return;
	rda_session_finish();
	print(kind);
}

static tap_packet_status see(void *context, packet_info *pinfo, epan_dissect_t *edt,
			     const void *data, tap_flags_t flags)
{
	(void)context;
	(void)pinfo;
	(void)edt;
	(void)data;
	(void)flags;
	return TAP_PACKET_REDRAW;
}

RDA_REPORT_INIT(begin)
{
	GString *error = register_tap_listener("rdma", context, NULL, 0, NULL, see, draw, NULL);

	(void)argument;
	if (error)
		g_string_free(error, TRUE);
	RDA_REPORT_READY;
}

void rda_reports_register(void)
{
	static stat_tap_ui uis[G_N_ELEMENTS(kinds)];

	for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++) {
		uis[i] = (stat_tap_ui){.group = REGISTER_STAT_GROUP_GENERIC,
				       .title = kinds[i].title,
				       .cli_string = kinds[i].argument,
				       .tap_init_cb = begin};
		register_stat_tap_ui(&uis[i], &kinds[i]);
	}
}
