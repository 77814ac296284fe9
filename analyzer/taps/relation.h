/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What several captures are to each other.
 *
 *     a0 a1 a2     one tap: the same links, disjoint in time, and one goes on where the other ends
 *     b0 b1        another tap of the same traffic: packets of a1 are in b0
 *     c            has nothing to do with them
 *
 * Captures of one tap are read in order of time, with what is known carried on. Taps of the same
 * traffic are analyzed each by itself and then compared. Nothing is ever joined between captures
 * that are not related. So a wrong guess joins too little and proves nothing: what does not show
 * that it belongs together stays apart.
 *
 * That one goes on where the other ends is believed when a flow does (its next PSN), when the files
 * are a numbered series without a pause between them that is longer than those in them, when they
 * are named as dumpcap and editcap name a series, or when no more than a millisecond lies between
 * them. Where that would leave two taps of one traffic to choose from only names decide.
 */
#ifndef RDA_RELATION_H
#define RDA_RELATION_H

#include "analyzer/taps/sketch.h"

/* Of captures. RDA_RELATIONS(R): R(ID, "name in the output") */
#define RDA_RELATIONS(R)                                                                           \
	R(ALONE, "unrelated")                                                                      \
	R(CONTINUED, "continuation")                                                               \
	R(SAME, "same_traffic")

enum rda_relation_kind {
#define RDA_R(ID, name) RDA_RELATION_##ID,
	RDA_RELATIONS(RDA_R)
#undef RDA_R
};

const char *rda_relation_name(uint8_t kind);

/* A capture as it was given. */
struct rda_relation_input {
	const char *file;		 /* its name tells series */
	const char *tap;		 /* as the user says; NULL: to be found out */
	const struct rda_sketch *sketch; /* NULL: it could not be looked at (a pipe) */
};

/* A capture in its place. */
struct rda_relation_seat {
	uint32_t input; /* index of rda_relation_input */
	uint32_t tap;	/* index, from 0 in order of the seats */
	uint32_t group; /* taps of one traffic have the same one; from 0 in order of the seats */
};

struct rda_relation {
	struct rda_relation_seat *seats; /* as they are to be read: by group, tap and time */
	uint32_t count, tap_count, group_count;
};

/*
 * Whether interfaces of one file are taps: of each that has frames most packets are at another one
 * too. Else they stay one capture, as those do that carry traffic of their own.
 */
bool rda_relation_of_interfaces(const struct rda_sketch *sketches, uint32_t count);

/* To be given to rda_relation_free. */
struct rda_relation *rda_relation_find(const struct rda_relation_input *inputs, uint32_t count);
void rda_relation_free(struct rda_relation *relation);

/* What the capture of a seat is to others: SAME before CONTINUED. */
enum rda_relation_kind rda_relation_of(const struct rda_relation *relation, uint32_t seat);

#endif
