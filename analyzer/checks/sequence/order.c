/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * S09, S10, S20: the order of opcodes and PSNs of requests.
 *
 *                First                    Last
 *     no message ------> SEND or WRITE  ------> no message
 *                         ^    | Middle
 *                         +----+
 *
 * Only packets that follow one another tell: behind a gap nothing is known until a message begins.
 */
#include "analyzer/checks/sequence/state.h"

#include "analyzer/base/psn.h"

/* At most half of the PSNs may be outstanding. */
#define PSNS_OUTSTANDING INT64_C(0x800000)

/* A wrap inside a larger jump is no wrap, but another connection's PSNs. */
#define PSN_JUMP 0x10000

static enum rda_message_state begun(uint16_t roles)
{
	if (roles & RDA_ROLE_LAST)
		return RDA_MESSAGE_STATE_NONE;
	return roles & RDA_ROLE_SEND ? RDA_MESSAGE_STATE_SEND : RDA_MESSAGE_STATE_WRITE;
}

enum rda_message_state rda_message_after(enum rda_message_state state, uint16_t roles,
					 enum rda_phrase *breaks)
{
	bool in_message = state == RDA_MESSAGE_STATE_SEND || state == RDA_MESSAGE_STATE_WRITE;
	enum rda_message_state of =
		roles & RDA_ROLE_SEND ? RDA_MESSAGE_STATE_SEND : RDA_MESSAGE_STATE_WRITE;

	*breaks = RDA_PHRASE_NONE;
	if (roles & RDA_ROLE_FIRST) {
		if (in_message)
			*breaks = RDA_PHRASE_NOT_ENDED;
		return begun(roles);
	}
	if (state == RDA_MESSAGE_STATE_NONE)
		*breaks = RDA_PHRASE_NOT_BEGUN;
	else if (in_message && state != of)
		*breaks = RDA_PHRASE_OTHER_KIND;
	return roles & RDA_ROLE_LAST ? RDA_MESSAGE_STATE_NONE : of;
}

/* The request before it, of a reliable service, is remembered: whether its ICRC fits. */
static bool was_before_checked(const struct rda_at *at)
{
	const struct rda_sent *sent = rda_account_sent(at->flow->account, at->request->begin - 1);

	return sent && sent->seen && !sent->damaged && rda_judge_was_checked(at, at->flow, sent);
}

/* S09: two packets contradict each other. */
uint8_t rda_order_opcode(const struct rda_at *at, uint8_t state, const bool *checked)
{
	enum rda_phrase breaks;
	enum rda_message_state after = rda_message_after((enum rda_message_state)state,
							 at->packet->opcode->roles, &breaks);

	if (breaks)
		rda_finding_say(
			rda_finding_by_both(at, checked ? *checked : was_before_checked(at),
					    RDA_CHECK_S09, rda_about_flow(at->flow)),
			RDA_SAY_S09_BREAKS, RDA_ARG_WORD("opcode", at->packet->opcode->name),
			RDA_ARG_PSN("psn", at->packet->bth.psn), RDA_ARG_PHRASE("breaks", breaks));
	return (uint8_t)after;
}

/* S10, once; and once more where the first packet that told it may have come damaged. */
RDA_COLD static void window_exceeds(const struct rda_at *at, struct rda_sequence_watch *watch)
{
	const struct rda_progress *progress = rda_account_progress(at->flow->account);
	struct rda_finding *finding;

	/* what was acknowledged is known only where an acknowledgment was seen */
	if (watch->window_told || !at->flow->peer || !progress->acked_frame ||
	    (watch->window_suspected && !rda_judge_is_checked(at)))
		return;
	watch->window_told = rda_judge_is_checked(at);
	watch->window_suspected = true;
	finding = rda_finding_by_bytes(at, RDA_CHECK_S10, rda_about_flow(at->flow));
	rda_finding_frame(finding, progress->acked_frame);
	rda_finding_say(finding, RDA_SAY_S10_OUTSTANDING,
			RDA_ARG_SIGNED("psns", at->request->end - progress->acked));
}

/* S20 */
void rda_order_wrap(const struct rda_at *at, int64_t next, int64_t begin, int64_t end)
{
	if (!next || (end - 1) >> 24 == (next - 1) >> 24 || begin - next >= PSN_JUMP)
		return;
	rda_finding_say(rda_finding_at(at, RDA_CHECK_S20), RDA_SAY_S20_WRAP, RDA_ARG_NONE);
}

/* In the middle of a message of its kind, as most packets are. */
static inline bool continues(uint8_t state, uint16_t roles)
{
	return !(roles & RDA_ROLE_ONLY) &&
	       state == (roles & RDA_ROLE_SEND ? RDA_MESSAGE_STATE_SEND : RDA_MESSAGE_STATE_WRITE);
}

void rda_order_request(const struct rda_at *at, struct rda_sequence_watch *watch)
{
	const struct rda_request *q = at->request;

	if (watch->next && q->begin > watch->next)
		watch->message = RDA_MESSAGE_STATE_UNKNOWN;
	if (!continues(watch->message, q->roles))
		watch->message = rda_order_opcode(at, watch->message, NULL);
	if (q->end - rda_account_progress(at->flow->account)->acked > PSNS_OUTSTANDING)
		window_exceeds(at, watch);
	rda_order_wrap(at, watch->next, q->begin, q->end);
	watch->next = q->end;
}
