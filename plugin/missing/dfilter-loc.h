/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A header that Ubuntu 24.04 left out of its libwireshark-dev (4.2): epan/plugin_if.h needs it, by
 * cfile.h and dfilter.h, and the plugin nothing of it. An SDK that has it has it beside dfilter.h,
 * where the compiler looks first.
 */
#ifndef RDA_DFILTER_LOC_H
#define RDA_DFILTER_LOC_H

#include <stddef.h>

/* where in the text of a display filter something is */
typedef struct {
	long col_start;
	size_t col_len;
} df_loc_t;

#endif
