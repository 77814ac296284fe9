/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -z conv,rdma and -z endpoints,rdma: packets and bytes by connection and by QP. Wireshark lists
 * them in the dialogs of its menu Statistics.
 */
#ifndef RDA_PLUGIN_CONVERSATIONS_H
#define RDA_PLUGIN_CONVERSATIONS_H

void rda_conversations_register(void);

#endif
