/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The preferences of the protocol: ports, limits, checks that are switched off.
 */
#ifndef RDA_PLUGIN_PREFERENCES_H
#define RDA_PLUGIN_PREFERENCES_H

#include "plugin/compat.h"

void rda_preferences_register(int protocol);

#endif
