/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts over all transmissions.
 */
#include "tests/simulate/sums.h"

#include <glib.h>
#include <string.h>

static uint32_t shown(const struct sim_sent *sent)
{
	return (uint32_t)sent->seen + sent->mirrored;
}

/* What became of a PSN. */
enum { SEEN = 1, ARRIVED = 2, BEGUN = 4, LOST = 8, ANSWERED = 16 };

static void sum_request(struct sim_sums *s, const struct sim_sent *sent, uint8_t *fates)
{
	s->lost_before += sent->lost_before;
	s->missed += sent->missed;
	s->lost_after += sent->lost_after;
	s->resent += sent->resent;
	s->resent_seen += sent->resent && shown(sent);
	s->resent_taken += sent->resent && sent->taken;
	s->copies += shown(sent) > 1 ? shown(sent) - 1 : 0;
	if (shown(sent) && !(fates[sent->psn] & BEGUN)) {
		fates[sent->psn] |= BEGUN;
		s->fresh++;
	}
	for (int64_t psn = sent->psn; psn < sent->end; psn++) {
		if (!(fates[psn] & (SEEN | ARRIVED)) && sent->arrived && !shown(sent))
			s->unseen++;
		fates[psn] |= (uint8_t)((shown(sent) ? SEEN : 0) | (sent->arrived ? ARRIVED : 0));
	}
}

/* What was resent although nothing of it was lost; an ACK is of many, so it is not asked. */
static void sum_clean(struct sim_sums *s, const struct sim_world *world, uint8_t asker,
		      uint8_t *fates)
{
	const struct sim_truth *truth = &world->truth;

	for (uint32_t i = 0; i < truth->sent_count; i++) {
		const struct sim_sent *sent = &truth->sent[i];

		if (sent->asker == asker && (!sent->response || sent->data) &&
		    sent->lost_before + sent->lost_after)
			for (int64_t psn = sent->psn; psn < sent->end; psn++)
				fates[psn] |= LOST;
	}
	for (uint32_t i = 0; i < truth->sent_count; i++) {
		const struct sim_sent *sent = &truth->sent[i];
		bool clean = sent->asker == asker && sent->resent && (sent->taken || sent->again);

		for (int64_t psn = sent->psn; clean && psn < sent->end; psn++)
			clean = !(fates[psn] & LOST);
		s->resent_clean += clean;
	}
}

/* Transmissions stand in the order of sending, but each host's runs among those of the other. */
static void sum_in_vain(struct sim_sums *s, const struct sim_world *world, uint8_t asker)
{
	const struct sim_truth *truth = &world->truth;
	bool *in_vain = g_new0(bool, truth->run_count + 1);
	bool *repeated = g_new0(bool, truth->run_count + 1);

	for (uint32_t i = 0; i < truth->sent_count; i++) {
		const struct sim_sent *sent = &truth->sent[i];

		if (sent->asker != asker || sent->response || !sent->resent)
			continue;
		in_vain[sent->run] |= sent->taken;
		repeated[sent->run] |= sent->taken || sent->again;
	}
	for (uint32_t i = 0; i < truth->run_count; i++) {
		s->runs_in_vain += in_vain[i];
		s->runs_repeated += repeated[i];
	}
	g_free(in_vain);
	g_free(repeated);
}

/* A request behind transmission `index` asks for what that answers, and is shown. */
static bool is_asked_behind(const struct sim_truth *truth, uint32_t index)
{
	const struct sim_sent *answer = &truth->sent[index];

	for (uint32_t i = index + 1; i < truth->sent_count; i++) {
		const struct sim_sent *sent = &truth->sent[i];

		if (sent->asker == answer->asker && !sent->response && !sent->cnp && shown(sent) &&
		    sent->psn <= answer->psn && answer->psn < sent->end)
			return true;
	}
	return false;
}

/*
 * Responses follow each other in the order of sending, until the next answer begins. Those of
 * ATOMICs do as if they were one answer, as a responder takes requests in turn; but what was
 * answered before it need not answer again, or may answer a later one of alone; nor need it end
 * the answer to a READ that it has answered before (rxe stops where its queue is full). What nobody
 * asks for again the tap may have missed, if nothing tells the order of sending.
 */
static void sum_gaps(struct sim_sums *s, const struct sim_world *world, uint8_t asker,
		     uint8_t *fates)
{
	const struct sim_truth *truth = &world->truth;
	bool placed = sim_order_is_known(world->plan, !asker);
	int64_t next = -1;
	uint64_t open = 0;
	bool seen = false;

	for (uint32_t i = 0; i < truth->sent_count; i++) {
		const struct sim_sent *sent = &truth->sent[i];

		if (sent->asker != asker || !sent->data)
			continue;
		if (sent->psn != next || sent->opcode == 0x0d || sent->opcode == 0x10) {
			seen = false;
			open = 0;
		}
		next = sent->psn + 1;
		if (!shown(sent)) {
			bool may_be_left_out = sent->opcode == 0x12 || sent->opcode == 0x0f;

			if (sent->opcode == 0x0f && fates[sent->psn] & ANSWERED)
				open = 0;
			open += seen && (placed || is_asked_behind(truth, i)) &&
				!(may_be_left_out && fates[sent->psn] & ANSWERED);
			continue;
		}
		fates[sent->psn] |= ANSWERED;
		s->gaps += open;
		open = 0;
		seen = true;
	}
}

void sim_sum(struct sim_sums *s, const struct sim_world *world, uint8_t asker)
{
	const struct sim_truth *truth = &world->truth;
	const struct sim_requester *r = &world->requester[asker];
	int64_t psns = r->message_count ? r->messages[r->message_count - 1].end : 0;
	uint8_t *fates = g_malloc0((size_t)psns + 1);

	memset(s, 0, sizeof(*s));
	for (uint32_t i = 0; i < truth->sent_count; i++) {
		const struct sim_sent *sent = &truth->sent[i];

		if (sent->response && sent->from == asker)
			s->lost_after += sent->damaged;
		if (sent->asker != asker || sent->cnp)
			continue;
		if (!sent->response) {
			sum_request(s, sent, fates);
		} else if (sent->data) {
			s->responses_lost_before += sent->lost_before;
			s->responses_missed += sent->missed;
			s->responses_lost_after += sent->lost_after;
		}
	}
	for (uint32_t i = 0; i < truth->run_count; i++)
		if (truth->runs[i].asker == asker && truth->runs[i].trigger < RDA_TRIGGER_COUNT)
			s->runs[truth->runs[i].trigger]++;
	sum_clean(s, world, asker, fates);
	sum_in_vain(s, world, asker);
	sum_gaps(s, world, asker, fates);
	g_free(fates);
}

/* The identification goes on as the PSN does. */
static bool goes_with_psn(const struct sim_sent *before, const struct sim_sent *sent)
{
	return (uint16_t)(sent->ip_id - before->ip_id) == (uint16_t)(sent->psn - before->psn);
}

/* By half of its range or more. */
static bool leaps_from(const struct sim_sent *before, const struct sim_sent *sent)
{
	return (int16_t)(uint16_t)(sent->ip_id - before->ip_id) < 0;
}

void sim_sum_order(struct sim_order *order, const struct sim_world *world, uint8_t sender)
{
	const struct sim_truth *truth = &world->truth;
	uint32_t latest = 0, latest_of[2] = {0}; /* requests, answers */
	const struct sim_sent *before[2] = {NULL};
	uint64_t copies[2] = {0};
	bool leaps[2] = {false};

	memset(order, 0, sizeof(*order));
	for (uint32_t i = 0; i < truth->seen_count; i++) {
		uint32_t place = truth->seen[i].sent;
		const struct sim_sent *sent = &truth->sent[place];

		if (sent->from != sender || sent->cnp)
			continue;
		order->seen++;
		order->damaged += sent->damaged && sent->first_seen == i + 1;
		if (sent->first_seen != i + 1) {
			order->copies++;
			copies[sent->response]++;
			continue;
		}
		leaps[sent->response] |= before[sent->response] &&
					 place > latest_of[sent->response] &&
					 leaps_from(before[sent->response], sent);
		order->numbered[sent->response] |=
			before[sent->response] && !goes_with_psn(before[sent->response], sent);
		before[sent->response] = sent;
		order->overtaken += place < latest;
		order->overtaken_requests += !sent->response && place < latest_of[0];
		order->overtaken_answers += sent->response && place < latest_of[1];
		latest = MAX(latest, place);
		latest_of[sent->response] = MAX(latest_of[sent->response], place);
	}
	for (unsigned kind = 0; kind < 2; kind++) {
		order->numbered[kind] &= !leaps[kind];
		order->numbered_copies += order->numbered[kind] ? copies[kind] : 0;
	}
}

bool sim_order_is_known(const struct sim_plan *plan, uint8_t host)
{
	return !plan->ipv6 &&
	       (plan->ip_ids[host] == SIM_ID_HOST || plan->ip_ids[host] == SIM_ID_QP ||
		plan->ip_ids[host] == SIM_ID_JUMPS);
}
