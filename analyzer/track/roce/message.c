/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages and their latencies; message.h has the reasoning.
 */
#include "analyzer/track/roce/message.h"

#include "analyzer/base/cold.h"
#include "dissectors/opcode.h"

#include <glib.h>

RDA_COLD static struct rda_messages *make_times(struct rda_assembly *assembly)
{
	assembly->times = g_new0(struct rda_messages, 1);
	return assembly->times;
}

static struct rda_messages *times_of(struct rda_assembly *assembly)
{
	return assembly->times ? assembly->times : make_times(assembly);
}

/* ---- completion ------------------------------------------------------------------------------ */

static void complete(struct rda_messages *m, struct rda_exchange *exchange, int64_t time_ns,
		     const struct rda_event_sink *sink)
{
	struct rda_event event = {
		.kind = RDA_EVENT_MESSAGE_DONE,
		.trigger = RDA_TRIGGER_NONE,
		.message = exchange->kind,
		.psn = exchange->begin,
		.count = exchange->bytes,
		.frame = exchange->last_frame,
		.other_frame = exchange->first_frame,
		.time_ns = time_ns,
		.exchange = exchange,
	};

	exchange->latency_ns = MAX(time_ns - exchange->start_ns, 0);
	event.wait_ns = exchange->latency_ns;
	rda_messages_add(m, (enum rda_message)exchange->kind, exchange->latency_ns);
	if (exchange->latency_ns > m->slowest.latency_ns)
		m->slowest = *exchange;
	rda_emit(sink, &event);
}

void rda_message_answered(struct rda_assembly *assembly, const struct rda_exchange *exchange,
			  int64_t time_ns, const struct rda_event_sink *sink)
{
	struct rda_exchange done = *exchange;

	complete(times_of(assembly), &done, time_ns, sink);
}

void rda_message_first_response(struct rda_assembly *assembly, int64_t latency_ns)
{
	rda_messages_add_first(times_of(assembly), latency_ns);
}

/* ---- SEND and WRITE -------------------------------------------------------------------------- */

static void open_message(struct rda_assembly *assembly, const struct rda_sent *record)
{
	times_of(assembly)->not_timed +=
		assembly->state != RDA_ASSEMBLY_NONE; /* its Last was never seen */
	assembly->state = RDA_ASSEMBLY_WHOLE;
	assembly->open = (struct rda_exchange){
		.begin = record->begin,
		.start_ns = record->sent_ns,
		.first_frame = record->first_frame,
		.kind = record->roles & RDA_ROLE_SEND ? RDA_MESSAGE_SEND : RDA_MESSAGE_WRITE,
	};
}

static void close_message(struct rda_assembly *assembly, const struct rda_sent *record,
			  int64_t time_ns, uint64_t frame, const struct rda_event_sink *sink)
{
	assembly->open.sent_ns = record->sent_ns;
	assembly->open.notifies = record->roles & RDA_ROLE_USES_RECEIVE;
	assembly->open.end = assembly->next;
	assembly->open.last_frame = frame;
	if (assembly->state == RDA_ASSEMBLY_WHOLE)
		complete(times_of(assembly), &assembly->open, time_ns, sink);
	else
		times_of(assembly)->not_timed++;
	assembly->state = RDA_ASSEMBLY_NONE;
}

void rda_message_settled(struct rda_assembly *assembly, const struct rda_sent *record,
			 int64_t time_ns, uint64_t frame, const struct rda_event_sink *sink)
{
	uint16_t roles = record->seen ? record->roles : 0;

	times_of(assembly);
	if (assembly->state == RDA_ASSEMBLY_WHOLE &&
	    (record->begin != assembly->next || !(roles & (RDA_ROLE_SEND | RDA_ROLE_WRITE))))
		assembly->state = RDA_ASSEMBLY_TORN;
	assembly->next = record->end;
	if (roles & RDA_ROLE_ANSWERED || !(roles & (RDA_ROLE_SEND | RDA_ROLE_WRITE)))
		return;
	if (roles & RDA_ROLE_FIRST)
		open_message(assembly, record);
	/* the first may have been lost before the tap, and be seen only when it was sent again */
	assembly->open.start_ns = MIN(assembly->open.start_ns, record->sent_ns);
	assembly->open.bytes += record->payload;
	assembly->open.resent += record->sent - 1u;
	if (roles & RDA_ROLE_LAST)
		close_message(assembly, record, time_ns, frame, sink);
}

/* ---- acknowledgments ------------------------------------------------------------------------- */

static void note_slow(struct rda_messages *m, const struct rda_slow_ack *ack)
{
	unsigned at = m->slow_ack_count;

	if (at == RDA_SLOW_ACKS) {
		if (ack->latency_ns <= m->slow_acks[at - 1].latency_ns)
			return;
		at--;
	} else {
		m->slow_ack_count++;
	}
	for (; at > 0 && m->slow_acks[at - 1].latency_ns < ack->latency_ns; at--)
		m->slow_acks[at] = m->slow_acks[at - 1];
	m->slow_acks[at] = *ack;
}

void rda_message_acked(struct rda_assembly *assembly, const struct rda_sent *record,
		       int64_t time_ns, uint64_t frame)
{
	struct rda_slow_ack ack = {time_ns - record->last_ns, record->last_frame, frame, time_ns};
	struct rda_messages *m;

	if (!record->ack_req || record->seen != 1 || record->sent != 1 || record->damaged ||
	    record->roles & RDA_ROLE_ANSWERED)
		return;
	m = times_of(assembly);
	rda_latency_add(&m->acks, ack.latency_ns);
	note_slow(m, &ack);
}
