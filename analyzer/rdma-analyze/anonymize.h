/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --anonymize: the capture once more, without what tells who and what: other addresses, keys and
 * QPNs (pseudonyms.h), payload and options zero, no comments or names. Frames, times and headers
 * are the same, so that the same is found.
 *
 * What stands in payload is lost: commands of upper layers, private data of connection management
 * but for the addresses, and of MPA's start frames. Of iWARP the FPDUs stay, with their headers and
 * CRCs (streams_anew.h).
 */
#ifndef RDA_ANONYMIZE_H
#define RDA_ANONYMIZE_H

#include "analyzer/rdma-analyze/outfile.h"
#include "analyzer/rdma-analyze/run.h"

/* Writes the frames of a finished run, and finishes the file. False with the reason in *error. */
bool rda_anonymize_write(struct rda_run *run, struct rda_outfile *file, char **error);

#endif
