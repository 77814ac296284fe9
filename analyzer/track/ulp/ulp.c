/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Connections with upper layers: how they are found, and where their messages and transfers go.
 */
#include "analyzer/track/ulp/ulp.h"

#include "analyzer/track/connection.h"
#include "analyzer/track/ulp/iser_track.h"
#include "analyzer/track/ulp/nvme_track.h"
#include "analyzer/track/ulp/rds_track.h"
#include "analyzer/track/ulp/rpc_track.h"
#include "analyzer/track/ulp/smb_track.h"
#include "analyzer/track/ulp/srp_track.h"
#include "analyzer/track/ulp/ulp_stream.h"
#include "dissectors/ulp/iser.h"
#include "dissectors/ulp/rds.h"
#include "dissectors/ulp/rpc.h"
#include "dissectors/ulp/smb.h"
#include "dissectors/ulp/srp.h"

#include <string.h>

/* What is asked of a protocol. */
struct protocol {
	const char *application; /* as application.h names the ports of its connections */
	bool (*is_command)(const uint8_t *bytes, uint32_t have, bool expected);
	void (*begin)(struct rda_ulp *ulp);
	void (*message)(struct rda_ulp *ulp, bool by_asker, const struct rda_ulp_message *message);
	/* may be NULL: bytes that are written at the beginning of a range of the command */
	void (*placed)(struct rda_ulp *ulp, struct rda_ulp_command *command, unsigned range,
		       const struct rda_ulp_bytes *bytes);
	/* may be NULL: of a protocol whose commands lend no memory */
	void (*transferred)(struct rda_ulp *ulp, const struct rda_ulp_transfer *transfer);
};

static const struct protocol protocols[RDA_ULP_COUNT] = {
	[RDA_ULP_NVME] = {"nvme", rda_nvme_is_found, rda_nvme_begin, rda_nvme_message, NULL, NULL},
	[RDA_ULP_NFS] = {"nfs", rda_rpc_is_call, NULL, rda_rpc_message, rda_rpc_placed, NULL},
	[RDA_ULP_ISER] = {"iser", rda_iser_is_request, NULL, rda_iser_message, NULL, NULL},
	[RDA_ULP_SMB] = {"smb", rda_smb_is_request, NULL, rda_smb_message, NULL, NULL},
	[RDA_ULP_RDS] = {"rds", rda_rds_is_header, rda_rds_begin, rda_rds_message, NULL,
			 rda_rds_transferred},
	[RDA_ULP_SRP] = {"srp", rda_srp_is_request, rda_srp_begin, rda_srp_message, NULL, NULL},
};

static void free_ulp(void *item)
{
	struct rda_ulp *ulp = item;

	rda_ulp_commands_cleanup(&ulp->commands);
	rda_ulp_facts_cleanup(&ulp->facts);
	for (unsigned i = 0; i < 2; i++) {
		rda_ulp_stream_free(ulp->streams[i]);
		g_free(ulp->smb[i].bytes);
	}
	g_free(ulp->rds);
	g_free(ulp);
}

void rda_ulps_init(struct rda_ulps *ulps, uint64_t seed)
{
	memset(ulps, 0, sizeof(*ulps));
	ulps->list = g_ptr_array_new_with_free_func(free_ulp);
	ulps->seed = seed;
}

void rda_ulps_cleanup(struct rda_ulps *ulps)
{
	g_ptr_array_free(ulps->list, TRUE);
}

/* ---- finding --------------------------------------------------------------------------------- */

struct rda_flow *rda_ulp_other(const struct rda_flow *flow)
{
	if (flow->peer)
		return flow->peer;
	for (unsigned i = 0; flow->pair && i < 2; i++) {
		struct rda_flow *other = flow->pair->flows[i];

		if (other && other != flow && other->pair == flow->pair &&
		    other->key.tap == flow->key.tap)
			return other;
	}
	return NULL;
}

void rda_ulps_flow(struct rda_flow *flow)
{
	const struct rda_flow *other = rda_ulp_other(flow);

	if (other && other->ulp)
		flow->ulp = other->ulp;
}

static void make(struct rda_ulps *ulps, struct rda_flow *flow, struct rda_flow *other,
		 uint8_t protocol)
{
	struct rda_ulp *ulp;

	if (ulps->list->len == RDA_ULP_CONNECTIONS_MAX) {
		ulps->not_followed++;
		flow->ulp_tries = RDA_ULP_TRIES;
		return;
	}
	ulp = g_new0(struct rda_ulp, 1);
	ulp->protocol = protocol;
	ulp->all = ulps;
	ulp->asker = flow;
	rda_ulp_commands_init(&ulp->commands, ulps->seed);
	if (protocols[protocol].begin)
		protocols[protocol].begin(ulp);
	g_ptr_array_add(ulps->list, ulp);
	flow->ulp = ulp;
	if (other && !other->ulp)
		other->ulp = ulp;
}

void rda_ulps_look(struct rda_ulps *ulps, struct rda_flow *flow, struct rda_flow *other,
		   const uint8_t *bytes, uint32_t have)
{
	const char *application = rda_connection_application_of_flow(flow);

	if (other && other->ulp) {
		flow->ulp = other->ulp;
		return;
	}
	flow->ulp_tries++;
	for (unsigned i = 0; i < RDA_ULP_COUNT && !flow->ulp; i++) {
		bool expected = application && strcmp(application, protocols[i].application) == 0;

		if (protocols[i].is_command(bytes, have, expected))
			make(ulps, flow, other, (uint8_t)i);
	}
}

/* ---- what passes ----------------------------------------------------------------------------- */

struct rda_ulp_stream *rda_ulp_stream_of(struct rda_flow *flow)
{
	struct rda_ulp *ulp = flow->ulp;
	unsigned side = flow != ulp->asker;

	if (side)
		ulp->answerer = flow;
	if (!ulp->streams[side])
		ulp->streams[side] = rda_ulp_stream_new();
	return ulp->streams[side];
}

void rda_ulp_message(const struct rda_flow *flow, const struct rda_ulp_message *message)
{
	struct rda_ulp *ulp = flow->ulp;
	uint64_t cut = ulp->facts.cut, answered = ulp->facts.answered, unheard;

	protocols[ulp->protocol].message(ulp, flow == ulp->asker, message);
	if (flow == ulp->asker)
		return;
	/* looked at in vain before it was known whose they are; or this one, which is cut */
	unheard = ulp->heard ? 0 : flow->ulp_tries;
	if (ulp->facts.cut > cut && ulp->facts.answered == answered) {
		unheard++;
		if (ulp->streams[1])
			ulp->streams[1]->holes++;
	}
	if (unheard)
		ulp->unheard_place = message->place;
	ulp->unheard += unheard;
	ulp->heard = true;
}

struct rda_ulp_debts rda_ulp_debts_until(const struct rda_ulp *ulp, unsigned side, int64_t until_ns)
{
	struct rda_ulp_debts debts = ulp->smb[side].debts;

	rda_ulp_debts_settle(&debts, rda_ulp_acked(ulp, side), until_ns,
			     ulp->smb[side].direct.checked);
	return debts;
}

void rda_ulp_placed(struct rda_ulp *ulp, const struct rda_ulp_range *range,
		    const struct rda_ulp_bytes *bytes)
{
	struct rda_ulp_command *command =
		protocols[ulp->protocol].placed
			? rda_ulp_commands_of(&ulp->commands, range->key, range->address)
			: NULL;

	const struct rda_ulp_lent *lent =
		command ? rda_ulp_commands_first_lent(&ulp->commands, command) : NULL;

	for (unsigned i = 0; lent; i++) {
		if (lent->range.key == range->key && lent->range.address == range->address)
			protocols[ulp->protocol].placed(ulp, command, i, bytes);
		lent = rda_ulp_commands_next_lent(&ulp->commands, lent);
	}
}

void rda_ulp_transferred(struct rda_ulp *ulp, const struct rda_ulp_transfer *transfer)
{
	struct rda_ulp_command *command;

	if (!transfer->range.length)
		return;
	if (protocols[ulp->protocol].transferred) {
		protocols[ulp->protocol].transferred(ulp, transfer);
		return;
	}
	command = rda_ulp_commands_of(&ulp->commands, transfer->range.key, transfer->range.address);
	if (!command) {
		ulp->facts.unjoined++;
		return;
	}
	if (!command->moved || transfer->begin_ns < command->data_ns)
		command->data_ns = transfer->begin_ns;
	if (!command->moved || transfer->end_ns > command->data_end_ns)
		command->data_end_ns = transfer->end_ns;
	command->moved += transfer->range.length;
	command->broken |= !transfer->whole;
}
