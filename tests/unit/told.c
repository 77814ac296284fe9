/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Words for what a requester and its responder say. See told.h.
 */
#include "tests/unit/told.h"

#include "dissectors/aeth.h"
#include "dissectors/opcode.h"
#include "tests/unit/suite.h"

#include <stdio.h>
#include <string.h>

static void hear(void *context, const struct rda_event *event)
{
	struct rda_told *told = context;

	told->doubted += event->kind == RDA_EVENT_RESEND && event->doubted;
}

static void respond(struct rda_told *told, bool nak, unsigned psn,
		    const struct rda_event_sink *sink)
{
	struct rda_response response = {
		.time_ns = told->ns,
		.frame = (uint64_t)told->ns,
		.has_aeth = true,
		.psn = psn,
		.roles = RDA_ROLE_RESPONSE | RDA_ROLE_ACK,
		.syndrome = nak ? RDA_SYNDROME_NAK_SEQUENCE : 0x1f,
	};

	rda_responder_response(&told->responder, &told->requester, &response, sink);
}

static void request(struct rda_told *told, unsigned psn, unsigned ip_id,
		    const struct rda_event_sink *sink)
{
	static const char letters[RDA_REQUEST_KINDS] = {'n', 'R', 'l', 'm'};
	struct rda_request request = {
		.time_ns = told->ns,
		.frame = (uint64_t)told->ns,
		.roles = RDA_ROLE_REQUEST | RDA_ROLE_ONLY | RDA_ROLE_SEND,
		.begin = psn,
		.end = (int64_t)psn + 1,
		.ip_id = (uint16_t)ip_id,
	};
	size_t count = strlen(told->kinds);
	uint64_t original;

	ck_assert_uint_lt(count + 1, sizeof(told->kinds));
	told->kinds[count] =
		letters[rda_requester_packet(&told->requester, &request, sink, &original)];
	rda_responder_request(&told->responder, &told->requester, &request,
			      (enum rda_request_kind)RDA_REQUEST_NEW, sink);
}

static void tell(struct rda_told *told, const char *word, const struct rda_event_sink *sink)
{
	unsigned number, ip_id = 0;

	told->ns += 10000;
	if (sscanf(word, "ms:%u", &number) == 1)
		told->ns += number * INT64_C(1000000);
	else if (sscanf(word, "nak:%u", &number) == 1)
		respond(told, true, number, sink);
	else if (sscanf(word, "ack:%u", &number) == 1)
		respond(told, false, number, sink);
	else if (sscanf(word, "damaged:%u", &ip_id) == 1)
		rda_requester_damaged(&told->requester, told->ns, (uint64_t)told->ns,
				      (uint16_t)ip_id);
	else if (sscanf(word, "%u:%u", &number, &ip_id) >= 1)
		request(told, number, ip_id, sink);
	else
		ck_abort_msg("no word: %s", word);
}

void rda_told(struct rda_told *told, const char *script)
{
	const struct rda_event_sink sink = {hear, told};
	char copy[512], *save = NULL;

	*told = (struct rda_told){.ns = 1000000};
	rda_requester_init(&told->requester, 0);
	rda_responder_init(&told->responder);
	ck_assert_uint_lt(strlen(script), sizeof(copy));
	strcpy(copy, script);
	for (char *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save))
		tell(told, word, &sink);
	for (unsigned i = 0; i < RDA_TRIGGER_COUNT; i++)
		told->runs += (unsigned)told->requester.rare->counts.resends[i];
}

void rda_told_cleanup(struct rda_told *told)
{
	rda_requester_cleanup(&told->requester);
	rda_responder_cleanup(&told->responder);
}
