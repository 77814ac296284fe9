/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program's report, and parts of it: printed by tshark when it has passed all frames, and shown
 * in windows by the menu of Wireshark.
 */
#include "plugin/protocol.h"

#include "plugin/compat.h"
#include "plugin/session.h"

#include "analyzer/report/report.h"

#include <stdio.h>
#include <unistd.h>

typedef void print_report(struct rda_output *out, const struct rda_report *report);

struct kind {
	const char *argument; /* of -z */
	const char *title;
	print_report *print;
	unsigned (*count)(const struct rda_result *result);
	const char *none; /* what is said where that is 0 */
};

static struct kind kinds[] = {
	{"rdma,report", "RDMA report", rda_report_text, rda_result_capture_count,
	 "No capture is open."},
	{"rdma,connections", "RDMA connections", rda_report_connections,
	 rda_result_connection_count, "No RDMA connections were seen."},
	{"rdma,keys", "RDMA memory keys", rda_report_keys, rda_result_key_count,
	 "No memory keys were named."},
	{"rdma,findings", "RDMA findings", rda_report_findings, rda_result_finding_count,
	 "No findings."},
};

static void write_report(struct rda_output *out, const struct kind *kind)
{
	const struct rda_origin origin = {.file = "this capture", .others = *rda_session_others()};
	const struct rda_origin *origins[] = {&origin};
	struct rda_report report = {.origins = origins, .origin_count = 1};

	rda_session_finish();
	report.result = rda_session_result();
	if (kind->count(report.result))
		kind->print(out, &report);
	else
		rda_print(out, "%s\n", kind->none);
}

/* ---- tshark --------------------------------------------------------------------------------- */

static void draw(void *kind)
{
	struct rda_output out;

	if (!rda_session_engine())
		return;
	rda_output_init(&out, STDOUT_FILENO, false);
	fflush(stdout); /* what Wireshark printed comes before */
	write_report(&out, kind);
	rda_output_flush(&out);
	rda_output_cleanup(&out);
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

/* ---- Wireshark ------------------------------------------------------------------------------ */

/* The text windows that Wireshark has for Lua. */
static void show(gpointer data)
{
	const funnel_ops_t *ops = funnel_get_funnel_ops();
	const struct kind *kind = data;
	funnel_text_window_t *window;
	struct rda_output out;

	if (!ops || !ops->new_text_window)
		return;
	rda_output_init(&out, RDA_OUTPUT_KEEP, false);
	if (rda_session_is_finished())
		write_report(&out, kind);
	else
		rda_print(&out, "%s\n", "No capture is open, or it is still growing.");
	window = ops->new_text_window(ops->ops_id, kind->title);
	ops->set_text(window, out.text->str);
	rda_output_cleanup(&out);
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
		/* of the groups for statistics the one that has a place in the menu */
		funnel_register_menu(kinds[i].title, REGISTER_PACKET_STAT_GROUP_UNSORTED, show,
				     &kinds[i], NULL, FALSE);
	}
}
