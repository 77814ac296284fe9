/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group G, which class of traffic packets are in and the form of CNPs: G07-G10, G16, G20.
 *
 *     IP: DSCP 6 | ECN 2 (0 Not-ECT, 1 and 2 ECT, 3 CE)
 *     CNP: BTH with BECN | 16 bytes, all zero | ICRC
 */
#include "analyzer/checks/congestion/state.h"

#include "analyzer/base/fetch.h"
#include "dissectors/icrc.h"
#include "dissectors/values.h"

#include <glib.h>
#include <string.h>

enum { CNP_RESERVED = 16 };

/* ---- packets --------------------------------------------------------------------------------- */

/* G07: BECN, and 16 reserved bytes. */
RDA_COLD static void cnp_malformed(const struct rda_at *at)
{
	const struct rda_packet *packet = at->packet;

	if (!packet->bth.becn)
		rda_finding_say(rda_finding_by_bytes(at, RDA_CHECK_G07, rda_about_flow(at->flow)),
				RDA_SAY_G07_BECN_CLEAR, RDA_ARG_NONE);
	if (packet->carrier != RDA_CARRIER_ROCEV2 || !packet->payload_known)
		return;
	if (packet->payload_length != CNP_RESERVED)
		rda_finding_say(rda_finding_by_bytes(at, RDA_CHECK_G07, rda_about_flow(at->flow)),
				RDA_SAY_G07_LENGTH,
				RDA_ARG_NUMBER("payload", packet->payload_length));
	else if (!rda_packet_is_zero(at->frame, packet->payload_offset, CNP_RESERVED))
		rda_finding_say(rda_finding_add_as(&at->judge->findings, RDA_CHECK_G07,
						   RDA_SEVERITY_WARNING,
						   rda_judge_is_checked(at) ? RDA_PROOF_PROVEN
									    : RDA_PROOF_SUSPECTED,
						   rda_about_flow(at->flow), at->place),
				RDA_SAY_G07_NOT_ZERO, RDA_ARG_NONE);
}

/* G16: bits of the BTH that RoCE uses in CNPs only. */
RDA_COLD static void becn_on_data(const struct rda_at *at)
{
	const struct rda_bth *bth = &at->packet->bth;

	rda_finding_say(rda_finding_by_bytes(at, RDA_CHECK_G16, rda_about_flow(at->flow)),
			RDA_SAY_G16_BITS, RDA_ARG_WORD("opcode", at->packet->opcode->name),
			RDA_ARG_FLAG("fecn", bth->fecn), RDA_ARG_FLAG("becn", bth->becn));
}

static void note_dscp(struct rda_classes *classes, const struct rda_at *at)
{
	uint64_t dscp = UINT64_C(1) << at->packet->dscp;
	uint32_t psn = at->packet->bth.psn;

	if (!(classes->dscps & dscp)) {
		if (classes->dscps == 0) {
			classes->first_place = at->place;
			classes->first_dscp = at->packet->dscp;
			classes->first_psn = psn;
		} else if (classes->other_place == 0) {
			classes->other_place = at->place;
			classes->other_dscp = at->packet->dscp;
			classes->other_psn = psn;
		}
		classes->dscps |= dscp;
	}
	/* a copy of the one packet tells nothing new */
	if (at->packet->dscp == classes->first_dscp)
		classes->firsts_twice |= psn != classes->first_psn;
	else if (at->packet->dscp == classes->other_dscp)
		classes->others_twice |= psn != classes->other_psn;
}

/* Whether one more packet of this class would tell more. */
static bool is_sure(const struct rda_classes *classes, uint8_t dscp)
{
	return dscp == classes->first_dscp   ? classes->firsts_twice
	       : dscp == classes->other_dscp ? classes->others_twice
					     : true;
}

static void note_class(struct rda_classes *classes, const struct rda_at *at)
{
	const struct rda_packet *packet = at->packet;
	uint64_t *first;

	note_dscp(classes, at);
	classes->priority = rda_holds_priority(packet);
	if (packet->payload_length == 0)
		return;
	first = packet->ecn == RDA_ECN_NOT_ECT ? &classes->incapable_place
					       : &classes->capable_place;
	if (*first == 0)
		*first = at->place;
}

RDA_APART static void note_cnp(const struct rda_at *at)
{
	struct rda_notices *notices = rda_congestion_notices(at->flow->watch.congestion);
	uint64_t dscp = UINT64_C(1) << at->packet->dscp;

	cnp_malformed(at);
	if (notices->dscps & dscp || rda_judge_is_checked(at))
		notices->vouched |= dscp;
	notices->dscps |= dscp;
	if (notices->place == 0)
		notices->place = at->place;
}

/* Which class a packet is in, what it says of congestion, and whether it has data. Never 0. */
static uint32_t form_of(const struct rda_packet *packet)
{
	bool has_data = packet->payload_length != 0;
	uint32_t form = 1u | (uint32_t)has_data << 1 | (uint32_t)packet->ecn << 2 |
			(uint32_t)packet->dscp << 4;

	return packet->plain
		       ? form
		       : form | (uint32_t)packet->tagged << 10 | (uint32_t)packet->priority << 11;
}

/* A packet that differs from the one before it in its flow. */
RDA_APART static void take_class(struct rda_pauses *pauses, const struct rda_at *at, uint32_t form)
{
	const struct rda_packet *packet = at->packet;
	struct rda_classes *classes = &at->flow->watch.congestion->classes;

	/* The ICRC does not cover the class: where the header's checksum does not fit it may be
	 * damage. Of the first packet it is taken all the same: who rewrites headers without their
	 * checksums leaves all so. */
	if (at->flow->packets > 1 && rda_ip4_checksum_fails(at->frame, packet))
		return;
	rda_pauses_rdma(pauses, at);
	if (packet->opcode->roles & RDA_ROLE_CNP) {
		note_cnp(at);
		return;
	}
	if (packet->bth.becn || packet->bth.fecn)
		becn_on_data(at);
	note_class(classes, at);
	if (!is_sure(classes, packet->dscp))
		return; /* and the next one is looked at */
	classes->form = form & 0xffffff;
	classes->form_capture = at->capture;
}

void rda_congestion_class(struct rda_pauses *pauses, const struct rda_at *at)
{
	const struct rda_packet *packet = at->packet;
	const struct rda_classes *classes = &at->flow->watch.congestion->classes;
	uint32_t form = form_of(packet);

	if (form != classes->form || at->capture != classes->form_capture || packet->bth.becn ||
	    packet->bth.fecn || packet->opcode->roles & RDA_ROLE_CNP)
		take_class(pauses, at, form);
}

/* ---- connections ----------------------------------------------------------------------------- */

/* What a flow that is not watched had: DSCP 0, if it had packets at all. */
static uint64_t dscps_of(const struct rda_flow *flow)
{
	if (!flow)
		return 0;
	if (flow->watch.congestion)
		return flow->watch.congestion->classes.dscps;
	return flow->packets > rda_flow_rare(flow)->damaged + rda_flow_rare(flow)->cnps ? 1 : 0;
}

static unsigned lowest(uint64_t mask)
{
	unsigned bit = 0;

	while (!(mask >> bit & 1))
		bit++;
	return bit;
}

static bool is_single(uint64_t mask)
{
	return mask && (mask & (mask - 1)) == 0;
}

/* G09, one direction. */
static bool split_in_flow(struct rda_judge *judge, const struct rda_flow *flow)
{
	uint64_t dscps = dscps_of(flow);
	const struct rda_classes *classes;
	struct rda_finding *finding;
	bool sure;

	if (dscps == 0 || is_single(dscps))
		return false;
	classes = &flow->watch.congestion->classes;
	/* IPv6 has no checksum of its header, and the ICRC leaves the class out */
	sure = flow->key.source.kind != RDA_ADDRESS_IP6 ||
	       (classes->firsts_twice && classes->others_twice);
	finding = rda_finding_add_proof(&judge->findings, RDA_CHECK_G09,
					sure ? RDA_PROOF_PROVEN : RDA_PROOF_SUSPECTED,
					rda_about_flow(flow), classes->other_place);
	rda_finding_frame(finding, classes->first_place);
	rda_finding_say(finding, RDA_SAY_G09_FLOW, RDA_ARG_NUMBER("dscp", lowest(dscps)),
			RDA_ARG_NUMBER("other_dscp", lowest(dscps & (dscps - 1))),
			RDA_ARG_FLAG("damaged", !sure));
	return true;
}

/* G09, both directions: at a host's port each is seen as its sender, or as the network marked it.
 */
static void split_between_flows(struct rda_judge *judge, const struct rda_connection *connection)
{
	uint64_t here = dscps_of(connection->flows[0]), there = dscps_of(connection->flows[1]);
	struct rda_finding *finding;

	if (!here || !there || here == there)
		return;
	finding = rda_finding_add_proof(&judge->findings, RDA_CHECK_G09, RDA_PROOF_SUSPECTED,
					rda_about_connection(connection),
					connection->flows[0]->first_place);
	rda_finding_frame(finding, connection->flows[1]->first_place);
	rda_finding_say(finding, RDA_SAY_G09_FLOWS, RDA_ARG_NUMBER("dscp", lowest(here)),
			RDA_ARG_NUMBER("other_dscp", lowest(there)));
}

void rda_congestion_class_connection(struct rda_judge *judge,
				     const struct rda_connection *connection)
{
	const struct rda_flow *const *flows = connection->flows;
	bool split;

	if (connection->service == RDA_SERVICE_CM || connection->service == RDA_SERVICE_UNKNOWN)
		return;
	split = split_in_flow(judge, flows[0]);
	split |= split_in_flow(judge, flows[1]);
	if (!split && connection->service != RDA_SERVICE_UD)
		split_between_flows(judge, connection);
}

/* ---- hosts ----------------------------------------------------------------------------------- */

/* A flow of application data: management is sent by other means. */
static bool carries_data(const struct rda_flow *flow)
{
	return flow->payload_bytes && !flow->management && flow->transport != RDA_TRANSPORT_UD;
}

/* iWARP is not looked at; addresses that are LIDs stand for packets without an IP header. */
static bool has_dscp(const struct rda_flow *flow)
{
	return flow->key.carrier != RDA_CARRIER_IWARP && flow->key.source.kind != RDA_ADDRESS_LID;
}

struct rda_flow_classes rda_congestion_classes_of(const struct rda_flow *flow)
{
	const struct rda_congestion_watch *watch = flow->watch.congestion;
	struct rda_flow_classes classes = {0};

	if (has_dscp(flow))
		classes.dscps = dscps_of(flow);
	if (carries_data(flow)) {
		classes.ect_place = watch ? watch->classes.capable_place : 0;
		classes.not_ect_place = watch ? watch->classes.incapable_place : flow->first_place;
	}
	return classes;
}

struct rda_cnp_classes rda_congestion_cnp_classes_of(const struct rda_flow *flow,
						     const struct rda_flow *data)
{
	const struct rda_congestion_watch *watch = flow->watch.congestion;
	const struct rda_notices *cnps = watch ? watch->notices : NULL;
	struct rda_cnp_classes classes = {0};
	uint64_t both;

	if (!cnps)
		return classes;
	classes.first_place = cnps->place;
	if (has_dscp(flow))
		classes.dscps = cnps->dscps;
	both = cnps->dscps & (dscps_of(data) | dscps_of(flow));
	classes.with_data = both != 0;
	classes.vouched = (both & cnps->vouched) != 0;
	if (both)
		classes.dscp = (uint8_t)lowest(classes.vouched ? both & cnps->vouched : both);
	return classes;
}

/* G10: CNPs in the class of data. One case for each such flow of a host. */
static void cnp_dscp(struct rda_judge *judge, const struct rda_flow_facts *flow)
{
	const struct rda_cnp_classes *cnps = &rda_flow_troubles(flow)->cnp_classes;
	const struct rda_host *host;

	if (!cnps->with_data)
		return;
	host = rda_overall_host(judge->overall, &flow->key.source);
	rda_finding_say(
		rda_finding_add_proof(&judge->findings, RDA_CHECK_G10,
				      cnps->vouched ? RDA_PROOF_PROVEN : RDA_PROOF_SUSPECTED,
				      rda_about_host(host), cnps->first_place),
		RDA_SAY_G10_DSCP, RDA_ARG_ADDRESS("sender", &flow->key.source),
		RDA_ARG_NUMBER("dscp", cnps->dscp));
}

/* G20: CNPs in the class that everything without one is in, and data in another. */
static void cnp_default_class(struct rda_judge *judge, const struct rda_flow_facts *flow,
			      const struct rda_flow_facts *data)
{
	const struct rda_cnp_classes *cnps = &rda_flow_troubles(flow)->cnp_classes;
	const struct rda_host *host;

	if (!(cnps->dscps & 1) || !data || !data->classes.dscps || data->classes.dscps & 1)
		return;
	host = rda_overall_host(judge->overall, &flow->key.source);
	rda_finding_say(rda_finding_add(&judge->findings, RDA_CHECK_G20, rda_about_host(host),
					cnps->first_place),
			RDA_SAY_G20_DEFAULT, RDA_ARG_ADDRESS("sender", &flow->key.source),
			RDA_ARG_NUMBER("dscp", lowest(data->classes.dscps)));
}

/* G08: this flow has packets that no switch may mark, and its host can do better. */
static void not_ecn_capable(struct rda_judge *judge, const struct rda_flow_facts *flow,
			    const struct rda_host *host)
{
	struct rda_finding *finding;

	finding = rda_finding_add(&judge->findings, RDA_CHECK_G08, rda_about_host(host),
				  flow->classes.not_ect_place);
	rda_finding_frame(finding, flow->classes.ect_place);
	rda_finding_retell(finding, RDA_SAY_G08_NOT_ECT, RDA_ARG_NUMBER("flows", finding->count),
			   RDA_ARG_ADDRESS("sender", &flow->key.source));
}

void rda_congestion_class_overall(struct rda_judge *judge)
{
	const struct rda_overall *overall = judge->overall;
	bool any = false, *capable;

	for (uint32_t i = 0; i < overall->connection_count; i++)
		for (unsigned side = 0; side < 2; side++) {
			const int32_t *of = overall->connections[i].flows;

			if (of[side] < 0)
				continue;
			rda_fetch_item(overall->flows, (uint32_t)of[side], overall->flow_count,
				       offsetof(struct rda_flow_facts, classes));
			any |= overall->flows[of[side]]->classes.not_ect_place != 0;
			cnp_dscp(judge, overall->flows[of[side]]);
			cnp_default_class(judge, overall->flows[of[side]],
					  of[1 - side] < 0 ? NULL : overall->flows[of[1 - side]]);
		}
	if (!any) /* of G08 */
		return;
	capable = g_new0(bool, overall->host_count + 1); /* hosts with data that is ECT */
	for (uint32_t i = 0; i < overall->flow_count; i++) {
		rda_fetch_item(overall->flows, i, overall->flow_count, 0);
		rda_fetch_item(overall->flows, i, overall->flow_count,
			       offsetof(struct rda_flow_facts, classes));
		if (overall->flows[i]->classes.ect_place)
			capable[rda_overall_host(overall, &overall->flows[i]->key.source)->index] =
				true;
	}
	for (uint32_t i = 0; i < overall->flow_count; i++) {
		const struct rda_host *host;

		rda_fetch_item(overall->flows, i, overall->flow_count,
			       offsetof(struct rda_flow_facts, classes));
		if (!overall->flows[i]->classes.not_ect_place)
			continue;
		host = rda_overall_host(overall, &overall->flows[i]->key.source);
		if (capable[host->index])
			not_ecn_capable(judge, overall->flows[i], host);
	}
	g_free(capable);
}
