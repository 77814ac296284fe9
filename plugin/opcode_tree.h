/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -z rdma,tree: opcodes, NAKs and resends, each by the host that sent them.
 */
#ifndef RDA_PLUGIN_OPCODE_TREE_H
#define RDA_PLUGIN_OPCODE_TREE_H

void rda_opcode_tree_register(void);

#endif
