/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What hosts would have counted, as only the accounts of their connections tell. `hosts` are values
 * by rda_host.index.
 */
#ifndef RDA_SETTLE_H
#define RDA_SETTLE_H

#include "analyzer/track/capture.h"
#include "analyzer/track/host.h"
#include "analyzer/track/setup/cm_track.h"

/* All packets were given, and the flows paired as far as that happens while they come. */
void rda_settle_hosts(struct rda_host *hosts, const struct rda_table *flows);

/* QPs that gave up; all is known of their connections. */
void rda_settle_given_up(struct rda_host *hosts, const struct rda_table *flows,
			 const struct rda_cm_track *cm, const struct rda_capture *captures,
			 uint32_t count);

#endif
