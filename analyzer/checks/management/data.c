/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * M05, M06, M07, M08, M12, M18, M21: what a connection did with what was agreed on it.
 *
 * A starting PSN that was agreed is the one that a side begins to SEND with, whoever named it
 * (cm_track.h). That the first one seen differs proves something only when it cannot be the
 * capture that missed the first packets.
 */
#include "analyzer/checks/management/state.h"

#include "analyzer/base/cold.h"
#include "analyzer/base/psn.h"
#include "dissectors/values.h"

#include <glib.h>
#include <string.h>

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

/* ---- M05 ------------------------------------------------------------------------------------- */

RDA_APART void rda_management_answered(const struct rda_at *at)
{
	struct rda_flow *asker = at->asker;
	struct rda_management_watch *watch;
	int32_t agreed;

	if (rda_aeth_kind(&at->packet->aeth) != RDA_AETH_NAK || !asker->pair)
		return;
	agreed = rda_cm_sender(asker->pair, asker)->first_psn;
	if (agreed < 0 || at->packet->bth.psn != (uint32_t)agreed ||
	    asker->first_psn == (uint32_t)agreed)
		return;
	watch = rda_management_watch(asker);
	if (!watch->nak_place) {
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

/* So long its timer may take. */
static int64_t longest_timer_of(const struct rda_flow *flow)
{
	const struct rda_cm_limits *limits = rda_cm_limits_of(flow);

	if (!limits || limits->ack_timeout < 0)
		return RDA_CM_LONGEST_TIMER_NS;
	if (!limits->ack_timeout) /* no timer */
		return INT64_MAX;
	return rda_cm_longest_timer_ns((unsigned)limits->ack_timeout);
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
		since_ns > longest_timer_of(flow));
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

	return watch && watch->nak_syndrome == RDA_SYNDROME_NAK_SEQUENCE &&
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

/*
 * The responder has nothing but NAKs for a PSN that never came, or no answer although the requester
 * goes back to its first packet. Else the capture may have missed the first ones, and of UC that
 * cannot be told.
 */
static bool is_refused(const struct rda_flow *flow)
{
	const struct rda_management_watch *watch = flow->watch.management;

	if (!flow->peer || !rda_flow_answers(flow->peer)->packets)
		return rda_account_counts(flow)->packets[RDA_REQUEST_RESENT] > 0;
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

/* M05: the first request has another PSN than was agreed. */
static void starting_psn(struct rda_judge *judge, const struct rda_flow *flow)
{
	const struct rda_cm_pair *pair = flow->pair;
	int32_t agreed = rda_cm_sender(pair, flow)->first_psn;
	struct rda_finding *finding;
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
	by_nak = refused && flow->watch.management->nak_checked;
	certain = ignored || ahead > 0 ||
		  (is_short_for_certain(judge, flow, agreed_wide(flow, agreed)) &&
		   (by_nak || is_agreed_for_certain(pair, flow)));
	/* what lies between may be lost before this capture point, each time that it is sent */
	proven = ahead < 0 && (ignored || by_nak || pair->by == RDA_PAIRED_BY_CM);
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

/* ---- M06, M08, M12, M18, M21 ----------------------------------------------------------------- */

/* M06: the sender makes larger packets than was agreed; F13 tells of the packets. */
static void path_mtu_exceeds_cm(struct rda_judge *judge, const struct rda_flow *flow)
{
	struct rda_finding *finding;

	if (!flow->pair->path_mtu || flow->full_payload <= flow->pair->path_mtu)
		return;
	/* behind its end they may be the next one's */
	if (flow->full_payload_varies && rda_cm_is_over(flow->pair))
		return;
	finding = rda_finding_add(&judge->findings, RDA_CHECK_M06, rda_about_flow(flow),
				  flow->pair->req.first_place);
	rda_finding_say(finding, RDA_SAY_M06_LARGER, RDA_ARG_ADDRESS("sender", &flow->key.source),
			RDA_ARG_NUMBER("payload", flow->full_payload),
			RDA_ARG_NUMBER("path_mtu", flow->pair->path_mtu));
}

/* M08: the passive side sends before the RTU came, and before anything else of the active one. */
static void data_before_established(struct rda_judge *judge, const struct rda_flow *flow)
{
	const struct rda_cm_pair *pair = flow->pair;
	const struct rda_flow *back = pair->flows[RDA_CM_ACTIVE];
	struct rda_finding *finding;

	if (pair->by != RDA_PAIRED_BY_CM || !pair->rtu.count || !flow->request_packets ||
	    flow != pair->flows[RDA_CM_PASSIVE] || flow->first_place >= pair->rtu.first_place ||
	    (back && back->first_place < flow->first_place) || flow->key.tap != pair->rtu.tap)
		return;
	finding = rda_finding_of_bytes(
		judge, pair->rtu.checked && rda_management_first_is_checked(judge, flow),
		RDA_CHECK_M08, rda_about_flow(flow), flow->first_place);
	rda_finding_frame(finding, pair->rtu.first_place);
	rda_finding_say(finding, RDA_SAY_M08_BEFORE_RTU,
			RDA_ARG_ADDRESS("sender", &flow->key.source));
}

/* M12: packets on the connection long after both sides agreed that it is over. */
static void traffic_after_drep(struct rda_judge *judge, const struct rda_flow *flow)
{
	const struct rda_cm_side *sides = flow->pair->sides;
	const struct rda_cm_moment *drep = sides[0].drep.count ? &sides[0].drep : &sides[1].drep;

	if (!drep->count || flow->last_time_ns - drep->first_ns <= RDA_AFTER_DREP_NS)
		return;
	rda_finding_say(rda_finding_add(&judge->findings, RDA_CHECK_M12, rda_about_flow(flow),
					drep->first_place),
			RDA_SAY_M12_STILL_SENT, RDA_ARG_ADDRESS("sender", &flow->key.source),
			RDA_ARG_TIME("after_ns", flow->last_time_ns - drep->first_ns));
}

/* Who sent again so often had not just lost some answers. */
enum { MUTE_TRIES = 2 };

/* It sends again from what is not its first request: an answer to that reached it, past the
 * capture. */
static bool is_answered_unseen(const struct rda_flow *flow)
{
	return flow->requests.count &&
	       rda_giveup_of(flow)->retries.psn > rda_ranges_array(&flow->requests)[0].begin;
}

/* M21: the peer took part in the set-up, and then never answered anything. */
static void half_open(struct rda_judge *judge, const struct rda_connection *connection,
		      const struct rda_flow *flow)
{
	const struct rda_flow *back = connection->flows[flow == connection->flows[0]];
	const struct rda_giveup *giveup = rda_giveup_of(flow);
	struct rda_finding *finding;

	if (!giveup || giveup->retries.tries.count < MUTE_TRIES || (back && back->packets) ||
	    is_answered_unseen(flow) ||
	    (flow->pair->by == RDA_PAIRED_BY_CM && !flow->pair->rtu.count))
		return;
	finding = rda_finding_add(&judge->findings, RDA_CHECK_M21, rda_about_connection(connection),
				  flow->first_place);
	rda_finding_frame(finding, flow->pair->rep.first_place);
	rda_finding_say(finding, RDA_SAY_M21_MUTE,
			RDA_ARG_ADDRESS("responder", &flow->key.destination),
			RDA_ARG_ADDRESS("requester", &flow->key.source),
			RDA_ARG_NUMBER("packets", flow->request_packets));
}

/* M18: settings that make a connection give up at once, or wait for very long. */
static void retry_settings(struct rda_judge *judge, const struct rda_connection *connection,
			   const struct rda_cm_pair *pair)
{
	const struct rda_cm_limits *limits = &pair->sides[RDA_CM_ACTIVE].limits;
	int8_t passive_rnr = pair->sides[RDA_CM_PASSIVE].limits.rnr_retry_count;
	bool no_timer = limits->ack_timeout == 0, long_timer = limits->ack_timeout > 22;
	bool few = limits->retry_count >= 0 && limits->retry_count < 3;
	bool no_rnr = limits->rnr_retry_count == 0 || passive_rnr == 0;

	if (!no_timer && !long_timer && !few && !no_rnr)
		return;
	rda_finding_say(
		rda_finding_add(&judge->findings, RDA_CHECK_M18, rda_about_connection(connection),
				pair->req.first_place),
		RDA_SAY_M18_SETTINGS, RDA_ARG_IF(no_timer, RDA_ARG_FLAG("no_ack_timer", true)),
		RDA_ARG_IF(long_timer, RDA_ARG_TIME("ack_timeout_ns",
						    rda_cm_time_ns((unsigned)limits->ack_timeout))),
		RDA_ARG_IF(few, RDA_ARG_NUMBER("retries", (uint64_t)limits->retry_count)),
		RDA_ARG_IF(no_rnr, RDA_ARG_FLAG("no_rnr_retries", true)));
}

/* ---- M07 ------------------------------------------------------------------------------------- */

/* A pair of QPs on whose one direction nothing was seen, by the two hosts. */
struct unused_key {
	struct rda_address source, destination;
};

struct unused {
	struct unused_key key; /* first: the table's key */
	const struct rda_cm_pair *pair;
	uint8_t receiver; /* enum rda_cm_side_id */
};

static struct unused_key unused_key(const struct rda_address *source,
				    const struct rda_address *destination)
{
	struct unused_key key;

	memset(&key, 0, sizeof(key)); /* padding too: keys are compared as bytes */
	memcpy(&key.source, source, sizeof(key.source));
	memcpy(&key.destination, destination, sizeof(key.destination));
	return key;
}

static void note_unused(struct rda_table *unused, const struct rda_cm_pair *pair)
{
	if (pair->by != RDA_PAIRED_BY_CM || !pair->begun || !pair->rep.count)
		return;
	if (pair->retired) /* packets of its flows may have come before */
		return;
	for (unsigned from = 0; from < 2; from++) {
		struct unused_key key =
			unused_key(&pair->sides[from].address, &pair->sides[!from].address);
		struct unused *item;

		if (pair->flows[from])
			continue;
		item = rda_table_get(unused, &key, NULL);
		item->pair = pair;
		item->receiver = !from;
	}
}

/*
 * M07: requests to a QP that nobody named and nobody answers, while the QP that the receiver did
 * name gets none.
 */
static void qpn_mismatch(struct rda_judge *judge, const struct rda_table *unused,
			 const struct rda_flow *flow)
{
	struct unused_key key = unused_key(&flow->key.source, &flow->key.destination);
	const struct unused *item = rda_table_find(unused, &key);
	struct rda_finding *finding;

	if (!item || flow->first_place < item->pair->rep.first_place)
		return;
	finding = rda_finding_add(&judge->findings, RDA_CHECK_M07, rda_about_flow(flow),
				  flow->first_place);
	rda_finding_frame(finding, item->pair->req.first_place);
	rda_finding_frame(finding, item->pair->rep.first_place);
	rda_finding_say(finding, RDA_SAY_M07_OTHER_QP, RDA_ARG_ADDRESS("sender", &flow->key.source),
			RDA_ARG_QPN("qpn", flow->key.dest_qp),
			RDA_ARG_QPN("agreed_qpn", item->pair->sides[item->receiver].qpn));
}

void rda_management_strangers(struct rda_judge *judge)
{
	const struct rda_cm_track *track = judge->whole.cm;
	const struct rda_table *flows = judge->whole.flows;
	struct rda_table unused;

	if (!rda_cm_track_count(track))
		return;
	rda_table_init(&unused, sizeof(struct unused_key), sizeof(struct unused),
		       judge->findings.table.seed);
	for (uint32_t i = 0; i < rda_cm_track_count(track); i++)
		note_unused(&unused, rda_cm_track_at(track, i));
	for (uint32_t i = 0; unused.count && i < flows->count; i++) {
		const struct rda_flow *flow = flows->items[i];

		if (!flow->pair && !flow->peer && flow->account)
			qpn_mismatch(judge, &unused, flow);
	}
	rda_table_cleanup(&unused, NULL);
}

void rda_management_connection(struct rda_judge *judge, const struct rda_connection *connection)
{
	const struct rda_cm_pair *pair = NULL;

	if (connection->carrier == RDA_CARRIER_IWARP || connection->service == RDA_SERVICE_CM)
		return;
	for (unsigned i = 0; i < 2; i++) {
		const struct rda_flow *flow = connection->flows[i];

		if (!flow || !flow->pair)
			continue;
		pair = flow->pair;
		starting_psn(judge, flow);
		path_mtu_exceeds_cm(judge, flow);
		data_before_established(judge, flow);
		rda_management_left_work(judge, connection, flow);
		traffic_after_drep(judge, flow);
		half_open(judge, connection, flow);
	}
	if (pair && pair->by == RDA_PAIRED_BY_CM)
		retry_settings(judge, connection, pair);
}
