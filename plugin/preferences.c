/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the user sets becomes the engine's configuration, from the next session on. What cannot be
 * taken is told.
 */
#include "plugin/protocol.h"

#include "plugin/session.h"

#include "analyzer/checks/check.h"
#include "analyzer/track/roce/request.h"

static struct {
	range_t *ports;
	guint window, keys, iwarp, held;
	const char *checks_off;
} preferences;

static void apply_ports(struct rda_dissect_config *config)
{
	const range_t *ports = preferences.ports;
	unsigned over = 0;

	for (unsigned i = 0; ports && i < ports->nranges; i++)
		for (uint32_t port = ports->ranges[i].low; port <= ports->ranges[i].high; port++)
			if (config->port_count < G_N_ELEMENTS(config->ports))
				config->ports[config->port_count++] = (uint16_t)port;
			else
				over++;
	if (over)
		report_warning("rdma.ports: %u ports too many; the first %u count", over,
			       (unsigned)G_N_ELEMENTS(config->ports));
}

static bool switch_off(struct rda_config *config, const char *code)
{
	for (unsigned i = 0; i < RDA_CHECK_COUNT; i++)
		if (!g_ascii_strcasecmp(code, rda_check_row((enum rda_check)i)->code))
			return config->checks_off[i] = true;
	return false;
}

static void apply_checks_off(struct rda_config *config)
{
	char **codes =
		g_strsplit_set(preferences.checks_off ? preferences.checks_off : "", " ,;", -1);

	for (char **code = codes; *code; code++)
		if (**code && !switch_off(config, *code))
			report_warning("rdma.checks_off: there is no check %s", *code);
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

void rda_preferences_register(int protocol)
{
	module_t *module = prefs_register_protocol(protocol, apply_preferences);

	preferences.window = RDA_WINDOW_CAP;
	preferences.keys = RDA_KEYS_MAX;
	preferences.iwarp = RDA_IWARP_CONNECTIONS_MAX;
	preferences.held = RDA_IWARP_HELD_MAX;
	prefs_register_bool_preference(
		module, "info_column", "Write into the column Info",
		"Put what the frame is, as rdma.info has it, in place of what the built-in "
		"dissectors write into the column Info; they call packets malformed that the "
		"capture cut",
		&rda_session_info_column);
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
