/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Simulated connections whose truth is known, held against the engine; README.md has the idea.
 *
 *     rda-simulate [open | PROPERTY [--seeds N] [--seed N] [--write FILE.pcap]]
 *     rda-simulate parts FILE...    captures read by parts, as sharded reads simulated ones
 *     rda-simulate mixed FROM TO FILE...    several of them at a time in one: by these seeds
 *
 * Without a property all are tried that hold, with `open` those that do not. RDA_SIMULATE=K tries K
 * times as many seeds.
 */
#include "tests/simulate/fabric.h"
#include "tests/simulate/metamorphic.h"
#include "tests/simulate/properties.h"
#include "tests/simulate/tell.h"

#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct sim_property *property_of(const char *name)
{
	for (const struct sim_property *p = sim_properties; p->name; p++)
		if (strcmp(p->name, name) == 0)
			return p;
	return NULL;
}

static int try(const struct sim_property *property, uint64_t first, uint64_t seeds)
{
	uint64_t wrong = 0, packets = 0;

	for (uint64_t seed = first; seed < first + seeds; seed++) {
		uint64_t before = packets;

		if (property->holds(property, seed, &packets))
			continue;
		wrong++;
		fprintf(stderr, "again: rda-simulate %s --seed %llu (%llu packets)\n",
			property->name, (unsigned long long)seed,
			(unsigned long long)(packets - before));
	}
	printf("%s: %llu of %llu seeds wrong, %llu packets\n", property->name,
	       (unsigned long long)wrong, (unsigned long long)seeds, (unsigned long long)packets);
	return wrong ? 1 : 0;
}

/* The truth of each QP, with the numbers that its frames have without the others. */
static int write_qps(const struct sim_property *property, uint64_t seed, const char *path)
{
	struct sim_qps qps;
	bool written;

	sim_qps_run(&qps, property->faults, seed);
	written = sim_capture_write(&qps.capture, path);
	for (uint32_t i = 0; i < qps.count; i++) {
		printf("QP 0x%06x of host 0, 0x%06x of host 1\n", qps.plans[i].qpn[0],
		       qps.plans[i].qpn[1]);
		sim_tell(&qps.worlds[i]);
	}
	sim_qps_cleanup(&qps);
	return written ? 0 : 2;
}

static int write_capture(const struct sim_property *property, uint64_t seed, const char *path)
{
	struct sim_plan plan;
	struct sim_world world;
	bool written;

	if (property->holds == sim_holds_sound_qps)
		return write_qps(property, seed, path);
	sim_draw(&plan, property->faults, seed);
	sim_run(&world, &plan);
	written = sim_capture_write(&world.capture, path);
	sim_tell(&world);
	sim_world_cleanup(&world);
	return written ? 0 : 2;
}

static int try_parts(int count, char **files)
{
	int wrong = 0;

	for (int i = 0; i < count; i++)
		wrong += !sim_is_sum_of_parts(files[i]);
	printf("parts: %d of %d captures wrong\n", wrong, count);
	return wrong || !count;
}

static int try_mixed(char *const *numbers, int count, char *const *files)
{
	uint64_t from = g_ascii_strtoull(numbers[0], NULL, 10), packets = 0;
	uint64_t to = g_ascii_strtoull(numbers[1], NULL, 10), wrong = 0;

	for (uint64_t seed = from; seed <= to; seed++) {
		if (sim_are_sums_of_parts(files, count, seed, &packets))
			continue;
		wrong++;
		fprintf(stderr, "again: rda-simulate mixed %llu %llu FILE...\n",
			(unsigned long long)seed, (unsigned long long)seed);
	}
	printf("mixed: %llu of %llu seeds wrong, %llu packets\n", (unsigned long long)wrong,
	       (unsigned long long)(to - from + 1), (unsigned long long)packets);
	return wrong || !packets;
}

int main(int count, char **words)
{
	const char *factor = g_getenv("RDA_SIMULATE"), *path = NULL;
	uint64_t times = factor ? g_ascii_strtoull(factor, NULL, 10) : 1, seed = 1, seeds = 0;
	bool open = count == 2 && strcmp(words[1], "open") == 0;
	const struct sim_property *property = count > 1 ? property_of(words[1]) : NULL;
	int wrong = 0;

	if (count > 1 && strcmp(words[1], "parts") == 0)
		return try_parts(count - 2, words + 2);
	if (count > 4 && strcmp(words[1], "mixed") == 0)
		return try_mixed(words + 2, count - 4, words + 4);
	for (int i = 2; i + 1 < count; i += 2) {
		if (strcmp(words[i], "--write") == 0)
			path = words[i + 1];
		else if (strcmp(words[i], "--seeds") == 0)
			seeds = g_ascii_strtoull(words[i + 1], NULL, 10);
		else if (strcmp(words[i], "--seed") == 0)
			seed = g_ascii_strtoull(words[i + 1], NULL, 10), seeds = MAX(seeds, 1);
		else
			property = NULL;
	}
	if (count > 1 && !property && !open) {
		fprintf(stderr, "no such property or option\n");
		return 2;
	}
	if (path)
		return write_capture(property, seed, path);
	if (property)
		return try(property, seed, seeds ? seeds : property->seeds * times);
	for (const struct sim_property *p = sim_properties; p->name; p++)
		if (p->open == open)
			wrong |= try(p, 1, p->seeds * times);
	return wrong;
}
