/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a result is made of: for the files of this folder only.
 */
#ifndef RDA_RESULT_STATE_H
#define RDA_RESULT_STATE_H

#include "analyzer/checks/judge.h"
#include "analyzer/engine/result.h"
#include "analyzer/facts/collective.h"
#include "analyzer/facts/congestion_facts.h"
#include "analyzer/facts/ways.h"
#include "analyzer/facts/quality.h"
#include "analyzer/track/keys/key_log.h"

/* The frames of a capture that other engines have. */
struct rda_others_frames {
	uint64_t frames;
	int64_t first_ns, last_ns; /* valid if frames > 0 */
	int64_t back_ns;	   /* as of rda_capture */
	bool in_turn;		   /* they are told frame by frame, each in its turn */
};

/* The capture goes at least from..to; *timed: its times are valid. */
static inline void rda_result_add_time(struct rda_capture *capture, bool *timed, int64_t from,
				       int64_t to)
{
	if (!*timed || from < capture->first_time_ns)
		capture->first_time_ns = from;
	if (!*timed || to > capture->last_time_ns)
		capture->last_time_ns = to;
	*timed = true;
}

struct rda_result {
	struct rda_capture *captures;
	struct rda_stamps *stamps; /* by capture */
	struct rda_quality quality;
	struct rda_ways ways;
	struct rda_collectives collectives;
	struct rda_congestion_facts congestion;
	struct rda_pausing *pausings; /* by capture, in order of their first frames */
	uint32_t pausing_count;
	bool *timed; /* captures of which times are known, be it by frames that others have */
	struct rda_nic *nics;				  /* by rda_host.index */
	struct rda_flow_time *host_times, *capture_times; /* by rda_host.index; by capture */
	struct rda_host *hosts; /* by rda_host.index: in order of the first packet */
	struct rda_connection_facts *connections;
	struct rda_flow_facts **flows; /* each a block of its own */
	struct rda_key_facts *keys;
	struct rda_conversation *conversations;
	uint32_t capture_count, host_count, connection_count, flow_count, key_count,
		conversation_count;
	uint32_t *sorted_hosts; /* by address */
	struct rda_judge judge; /* findings, and what is joined with those of other parts */
	struct rda_slow_facts slowest[RDA_SLOWEST_KEPT];
	uint32_t slowest_count;
	struct rda_ulp_facts *ulps; /* by connection */
	struct rda_ulp_slow slow_commands[RDA_SLOWEST_KEPT];
	uint32_t ulp_count, slow_command_count;
	uint64_t ulps_not_followed;
	uint64_t keys_not_kept;
	uint64_t conversations_not_kept;
	uint64_t holds_not_kept;
	struct rda_key_log *key_log; /* owned */
	uint32_t keys_cap;
	uint32_t groups_not_compared;
	struct rda_retired retired;
	struct rda_table icrc_ways, icrc_senders; /* struct rda_icrc_source */
	/* of joined results, by capture: which of them told of it; NULL: all are one */
	uint32_t *scopes;
	uint32_t *by_key; /* flows, by key, scope and life; NULL until somebody asks */
};

/* The memory keys of a ledger; `spent`: of one of which nothing is asked any more, so each is
 * freed. */
void rda_result_take_keys(struct rda_result *result, struct rda_key_ledger *ledger, bool spent);

/* All but what follows from all of it is there: that is made now. */
void rda_result_settle(struct rda_result *result);

/* The same of results that were joined: nothing is judged anew. */
void rda_result_settle_joined(struct rda_result *result);

/* The time of hosts and captures is that of their flows: made anew. */
void rda_result_sum_times(struct rda_result *result);

#endif
