/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A conversation of connection management as a record: when each message was sent and how often,
 * and what was agreed beside what was then seen.
 */
#include "analyzer/report/describe.h"

#include "analyzer/base/words.h"
#include "analyzer/track/setup/cm_track.h"
#include "dissectors/values.h"

/* Opens the object of a message, which is null when none was captured; false then. */
static bool open_moment(struct rda_record *record, const char *name,
			const struct rda_cm_moment *moment)
{
	if (!rda_record_open_if(record, name, moment->count > 0))
		return false;
	rda_record_number_known(record, "file", moment->count,
				rda_place_capture(moment->first_place));
	rda_record_number_known(record, "frame", moment->count,
				rda_place_number(moment->first_place));
	rda_record_time(record, "time", moment->count, moment->first_ns);
	rda_record_time(record, "last_time", moment->count, moment->last_ns);
	rda_record_number_known(record, "sent", moment->count, moment->count);
	return true;
}

static void put_moment(struct rda_record *record, const char *name,
		       const struct rda_cm_moment *moment)
{
	if (open_moment(record, name, moment))
		rda_record_close(record);
}

/* From the first of one message to the first of the next. */
static void put_wait(struct rda_record *record, const char *name, const struct rda_cm_moment *from,
		     const struct rda_cm_moment *to)
{
	rda_record_number_known(record, name,
				from->count && to->count && to->first_ns >= from->first_ns,
				(uint64_t)to->first_ns - (uint64_t)from->first_ns);
}

static void put_messages(struct rda_record *record, const struct rda_cm_pair *pair, bool swapped)
{
	put_moment(record, "req", &pair->req);
	put_moment(record, "mra", &pair->mra);
	put_moment(record, "rep", &pair->rep);
	put_moment(record, "rtu", &pair->rtu);
	if (open_moment(record, "rej", &pair->rej)) {
		uint64_t reason = (uint64_t)pair->rej_reason;
		bool told = pair->rej.count && pair->rej_reason >= 0;

		rda_record_signed_known(record, "reason", told, pair->rej_reason);
		rda_record_text(record, "reason_name",
				told ? rda_words(RDA_SET_REJ_REASON, reason) : NULL);
		rda_record_number_known(record, "by", pair->rej.count,
					(pair->rej_by == RDA_CM_PASSIVE) != swapped);
		rda_record_close(record);
	}
	put_wait(record, "req_to_rep_ns", &pair->req, &pair->rep);
	put_wait(record, "rep_to_rtu_ns", &pair->rep, &pair->rtu);
}

/* What was agreed on a side, beside what it did; `flow` is what it sent, or NULL. */
static void put_side(struct rda_record *record, const struct rda_cm_pair *pair,
		     const struct rda_cm_side *side, const struct rda_flow_facts *flow)
{
	const struct rda_cm_limits *limits = &side->limits;
	bool active = side == &pair->sides[RDA_CM_ACTIVE], asked = flow && flow->request_packets;
	bool counted = flow && flow->reads_most >= 0;
	char address[RDA_ADDRESS_TEXT];

	rda_record_text(record, "address", rda_address_text(address, &side->address));
	rda_record_signed_known(record, "qpn", side->qpn != RDA_CM_QPN_UNKNOWN, side->qpn);
	rda_record_text(record, "role", !pair->begun ? NULL : active ? "active" : "passive");
	rda_record_signed_known(record, "first_psn", side->first_psn >= 0, side->first_psn);
	rda_record_signed_known(record, "first_psn_seen", asked, asked ? flow->first_psn : 0);
	rda_record_signed_known(record, "responder_resources", side->resources >= 0,
				side->resources);
	rda_record_signed_known(record, "initiator_depth", side->depth >= 0, side->depth);
	rda_record_signed_known(record, "reads_agreed", limits->reads >= 0, limits->reads);
	rda_record_signed_known(record, "reads_seen", counted, counted ? flow->reads_most : 0);
	rda_record_signed_known(record, "retry_count", limits->retry_count >= 0,
				limits->retry_count);
	rda_record_signed_known(record, "rnr_retry_count", limits->rnr_retry_count >= 0,
				limits->rnr_retry_count);
	rda_record_signed_known(record, "ack_timeout_ns", limits->ack_timeout >= 0,
				limits->ack_timeout ? rda_cm_time_ns((unsigned)limits->ack_timeout)
						    : 0);
	put_moment(record, "dreq", &side->dreq);
	put_moment(record, "drep", &side->drep);
}

/* The members; endpoint 0 is the passive side when `swapped`, and sent flows[0]. */
static void put_conversation(struct rda_record *record, const struct rda_cm_pair *pair,
			     bool swapped, const struct rda_flow_facts *const flows[2])
{
	uint32_t mtu_seen = 0;

	put_messages(record, pair, swapped);
	if (pair->service_id)
		rda_record_hex(record, "service_id", pair->service_id, 16);
	else
		rda_record_null(record, "service_id");
	rda_record_signed_known(record, "service_port", rda_ip_cm_port(pair->service_id) >= 0,
				rda_ip_cm_port(pair->service_id));
	for (unsigned i = 0; i < 2; i++)
		if (flows[i] && flows[i]->full_payload > mtu_seen)
			mtu_seen = flows[i]->full_payload;
	rda_record_signed_known(record, "path_mtu", pair->path_mtu > 0, pair->path_mtu);
	rda_record_signed_known(record, "path_mtu_seen", mtu_seen > 0, mtu_seen);
	rda_record_open_list(record, "endpoints");
	for (unsigned i = 0; i < 2; i++) {
		rda_record_open(record, NULL);
		put_side(record, pair, &pair->sides[swapped ? !i : i], flows[i]);
		rda_record_close(record);
	}
	rda_record_close(record);
}

/* The side whose flow was set up by CM; -1: none. */
static int side_by_cm(const struct rda_result *result,
		      const struct rda_connection_facts *connection)
{
	for (unsigned i = 0; i < 2; i++) {
		const struct rda_flow_facts *flow = rda_result_flow(result, connection, i);

		if (flow && flow->conversation >= 0 &&
		    rda_result_conversation(result, (unsigned)flow->conversation)->said.by ==
			    RDA_PAIRED_BY_CM)
			return (int)i;
	}
	return -1;
}

const struct rda_cm_pair *rda_describe_find_cm(const struct rda_result *result,
					       const struct rda_connection_facts *connection)
{
	int side = side_by_cm(result, connection);
	const struct rda_flow_facts *flow =
		side < 0 ? NULL : rda_result_flow(result, connection, (unsigned)side);

	return flow ? &rda_result_conversation(result, (unsigned)flow->conversation)->said : NULL;
}

void rda_describe_cm(struct rda_record *record, const struct rda_result *result,
		     const struct rda_connection_facts *connection)
{
	const struct rda_cm_pair *pair = rda_describe_find_cm(result, connection);
	const struct rda_flow_facts *const flows[2] = {rda_result_flow(result, connection, 0),
						       rda_result_flow(result, connection, 1)};
	int side = side_by_cm(result, connection);

	static const struct rda_cm_pair nothing;

	if (!rda_record_open_if(record, "cm", pair != NULL))
		return;
	put_conversation(record, pair ? pair : &nothing,
			 side >= 0 && flows[side]->conversation_side != side, flows);
	rda_record_close(record);
}

bool rda_describe_is_unconnected(const struct rda_conversation *conversation)
{
	return !conversation->is_connected && conversation->said.by == RDA_PAIRED_BY_CM;
}

void rda_describe_conversation(struct rda_record *record,
			       const struct rda_conversation *conversation)
{
	static const struct rda_flow_facts *const none[2];

	put_conversation(record, &conversation->said, false, none);
}
