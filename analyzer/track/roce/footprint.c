/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sizes of structs, and of what is allocated for them where that grows. See footprint.h.
 */
#include "analyzer/track/roce/footprint.h"

#include "analyzer/base/fetch.h"
#include "analyzer/base/latency.h"
#include "analyzer/track/roce/account_parts.h"
#include "analyzer/track/roce/answer_place.h"
#include "analyzer/track/roce/giveup.h"
#include "analyzer/track/roce/lean.h"
#include "analyzer/track/roce/look_back.h"
#include "analyzer/track/roce/other_ids.h"
#include "analyzer/track/roce/pending.h"
#include "analyzer/track/roce/reaction.h"
#include "analyzer/track/roce/run.h"
#include "analyzer/track/roce/sent_log.h"
#include "analyzer/track/roce/time_ledger.h"
#include "analyzer/track/roce/told_lost.h"
#include "analyzer/track/roce/trail.h"

#define BLOCK(pointer)	  (sizeof(*(pointer)) + RDA_FOOTPRINT_BLOCK)
#define OPTIONAL(pointer) ((pointer) ? BLOCK(pointer) : 0)

static uint64_t of_window(const struct rda_window *window)
{
	uint64_t each = window->lean ? sizeof(struct rda_lean_packet) : sizeof(struct rda_sent);

	return window->allocated * each + OPTIONAL(window->origin) +
	       window->headers_allocated * sizeof(struct rda_lean_header) + RDA_FOOTPRINT_BLOCK;
}

static uint64_t of_reactions(const struct rda_reactions *reactions)
{
	return reactions ? OPTIONAL(reactions) + rda_latency_bytes(&reactions->sent) +
				   rda_latency_bytes(&reactions->obeyed)
			 : 0;
}

static uint64_t of_log(const struct rda_sent_log *log)
{
	return log ? OPTIONAL(log) + log->allocated * sizeof(log->items[0]) : 0;
}

static uint64_t of_doubted(const struct rda_doubted *doubted)
{
	return doubted ? OPTIONAL(doubted) + doubted->allocated * sizeof(doubted->items[0]) : 0;
}

static uint64_t of_rare(const struct rda_account *account)
{
	const struct rda_requester_rare *asks = account->requester.rare;
	const struct rda_responder_rare *answers = account->responder.rare;
	const struct rda_requester_heard *heard = account->requester.heard;
	const struct rda_responder_heard *answered = account->responder.heard;

	return (asks == &rda_requester_ordinary ? 0 : BLOCK(asks)) +
	       (heard == &rda_requester_unheard ? 0 : BLOCK(heard)) +
	       (answered == &rda_responder_unheard ? 0 : BLOCK(answered)) +
	       (answers == &rda_responder_ordinary ? 0 : BLOCK(answers)) + OPTIONAL(answers->log);
}

static uint64_t of_account(const struct rda_account *account)
{
	const struct rda_requester *requester = &account->requester;
	const struct rda_waiting *waiting = &account->responder.waiting;
	const struct rda_owing *owing = &account->responder.rare->owing;

	return sizeof(*account) + RDA_FOOTPRINT_BLOCK + of_window(&requester->window) +
	       rda_messages_bytes(requester->heard->assembly.times) +
	       OPTIONAL(requester->heard->others) + OPTIONAL(account->responder.heard->gaps) +
	       OPTIONAL(requester->rare->past) + of_doubted(requester->rare->doubted) +
	       of_log(requester->rare->log) + rda_time_book_bytes(requester->time.book) +
	       OPTIONAL(requester->time.came) + OPTIONAL(requester->stall.times) +
	       OPTIONAL(requester->rare->giveup) + waiting->allocated * sizeof(*waiting->items) +
	       (owing->owed ? RDA_OWED_KEPT * sizeof(*owing->owed) : 0) + of_rare(account) +
	       OPTIONAL(owing->told) + rda_response_bounds_bytes(owing->bounds) +
	       of_reactions(requester->rare->reactions);
}

uint64_t rda_footprint_flow(const struct rda_flow *flow)
{
	uint64_t bytes = sizeof(*flow) + RDA_FOOTPRINT_BLOCK;

	if (flow->account)
		bytes += of_account(flow->account);
	if (flow->rare)
		bytes += sizeof(*flow->rare) + RDA_FOOTPRINT_BLOCK;
	if (flow->answers)
		bytes += sizeof(*flow->answers) + RDA_FOOTPRINT_BLOCK;
	if (flow->other_messages)
		bytes += RDA_MESSAGE_COUNT * sizeof(*flow->other_messages) + RDA_FOOTPRINT_BLOCK;
	if (rda_flow_rare(flow)->reads)
		bytes += RDA_READS_KEPT * sizeof(*flow->rare->reads);
	return bytes + rda_trail_footprint(rda_flow_rare(flow)->trail) +
	       flow->requests.allocated * sizeof(*flow->requests.more) +
	       rda_flow_rare(flow)->responses.allocated * sizeof(struct rda_range);
}

void rda_footprint_fetch(const struct rda_account *account)
{
	if (account)
		rda_fetch_lines(account, (sizeof(*account) + RDA_FETCH_LINE - 1) / RDA_FETCH_LINE);
}

void rda_footprint_fetch_rest(const struct rda_account *account)
{
	const struct rda_window *w;

	if (!account)
		return;
	w = &account->requester.window;
	if (w->lean && w->packets) {
		rda_fetch(rda_lean_place_of(w, w->count));
		rda_fetch(rda_lean_place_of(w, account->requester.settled));
	}
	if (account->requester.time.book)
		rda_fetch_lines(account->requester.time.book, 2);
}

void rda_footprint_spend(struct rda_account *account)
{
	struct rda_requester *r = account ? &account->requester : NULL;
	uint32_t gone;

	/* where anything was sent again, lost or refused, what became of it will be asked */
	if (!r || !r->settled || !r->window.lean || r->rare != &rda_requester_ordinary ||
	    account->responder.rare != &rda_responder_ordinary)
		return;
	/* of what kind the latest is will be asked (time_ledger.c) */
	gone = r->settled < r->window.count ? r->settled : r->settled - 1;
	rda_window_shrink(&r->window, gone);
	r->settled -= gone;
}
