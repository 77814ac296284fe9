/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rates around CNPs. See slowing.h.
 */
#include "analyzer/track/congestion/slowing.h"

#include "analyzer/base/cold.h"
#include "analyzer/base/latency.h"
#include "analyzer/base/meta.h"
#include "analyzer/base/psn.h"
#include "analyzer/track/congestion/dcqcn.h"
#include "analyzer/track/roce/account.h"
#include "dissectors/values.h"

#include <glib.h>

/* Slots of 2^14 ns; a power of two of them is kept, half a millisecond. */
enum { SLOT_SHIFT = 14, SLOT_NS = 1 << SLOT_SHIFT, SLOTS = 32 };

/* A rate is of so many slots, or of more where fewer than GAPS_MIN gaps are in them. */
enum { SPAN = 4, SPAN_MOST = 12, GAPS_MIN = 4 };

/* CNPs that are as close as this many slots are taken together. */
enum { TOGETHER = 2 };

/* A longer gap inside a message is no pace. */
#define GAP_MOST_NS 10000000

/*
 * A queue that was full when the sender slowed down goes on at its pace: 6 MB of it, at 10 Gbit/s,
 * for so long. Where most packets are marked it is deeper than switches like it to be.
 */
#define QUEUE_NS      5000000
#define DEEP_QUEUE_NS 20000000

/* By the law no more than one part of LAW_LEFT is left of the rate; one of WAS_LEFT and more was.
 */
enum { LAW_LEFT = 8, WAS_LEFT = 4 };

/* Of what a cut that is followed until the rate is back cuts off: one part of BIG_CUT at least. */
enum { BIG_CUT = 10, NEARLY = 16 };

/* What has the same roles among these goes on with the message of the packet before it. */
enum {
	MESSAGE = RDA_ROLE_SEND | RDA_ROLE_WRITE | RDA_ROLE_READ | RDA_ROLE_RESPONSE,
	ENDS = RDA_ROLE_FIRST | RDA_ROLE_LAST,
	NOTHING = UINT16_MAX
};

/* What passed inside messages. */
struct slot {
	uint32_t bytes, ns, gaps;
};

/* CNPs of which what follows them is not known yet. */
struct waiting {
	int64_t slot; /* of the first; 0: there are none */
	struct rda_cut cut;
	uint32_t law_left; /* in 10^-9, by them */
};

/* CNPs in a row, as dcqcn.h has it. */
struct row {
	uint64_t packets, marked, cnps;
	int64_t begin_ns;
	uint64_t before; /* bit/s; 0: not known */
};

/* From a cut that was big on. */
struct recovery {
	int64_t since_ns;
	uint64_t from, to; /* bit/s */
	bool on, half;
};

/*
 * In order of use: where no CNP comes, a packet touches what lies before the row, and a slot in
 * which something passed is written once, when it is over.
 */
struct rda_slowing {
	int64_t latest_ns;  /* of the latest data */
	int64_t ends_ns;    /* the latest slot, if that data is in it; else latest_ns */
	struct slot now;    /* the latest, but for gaps and time since the run at hand began */
	uint32_t next : 24; /* the PSN behind the latest data */
	bool noticed : 1;   /* a CNP came: else nothing waits, nor recovers, and there is no row */
	uint16_t run;	    /* packets of the run at hand, which are in one message and slot */
	uint16_t goes_on;   /* roles among MESSAGE of what goes on with its message; or NOTHING */
	uint32_t filled;    /* mask of slots before the latest: the others are all 0 */
	int64_t run_ns;	    /* latest_ns when that run began */
	int64_t begin_ns, slot; /* from which slots count; the latest */
	/* 64 bytes until here */
	struct row row; /* but for the run at hand */
	struct slot slots[SLOTS];
	struct waiting waiting;
	struct rda_dcqcn law;
	struct recovery recovery;
	struct rda_slowdown facts;
};

/* ---- rates ----------------------------------------------------------------------------------- */

_Static_assert(SLOTS == 32, "filled has a bit for each");

/* Of the latest SLOTS. */
static const struct slot *slot_at(const struct rda_slowing *s, int64_t slot)
{
	static const struct slot empty;
	unsigned index = slot & (SLOTS - 1);

	if (slot == s->slot)
		return &s->now;
	return s->filled >> index & 1 ? &s->slots[index] : &empty;
}

/* The slots from the latest up to this one are over: only the latest has anything. */
static void turn_slots(struct rda_slowing *s, int64_t slot)
{
	unsigned index = s->slot & (SLOTS - 1);
	int64_t steps = slot - s->slot;

	if (steps >= SLOTS) {
		s->filled = 0;
	} else {
		uint32_t passed = (1u << steps) - 1; /* `index` and those behind it, turned */

		s->filled &= ~(passed << index | (uint32_t)((uint64_t)passed << index >> SLOTS));
		if (s->now.bytes | s->now.ns | s->now.gaps) {
			s->slots[index] = s->now;
			s->filled |= 1u << index;
		}
	}
	s->now = (struct slot){0};
	s->slot = slot;
}

/* Never below SLOTS, so that 0 is none, and those before the first are empty. */
static int64_t slot_of(const struct rda_slowing *s, int64_t time_ns)
{
	if (time_ns <= s->begin_ns)
		return SLOTS;
	return (int64_t)(((uint64_t)time_ns - (uint64_t)s->begin_ns) >> SLOT_SHIFT) + SLOTS;
}

/*
 * bit/s of the slots from `first` to `last`; 0: too little passed in them, or less than half of the
 * time was inside messages.
 */
static uint64_t rate_of(const struct rda_slowing *s, int64_t first, int64_t last)
{
	uint64_t bytes = 0, ns = 0, gaps = 0;

	for (int64_t i = MAX(first, s->slot - SLOTS + 1); i <= last; i++) {
		bytes += slot_at(s, i)->bytes;
		ns += slot_at(s, i)->ns;
		gaps += slot_at(s, i)->gaps;
	}
	if (gaps < GAPS_MIN || ns == 0 || ns * 2 < (uint64_t)(last - first) << SLOT_SHIFT)
		return 0;
	return bytes * 8000000000 / ns;
}

static uint64_t gaps_in(const struct rda_slowing *s, int64_t first, int64_t last)
{
	uint64_t gaps = 0;

	for (int64_t i = first; i <= last; i++)
		gaps += slot_at(s, i)->gaps;
	return gaps;
}

/* Up to now, and not before `earliest`. */
static uint64_t rate_before(const struct rda_slowing *s, int64_t earliest)
{
	int64_t first = s->slot - SPAN + 1;

	earliest = MAX(earliest, s->slot - SPAN_MOST + 1);
	while (first > earliest && gaps_in(s, first, s->slot) < GAPS_MIN)
		first--;
	return rate_of(s, MAX(first, earliest), s->slot);
}

/* ---- cuts ------------------------------------------------------------------------------------ */

static void keep(struct rda_slowdown *facts, const struct rda_cut *cut)
{
	if (facts->kept == RDA_CUTS_KEPT)
		return;
	if (facts->kept == facts->allocated) {
		facts->allocated = facts->allocated ? 2 * facts->allocated : 4;
		facts->list = g_renew(struct rda_cut, facts->list, facts->allocated);
	}
	facts->list[facts->kept++] = *cut;
}

/* Whether what is left of the rate tells against the law, late in a row. */
static void hold_against_law(struct rda_slowing *s, const struct rda_cut *cut)
{
	const struct row *row = &s->row;
	int64_t queue_ns = row->marked * 2 > row->packets ? DEEP_QUEUE_NS : QUEUE_NS;
	struct rda_slowdown *facts = &s->facts;

	if (s->row.before == 0)
		s->row.before = cut->before;
	if (s->law.rate > RDA_DCQCN_ONE / LAW_LEFT || cut->after < row->before / WAS_LEFT ||
	    cut->time_ns - row->begin_ns < queue_ns)
		return;
	if (facts->against_law++ == 0)
		facts->against_place = cut->place;
	facts->row_cnps = row->cnps;
	facts->row_ns = cut->time_ns - row->begin_ns;
	facts->row_before = row->before;
	facts->row_after = cut->after;
}

/* What followed is known: `after` bit/s, or 0: it cannot be told. */
static void end_waiting(struct rda_slowing *s, uint64_t after)
{
	struct rda_slowdown *facts = &s->facts;
	struct rda_cut *cut = &s->waiting.cut;

	s->waiting.slot = 0;
	if (!after)
		return;
	cut->after = after;
	cut->law = RDA_DCQCN_ONE - s->waiting.law_left;
	facts->first = facts->cuts ? facts->first : cut->before;
	facts->least = facts->cuts ? MIN(facts->least, after) : after;
	facts->cuts++;
	facts->measured_cnps += cut->cnps;
	facts->before += cut->before / 1000;
	facts->after += after / 1000;
	facts->law += cut->law;
	keep(facts, cut);
	hold_against_law(s, cut);
	s->recovery.on = after < cut->before - cut->before / BIG_CUT;
	s->recovery.half = false;
	s->recovery.since_ns = cut->time_ns;
	s->recovery.from = after;
	s->recovery.to = cut->before;
}

/* ---- time goes on ---------------------------------------------------------------------------- */

/* Slots are full up to s->slot; the cut's own is none of them. */
static void look_behind_cut(struct rda_slowing *s)
{
	int64_t first = s->waiting.slot + 1;

	if (s->slot < first + SPAN - 2)
		return;
	if (gaps_in(s, first, s->slot) >= GAPS_MIN || s->slot >= first + SPAN_MOST - 1)
		end_waiting(s, rate_of(s, first, s->slot));
}

static void look_for_recovery(struct rda_slowing *s, int64_t time_ns)
{
	struct recovery *recovery = &s->recovery;
	uint64_t rate = rate_of(s, s->slot - SPAN + 1, s->slot);
	uint64_t lost = recovery->to - recovery->from;

	if (!recovery->half && rate >= recovery->from + lost / 2) {
		recovery->half = true;
		rda_latency_add(&s->facts.half, time_ns - recovery->since_ns);
	}
	if (rate >= recovery->to - lost / NEARLY) {
		recovery->on = false;
		rda_latency_add(&s->facts.back, time_ns - recovery->since_ns);
	}
}

/* What the slots before this one tell of CNPs: as each is over. */
RDA_APART static void look_back(struct rda_slowing *s, int64_t slot, int64_t time_ns)
{
	if (slot - s->slot >= SLOTS) {
		s->waiting.slot = 0;
		s->recovery.on = false;
	}
	while (s->slot < slot && (s->waiting.slot || s->recovery.on)) {
		if (s->waiting.slot)
			look_behind_cut(s);
		else
			look_for_recovery(s, time_ns);
		turn_slots(s, s->slot + 1);
	}
}

/* Slots up to this one are full; what a long pause leaves is empty. */
RDA_APART static void advance(struct rda_slowing *s, int64_t slot, int64_t time_ns)
{
	s->ends_ns = s->latest_ns;
	if (s->noticed)
		look_back(s, slot, time_ns);
	if (s->slot < slot)
		turn_slots(s, slot);
}

static bool has_data(uint16_t roles)
{
	return roles & (RDA_ROLE_SEND | RDA_ROLE_WRITE) ||
	       (roles & (RDA_ROLE_RESPONSE | RDA_ROLE_READ)) == (RDA_ROLE_RESPONSE | RDA_ROLE_READ);
}

static struct rda_slowing *begin(int64_t time_ns)
{
	struct rda_slowing *s = g_new0(struct rda_slowing, 1);

	s->begin_ns = s->latest_ns = s->run_ns = time_ns;
	s->slot = SLOTS;
	s->goes_on = NOTHING;
	return s;
}

/* So many packets of the run at hand are counted. */
static void count_run(struct rda_slowing *s, uint32_t packets)
{
	s->now.gaps += packets;
	if (s->noticed)
		s->row.packets += packets;
}

/* The run at hand ends. */
static void end_run(struct rda_slowing *s)
{
	count_run(s, s->run);
	s->now.ns += (uint32_t)(s->latest_ns - s->run_ns);
	s->run = 0;
	s->run_ns = s->latest_ns;
}

static bool goes_on(const struct rda_slowing *s, const struct rda_packet *packet)
{
	return s->goes_on != NOTHING && packet->bth.psn == s->next &&
	       !(packet->opcode->roles & RDA_ROLE_FIRST);
}

/* Data at this time: of the latest slot, or, where the clock went back, of one before it. */
static void place(struct rda_slowing *s, int64_t slot, int64_t time_ns)
{
	uint64_t since = (uint64_t)time_ns - (uint64_t)s->begin_ns;

	s->latest_ns = s->ends_ns = s->run_ns = time_ns;
	if (slot == s->slot && time_ns >= s->begin_ns)
		s->ends_ns = rda_ns_sum(s->ends_ns, SLOT_NS - (int64_t)(since % SLOT_NS));
}

void rda_slowing_other(struct rda_flow *flow, const struct rda_meta *meta,
		       const struct rda_frame *frame, const struct rda_packet *packet)
{
	uint16_t roles = packet->opcode->roles;
	struct rda_slowing *s = flow->slowing;
	uint64_t gap_ns;
	int64_t slot;

	if (!has_data(roles))
		return;
	if (!s)
		s = flow->slowing = begin(meta->time_ns);
	end_run(s);
	gap_ns = (uint64_t)meta->time_ns - (uint64_t)s->latest_ns;
	slot = slot_of(s, meta->time_ns);
	if (slot > s->slot)
		advance(s, slot, meta->time_ns);
	if (goes_on(s, packet) && slot >= s->slot && meta->time_ns >= s->latest_ns &&
	    gap_ns <= GAP_MOST_NS) {
		s->now.bytes += frame->wire;
		s->now.ns += (uint32_t)gap_ns;
		s->now.gaps++;
	}
	if (s->noticed) {
		s->row.packets++;
		s->row.marked += rda_ip4_is_marked(frame, packet);
	}
	s->next = (packet->bth.psn + 1) & RDA_PSN_MASK;
	s->goes_on = roles & RDA_ROLE_LAST ? NOTHING : roles & MESSAGE;
	place(s, slot, meta->time_ns);
}

void rda_slowing_data(struct rda_flow *flow, const struct rda_meta *meta,
		      const struct rda_frame *frame, const struct rda_packet *packet)
{
	struct rda_slowing *s = flow->slowing;

	/* nearly all: the next packet of its message, in the slot of the one before */
	if (!s || (packet->opcode->roles & (MESSAGE | ENDS)) != s->goes_on ||
	    packet->bth.psn != s->next ||
	    (uint64_t)meta->time_ns - (uint64_t)s->latest_ns >=
		    (uint64_t)s->ends_ns - (uint64_t)s->latest_ns) {
		rda_slowing_other(flow, meta, frame, packet);
		return;
	}
	s->now.bytes += frame->wire;
	s->latest_ns = meta->time_ns;
	s->next = (s->next + 1) & RDA_PSN_MASK;
	if (++s->run == 0) /* at one time, as a coarse clock has it */
		count_run(s, UINT16_MAX + 1u);
}

/* ---- CNPs ------------------------------------------------------------------------------------ */

/* One more of those that are waited for, as too little passed since; false: it is another cut. */
static bool joins_waiting(struct rda_slowing *s)
{
	const struct waiting *waiting = &s->waiting;
	int64_t since = s->slot - waiting->slot;

	return waiting->slot && since <= SPAN_MOST &&
	       (since < TOGETHER || gaps_in(s, waiting->slot + 1, s->slot) < GAPS_MIN);
}

static void join_waiting(struct rda_slowing *s)
{
	struct waiting *waiting = &s->waiting;

	waiting->cut.cnps++;
	waiting->law_left -= (uint32_t)((uint64_t)waiting->law_left * s->law.cut / RDA_DCQCN_ONE);
}

void rda_slowing_notice(struct rda_flow *flow, int64_t time_ns, uint64_t place)
{
	struct rda_slowing *s = flow->slowing;
	int64_t slot, earliest = 0;
	uint64_t before;
	bool joins;

	rda_account_slowed(flow, time_ns);
	rda_mark_log_notice(flow, time_ns, place);
	if (!s)
		return;
	s->facts.cnps++;
	s->noticed = true;
	end_run(s);
	slot = slot_of(s, time_ns);
	if (slot > s->slot)
		advance(s, slot, time_ns);
	s->recovery.on = false;
	joins = joins_waiting(s);
	if (s->waiting.slot && !joins) { /* of the row until now */
		earliest = s->waiting.slot + 1;
		end_waiting(s, rate_of(s, earliest, s->slot));
	}
	if (!rda_dcqcn_notice(&s->law, time_ns))
		s->row = (struct row){.begin_ns = time_ns};
	s->row.cnps++;
	if (joins) {
		join_waiting(s);
		return;
	}
	s->recovery.on = false;
	before = rate_before(s, earliest);
	if (!before)
		return;
	s->waiting = (struct waiting){
		.slot = s->slot,
		.cut = {.time_ns = time_ns, .place = place, .before = before, .cnps = 1},
		.law_left = RDA_DCQCN_ONE - s->law.cut,
	};
}

/* ---------------------------------------------------------------------------------------------- */

const struct rda_slowdown *rda_slowing_facts(const struct rda_slowing *slowing)
{
	return slowing && slowing->facts.cnps ? &slowing->facts : NULL;
}

void rda_slowing_free(struct rda_slowing *slowing)
{
	if (!slowing)
		return;
	rda_slowdown_cleanup(&slowing->facts);
	g_free(slowing);
}

uint64_t rda_slowing_bytes(const struct rda_slowing *slowing)
{
	const struct rda_slowdown *facts = slowing ? &slowing->facts : NULL;

	if (!facts)
		return 0;
	return sizeof(*slowing) + sizeof(*facts) +
	       2 * (facts->allocated * sizeof(*facts->list) + rda_latency_bytes(&facts->half) +
		    rda_latency_bytes(&facts->back));
}
