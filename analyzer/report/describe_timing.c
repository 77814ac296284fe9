/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long things took, as records: latencies, stalls, the slowest messages.
 */
#include "analyzer/track/iwarp/rdmap_track.h"
#include "analyzer/base/psn.h"
#include "analyzer/report/describe.h"

static void put_time(struct rda_record *record, const char *name, bool known, int64_t ns)
{
	if (known)
		rda_record_signed(record, name, ns);
	else
		rda_record_null(record, name);
}

void rda_describe_latency(struct rda_record *record, const char *name,
			  const struct rda_latency *latency)
{
	bool any = latency && latency->count;

	if (!rda_record_open_if(record, name, any))
		return;
	if (any)
		rda_record_number(record, "count", latency->count);
	else
		rda_record_null(record, "count");
	put_time(record, "min", any, any ? latency->min : 0);
	put_time(record, "p50", any, any ? rda_latency_percentile(latency, 50) : 0);
	put_time(record, "p90", any, any ? rda_latency_percentile(latency, 90) : 0);
	put_time(record, "p99", any, any ? rda_latency_percentile(latency, 99) : 0);
	put_time(record, "max", any, any ? latency->max : 0);
	rda_record_close(record);
}

/* The members of a message that was completed. */
static void put_exchange(struct rda_record *record, const struct rda_exchange *exchange, bool iwarp)
{
	rda_record_text(record, "message", rda_message_name(exchange->kind));
	if (iwarp) { /* it has no PSNs */
		rda_record_null(record, "psn");
		rda_record_null(record, "packets");
	} else {
		rda_record_number(record, "psn", (uint64_t)exchange->begin & RDA_PSN_MASK);
		rda_record_number(record, "packets", (uint64_t)(exchange->end - exchange->begin));
	}
	rda_record_number(record, "bytes", exchange->bytes);
	rda_record_signed(record, "time_ns", exchange->start_ns);
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
		     rda_result_connection(result, slow->connection)->carrier == RDA_CARRIER_IWARP);
}

static void put_stalls(struct rda_record *record, const struct rda_flow_facts *flow)
{
	const int64_t *ns = flow->stalled_ns;
	bool known = flow->has_peer;

	put_time(record, "stalled_ns", known, rda_flow_stalled_ns(flow));
	rda_record_open(record, "stalled");
	put_time(record, "timeout", known, ns[RDA_TRIGGER_TIMEOUT]);
	put_time(record, "rnr", known, ns[RDA_TRIGGER_RNR]);
	put_time(record, "nak", known, ns[RDA_TRIGGER_NAK]);
	put_time(record, "implied_nak", known, ns[RDA_TRIGGER_IMPLIED]);
	put_time(record, "unexplained", known, ns[RDA_TRIGGER_UNEXPLAINED]);
	rda_record_close(record);
}

void rda_describe_timing(struct rda_record *record, const struct rda_flow_facts *flow)
{
	const struct rda_flow_latencies *l = flow->latencies;
	struct rda_latency all = rda_flow_message_latency(flow);

	rda_describe_latency(record, "ack_latency_ns", l ? &l->acks : NULL);
	rda_describe_latency(record, "message_latency_ns", &all);
	rda_describe_latency(record, "read_first_response_ns", l ? &l->first_response : NULL);
	rda_latency_cleanup(&all);
	if (flow->messages_not_timed >= 0)
		rda_record_number(record, "messages_not_timed", (uint64_t)flow->messages_not_timed);
	else
		rda_record_null(record, "messages_not_timed");
	put_stalls(record, flow);
}
