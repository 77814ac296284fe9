/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The UDP ports that Wireshark gives to its InfiniBand dissector: those of Decode As and of the
 * preference infiniband.rroce.port.
 */
#ifndef RDA_PLUGIN_PORTS_H
#define RDA_PLUGIN_PORTS_H

#include "dissectors/packet.h"

/* Adds those that are missing, as long as there is room; returns how many there was none for. */
unsigned rda_ports_add(struct rda_dissect_config *config);

#endif
