/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a connection spent its time on; see state.h.
 */
#include "analyzer/checks/time/state.h"

#include "analyzer/base/address.h"
#include "analyzer/facts/time_facts.h"
#include "analyzer/track/messages.h"
#include "analyzer/track/roce/account.h"
#include "analyzer/track/roce/reaction.h"

#include <glib.h>

enum {
	MESSAGES_MIN = 4,      /* fewer show no habit */
	SPAN_MIN_NS = 1000000, /* less tells nothing */
	MOST_PERCENT = 50,     /* is what a connection is about */
	LOST_PERCENT = 20,     /* so much is worth a word where it need not be at all */
	IDLE_PERCENT = 90,     /* a connection that is used now and then is nothing odd */
	WAY_PERCENT = 10,      /* is worth a word */
	ALIKE_PERCENT = 90,    /* of the time: then all were alike */
	DEEPER_THAN_ONE = 16,  /* the queue depth that is proposed to who has one request out */
	DEEPER = 2,	       /* so many times as deep, to others */
};

static bool has_part(const struct rda_flow_time *time, int64_t ns, unsigned percent)
{
	return ns / percent >= time->total_ns / 100 && ns > 0;
}

static int64_t per_mille(const struct rda_flow_time *time, int64_t ns)
{
	return (int64_t)((double)ns * 1000 / (double)time->total_ns + 0.5);
}

/* The greatest of what need not be: pauses of the link, RNR waits, resends, CNPs;
 * RDA_TIME_CAUSE_COUNT of none. */
static uint8_t worst_of(const struct rda_flow_time *time)
{
	struct rda_flow_time lost = *time;
	uint8_t worst;

	for (unsigned i = 0; i < RDA_TIME_RECOVERY; i++)
		if (i != RDA_TIME_CONGESTION && i != RDA_TIME_HELD)
			lost.ns[i] = 0;
	worst = rda_time_facts_most(&lost);
	return worst < RDA_TIME_CAUSE_COUNT && has_part(time, time->ns[worst], LOST_PERCENT)
		       ? worst
		       : RDA_TIME_CAUSE_COUNT;
}

/* Where the time of one direction went, and which ports held it. */
struct spent {
	struct rda_flow_time time;
	struct rda_held held[RDA_HELD_KINDS];
};

/* What is told of one direction, and for how much of its time. */
struct share {
	const struct rda_flow_time *time;
	const struct rda_held *held; /* RDA_HELD_KINDS */
	struct rda_finding *finding;
	int64_t ns;
};

#define SHARE(share)                                                                               \
	RDA_ARG_DECIMAL("percent", per_mille((share)->time, (share)->ns), 1),                      \
		RDA_ARG_TIME("total_ns", (share)->time->total_ns)

/* As many times as the sender could be faster if it did not wait: at most what more requests help.
 */
static uint64_t times_faster(const struct rda_flow_time *time, uint64_t deeper)
{
	int64_t sending = time->ns[RDA_TIME_SENDING];

	return sending > 0 ? CLAMP((uint64_t)(time->total_ns / sending), 1, deeper) : deeper;
}

static const char *const kinds[RDA_MESSAGE_COUNT] = {
#define RDA_M(ID, name) [RDA_MESSAGE_##ID] = #ID,
	RDA_MESSAGES(RDA_M)
#undef RDA_M
};

/* `messages`: of the requester, whose answers it waits for; NULL: none ended. */
static void say_limited(const struct share *share, int64_t way, const struct rda_messages *messages)
{
	const struct rda_flow_time *time = share->time;
	uint64_t deeper = time->depth == 1 ? DEEPER_THAN_ONE : DEEPER;
	int64_t half_ns =
		messages ? rda_latency_percentile(rda_messages_of(messages, time->kind), 50) : 0;

	rda_finding_say(share->finding, RDA_SAY_T13_LIMITED, SHARE(share),
			RDA_ARG_NUMBER("requests", time->depth),
			RDA_ARG_WORD("kind", kinds[time->kind]),
			RDA_ARG_TIME("wait_ns", time->limited_ns / (int64_t)time->limited_waits),
			RDA_ARG_IF(half_ns > 0, RDA_ARG_TIME("half_ns", half_ns)),
			RDA_ARG_IF(way > 0, RDA_ARG_TIME("way_ns", way)),
			RDA_ARG_NUMBER("deeper", time->depth * deeper),
			RDA_ARG_NUMBER("times", times_faster(time, deeper)));
}

/* The port is that which held most of it. */
static void say_held(const struct share *share)
{
	const struct rda_held *held = &share->held[RDA_HELD_REQUESTS];
	bool responses = share->held[RDA_HELD_RESPONSES].ns > held->ns;

	if (responses)
		held = &share->held[RDA_HELD_RESPONSES];
	rda_finding_say(share->finding, RDA_SAY_T13_HELD, SHARE(share),
			RDA_ARG_FLAG("responses", responses),
			RDA_ARG_MAC("port", rda_address_mac_number(held->mac)),
			RDA_ARG_FLAG("all_priorities", held->priority < 0),
			RDA_ARG_IF(held->priority >= 0,
				   RDA_ARG_NUMBER("priority", (uint64_t)held->priority)),
			RDA_ARG_NUMBER("gaps", held->gaps),
			RDA_ARG_TIME("longest_ns", held->longest_ns));
}

/*
 * One pause is most of it, and long enough for a timer: what was lost before this capture point and
 * passes when it is sent again looks the same.
 */
static bool may_be_lost(const struct rda_flow_time *time)
{
	return time->pause_ns >= RDA_TIMER_IN_USE_NS &&
	       time->pause_ns >= time->ns[RDA_TIME_IDLE] / 2;
}

static void say(const struct share *share, enum rda_saying saying)
{
	rda_finding_say(share->finding, saying, SHARE(share));
}

/* What was put off most lately asks for an answer, and takes no receive. */
static bool puts_off_reads(const struct rda_flow *flow)
{
	const struct rda_giveup *giveup = rda_giveup_of(flow);

	return giveup && giveup->put_off.stops.asks;
}

static void tell(struct rda_judge *judge, const struct rda_flow *flow, const struct spent *spent,
		 uint8_t cause, int64_t way)
{
	const struct rda_flow_time *time = &spent->time;
	const struct rda_messages *messages = rda_account_messages(flow);
	uint64_t place = messages && messages->slowest.latency_ns ? messages->slowest.first_frame
								  : flow->first_place;
	struct share share = {
		time,
		spent->held,
		rda_finding_add(&judge->findings, RDA_CHECK_T13, rda_about_flow(flow), place),
		time->ns[cause] + way,
	};

	switch (cause) {
	case RDA_TIME_IDLE:
		rda_finding_say(
			share.finding, RDA_SAY_T13_IDLE, SHARE(&share),
			RDA_ARG_IF(may_be_lost(time), RDA_ARG_TIME("pause_ns", time->pause_ns)),
			RDA_ARG_IF(has_part(time, time->perhaps_way_ns, MOST_PERCENT),
				   RDA_ARG_TIME("way_ns", time->perhaps_way_ns)));
		break;
	case RDA_TIME_LIMITED:
		if (time->limited_ns >= time->ns[cause] / 2)
			say_limited(&share, way, messages);
		else
			say(&share, RDA_SAY_T13_WINDOW);
		break;
	case RDA_TIME_WAITING: say(&share, RDA_SAY_T13_WAITING); break;
	case RDA_TIME_PAUSED: say(&share, RDA_SAY_T13_PAUSED); break;
	case RDA_TIME_HELD: say_held(&share); break;
	case RDA_TIME_CONGESTION: say(&share, RDA_SAY_T13_CONGESTION); break;
	case RDA_TIME_RECOVERY + RDA_TRIGGER_RNR:
		rda_finding_say(share.finding, RDA_SAY_T13_RNR, SHARE(&share),
				RDA_ARG_FLAG("reads", puts_off_reads(flow)));
		break;
	default:
		rda_finding_say(
			share.finding, RDA_SAY_T13_RECOVERY, SHARE(&share),
			RDA_ARG_WORD("cause", rda_time_words(cause)),
			RDA_ARG_FLAG("perhaps_timeout",
				     cause == RDA_TIME_RECOVERY + RDA_TRIGGER_NAK &&
					     rda_reactions_may_be_timers(rda_reactions_of(flow))));
		break;
	}
}

static bool is_idle(const struct rda_flow_time *time)
{
	return !time->known || has_part(time, time->ns[RDA_TIME_IDLE], IDLE_PERCENT);
}

/*
 * Each request comes the same time after the answer to the one before: it is on its way, as a rule,
 * from a requester that is far from here, and held by its limit all the same. 0: it does not.
 */
static int64_t way_of(const struct rda_flow_time *time)
{
	int64_t idle = time->ns[RDA_TIME_IDLE];

	if (!time->depth || !has_part(time, idle, WAY_PERCENT) || time->limited_ns < idle / 2 ||
	    time->perhaps_way_ns < idle / 100 * ALIKE_PERCENT)
		return 0;
	return idle;
}

/* T13: one direction, where `back` is the time of the other. */
static void judge_spent(struct rda_judge *judge, const struct rda_flow *flow,
			const struct spent *spent, const struct rda_flow_time *back)
{
	const struct rda_flow_time *time = &spent->time;
	uint8_t most = rda_time_facts_most(time), worst = worst_of(time);
	int64_t way = way_of(time);

	if (way && most == RDA_TIME_IDLE)
		most = RDA_TIME_LIMITED;
	if (most != RDA_TIME_LIMITED)
		way = 0;
	if (worst < RDA_TIME_CAUSE_COUNT)
		tell(judge, flow, spent, worst, 0);
	else if (most == RDA_TIME_SENDING || most == RDA_TIME_CAUSE_COUNT)
		return;
	else if (most == RDA_TIME_IDLE ? is_idle(time) && is_idle(back)
				       : has_part(time, time->ns[most] + way, MOST_PERCENT))
		tell(judge, flow, spent, most, way);
}

/* Of a QP that was set up anew, perhaps, with the PSNs it had, what passed meanwhile looks like the
 * wait for a timer. */
static bool is_doubtful(const struct rda_flow *flow, const struct rda_flow_time *time)
{
	return rda_account_was_anew(flow) &&
	       has_part(time, time->ns[RDA_TIME_RECOVERY + RDA_TRIGGER_TIMEOUT], LOST_PERCENT);
}

static uint64_t messages_of(const struct rda_flow *flow)
{
	uint64_t count = 0;

	for (unsigned i = 0; i < RDA_MESSAGE_COUNT; i++)
		count += rda_flow_messages(flow, (enum rda_message)i).count;
	return count;
}

void rda_spent_end(struct rda_judge *judge, const struct rda_connection *connection)
{
	const struct rda_flow *any =
		connection->flows[0] ? connection->flows[0] : connection->flows[1];
	uint32_t capture = rda_place_capture(any->first_place);
	struct spent spent[2] = {0};

	if (rda_was_set_back(judge->whole.captures[capture].back_ns))
		return; /* nobody knows how long it took */
	for (unsigned i = 0; i < 2; i++)
		if (connection->flows[i])
			rda_time_facts_of(&spent[i].time, spent[i].held, connection->flows[i]);
	for (unsigned i = 0; i < 2; i++) {
		const struct rda_flow *flow = connection->flows[i];

		if (flow && spent[i].time.known && spent[i].time.total_ns >= SPAN_MIN_NS &&
		    messages_of(flow) >= MESSAGES_MIN && !is_doubtful(flow, &spent[i].time))
			judge_spent(judge, flow, &spent[i], &spent[1 - i].time);
	}
}
