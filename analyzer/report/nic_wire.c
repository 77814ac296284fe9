/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a capture shows of one NIC. See nic_wire.h.
 */
#include "analyzer/report/nic_wire.h"

#include "analyzer/engine/result.h"

#include <string.h>

const char *rda_nic_reason_name(unsigned reason)
{
	static const char *const names[] = {
#define RDA_R(ID, name, words) name,
		RDA_NIC_REASONS(RDA_R)
#undef RDA_R
	};

	return names[reason];
}

const char *rda_nic_reason_words(unsigned reason)
{
	static const char *const all[] = {
#define RDA_R(ID, name, words) words,
		RDA_NIC_REASONS(RDA_R)
#undef RDA_R
	};

	return all[reason];
}

enum { EVENTS = false, PACKETS = true };

const struct rda_nic_measure_row *rda_nic_measure_row(unsigned measure)
{
	static const struct rda_nic_measure_row rows[] = {
#define RDA_M(name, counts, more, less) {#name, counts, more, less},
		RDA_NIC_MEASURES(RDA_M) RDA_NIC_HOST_MEASURES(RDA_M)
#undef RDA_M
	};

	return &rows[measure];
}

/* ---- sums ------------------------------------------------------------------------------------ */

static bool is_one_of(const struct rda_address *addresses, unsigned count,
		      const struct rda_address *address)
{
	for (unsigned i = 0; i < count; i++)
		if (memcmp(&addresses[i], address, sizeof(*address)) == 0)
			return true;
	return false;
}

static bool is_multicast(const struct rda_address *address)
{
	if (address->kind == RDA_ADDRESS_IP4)
		return address->bytes[12] >> 4 == 0xe;
	return address->kind == RDA_ADDRESS_IP6 && address->bytes[0] == 0xff;
}

static void add_host(struct rda_nic_wire *wire, const struct rda_host *host)
{
#define RDA_M(name, counts, more, less)                                                            \
	if (host->name != RDA_UNKNOWN) {                                                           \
		uint64_t *value = &wire->value[RDA_NIC_MEASURE_##name];                            \
		*value = *value == RDA_UNKNOWN ? host->name : *value + host->name;                 \
	}
	RDA_NIC_HOST_MEASURES(RDA_M)
#undef RDA_M
}

/* What one of its addresses sent. */
static void add_sent(struct rda_nic_wire *wire, const struct rda_flow_facts *flow)
{
	const struct rda_flow_troubles *troubles = rda_flow_troubles(flow);
	uint64_t *value = wire->value, *sent = wire->sent;

	value[RDA_NIC_MEASURE_packets_sent] += flow->packets;
	sent[RDA_NIC_REASON_ALIKE] += troubles->doubts.alike;
	if (!flow->has_peer)
		return;
	wire->runs_on += troubles->doubts.runs_on;
	wire->runs_anew += troubles->doubts.runs_anew;
	wire->resent_anew += troubles->doubts.resent_anew;
	for (unsigned i = 0; i < RDA_TRIGGER_COUNT; i++)
		if (i != RDA_TRIGGER_RNR)
			value[RDA_NIC_MEASURE_retries] += troubles->resends[i];
	value[RDA_NIC_MEASURE_timeouts] += troubles->resends[RDA_TRIGGER_TIMEOUT];
	value[RDA_NIC_MEASURE_resent_packets] += flow->requests[RDA_REQUEST_RESENT];
	sent[RDA_NIC_REASON_LOST_BEFORE] += troubles->lost_before;
	sent[RDA_NIC_REASON_MISSED] += troubles->lost_by_capture;
	sent[RDA_NIC_REASON_AFTER_RNR] += troubles->resends[RDA_TRIGGER_RNR];
	sent[RDA_NIC_REASON_DOUBLED] +=
		flow->requests[RDA_REQUEST_MIRRORED] -
		MIN(troubles->copies.requests, flow->requests[RDA_REQUEST_MIRRORED]);
	sent[RDA_NIC_REASON_OVERTAKEN] += flow->requests[RDA_REQUEST_REORDERED];
}

/* What was sent to one of its addresses. */
static void add_received(struct rda_nic_wire *wire, const struct rda_flow_facts *flow)
{
	const struct rda_flow_troubles *troubles = rda_flow_troubles(flow);
	uint64_t *received = wire->received;

	wire->value[RDA_NIC_MEASURE_packets_received] += flow->packets;
	received[RDA_NIC_REASON_DOUBLED] += troubles->copies.packets;
	received[RDA_NIC_REASON_DAMAGED] += troubles->damaged;
	if (!flow->has_peer)
		return;
	received[RDA_NIC_REASON_DAMAGED] -= MIN(troubles->lost_damaged, troubles->damaged);
	received[RDA_NIC_REASON_LOST_BEHIND] += troubles->lost_after;
	received[RDA_NIC_REASON_MISSED] += troubles->lost_by_capture;
	received[RDA_NIC_REASON_NEW_LIFE] += troubles->doubts.resent_anew;
	received[RDA_NIC_REASON_UNTOLD] += troubles->doubts.untold;
	wire->resent_to += flow->requests[RDA_REQUEST_RESENT];
	wire->doubled_to += flow->requests[RDA_REQUEST_MIRRORED];
}

/* Packets to a QP that may have been no more: what it did not answer, else the latest, behind the
 * last that it sent. */
static uint64_t perhaps_gone(const struct rda_flow_facts *flow, const struct rda_flow_facts *back)
{
	uint64_t unanswered = rda_flow_troubles(flow)->doubts.unanswered;

	if (!flow->has_peer || unanswered)
		return flow->has_peer ? unanswered : 0;
	return back && back->packets && back->last_time_ns < flow->last_time_ns;
}

static void add_flows(struct rda_nic_wire *wire, const struct rda_result *result,
		      const struct rda_address *addresses, unsigned count)
{
	for (uint32_t i = 0; i < rda_result_flow_count(result); i++) {
		const struct rda_flow_facts *flow = rda_result_flow_at(result, i);
		const struct rda_connection_facts *connection =
			rda_result_connection(result, flow->connection);
		bool from = is_one_of(addresses, count, &flow->key.source);
		bool to = is_one_of(addresses, count, &flow->key.destination);

		if (from)
			add_sent(wire, flow);
		if (to) {
			add_received(wire, flow);
			wire->received[RDA_NIC_REASON_GONE] += perhaps_gone(
				flow,
				rda_result_flow(result, connection,
						flow == rda_result_flow(result, connection, 0)));
		} else if (!from && is_multicast(&flow->key.destination))
			wire->received[RDA_NIC_REASON_MULTICAST] += flow->packets;
		if ((from || to) && !(connection->seen & RDA_SEEN_START))
			wire->whole |= RDA_NIC_R(NOT_WHOLE);
	}
}

void rda_nic_wire_of(struct rda_nic_wire *wire, const struct rda_result *result,
		     const struct rda_address *addresses, unsigned count, bool filtered)
{
	uint64_t dropped = 0;

	memset(wire, 0, sizeof(*wire));
#define RDA_M(name, counts, more, less) wire->value[RDA_NIC_MEASURE_##name] = RDA_UNKNOWN;
	RDA_NIC_HOST_MEASURES(RDA_M)
#undef RDA_M
	for (unsigned i = 0; i < rda_result_host_count(result); i++)
		if (is_one_of(addresses, count, &rda_result_host(result, i)->address))
			add_host(wire, rda_result_host(result, i));
	wire->value[RDA_NIC_MEASURE_nak_seq_taken] = wire->value[RDA_NIC_MEASURE_packet_seq_err];
	add_flows(wire, result, addresses, count);
	for (unsigned i = 0; i < rda_result_capture_count(result); i++)
		dropped += rda_result_capture(result, i)->dropped;
	if (dropped)
		wire->whole |= RDA_NIC_R(DROPPED);
	if (filtered)
		wire->whole |= RDA_NIC_R(FILTERED);
	if (rda_result_retired(result)->connections)
		wire->whole |= RDA_NIC_R(CLOSED);
	wire->sent[RDA_NIC_REASON_DROPPED] = wire->received[RDA_NIC_REASON_DROPPED] = dropped;
}

void rda_nic_wire_told(struct rda_nic_wire *wire, uint64_t sent, uint64_t received)
{
	uint64_t seen = wire->value[RDA_NIC_MEASURE_packets_sent];
	uint64_t came = wire->value[RDA_NIC_MEASURE_packets_received];

	if (sent != RDA_UNKNOWN && sent > seen)
		wire->sent[RDA_NIC_REASON_UNSEEN] = sent - seen;
	if (received != RDA_UNKNOWN && received < came)
		wire->received[RDA_NIC_REASON_NOT_ARRIVED] = came - received;
}

/* ---- room ------------------------------------------------------------------------------------ */

uint64_t rda_nic_wire_room(const struct rda_nic_wire *wire, unsigned measure, unsigned reason)
{
	uint64_t value = wire->value[measure];

	switch (reason) {
	case RDA_NIC_REASON_NOT_WHOLE:
	case RDA_NIC_REASON_FILTERED:
	case RDA_NIC_REASON_CLOSED: return RDA_UNKNOWN;
	case RDA_NIC_REASON_OF_OLDEST:
	case RDA_NIC_REASON_ENDED: return value;
	case RDA_NIC_REASON_WENT_ON: return wire->runs_on;
	case RDA_NIC_REASON_NEW_LIFE:
		if (measure == RDA_NIC_MEASURE_resent_packets)
			return wire->resent_anew;
		if (measure != RDA_NIC_MEASURE_duplicate_request)
			return wire->runs_anew;
		break;
	case RDA_NIC_REASON_RESENT: return wire->resent_to > value ? wire->resent_to - value : 0;
	case RDA_NIC_REASON_DOUBLED:
		if (measure == RDA_NIC_MEASURE_duplicate_request)
			return wire->doubled_to;
		break;
	default: break;
	}
	if (measure == RDA_NIC_MEASURE_packets_sent)
		return wire->sent[reason];
	if (measure == RDA_NIC_MEASURE_packets_received)
		return wire->received[reason];
	return MAX(wire->sent[reason], wire->received[reason]);
}
