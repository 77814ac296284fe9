/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The accounts of flows, summed by host; see settle.h.
 */
#include "analyzer/engine/settle.h"

#include "analyzer/track/host.h"
#include "analyzer/track/roce/account.h"
#include "analyzer/track/roce/giveup.h"

#include <glib.h>

/*
 * The resends that a timer began, by the counters of ConnectX: those of its ladder have one of
 * their own.
 */
static void settle_timeouts(struct rda_host *sender, const struct rda_flow *flow)
{
	uint64_t timeouts = rda_account_counts(flow)->resends[RDA_TRIGGER_TIMEOUT];
	struct rda_timer_counts timers = rda_giveup_timers(flow);

	sender->roce_adp_retrans += timers.adaptive;
	sender->local_ack_timeout_err += timeouts - MIN(timers.adaptive, timeouts);
}

void rda_settle_hosts(struct rda_host *hosts, const struct rda_table *flows)
{
	for (uint32_t i = 0; i < flows->count; i++) {
		const struct rda_flow *flow = flows->items[i];
		struct rda_host *sender = &hosts[flow->sender->index];
		struct rda_host *receiver = &hosts[flow->receiver->index];

		if (!rda_account_is_whole(flow))
			continue;
		rda_host_has_accounts(sender);
		rda_host_has_accounts(receiver);
		settle_timeouts(sender, flow);
		sender->implied_nak_seq_err +=
			rda_account_counts(flow)->resends[RDA_TRIGGER_IMPLIED];
		receiver->duplicate_request += rda_account_response_counts(flow)->duplicates;
		receiver->out_of_sequence += rda_account_response_counts(flow)->out_of_sequence;
	}
}

/* Known where the requests of a reliable connection were seen. */
void rda_settle_given_up(struct rda_host *hosts, const struct rda_table *flows,
			 const struct rda_cm_track *cm, const struct rda_capture *captures,
			 uint32_t count)
{
	for (uint32_t i = 0; i < flows->count; i++) {
		const struct rda_flow *flow = flows->items[i];
		struct rda_host *sender = &hosts[flow->sender->index];
		struct rda_gave_up gave_up;

		if (!flow->account)
			continue;
		gave_up = rda_gave_up(flow, cm, captures, count);
		rda_host_has_requests(sender);
		sender->retry_exceeded += gave_up.kind == RDA_GIVEUP_RETRY;
		/* the last regular timeout shows in nothing that is sent */
		if (gave_up.kind == RDA_GIVEUP_RETRY &&
		    gave_up.schedule.timer == RDA_TIMER_ADAPTIVE && rda_account_is_whole(flow))
			sender->local_ack_timeout_err++;
		sender->rnr_retry_exceeded += gave_up.kind == RDA_GIVEUP_RNR;
	}
}
