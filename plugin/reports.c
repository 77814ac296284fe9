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

/* Of its menus Wireshark has submenus in Tools only. */
#define RDA_MENU "RDMA/"

typedef void print_report(struct rda_output *out, const struct rda_report *report);

struct kind {
	const char *argument; /* of -z */
	const char *title;
	print_report *print;
	unsigned (*count)(const struct rda_result *result);
	const char *none; /* what is said where that is 0 */
	const char *menu; /* below RDA_MENU */
	bool buttons;	  /* its window has them, for the frames of findings */
};

static struct kind kinds[] = {
	{"rdma,report", "RDMA report", rda_report_text, rda_result_capture_count,
	 "No capture is open.", RDA_MENU "Report", true},
	{"rdma,connections", "RDMA connections", rda_report_connections,
	 rda_result_connection_count, "No RDMA connections were seen.", RDA_MENU "Connections",
	 false},
	{"rdma,keys", "RDMA memory keys", rda_report_keys, rda_result_key_count,
	 "No memory keys were named.", RDA_MENU "Memory keys", false},
	{"rdma,findings", "RDMA findings", rda_report_findings, rda_result_finding_count,
	 "No findings.", RDA_MENU "Findings", true},
};

/* What Wireshark's window says; tshark tells a plugin none. To be freed. */
static char *capture_name(void)
{
	ws_info_t *info = NULL;

	plugin_if_get_ws_info(&info);
	return info && info->cf_filename ? g_path_get_basename(info->cf_filename)
					 : g_strdup("this capture");
}

static void write_report(struct rda_output *out, const struct kind *kind)
{
	char *name = capture_name();
	const struct rda_origin origin = {.file = name, .others = *rda_session_others()};
	const struct rda_origin *origins[] = {&origin};
	struct rda_report report = {.origins = origins, .origin_count = 1};

	rda_session_finish();
	report.result = rda_session_result();
	if (kind->count(report.result))
		kind->print(out, &report);
	else
		rda_print(out, "%s\n", kind->none);
	g_free(name);
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

RDA_TAP(see, void *context)
{
	(void)context;
	(void)pinfo;
	(void)edt;
	(void)data;
	RDA_TAP_FLAGS_UNUSED;
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

enum {
	WINDOW_WIDTH = 68, /* characters that the window has room for as it opens: 620 pixels */
	BUTTONS = 6,
};

#define BUTTONS_WORDS                                                                              \
	"Buttons show the frames of a check, and go to one of its Frames;\n"                       \
	"pressed once more, to the next."

/* The frame that findings of a check list as the `*next`th, from 0, and the first behind the last.
 */
static uint32_t listed_frame(const char *code, unsigned *next)
{
	const struct rda_result *result = rda_session_result();
	uint64_t first = 0;
	unsigned seen = 0, count;

	for (unsigned i = 0; result && i < rda_result_finding_count(result); i++) {
		const struct rda_finding *finding = rda_result_finding(result, i);
		const uint64_t *places = rda_finding_places(finding, &count);

		if (rda_finding_check(finding)->code != code || count == 0)
			continue;
		if (*next < seen + count)
			return (uint32_t)rda_place_number(places[*next - seen]);
		if (seen == 0)
			first = rda_place_number(places[0]);
		seen += count;
	}
	*next = 0;
	return (uint32_t)first;
}

/* Shows the frames that a check's findings are about, and goes to one that they list: each time the
 * button is pressed to the next one. */
static rda_boolean show_frames(funnel_text_window_t *window, void *code)
{
	static const char *pressed; /* the latest button's code */
	static unsigned next;
	static bool
		filtering; /* for seconds, of large captures; buttons can be pressed meanwhile */
	const funnel_ops_t *ops = funnel_get_funnel_ops();
	char *filter;
	uint32_t frame;

	(void)window;
	if (filtering)
		return TRUE;
	filter = g_strdup_printf("rdma.analysis.finding == \"%s\"", (const char *)code);
	if (pressed != code || g_strcmp0(ops->get_filter(ops->ops_id), filter) != 0) {
		filtering = true;
		ops->set_filter(ops->ops_id, filter);
		ops->apply_filter(ops->ops_id);
		filtering = false;
		pressed = code;
		next = 0;
	}
	g_free(filter);
	frame = listed_frame(code, &next);
	next++;
	if (frame)
		plugin_if_goto_frame(frame);
	return TRUE;
}

/* The window keeps the button, and frees it in some versions: it has memory of its own. */
static void add_button(const funnel_ops_t *ops, funnel_text_window_t *window, const char *code)
{
	funnel_bt_t *button = g_new0(funnel_bt_t, 1);

	button->tw = window;
	button->func = show_frames;
	button->data = (void *)code; /* of checks.def */
	button->free_fcn = g_free;
	ops->add_button(window, button, code);
}

/* One for each check that found something, the weightiest first. */
static void add_buttons(const funnel_ops_t *ops, funnel_text_window_t *window)
{
	const struct rda_result *result = rda_session_result();
	const char *told[BUTTONS];
	unsigned count = 0, i, j;

	for (i = 0; i < rda_result_finding_count(result) && count < BUTTONS; i++) {
		const char *code = rda_finding_check(rda_result_finding(result, i))->code;

		for (j = 0; j < count && told[j] != code; j++)
			;
		if (j == count) {
			told[count++] = code;
			add_button(ops, window, code);
		}
	}
}

/* The text windows that Wireshark has for Lua. */
static void show(gpointer data)
{
	const funnel_ops_t *ops = funnel_get_funnel_ops();
	const struct kind *kind = data;
	funnel_text_window_t *window;
	struct rda_output out;
	bool buttons;
	char *name, *title;

	if (!ops || !ops->new_text_window)
		return;
	buttons = ops->add_button && kind->buttons && rda_session_is_finished();
	rda_output_init(&out, RDA_OUTPUT_KEEP, false);
	out.width = WINDOW_WIDTH;
	if (buttons && rda_result_finding_count(rda_session_result()) > 0)
		rda_print(&out, "%s\n\n", BUTTONS_WORDS);
	if (rda_session_is_finished())
		write_report(&out, kind);
	else
		rda_print(&out, "%s\n", "No capture is open, or it is still growing.");
	name = capture_name();
	title = g_strdup_printf("%s: %s", kind->title, name);
	window = rda_text_window(ops, title);
	ops->set_text(window, out.text->str);
	if (buttons)
		add_buttons(ops, window);
	g_free(title);
	g_free(name);
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
		funnel_register_menu(kinds[i].menu, REGISTER_TOOLS_GROUP_UNSORTED, show, &kinds[i],
				     NULL, FALSE);
	}
}
