/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks through Wireshark's table of UDP ports. See ports.h.
 */
#include "plugin/ports.h"

#include "plugin/compat.h"

struct search {
	struct rda_dissect_config *config;
	int infiniband; /* the protocol */
	unsigned over;
};

static bool is_known(const struct rda_dissect_config *config, uint16_t port)
{
	for (unsigned i = 0; i < config->port_count; i++)
		if (config->ports[i] == port)
			return true;
	return port == RDA_ROCEV2_PORT;
}

static void look_at(const gchar *table, ftenum_t type, gpointer key, gpointer value, gpointer data)
{
	dissector_handle_t handle = dtbl_entry_get_handle(value);
	struct search *search = data;
	uint16_t port = (uint16_t)GPOINTER_TO_UINT(key);

	(void)table;
	(void)type;
	if (!handle || dissector_handle_get_protocol_index(handle) != search->infiniband ||
	    is_known(search->config, port))
		return;
	if (search->config->port_count < G_N_ELEMENTS(search->config->ports))
		search->config->ports[search->config->port_count++] = port;
	else
		search->over++;
}

unsigned rda_ports_add(struct rda_dissect_config *config)
{
	struct search search = {config, proto_get_id_by_filter_name("infiniband"), 0};

	if (search.infiniband >= 0)
		dissector_table_foreach("udp.port", look_at, &search);
	return search.over;
}
