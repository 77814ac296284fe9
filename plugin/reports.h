/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * -z rdma,connections, -z rdma,keys and -z rdma,findings, in the words of the program.
 */
#ifndef RDA_PLUGIN_REPORTS_H
#define RDA_PLUGIN_REPORTS_H

void rda_reports_register(void);

#endif
