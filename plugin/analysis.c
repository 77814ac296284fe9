/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * [RDMA analysis]: how the packet stands to others, and the findings that list it.
 *
 * On the first pass what was known when the packet was passed, which never changes; streams and
 * findings are there when the pass is over.
 */
#include "plugin/tree.h"

#include "analyzer/report/describe.h"
#include "dissectors/aeth.h"
#include "plugin/ends.h"
#include "plugin/protocol.h"
#include "plugin/session.h"

#include <inttypes.h>
#include <string.h>

/* ---- the stream ----------------------------------------------------------------------------- */

static void add_qp(const struct rda_shown *shown, proto_tree *tree, enum rda_own_field field,
		   uint32_t qpn)
{
	proto_item *item;

	if (qpn == RDA_QPN_UNKNOWN)
		return;
	item = proto_tree_add_uint(tree, rda_own_hf[field], shown->tvb, 0, 0, qpn);
	proto_item_set_generated(item);
	item = proto_tree_add_uint(tree, rda_own_hf[RDA_OWN_QP], shown->tvb, 0, 0, qpn);
	proto_item_set_hidden(item);
}

/* By the name that the tables of conversations and endpoints have; hidden. */
static void add_end(const struct rda_shown *shown, proto_tree *tree, enum rda_own_field field,
		    const struct rda_endpoint *end)
{
	char text[RDA_END_TEXT];

	rda_end_text(text, end);
	proto_item_set_hidden(
		proto_tree_add_string(tree, rda_own_hf[field], shown->tvb, 0, 0, text));
	proto_item_set_hidden(
		proto_tree_add_string(tree, rda_own_hf[RDA_OWN_ENDPOINT], shown->tvb, 0, 0, text));
}

/* The stream of the other direction, where it has one of its own. */
static void add_peer(const struct rda_shown *shown, proto_tree *tree, uint32_t stream, int32_t flow)
{
	uint32_t peer =
		flow < 0 ? 0 : rda_streams_of(&rda_session_records()->streams, (uint32_t)flow);

	if (peer && peer != stream)
		rda_tree_add_number(shown, tree, RDA_OWN_STREAM_PEER, peer - 1);
}

void rda_tree_add_stream(const struct rda_shown *shown, proto_tree *tree, uint32_t stream,
			 struct rda_verdict verdict)
{
	const struct rda_connection_facts *connection;
	unsigned side = verdict.flow > 0;

	if (stream)
		rda_tree_add_number(shown, tree, RDA_OWN_STREAM, stream - 1);
	if (verdict.connection < 0)
		return;
	rda_follow_note(shown->pinfo, (uint32_t)verdict.connection);
	connection = rda_result_connection(rda_session_result(), (unsigned)verdict.connection);
	add_peer(shown, tree, stream, connection->flows[1 - side]);
	rda_tree_add_number(shown, tree, RDA_OWN_CONNECTION, connection->id);
	rda_tree_add_words(shown, tree, RDA_OWN_SERVICE, rda_service_name(connection->service));
	add_qp(shown, tree, RDA_OWN_SOURCE_QP, connection->endpoints[side].qpn);
	add_qp(shown, tree, RDA_OWN_DESTINATION_QP, connection->endpoints[1 - side].qpn);
	add_end(shown, tree, RDA_OWN_SOURCE_ENDPOINT, &connection->endpoints[side]);
	add_end(shown, tree, RDA_OWN_DESTINATION_ENDPOINT, &connection->endpoints[1 - side]);
	rda_tree_add_words(shown, tree, RDA_OWN_PAIRED_BY,
			   rda_paired_by_name(connection->paired_by));
	rda_completeness_show(shown, tree, connection);
}

/* Since the first frame of its stream, and since the one before. */
static void add_times(const struct rda_shown *shown, proto_tree *tree,
		      const struct rda_frame_record *record)
{
	const struct rda_frame_record *previous;

	if (!record || !record->stream)
		return;
	rda_tree_add_time(
		shown, tree, RDA_OWN_TIME_RELATIVE,
		record->time_ns -
			rda_streams_get(&rda_session_records()->streams, record->stream)->first_ns);
	previous = rda_session_record(record->previous);
	if (previous)
		rda_tree_add_time(shown, tree, RDA_OWN_TIME_DELTA,
				  record->time_ns - previous->time_ns);
}

static void add_stream(const struct rda_shown *shown, proto_tree *tree)
{
	const struct rda_frame_record *record = rda_session_record(shown->source->meta.number);

	rda_tree_add_stream(shown, tree, record ? record->stream : 0, shown->verdict);
	add_times(shown, tree, record);
}

/* ---- other packets -------------------------------------------------------------------------- */

/* "PSN sequence error"; ACKs with credits, RNR NAKs with the time that they ask for */
static void add_syndrome(const struct rda_shown *shown, proto_tree *tree)
{
	uint8_t syndrome = shown->packet->aeth.syndrome;
	const char *words = rda_words(RDA_SET_SYNDROME, syndrome);
	proto_item *item;

	if (!rda_has(shown->packet, AETH))
		return;
	switch (rda_syndrome_kind(syndrome)) {
	case RDA_AETH_ACK:
		if (rda_aeth_credits(syndrome) == RDA_NO_CREDITS)
			return;
		item = proto_tree_add_int(tree, rda_own_hf[RDA_OWN_CREDITS], shown->tvb, 0, 0,
					  rda_aeth_credits(syndrome));
		proto_item_set_generated(item);
		break;
	case RDA_AETH_RNR:
		rda_tree_add_words(shown, tree, RDA_OWN_NAK, "RNR NAK");
		rda_tree_add_time(shown, tree, RDA_OWN_RNR_DELAY, rda_aeth_rnr_ns(syndrome));
		break;
	case RDA_AETH_NAK:
		rda_tree_add_words(shown, tree, RDA_OWN_NAK, words ? words : "NAK");
		break;
	case RDA_AETH_RESERVED: break;
	}
}

/* The word of the program's output is the value; the tree says it in plain words too. */
static void add_trigger(const struct rda_shown *shown, proto_tree *tree, uint8_t trigger)
{
	const char *name = rda_trigger_name(trigger);

	if (name)
		proto_item_set_generated(proto_tree_add_string_format_value(
			tree, rda_own_hf[RDA_OWN_RESEND_TRIGGER], shown->tvb, 0, 0, name, "%s (%s)",
			rda_trace_trigger_words(trigger), name));
}

/* What the packet is among the requests. */
static void add_role(const struct rda_shown *shown, proto_tree *tree,
		     const struct rda_frame_record *record)
{
	if (record->missing)
		rda_tree_add_number(shown, tree, RDA_OWN_PREVIOUS_LOST, record->missing);
	rda_tree_add_words(shown, tree, RDA_OWN_ROLE, rda_standing_name(record->standing));
	if (record->standing == RDA_STANDING_RESENT)
		rda_tree_add_mark(shown, tree, RDA_OWN_RETRANSMISSION);
	else if (record->standing == RDA_STANDING_REORDERED)
		rda_tree_add_mark(shown, tree, RDA_OWN_REORDERED);
	else if (record->standing == RDA_STANDING_MIRRORED)
		rda_tree_add_mark(shown, tree, RDA_OWN_MIRRORED);
	rda_tree_add_frame(shown, tree, RDA_OWN_RETRANSMISSION_OF, record->retransmission_of);
	if (record->standing != RDA_STANDING_RESENT)
		return;
	add_trigger(shown, tree, record->trigger);
	rda_tree_add_frame(shown, tree, RDA_OWN_RESEND_CAUSE, record->cause);
}

/* The time that an answer took, told at one of the two frames. */
static void add_span(const struct rda_shown *shown, proto_tree *tree, enum rda_own_field field,
		     uint32_t request, uint32_t response)
{
	const struct rda_frame_record *from = rda_session_record(request);
	const struct rda_frame_record *to = rda_session_record(response);

	if (request && response && from && to)
		rda_tree_add_time(shown, tree, field, to->time_ns - from->time_ns);
}

static void add_answers(const struct rda_shown *shown, proto_tree *tree,
			const struct rda_frame_record *record)
{
	uint32_t this = (uint32_t)shown->source->meta.number;

	rda_tree_add_frame(shown, tree, RDA_OWN_ANSWERS, record->answers);
	add_span(shown, tree, RDA_OWN_ACK_RTT, record->answers, this);
	rda_tree_add_frame(shown, tree, RDA_OWN_ANSWERED_BY, record->answered_by);
	add_span(shown, tree, RDA_OWN_ANSWER_TIME, this, record->answered_by);
	rda_tree_add_frame(shown, tree, RDA_OWN_RESENT_BY, record->resent_by);
}

/* Where the message ends is known when all was seen; that it was completed, when it was. */
static void add_message(const struct rda_shown *shown, proto_tree *tree,
			const struct rda_frame_record *record)
{
	const struct rda_message_record *message =
		rda_records_message(rda_session_records(), record->message);

	if (!message)
		return;
	rda_tree_add_number(shown, tree, RDA_OWN_MESSAGE, message->number);
	rda_tree_add_frame(shown, tree, RDA_OWN_MESSAGE_FIRST, message->first_frame);
	if (rda_session_is_finished())
		rda_tree_add_frame(shown, tree, RDA_OWN_MESSAGE_LAST, message->last_frame);
	if (record->message_bytes != UINT32_MAX)
		rda_tree_add_number(shown, tree, RDA_OWN_MESSAGE_BYTES, record->message_bytes);
	if (!message->done_frame)
		return;
	rda_tree_add_number(shown, tree, RDA_OWN_MESSAGE_LENGTH, message->bytes);
	rda_tree_add_frame(shown, tree, RDA_OWN_MESSAGE_DONE, message->done_frame);
	rda_tree_add_time(shown, tree, RDA_OWN_MESSAGE_LATENCY, message->latency_ns);
}

static void add_flight(const struct rda_shown *shown, proto_tree *tree,
		       const struct rda_frame_record *record)
{
	if (!record->flight_known)
		return;
	rda_tree_add_number(shown, tree, RDA_OWN_PSNS_IN_FLIGHT, record->psns_in_flight);
	rda_tree_add_number(shown, tree, RDA_OWN_BYTES_IN_FLIGHT, record->bytes_in_flight);
	rda_tree_add_number(shown, tree, RDA_OWN_READS_OUTSTANDING, record->reads_outstanding);
}

static void add_relations(const struct rda_shown *shown, proto_tree *tree)
{
	const struct rda_frame_record *record = rda_session_record(shown->source->meta.number);

	if (!record)
		return;
	if (record->relative_known)
		proto_item_set_generated(
			proto_tree_add_int64(tree, rda_own_hf[RDA_OWN_RELATIVE_PSN], shown->tvb, 0,
					     0, record->relative_psn));
	add_role(shown, tree, record);
	add_answers(shown, tree, record);
	add_message(shown, tree, record);
	add_flight(shown, tree, record);
	rda_tree_show_key(shown, tree, record);
}

/* ---- findings ------------------------------------------------------------------------------- */

static void add_findings(const struct rda_shown *shown, proto_tree *tree)
{
	uint64_t told[(RDA_CHECK_COUNT + 63) / 64] = {0};
	unsigned count, worst = 0;
	const uint32_t *indices = rda_session_findings(shown->source->meta.number, shown->verdict,
						       &shown->packet->source, &count);

	for (unsigned i = 0; i < count; i++)
		worst = MAX(worst,
			    1u + rda_result_finding(rda_session_result(), indices[i])->severity);
	if (worst)
		rda_tree_add_number(shown, tree, RDA_OWN_SEVERITY, worst);
	for (unsigned i = 0; i < count; i++) {
		const struct rda_finding *finding =
			rda_result_finding(rda_session_result(), indices[i]);
		unsigned check = finding->key.check;
		const struct rda_check_row *row = rda_check_row((enum rda_check)check);
		expert_field *ei = rda_field_expert((enum rda_check)check,
						    (enum rda_severity)finding->severity);
		proto_item *item = NULL;
		char *text = rda_finding_text(finding);

		if (!(told[check / 64] >> check % 64 & 1)) { /* one code may be about two sides */
			item = proto_tree_add_string(tree, rda_own_hf[RDA_OWN_FINDING], shown->tvb,
						     0, 0, row->code);
			proto_item_set_generated(item);
			told[check / 64] |= UINT64_C(1) << check % 64;
		}
		expert_add_info_format(shown->pinfo, item ? item : proto_tree_get_parent(tree), ei,
				       "%s %s (%s): %s", row->code, row->name,
				       rda_proof_name((enum rda_proof)finding->proof),
				       text ? text : "");
		g_free(text);
	}
}

/* ---- iWARP ---------------------------------------------------------------------------------- */

/* The next FPDU that the frame has bytes of, and that ends in another; NULL: no more. */
static const struct rda_payload_fpdu *part_of(const struct rda_shown *shown, unsigned *next)
{
	const struct rda_payload_part *part = rda_session_part(shown->source->meta.number);
	const struct rda_payload_fpdu *fpdu = NULL;

	while (part && (fpdu = rda_payloads_fpdu(rda_session_payloads(), part, next)))
		if (fpdu->frame != part->frame)
			break;
	return fpdu;
}

/* The FPDUs that end in it have their own analysis, with the stream. */
static void add_parts(const struct rda_shown *shown, proto_tree *tree)
{
	const struct rda_frame_record *record = rda_session_record(shown->source->meta.number);
	const struct rda_payload_fpdu *fpdu;
	unsigned next = 0;

	while (tree && (fpdu = part_of(shown, &next))) {
		if (next == 1 && !(record && record->fpdu))
			rda_tree_add_stream(
				shown, tree,
				rda_streams_of(&rda_session_records()->streams, fpdu->flow->index),
				rda_result_place_of(rda_session_result(), &fpdu->flow->key));
		rda_tree_add_frame(shown, tree, RDA_OWN_MPA_PART_OF, fpdu->frame);
	}
}

static bool is_empty(const struct rda_shown *shown)
{
	unsigned fpdu = 0;

	return shown->packet->carrier == RDA_CARRIER_NONE &&
	       !rda_session_is_listed(shown->source->meta.number) && !part_of(shown, &fpdu);
}

void rda_analysis_show(const struct rda_shown *shown, proto_tree *tree)
{
	proto_item *item = NULL;

	if (!tree && !rda_session_is_finished())
		return; /* expert infos are told without a tree too, but there are none yet */
	if (is_empty(shown))
		return;

	tree = proto_tree_add_subtree(tree, shown->tvb, 0, 0, rda_ett[RDA_ETT_ANALYSIS], &item,
				      "RDMA analysis");
	proto_item_set_generated(item);
	if (shown->packet->carrier != RDA_CARRIER_NONE) {
		add_stream(shown, tree);
		add_relations(shown, tree);
		add_syndrome(shown, tree);
	} else {
		add_parts(shown, tree);
	}
	rda_flags_show(shown, tree, rda_flags_of(shown));
	add_findings(shown, tree);
}

/* ---- [Memory key] ---------------------------------------------------------------------------- */

/*
 * [Memory key]: what became of the key that a packet names, in the whole capture. On the first pass
 * only how often it was used so far is known for good.
 */

static void add_range(const struct rda_shown *shown, proto_tree *tree,
		      const struct rda_key_facts *key)
{
	if (!key->has_range)
		return;
	rda_tree_add_number(shown, tree, RDA_OWN_KEY_LOW, key->low);
	if (key->last != UINT64_MAX)
		rda_tree_add_number(shown, tree, RDA_OWN_KEY_HIGH, key->last + 1);
}

static void add_refusals(const struct rda_shown *shown, proto_tree *tree,
			 const struct rda_key_facts *key)
{
	const struct rda_key_troubles *troubles = rda_key_troubles(key);

	if (!troubles->refused)
		return;
	rda_tree_add_number(shown, tree, RDA_OWN_KEY_REFUSED, troubles->refused);
	for (uint32_t i = 0; i < troubles->refusals.count; i++)
		rda_tree_add_frame(shown, tree, RDA_OWN_KEY_REFUSED_FRAME,
				   rda_place_number(troubles->refusals.place[i]));
}

void rda_tree_show_key(const struct rda_shown *shown, proto_tree *tree,
		       const struct rda_frame_record *record)
{
	const struct rda_key_facts *key;
	proto_item *item;

	if (!record->key)
		return;
	item = rda_tree_add_number(shown, tree, RDA_OWN_KEY_USE, record->key_uses);
	proto_item_append_text(item, ", key 0x%08" PRIx32,
			       rda_engine_key_number(rda_session_engine(), record->key - 1));
	if (!rda_session_is_finished())
		return;
	key = rda_result_key(rda_session_result(), record->key - 1);
	tree = proto_item_add_subtree(item, rda_ett[RDA_ETT_KEY]);
	rda_tree_add_frame(shown, tree, RDA_OWN_KEY_FIRST, rda_place_number(key->first_place));
	rda_tree_add_number(shown, tree, RDA_OWN_KEY_READS, key->asked[RDA_KEY_USE_READ]);
	rda_tree_add_number(shown, tree, RDA_OWN_KEY_WRITES, key->asked[RDA_KEY_USE_WRITE]);
	rda_tree_add_number(shown, tree, RDA_OWN_KEY_ATOMICS, key->asked[RDA_KEY_USE_ATOMIC]);
	rda_tree_add_number(shown, tree, RDA_OWN_KEY_BYTES, key->bytes);
	add_range(shown, tree, key);
	add_refusals(shown, tree, key);
	rda_tree_add_frame(shown, tree, RDA_OWN_KEY_INVALIDATED,
			   rda_place_number(rda_key_troubles(key)->invalidated_place));
}
