/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The port that a connection was made to, and whose it is.
 */
#include "analyzer/track/application.h"

#include <stddef.h>

static const char *name_of_port(uint32_t port)
{
	switch (port) {
#define RDA_A(number, name)                                                                        \
	case number: return name;
		RDA_APPLICATIONS(RDA_A)
#undef RDA_A
	default: return NULL;
	}
}

/* The port in a service ID of the IP CM service for TCP: 0x0000000001 06 pppp. */
static const char *name_of_service(uint64_t service_id)
{
	if (service_id >> 16 != 0x000000000106)
		return NULL;
	return name_of_port((uint32_t)service_id & 0xffff);
}

const char *rda_application_of(const struct rda_connection *connection,
			       const struct rda_cm_track *cm)
{
	const char *name = NULL;

	if (connection->service == RDA_SERVICE_CM)
		return NULL; /* of all applications */
	for (unsigned i = 0; i < 2 && !name; i++) {
		const struct rda_flow *flow = connection->flows[i];
		const struct rda_cm_pair *pair = NULL;

		if (connection->service == RDA_SERVICE_IWARP)
			name = name_of_port((uint32_t)connection->endpoints[i].port);
		else if (flow)
			pair = rda_cm_track_pair(cm, flow);
		if (pair)
			name = name_of_service(pair->service_id);
	}
	return name;
}
