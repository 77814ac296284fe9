/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The side that answers. Answers leave in the order in which they were decided, one at a time; an
 * ACK that still waits is replaced by a newer one (coalescing).
 *
 *     PSN == expected    executed, acknowledged when asked to
 *     ahead              dropped; one NAK, then silence until the expected PSN comes
 *     below              a duplicate: acknowledged again, READs are answered again
 */
#include "tests/simulate/world.h"

#include <glib.h>
#include <string.h>

enum { GHOST_AHEAD = 20000 };

void sim_responder_begin(struct sim_world *world, uint8_t host)
{
	struct sim_responder *s = &world->responder[host];

	s->plan = &world->plan->responder[host];
	s->unready_psn = -1;
}

void sim_responder_cleanup(struct sim_responder *s)
{
	g_free(s->queue);
	g_free(s->taken);
}

bool sim_responder_has(const struct sim_responder *s, int64_t psn)
{
	return psn < s->expected || (s->taken && psn < s->taken_end && s->taken[psn]);
}

/* ---- answers --------------------------------------------------------------------------------- */

static void answer(struct sim_world *world, uint8_t host, const struct sim_answer *added)
{
	struct sim_responder *s = &world->responder[host];
	struct sim_answer *last = s->count > s->head ? &s->queue[s->count - 1] : NULL;

	if (last && last->kind == SIM_ANSWER_ACK && added->kind == SIM_ANSWER_ACK) {
		*last = *added;
		return;
	}
	if (s->head == s->count)
		s->head = s->count = 0;
	if (s->count == s->allocated) {
		s->allocated = s->allocated * 2 + 16;
		s->queue = g_renew(struct sim_answer, s->queue, s->allocated);
	}
	s->queue[s->count++] = *added;
	if (!s->works) {
		int64_t more_ns = added->kind == SIM_ANSWER_NAK	  ? s->plan->nak_ns
				  : added->kind == SIM_ANSWER_ACK ? s->plan->ack_delay_ns
								  : 0;

		s->works = true;
		s->stream++;
		more_ns += sim_between(&world->random, 0, s->plan->service_ns);
		sim_later(world, world->now_ns + more_ns, SIM_ANSWERS, host, 0);
	}
}

static void answer_plainly(struct sim_world *world, uint8_t host, enum sim_answer_kind kind,
			   int64_t psn)
{
	answer(world, host,
	       &(struct sim_answer){.kind = (uint8_t)kind,
				    .psn = psn,
				    .begin = psn,
				    .end = psn + 1,
				    .msn = world->responder[host].msn});
}

static void send_data(struct sim_world *world, struct sim_answer *a, struct sim_packet *p)
{
	uint32_t mtu = world->plan->mtu;
	bool first = a->psn == a->begin, last = a->psn + 1 == a->end;

	p->opcode = first && last ? 0x10 : first ? 0x0d : last ? 0x0f : 0x0e;
	p->payload = last ? a->length - (uint32_t)(a->psn - a->begin) * mtu : mtu;
}

void sim_responder_answers(struct sim_world *world, uint8_t host)
{
	struct sim_responder *s = &world->responder[host];
	struct sim_answer *a = &s->queue[s->head];
	struct sim_packet p = {.from = host, .asker = !host, .response = true};

	if (s->head == s->count) {
		s->works = false;
		return;
	}
	p.psn = a->psn;
	p.end = a->psn + 1;
	p.msn = a->msn;
	p.opcode = 0x11;
	p.syndrome = s->plan->credits ? s->plan->credits : 0x1f;
	p.ip_id = ++s->ip_id;
	p.stream = s->stream;
	switch (a->kind) {
	case SIM_ANSWER_NAK:
		p.syndrome = 0x60;
		world->truth.counts[!host].naks++;
		break;
	case SIM_ANSWER_RNR:
		p.syndrome = 0x20 | s->plan->rnr_code;
		world->truth.counts[!host].rnrs++;
		break;
	case SIM_ANSWER_READ: send_data(world, a, &p); break;
	case SIM_ANSWER_ATOMIC: p.opcode = 0x12; break;
	default: break;
	}
	if (++a->psn >= a->end)
		s->head++;
	sim_later(world, world->now_ns + s->plan->gap_ns, SIM_ANSWERS, host, 0);
	sim_send(world, &p, false);
	if (p.opcode == 0x11 && sim_is_ack(p.syndrome) &&
	    sim_chance(&world->random, s->plan->ghosts)) {
		p.psn += GHOST_AHEAD;
		sim_send(world, &p, false);
	}
}

/* ---- requests -------------------------------------------------------------------------------- */

static bool is_read(const struct sim_packet *p)
{
	return p->opcode == 0x0c;
}

static bool is_atomic(const struct sim_packet *p)
{
	return p->opcode == 0x14;
}

/* First or Only of a SEND: takes a receive. */
static bool needs_receive(const struct sim_packet *p)
{
	return p->opcode == 0x00 || p->opcode == 0x04;
}

/* READ and ATOMIC; true when it is one. */
static bool answer_data(struct sim_world *world, uint8_t host, const struct sim_packet *p)
{
	struct sim_answer a = {
		.kind = is_read(p) ? SIM_ANSWER_READ : SIM_ANSWER_ATOMIC,
		.psn = p->psn,
		.begin = p->psn,
		.end = p->end,
		.length = p->length,
		.msn = world->responder[host].msn,
	};

	if (!is_read(p) && !is_atomic(p))
		return false;
	answer(world, host, &a);
	return true;
}

/* No receive is posted, now and then. */
static bool is_unready(struct sim_world *world, uint8_t host, const struct sim_packet *p)
{
	struct sim_responder *s = &world->responder[host];

	if (!needs_receive(p))
		return false;
	if (s->unready_psn != p->psn) {
		if (!sim_chance(&world->random, s->plan->unready))
			return false;
		s->unready_psn = p->psn;
		s->unready_until =
			world->now_ns + sim_between(&world->random, 0, s->plan->unready_ns);
	}
	return world->now_ns <= s->unready_until;
}

/* Messages that were executed; a READ's when it begins. */
static uint32_t executed(const struct sim_requester *r, int64_t expected)
{
	const struct sim_message *m = sim_message_of(r, expected);

	return m ? (uint32_t)(m - r->messages) : r->message_count;
}

/* Selective repeat: a packet ahead is kept. */
static void keep(struct sim_world *world, uint8_t host, const struct sim_packet *p)
{
	struct sim_responder *s = &world->responder[host];
	const struct sim_requester *r = &world->requester[!host];

	if (s->plan->silent ? r->message_count == 0
			    : !r->plan->selective || is_read(p) || is_atomic(p))
		return;
	if (!s->taken)
		s->taken = g_malloc0((size_t)r->messages[r->message_count - 1].end + 1);
	s->taken[p->psn] = 1;
	s->taken_end = MAX(s->taken_end, p->end);
}

/* The next of what arrived ahead. */
static void take_one(struct sim_world *world, uint8_t host)
{
	struct sim_responder *s = &world->responder[host];
	const struct sim_message *m = sim_message_of(&world->requester[!host], s->expected);
	struct sim_answer a = {
		.kind = m->kind == SIM_READ ? SIM_ANSWER_READ : SIM_ANSWER_ATOMIC,
		.psn = s->expected,
		.begin = s->expected,
		.end = m->end,
		.length = m->length - (uint32_t)(s->expected - m->begin) * world->plan->mtu,
	};

	s->expected++;
	if (m->kind != SIM_READ && m->kind != SIM_ATOMIC)
		return;
	s->expected = m->end;
	a.msn = s->msn = executed(&world->requester[!host], s->expected);
	answer(world, host, &a);
}

/* What arrived ahead is next now; the next hole has its own NAK. */
static bool take_kept(struct sim_world *world, uint8_t host)
{
	struct sim_responder *s = &world->responder[host];
	int64_t before = s->expected;

	while (s->taken && s->expected < s->taken_end && s->taken[s->expected])
		take_one(world, host);
	s->msn = executed(&world->requester[!host], s->expected);
	if (s->taken_end > s->expected && !s->plan->silent) {
		answer_plainly(world, host, SIM_ANSWER_NAK, s->expected);
		s->nak_sent = true;
		return true;
	}
	if (s->expected > before)
		answer_plainly(world, host, SIM_ANSWER_ACK, s->expected - 1);
	return s->expected > before;
}

static void take_next(struct sim_world *world, uint8_t host, const struct sim_packet *p)
{
	struct sim_responder *s = &world->responder[host];

	if (is_unready(world, host, p)) {
		answer_plainly(world, host, SIM_ANSWER_RNR, p->psn);
		s->rnr_open = true;
		s->nak_sent = !s->plan->nak_after_rnr;
		return;
	}
	s->rnr_open = s->nak_sent = false;
	s->expected = p->end;
	s->msn = executed(&world->requester[!host], s->expected);
	if (is_read(p) || is_atomic(p)) {
		answer_data(world, host, p);
		take_kept(world, host);
		return;
	}
	if (take_kept(world, host))
		return;
	if (p->ack_req)
		answer_plainly(world, host, SIM_ANSWER_ACK, s->expected - 1);
}

void sim_responder_takes(struct sim_world *world, uint8_t host, const struct sim_packet *p)
{
	struct sim_responder *s = &world->responder[host];
	struct sim_counts *counts = &world->truth.counts[!host];
	struct sim_sent *sent = &world->truth.sent[p->sent];

	if (p->psn == s->expected) {
		take_next(world, host, p);
	} else if (p->psn > s->expected) {
		counts->out_of_sequence++;
		sent->ahead++;
		keep(world, host, p);
		if (!s->nak_sent && !s->plan->silent)
			answer_plainly(world, host, SIM_ANSWER_NAK, s->expected);
		s->nak_sent = true;
	} else {
		counts->duplicates++;
		sent->again++;
		if (!answer_data(world, host, p) && (s->plan->ack_all_duplicates || p->ack_req))
			answer_plainly(world, host, SIM_ANSWER_ACK,
				       s->plan->own_psn_acks ? p->psn : s->expected - 1);
	}
}
