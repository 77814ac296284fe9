/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers that are the same on every machine for the same seed (splitmix64).
 */
#ifndef RDA_SIM_RANDOM_H
#define RDA_SIM_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

#define US INT64_C(1000)
#define MS INT64_C(1000000)

/* One of a few, so that extremes are met. */
#define ONE_OF(random, ...)                                                                        \
	((const int64_t[]){__VA_ARGS__}[sim_below(random, sizeof((const int64_t[]){__VA_ARGS__}) / \
								  sizeof(int64_t))])

struct sim_random {
	uint64_t state;
};

static inline uint64_t sim_next(struct sim_random *random)
{
	uint64_t z = random->state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* [0, below) */
static inline uint64_t sim_below(struct sim_random *random, uint64_t below)
{
	return below ? sim_next(random) % below : 0;
}

/* [low, high] */
static inline int64_t sim_between(struct sim_random *random, int64_t low, int64_t high)
{
	return low + (int64_t)sim_below(random, (uint64_t)(high - low) + 1);
}

/* True so many times in a million. */
static inline bool sim_chance(struct sim_random *random, uint32_t millionths)
{
	return millionths && sim_below(random, 1000000) < millionths;
}

#endif
