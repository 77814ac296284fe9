/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The words of coded fields, expanded from values.def.
 */
#include "dissectors/values.h"

#define RDA_V(SET, value, NAME, words) {value, words},
#define RDA_LIST(SET)		       static const struct rda_word words_of_##SET[] = {RDA_##SET##_VALUES(RDA_V)};
RDA_VALUE_SETS(RDA_LIST)

const struct rda_words rda_value_sets[RDA_SET_COUNT] = {
#define RDA_ROW(SET)                                                                               \
	[RDA_SET_##SET] = {words_of_##SET, sizeof(words_of_##SET) / sizeof(words_of_##SET[0])},
	RDA_VALUE_SETS(RDA_ROW)};

const char *rda_words(enum rda_value_set set, uint64_t value)
{
	const struct rda_words *words = &rda_value_sets[set];

	for (unsigned i = 0; i < words->count; i++)
		if (words->word[i].value == value)
			return words->word[i].words;
	return NULL;
}
