/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages and their latencies; message.h has the reasoning.
 */
#include "analyzer/track/roce/message.h"

#include "analyzer/base/cold.h"
#include "dissectors/opcode.h"

#include <glib.h>

/* What completes these is a response of their own, not an acknowledgment that passes them. */

void rda_messages_free(struct rda_messages *messages)
{
	if (!messages)
		return;
	for (unsigned i = 0; i < RDA_MESSAGE_COUNT; i++)
		rda_latency_cleanup(&messages->latency[i]);
	rda_latency_cleanup(&messages->first_response);
	rda_latency_cleanup(&messages->acks);
	g_free(messages);
}

RDA_COLD static struct rda_messages *make_messages(struct rda_messages **messages)
{
	*messages = g_new0(struct rda_messages, 1);
	return *messages;
}

static struct rda_messages *messages_of(struct rda_messages **messages)
{
	return *messages ? *messages : make_messages(messages);
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
	rda_latency_add(&m->latency[exchange->kind], exchange->latency_ns);
	if (exchange->latency_ns > m->slowest.latency_ns)
		m->slowest = *exchange;
	rda_emit(sink, &event);
}

void rda_message_answered(struct rda_messages **messages, const struct rda_exchange *exchange,
			  int64_t time_ns, const struct rda_event_sink *sink)
{
	struct rda_exchange done = *exchange;

	complete(messages_of(messages), &done, time_ns, sink);
}

void rda_message_first_response(struct rda_messages **messages, int64_t latency_ns)
{
	rda_latency_add(&messages_of(messages)->first_response, latency_ns);
}

/* ---- SEND and WRITE -------------------------------------------------------------------------- */

static void open_message(struct rda_messages *m, const struct rda_sent *record)
{
	m->not_timed += m->assembly != RDA_ASSEMBLY_NONE; /* its Last was never seen */
	m->assembly = RDA_ASSEMBLY_WHOLE;
	m->open = (struct rda_exchange){
		.begin = record->begin,
		.start_ns = record->sent_ns,
		.first_frame = record->first_frame,
		.kind = record->roles & RDA_ROLE_SEND ? RDA_MESSAGE_SEND : RDA_MESSAGE_WRITE,
	};
}

static void close_message(struct rda_messages *m, int64_t time_ns, uint64_t frame,
			  const struct rda_event_sink *sink)
{
	m->open.end = m->next;
	m->open.last_frame = frame;
	if (m->assembly == RDA_ASSEMBLY_WHOLE)
		complete(m, &m->open, time_ns, sink);
	else
		m->not_timed++;
	m->assembly = RDA_ASSEMBLY_NONE;
}

void rda_message_settled(struct rda_messages **messages, const struct rda_sent *record,
			 int64_t time_ns, uint64_t frame, const struct rda_event_sink *sink)
{
	struct rda_messages *m = messages_of(messages);
	uint16_t roles = record->seen ? record->roles : 0;

	if (m->assembly == RDA_ASSEMBLY_WHOLE &&
	    (record->begin != m->next || !(roles & (RDA_ROLE_SEND | RDA_ROLE_WRITE))))
		m->assembly = RDA_ASSEMBLY_TORN;
	m->next = record->end;
	if (roles & RDA_ROLE_ANSWERED || !(roles & (RDA_ROLE_SEND | RDA_ROLE_WRITE)))
		return;
	if (roles & RDA_ROLE_FIRST)
		open_message(m, record);
	/* the first may have been lost before the tap, and be seen only when it was sent again */
	m->open.start_ns = MIN(m->open.start_ns, record->sent_ns);
	m->open.bytes += record->payload;
	m->open.resent += record->sent - 1u;
	if (roles & RDA_ROLE_LAST)
		close_message(m, time_ns, frame, sink);
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

void rda_message_acked(struct rda_messages **messages, const struct rda_sent *record,
		       int64_t time_ns, uint64_t frame)
{
	struct rda_slow_ack ack = {time_ns - record->last_ns, record->last_frame, frame};
	struct rda_messages *m;

	if (!record->ack_req || record->seen != 1 || record->sent != 1 || record->damaged ||
	    record->roles & RDA_ROLE_ANSWERED)
		return;
	m = messages_of(messages);
	rda_latency_add(&m->acks, ack.latency_ns);
	note_slow(m, &ack);
}

struct rda_latency rda_message_latency(const struct rda_messages *messages)
{
	struct rda_latency all = {0};

	for (unsigned i = 0; i < RDA_MESSAGE_COUNT; i++)
		rda_latency_merge(&all, &messages->latency[i]);
	return all;
}
