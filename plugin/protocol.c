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

#include "analyzer/track/iwarp/iwarp.h"

int rda_protocol = -1;

static dissector_handle_t handle;
static int tap = -1;

/* A frame that no finding is about and that has no RDMA is none of ours. */
static bool is_ours(const struct rda_shown *shown)
{
	uint64_t number = shown->source->meta.number;
	const struct rda_frame_record *record = rda_session_record(number);

	return shown->packet->carrier != RDA_CARRIER_NONE || (record && record->fpdu) ||
	       rda_session_part(number) || rda_session_is_listed(number);
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
	bool ours, column;
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
		rda_dissect(&again, &source.frame, rda_session_dissect());
		shown.packet = &again;
	}
	ours = is_ours(&shown);
	shown.verdict = (struct rda_verdict){RDA_ICRC_NOT_CHECKABLE, -1, -1};
	if (ours && rda_session_is_finished())
		shown.verdict = rda_result_verdict(rda_session_result(), 0, &source.meta,
						   &source.frame, shown.packet);
	tree = is_wanted(tree) ? tree : NULL;
	column = rda_session_info_column && rda_info_is_column(pinfo);
	if (ours && (tree || column))
		shown.info = rda_info_text(&shown);
	if (ours)
		rda_tree_show(&shown, tree);
	if (ours && column)
		rda_info_write(&shown);
	if (have_tap_listener(tap) && (ours || rda_completed_of(pinfo->num, &completed)))
		tell(&shown);
	/* a frame of ours has us among its protocols, or Follow would be greyed out */
	return ours ? (int)tvb_captured_length(tvb) : 0;
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
	rda_preferences_register(rda_protocol);
}
