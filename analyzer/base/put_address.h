/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses in the words of findings, appended to them. rda_address_text (rda.h) is made here too.
 */
#ifndef RDA_PUT_ADDRESS_H
#define RDA_PUT_ADDRESS_H

#include "analyzer/rda.h"

#include <glib.h>

/* Appends "10.0.0.1", "fe80::1" (as RFC 5952 wants it) or "LID 7"; nothing of no address. */
void rda_put_address(GString *to, const struct rda_address *address);

#endif
