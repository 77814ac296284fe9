/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Captures, hosts, connections, slow messages and memory keys as records. What is not computed is
 * null.
 */
#include "analyzer/report/describe.h"

#include "analyzer/base/psn.h"
#include "analyzer/track/iwarp/rdmap_track.h"
#include "dissectors/link.h"

/* ---- where the time went --------------------------------------------------------------------- */

/* An object, or null where it is not known. */
static void put_time(struct rda_record *record, const struct rda_flow_time *known)
{
	static const struct rda_flow_time nothing;
	const struct rda_flow_time *time = known ? known : &nothing;

	if (!rda_record_open_if(record, "spent_ns", time->known))
		return;
	rda_record_signed_known(record, "total", time->known, time->total_ns);
	for (unsigned i = 0; i < RDA_TIME_CAUSE_COUNT; i++)
		rda_record_signed_known(record, rda_time_name((uint8_t)i), time->known,
					time->ns[i]);
	rda_record_close(record);
}

/* ---- captures ------------------------------------------------------------------------------- */

static void put_links(struct rda_record *record, const struct rda_capture *capture)
{
	rda_record_open_list(record, "link_types");
	for (unsigned i = 0; i < rda_record_count(record, capture->link_count); i++) {
		const char *name = rda_link_name(capture->links[i]);
		char number[24];

		g_snprintf(number, sizeof(number), "LINKTYPE %u", capture->links[i]);
		rda_record_text(record, NULL, name ? name : number);
	}
	rda_record_close(record);
}

void rda_describe_capture(struct rda_record *record, const struct rda_capture *capture,
			  const struct rda_flow_time *time, const struct rda_origin *origin)
{
	bool any = capture->packets > 0;

	rda_record_text(record, "file", origin->file);
	put_links(record, capture);
	rda_record_number(record, "packets", capture->packets);
	rda_record_open(record, "rdma_packets");
	for (unsigned i = RDA_CARRIER_NONE + 1; i < RDA_CARRIER_COUNT; i++)
		rda_record_number(record, rda_transport_name((uint8_t)i), capture->rdma_packets[i]);
	rda_record_close(record);
	rda_record_time(record, "first_time", any, capture->first_time_ns);
	rda_record_number_known(record, "duration_ns", any,
				(uint64_t)capture->last_time_ns - (uint64_t)capture->first_time_ns);
	rda_record_number(record, "cut_by_snaplen", capture->cut_by_snaplen);
	rda_record_number(record, "malformed", capture->malformed);
	rda_record_open(record, "icrc");
	rda_record_number(record, "good", capture->icrc[RDA_ICRC_GOOD]);
	rda_record_number(record, "bad", capture->icrc[RDA_ICRC_BAD]);
	rda_record_number(record, "absent", capture->icrc[RDA_ICRC_ABSENT]);
	rda_record_number(record, "not_checkable", capture->icrc[RDA_ICRC_NOT_CHECKABLE]);
	rda_record_close(record);
	rda_record_open(record, "vcrc");
	rda_record_number(record, "good", capture->vcrc_good);
	rda_record_number(record, "bad", capture->vcrc_bad);
	rda_record_close(record);
	rda_record_number(record, "fragments", capture->fragments);
	rda_record_number(record, "pause_frames", capture->pause_frames);
	rda_record_number(record, "pfc_frames", capture->pfc_frames);
	rda_record_number(record, "too_deep", capture->too_deep);
	rda_record_number(record, "gaps_given_up", capture->gaps_given_up);
	rda_record_number(record, "not_followed", capture->not_followed);
	rda_record_number(record, "undecoded", capture->undecoded);
	rda_record_number(record, "dropped", capture->dropped);
	rda_record_number_known(record, "damaged_at", origin->damage && origin->damaged_at >= 0,
				(uint64_t)origin->damaged_at);
	rda_record_text(record, "damage", origin->damage);
	rda_record_text(record, "stopped", origin->stopped);
	if (origin->by_interface || record->sink->shape)
		rda_record_number(record, "interface", origin->interface);
	if (origin->first_frame || record->sink->shape)
		rda_record_number(record, "first_frame", origin->first_frame);
	put_time(record, time);
}

/* ---- how long things took -------------------------------------------------------------------- */

void rda_describe_latency(struct rda_record *record, const char *name,
			  const struct rda_latency *latency)
{
	bool any = latency && latency->count;

	if (!rda_record_open_if(record, name, any))
		return;
	rda_record_number_known(record, "count", any, any ? latency->count : 0);
	rda_record_signed_known(record, "min", any, any ? latency->min : 0);
	rda_record_signed_known(record, "p50", any, any ? rda_latency_percentile(latency, 50) : 0);
	rda_record_signed_known(record, "p90", any, any ? rda_latency_percentile(latency, 90) : 0);
	rda_record_signed_known(record, "p99", any, any ? rda_latency_percentile(latency, 99) : 0);
	rda_record_signed_known(record, "max", any, any ? latency->max : 0);
	rda_record_close(record);
}

/* ---- hosts ---------------------------------------------------------------------------------- */

static void put_nic(struct rda_record *record, const struct rda_nic *nic)
{
	rda_record_open(record, "nic");
	rda_record_text(record, "retransmission", rda_timer_name(rda_nic_timer(nic)));
	rda_record_text(record, "recovery", rda_nic_recovery(nic));
	rda_record_text(record, "acknowledges", rda_nic_acknowledges(nic));
	rda_record_signed_known(record, "timer_ns", rda_nic_timer_ns(nic) > 0,
				rda_nic_timer_ns(nic));
	rda_describe_latency(record, "nak_sent_after_ns", &nic->nak_sent);
	rda_describe_latency(record, "nak_obeyed_after_ns", &nic->nak_obeyed);
	rda_record_close(record);
}

void rda_describe_host(struct rda_record *record, const struct rda_host *host,
		       const struct rda_nic *nic, const struct rda_flow_time *time)
{
	rda_record_address(record, "address", &host->address);
	rda_record_open(record, "counters");
#define RDA_C(name) rda_record_number_known(record, #name, host->name != RDA_UNKNOWN, host->name);
	RDA_HOST_COUNTERS(RDA_C)
#undef RDA_C
	rda_record_close(record);
	put_nic(record, nic);
	put_time(record, time);
}

/* ---- slow messages --------------------------------------------------------------------------- */

/* The members of a message that was completed. */
static void put_exchange(struct rda_record *record, const struct rda_exchange *exchange, bool iwarp)
{
	rda_record_text(record, "message", rda_message_name(exchange->kind));
	/* iWARP has no PSNs */
	rda_record_signed_known(record, "psn", !iwarp, exchange->begin & RDA_PSN_MASK);
	rda_record_signed_known(record, "packets", !iwarp, exchange->end - exchange->begin);
	rda_record_number(record, "bytes", exchange->bytes);
	rda_record_time(record, "time", true, exchange->start_ns);
	rda_record_signed(record, "latency_ns", exchange->latency_ns);
	rda_record_number(record, "resent_packets", exchange->resent);
	rda_record_number(record, "file", rda_place_capture(exchange->first_frame));
	rda_record_number(record, "frame", rda_place_number(exchange->first_frame));
	rda_record_number(record, "done_file", rda_place_capture(exchange->last_frame));
	rda_record_number(record, "done_frame", rda_place_number(exchange->last_frame));
}

void rda_describe_slow_message(struct rda_record *record, const struct rda_result *result,
			       const struct rda_slow_facts *slow)
{
	rda_record_number(record, "connection", slow->connection);
	rda_record_number(record, "flow", slow->flow);
	put_exchange(record, &slow->exchange,
		     result && rda_result_connection(result, slow->connection)->carrier ==
				       RDA_CARRIER_IWARP);
}

static void put_stalls(struct rda_record *record, const struct rda_flow_facts *flow)
{
	const int64_t *ns = rda_flow_troubles(flow)->stalled_ns;
	bool known = flow->has_peer;

	rda_record_signed_known(record, "stalled_ns", known, rda_flow_stalled_ns(flow));
	rda_record_open(record, "stalled");
	rda_record_signed_known(record, "timeout", known, ns[RDA_TRIGGER_TIMEOUT]);
	rda_record_signed_known(record, "rnr", known, ns[RDA_TRIGGER_RNR]);
	rda_record_signed_known(record, "nak", known, ns[RDA_TRIGGER_NAK]);
	rda_record_signed_known(record, "implied_nak", known, ns[RDA_TRIGGER_IMPLIED]);
	rda_record_signed_known(record, "unexplained", known, ns[RDA_TRIGGER_UNEXPLAINED]);
	rda_record_close(record);
}

static void put_timing(struct rda_record *record, const struct rda_flow_facts *flow)
{
	const struct rda_flow_latencies *l = flow->latencies;
	struct rda_latency all = rda_flow_message_latency(flow);

	rda_describe_latency(record, "ack_latency_ns", l ? &l->acks : NULL);
	rda_describe_latency(record, "message_latency_ns", &all);
	rda_describe_latency(record, "read_first_response_ns", l ? l->first_response : NULL);
	rda_latency_cleanup(&all);
	rda_record_signed_known(record, "messages_not_timed", flow->messages_not_timed >= 0,
				flow->messages_not_timed);
	put_stalls(record, flow);
}

/* ---- connections ---------------------------------------------------------------------------- */

static void put_head(struct rda_record *record, const struct rda_connection_facts *connection)
{
	rda_record_number(record, "id", connection->id);
	rda_record_text(record, "transport", rda_transport_name(connection->carrier));
	rda_record_text(record, "service", rda_service_name(connection->service));
	rda_record_text(record, "paired_by", rda_paired_by_name(connection->paired_by));
	rda_record_number_known(record, "path_mtu", connection->path_mtu > 0, connection->path_mtu);
	rda_record_text(record, "application", connection->application);
	rda_record_open(record, "seen");
#define RDA_X(ID, bit, name, otherwise)                                                            \
	rda_record_flag(record, name, (connection->seen & RDA_SEEN_##ID) != 0);
	RDA_SEEN(RDA_X)
#undef RDA_X
	rda_record_close(record);
}

static void put_endpoint(struct rda_record *record, const struct rda_endpoint *endpoint)
{
	rda_record_address(record, "address", &endpoint->address);
	rda_record_number_known(record, "qpn", endpoint->qpn != RDA_QPN_UNKNOWN, endpoint->qpn);
	rda_record_number_known(record, "port", endpoint->port >= 0, (uint64_t)endpoint->port);
}

/*
 * What the account of a flow's requests says. What a resend followed and where a packet was lost
 * need the other direction; a flow without requests on a paired connection has none of either.
 */
static void put_resends_and_losses(struct rda_record *record, const struct rda_flow_facts *flow)
{
	const struct rda_flow_troubles *troubles = rda_flow_troubles(flow);
	bool known = flow->has_account || flow->has_peer, whole = flow->has_peer;

	rda_record_number_known(record, "new_request_packets", known,
				flow->requests[RDA_REQUEST_NEW]);
	rda_record_number_known(record, "retransmitted_packets", known,
				flow->requests[RDA_REQUEST_RESENT]);
	rda_record_number_known(record, "reordered_packets", known || flow->unreliable,
				flow->requests[RDA_REQUEST_REORDERED]);
	rda_record_number_known(record, "mirrored_packets", known,
				flow->requests[RDA_REQUEST_MIRRORED]);
	rda_record_number_known(record, "forgotten_requests", known, troubles->forgotten_requests);
	rda_record_open(record, "resends");
#define RDA_T(ID, name, words)                                                                     \
	rda_record_number_known(record, name, whole, troubles->resends[RDA_TRIGGER_##ID]);
	RDA_TRIGGERS(RDA_T)
#undef RDA_T
	rda_record_close(record);
	rda_record_open(record, "lost");
	rda_record_number_known(record, "before_tap", whole, troubles->lost_before);
	rda_record_number_known(record, "after_tap", whole, troubles->lost_after);
	rda_record_number_known(record, "by_capture", whole, troubles->lost_by_capture);
	rda_record_close(record);
}

static void put_naks(struct rda_record *record, const struct rda_flow_facts *flow)
{
	static const char *const names[RDA_NAK_COUNT] = {
#define RDA_N(ID, name) [RDA_NAK_##ID] = name,
		RDA_NAKS(RDA_N)
#undef RDA_N
			[RDA_NAK_OTHER] = "other",
	};

	rda_record_open(record, "naks");
	for (unsigned i = 0; i < RDA_NAK_COUNT; i++)
		rda_record_number(record, names[i], rda_flow_troubles(flow)->naks[i]);
	rda_record_close(record);
}

static void put_messages(struct rda_record *record, const struct rda_flow_facts *flow)
{
	rda_record_open(record, "messages");
	for (unsigned i = 0; i < RDA_MESSAGE_COUNT; i++) {
		struct rda_message_count messages =
			rda_flow_message_count(flow, (enum rda_message)i);

		rda_record_open(record, rda_message_name((uint8_t)i));
		rda_record_number(record, "count", messages.count);
		rda_record_number(record, "bytes", messages.bytes);
		rda_describe_latency(record, "latency_ns",
				     flow->latencies ? flow->latencies->kinds[i] : NULL);
		rda_record_close(record);
	}
	rda_record_close(record);
}

static unsigned lowest(uint64_t mask)
{
	unsigned bit = 0;

	while (bit < 63 && !(mask >> bit & 1))
		bit++;
	return bit;
}

/* The classes of traffic that IP headers name; one that is the only one has a value. Masks of
 * 1 << DSCP: of what it sent but CNPs, of CNPs. */
static void put_dscps(struct rda_record *record, uint64_t own, uint64_t cnps)
{
	unsigned count = 0;

	for (unsigned bit = 0; bit < 64; bit++)
		count += own >> bit & 1;
	rda_record_number_known(record, "dscp", count == 1, lowest(own));
	rda_record_number_known(record, "dscp_count", count > 0, count);
	rda_record_number_known(record, "cnp_dscp", cnps && !(cnps & (cnps - 1)), lowest(cnps));
}

/* An endpoint that was not seen to send anything has a flow of zeros. */
static void put_flow(struct rda_record *record, const struct rda_flow_facts *flow)
{
	static const struct rda_flow_facts nothing = {.messages_not_timed = -1};
	const struct rda_flow_troubles *troubles;

	if (!flow)
		flow = &nothing;
	troubles = rda_flow_troubles(flow);
	rda_record_number(record, "packets", flow->packets + troubles->copies.packets);
	rda_record_number(record, "bytes", flow->bytes + troubles->copies.bytes);
	rda_record_number_known(record, "first_psn", flow->request_packets > 0, flow->first_psn);
	rda_record_number_known(record, "last_psn", flow->request_packets > 0, flow->last_psn);
	rda_record_number(record, "request_packets",
			  flow->request_packets + troubles->copies.requests);
	put_resends_and_losses(record, flow);
	rda_record_number(record, "acks", flow->acks);
	put_naks(record, flow);
	rda_record_number(record, "rnr_naks", troubles->rnr_naks);
	rda_record_number(record, "cnps", troubles->cnps);
	rda_record_number(record, "ce_marked", troubles->ce_marked);
	put_messages(record, flow);
	put_timing(record, flow);
	rda_record_number(record, "damaged_packets", troubles->damaged);
	rda_record_number(record, "response_packets",
			  flow->response_packets + troubles->copies.responses);
	rda_record_number(record, "payload_bytes", flow->payload_bytes);
	rda_record_time(record, "first_time", flow->packets > 0, flow->first_time_ns);
	rda_record_time(record, "last_time", flow->packets > 0, flow->last_time_ns);
	rda_record_number_known(record, "source_port", flow->source_port_known, flow->source_port);
	put_dscps(record, flow->classes.dscps, troubles->cnp_classes.dscps);
	put_time(record, flow->time);
}

void rda_describe_connection(struct rda_record *record, const struct rda_result *result,
			     const struct rda_connection_facts *connection)
{
	put_head(record, connection);
	rda_record_open_list(record, "endpoints");
	for (unsigned i = 0; i < 2; i++) {
		rda_record_open(record, NULL);
		put_endpoint(record, &connection->endpoints[i]);
		rda_record_close(record);
	}
	rda_record_close(record);
	rda_describe_cm(record, result, connection);
	rda_record_open_list(record, "flows");
	for (unsigned i = 0; i < 2; i++) {
		rda_record_open(record, NULL);
		put_flow(record, rda_result_flow(result, connection, i));
		rda_record_close(record);
	}
	rda_record_close(record);
}

void rda_describe_flow_line(struct rda_record *record, const struct rda_result *result,
			    const struct rda_connection_facts *connection, unsigned flow)
{
	put_head(record, connection);
	rda_record_number(record, "flow", flow);
	rda_record_open(record, "source");
	put_endpoint(record, &connection->endpoints[flow]);
	rda_record_close(record);
	rda_record_open(record, "destination");
	put_endpoint(record, &connection->endpoints[1 - flow]);
	rda_record_close(record);
	put_flow(record, result ? rda_result_flow(result, connection, flow) : NULL);
}

/* ---- memory keys ----------------------------------------------------------------------------- */

static void put_users(struct rda_record *record, const struct rda_result *result,
		      const struct rda_key_facts *key)
{
	static const struct rda_endpoint nobody;

	rda_record_open_list(record, "users");
	for (uint32_t i = 0; i < rda_record_count(record, key->user_count); i++) {
		const struct rda_endpoint *user =
			result ? rda_result_key_user(result, key, i) : &nobody;

		rda_record_open(record, NULL);
		rda_record_address(record, "address", &user->address);
		rda_record_number_known(record, "qpn", user->qpn != RDA_QPN_UNKNOWN, user->qpn);
		rda_record_number_there(record, "port", user->port >= 0, (uint64_t)user->port);
		rda_record_close(record);
	}
	rda_record_close(record);
}

static void put_range(struct rda_record *record, const struct rda_key_facts *key)
{
	enum rda_there there = key->has_range ? RDA_THERE : RDA_NULL;

	rda_record_hex_there(record, "low_address", there, key->low, 16);
	/* exclusive; the very last address has no end that a number could hold */
	rda_record_hex_there(record, "high_address", there,
			     key->last == UINT64_MAX ? key->last : key->last + 1, 16);
}

void rda_describe_key(struct rda_record *record, const struct rda_result *result,
		      const struct rda_key_facts *key)
{
	static const struct rda_address nowhere;
	const struct rda_key_troubles *troubles = rda_key_troubles(key);

	rda_record_address(record, "responder",
			   result ? &rda_result_host_of_index(result, key->id.responder)->address
				  : &nowhere);
	rda_record_hex(record, "key", key->id.key, 8);
	rda_record_text(record, "kind", key->stag ? "stag" : "rkey");
	put_users(record, result, key);
	rda_record_number(record, "reads", key->asked[RDA_KEY_USE_READ]);
	rda_record_number(record, "writes", key->asked[RDA_KEY_USE_WRITE]);
	rda_record_number(record, "atomics", key->asked[RDA_KEY_USE_ATOMIC]);
	rda_record_number(record, "bytes", key->bytes);
	put_range(record, key);
	rda_record_number(record, "refused", troubles->refused);
	rda_record_number_known(record, "invalidated_at_frame", troubles->invalidated_place != 0,
				rda_place_number(troubles->invalidated_place));
	rda_record_number(record, "used_after_invalidate", troubles->used_after_invalidate);
}

/* ---- paths ------------------------------------------------------------------------------------
 */

/* Ports of several QPs: what shares them. */
static void put_shared_ports(struct rda_record *record, const struct rda_way *way)
{
	static const struct rda_way_port nothing = {.qps = 2};
	uint32_t count = rda_record_count(record, way->port_count);

	rda_record_open_list(record, "shared");
	for (uint32_t i = 0; i < count; i++) {
		const struct rda_way_port *port = way->port_count ? &way->ports[i] : &nothing;

		if (port->qps < 2)
			continue;
		rda_record_open(record, NULL);
		rda_record_number(record, "source_port", port->port);
		rda_record_number(record, "qps", port->qps);
		rda_record_number(record, "bytes", port->bytes);
		rda_record_close(record);
	}
	rda_record_close(record);
}

void rda_describe_way(struct rda_record *record, const struct rda_way *way)
{
	rda_record_address(record, "source", &way->source);
	rda_record_address(record, "destination", &way->destination);
	rda_record_number(record, "qps", way->qps);
	rda_record_number(record, "source_ports", way->port_count);
	rda_record_number(record, "bytes", way->bytes);
	put_shared_ports(record, way);
}

/* ---- what was given up ----------------------------------------------------------------------- */

void rda_describe_retired(struct rda_record *record, const struct rda_retired *retired)
{
	rda_record_number(record, "connections", retired->connections);
	rda_record_number(record, "packets", retired->packets);
	rda_record_number(record, "bytes", retired->bytes);
	rda_record_number(record, "hosts", retired->hosts);
	rda_record_number(record, "memory_keys", retired->keys);
}
