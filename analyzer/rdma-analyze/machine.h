/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much memory there is for this process: that of the machine, or less, where limits of the
 * process (ulimit -v, -d) or of its cgroup (a container, a job of a batch system) leave less; and
 * how many threads it is worth to analyze with.
 */
#ifndef RDA_MACHINE_H
#define RDA_MACHINE_H

#include <stdint.h>

/* Bytes; 0: not known. Found out once: files that tell are out of reach in the sandbox. */
uint64_t rda_machine_memory(void);

/*
 * The least limit of the cgroups that `self` (/proc/self/cgroup) names and of those around them,
 * which lie below `root` (/sys/fs/cgroup); UINT64_MAX: there is none. Both versions of cgroups.
 */
uint64_t rda_machine_cgroup(const char *self, const char *root);

/*
 * So many threads for files of so many bytes, where at most `memory` may be taken: the cores that
 * this process may use, as far as each thread has enough memory for the limits of one; one for
 * what is read before threads gain anything.
 */
unsigned rda_machine_threads(unsigned cores, uint64_t memory, uint64_t bytes);

#endif
