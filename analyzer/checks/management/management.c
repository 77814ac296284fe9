/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group M: the hooks; see state.h.
 */
#include "analyzer/checks/judge.h"

#include "analyzer/checks/management/state.h"

void rda_check_management_begin(struct rda_judge *judge)
{
	judge->management = rda_management_state_new(judge->findings.table.seed);
}

void rda_check_management_free(struct rda_judge *judge)
{
	rda_management_state_free(judge->management);
	judge->management = NULL;
}

void rda_check_management_forget(struct rda_flow *flow)
{
	rda_management_watch_free(flow);
}

/* What is not RDMA, and may be about it. */
static bool is_neighbours(const struct rda_packet *packet)
{
	uint8_t last = packet->layers[packet->layer_count - 1].header;

	return last == RDA_ICMP || last == RDA_ARP;
}

void rda_check_management_other_frame(const struct rda_at *at)
{
	const struct rda_packet *packet = at->packet;

	if (packet->carrier == RDA_CARRIER_NONE && packet->layer_count && is_neighbours(packet))
		rda_neighbours_frame(rda_management_neighbours(at->judge->management), at);
	else if (at->flow && at->place == at->flow->first_place)
		rda_management_first(at);
}

void rda_check_management_packet(const struct rda_at *at)
{
	if (at->step) {
		rda_management_message(at);
		if (at->step->cm.id == RDA_CM_DREQ) {
			rda_management_leave(at);
			rda_management_left(at);
		}
	} else if (at->asker && rda_has(at->packet, AETH)) {
		rda_management_answered(at);
	}
}

void rda_check_management_connection(struct rda_judge *judge,
				     const struct rda_connection *connection)
{
	rda_management_connection(judge, connection);
}

void rda_check_management_end(struct rda_judge *judge)
{
	rda_management_silences(judge);
	rda_management_strangers(judge);
}

void rda_check_management_join(struct rda_judge *to, const struct rda_judge *from,
			       const struct rda_moved *moved)
{
	rda_management_state_join(to->management, from->management, moved);
}

void rda_check_management_pack(struct rda_pack *pack, struct rda_judge *judge)
{
	rda_management_state_pack(pack, judge->management);
}

void rda_check_management_overall(struct rda_judge *judge)
{
	rda_management_silences_overall(judge);
	rda_management_messages_overall(judge);
	rda_management_state_overall(judge->management, judge);
}

void rda_check_management_retire(struct rda_judge *judge, const struct rda_moved *moved)
{
	rda_management_state_retire(judge->management, moved);
}
