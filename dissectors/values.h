/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What values.def expands to: the constants and the words of coded fields.
 */
#ifndef RDA_VALUES_H
#define RDA_VALUES_H

#include "dissectors/values.def"

#include <stddef.h>
#include <stdint.h>

/* RDA_SET_NONE, RDA_SET_ETHERTYPE, ... */
enum rda_value_set {
	RDA_SET_NONE,
#define RDA_SET(SET) RDA_SET_##SET,
	RDA_VALUE_SETS(RDA_SET)
#undef RDA_SET
		RDA_SET_COUNT
};

/* RDA_ETHERTYPE_IP4, RDA_REJ_REASON_CONSUMER, ... */
enum rda_value {
#define RDA_V(SET, value, NAME, words) RDA_##SET##_##NAME = (value),
#define RDA_SET(SET)		       RDA_##SET##_VALUES(RDA_V)
	RDA_VALUE_SETS(RDA_SET)
#undef RDA_V
#undef RDA_SET
};

struct rda_word {
	uint16_t value;
	const char *words;
};

struct rda_words {
	const struct rda_word *word; /* in ascending order of value */
	uint16_t count;
};

/* The whole set, for tables (docs, Wireshark's value_string). */
extern const struct rda_words rda_value_sets[RDA_SET_COUNT];

/* The words for a value, or NULL when the set has none. */
const char *rda_words(enum rda_value_set set, uint64_t value);

#endif
