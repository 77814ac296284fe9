/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A line in which programs tell each other their QPs over TCP (exchange_text.h), with the
 * pseudonyms of its LID, QPN, key, address and GID; PSNs and its form stay.
 */
#ifndef RDA_LINE_ANEW_H
#define RDA_LINE_ANEW_H

#include "analyzer/rdma-analyze/pseudonyms.h"

/* In place. */
void rda_line_anew(struct rda_pseudonyms *pseudonyms, uint8_t *text, uint32_t length);

#endif
