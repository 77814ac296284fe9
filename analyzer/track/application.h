/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which application a connection belongs to, by the well-known port that it was made to: of the
 * service ID in RDMA-CM's REQ (annex A11), or of TCP for iWARP.
 */
#ifndef RDA_APPLICATION_H
#define RDA_APPLICATION_H

#include "analyzer/track/connection.h"
#include "analyzer/track/setup/cm_track.h"

/*
 * RDA_APPLICATIONS(A): A(port, "name"). The registrations of IANA, the defaults of Linux
 * (rds_rdma: 18634) and of the tools that come with rdma-core and perftest.
 */
#define RDA_APPLICATIONS(A)                                                                        \
	A(445, "smb")                                                                              \
	A(988, "lustre")                                                                           \
	A(3260, "iser")                                                                            \
	A(4420, "nvme")                                                                            \
	A(5445, "smb")                                                                             \
	A(7174, "rping")                                                                           \
	A(8009, "nvme")                                                                            \
	A(18515, "perftest")                                                                       \
	A(18634, "rds")                                                                            \
	A(20049, "nfs")

/* Its name, or NULL when nothing tells. */
const char *rda_application_of(const struct rda_connection *connection,
			       const struct rda_cm_track *cm);

#endif
