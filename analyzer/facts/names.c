/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names of what rda.h numbers, as outputs have them.
 */
#include "analyzer/rda.h"

#include <string.h>

const char *rda_transport_name(uint8_t carrier)
{
	static const char *const names[RDA_CARRIER_COUNT] = {
#define RDA_C(ID, name, people) [RDA_CARRIER_##ID] = name,
		RDA_CARRIERS(RDA_C)
#undef RDA_C
	};

	return names[carrier];
}

const char *rda_icrc_name(uint8_t verdict)
{
	static const char *const names[RDA_ICRC_VERDICTS] = {
		[RDA_ICRC_NOT_CHECKABLE] = "not_checkable",
		[RDA_ICRC_GOOD] = "good",
		[RDA_ICRC_BAD] = "bad",
		[RDA_ICRC_ABSENT] = "absent",
	};

	return names[verdict];
}

const char *rda_service_name(uint8_t service)
{
	static const char *const names[] = {
#define RDA_S(ID, name) [RDA_SERVICE_##ID] = name,
		RDA_SERVICES(RDA_S)
#undef RDA_S
	};

	return names[service];
}

const char *rda_paired_by_name(uint8_t paired_by)
{
	static const char *const names[RDA_PAIRED_BY_COUNT] = {
#define RDA_P(ID, name) [RDA_PAIRED_BY_##ID] = name,
		RDA_PAIRED_BY(RDA_P)
#undef RDA_P
	};

	return names[paired_by];
}

const char *rda_message_name(uint8_t kind)
{
	static const char *const names[RDA_MESSAGE_COUNT] = {
#define RDA_M(ID, name) [RDA_MESSAGE_##ID] = name,
		RDA_MESSAGES(RDA_M)
#undef RDA_M
	};

	return names[kind];
}

const char *rda_timer_name(uint8_t timer)
{
	static const char *const names[RDA_TIMER_COUNT] = {
#define RDA_T(ID, name, words) [RDA_TIMER_##ID] = name,
		RDA_TIMERS(RDA_T)
#undef RDA_T
	};

	return names[timer];
}

const char *rda_ulp_name(uint8_t protocol)
{
	static const char *const names[RDA_ULP_COUNT] = {
#define RDA_U(ID, name, people) [RDA_ULP_##ID] = name,
		RDA_ULPS(RDA_U)
#undef RDA_U
	};

	return names[protocol];
}

/* In decimal; what is behind its last digit. */
static char *put_number(char *to, uint32_t number)
{
	char *end;

	if (number >= 10)
		to = put_number(to, number / 10);
	end = to + 1;
	*to = (char)('0' + number % 10);
	return end;
}

const char *rda_ulp_operation_name(char room[RDA_ULP_OPERATION_ROOM], uint8_t protocol,
				   const char *name, uint32_t code)
{
	char *to;

	if (name || protocol != RDA_ULP_RDS)
		return name;
	to = put_number(room, code >> 16);
	memcpy(to, " to ", 4);
	*put_number(to + 4, code & 0xffff) = '\0';
	return room;
}

const char *rda_ulp_people_name(uint8_t protocol)
{
	static const char *const names[RDA_ULP_COUNT] = {
#define RDA_U(ID, name, people) [RDA_ULP_##ID] = people,
		RDA_ULPS(RDA_U)
#undef RDA_U
	};

	return names[protocol];
}

static const struct {
	const char *name, *words;
} times[RDA_TIME_CAUSE_COUNT] = {
#define RDA_C(ID, name, words) [RDA_TIME_##ID] = {name, words},
	RDA_TIMES(RDA_C)
#undef RDA_C
#define RDA_T(ID, name, words) [RDA_TIME_RECOVERY + RDA_TRIGGER_##ID] = {name, "lost " words},
		RDA_TRIGGERS(RDA_T)
#undef RDA_T
};

const char *rda_time_name(uint8_t cause)
{
	return times[cause].name;
}

const char *rda_time_words(uint8_t cause)
{
	return times[cause].words;
}

const char *rda_lack_name(unsigned bit)
{
	static const char *const names[RDA_LACK_COUNT] = {
#define RDA_X(ID, bit, name, otherwise) [bit] = name,
		RDA_SEEN(RDA_X) RDA_LACKS(RDA_X)
#undef RDA_X
	};

	return names[bit];
}

const char *rda_lack_words(unsigned bit)
{
	static const char *const words[RDA_LACK_COUNT] = {
#define RDA_X(ID, bit, name, otherwise) [bit] = otherwise,
		RDA_SEEN(RDA_X) RDA_LACKS(RDA_X)
#undef RDA_X
	};

	return words[bit];
}

const char *rda_topic_name(unsigned topic)
{
	static const char *const names[RDA_TOPIC_COUNT] = {
#define RDA_T(ID, name, words, nothing, less) [RDA_TOPIC_##ID] = name,
		RDA_TOPICS(RDA_T)
#undef RDA_T
	};

	return names[topic];
}

const char *rda_topic_words(unsigned topic)
{
	static const char *const words_of[RDA_TOPIC_COUNT] = {
#define RDA_T(ID, name, words, nothing, less) [RDA_TOPIC_##ID] = words,
		RDA_TOPICS(RDA_T)
#undef RDA_T
	};

	return words_of[topic];
}

const char *rda_tells_name(uint8_t tells)
{
	static const char *const names[] = {NULL, "nothing", "in_part", "all"};

	return names[tells];
}

const char *rda_shape_name(uint8_t shape)
{
	static const char *const names[RDA_SHAPE_COUNT] = {
#define RDA_S(ID, name, words) [RDA_SHAPE_##ID] = name,
		RDA_SHAPES(RDA_S)
#undef RDA_S
	};

	return names[shape];
}

const char *rda_shape_words(uint8_t shape)
{
	static const char *const words_of[RDA_SHAPE_COUNT] = {
#define RDA_S(ID, name, words) [RDA_SHAPE_##ID] = words,
		RDA_SHAPES(RDA_S)
#undef RDA_S
	};

	return words_of[shape];
}
