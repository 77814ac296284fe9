/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * M06, M07, M08, M12, M18, M21: what a connection did with what was agreed on it, but for its
 * starting PSNs.
 */
#include "analyzer/checks/management/state.h"

#include <glib.h>
#include <string.h>

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

/*
 * M08: the passive side sends before the RTU came, and before anything else of the active one. That
 * proves little where the one is shown that much later than the other, or where the capture may
 * have missed the RTU that came in time: one of them was sent again.
 */
static void data_before_established(struct rda_judge *judge, const struct rda_flow *flow)
{
	const struct rda_cm_pair *pair = flow->pair;
	const struct rda_flow *back = pair->flows[RDA_CM_ACTIVE];
	struct rda_finding *finding;
	bool certain = pair->rep.count == 1 && pair->rtu.count == 1 &&
		       pair->rtu.first_ns - flow->first_time_ns > RDA_MIRROR_NS;

	if (pair->by != RDA_PAIRED_BY_CM || !pair->rtu.count || !flow->request_packets ||
	    flow != pair->flows[RDA_CM_PASSIVE] || flow->first_place >= pair->rtu.first_place ||
	    (back && back->first_place < flow->first_place) || flow->key.tap != pair->rtu.tap)
		return;
	finding = rda_finding_of_bytes(
		judge, certain && pair->rtu.checked && rda_management_first_is_checked(judge, flow),
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

/* It began as was agreed on the other QP, or is sent again from the first on and gets no further:
 * else it is any connection of the two hosts, whose answers take another path. */
static bool may_be_meant_for(const struct rda_flow *flow, const struct unused *item)
{
	int32_t agreed = item->pair->sides[!item->receiver].first_psn;

	return (agreed >= 0 && flow->request_packets && flow->first_psn == (uint32_t)agreed) ||
	       rda_management_gets_no_further(flow);
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

	if (!item || flow->first_place < item->pair->rep.first_place ||
	    rda_cm_was_over(item->pair, flow) || !may_be_meant_for(flow, item))
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
		rda_management_starting_psn(judge, flow);
		path_mtu_exceeds_cm(judge, flow);
		data_before_established(judge, flow);
		rda_management_left_work(judge, connection, flow);
		traffic_after_drep(judge, flow);
		half_open(judge, connection, flow);
	}
	if (pair && pair->by == RDA_PAIRED_BY_CM)
		retry_settings(judge, connection, pair);
}
