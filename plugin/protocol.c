/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One frame's way through the plugin: to the engine on the first pass, to the tree on every one.
 */
#include "plugin/protocol.h"

#include "plugin/completed.h"
#include "plugin/fields.h"
#include "plugin/session.h"
#include "plugin/source.h"
#include "plugin/tree.h"

#include "analyzer/iwarp/iwarp.h"

int rda_protocol = -1;

static dissector_handle_t handle;
static int tap = -1;

/* A frame that no finding lists and that has no RDMA is none of ours. */
static bool is_ours(const struct rda_shown *shown)
{
	uint64_t number = shown->source->meta.number;
	const struct rda_frame_record *record = rda_session_record(number);
	unsigned next = 0;

	return shown->packet->carrier != RDA_CARRIER_NONE || (record && record->fpdu) ||
	       rda_session_part(number) || rda_session_finding(number, &next);
}

/* The taps run when the frame was dissected: all of it must last until then. */
static void tell(const struct rda_shown *shown)
{
	packet_info *pinfo = shown->pinfo;
	struct rda_tapped *tapped = wmem_new0(pinfo->pool, struct rda_tapped);

	tapped->packet = wmem_memdup(pinfo->pool, shown->packet, sizeof(*shown->packet));
	tapped->source = *shown->source;
	if (!PINFO_FD_VISITED(pinfo)) {
		tapped->flow = rda_engine_flow(rda_session_engine());
		tapped->back = rda_engine_flow_back(rda_session_engine());
	}
	tap_queue_packet(tap, pinfo, tapped);
}

/* Whether somebody looks at our part of the tree, or at expert infos: building it is dear. */
static bool is_wanted(proto_tree *tree)
{
	static int expert = -1;

	if (expert < 0)
		expert = proto_get_id_by_filter_name("_ws.expert");
	return proto_field_is_referenced(tree, rda_protocol) ||
	       (expert >= 0 && proto_field_is_referenced(tree, expert));
}

static int dissect(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
	struct rda_source_frame source;
	struct rda_packet again;
	unsigned completed;
	bool ours;
	struct rda_shown shown = {.tvb = tvb, .pinfo = pinfo, .source = &source};

	(void)data;
	if (!rda_session_engine() || pinfo->rec->rec_type != REC_TYPE_PACKET)
		return 0;
	rda_source_frame(&source, tvb, pinfo);
	if (PINFO_FD_VISITED(pinfo))
		rda_session_revisit();
	else
		shown.packet = rda_session_packet(&source.meta, &source.frame);
	if (!shown.packet) {
		rda_dissect(&again, &source.frame, &rda_session_config.dissect);
		shown.packet = &again;
	}
	ours = is_ours(&shown);
	if (ours)
		rda_tree_show(&shown, is_wanted(tree) ? tree : NULL);
	if (have_tap_listener(tap) && (ours || rda_completed_of(pinfo->num, &completed)))
		tell(&shown);
	return 0; /* nothing is ours alone: the frame's protocols stay as they are */
}

/* ---- preferences ---------------------------------------------------------------------------- */

static struct {
	range_t *ports;
	guint window, keys, iwarp, held;
	const char *checks_off;
} preferences;

static void apply_ports(struct rda_dissect_config *config)
{
	const range_t *ports = preferences.ports;

	for (unsigned i = 0; ports && i < ports->nranges; i++)
		for (uint32_t port = ports->ranges[i].low; port <= ports->ranges[i].high; port++)
			if (config->port_count < G_N_ELEMENTS(config->ports))
				config->ports[config->port_count++] = (uint16_t)port;
}

static void apply_checks_off(struct rda_config *config)
{
	char **codes =
		g_strsplit_set(preferences.checks_off ? preferences.checks_off : "", " ,;", -1);

	for (char **code = codes; *code; code++)
		for (unsigned i = 0; i < RDA_CHECK_COUNT; i++)
			if (!g_ascii_strcasecmp(*code, rda_check_row((enum rda_check)i)->code))
				config->checks_off[i] = true;
	g_strfreev(codes);
}

/* Wireshark passes all frames again when a preference has changed: a new session. */
static void apply_preferences(void)
{
	struct rda_config config = {
		.window_cap = preferences.window,
		.keys_cap = preferences.keys,
		.iwarp_cap = preferences.iwarp,
		.held_cap = preferences.held,
	};

	apply_ports(&config.dissect);
	apply_checks_off(&config);
	rda_session_config = config;
}

static void register_preferences(void)
{
	module_t *module = prefs_register_protocol(rda_protocol, apply_preferences);

	preferences.window = RDA_WINDOW_CAP;
	preferences.keys = RDA_KEYS_MAX;
	preferences.iwarp = RDA_IWARP_CONNECTIONS_MAX;
	preferences.held = RDA_STREAM_POOL_MAX;
	prefs_register_range_preference(
		module, "ports", "More UDP ports of RoCEv2",
		"UDP destination ports that carry RoCEv2, besides 4791; at most 8",
		&preferences.ports, UINT16_MAX);
	prefs_register_uint_preference(
		module, "window", "Requests remembered",
		"Requests of one direction that are remembered until they are acknowledged "
		"(170 bytes each); of more the oldest are forgotten, and counted",
		10, &preferences.window);
	prefs_register_uint_preference(
		module, "keys", "Memory keys remembered",
		"Memory keys that are remembered (500 bytes each); uses of more are counted", 10,
		&preferences.keys);
	prefs_register_uint_preference(
		module, "iwarp_connections", "iWARP connections followed",
		"Connections of iWARP that are followed (4 KiB each); segments of more are counted",
		10, &preferences.iwarp);
	prefs_register_uint_preference(module, "held", "Bytes held of TCP streams",
				       "Bytes of all TCP streams that are held behind gaps until "
				       "these are filled; of more "
				       "the gaps are given up, and counted",
				       10, &preferences.held);
	prefs_register_string_preference(
		module, "checks_off", "Checks to switch off",
		"Codes of checks that are not to be told, such as S03,W18 (docs/checks.md)",
		&preferences.checks_off);
	apply_preferences();
}

void rda_protocol_register(void)
{
	rda_protocol = proto_register_protocol("RDMA", "RDMA", "rdma");
	rda_fields_register(rda_protocol);
	tap = register_tap("rdma");
	handle = register_dissector("rdma", dissect, rda_protocol);
	register_init_routine(rda_session_begin);
	register_cleanup_routine(rda_session_end);
	register_postseq_cleanup_routine(rda_session_finish);
	register_postdissector(handle);
	register_preferences();
}
