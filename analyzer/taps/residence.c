/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits parted. See residence.h.
 */
#include "analyzer/taps/residence.h"

#include <string.h>

/* A request is looked for among so many before its answer. */
enum { LOOK_BACK = 4096 };

/* Microseconds that are told whole are off by up to one. */
enum { COARSE_NS = 1000 };

/* No clock runs faster or slower by more than this part, however little a short capture tells. */
#define DRIFT_MOST 0.01

/* Packets of one flow, or its waits: their indices, in order. */
struct lists {
	uint32_t *first; /* by flow; one more than flows */
	uint32_t *items;
};

struct rda_residence {
	struct rda_residence_taps taps;
	struct lists packets, waits; /* of x */
	uint32_t *to_y;		     /* of each packet of x that of y (passage.h) */
	bool *again;		     /* of each packet of x: others of its flow have its PSN */
	double slower, faster;	     /* bounds of a duration of y as x tells it, for each ns */
	int64_t grain_ns;
};

/* ---- by flow --------------------------------------------------------------------------------- */

/* flow_of: the flow of an item, or RDA_PASSAGE_NO_FLOW. */
static void make_lists(struct lists *lists, uint32_t flows, uint32_t count,
		       uint32_t (*flow_of)(const struct rda_passages *, uint32_t),
		       const struct rda_passages *of)
{
	uint32_t *at = g_new0(uint32_t, flows + 1);

	for (uint32_t i = 0; i < count; i++)
		if (flow_of(of, i) < flows)
			at[flow_of(of, i) + 1]++;
	for (uint32_t i = 0; i < flows; i++)
		at[i + 1] += at[i];
	lists->first = g_memdup2(at, sizeof(*at) * (flows + 1));
	lists->items = g_new(uint32_t, count + 1);
	for (uint32_t i = 0; i < count; i++)
		if (flow_of(of, i) < flows)
			lists->items[at[flow_of(of, i)]++] = i;
	g_free(at);
}

static uint32_t flow_of_packet(const struct rda_passages *of, uint32_t i)
{
	return of->packets[i].flow;
}

static uint32_t flow_of_wait(const struct rda_passages *of, uint32_t i)
{
	return of->waits[i].flow;
}

struct numbered {
	uint32_t sequence, index;
};

static int compare_numbered(const void *one, const void *two)
{
	const struct numbered *a = one, *b = two;

	return (a->sequence > b->sequence) - (a->sequence < b->sequence);
}

/* Requests that were sent again. */
static void mark_again(struct rda_residence *r, uint32_t flow)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct numbered));

	for (uint32_t i = r->packets.first[flow]; i < r->packets.first[flow + 1]; i++) {
		const struct rda_passage *packet = &r->taps.x->packets[r->packets.items[i]];
		struct numbered one = {packet->sequence, r->packets.items[i]};

		if (packet->answered)
			g_array_append_val(all, one);
	}
	g_array_sort(all, compare_numbered);
	for (guint i = 1; i < all->len; i++) {
		const struct numbered *one = &g_array_index(all, struct numbered, i);

		if (one[-1].sequence == one->sequence)
			r->again[one[-1].index] = r->again[one->index] = true;
	}
	g_array_free(all, TRUE);
}

struct rda_residence *rda_residence_new(const struct rda_residence_taps *taps, uint32_t flow_count)
{
	struct rda_residence *r = g_new0(struct rda_residence, 1);
	double b_min = CLAMP(taps->clocks->b_min, -DRIFT_MOST, DRIFT_MOST);
	double b_max = CLAMP(taps->clocks->b_max, -DRIFT_MOST, DRIFT_MOST);
	uint32_t *to_x;

	r->taps = *taps;
	r->slower = taps->swapped ? 1 + b_min : 1 / (1 + b_max);
	r->faster = taps->swapped ? 1 + b_max : 1 / (1 + b_min);
	r->grain_ns = COARSE_NS * (taps->x->coarse + taps->y->coarse);
	make_lists(&r->packets, flow_count, taps->x->count, flow_of_packet, taps->x);
	make_lists(&r->waits, flow_count, taps->x->wait_count, flow_of_wait, taps->x);
	rda_passages_match(taps->x, taps->y, &r->to_y, &to_x, NULL);
	g_free(to_x);
	r->again = g_new0(bool, taps->x->count + 1);
	for (uint32_t flow = 0; flow < flow_count; flow++)
		mark_again(r, flow);
	return r;
}

void rda_residence_free(struct rda_residence *r)
{
	g_free(r->packets.first);
	g_free(r->packets.items);
	g_free(r->waits.first);
	g_free(r->waits.items);
	g_free(r->to_y);
	g_free(r->again);
	g_free(r);
}

/* ---- one answer ------------------------------------------------------------------------------ */

/* What is known of an answer: times of x, but for the last two. */
struct answer {
	int64_t asked_ns, came_ns;
	int64_t arrived_ns, left_ns; /* as y tells */
};

static bool is_seen(const struct rda_residence *r, uint32_t index)
{
	return rda_passage_is_matched(r->to_y[index]);
}

/* Where packets of a flow begin that passed x behind this one. */
static uint32_t behind_of(const struct rda_residence *r, uint32_t flow, uint32_t index)
{
	uint32_t low = r->packets.first[flow], high = r->packets.first[flow + 1];

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (r->packets.items[middle] < index)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int64_t time_at_y(const struct rda_residence *r, uint32_t index)
{
	return r->taps.y->packets[r->to_y[index]].time_ns;
}

/* Of a request that was sent several times, those that had come to y: the first and the last. */
struct asked {
	uint32_t first, last; /* packets of x */
};

/* A direction's answers, as they came to x. */
struct answers {
	uint32_t flow;	  /* of the requests */
	uint32_t at, end; /* in the packets of the answers' flow */
	uint32_t refusal; /* the latest NAK; or RDA_PASSAGE_NONE */
};

/* What had come to y when a NAK left is dropped from the NAK's PSN on. */
static bool is_refused(const struct rda_residence *r, const struct answers *answers, uint32_t index)
{
	const struct rda_passage *packets = r->taps.x->packets;
	uint32_t nak = answers->refusal;

	return nak != RDA_PASSAGE_NONE && is_seen(r, nak) &&
	       time_at_y(r, index) <= time_at_y(r, nak) &&
	       ((packets[index].sequence - packets[nak].sequence) & 0xffffff) < 0x800000;
}

/*
 * The request that an answer is for, which y saw too: that with the answer's PSN, or the latest
 * before it, as those of a long READ count on from its own. False: not found.
 */
static bool find_request(const struct rda_residence *r, const struct answers *answers,
			 uint32_t answer, struct asked *asked)
{
	const struct rda_passage *packets = r->taps.x->packets;
	uint32_t first = r->packets.first[answers->flow];
	uint32_t from = behind_of(r, answers->flow, answer), sequence = 0;
	bool any = false, arrived = false;

	for (uint32_t i = from; i > first && from - i < LOOK_BACK; i--) {
		uint32_t index = r->packets.items[i - 1];
		uint32_t behind = (packets[answer].sequence - packets[index].sequence) & 0xffffff;

		if (!packets[index].answered ||
		    (any ? packets[index].sequence != sequence : behind >= 0x800000))
			continue;
		any = true;
		sequence = packets[index].sequence;
		if (is_seen(r, index) && time_at_y(r, index) <= time_at_y(r, answer) &&
		    !is_refused(r, answers, index)) {
			asked->first = index;
			asked->last = arrived ? asked->last : index;
			arrived = true;
		}
		if (!r->again[index])
			break;
	}
	return arrived;
}

static struct answer answer_to(const struct rda_residence *r, uint32_t request, uint32_t answer)
{
	const struct rda_passage *x = r->taps.x->packets;

	return (struct answer){x[request].time_ns, x[answer].time_ns, time_at_y(r, request),
			       time_at_y(r, answer)};
}

/* The bounds of the way there. */
static void find_way(const struct rda_residence *r, const struct answer *answer, double *least,
		     double *most)
{
	const struct rda_clocks *clocks = r->taps.clocks;
	int64_t t = (r->taps.swapped ? answer->arrived_ns : answer->asked_ns) - clocks->origin_ns;
	int64_t d = answer->arrived_ns - answer->asked_ns;
	double low = rda_clocks_least(clocks, t), high = rda_clocks_most(clocks, t);

	*least = r->taps.swapped ? (double)(d + clocks->base_ns) + low
				 : (double)(d - clocks->base_ns) - high;
	*most = r->taps.swapped ? (double)(d + clocks->base_ns) + high
				: (double)(d - clocks->base_ns) - low;
}

/* What of a wait from `begin` until the answer came it was behind y, if the way there took so long
 * and it was so long behind y. */
static double behind_in(const struct answer *answer, int64_t begin, double way, double behind)
{
	double over = (double)(begin - answer->asked_ns) - way; /* behind y before it began */

	return CLAMP(over > 0 ? behind - over : behind, 0, (double)(answer->came_ns - begin));
}

/* What of a wait from `begin` until the answer came is certain. */
static struct rda_residence_part part(const struct rda_residence *r, const struct answer *answer,
				      int64_t begin)
{
	double all = (double)(answer->came_ns - answer->asked_ns), least, most;
	double behind = (double)(answer->left_ns - answer->arrived_ns);
	double low = CLAMP((behind - (double)r->grain_ns) * r->slower, 0, all);
	double high = CLAMP((behind + (double)r->grain_ns) * r->faster, 0, all);
	int64_t from = MAX(begin, answer->asked_ns), wait = answer->came_ns - from, some, all_of;

	find_way(r, answer, &least, &most);
	some = (int64_t)behind_in(answer, from, MAX(least, 0), low);
	all_of = (int64_t)behind_in(answer, from, MIN(most, all - low), high) + 1;
	return (struct rda_residence_part){
		.network_ns = wait - CLAMP(all_of, some, wait),
		.responder_ns = some,
	};
}

/* Whichever of them was answered. */
static void part_wait(const struct rda_residence *r, const struct asked *asked, uint32_t index,
		      int64_t begin, struct rda_residence_part *to)
{
	struct answer first = answer_to(r, asked->first, index);
	struct answer last = answer_to(r, asked->last, index);
	struct rda_residence_part one, other;

	if (first.asked_ns > first.came_ns || last.asked_ns > last.came_ns ||
	    last.arrived_ns > last.left_ns || first.arrived_ns > first.left_ns)
		return;
	one = part(r, &first, begin);
	other = part(r, &last, begin);
	to->network_ns += MIN(one.network_ns, other.network_ns);
	to->responder_ns += MIN(one.responder_ns, other.responder_ns);
}

/* ---- a flow ---------------------------------------------------------------------------------- */

/* A wait is, up to each answer, for that one. */
static void part_up_to_answers(const struct rda_residence *r, struct answers *answers,
			       const struct rda_passage_wait *wait, struct rda_residence_part *to)
{
	const struct rda_passage *packets = r->taps.x->packets;
	int64_t from = wait->begin_ns;

	for (; answers->at < answers->end; answers->at++) {
		uint32_t index = r->packets.items[answers->at];
		struct asked asked = {RDA_PASSAGE_NONE, RDA_PASSAGE_NONE};

		if (packets[index].time_ns > wait->end_ns)
			return;
		if (packets[index].answered) /* a request of the other side */
			continue;
		if (packets[index].time_ns > from && is_seen(r, index) &&
		    find_request(r, answers, index, &asked))
			part_wait(r, &asked, index, from, to);
		from = MAX(from, packets[index].time_ns);
		if (packets[index].refuses)
			answers->refusal = index;
	}
}

int64_t rda_residence_flow(const struct rda_residence *r, uint32_t flow, uint32_t back,
			   GArray *parts)
{
	struct answers answers = {flow, r->packets.first[back], r->packets.first[back + 1],
				  RDA_PASSAGE_NONE};
	int64_t all = 0;

	for (uint32_t i = r->waits.first[flow]; i < r->waits.first[flow + 1]; i++) {
		const struct rda_passage_wait *wait = &r->taps.x->waits[r->waits.items[i]];
		struct rda_residence_part of = {r->waits.items[i], 0, 0};

		all += wait->end_ns - wait->begin_ns;
		part_up_to_answers(r, &answers, wait, &of);
		if (of.network_ns || of.responder_ns)
			g_array_append_val(parts, of);
	}
	return all;
}
