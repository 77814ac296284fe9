/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * S21, a warning where nothing was answered since, else a note: what a timer sends again goes to
 * another link address than the connection's first request.
 *
 *     Ethernet: destination 6 | source 6 | type 2
 *
 * Only these two are compared, so that no other packet pays for it: since when the packets between
 * them went there is not known, nor is, therefore, whether that is why none was answered; and a
 * next hop that changes and costs no timeout is not told. Where later timers send to the first
 * address again, or packets are copied, as two ports of a router show them in one capture, nothing
 * is told.
 */
#include "analyzer/checks/sequence/state.h"

#include "analyzer/track/roce/account.h"

#include <glib.h>

/* No Ethernet: none that could change. */
#define NO_LINK UINT64_MAX

struct rda_other_hop {
	uint64_t mac;
	uint64_t place;	  /* of the first timer's packet that went there */
	int64_t psn;	  /* of that */
	int64_t answered; /* everything below had been by then */
	bool both;	  /* a later one went to the first address again, or to a third */
};

static uint64_t hop_of(const struct rda_at *at)
{
	uint64_t mac = rda_packet_destination_mac(at->frame, at->packet);

	return mac ? mac : NO_LINK;
}

void rda_next_hop_first(const struct rda_at *at, struct rda_sequence_watch *watch)
{
	watch->next_hop = hop_of(at);
}

void rda_next_hop_resent(const struct rda_at *at, struct rda_sequence_watch *watch,
			 const struct rda_event *event)
{
	struct rda_other_hop *other = watch->other_hop;
	uint64_t mac = hop_of(at);

	if (other)
		other->both |= mac != other->mac;
	if (other || !watch->next_hop || watch->next_hop == NO_LINK || mac == NO_LINK ||
	    mac == watch->next_hop)
		return;
	other = watch->other_hop = g_new0(struct rda_other_hop, 1);
	other->mac = mac;
	other->place = event->frame;
	other->psn = event->psn;
	other->answered = rda_account_answered(at->asker->account);
}

/* The other address, if its packets go to that alone; or NULL. */
static const struct rda_other_hop *other_of(const struct rda_flow *flow)
{
	const struct rda_sequence_watch *watch = flow->watch.sequence;

	return watch && watch->other_hop && !watch->other_hop->both &&
			       !rda_flow_rare(flow)->copies.requests &&
			       !rda_account_counts(flow)->packets[RDA_REQUEST_MIRRORED]
		       ? watch->other_hop
		       : NULL;
}

void rda_next_hop_finish(struct rda_judge *judge, const struct rda_flow *flow)
{
	const struct rda_other_hop *other = other_of(flow);
	struct rda_finding *finding;
	bool dead;

	if (!other)
		return;
	dead = rda_account_answered(flow->account) <= other->answered;
	finding = rda_finding_add_as(&judge->findings, RDA_CHECK_S21,
				     dead ? RDA_SEVERITY_WARNING : RDA_SEVERITY_NOTE,
				     RDA_PROOF_SUSPECTED, rda_about_flow(flow), other->place);
	rda_finding_frame(finding, flow->first_place);
	rda_finding_say(finding, RDA_SAY_S21_OTHER, RDA_ARG_PSN("psn", other->psn),
			RDA_ARG_MAC("mac", other->mac),
			RDA_ARG_MAC("first_mac", flow->watch.sequence->next_hop),
			RDA_ARG_FLAG("dead", dead));
}
