/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A connection: two half-flows that belong together, or one whose peer was not found.
 */
#ifndef RDA_CONNECTION_H
#define RDA_CONNECTION_H

#include "analyzer/rda.h"
#include "analyzer/track/flow.h"
#include "analyzer/track/setup/cm_track.h"

struct rda_connection {
	uint32_t id;
	uint8_t carrier;   /* enum rda_carrier */
	uint8_t service;   /* enum rda_service */
	uint8_t paired_by; /* enum rda_paired_by */
	uint8_t seen;	   /* mask of enum rda_seen_bit: what the capture has of it */
	uint32_t path_mtu; /* from CM, else as seen; 0 unknown */
	struct rda_endpoint endpoints[2]; /* [0] sent the first packet */
	const struct rda_flow *flows[2];  /* what endpoint i sent; NULL: nothing was seen */
	const char *application;	  /* "nvme", ...; NULL unknown */
};

/*
 * What the capture has of a connection, on which a verdict on it may rest: a mask of enum
 * rda_seen_bit. All packets were given.
 */
uint8_t rda_connection_seen(const struct rda_connection *connection);

/* By the ports that a flow's key or its connection management tells; or NULL. */
const char *rda_connection_application_of_flow(const struct rda_flow *flow);

/* The name of its application, or NULL when nothing tells. */
const char *rda_connection_application(const struct rda_connection *connection,
				       const struct rda_cm_track *cm);

#endif
