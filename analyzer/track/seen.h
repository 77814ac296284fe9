/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a capture has of a connection (enum rda_seen_bit): what a verdict on it may rest on.
 */
#ifndef RDA_SEEN_H
#define RDA_SEEN_H

#include "analyzer/track/connection.h"
#include "analyzer/track/setup/cm_track.h"

/* A mask of enum rda_seen_bit; all packets were given. */
uint8_t rda_seen_of(const struct rda_connection *connection);

#endif
