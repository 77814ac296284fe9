/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets that do not overlap, of the numbers from 0 on: at first each is alone, then sets become one
 * (Galler and Fischer 1964, with halved paths). Of a set its least number stands for it, so the
 * order in which sets were joined does not matter.
 *
 * An array of uint32_t, each the number itself or a lesser one of its set.
 */
#ifndef RDA_SETS_H
#define RDA_SETS_H

#include <stdint.h>

void rda_sets_init(uint32_t *sets, uint32_t count);

/* The least number of the set that a number is in. */
uint32_t rda_sets_of(uint32_t *sets, uint32_t number);

/* The sets of two numbers become one. */
void rda_sets_join(uint32_t *sets, uint32_t one, uint32_t other);

#endif
