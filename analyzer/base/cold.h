/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For functions that few packets call, and that are called from those which every packet does: as a
 * call out of line, the way of all other packets is shorter, and needs fewer registers to be saved.
 */
#ifndef RDA_COLD_H
#define RDA_COLD_H

#define RDA_COLD __attribute__((cold, noinline))

/* A function out of line that is compiled for speed: some captures have many such packets. */
#define RDA_APART __attribute__((noinline))

#endif
