/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group F: is each packet well formed; see checks.def. Nearly all are, so each part first asks
 * whether there is anything to look at.
 *
 *     crc.c      ICRC and VCRC; damaged.c gathers those that do not fit
 *     layout.c   lengths, pad, fragments, GRH
 *     fields.c   the BTH
 *     payload.c  payload against path MTU and RETH
 */
#include "analyzer/checks/judge.h"

#include "analyzer/base/address.h"
#include "analyzer/checks/frame/damaged.h"
#include "analyzer/checks/frame/state.h"

#include <glib.h>
#include <string.h>

#define PORT_DYNAMIC 0xc000 /* and above: what senders take, to spread connections over paths */

struct rda_frame_state {
	struct rda_failed_crcs failed;
	/* damaged packets of no flow were there, by their two hosts and direction */
	bool of_nobody[RDA_SHARES][2];
};

void rda_check_frame_begin(struct rda_judge *judge)
{
	judge->frame = g_new0(struct rda_frame_state, 1);
	rda_failed_crcs_init(&judge->frame->failed, judge->findings.table.seed);
}

void rda_check_frame_free(struct rda_judge *judge)
{
	rda_failed_crcs_cleanup(&judge->frame->failed);
	g_free(judge->frame);
	judge->frame = NULL;
}

void rda_check_frame_forget(struct rda_flow *flow)
{
	rda_frame_payload_forget(flow);
}

RDA_COLD static void note_of_nobody(const struct rda_at *at)
{
	const struct rda_address *source = &at->packet->source, *to = &at->packet->destination;
	uint8_t share = rda_share_class(rda_address_pair(source, to));

	at->judge->frame->of_nobody[share][memcmp(source, to, sizeof(*source)) <= 0] = true;
}

void rda_check_frame_frame(const struct rda_at *at)
{
	if (at->packet->carrier == RDA_CARRIER_NONE)
		return;
	if (at->icrc == RDA_ICRC_CHECK_MISMATCH || at->icrc == RDA_ICRC_CHECK_DAMAGED ||
	    at->vcrc_fails)
		rda_failed_crcs_packet(&at->judge->frame->failed, at);
	if (at->damaged && !at->flow)
		note_of_nobody(at);
	if (rda_frame_layout_is_odd(at->packet) &&
	    (at->credible || (at->damaged && at->icrc == RDA_ICRC_CHECK_NONE)))
		rda_frame_layout(at);
}

void rda_check_frame_packet(const struct rda_at *at)
{
	const struct rda_packet *packet = at->packet;

	if (rda_failed_crcs_follow(&at->judge->frame->failed))
		rda_failed_crcs_settle(&at->judge->frame->failed, at);
	if (!at->credible)
		return;
	if (at->icrc == RDA_ICRC_CHECK_MATCH && packet->opcode->roles & RDA_ROLE_FLUSH)
		rda_frame_flush_crc(at);
	if (rda_frame_fields_are_odd(packet))
		rda_frame_fields(at);
	if (rda_frame_payload_is_worth(at))
		rda_frame_payload(at);
}

bool rda_check_frame_of_nobody(const struct rda_judge *judge, const struct rda_flow *flow)
{
	return judge->frame->of_nobody[flow->share][0] || judge->frame->of_nobody[flow->share][1];
}

/*
 * Where no ICRC tells of damage, a packet to another QP may be the missing one, with its QP number
 * damaged, as well. Nothing is made of that: such a packet is not delivered, so that it was lost
 * before this capture point holds for who reads it.
 */
bool rda_check_frame_may_be_missing(const struct rda_judge *judge, const struct rda_flow *flow)
{
	return judge->frame->of_nobody[flow->share][rda_flow_is_upward(flow)];
}

void rda_check_frame_join(struct rda_judge *to, const struct rda_judge *from,
			  const struct rda_moved *moved)
{
	rda_failed_crcs_join(&to->frame->failed, &from->frame->failed, moved);
}

void rda_check_frame_pack(struct rda_pack *pack, struct rda_judge *judge)
{
	rda_pack_table(pack, &judge->frame->failed.sources, NULL);
	rda_pack_table(pack, &judge->frame->failed.links, NULL);
	rda_pack_table(pack, &judge->frame->failed.followed, NULL);
}

/* F16: ports that no sender takes by itself. One case for each flow of a host. */
static void source_port_range(struct rda_judge *judge, const struct rda_flow_facts *flow)
{
	struct rda_finding *finding;

	if (!flow->source_port_known || flow->source_port >= PORT_DYNAMIC || !flow->packets)
		return;
	finding =
		rda_finding_add(&judge->findings, RDA_CHECK_F16,
				rda_about_host(rda_overall_host(judge->overall, &flow->key.source)),
				flow->first_place);
	rda_finding_retell(finding, RDA_SAY_F16_BELOW, RDA_ARG_NUMBER("flows", finding->count),
			   RDA_ARG_ADDRESS("sender", &flow->key.source),
			   RDA_ARG_NUMBER("port", flow->source_port));
}

void rda_check_frame_overall(struct rda_judge *judge)
{
	const struct rda_overall *overall = judge->overall;

	for (uint32_t i = 0; i < overall->connection_count; i++)
		for (unsigned side = 0; side < 2; side++) {
			int32_t flow = overall->connections[i].flows[side];

			if (flow >= 0)
				source_port_range(judge, overall->flows[flow]);
		}
	rda_failed_crcs_overall(&judge->frame->failed, judge);
}

void rda_check_frame_retire(struct rda_judge *judge, const struct rda_moved *moved)
{
	rda_failed_crcs_retire(&judge->frame->failed, &judge->whole, moved);
}
