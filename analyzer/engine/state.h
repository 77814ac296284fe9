/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the engine is made of: for the files of engine/ only.
 */
#ifndef RDA_ENGINE_STATE_H
#define RDA_ENGINE_STATE_H

#include "analyzer/base/table.h"
#include "analyzer/checks/judge.h"
#include "analyzer/engine/ahead.h"
#include "analyzer/engine/engine.h"
#include "analyzer/engine/budget.h"
#include "analyzer/engine/fpdus.h"
#include "analyzer/track/congestion/holds.h"
#include "analyzer/track/flows.h"
#include "analyzer/track/keys/key_log.h"
#include "analyzer/track/keys/key_track.h"
#include "analyzer/track/roce/copies.h"
#include "analyzer/track/roce/icrc_source.h"
#include "analyzer/track/roce/matcher.h"
#include "analyzer/track/setup/exchange.h"
#include "analyzer/track/messages.h"
#include "analyzer/track/ulp/ulp.h"

#include <glib.h>

struct rda_engine {
	struct rda_config config;
	struct rda_packet packet;    /* the one at hand */
	struct rda_tracer tracer;    /* where it is asked for */
	GArray *captures;	     /* struct rda_capture */
	struct rda_capture *capture; /* the last of them */
	uint32_t scope;		     /* index of the first of the series that the last one is of */
	GArray *others;		     /* struct rda_others_frames, by capture */
	struct rda_flows flows;
	struct rda_table hosts; /* struct rda_host */
	struct rda_icrc_ways icrc;
	struct rda_cm_track *cm;	 /* owned */
	struct rda_exchanges *exchanges; /* owned */
	struct rda_matcher matcher;
	struct rda_copies *copies;
	struct rda_holds *holds; /* owned; NULL: nothing stopped a link */
	struct rda_slowest slowest;
	struct rda_ulps ulps;
	struct rda_key_ledger *key_ledger;
	struct rda_key_log *key_log; /* NULL: events of keys are not kept */
	struct rda_key_sink key_sink;
	/* for the trackers, of the packet at hand: only what differs from the one before is written
	 */
	struct rda_posting posting;
	struct rda_event_sink sink;
	struct rda_at *at; /* of the RDMA packet at hand */
	struct rda_judge judge;
	struct rda_fpdus fpdus;
	struct rda_budget budget;
	struct rda_retired retired;
	struct rda_ahead ahead;
	const struct rda_flow *flow; /* of the packet at hand; NULL: none */
	uint64_t place;		     /* of the packet at hand; 0: no more packets come */
};

#endif
