/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a packet stands to others, part of its record: the same members for packets and FPDUs.
 */
#include "analyzer/report/describe.h"

static void put_number_if(struct rda_record *record, const char *name, bool known, uint64_t number)
{
	if (known)
		rda_record_number(record, name, number);
	else
		rda_record_null(record, name);
}

/* The number of a frame; where it is in another file than the packet, the file's beside it. */
static void put_frame(struct rda_record *record, const char *name, const char *file_name,
		      const struct rda_sight *sight, uint64_t place)
{
	put_number_if(record, name, place != 0, rda_place_number(place));
	if (place && rda_place_capture(place) != sight->input)
		rda_record_number(record, file_name, rda_place_capture(place));
	else
		rda_record_absent(record, file_name);
}

void rda_describe_trace(struct rda_record *record, const struct rda_sight *sight)
{
	const struct rda_verdict *verdict = &sight->verdict;
	const struct rda_trace *trace = &sight->trace;

	rda_record_words(record, "notes", sight->notes, sight->note_count);
	put_number_if(record, "connection", verdict->connection >= 0,
		      (uint64_t)verdict->connection);
	put_number_if(record, "flow", verdict->flow >= 0, (uint64_t)verdict->flow);
	if (trace->relative_known)
		rda_record_signed(record, "relative_psn", trace->relative_psn);
	else
		rda_record_null(record, "relative_psn");
	put_frame(record, "retransmission_of", "retransmission_of_file", sight,
		  trace->retransmission_of);
	put_frame(record, "answers", "answers_file", sight, trace->answers);
	rda_record_text(record, "role", rda_standing_name(trace->standing));
	rda_record_text(record, "resend_trigger", rda_trigger_name(trace->trigger));
	put_frame(record, "resend_cause", "resend_cause_file", sight, trace->cause);
	put_number_if(record, "message", trace->message_known, trace->message);
	put_frame(record, "message_frame", "message_frame_file", sight, trace->message_frame);
	put_number_if(record, "message_bytes", trace->message_known && trace->message_bytes >= 0,
		      (uint64_t)trace->message_bytes);
	put_number_if(record, "psns_in_flight", trace->flight_known, trace->psns_in_flight);
	put_number_if(record, "bytes_in_flight", trace->flight_known, trace->bytes_in_flight);
	put_number_if(record, "reads_outstanding", trace->reads_known, trace->reads_outstanding);
	put_number_if(record, "key_use", trace->key_known, trace->key_uses);
}
