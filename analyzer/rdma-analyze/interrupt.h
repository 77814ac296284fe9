/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SIGINT and SIGTERM while captures are read: the first one ends the reading, and what was read is
 * reported; the second ends the program at once, as either does when nothing is being read. The end
 * of the memory ends the reading too (shortage.h).
 *
 * Handlers do nothing but set a flag. Whoever waits asks it after each wait, and waits no longer
 * than a second: a signal that comes between the question and a read(2) that blocks is followed by
 * an alarm each second, which ends that read with EINTR.
 */
#ifndef RDA_INTERRUPT_H
#define RDA_INTERRUPT_H

#include "analyzer/rdma-analyze/shortage.h"

#include <signal.h>
#include <stdbool.h>

/* Around the reading; a second begin does nothing. A signal that was ignored before (nohup) stays
 * ignored. */
void rda_interrupt_begin(void);
void rda_interrupt_end(void);

extern volatile sig_atomic_t rda_interrupt_signal; /* 0: none came */

/* A shortage of memory ends the reading as a signal does. */
static inline bool rda_interrupt_came(void)
{
	return rda_interrupt_signal != 0 || rda_shortage_came();
}

/* "SIGINT", "SIGTERM"; "memory": there was none; NULL: none came. */
const char *rda_interrupt_name(void);

#endif
