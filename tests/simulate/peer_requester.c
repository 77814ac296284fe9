/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The side that asks: go-back-N, or only what is missing (selective repeat).
 *
 *     una              next                 high
 *      | outstanding ... | to send again ... | never sent
 *
 * A go-back sets `next` to what is missing first and begins a run (truth.h). A READ or ATOMIC is
 * complete by its own answers only; an answer beyond one that is missing is an implied NAK.
 */
#include "tests/simulate/world.h"

#include <glib.h>
#include <string.h>

struct sim_message *sim_message_of(const struct sim_requester *r, int64_t psn)
{
	uint32_t low = 0, high = r->message_count;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (r->messages[middle].end <= psn)
			low = middle + 1;
		else
			high = middle;
	}
	return low < r->message_count ? &r->messages[low] : NULL;
}

bool sim_requester_is_done(const struct sim_requester *r)
{
	return r->oldest == r->message_count;
}

static bool wants_data(const struct sim_message *m)
{
	return m->kind == SIM_READ || m->kind == SIM_ATOMIC;
}

/* ---- messages -------------------------------------------------------------------------------- */

static uint8_t draw_kind(struct sim_world *world, const struct sim_requester_plan *plan)
{
	uint64_t total = 0, drawn;
	uint8_t kind = 0;

	for (unsigned i = 0; i < SIM_MESSAGE_KINDS; i++)
		total += plan->weights[i];
	drawn = sim_below(&world->random, total);
	for (; drawn >= plan->weights[kind]; kind++)
		drawn -= plan->weights[kind];
	return kind;
}

static void wake(struct sim_world *world, uint8_t host, int64_t time_ns)
{
	struct sim_requester *r = &world->requester[host];

	if (r->wake_ns >= world->now_ns && r->wake_ns <= time_ns)
		return;
	r->wake_ns = time_ns;
	sim_later(world, time_ns, SIM_SENDS, host, 0);
}

void sim_requester_begin(struct sim_world *world, uint8_t host)
{
	struct sim_requester *r = &world->requester[host];
	int64_t psn = 0, post_ns = 0;

	r->wake_ns = r->rnr_psn = -1;
	r->plan = &world->plan->requester[host];
	r->message_count = r->plan->messages;
	r->messages = g_new0(struct sim_message, r->message_count + 1);
	for (uint32_t i = 0; i < r->message_count; i++) {
		struct sim_message *m = &r->messages[i];
		uint64_t packets = (uint64_t)sim_between(&world->random, 1, r->plan->longest);

		m->kind = draw_kind(world, r->plan);
		if (m->kind == SIM_ATOMIC)
			packets = 1;
		m->length = m->kind == SIM_ATOMIC
				    ? 8
				    : (uint32_t)(packets * world->plan->mtu -
						 sim_below(&world->random, world->plan->mtu));
		m->rkey = 0x7e5a3c10 + (uint32_t)sim_below(&world->random, 4);
		m->va = (uint64_t)m->rkey << 32 | sim_below(&world->random, 1 << 20) * 8;
		m->begin = psn;
		m->end = psn += (int64_t)packets;
		m->post_ns = post_ns;
		if (r->plan->batch)
			post_ns = i + 1 < r->plan->batch ? 0 : INT64_MAX;
		else if (sim_below(&world->random, 4) == 0)
			post_ns += sim_between(&world->random, 0, r->plan->pause_ns);
	}
	r->run = sim_truth_run(&world->truth,
			       &(struct sim_run){.asker = host, .trigger = RDA_TRIGGER_NONE});
	if (r->message_count)
		wake(world, host, 0);
}

void sim_requester_cleanup(struct sim_requester *r)
{
	g_free(r->messages);
	g_free(r->again);
}

/* ---- sending --------------------------------------------------------------------------------- */

static uint8_t opcode_of(const struct sim_message *m, int64_t psn)
{
	static const uint8_t first[] = {0x00, 0x06}; /* then Middle, Last; Only is 4 more */

	if (m->kind == SIM_READ)
		return 0x0c;
	if (m->kind == SIM_ATOMIC)
		return 0x14;
	if (m->end - m->begin == 1)
		return (uint8_t)(first[m->kind] + 4);
	return (uint8_t)(first[m->kind] + (psn == m->begin ? 0 : psn + 1 == m->end ? 2 : 1));
}

/* READs and ATOMICs between `una` and `psn`. */
static uint32_t reads_outstanding(const struct sim_requester *r, int64_t psn)
{
	uint32_t reads = 0;

	for (uint32_t i = r->oldest; i < r->message_count && r->messages[i].begin < psn; i++)
		reads += wants_data(&r->messages[i]);
	return reads;
}

/* Whether `psn` may be sent now; otherwise *when it may, or INT64_MAX: an answer must come. */
static bool may_send(const struct sim_world *world, const struct sim_requester *r, int64_t psn,
		     int64_t *when)
{
	const struct sim_message *m = sim_message_of(r, psn);

	*when = INT64_MAX;
	if (!m)
		return false;
	if (psn >= r->una + r->plan->window ||
	    (wants_data(m) && psn == m->begin && reads_outstanding(r, psn) >= r->plan->reads) ||
	    (r->plan->depth && psn == m->begin && m - r->messages >= r->oldest + r->plan->depth))
		return false;
	*when = MAX(MAX(m->post_ns, r->free_ns), MAX(r->wait_ns, r->slowed_ns));
	return *when <= world->now_ns;
}

enum rda_time_cause sim_requester_spends(const struct sim_world *world, uint8_t host)
{
	const struct sim_requester *r = &world->requester[host];
	int64_t next = r->plan->skips_acked ? MAX(r->next, r->una) : r->next, when;
	const struct sim_message *m = sim_message_of(r, next);

	if (next >= r->high && (!m || m->post_ns > world->now_ns))
		return r->una < r->high ? RDA_TIME_WAITING : RDA_TIME_IDLE;
	if (!may_send(world, r, next, &when) && when == INT64_MAX)
		return RDA_TIME_LIMITED;
	if (when == r->slowed_ns && r->wait_ns < when)
		return RDA_TIME_CONGESTION;
	return when <= MAX(r->free_ns, world->now_ns) ? RDA_TIME_SENDING : RDA_TIME_WAITING;
}

static void arm(struct sim_world *world, uint8_t host)
{
	struct sim_requester *r = &world->requester[host];

	r->armed = true;
	sim_later(world, world->now_ns + sim_timer_ns(r), SIM_TIMER, host, ++r->timer);
}

static void send_one(struct sim_world *world, uint8_t host, int64_t psn)
{
	struct sim_requester *r = &world->requester[host];
	struct sim_message *m = sim_message_of(r, psn);
	uint32_t mtu = world->plan->mtu, before = (uint32_t)(psn - m->begin) * mtu;
	bool whole = wants_data(m), last;
	struct sim_packet p = {
		.from = host,
		.asker = host,
		.opcode = opcode_of(m, psn),
		.psn = psn,
		.end = whole ? m->end : psn + 1,
		.va = m->va + before,
		.rkey = m->rkey,
		.length = m->length - before,
		.ip_id = r->plan->constant_ip_id ? 0 : ++r->ip_id,
	};

	last = p.end == m->end;
	p.payload = whole ? 0 : last ? m->length - before : mtu;
	p.ack_req = last || psn % r->plan->ack_every == 0 || psn + 1 >= r->una + r->plan->window;
	if (psn == m->begin && !m->start_ns)
		m->start_ns = world->now_ns;
	m->resent |= psn < r->high;
	r->free_ns = world->now_ns + r->plan->gap_ns;
	if (!r->armed)
		arm(world, host);
	sim_send(world, &p, psn < r->high);
	if (world->plan->timed && host == 0)
		sim_spent_request(world, psn, p.end);
	r->high = MAX(r->high, p.end);
}

/* The next PSN behind a packet of `psn`. */
static int64_t behind(const struct sim_requester *r, int64_t psn)
{
	const struct sim_message *m = sim_message_of(r, psn);

	return wants_data(m) ? m->end : psn + 1;
}

void sim_requester_sends(struct sim_world *world, uint8_t host)
{
	struct sim_requester *r = &world->requester[host];
	int64_t when;

	r->wake_ns = -1;
	if (r->dead)
		return;
	if (r->again_count) {
		if (may_send(world, r, r->again[0], &when)) {
			int64_t psn = r->again[0];

			r->again_count--;
			memmove(r->again, r->again + 1, r->again_count * sizeof(*r->again));
			send_one(world, host, psn);
			when = r->free_ns;
		}
	} else {
		if (r->plan->skips_acked && r->next < r->una)
			r->next = r->una;
		if (may_send(world, r, r->next, &when)) {
			int64_t psn = r->next;

			r->next = behind(r, psn);
			send_one(world, host, psn);
			when = r->free_ns;
		}
	}
	if (when != INT64_MAX)
		wake(world, host, when);
}

/* ---- going back ------------------------------------------------------------------------------ */

static void begin_run(struct sim_world *world, uint8_t host, int64_t psn, enum rda_trigger trigger)
{
	struct sim_requester *r = &world->requester[host];

	r->run = sim_truth_run(&world->truth, &(struct sim_run){.psn = psn,
								.begin_ns = world->now_ns,
								.cause = world->cause,
								.asker = host,
								.trigger = (uint8_t)trigger});
	r->retrying = true;
	wake(world, host, MAX(world->now_ns, r->wait_ns));
}

static void go_back(struct sim_world *world, uint8_t host, enum rda_trigger trigger)
{
	struct sim_requester *r = &world->requester[host];
	const struct sim_message *m = sim_message_of(r, r->una);

	if (r->una >= r->high)
		return;
	if (r->plan->selective && trigger != RDA_TRIGGER_RNR && !wants_data(m)) {
		if (r->again_count + 1 > r->again_allocated) {
			r->again_allocated = r->again_allocated * 2 + 8;
			r->again = g_renew(int64_t, r->again, r->again_allocated);
		}
		r->again_count = 1;
		r->again[0] = r->una;
	} else {
		r->next = wants_data(m) && r->plan->read_from_start ? m->begin : r->una;
	}
	begin_run(world, host, r->plan->read_from_start ? MIN(r->next, r->una) : r->una, trigger);
	arm(world, host);
}

void sim_requester_timer(struct sim_world *world, uint8_t host, uint32_t generation)
{
	struct sim_requester *r = &world->requester[host];

	if (!r->armed || generation != r->timer || r->dead)
		return;
	r->armed = false;
	if (r->una >= r->high)
		return;
	if (world->now_ns < r->wait_ns) {
		arm(world, host);
		return;
	}
	if (sim_timer_is_last(r)) {
		r->dead = true;
		world->truth.given_up[host] =
			(struct sim_give_up){true, r->una, world->now_ns, r->expired + 1};
		return;
	}
	r->expired++;
	go_back(world, host, RDA_TRIGGER_TIMEOUT);
}

/* ---- answers --------------------------------------------------------------------------------- */

/* All of a batch was answered. */
static void post_batch(struct sim_world *world, struct sim_requester *r)
{
	for (uint32_t i = 0; i < r->plan->batch && r->oldest + i < r->message_count; i++)
		r->messages[r->oldest + i].post_ns = world->now_ns + r->plan->sleep_ns;
}

void sim_requester_slows(struct sim_world *world, uint8_t host)
{
	struct sim_requester *r = &world->requester[host];

	if (r->plan->slowed_ns)
		r->slowed_ns = world->now_ns + r->plan->slowed_ns;
}

/* Everything below `acked` was taken: moves `una`, which was `before`, as far as that goes. */
static void advance_from(struct sim_world *world, uint8_t host, int64_t acked, int64_t before)
{
	struct sim_requester *r = &world->requester[host];

	r->acked = MAX(r->acked, acked);
	while (r->oldest < r->message_count) {
		struct sim_message *m = &r->messages[r->oldest];

		if (!wants_data(m))
			r->una = MAX(r->una, MIN(m->end, r->acked));
		if (r->una < m->end)
			break;
		m->done_ns = world->now_ns;
		world->truth.counts[host].messages++;
		r->oldest++;
		if (r->plan->batch && r->oldest % r->plan->batch == 0)
			post_batch(world, r);
	}
	if (r->una == before)
		return;
	r->retrying = false;
	r->armed = false;
	r->expired = 0;
	if (r->una < r->high)
		arm(world, host);
	wake(world, host, world->now_ns);
}

static void advance(struct sim_world *world, uint8_t host, int64_t acked)
{
	advance_from(world, host, acked, world->requester[host].una);
}

/* Goes back, after its reaction time. */
static void obey(struct sim_world *world, uint8_t host, enum rda_trigger trigger)
{
	struct sim_requester *r = &world->requester[host];
	struct sim_event event = {
		.kind = SIM_REACTS,
		.time_ns = world->now_ns + r->plan->reaction_ns,
		.host = host,
		.packet = {.psn = r->una, .sent = world->cause, .syndrome = (uint8_t)trigger},
	};

	if (!r->plan->reaction_ns) {
		go_back(world, host, trigger);
	} else if (r->naked != r->una + 1) {
		r->naked = r->una + 1;
		sim_schedule_add(&world->schedule, &event);
	}
}

void sim_requester_reacts(struct sim_world *world, uint8_t host, const struct sim_packet *cause)
{
	struct sim_requester *r = &world->requester[host];

	if (r->naked == cause->psn + 1)
		r->naked = 0;
	if (r->dead || r->una != cause->psn) /* an answer went past it */
		return;
	world->cause = cause->sent;
	go_back(world, host, (enum rda_trigger)cause->syndrome);
}

static void implied_nak(struct sim_world *world, uint8_t host)
{
	struct sim_requester *r = &world->requester[host];

	if (r->retrying)
		return;
	world->truth.counts[host].implied_naks++;
	obey(world, host, RDA_TRIGGER_IMPLIED);
}

static void take_data(struct sim_world *world, uint8_t host, const struct sim_packet *p)
{
	struct sim_requester *r = &world->requester[host];

	advance(world, host, p->psn);
	if (p->psn < r->una)
		return;
	if (p->psn > r->una) {
		implied_nak(world, host);
		return;
	}
	r->una++;
	advance_from(world, host, r->una, p->psn);
}

/* The responder has no receive posted. */
static void take_rnr(struct sim_world *world, uint8_t host, const struct sim_packet *p)
{
	static const int32_t wait_us[] = {655360, 10,	20,   30,   40,	  60,	80,
					  120,	  160,	240,  320,  480,  640,	960,
					  1280,	  1920, 2560, 3840, 5120, 7680, 10240};
	struct sim_requester *r = &world->requester[host];

	advance(world, host, p->psn);
	if (p->psn != r->una)
		return;
	r->wait_ns = world->now_ns + wait_us[p->syndrome & 31] * INT64_C(1000) + 1000;
	r->rnr_psn = p->psn;
	go_back(world, host, RDA_TRIGGER_RNR);
}

void sim_requester_takes(struct sim_world *world, uint8_t host, const struct sim_packet *p)
{
	struct sim_requester *r = &world->requester[host];

	if (p->psn >= r->high || r->dead)
		return;
	if (p->opcode != 0x11) {
		take_data(world, host, p);
	} else if (sim_is_ack(p->syndrome)) {
		advance(world, host, p->psn + 1);
		if (r->una <= p->psn)
			implied_nak(world, host);
	} else if (p->syndrome == 0x60) {
		advance(world, host, p->psn);
		/* on top of an RNR NAK, and for rxe in a retry, it is no news */
		if (p->psn < r->una || world->now_ns < r->wait_ns ||
		    (r->plan->one_retry && r->retrying))
			return;
		if (p->psn == r->rnr_psn) {
			r->rnr_psn = -1;
			return;
		}
		obey(world, host, RDA_TRIGGER_NAK);
	} else {
		take_rnr(world, host, p);
	}
}
