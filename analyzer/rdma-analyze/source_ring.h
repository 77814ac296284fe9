/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --follow: a ring of files that a capturing program writes (tcpdump -C -W, dumpcap -b), read as
 * one capture that goes on: a source (source.h) of the files that match a pattern, in the order of
 * their first packets, the newest as it grows.
 *
 * Which file is next is asked when the one at hand has no more: the one whose first packet comes
 * next behind the first packet of the one at hand. So names do not matter, nor that a name is used
 * again when the ring has come round; and nothing is remembered of files but that time. Of the file
 * at hand what was written until a later one was there is read.
 *
 * A ring that comes round faster than it is read overwrites packets: a file that is another one
 * when it is to be read on counts as one packet dropped, as nobody knows how many there were.
 *
 * next() waits for packets. While it does it calls waits() of the source, so that signals, limits
 * and reports are looked at; false ends it.
 */
#ifndef RDA_SOURCE_RING_H
#define RDA_SOURCE_RING_H

#include "analyzer/rdma-analyze/source.h"

/* `pattern` is one of glob(7), of which no file needs to be there yet. */
struct rda_source *rda_source_ring_open(const char *pattern);

#endif
