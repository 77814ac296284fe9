/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Captures, hosts and connections as records. What is not computed is null.
 */
#include "analyzer/report/describe.h"

#include "analyzer/report/address.h"
#include "dissectors/link.h"

static void put_address(struct rda_record *record, const char *name,
			const struct rda_address *address)
{
	char text[RDA_ADDRESS_TEXT];

	rda_record_text(record, name,
			address->kind == RDA_ADDRESS_NONE ? NULL : rda_address_text(text, address));
}

static void put_number_if(struct rda_record *record, const char *name, bool known, uint64_t value)
{
	if (known)
		rda_record_number(record, name, value);
	else
		rda_record_null(record, name);
}

static void put_time_if(struct rda_record *record, const char *name, bool known, int64_t ns)
{
	if (known)
		rda_record_signed(record, name,
				  ns); /* before 1970 in a capture whose clock was wrong */
	else
		rda_record_null(record, name);
}

/* ---- captures ------------------------------------------------------------------------------- */

static void put_links(struct rda_record *record, const struct rda_capture *capture)
{
	rda_record_open_list(record, "link_types");
	for (unsigned i = 0; i < capture->link_count; i++) {
		const char *name = rda_link_name(capture->links[i]);
		char number[24];

		g_snprintf(number, sizeof(number), "LINKTYPE %u", capture->links[i]);
		rda_record_text(record, NULL, name ? name : number);
	}
	rda_record_close(record);
}

void rda_describe_capture(struct rda_record *record, const struct rda_capture *capture,
			  const struct rda_origin *origin)
{
	bool any = capture->packets > 0;

	rda_record_text(record, "file", origin->file);
	put_links(record, capture);
	rda_record_number(record, "packets", capture->packets);
	rda_record_open(record, "rdma_packets");
	for (unsigned i = RDA_CARRIER_NONE + 1; i < RDA_CARRIER_COUNT; i++)
		rda_record_number(record, rda_transport_name((uint8_t)i), capture->rdma_packets[i]);
	rda_record_close(record);
	put_time_if(record, "first_time_ns", any, capture->first_time_ns);
	put_number_if(record, "duration_ns", any,
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
	put_number_if(record, "damaged_at", origin->damage && origin->damaged_at >= 0,
		      (uint64_t)origin->damaged_at);
	rda_record_text(record, "damage", origin->damage);
}

/* ---- hosts ---------------------------------------------------------------------------------- */

void rda_describe_host(struct rda_record *record, const struct rda_host *host)
{
	put_address(record, "address", &host->address);
	rda_record_open(record, "counters");
#define RDA_C(name) put_number_if(record, #name, host->name != RDA_UNKNOWN, host->name);
	RDA_HOST_COUNTERS(RDA_C)
#undef RDA_C
	rda_record_close(record);
}

/* ---- connections ---------------------------------------------------------------------------- */

static void put_head(struct rda_record *record, const struct rda_connection_facts *connection)
{
	rda_record_number(record, "id", connection->id);
	rda_record_text(record, "transport", rda_transport_name(connection->carrier));
	rda_record_text(record, "service", rda_service_name(connection->service));
	rda_record_text(record, "paired_by", rda_paired_by_name(connection->paired_by));
	put_number_if(record, "path_mtu", connection->path_mtu > 0, connection->path_mtu);
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
	put_address(record, "address", &endpoint->address);
	put_number_if(record, "qpn", endpoint->qpn != RDA_QPN_UNKNOWN, endpoint->qpn);
	put_number_if(record, "port", endpoint->port >= 0, (uint64_t)endpoint->port);
}

/*
 * What the account of a flow's requests says. What a resend followed and where a packet was lost
 * need the other direction; a flow without requests on a paired connection has none of either.
 */
static void put_resends_and_losses(struct rda_record *record, const struct rda_flow_facts *flow)
{
	bool known = flow->has_account || flow->has_peer, whole = flow->has_peer;

	put_number_if(record, "new_request_packets", known, flow->requests[RDA_REQUEST_NEW]);
	put_number_if(record, "retransmitted_packets", known, flow->requests[RDA_REQUEST_RESENT]);
	put_number_if(record, "reordered_packets", known, flow->requests[RDA_REQUEST_REORDERED]);
	put_number_if(record, "mirrored_packets", known, flow->requests[RDA_REQUEST_MIRRORED]);
	put_number_if(record, "forgotten_requests", known, flow->forgotten_requests);
	rda_record_open(record, "resends");
#define RDA_T(ID, name, words) put_number_if(record, name, whole, flow->resends[RDA_TRIGGER_##ID]);
	RDA_TRIGGERS(RDA_T)
#undef RDA_T
	rda_record_close(record);
	rda_record_open(record, "lost");
	put_number_if(record, "before_tap", whole, flow->lost_before);
	put_number_if(record, "after_tap", whole, flow->lost_after);
	put_number_if(record, "by_capture", whole, flow->lost_by_capture);
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
		rda_record_number(record, names[i], flow->naks[i]);
	rda_record_close(record);
}

static void put_messages(struct rda_record *record, const struct rda_flow_facts *flow)
{
	rda_record_open(record, "messages");
	for (unsigned i = 0; i < RDA_MESSAGE_COUNT; i++) {
		rda_record_open(record, rda_message_name((uint8_t)i));
		rda_record_number(record, "count", flow->messages[i].count);
		rda_record_number(record, "bytes", flow->messages[i].bytes);
		rda_describe_latency(record, "latency_ns",
				     flow->latencies ? &flow->latencies->kinds[i] : NULL);
		rda_record_close(record);
	}
	rda_record_close(record);
}

/* An endpoint that was not seen to send anything has a flow of zeros. */
static void put_flow(struct rda_record *record, const struct rda_flow_facts *flow)
{
	static const struct rda_flow_facts nothing = {.messages_not_timed = -1};

	if (!flow)
		flow = &nothing;
	rda_record_number(record, "packets", flow->packets + flow->copies.packets);
	rda_record_number(record, "bytes", flow->bytes + flow->copies.bytes);
	put_number_if(record, "first_psn", flow->request_packets > 0, flow->first_psn);
	put_number_if(record, "last_psn", flow->request_packets > 0, flow->last_psn);
	rda_record_number(record, "request_packets", flow->request_packets + flow->copies.requests);
	put_resends_and_losses(record, flow);
	rda_record_number(record, "acks", flow->acks);
	put_naks(record, flow);
	rda_record_number(record, "rnr_naks", flow->rnr_naks);
	rda_record_number(record, "cnps", flow->cnps);
	rda_record_number(record, "ce_marked", flow->ce_marked);
	put_messages(record, flow);
	rda_describe_timing(record, flow);
	rda_record_number(record, "damaged_packets", flow->damaged);
	rda_record_number(record, "response_packets",
			  flow->response_packets + flow->copies.responses);
	rda_record_number(record, "payload_bytes", flow->payload_bytes);
	put_time_if(record, "first_time_ns", flow->packets > 0, flow->first_time_ns);
	put_time_if(record, "last_time_ns", flow->packets > 0, flow->last_time_ns);
	put_number_if(record, "source_port", flow->source_port_known, flow->source_port);
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
