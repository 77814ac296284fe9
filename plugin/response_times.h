/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -z rdma,srt, and in the menu Statistics, Service Response Time: how long messages took from their
 * first packet to what completed them, by kind.
 */
#ifndef RDA_PLUGIN_RESPONSE_TIMES_H
#define RDA_PLUGIN_RESPONSE_TIMES_H

void rda_response_times_register(void);

#endif
