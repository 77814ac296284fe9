/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Identifications of 16 bits, widened in the order of sending; sending_order.h has the reasoning.
 */
#include "analyzer/track/roce/sending_order.h"

#include "analyzer/base/cold.h"

/* No path holds a packet back for so long: what comes then is ahead, however far Linux jumped. */
#define IDLE_NS INT64_C(500000000)

/*
 * Behind a silence as long as timers are, few packets are still on their way, while other flows of
 * the sender, if it has any, may have taken any number of identifications: what lies further back
 * is ahead.
 */
#define SILENCE_NS INT64_C(16000000)
enum { BEHIND_A_SILENCE_MOST = 64 };

/* Steps ahead that are wanted before the order is believed, and of them for each odd one. */
enum { AHEAD_LEAST = 8, AHEAD_OF_AN_ODD = 32 };

/* Of so many steps ahead one passes over identifications of others. */
enum { OTHERS_MOST = 64 };

/*
 * Linux passes over as many identifications as ticks of its clock have gone by at most, and none
 * from one tick to the next: a tick takes up to 4 ms, as a rule. Of so many steps that are closer
 * one is taken by others, or lost.
 */
#define CLOSE_NS INT64_C(4000000)
enum { STRANGE_MOST = 8, CLOSE_LEAST = 16 };

/*
 * Or fewer, as long as all are short: a random one is one of 1024 steps ahead in one case of 64,
 * and a step behind (4096) in one of 16. Of all together in one case of 4096. Any step ahead is
 * random in one case of 2: where hardly any is short, more is wanted of all together, as they come
 * in many orders.
 */
enum { NEAR_MOST = 1024, NEAR_BITS = 6, BEHIND_BITS = 4, LEAST_BITS = 12 };
enum { NEAR_LEAST = 3, FAR_LEAST_BITS = 24 };

/* Few steps, or hardly any that is short. */
RDA_COLD static bool do_few_tell(const struct rda_sending_order *o)
{
	uint64_t bits = o->near * (uint64_t)NEAR_BITS + o->behind * (uint64_t)BEHIND_BITS;

	if (o->near == o->ahead)
		return bits >= LEAST_BITS && o->odd == 0;
	return o->odd <= o->ahead / AHEAD_OF_AN_ODD &&
	       bits + (o->ahead - o->near) >= FAR_LEAST_BITS;
}

bool rda_sending_order_is_known(const struct rda_sending_order *o)
{
	if (!o->not_of_the_psn)
		return false;
	if (o->ahead < AHEAD_LEAST || o->near < NEAR_LEAST)
		return do_few_tell(o);
	return o->odd <= o->ahead / AHEAD_OF_AN_ODD;
}

bool rda_sending_order_is_dense(const struct rda_sending_order *o)
{
	return rda_sending_order_is_known(o) && !o->shared && o->others <= o->ahead / OTHERS_MOST;
}

void rda_sending_order_beside(struct rda_sending_order *o, const struct rda_sending_order *other,
			      int64_t time_ns)
{
	if (time_ns - o->latest_ns > SILENCE_NS)
		o->shared |=
			rda_sending_order_is_known(other) && !rda_sending_order_is_dense(other);
}

bool rda_sending_order_is_broken(const struct rda_sending_order *o)
{
	return o->behind && rda_sending_order_is_known(o);
}

bool rda_sending_order_is_close(const struct rda_sending_order *o)
{
	return rda_sending_order_is_known(o) && !o->odd && o->close >= CLOSE_LEAST &&
	       o->strange <= o->close / STRANGE_MOST;
}

/* No more can be counted: what they are to each other stays. */
RDA_COLD static void halve(struct rda_sending_order *o)
{
	o->ahead = UINT32_MAX / 2 + 1;
	o->near /= 2;
	o->others /= 2;
	o->close /= 2;
	o->strange /= 2;
	o->odd /= 2;
}

static void move_ahead(struct rda_sending_order *o, int64_t step, int64_t psn, int64_t time_ns)
{
	bool is_next = psn == o->latest_psn + 1;
	bool close = is_next && time_ns - o->latest_ns < CLOSE_NS;
	/* behind such a silence all that comes is ahead, which tells nothing */
	bool tells = time_ns - o->latest_ns <= IDLE_NS;

	if (tells && ++o->ahead == 0)
		halve(o);
	o->close += close;
	if (tells && step > 1) {
		o->strange += close && step > 1 + o->aside;
		o->others += is_next;
	}
	o->aside = 0;
	o->latest += step;
	o->latest_psn = psn;
	o->latest_ns = time_ns;
	o->near += tells && step <= NEAR_MOST;
}

void rda_sending_order_again(struct rda_sending_order *o)
{
	o->odd += o->odd < UINT32_MAX;
}

/* What is late goes on: nothing was silent. */
static bool follows_a_late_one(const struct rda_sending_order *o, uint16_t ip_id, int64_t time_ns)
{
	int step = (int16_t)(uint16_t)(ip_id - o->behind_id);

	return o->behind && time_ns - o->behind_ns <= SILENCE_NS && step > 0 &&
	       step <= BEHIND_A_SILENCE_MOST;
}

/* It would be behind, but for the silence before it. */
static bool is_ahead_all_the_same(const struct rda_sending_order *o, int step, int64_t silent_ns)
{
	if (silent_ns > IDLE_NS)
		return true;
	return silent_ns > SILENCE_NS && step < -BEHIND_A_SILENCE_MOST &&
	       step >= -RDA_ORDER_BEHIND_MOST && !rda_sending_order_is_dense(o);
}

RDA_APART int64_t rda_sending_order_step(struct rda_sending_order *o, uint16_t ip_id, int64_t psn,
					 int64_t time_ns)
{
	int64_t place;
	int step;

	if (!o->begun) {
		o->begun = true;
		o->latest = o->before = ip_id;
		o->latest_psn = psn;
		o->latest_ns = time_ns;
		return RDA_ORDER_UNKNOWN;
	}
	o->before = o->latest;
	step = (int16_t)(uint16_t)(ip_id - (uint16_t)o->latest);
	if (step < 0 && !follows_a_late_one(o, ip_id, time_ns) &&
	    is_ahead_all_the_same(o, step, time_ns - o->latest_ns)) {
		step += 1 << 16;
		o->leapt |= psn <= o->latest_psn && time_ns - o->latest_ns <= IDLE_NS;
	}
	/* from the PSN: both go on by the same number, in the 16 bits that an identification has */
	if (step != 0 && step >= -RDA_ORDER_BEHIND_MOST &&
	    (uint16_t)step != (uint16_t)(psn - o->latest_psn))
		o->not_of_the_psn = true;
	if (!o->again && step != 0 && (step > 0) != (psn > o->latest_psn)) {
		o->again = true;
		o->again_at = o->latest + step;
	}
	if (step > 0) {
		move_ahead(o, step, psn, time_ns);
		place = o->latest;
	} else if (step < 0 && step >= -RDA_ORDER_BEHIND_MOST) {
		o->behind += o->behind < UINT32_MAX;
		o->behind_id = ip_id;
		o->behind_ns = time_ns;
		place = o->latest + step;
	} else if (step == 0 && psn == o->latest_psn) {
		place = o->latest; /* a copy */
	} else {
		o->odd += o->odd < UINT32_MAX;
		return RDA_ORDER_UNKNOWN;
	}
	return rda_sending_order_is_known(o) ? place : RDA_ORDER_UNKNOWN;
}
