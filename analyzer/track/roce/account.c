/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The values that the trackers ask for, taken from packets: widened PSNs, the PSNs that a READ
 * takes, what tells copies of one packet from a resend.
 */
#include "analyzer/track/roce/account.h"

#include "analyzer/base/cold.h"
#include "analyzer/base/psn.h"
#include "analyzer/track/roce/account_parts.h"
#include "analyzer/track/roce/copies.h"
#include "analyzer/track/roce/lean.h"
#include "analyzer/track/roce/other_ids.h"
#include "analyzer/track/roce/reaction.h"
#include "analyzer/track/roce/read_span.h"
#include "analyzer/track/roce/tally.h"
#include "analyzer/track/roce/turn.h"
#include "analyzer/track/setup/cm_track.h"
#include "dissectors/icrc.h"

#include <glib.h>

void rda_account_free(struct rda_account *account)
{
	if (!account)
		return;
	rda_requester_cleanup(&account->requester);
	rda_responder_cleanup(&account->responder);
	g_free(account);
}

uint32_t rda_account_mtu(const struct rda_flow *flow)
{
	if (flow->path_mtu)
		return flow->path_mtu;
	if (rda_flow_is_path_mtu(flow->full_payload) && !flow->full_payload_varies)
		return flow->full_payload;
	if (flow->peer && rda_flow_is_path_mtu(flow->peer->full_payload) &&
	    !flow->peer->full_payload_varies)
		return flow->peer->full_payload;
	return 0;
}

RDA_COLD static struct rda_account *make_account(struct rda_flow *flow, uint32_t window_cap)
{
	flow->account = g_new0(struct rda_account, 1);
	rda_requester_init(&flow->account->requester, window_cap);
	rda_responder_init(&flow->account->responder);
	if (flow->pair && rda_cm_sender(flow->pair, flow)->first_psn >= 0)
		rda_requester_agreed(&flow->account->requester,
				     (uint32_t)rda_cm_sender(flow->pair, flow)->first_psn);
	return flow->account;
}

/* The request that a packet carries; PSNs near `near`. */
RDA_INLINE void take(struct rda_request *request, const struct rda_flow *flow,
		     const struct rda_posting *posting, int64_t near)
{
	const struct rda_packet *packet = posting->packet;

	*request = (struct rda_request){
		.begin = rda_psn_widen(near, packet->bth.psn),
		.time_ns = posting->meta->time_ns,
		.frame = posting->place,
		.payload = packet->payload_length,
		.icrc = rda_icrc_stored(posting->frame, packet),
		.ip_id = packet->ip_id,
		.opcode = packet->bth.opcode,
		.roles = packet->opcode->roles,
		.ack_req = packet->bth.ack_req,
	};
	request->end = request->begin + 1;
	if (packet->opcode->headers) /* none: nearly all packets of long messages */
		rda_request_headers(request, packet, rda_account_mtu(flow));
}

enum rda_request_kind rda_account_request(struct rda_flow *flow, const struct rda_posting *posting,
					  struct rda_request *request, uint64_t *original)
{
	struct rda_account *account =
		flow->account ? flow->account : make_account(flow, posting->window_cap);
	struct rda_requester *requester = &account->requester;
	enum rda_request_kind kind;

	take(request, flow, posting,
	     requester->run.started ? requester->run.next
				    : rda_psn_first(posting->packet->bth.psn));
	kind = rda_requester_packet(requester, request, posting->sink, original);
	rda_responder_request(&account->responder, requester, request, kind, posting->sink);
	return kind;
}

enum rda_request_kind rda_account_copy(struct rda_flow *flow, const struct rda_posting *posting,
				       struct rda_request *request, uint64_t original)
{
	struct rda_requester *requester = &flow->account->requester;

	take(request, flow, posting, requester->run.next);
	rda_tally_copy(requester);
	if (rda_requester_copied_seldom(requester)) /* what was copied is noted in its record */
		rda_window_thicken(&requester->window);
	rda_requester_copied(requester, request, requester->ordinal, posting->sink);
	rda_responder_copied(&flow->account->responder, requester, request, original);
	rda_tally_emit(posting->sink, RDA_EVENT_MIRRORED, request, request->begin, 1, original);
	return RDA_REQUEST_MIRRORED;
}

void rda_account_response(struct rda_flow *flow, const struct rda_posting *posting)
{
	const struct rda_packet *packet = posting->packet;
	struct rda_account *account = flow->peer ? flow->peer->account : NULL;
	struct rda_response response = {
		.psn = packet->bth.psn,
		.time_ns = posting->meta->time_ns,
		.frame = posting->place,
		.roles = packet->opcode->roles,
		.ip_id = packet->ip_id,
		.has_aeth = rda_has(packet, AETH),
		.payload = packet->payload_length,
	};

	if (flow->account) {
		rda_other_ids_note(&flow->account->requester, packet->ip_id);
		response.requests = &flow->account->requester.order;
	}
	if (!account)
		return;
	if (response.has_aeth) {
		response.syndrome = packet->aeth.syndrome;
		response.msn = packet->aeth.msn;
	}
	if (packet->opcode->roles & RDA_ROLE_READ) {
		rda_window_thicken(&account->requester.window);
		rda_read_span_answered(account, &response, rda_account_mtu(flow->peer));
		response.untold = rda_copies_are_untold(flow, RDA_ROLE_RESPONSE);
	}
	rda_responder_response(&account->responder, &account->requester, &response, posting->sink);
}

uint64_t rda_account_asked(const struct rda_flow *asker, uint32_t psn)
{
	const struct rda_sent *sent = NULL;

	if (asker && asker->account)
		sent = rda_account_sent(asker->account, rda_account_widen(asker->account, psn));
	return sent ? sent->last_frame : 0;
}

RDA_APART void rda_account_damaged(struct rda_flow *flow, const struct rda_posting *posting)
{
	struct rda_account *asker = flow->peer ? flow->peer->account : NULL;
	bool response = posting->packet->opcode->roles & RDA_ROLE_RESPONSE;

	if (response && asker)
		rda_responder_damaged(&asker->responder, &asker->requester,
				      posting->packet->bth.psn);
	if (flow->account && response)
		rda_tally_damaged_answer(&flow->account->requester);
	else if (flow->account)
		rda_requester_damaged(&flow->account->requester, posting->meta->time_ns,
				      posting->place, posting->packet->ip_id);
}

/* ---- what an account tells ------------------------------------------------------------------- */

static const struct rda_account nothing = {
	.requester = {.rare = &rda_requester_ordinary, .heard = &rda_requester_unheard},
	.responder = {.rare = &rda_responder_ordinary, .heard = &rda_responder_unheard},
};

static const struct rda_account *account_of(const struct rda_flow *flow)
{
	return flow && flow->account ? flow->account : &nothing;
}

const struct rda_request_counts *rda_account_counts(const struct rda_flow *flow)
{
	return &account_of(flow)->requester.rare->counts;
}

uint64_t rda_account_new_requests(const struct rda_flow *flow)
{
	return account_of(flow)->requester.news;
}

const struct rda_unexpected_counts *rda_account_unexpected(const struct rda_flow *flow)
{
	return &account_of(flow)->responder.rare->unexpected;
}

bool rda_account_begins_here(const struct rda_flow *flow)
{
	return account_of(flow)->requester.begun.is_told;
}

/* Most answers are in the capture twice: so a mirror shows the requests, too. */
static bool is_mirrored(const struct rda_flow *flow)
{
	unsigned kind = rda_copies_kind(RDA_ROLE_RESPONSE);
	uint64_t copies = flow->peer ? rda_flow_rare(flow->peer)->alike[kind].copies : 0;

	return copies && copies >= rda_flow_ids(flow->peer, kind)->packets / 2;
}

uint64_t rda_account_duplicates(const struct rda_flow *flow)
{
	const struct rda_account *account = account_of(flow);

	return rda_responder_duplicates(&account->responder, &account->requester,
					is_mirrored(flow));
}

const struct rda_response_counts *rda_account_response_counts(const struct rda_flow *flow)
{
	return &account_of(flow)->responder.rare->counts;
}

uint64_t rda_account_forgotten(const struct rda_flow *flow)
{
	return account_of(flow)->requester.window.dropped;
}

uint64_t rda_account_forgotten_reads(const struct rda_flow *flow)
{
	return account_of(flow)->responder.rare->forgotten;
}

const struct rda_messages *rda_account_messages(const struct rda_flow *flow)
{
	return account_of(flow)->requester.heard->assembly.times;
}

struct rda_message_progress rda_account_message_progress(const struct rda_account *account)
{
	struct rda_message_progress message = account->requester.message;

	message.unseen += account->requester.window.dropped;
	return message;
}

uint64_t rda_account_ended(const struct rda_account *account, int64_t psn)
{
	const struct rda_requester *r = &account->requester;
	uint64_t ended = r->message.done;
	struct rda_sent sent;

	if (r->window.lean)
		return ended + rda_lean_ended(&r->window, r->settled, psn);
	for (uint32_t i = 0; rda_account_outstanding(account, i, &sent) && sent.end <= psn + 1; i++)
		ended += (sent.roles & RDA_ROLE_LAST) != 0;
	return ended;
}

int64_t rda_account_stalled_ns(const struct rda_flow *flow, enum rda_trigger trigger)
{
	const struct rda_stall *stall = &account_of(flow)->requester.stall;

	return trigger == RDA_TRIGGER_NONE ? rda_stall_total(stall) : rda_stall_of(stall, trigger);
}

bool rda_account_moved_since(const struct rda_account *account, int64_t time_ns)
{
	const struct rda_stall *stall = &account->requester.stall;

	return stall->progressed && stall->progress_ns > time_ns;
}

int64_t rda_account_rtt_ns(const struct rda_flow *flow)
{
	return account_of(flow)->requester.rtt.smooth_ns;
}

const struct rda_progress *rda_account_progress(const struct rda_account *account)
{
	return &account->requester.progress;
}

int64_t rda_account_widen(const struct rda_account *account, uint32_t psn)
{
	return rda_psn_widen(account->requester.progress.acked, psn);
}

int64_t rda_account_answered(const struct rda_account *account)
{
	return MIN(account->requester.progress.acked, account->requester.progress.incomplete);
}

/* A record is what it is, whether the window has it ready or makes it now. */
static const struct rda_sent *record_at(const struct rda_account *account, int64_t index)
{
	rda_window_thicken((struct rda_window *)&account->requester.window);
	return rda_window_at(&account->requester.window, index);
}

const struct rda_sent *rda_account_sent(const struct rda_account *account, int64_t psn)
{
	int64_t index = rda_window_find(&account->requester.window, psn);

	return index < 0 ? NULL : record_at(account, index);
}

uint16_t rda_account_roles(const struct rda_account *account, int64_t psn)
{
	const struct rda_window *window = &account->requester.window;
	int64_t index = rda_window_find(window, psn);

	if (index < 0)
		return 0;
	return window->lean ? rda_opcode_roles[rda_lean_at(window, index)->opcode]
			    : rda_window_at(window, index)->roles;
}

unsigned rda_account_times_sent(const struct rda_account *account, int64_t psn)
{
	const struct rda_window *window = &account->requester.window;
	int64_t index = rda_window_find(window, psn);

	if (index < 0)
		return 0;
	return window->lean ? 1 : rda_window_at(window, index)->sent;
}

bool rda_account_was_sent_again(const struct rda_account *account, int64_t psn)
{
	const struct rda_sent *sent =
		account->requester.window.lean ? NULL : rda_account_sent(account, psn);

	return sent && (sent->seen > 1 || sent->sent > 1 ||
			(sent->copied && rda_requester_copied_seldom(&account->requester)));
}

bool rda_account_outstanding(const struct rda_account *account, uint32_t index,
			     struct rda_sent *sent)
{
	const struct rda_window *window = &account->requester.window;

	index += account->requester.settled;
	if (index >= window->count)
		return false;
	if (window->lean)
		rda_lean_record(window, index, sent);
	else
		*sent = *rda_window_at(window, index);
	return true;
}

uint64_t rda_account_unanswered(const struct rda_flow *flow)
{
	const struct rda_requester *r = &account_of(flow)->requester;
	uint64_t seen = r->window.lean ? r->window.count - r->settled : 0;

	for (uint32_t i = r->settled; !r->window.lean && i < r->window.count; i++)
		seen += rda_window_at(&r->window, i)->seen;
	return seen;
}

bool rda_account_is_unsent(const struct rda_account *account, int64_t psn)
{
	const struct rda_requester *r = &account->requester;

	return psn >= r->progress.next && r->window.count &&
	       (r->window.lean || !rda_window_at(&r->window, r->window.count - 1)->span_unknown);
}

uint64_t rda_account_missing(const struct rda_account *account, uint64_t *place)
{
	const struct rda_resend_cause *due = &account->requester.rare->due;
	struct rda_sent sent;
	uint64_t count = 0;

	*place = 0;
	if (account->requester.window.lean)
		return 0; /* all passed as often as they were sent: once */
	for (uint32_t i = 0; rda_account_outstanding(account, i, &sent); i++) {
		bool asked = due->trigger == RDA_TRIGGER_NAK && due->psn >= sent.begin &&
			     due->psn < sent.end;
		int transmissions = sent.sent - MIN(sent.sent - 1, sent.skipped);

		if (sent.seen ? transmissions <= sent.seen : transmissions < 2 && !asked)
			continue;
		count += sent.seen ? 1 : (uint64_t)(sent.end - sent.begin);
		if (!*place)
			*place = sent.seen ? sent.first_frame : due->frame;
	}
	return count;
}

const struct rda_resend_run *rda_account_run(const struct rda_account *account)
{
	return &account->requester.rare->run;
}

enum rda_trigger rda_account_run_trigger(const struct rda_account *account)
{
	return (enum rda_trigger)account->requester.run.trigger;
}

int64_t rda_account_run_start(const struct rda_account *account, const struct rda_event *resend)
{
	const struct rda_requester *r = &account->requester;

	if (resend->trigger == r->rare->due.trigger)
		return MIN(resend->psn, r->rare->due.psn);
	return resend->trigger == RDA_TRIGGER_TIMEOUT ? MIN(resend->psn, r->progress.acked)
						      : resend->psn;
}

bool rda_account_began_before(const struct rda_account *account, int64_t psn, int64_t time_ns)
{
	const struct rda_requester *r = &account->requester;

	return psn < r->begun.first || rda_requester_just_begun(r, time_ns);
}

bool rda_account_is_expected(const struct rda_account *account, int64_t psn)
{
	const struct rda_answers *answers = &account->requester.heard->answers;

	return ABS(psn - MAX(answers->far, answers->unseen)) < RDA_GHOST_PSNS;
}

uint64_t rda_account_unseen(const struct rda_flow *flow, uint64_t *place)
{
	const struct rda_requester *r = flow->account ? &flow->account->requester : NULL;

	if (!r || !r->heard->answers.unseen_frame || r->heard->answers.refuted ||
	    r->heard->answers.unseen <= r->progress.next)
		return 0;
	*place = r->heard->answers.unseen_frame;
	return (uint64_t)(r->heard->answers.unseen - r->progress.next);
}

bool rda_account_answered_early(const struct rda_flow *flow)
{
	return flow && flow->account && flow->account->requester.heard->answers.early;
}

bool rda_account_answers_came_first(const struct rda_flow *flow)
{
	const struct rda_answers *answers =
		flow && flow->account ? &flow->account->requester.heard->answers : NULL;

	return answers && (answers->ahead || answers->unheard);
}

bool rda_account_is_refused(const struct rda_account *account)
{
	return account->responder.rare->dead;
}

bool rda_account_is_put_off(const struct rda_account *account, int64_t psn)
{
	return account->responder.rare->rnr.open && account->responder.rare->rnr.psn == psn;
}

const struct rda_pending *rda_account_waiting(const struct rda_account *account, uint32_t index)
{
	const struct rda_waiting *waiting = &account->responder.waiting;

	return index < waiting->count ? &waiting->items[index] : NULL;
}

const struct rda_owed *rda_account_owed(const struct rda_flow *asker, uint32_t index)
{
	const struct rda_owing *owing = &account_of(asker)->responder.rare->owing;

	return index < owing->count ? &owing->owed[index] : NULL;
}

bool rda_account_repairs(const struct rda_flow *asker, uint64_t frame)
{
	const struct rda_owed *owed;

	for (uint32_t i = 0; (owed = rda_account_owed(asker, i)) != NULL; i++)
		if (owed->count && owed->frame == frame)
			return true;
	return false;
}

bool rda_account_waits_at(const struct rda_account *account, int64_t psn)
{
	const struct rda_pending *item;

	for (uint32_t i = 0; (item = rda_account_waiting(account, i)) != NULL; i++)
		if (psn >= item->begin && psn < item->end)
			return true;
	return false;
}

bool rda_account_passed_over(const struct rda_account *account, int64_t psn)
{
	return account->requester.heard->answers.next > psn && rda_account_waits_at(account, psn);
}

bool rda_account_lacks_at(const struct rda_account *account, int64_t psn)
{
	return rda_turn_lacks(&account->requester.window, psn,
			      account->requester.progress.acked_ns);
}
