/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group F: is each packet well formed; see checks.def. Nearly all are, so each part first asks
 * whether there is anything to look at.
 *
 *     check_frame_crc      ICRC and VCRC
 *     check_frame_layout   lengths, pad, fragments, GRH
 *     check_frame_fields   the BTH
 *     check_frame_payload  payload against path MTU and RETH
 */
#include "analyzer/checks/frame/frame.h"

#include "analyzer/checks/frame/crc.h"
#include "analyzer/checks/frame/fields.h"
#include "analyzer/checks/frame/layout.h"
#include "analyzer/checks/frame/payload.h"
#include "analyzer/base/put_address.h"
#include "analyzer/base/words.h"

#include <glib.h>
#include <inttypes.h>

#define PORT_DYNAMIC 0xc000 /* and above: what senders take, to spread connections over paths */

struct rda_frame_state {
	struct rda_failed_crcs failed;
};

void rda_check_frame_begin(struct rda_judge *judge)
{
	judge->frame = g_new0(struct rda_frame_state, 1);
	rda_failed_crcs_init(&judge->frame->failed, judge->findings.table.seed);
}

void rda_check_frame_free(struct rda_judge *judge)
{
	rda_failed_crcs_cleanup(&judge->frame->failed);
	g_free(judge->frame);
	judge->frame = NULL;
}

void rda_check_frame_forget(struct rda_flow *flow)
{
	rda_frame_payload_forget(flow);
}

void rda_check_frame_packet(const struct rda_at *at)
{
	const struct rda_packet *packet = at->packet;

	if (packet->carrier == RDA_CARRIER_NONE)
		return;
	if (at->icrc == RDA_ICRC_CHECK_MISMATCH || at->icrc == RDA_ICRC_CHECK_DAMAGED ||
	    at->vcrc_fails)
		rda_failed_crcs_packet(&at->judge->frame->failed, at);
	if (!rda_is_credible(at))
		return;
	if (rda_frame_layout_is_odd(packet))
		rda_frame_layout(at);
	if (!at->flow)
		return;
	if (rda_frame_fields_are_odd(packet))
		rda_frame_fields(at);
	if (rda_frame_payload_is_worth(at))
		rda_frame_payload(at);
}

void rda_check_frame_event(const struct rda_at *at, const struct rda_event *event)
{
	(void)at;
	(void)event;
}

/* F16: ports that no sender takes by itself. One case for each flow of a host. */
static void source_port_range(struct rda_judge *judge, const struct rda_flow *flow)
{
	struct rda_finding *finding;
	GString *sender;

	if (!flow->source_port_known || flow->source_port >= PORT_DYNAMIC || !flow->packets)
		return;
	finding = rda_find(&judge->findings, RDA_CHECK_F16, rda_about_host(flow->sender),
			   flow->first_place);
	sender = rda_address_string(&flow->key.source);
	rda_retell(finding,
		   "%" PRIu64 " half-flow%s from %s %s a UDP source port below 49152 (the latest "
		   "%u): senders take others by themselves, so it was set by hand.",
		   finding->count, rda_words_plural(finding->count), sender->str,
		   finding->count == 1 ? "has" : "have", flow->source_port);
	g_string_free(sender, TRUE);
}

void rda_check_frame_connection(struct rda_judge *judge, const struct rda_connection *connection)
{
	for (unsigned i = 0; i < 2; i++)
		if (connection->flows[i])
			source_port_range(judge, connection->flows[i]);
}

void rda_check_frame_end(struct rda_judge *judge)
{
	rda_failed_crcs_end(&judge->frame->failed, judge);
}
