/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Latencies of messages by kind: most flows have one. And the slowest messages, in order.
 */
#include "analyzer/track/messages.h"

#include "analyzer/track/roce/footprint.h"

#include <glib.h>

static void free_latency(struct rda_latency *latency)
{
	if (latency)
		rda_latency_cleanup(latency);
	g_free(latency);
}

void rda_messages_free(struct rda_messages *messages)
{
	if (!messages)
		return;
	for (unsigned i = 0; i < RDA_MESSAGE_COUNT; i++)
		free_latency(messages->latency[i]);
	free_latency(messages->first_response);
	rda_latency_cleanup(&messages->acks);
	g_free(messages);
}

/* Two blocks: the summary, and its samples. */
static uint64_t bytes_of(const struct rda_latency *latency)
{
	return latency ? sizeof(*latency) + rda_latency_bytes(latency) + 2 * RDA_FOOTPRINT_BLOCK
		       : 0;
}

uint64_t rda_messages_bytes(const struct rda_messages *messages)
{
	uint64_t bytes = sizeof(*messages) + 2 * RDA_FOOTPRINT_BLOCK;

	if (!messages)
		return 0;
	for (unsigned i = 0; i < RDA_MESSAGE_COUNT; i++)
		bytes += bytes_of(messages->latency[i]);
	return bytes + bytes_of(messages->first_response) + rda_latency_bytes(&messages->acks);
}

static void add(struct rda_latency **latency, int64_t ns)
{
	if (!*latency)
		*latency = g_new0(struct rda_latency, 1);
	rda_latency_add(*latency, ns);
}

void rda_messages_add(struct rda_messages *messages, enum rda_message kind, int64_t latency_ns)
{
	add(&messages->latency[kind], latency_ns);
}

void rda_messages_add_first(struct rda_messages *messages, int64_t latency_ns)
{
	add(&messages->first_response, latency_ns);
}

static const struct rda_latency none;

const struct rda_latency *rda_messages_of(const struct rda_messages *messages,
					  enum rda_message kind)
{
	return messages->latency[kind] ? messages->latency[kind] : &none;
}

const struct rda_latency *rda_messages_first(const struct rda_messages *messages)
{
	return messages->first_response ? messages->first_response : &none;
}

void rda_slowest_take(struct rda_slowest *s, const struct rda_exchange *exchange,
		      const struct rda_flow *flow)
{
	uint32_t at = s->count;

	if (at == RDA_SLOWEST_KEPT) {
		if (exchange->latency_ns <= s->messages[at - 1].exchange.latency_ns)
			return;
		at--;
	} else {
		s->count++;
	}
	for (; at > 0 && s->messages[at - 1].exchange.latency_ns < exchange->latency_ns; at--)
		s->messages[at] = s->messages[at - 1];
	s->messages[at] = (struct rda_slow_message){*exchange, flow};
}
