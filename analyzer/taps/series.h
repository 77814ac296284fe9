/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the names of two files tell of their being of one series.
 */
#ifndef RDA_SERIES_H
#define RDA_SERIES_H

#include <stdbool.h>

/* One file behind the other of the same ring or cut, as dumpcap -b and editcap -c name them:
 * "NAME_00012_20261120234410.pcap". */
bool rda_series_follows(const char *a, const char *b);

/* Two files of the same ring or cut in one folder, wherever in it they are. */
bool rda_series_same(const char *a, const char *b);

/*
 * Of two names that are the same but for digits, in how many places they have other digits, and one
 * more where they are of different folders; 0: in none; -1: they are not the same. Where there is
 * one such place, *next says whether its number goes up by one.
 */
int rda_series_differ(const char *a, const char *b, bool *next);

#endif
