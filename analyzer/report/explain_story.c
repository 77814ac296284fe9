/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What became of the requests of a connection. See explain_story.h.
 */
#include "analyzer/report/explain_story.h"

#include "analyzer/base/psn.h"
#include "dissectors/aeth.h"

#include <string.h>

const char *rda_story_end_name(unsigned end)
{
	static const char *const names[] = {
#define RDA_E(ID, name) name,
		RDA_STORY_ENDS(RDA_E)
#undef RDA_E
	};

	return names[end];
}

void rda_story_init(struct rda_story *story, const struct rda_connection_facts *connection)
{
	memset(story, 0, sizeof(*story));
	story->connection = connection->id;
	story->path_mtu = connection->path_mtu;
	story->followed =
		connection->service == RDA_SERVICE_RC || connection->service == RDA_SERVICE_XRC;
	for (unsigned i = 0; i < 2; i++)
		story->side[i].requests = g_queue_new();
}

void rda_story_cleanup(struct rda_story *story)
{
	for (unsigned i = 0; i < 2; i++)
		g_queue_free_full(story->side[i].requests, g_free);
}

static struct rda_story_mark mark_of(const struct rda_sight *sight)
{
	return (struct rda_story_mark){
		.place = rda_place_id(sight->input, sight->meta->number),
		.time_ns = sight->meta->time_ns,
		.psn = sight->fpdu ? 0 : sight->packet->bth.psn,
	};
}

/* ---- what is asked --------------------------------------------------------------------------- */

/* A READ takes the PSNs of its responses. */
static int64_t psns_of(const struct rda_story *story, const struct rda_packet *packet)
{
	if (!(packet->opcode->roles & RDA_ROLE_READ) || !rda_has(packet, RETH) || !story->path_mtu)
		return 1;
	return MAX(1, ((int64_t)packet->reth.dmalen + story->path_mtu - 1) / story->path_mtu);
}

/* The request that has this PSN; NULL: it is new. */
static struct rda_story_request *find(const struct rda_story_side *side, int64_t psn)
{
	for (GList *link = side->requests->tail; link; link = link->prev) {
		struct rda_story_request *request = link->data;

		if (psn >= request->psn && psn <= request->end)
			return request;
		if (request->psn < psn)
			return NULL;
	}
	return NULL;
}

/* In its place: what was overtaken comes late. */
static void insert(struct rda_story_side *side, struct rda_story_request *request)
{
	GList *link = side->requests->tail;

	while (link && ((struct rda_story_request *)link->data)->psn > request->psn)
		link = link->prev;
	if (link)
		g_queue_insert_after(side->requests, link, request);
	else
		g_queue_push_head(side->requests, request);
}

static struct rda_story_request request_of(const struct rda_story *story, int64_t psn,
					   const struct rda_sight *sight)
{
	const struct rda_packet *packet = sight->packet;

	return (struct rda_story_request){
		.psn = psn,
		.end = psn + psns_of(story, packet) - 1,
		.first = mark_of(sight),
		.last = mark_of(sight),
		.times = 1,
		.name = packet->opcode->name,
		.has_key = rda_has(packet, RETH) || rda_has(packet, ATOMICETH),
		.key = rda_has(packet, RETH) ? packet->reth.rkey : packet->atomiceth.rkey,
		.address = rda_has(packet, RETH) ? packet->reth.va : packet->atomiceth.va,
	};
}

static void ask(struct rda_story *story, unsigned sender, const struct rda_sight *sight)
{
	struct rda_story_side *side = &story->side[sender];
	struct rda_story_request *request;
	int64_t psn;

	if (side->asked)
		psn = rda_psn_widen(side->psn_near, sight->packet->bth.psn);
	else if (side->answered)
		psn = rda_psn_widen(side->acked, sight->packet->bth.psn);
	else
		psn = rda_psn_first(sight->packet->bth.psn);
	side->psn_first = side->asked ? MIN(side->psn_first, psn) : psn;
	side->asked = true;
	side->psn_near = MAX(side->psn_near, psn);
	side->latest = request_of(story, psn, sight);
	side->psn_end = MAX(side->psn_end, side->latest.end);
	if (side->answered && psn <= side->acked)
		return; /* it was answered before */
	request = find(side, psn);
	if (request) {
		request->last = mark_of(sight);
		request->times++;
	} else if (side->requests->length < RDA_STORY_REQUESTS_MAX) {
		insert(side, g_memdup2(&side->latest, sizeof(side->latest)));
	}
}

/* ---- what is answered ------------------------------------------------------------------------ */

static void acknowledge(struct rda_story_side *side, int64_t psn, const struct rda_sight *sight)
{
	struct rda_story_request *request;

	if ((side->answered && psn <= side->acked) || (side->asked && psn < side->psn_first))
		return;
	side->answered = true;
	side->acked = psn;
	side->acknowledged = mark_of(sight);
	side->acknowledged.psn = rda_psn_narrow(psn);
	while ((request = g_queue_peek_head(side->requests)) && request->end <= psn)
		g_free(g_queue_pop_head(side->requests));
}

static void refuse(struct rda_story_side *side, int64_t psn, const struct rda_sight *sight)
{
	struct rda_story_request *request;

	acknowledge(side, psn - 1, sight); /* a NAK acknowledges what is before it */
	request = find(side, psn);
	side->nak = mark_of(sight);
	side->syndrome = sight->packet->aeth.syndrome;
	side->refused = request			  ? *request
			: side->latest.psn == psn ? side->latest
						  : (struct rda_story_request){0};
}

static void answer(struct rda_story *story, unsigned sender, const struct rda_sight *sight)
{
	const struct rda_packet *packet = sight->packet;
	struct rda_story_side *side = &story->side[!sender];
	enum rda_aeth_kind kind = RDA_AETH_ACK;
	int64_t psn;

	if (side->asked)
		psn = rda_psn_widen(side->psn_near, packet->bth.psn);
	else if (side->answered)
		psn = rda_psn_widen(side->acked, packet->bth.psn);
	else
		psn = rda_psn_first(packet->bth.psn);
	if (side->asked && psn > side->psn_end)
		return; /* of what was never asked: it acknowledges nothing */
	if (rda_has(packet, AETH))
		kind = rda_syndrome_kind(packet->aeth.syndrome);
	if (kind == RDA_AETH_RNR) {
		acknowledge(side, psn - 1, sight);
		side->rnr = mark_of(sight);
		side->rnrs++;
	} else if (kind == RDA_AETH_NAK && packet->aeth.syndrome == RDA_SYNDROME_NAK_SEQUENCE) {
		acknowledge(side, psn - 1, sight);
	} else if (kind == RDA_AETH_NAK) {
		refuse(side, psn, sight);
	} else {
		acknowledge(side, psn, sight);
	}
}

void rda_story_add(struct rda_story *story, const struct rda_sight *sight)
{
	unsigned sender = sight->verdict.flow == 1;
	const struct rda_packet *packet = sight->packet;

	if (sight->verdict.flow < 0 || sight->trace.standing == RDA_STANDING_MIRRORED ||
	    sight->verdict.icrc == RDA_ICRC_BAD)
		return;
	story->last[sender] = mark_of(sight);
	if (!story->first[sender].place)
		story->first[sender] = story->last[sender];
	if (!story->followed || sight->fpdu || !rda_has(packet, BTH))
		return;
	if (packet->opcode->roles & RDA_ROLE_REQUEST)
		ask(story, sender, sight);
	else if (packet->opcode->roles & RDA_ROLE_RESPONSE)
		answer(story, sender, sight);
}

/* ---- the end --------------------------------------------------------------------------------- */

enum rda_story_end rda_story_end_of(const struct rda_story *story, unsigned side,
				    const struct rda_story_request **request)
{
	const struct rda_story_side *s = &story->side[side];
	const struct rda_story_request *oldest = g_queue_peek_head(s->requests);

	*request = oldest;
	if (s->nak.place) {
		*request = s->refused.times ? &s->refused : NULL;
		return RDA_STORY_REFUSED;
	}
	if (!story->followed)
		return RDA_STORY_NOT_FOLLOWED;
	if (!oldest)
		return s->acknowledged.place ? RDA_STORY_ANSWERED : RDA_STORY_NOTHING;
	if (s->rnr.place && s->rnr.psn == rda_psn_narrow(oldest->psn))
		return RDA_STORY_NOT_READY;
	return oldest->times > 1 ? RDA_STORY_UNANSWERED : RDA_STORY_OUTSTANDING;
}
