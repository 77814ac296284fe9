/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What must not matter: a capture and another one made of it (rewrite.h) tell the same.
 */
#ifndef RDA_SIM_METAMORPHIC_H
#define RDA_SIM_METAMORPHIC_H

#include "tests/simulate/properties.h"

/* Ways of struct sim_property to hold. */
bool sim_holds_psns(const struct sim_property *property, uint64_t seed, uint64_t *packets);
bool sim_holds_times(const struct sim_property *property, uint64_t seed, uint64_t *packets);
bool sim_holds_sides(const struct sim_property *property, uint64_t seed, uint64_t *packets);
bool sim_holds_cut(const struct sim_property *property, uint64_t seed, uint64_t *packets);
bool sim_holds_merged(const struct sim_property *property, uint64_t seed, uint64_t *packets);
bool sim_holds_doubled(const struct sim_property *property, uint64_t seed, uint64_t *packets);
bool sim_holds_halves(const struct sim_property *property, uint64_t seed, uint64_t *packets);
bool sim_holds_snapshot(const struct sim_property *property, uint64_t seed, uint64_t *packets);
bool sim_holds_sharded(const struct sim_property *property, uint64_t seed, uint64_t *packets);
bool sim_holds_sharded_keys(const struct sim_property *property, uint64_t seed, uint64_t *packets);
bool sim_holds_begun(const struct sim_property *property, uint64_t seed, uint64_t *packets);

/* Whether a file that is read by parts of its pairs of hosts is told as in one pass. */
bool sim_is_sum_of_parts(const char *path);

/* The same for a capture of some of the files, drawn, with one host in common. */
bool sim_are_sums_of_parts(char *const *paths, int count, uint64_t seed, uint64_t *packets);

#endif
