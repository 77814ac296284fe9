/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Readers of dissectors/ulp/, as fuzz_upper.c calls them.
 */
#ifndef RDA_FUZZ_UPPER_H
#define RDA_FUZZ_UPPER_H

#include <stdint.h>

enum { RDA_UPPER_READERS = 6 };

/* One of them, and what finds a protocol, on `have` bytes of a message of `length`. */
void rda_upper_read(unsigned reader, const uint8_t *bytes, uint32_t have, uint32_t length);

#endif
