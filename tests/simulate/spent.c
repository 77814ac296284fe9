/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The requester's time, cause by cause: spent.h.
 */
#include "tests/simulate/properties.h"

#include "analyzer/facts/time_facts.h"
#include "analyzer/track/pair.h"
#include "analyzer/track/roce/time_ledger.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>

/* So much of the connection's time a cause may be off. */
enum { SLACK = 100 };

void sim_spent_cleanup(struct sim_spent *s)
{
	g_free(s->parts);
	g_free(s->first_ns);
}

/* ---- parts ----------------------------------------------------------------------------------- */

static void add(struct sim_spent *s, int64_t end_ns, uint8_t cause)
{
	if (end_ns <= (s->count ? s->parts[s->count - 1].end_ns : 0))
		return;
	if (s->count && s->parts[s->count - 1].cause == cause) {
		s->parts[s->count - 1].end_ns = end_ns;
		return;
	}
	if (s->count == s->allocated) {
		s->allocated = s->allocated * 2 + 64;
		s->parts = g_renew(struct sim_spent_part, s->parts, s->allocated);
	}
	s->parts[s->count++] = (struct sim_spent_part){end_ns, cause};
}

/* From `from` on until now it was this, but what is recovery already. */
static void paint(struct sim_spent *s, int64_t from, uint8_t cause)
{
	uint32_t kept = s->count, after;
	struct sim_spent_part *tail;

	while (kept && s->parts[kept - 1].end_ns > from)
		kept--;
	after = s->count - kept;
	if (!after)
		return;
	tail = g_memdup2(s->parts + kept, after * sizeof(*tail));
	s->count = kept;
	add(s, from, tail[0].cause);
	for (uint32_t i = 0; i < after; i++)
		add(s, tail[i].end_ns, tail[i].cause >= RDA_TIME_RECOVERY ? tail[i].cause : cause);
	g_free(tail);
}

/* ---- while it runs --------------------------------------------------------------------------- */

void sim_spent_before(struct sim_world *world)
{
	const struct sim_requester *r = &world->requester[0];
	struct sim_spent *s = &world->spent;

	/* between messages nobody can tell it from having nothing to send */
	if (s->state == RDA_TIME_CONGESTION && sim_message_of(r, r->next)->begin == r->next)
		s->unclear_ns += world->now_ns - s->at_ns;
	add(s, world->now_ns, s->state);
	s->at_ns = world->now_ns;
}

void sim_spent_after(struct sim_world *world)
{
	const struct sim_requester *r = &world->requester[0];
	struct sim_spent *s = &world->spent;

	if (r->una + r->acked != s->reached) {
		s->reached = r->una + r->acked;
		s->progress_ns = world->now_ns;
	}
	s->state = (uint8_t)sim_requester_spends(world, 0);
}

/* So many times the pace may be taken for going on: docs/time.md. */
enum { PATIENT = 16 };

/* Something passes: what comes at the pace is sending, whatever allowed it; and nobody can tell a
 * wait that is no longer than a few packets from sending. */
static void pass(struct sim_spent *s, int64_t now_ns, int64_t pace_ns)
{
	int64_t ns = now_ns - s->passed_ns;

	if (ns <= RDA_TIME_LEAST)
		paint(s, s->passed_ns, RDA_TIME_SENDING);
	else if (ns <= RDA_TIME_LEAST + PATIENT * pace_ns)
		s->unclear_ns += ns;
	s->passed_ns = now_ns;
}

void sim_spent_request(struct sim_world *world, int64_t psn, int64_t end)
{
	const struct sim_requester *r = &world->requester[0];
	struct sim_spent *s = &world->spent;

	if (!s->first_ns) {
		s->first_ns = g_new(int64_t, (gsize)r->messages[r->message_count - 1].end);
		s->run = r->run;
	}
	for (int64_t i = MAX(psn, r->high); i < end; i++)
		s->first_ns[i] = world->now_ns;
	if (s->run != r->run) {
		int64_t since = MAX(MAX(s->progress_ns, s->resent_ns), s->first_ns[r->una]);

		/* what a resend ends was between two messages or inside one: who knows */
		if (r->slowed_ns > s->passed_ns)
			s->unclear_ns += MAX(since - s->passed_ns, 0);
		paint(s, since, (uint8_t)(RDA_TIME_RECOVERY + world->truth.runs[r->run].trigger));
		s->resent_ns = world->now_ns;
	}
	s->run = r->run;
	pass(s, world->now_ns, r->plan->gap_ns);
}

static bool begins_answer(const struct sim_packet *p)
{
	return p->opcode == 0x0d || p->opcode == 0x10 || p->opcode == 0x12;
}

/* Responses that come one behind the other are sending, as soon as the pace was shown by a row of
 * one answer; before, only what is too short to be a pause: nobody can tell the rest from waits. */
void sim_spent_response(struct sim_world *world, const struct sim_packet *p)
{
	struct sim_spent *s = &world->spent;
	int64_t gap_ns = world->plan->responder[1].gap_ns;

	s->row = s->stream == p->stream && !begins_answer(p) ? s->row + 1 : 0;
	s->paced |= s->row >= RDA_TIME_ROW;
	if (s->stream == p->stream && (s->paced || world->now_ns - s->came_ns <= RDA_TIME_LEAST))
		paint(s, s->came_ns, RDA_TIME_SENDING);
	s->stream = p->stream;
	if (s->state == RDA_TIME_CONGESTION) /* a wait for this, for all that anyone can tell */
		s->unclear_ns += world->now_ns - s->passed_ns;
	pass(s, world->now_ns, s->paced ? gap_ns : MIN(gap_ns, RDA_TIME_LEAST));
	s->came_ns = world->now_ns;
}

/* ---- held against the engine ----------------------------------------------------------------- */

static void sum(struct rda_flow_time *time, const struct sim_world *world)
{
	const struct sim_truth *truth = &world->truth;
	int64_t begin = truth->seen[0].time_ns, end = truth->seen[truth->seen_count - 1].time_ns;
	int64_t at = 0;

	*time = (struct rda_flow_time){.total_ns = end - begin};
	for (uint32_t i = 0; i < world->spent.count; i++) {
		const struct sim_spent_part *part = &world->spent.parts[i];

		time->ns[part->cause] += MAX(MIN(part->end_ns, end) - MAX(at, begin), 0);
		at = part->end_ns;
	}
}

static bool find(struct rda_flow_time *time, const struct rda_engine *engine, uint32_t dest_qp)
{
	struct rda_held held[RDA_HELD_KINDS];

	for (unsigned i = 0; i < rda_engine_connection_count(engine); i++)
		for (unsigned side = 0; side < 2; side++) {
			const struct rda_flow *flow = rda_engine_connection(engine, i)->flows[side];

			if (flow && flow->key.dest_qp == dest_qp)
				rda_time_facts_of(time, held, flow);
			if (flow && flow->key.dest_qp == dest_qp)
				return time->known;
		}
	return false;
}

static const char *const words[] = {
#define WORD(ID, name, words) name,
	RDA_TIMES(WORD)
#undef WORD
#define WORD(ID, name, words) "after " name,
		RDA_TRIGGERS(WORD)
#undef WORD
};

static unsigned compare(int64_t told, int64_t true_ns, int64_t total, int64_t unclear_ns,
			const char *word)
{
	if (ABS(told - true_ns) <= total / SLACK + unclear_ns)
		return 0;
	fprintf(stderr, "%s: %.2f %%, and it was %.2f %% of %.3f ms\n", word,
		100.0 * (double)told / (double)total, 100.0 * (double)true_ns / (double)total,
		(double)total / 1e6);
	return 1;
}

/* Whose only limit is how many messages it has outstanding waits for nothing else, but at its end.
 */
static unsigned judge_limit(const struct rda_flow_time *told, const struct rda_flow_time *known,
			    const struct sim_world *world)
{
	const struct sim_requester_plan *plan = world->requester[0].plan;
	bool asks_on = !plan->pause_ns && !plan->batch;
	bool one = asks_on && plan->depth && plan->window > 4000 && plan->reads > plan->depth &&
		   plan->messages > 8 * plan->depth;

	if (one && told->ns[RDA_TIME_LIMITED] + known->total_ns / SLACK + world->spent.unclear_ns <
			   known->ns[RDA_TIME_LIMITED]) {
		compare(told->ns[RDA_TIME_LIMITED], known->ns[RDA_TIME_LIMITED], known->total_ns, 0,
			"limited by the queue");
		return 1;
	}
	return 0;
}

static unsigned judge(const struct rda_engine *engine, const struct sim_world *world)
{
	struct rda_flow_time told = {0}, known;
	int64_t all = 0;
	unsigned wrong = 0;

	if (!find(&told, engine, world->plan->qpn[1]))
		return 0;
	sum(&known, world);
	for (unsigned i = 0; i < RDA_TIME_CAUSE_COUNT; i++) {
		all += told.ns[i];
		if (i != RDA_TIME_LIMITED && i != RDA_TIME_WAITING)
			wrong += compare(told.ns[i], known.ns[i], known.total_ns,
					 world->spent.unclear_ns, words[i]);
	}
	wrong += compare(told.ns[RDA_TIME_LIMITED] + told.ns[RDA_TIME_WAITING],
			 known.ns[RDA_TIME_LIMITED] + known.ns[RDA_TIME_WAITING], known.total_ns,
			 world->spent.unclear_ns, "waiting or limited");
	wrong += judge_limit(&told, &known, world);
	if (all != told.total_ns || all != known.total_ns) {
		fprintf(stderr, "all together %lld, and it was %lld ns\n", (long long)all,
			(long long)known.total_ns);
		wrong++;
	}
	return wrong;
}

bool sim_holds_spent(const struct sim_property *property, uint64_t seed, uint64_t *packets)
{
	struct sim_plan plan;
	struct sim_world world;
	struct rda_engine *engine = sim_engine_new();
	unsigned wrong;

	sim_draw(&plan, property->faults, seed);
	sim_run(&world, &plan);
	*packets += world.capture.count;
	sim_engine_read(engine, &world.capture, 0, world.capture.count);
	rda_engine_finish(engine);
	wrong = judge(engine, &world);
	rda_engine_drop(engine);
	sim_world_cleanup(&world);
	return wrong == 0;
}
