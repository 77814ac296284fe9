/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What Wireshark looks for in rdma.so: for which version it was built, and whom to call.
 */
#include "plugin/compat.h"

#include "plugin/protocol.h"

WS_DLL_PUBLIC_DEF const char plugin_version[] = RDA_VERSION;
WS_DLL_PUBLIC_DEF const int plugin_want_major = WIRESHARK_VERSION_MAJOR;
WS_DLL_PUBLIC_DEF const int plugin_want_minor = WIRESHARK_VERSION_MINOR;

WS_DLL_PUBLIC void plugin_register(void);
#if RDA_WIRESHARK_AT_LEAST(4, 4)
WS_DLL_PUBLIC uint32_t plugin_describe(void);
#endif

static void register_protocol(void)
{
	rda_protocol_register();
	rda_reports_register();
	rda_opcode_tree_register();
	rda_conversations_register();
	rda_follow_register();
	rda_response_times_register();
}

void plugin_register(void)
{
	static proto_plugin plugin;

	plugin.register_protoinfo = register_protocol;
	proto_register_plugin(&plugin);
}

#if RDA_WIRESHARK_AT_LEAST(4, 4)
uint32_t plugin_describe(void)
{
	return WS_PLUGIN_DESC_DISSECTOR | WS_PLUGIN_DESC_TAP_LISTENER;
}
#endif
