/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How good captures are. See quality.h.
 */
#include "analyzer/facts/quality.h"

#include "analyzer/base/fetch.h"

#include <stddef.h>
#include <string.h>

/* An acknowledgment takes so many units of the clock, or a latency is told to a tenth at best. */
enum { UNITS_MIN = 10 };

/* ---- topics ---------------------------------------------------------------------------------- */

/* Masks of enum rda_lack_bit, by topic. */
static const struct {
	uint16_t nothing, less;
} needs[RDA_TOPIC_COUNT] = {
#define RDA_T(ID, name, words, nothing, less) [RDA_TOPIC_##ID] = {nothing, less},
	RDA_TOPICS(RDA_T)
#undef RDA_T
};

unsigned rda_topic_needs(unsigned topic)
{
	return needs[topic].nothing | needs[topic].less;
}

unsigned rda_topic_bars(unsigned topic)
{
	return needs[topic].nothing;
}

/* ---- a connection ---------------------------------------------------------------------------- */

static const struct rda_flow_facts *flow_of(const struct rda_quality_sources *of,
					    const struct rda_connection_facts *connection,
					    unsigned side)
{
	return connection->flows[side] < 0 ? NULL : of->flows[connection->flows[side]];
}

/* The lesser median of its two directions; 0: nothing was timed. */
static int64_t ack_time_of(const struct rda_quality_sources *of,
			   const struct rda_connection_facts *connection, bool *timed)
{
	int64_t least = 0;

	*timed = false;
	for (unsigned side = 0; side < 2; side++) {
		const struct rda_flow_facts *flow = flow_of(of, connection, side);
		int64_t median;

		if (!flow || !flow->latencies || !flow->latencies->acks.count)
			continue;
		median = rda_latency_percentile(&flow->latencies->acks, 50);
		if (!*timed || median < least)
			least = median;
		*timed = true;
	}
	return least;
}

static uint32_t capture_of(const struct rda_quality_sources *of,
			   const struct rda_connection_facts *connection)
{
	const struct rda_flow_facts *flow = flow_of(of, connection, 0);

	if (!flow)
		flow = flow_of(of, connection, 1);
	return flow ? rda_place_capture(flow->first_place) : 0;
}

static unsigned lacks_of_clock(const struct rda_quality_sources *of,
			       const struct rda_connection_facts *connection,
			       struct rda_quality *quality)
{
	const struct rda_stamps *stamps = &of->stamps[capture_of(of, connection)];
	bool timed;
	int64_t ack_ns = ack_time_of(of, connection, &timed);
	unsigned lacks = stamps->go_back ? RDA_LACK_CLOCK : 0;

	if (!timed)
		return lacks;
	if (!quality->acks_timed || ack_ns < quality->ack_ns)
		quality->ack_ns = ack_ns;
	quality->acks_timed = true;
	if (stamps->unit_ns <= 1 || ack_ns >= stamps->unit_ns * UNITS_MIN)
		return lacks;
	return lacks | (ack_ns < stamps->unit_ns ? RDA_LACK_TOO_COARSE : RDA_LACK_COARSE);
}

static unsigned lacks_of(const struct rda_quality_sources *of,
			 const struct rda_connection_facts *connection, struct rda_quality *quality)
{
	const unsigned all_seen = 0
#define RDA_X(ID, bit, name, otherwise) | RDA_SEEN_##ID
		RDA_SEEN(RDA_X)
#undef RDA_X
		;
	unsigned lacks = all_seen & ~(unsigned)connection->seen;

	if (!(connection->seen & (RDA_SEEN_CM | RDA_SEEN_START)))
		lacks |= RDA_LACK_SET_UP;
	return lacks | lacks_of_clock(of, connection, quality);
}

static bool uses_keys(const struct rda_quality_sources *of,
		      const struct rda_connection_facts *connection)
{
	uint64_t uses = 0;

	for (unsigned side = 0; side < 2; side++) {
		const struct rda_flow_facts *flow = flow_of(of, connection, side);

		for (enum rda_message kind = 0; flow && kind < RDA_MESSAGE_COUNT; kind++)
			if (kind != RDA_MESSAGE_SEND)
				uses += rda_flow_message_count(flow, kind).count;
	}
	return uses > 0;
}

static bool is_answered(const struct rda_connection_facts *connection)
{
	return connection->service == RDA_SERVICE_RC || connection->service == RDA_SERVICE_XRC ||
	       connection->service == RDA_SERVICE_IWARP;
}

/* Which topics it has to do with: a mask of 1 << enum rda_topic. */
static unsigned topics_of(const struct rda_quality_sources *of,
			  const struct rda_connection_facts *connection)
{
	unsigned keys = uses_keys(of, connection) ? 1u << RDA_TOPIC_KEYS : 0;

	if (is_answered(connection))
		return keys | 1u << RDA_TOPIC_LOSS | 1u << RDA_TOPIC_LATENCY |
		       1u << RDA_TOPIC_SET_UP;
	if (connection->service == RDA_SERVICE_UC)
		return keys | 1u << RDA_TOPIC_LOSS | 1u << RDA_TOPIC_SET_UP;
	return 0;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static void add(struct rda_quality *quality, unsigned index, unsigned lacks, uint32_t *with_nothing)
{
	struct rda_topic_quality *topic = &quality->topics[index];
	unsigned lacking = lacks & rda_topic_needs(index);

	topic->connections++;
	topic->without += lacking != 0;
	with_nothing[index] += (lacks & rda_topic_bars(index)) != 0;
	for (unsigned bit = 0; bit < RDA_LACK_COUNT; bit++)
		topic->lacking[bit] += lacking >> bit & 1;
}

static uint8_t tells_of(const struct rda_topic_quality *topic, uint32_t with_nothing)
{
	if (!topic->connections)
		return RDA_TELLS_NOT_ASKED;
	if (!topic->without)
		return RDA_TELLS;
	return with_nothing == topic->connections ? RDA_TELLS_NOTHING : RDA_TELLS_IN_PART;
}

static void add_captures(struct rda_quality *quality, const struct rda_quality_sources *of)
{
	for (uint32_t i = 0; i < of->capture_count; i++) {
		quality->dropped += of->captures[i].dropped;
		quality->cut += of->captures[i].cut_by_snaplen;
		if (of->stamps[i].unit_ns > quality->stamp_ns)
			quality->stamp_ns = of->stamps[i].unit_ns;
	}
}

/* What of a connection that comes up is looked at. */
static void fetch_connection(const struct rda_quality_sources *of, uint32_t index)
{
	for (unsigned side = 0; of->connection_count - index > RDA_FETCH_ITEMS && side < 2;
	     side++) {
		const struct rda_flow_facts *flow =
			flow_of(of, &of->connections[index + RDA_FETCH_ITEMS], side);

		if (!flow)
			continue;
		rda_fetch(&flow->first_place);
		rda_fetch(&flow->latencies);
		rda_fetch(&flow->messages);
	}
}

void rda_quality_of(struct rda_quality *quality, const struct rda_quality_sources *of)
{
	uint32_t with_nothing[RDA_TOPIC_COUNT] = {0};

	*quality = (struct rda_quality){0};
	add_captures(quality, of);
	for (uint32_t i = 0; i < of->connection_count; i++) {
		const struct rda_connection_facts *connection = &of->connections[i];
		unsigned topics = topics_of(of, connection);
		unsigned lacks = topics ? lacks_of(of, connection, quality) : 0;

		fetch_connection(of, i);
		if (connection->service == RDA_SERVICE_UC) /* nothing is answered */
			lacks &= ~(unsigned)RDA_LACK_BOTH;
		for (unsigned topic = 0; topic < RDA_TOPIC_COUNT; topic++)
			if (topics >> topic & 1)
				add(quality, topic, lacks, with_nothing);
		for (unsigned side = 0; side < 2; side++)
			if (topics && connection->flows[side] >= 0)
				quality->missed +=
					rda_flow_troubles(of->flows[connection->flows[side]])
						->lost_by_capture;
	}
	for (unsigned topic = 0; topic < RDA_TOPIC_COUNT; topic++)
		quality->topics[topic].tells =
			tells_of(&quality->topics[topic], with_nothing[topic]);
}
