/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Statistics: -z rdma,connections and -z rdma,findings, in the words of the program; -z rdma,tree.
 */
#ifndef RDA_PLUGIN_REPORTS_H
#define RDA_PLUGIN_REPORTS_H

void rda_reports_register(void);

#endif
