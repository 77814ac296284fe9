/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * M05: the PSN that a direction begins with, against the one that was agreed.
 *
 * That is the one that a side begins to SEND with, whoever named it (cm_track.h). That the first
 * one seen differs proves something only when it cannot be the capture that missed the first
 * packets.
 */
#include "analyzer/checks/management/state.h"

#include "analyzer/base/cold.h"
#include "analyzer/base/psn.h"
#include "dissectors/values.h"

#include <glib.h>

/* "in its REQ", "in its REP", "in clear" */
static const char *where_told(const struct rda_cm_pair *pair, const struct rda_flow *flow)
{
	if (pair->by == RDA_PAIRED_BY_EXCHANGE)
		return "in clear";
	return rda_cm_sender(pair, flow) == &pair->sides[RDA_CM_PASSIVE] ? "in the REQ"
									 : "in the REP";
}

/* The frame in which a flow's starting PSN was told. */
static uint64_t place_told(const struct rda_cm_pair *pair, const struct rda_flow *flow)
{
	bool by_passive = rda_cm_sender(pair, flow) == &pair->sides[RDA_CM_PASSIVE];

	if (pair->by == RDA_PAIRED_BY_EXCHANGE) /* each tells its own */
		by_passive = !by_passive;
	return by_passive ? pair->req.first_place : pair->rep.first_place;
}

/*
 * Short of what was agreed, and acknowledged where a duplicate is not: that is answered with the
 * PSN before the agreed one. So many packets were sent in between that PSNs went round, unseen.
 */
static bool is_acked_short(const struct rda_flow *flow, int32_t agreed, uint32_t psn)
{
	int64_t first = rda_psn_first(flow->first_psn), acked = rda_psn_widen(first, psn);

	return acked >= first && acked < rda_psn_widen(first, (uint32_t)agreed) - 1;
}

RDA_APART void rda_management_answered(const struct rda_at *at)
{
	struct rda_flow *asker = at->asker;
	struct rda_management_watch *watch;
	int32_t agreed;

	if (!asker->pair || !asker->request_packets)
		return;
	agreed = rda_cm_sender(asker->pair, asker)->first_psn;
	if (agreed < 0 || asker->first_psn == (uint32_t)agreed)
		return;
	watch = rda_management_watch(asker);
	if (rda_aeth_kind(&at->packet->aeth) == RDA_AETH_ACK) {
		watch->acked_short |= is_acked_short(asker, agreed, at->packet->bth.psn);
		return;
	}
	watch->taken |= rda_psn_widen(agreed, at->packet->bth.psn) > agreed;
	if (!watch->nak_place && at->packet->bth.psn == (uint32_t)agreed &&
	    rda_aeth_kind(&at->packet->aeth) == RDA_AETH_NAK) {
		watch->nak_place = at->place;
		watch->nak_ns = at->meta->time_ns;
		watch->nak_syndrome = at->packet->aeth.syndrome;
		watch->nak_checked = rda_judge_is_checked(at);
	}
}

/* The agreed first PSN, as the flow's ranges count; the first one that was seen is its origin. */
static int64_t agreed_wide(const struct rda_flow *flow, int32_t agreed)
{
	return rda_psn_widen(rda_psn_first(flow->first_psn), (uint32_t)agreed);
}

/*
 * Whether it would have obeyed the NAK by now. That may be lost behind this capture point, and who
 * did not get it goes back all the same, when its timer fires: to another PSN, if it did.
 */
static bool had_its_time(const struct rda_flow *flow, const struct rda_management_watch *watch)
{
	int64_t since_ns = flow->last_time_ns - watch->nak_ns;

	return since_ns > RDA_SILENCE_NS &&
	       (rda_account_counts(flow)->packets[RDA_REQUEST_RESENT] ||
		since_ns > rda_cm_longest_timer_of(flow));
}

/* It answered something but by asking for what is missing, or for time. */
static bool is_anything_taken(const struct rda_flow *responder)
{
	const struct rda_flow_rare *rare = responder ? rda_flow_rare(responder) : NULL;

	return rare &&
	       rda_flow_answers(responder)->packets > rare->naks[RDA_NAK_SEQUENCE] + rare->rnr_naks;
}

/* The responder asked for the agreed PSN, and the requester sent others all the same, later than
 * what may have been under way. A responder that takes anything got that, though the capture missed
 * it. */
static bool is_nak_ignored(const struct rda_flow *flow, int32_t agreed)
{
	const struct rda_management_watch *watch = flow->watch.management;

	return watch && watch->nak_syndrome == RDA_SYNDROME_NAK_SEQUENCE && !watch->taken &&
	       had_its_time(flow, watch) && !is_anything_taken(flow->peer) &&
	       !rda_account_counts(flow)->lost_by_capture &&
	       !rda_ranges_has(&flow->requests, agreed_wide(flow, agreed));
}

/* The first packet that the responder did not take for an old one is the agreed one. */
static bool is_agreed_refused(const struct rda_flow *flow)
{
	const struct rda_management_watch *watch = flow->watch.management;

	return watch && watch->nak_place && watch->nak_syndrome != RDA_SYNDROME_NAK_SEQUENCE;
}

bool rda_management_gets_no_further(const struct rda_flow *flow)
{
	const struct rda_giveup *giveup = rda_giveup_of(flow);

	return giveup && giveup->retries.tries.count &&
	       giveup->retries.psn <= rda_psn_first(flow->first_psn) &&
	       giveup->retries.next == rda_account_progress(flow->account)->next;
}

/*
 * The responder has nothing but NAKs for a PSN that never came, or no answer although the requester
 * goes back to its first packet. Else the capture may have missed the first ones, and of UC that
 * cannot be told. What a NAK says of a PSN behind the agreed one tells that this was taken.
 */
static bool is_refused(const struct rda_flow *flow)
{
	const struct rda_management_watch *watch = flow->watch.management;

	if (watch && watch->taken)
		return false;
	if (!flow->peer || !rda_flow_answers(flow->peer)->packets)
		return rda_management_gets_no_further(flow);
	/* else it may do yet as the NAK asks, or did and the capture ended before */
	if (watch && watch->nak_place && !had_its_time(flow, watch))
		return false;
	return !rda_flow_answers(flow->peer)->acks &&
	       rda_flow_answers(flow->peer)->packets ==
		       rda_flow_rare(flow->peer)->naks[RDA_NAK_SEQUENCE];
}

/* A life before this one followed the exchange: it was that one's, and of this one's none is known.
 */
static bool is_used_up(const struct rda_cm_pair *pair, const struct rda_flow *flow)
{
	const struct rda_flow *before = rda_flow_rare(flow)->before;

	return pair->by == RDA_PAIRED_BY_EXCHANGE && before &&
	       before->first_place > place_told(pair, flow);
}

/*
 * Whether it did begin short of what was agreed: no damage made the PSN of the first packet, as
 * ICRCs tell, or another packet that is short of it too.
 */
static bool is_short_for_certain(const struct rda_judge *judge, const struct rda_flow *flow,
				 int64_t agreed)
{
	const struct rda_range *ranges = rda_ranges_array(&flow->requests);
	int64_t first = rda_psn_first(flow->first_psn);

	for (uint16_t i = 0; i < flow->requests.count && ranges[i].begin < agreed; i++)
		if (ranges[i].begin > first || MIN(ranges[i].end, agreed) > first + 1)
			return true;
	return rda_management_first_is_checked(judge, flow);
}

/* Nor what the REQ or the REP said of it. In clear it stands under TCP's checksum. */
static bool is_agreed_for_certain(const struct rda_cm_pair *pair, const struct rda_flow *flow)
{
	bool passive = rda_cm_sender(pair, flow) == &pair->sides[RDA_CM_PASSIVE];

	return pair->by == RDA_PAIRED_BY_EXCHANGE ||
	       (passive ? pair->req.checked : pair->rep.checked);
}

/* No QP sends more than 500 million packets a second. */
enum { LEAST_PACKET_NS = 2 };

/* Whether what it would have sent in between, from the agreed PSN on, takes longer than the time
 * since that was told. */
static bool has_no_time_to_go_round(const struct rda_flow *flow, int64_t ahead)
{
	const struct rda_cm_pair *pair = flow->pair;
	int64_t told_ns = MIN(pair->req.first_ns, pair->rep.first_ns);

	return flow->first_time_ns - told_ns < LEAST_PACKET_NS * (RDA_PSN_MASK + 1 + ahead);
}

/* Whether a later life of the QP begins as agreed: this one had its number before. */
static bool begins_later(const struct rda_flow *flow, int32_t agreed)
{
	const struct rda_flow *first = rda_flow_rare(flow)->first;
	const struct rda_flow *life = rda_flow_rare(first ? first : flow)->latest;

	for (; life && life != flow; life = rda_flow_rare(life)->before)
		if (life->request_packets && life->first_psn == (uint32_t)agreed)
			return true;
	return false;
}

/*
 * The agreed PSN came behind others that are short of it, and was acknowledged: these may be of a
 * QP that had the number before, as long as its peer sends on. True where something is missing
 * between the two; else one QP may have sent both.
 */
enum short_of { SHORT, SHORT_PERHAPS, SHORT_OF_ANOTHER };

static enum short_of whose_is_short(const struct rda_flow *flow, int32_t agreed)
{
	const struct rda_management_watch *watch = flow->watch.management;
	const struct rda_range *ranges = rda_ranges_array(&flow->requests);
	int64_t wide = agreed_wide(flow, agreed);

	if ((watch && watch->acked_short) || begins_later(flow, agreed))
		return SHORT_OF_ANOTHER;
	if (!flow->account || !rda_ranges_has(&flow->requests, wide) ||
	    rda_account_progress(flow->account)->acked <= wide)
		return SHORT;
	return ranges[0].end > wide ? SHORT_PERHAPS : SHORT_OF_ANOTHER;
}

void rda_management_starting_psn(struct rda_judge *judge, const struct rda_flow *flow)
{
	const struct rda_cm_pair *pair = flow->pair;
	int32_t agreed = rda_cm_sender(pair, flow)->first_psn;
	struct rda_finding *finding;
	enum short_of whose = SHORT;
	bool ignored, refused, by_nak, certain, proven;
	int64_t ahead;

	if (agreed < 0 || !flow->request_packets || flow->key.datagram)
		return;
	ahead = rda_psn_first(flow->first_psn) - agreed_wide(flow, agreed);
	ignored = is_nak_ignored(flow, agreed);
	refused = ahead < 0 && is_agreed_refused(flow);
	/* it did send that one, though only what followed came here at first */
	if (ahead > 0 && rda_ranges_has(&flow->requests, agreed_wide(flow, agreed)))
		return;
	/* ahead, and taken as it is: the capture missed the first packets */
	if (ahead == 0 || (ahead > 0 && !ignored && !is_refused(flow)))
		return;
	/* it was expected there: a later life of the QP, or the exchange was not this connection's
	 */
	if (!ignored && !refused && (rda_account_begins_here(flow) || is_used_up(pair, flow)))
		return;
	if (ahead < 0 && !ignored && !refused)
		whose = whose_is_short(flow, agreed);
	if (whose == SHORT_OF_ANOTHER)
		return;
	by_nak = refused && flow->watch.management->nak_checked;
	certain = ignored || ahead > 0 ||
		  (whose == SHORT && is_short_for_certain(judge, flow, agreed_wide(flow, agreed)) &&
		   (by_nak || is_agreed_for_certain(pair, flow)));
	/* what lies between may be lost before this capture point, each time that it is sent */
	proven = ahead < 0 &&
		 (ignored || by_nak ||
		  (pair->by == RDA_PAIRED_BY_CM && has_no_time_to_go_round(flow, ahead)));
	finding = rda_finding_add_as(&judge->findings, RDA_CHECK_M05,
				     certain ? RDA_SEVERITY_ERROR : RDA_SEVERITY_WARNING,
				     certain && proven ? RDA_PROOF_PROVEN : RDA_PROOF_SUSPECTED,
				     rda_about_flow(flow), flow->first_place);
	rda_finding_frame(finding, place_told(pair, flow));
	if (ignored || refused)
		rda_finding_frame(finding, flow->watch.management->nak_place);
	rda_finding_say(finding,
			ahead < 0			      ? RDA_SAY_M05_SHORT
			: rda_judge_began_inside(judge, flow) ? RDA_SAY_M05_INSIDE
							      : RDA_SAY_M05_AHEAD,
			RDA_ARG_ADDRESS("requester", &flow->key.source),
			RDA_ARG_PSN("psn", flow->first_psn),
			RDA_ARG_NUMBER("distance", (uint64_t)(ahead < 0 ? -ahead : ahead)),
			RDA_ARG_PSN("agreed_psn", agreed),
			RDA_ARG_WORD("agreed_in", where_told(pair, flow)),
			RDA_ARG_FLAG("asked_in_vain", ignored),
			RDA_ARG_FLAG("refused", refused && !ignored));
}
