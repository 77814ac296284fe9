/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The end of wide registers. ISA-L's CRCs leave the upper halves of vector registers as they were
 * used; until those are told to be unused, processors of Intel wait whenever the code around, which
 * knows the lower halves only, comes behind such code, or the other way round: 150 ns of a whole
 * frame were that.
 */
#ifndef RDA_WIDE_H
#define RDA_WIDE_H

/* Behind functions that use them. */
static inline void rda_wide_end(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
	if (__builtin_cpu_supports("avx"))
		__asm__ volatile("vzeroupper" ::: "memory");
#endif
}

#endif
