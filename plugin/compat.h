/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The differences between Wireshark 3.6, 4.0, 4.2, 4.4 and 4.6 that the plugin meets. All its
 * version guards are here; those of libwiretap are in analyzer/rdma-analyze/wiretap_compat.h. 3.6
 * is as 4.0, but that taps' callbacks have no flags, a text window is made without a session, and
 * the rows of endpoints are called hosts; 4.2 has what is said below.
 *
 *                                    4.0          4.4          4.6
 *     plugin_describe                absent       there        there
 *     init callback of a report      void         void         bool
 *     register_follow_stream         7 arguments  9            9: how many streams there are
 *     a preference's boolean         gboolean     bool         bool: 4 bytes or 1
 *     conversation filters           1 argument   2            2: of the callbacks, since 4.2
 *     a stats tree's submenu         "A/B"        "A//B"       "A//B"
 */
#ifndef RDA_PLUGIN_COMPAT_H
#define RDA_PLUGIN_COMPAT_H

#define WS_BUILD_DLL
#include "analyzer/rdma-analyze/wiretap_compat.h"

#include <epan/conversation_table.h>
#include <epan/expert.h>
#include <epan/follow.h>
#include <epan/funnel.h>
#include <epan/packet.h>
#include <epan/plugin_if.h>
#include <epan/prefs.h>
#include <epan/proto_data.h>
#include <epan/srt_table.h>
#include <epan/stat_groups.h>
#include <epan/stat_tap_ui.h>
#include <epan/stats_tree.h>
#include <epan/tap.h>
#include <epan/to_str.h>
#include <ws_symbol_export.h>
#include <ws_version.h>
#include <wsutil/report_message.h>

#include <epan/conversation_filter.h> /* behind packet.h, which it does not include */

#if RDA_WIRESHARK_AT_LEAST(4, 4)
#include <wsutil/plugins.h>
#endif

/* The callback that begins a report: RDA_REPORT_INIT(name) { ...; RDA_REPORT_READY; } */
#if RDA_WIRESHARK_AT_LEAST(4, 6)
#define RDA_REPORT_INIT(name) static bool name(const char *argument, void *context)
#define RDA_REPORT_READY      return true
#else
#define RDA_REPORT_INIT(name) static void name(const char *argument, void *context)
#define RDA_REPORT_READY      return
#endif

#if RDA_WIRESHARK_AT_LEAST(4, 4)
typedef bool rda_boolean; /* of a preference; what a conversation filter's callback returns */
#define RDA_SUBMENU "//"
#else
typedef gboolean rda_boolean;
#define RDA_SUBMENU "/"
#endif

/* The callbacks of a conversation filter: RDA_FILTER_CALLBACK(type, name) { ... pinfo ... } */
#if RDA_WIRESHARK_AT_LEAST(4, 2)
#define RDA_FILTER_CALLBACK(type, name) static type name(packet_info *pinfo, void *context)
#define RDA_FILTER_CONTEXT		(void)context
#define RDA_REGISTER_FILTER(protocol, title, is_valid, make)                                       \
	register_conversation_filter(protocol, title, is_valid, make, NULL)
#else
#define RDA_FILTER_CALLBACK(type, name) static type name(packet_info *pinfo)
#define RDA_FILTER_CONTEXT		(void)0
#define RDA_REGISTER_FILTER(protocol, title, is_valid, make)                                       \
	register_conversation_filter(protocol, title, is_valid, make)
#endif

/* The callback of a tap: RDA_TAP(name, type *context) { ... context, pinfo, edt, data ... } */
#if RDA_WIRESHARK_AT_LEAST(4, 0)
#define RDA_TAP(name, context)                                                                     \
	static tap_packet_status name(context, packet_info *pinfo, epan_dissect_t *edt,            \
				      const void *data, tap_flags_t flags)
#define RDA_TAP_FLAGS_UNUSED	 (void)flags
#define RDA_TAP_KEEP_FLAGS(hash) (hash)->flags = flags
typedef endpoint_item_t rda_endpoint_row;
typedef et_dissector_info_t rda_endpoint_filters;
#define rda_add_endpoint	    add_endpoint_table_data
#define rda_text_window(ops, title) (ops)->new_text_window((ops)->ops_id, title)
#else
#define RDA_TAP(name, context)                                                                     \
	static tap_packet_status name(context, packet_info *pinfo, epan_dissect_t *edt,            \
				      const void *data)
#define RDA_TAP_FLAGS_UNUSED	    (void)0
#define RDA_TAP_KEEP_FLAGS(hash)    (void)0
#define CONVERSATION_NONE	    ENDPOINT_NONE /* one type for both */
typedef hostlist_talker_t rda_endpoint_row;
typedef hostlist_dissector_info_t rda_endpoint_filters;
#define rda_add_endpoint	    add_hostlist_table_data
#define rda_text_window(ops, title) (ops)->new_text_window(title)
#endif

#if RDA_WIRESHARK_AT_LEAST(4, 2)
#define RDA_REGISTER_FOLLOW(protocol, tap, packet, index, ends, port, see, count)                  \
	register_follow_stream(protocol, tap, packet, index, ends, port, see, count, NULL)
#else
#define RDA_REGISTER_FOLLOW(protocol, tap, packet, index, ends, port, see, count)                  \
	register_follow_stream(protocol, tap, packet, index, ends, port, see)
#endif

#endif
