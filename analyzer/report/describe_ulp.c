/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Upper layers as records: what each connection's did, and the slowest commands of all.
 */
#include "analyzer/report/describe.h"

static void put_operation_name(struct rda_record *record, uint8_t protocol, const char *name,
			       uint32_t code)
{
	char room[RDA_ULP_OPERATION_ROOM];

	rda_record_text(record, "operation", rda_ulp_operation_name(room, protocol, name, code));
	rda_record_hex(record, "operation_code", code, 4);
}

static void put_operation(struct rda_record *record, uint8_t protocol,
			  const struct rda_ulp_operation *operation)
{
	rda_record_open(record, NULL);
	put_operation_name(record, protocol, operation->name, operation->code);
	rda_record_number(record, "commands", operation->asked);
	rda_record_number(record, "answered", operation->answered);
	rda_record_number(record, "failed", operation->failed);
	rda_record_number(record, "bytes", operation->bytes);
	rda_describe_latency(record, "latency_ns", &operation->latency);
	rda_describe_latency(record, "before_data_ns", &operation->before);
	rda_describe_latency(record, "data_ns", &operation->data);
	rda_describe_latency(record, "after_data_ns", &operation->after);
	rda_record_close(record);
}

static void put_status(struct rda_record *record, uint8_t protocol,
		       const struct rda_ulp_status *status)
{
	rda_record_open(record, NULL);
	put_operation_name(record, protocol, status->operation, status->operation_code);
	rda_record_hex(record, "status", status->code, 4);
	rda_record_text(record, "words", status->words);
	rda_record_number(record, "count", status->count);
	rda_record_number(record, "file", rda_place_capture(status->first_place));
	rda_record_number(record, "frame", rda_place_number(status->first_place));
	rda_record_close(record);
}

static void put_port(struct rda_record *record, const struct rda_ulp_port *port)
{
	rda_record_open(record, NULL);
	rda_record_number(record, "port", port->port);
	rda_record_number(record, "flow", port->side);
	rda_record_number(record, "times", port->times);
	rda_record_signed(record, "congested_ns", port->held_ns);
	rda_record_flag(record, "at_end", port->held);
	rda_record_number(record, "file", rda_place_capture(port->first_place));
	rda_record_number(record, "frame", rda_place_number(port->first_place));
	rda_record_close(record);
}

static void put_queue(struct rda_record *record, const struct rda_ulp_facts *ulp)
{
	char digits[32];

	rda_record_number_known(record, "queue", ulp->queue >= 0, (uint64_t)ulp->queue);
	rda_record_number(record, "depth_most", ulp->depth_most);
	g_snprintf(digits, sizeof(digits), "%.2f",
		   ulp->busy_ns ? (double)ulp->waited_ns / (double)ulp->busy_ns : 0.0);
	rda_record_decimal(record, "depth_mean", digits);
	rda_record_signed(record, "busy_ns", ulp->busy_ns);
}

/* SRP: the requests that the target grants. */
static void put_limit(struct rda_record *record, const struct rda_ulp_facts *ulp)
{
	rda_record_signed_known(record, "request_limit", ulp->has_limit, ulp->limit_first);
	rda_record_signed_known(record, "request_limit_least", ulp->has_limit, ulp->limit_least);
	rda_record_number_known(record, "request_limit_times", ulp->has_limit, ulp->limited_times);
	rda_record_signed_known(record, "request_limit_ns", ulp->has_limit, ulp->limited_ns);
}

void rda_describe_ulp(struct rda_record *record, const struct rda_ulp_facts *ulp)
{
	static const struct rda_ulp_operation no_operation;
	static const struct rda_ulp_status no_status;
	static const struct rda_ulp_port no_port;

	rda_record_number(record, "connection", ulp->connection);
	rda_record_number(record, "flow", ulp->side);
	rda_record_text(record, "protocol", rda_ulp_name(ulp->protocol));
	rda_record_number(record, "commands", ulp->asked);
	rda_record_number(record, "answered", ulp->answered);
	rda_record_number(record, "failed", ulp->failed);
	rda_record_number(record, "unanswered", ulp->unanswered);
	rda_record_number(record, "waiting", ulp->waiting);
	rda_record_number(record, "replaced", ulp->replaced);
	rda_record_number(record, "answers_to_unseen", ulp->unasked);
	rda_record_number(record, "messages_cut", ulp->cut);
	rda_record_number(record, "messages_unread", ulp->unread);
	rda_record_number(record, "data_of_unseen", ulp->unjoined);
	rda_record_number(record, "commands_forgotten", ulp->forgotten);
	put_queue(record, ulp);
	rda_record_open_list(record, "operations");
	for (uint32_t i = 0; i < rda_record_count(record, ulp->operation_count); i++)
		put_operation(record, ulp->protocol,
			      ulp->operation_count ? &ulp->operations[i] : &no_operation);
	rda_record_close(record);
	rda_record_open_list(record, "errors");
	for (uint32_t i = 0; i < rda_record_count(record, ulp->status_count); i++)
		put_status(record, ulp->protocol,
			   ulp->status_count ? &ulp->statuses[i] : &no_status);
	rda_record_close(record);
	rda_record_open_list(record, "congested_ports");
	for (uint32_t i = 0; i < rda_record_count(record, ulp->port_count); i++)
		put_port(record, ulp->port_count ? &ulp->ports[i] : &no_port);
	rda_record_close(record);
	rda_record_number(record, "congested_ports_not_kept", ulp->ports_not_kept);
	put_limit(record, ulp);
}

void rda_describe_slow_command(struct rda_record *record, const struct rda_ulp_slow *slow)
{
	rda_record_number(record, "connection", slow->connection);
	rda_record_text(record, "protocol", rda_ulp_name(slow->protocol));
	put_operation_name(record, slow->protocol, slow->operation, slow->operation_code);
	rda_record_hex(record, "status", slow->status, 4);
	rda_record_text(record, "words", slow->status_words);
	rda_record_number(record, "bytes", slow->bytes);
	rda_record_time(record, "time", true, slow->asked_ns);
	rda_record_signed(record, "latency_ns", slow->latency_ns);
	rda_record_signed_known(record, "before_data_ns", slow->has_parts, slow->before_ns);
	rda_record_signed_known(record, "data_ns", slow->has_parts, slow->data_ns);
	rda_record_signed_known(record, "after_data_ns", slow->has_parts, slow->after_ns);
	rda_record_number(record, "file", rda_place_capture(slow->place));
	rda_record_number(record, "frame", rda_place_number(slow->place));
	rda_record_number(record, "answer_file", rda_place_capture(slow->answer_place));
	rda_record_number(record, "answer_frame", rda_place_number(slow->answer_place));
}
