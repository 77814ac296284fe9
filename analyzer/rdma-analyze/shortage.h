/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When the machine has no more memory (`--memory` keeps away from it, as far as that is up to us).
 *
 *     an allocation fails: what was put by is given back, and it is tried again
 *         it succeeds     the reading ends as if by a signal, and what was read is reported
 *         it fails        one line, and no temporary files; the exit code is 2 in both cases
 *
 * Nobody below has to check anything: allocator.c asks here, for all libraries. What was put by is
 * address space that nobody uses: it costs nothing until then.
 */
#ifndef RDA_SHORTAGE_H
#define RDA_SHORTAGE_H

#include <stdbool.h>
#include <stdint.h>

/* Puts by what a report may take of an analysis of so much memory; less where a limit of the
 * process (RLIMIT_AS, RLIMIT_DATA) leaves less. Before the reading. */
void rda_shortage_prepare(uint64_t memory);

/* What is being read, for the line; borrowed, both, until it is called again. NULL: nothing is. */
void rda_shortage_reading(const char *file, const uint64_t *frames);

/* An allocation has failed: what was put by is given back. Any thread. */
void rda_shortage_relieve(void);

/* It has failed once more: ends the program. Allocates nothing. Any thread. */
_Noreturn void rda_shortage_end(void);

/* Whether an allocation has failed since rda_shortage_prepare. */
bool rda_shortage_came(void);

#endif
