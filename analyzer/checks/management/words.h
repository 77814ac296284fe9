/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What findings of group M call things: hosts, services, reasons.
 */
#ifndef RDA_CHECKS_MANAGEMENT_WORDS_H
#define RDA_CHECKS_MANAGEMENT_WORDS_H

#include "analyzer/track/setup/cm_track.h"

#define RDA_MANAGEMENT_WORDS 64

/* "10.10.0.1". Returns `text`. */
const char *rda_words_address(char text[RDA_MANAGEMENT_WORDS], const struct rda_address *address);

/* "TCP port 7174", "service ID 0x1000000000000123", or "an unknown service". Returns `text`. */
const char *rda_words_service(char text[RDA_MANAGEMENT_WORDS], const struct rda_cm_pair *pair);

/* What a REJ's reason means for who asked: "nobody listens for it there"; NULL: nothing special. */
const char *rda_words_reject(int32_t reason);

#endif
