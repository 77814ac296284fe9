/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * REQ and what follows it, matched by communication IDs. A cut message serves as far as it goes: of
 * a snap length of 128 bytes the QPNs are left, the path MTU is not.
 */
#include "analyzer/track/setup/state.h"

#include "analyzer/track/connection.h"
#include "analyzer/track/setup/cm_login.h"
#include "dissectors/icrc.h"

#include <glib.h>
#include <string.h>

/* A conversation, by its number: a table keeps them in order, and where they are. */
struct pair_item {
	uint32_t number; /* first: the table's key */
	struct rda_cm_pair pair;
};

struct rda_cm_track *rda_cm_track_new(uint64_t seed)
{
	struct rda_cm_track *track = g_new0(struct rda_cm_track, 1);

	track->most = RDA_CM_PAIRS_MAX;
	rda_table_init(&track->pairs, sizeof(uint32_t), sizeof(struct pair_item), seed);
	rda_table_init(&track->ids, sizeof(struct rda_cm_id_key), sizeof(struct rda_cm_id), seed);
	rda_table_init(&track->ends, sizeof(struct rda_cm_end_key), sizeof(struct rda_cm_end),
		       seed);
	return track;
}

void rda_cm_track_free(struct rda_cm_track *track)
{
	rda_table_cleanup(&track->pairs, NULL);
	rda_table_cleanup(&track->ids, NULL);
	rda_table_cleanup(&track->ends, NULL);
	g_free(track);
}

static struct rda_cm_end_key end_key(const struct rda_address *address,
				     const struct rda_address *peer, uint32_t qpn)
{
	struct rda_cm_end_key key;

	memset(&key, 0, sizeof(key)); /* padding too: keys are compared as bytes */
	memcpy(&key.address, address, sizeof(key.address));
	memcpy(&key.peer, peer, sizeof(key.peer));
	key.qpn = qpn;
	return key;
}

/* ---- conversations --------------------------------------------------------------------------- */

static struct rda_cm_id_key id_key(const struct rda_address *address,
				   const struct rda_address *other, uint32_t comm_id)
{
	struct rda_cm_id_key key;

	memset(&key, 0, sizeof(key));
	memcpy(&key.address, address, sizeof(key.address));
	memcpy(&key.other, other, sizeof(key.other));
	key.comm_id = comm_id;
	return key;
}

static void init_side(struct rda_cm_side *side, const struct rda_address *address)
{
	side->address = *address;
	side->qpn = RDA_CM_QPN_UNKNOWN;
	side->first_psn = -1;
	side->resources = side->depth = -1;
	side->limits = (struct rda_cm_limits){-1, -1, -1, -1, false};
}

/* A conversation between two hosts; NULL: too many. */
static struct rda_cm_pair *new_pair(struct rda_cm_track *track, enum rda_paired_by by,
				    const struct rda_address *first,
				    const struct rda_address *second)
{
	uint32_t number = track->pairs.count;
	struct pair_item *item;

	if (number >= track->most) {
		track->not_kept++;
		return NULL;
	}
	item = rda_table_get(&track->pairs, &number, NULL);
	item->pair.by = (uint8_t)by;
	init_side(&item->pair.sides[0], first);
	init_side(&item->pair.sides[1], second);
	item->pair.transport = item->pair.cm_timeout = item->pair.cm_retries = -1;
	item->pair.carrier = RDA_CM_FLOW_NONE;
	return &item->pair;
}

/* One that a CM message begins. */
static struct rda_cm_pair *new_conversation(struct rda_cm_track *track,
					    const struct rda_packet *packet)
{
	struct rda_cm_pair *pair =
		new_pair(track, RDA_PAIRED_BY_CM, &packet->source, &packet->destination);

	if (pair)
		pair->tid = packet->mad.tid;
	return pair;
}

/* From now on the host's communication ID stands for this conversation. */
static void name_side(struct rda_cm_track *track, struct rda_cm_pair *pair, uint8_t side,
		      uint32_t comm_id)
{
	struct rda_cm_id_key key =
		id_key(&pair->sides[side].address, &pair->sides[!side].address, comm_id);
	struct rda_cm_id *id;

	if (track->ids.count >= RDA_CM_NAMES * track->most && !rda_table_find(&track->ids, &key)) {
		track->names_not_kept++;
		return;
	}
	id = rda_table_get(&track->ids, &key, NULL);
	id->pair = pair;
	id->side = side;
}

static const struct rda_cm_id *find_id(const struct rda_cm_track *track,
				       const struct rda_address *address,
				       const struct rda_address *other, uint32_t comm_id)
{
	struct rda_cm_id_key key = id_key(address, other, comm_id);

	return rda_table_find(&track->ids, &key);
}

/*
 * The conversation of a message that is no REQ, by the ID of its recipient, else by its sender's
 * own; a new one when it began before the capture. The IDs are the first words of all of them.
 */
static struct rda_cm_pair *pair_of(struct rda_cm_track *track, const struct rda_packet *packet,
				   uint32_t local_id, uint32_t remote_id, uint8_t *sender)
{
	const struct rda_cm_id *remote =
		find_id(track, &packet->destination, &packet->source, remote_id);
	const struct rda_cm_id *local =
		find_id(track, &packet->source, &packet->destination, local_id);
	struct rda_cm_pair *pair;

	if (remote || local) {
		*sender = remote ? !remote->side : local->side;
		return remote ? remote->pair : local->pair;
	}
	pair = new_conversation(track, packet);
	if (pair)
		name_side(track, pair, 1, remote_id);
	*sender = 0;
	return pair;
}

/* Notes when a message was sent: first, or again. */
static void note_moment(struct rda_cm_moment *moment, const struct rda_meta *meta, uint64_t place,
			const struct rda_packet *packet, uint32_t scope, struct rda_cm_step *step)
{
	moment->checked = step->checked && (!moment->count || moment->checked);
	if (moment->count &&
	    (meta->tap != moment->tap || rda_place_capture(moment->first_place) < scope ||
	     rda_cm_is_copy(moment, packet, meta->time_ns)))
		return;
	if (!moment->count) {
		moment->first_ns = meta->time_ns;
		moment->first_place = place;
		moment->tap = meta->tap;
	}
	*(moment->count++ ? &step->repeated : &step->fresh) = true;
	moment->last_ns = meta->time_ns;
	moment->last_place = place;
	moment->psn = packet->bth.psn;
	moment->ip_id = packet->ip_id;
}

/* ---- messages -------------------------------------------------------------------------------- */

/* A field that was captured, or -1. */
#define KNOWN(cm, message, field) (rda_cm_knows(cm, #field) ? (int32_t)(cm)->message.field : -1)

/* Whether a REQ is the one that began this conversation, sent or seen again. */
static bool is_same_request(const struct rda_cm_pair *pair, const struct rda_packet *packet,
			    const struct rda_cm *cm)
{
	const struct rda_cm_side *passive = &pair->sides[RDA_CM_PASSIVE];

	return pair->begun && pair->tid == packet->mad.tid &&
	       pair->sides[RDA_CM_ACTIVE].qpn == cm->cm_req.local_qpn &&
	       memcmp(&passive->address, &packet->destination, sizeof(passive->address)) == 0 &&
	       passive->first_psn == KNOWN(cm, cm_req, starting_psn);
}

/* What a REQ says of the connection to be. */
static void take_request(struct rda_cm_pair *pair, const struct rda_cm *cm)
{
	struct rda_cm_side *active = &pair->sides[RDA_CM_ACTIVE];
	struct rda_cm_side *passive = &pair->sides[RDA_CM_PASSIVE];
	int32_t mtu = KNOWN(cm, cm_req, path_mtu);

	pair->begun = true;
	active->qpn = cm->cm_req.local_qpn;
	active->resources = (int16_t)KNOWN(cm, cm_req, responder_resources);
	active->depth = (int16_t)KNOWN(cm, cm_req, initiator_depth);
	passive->first_psn = KNOWN(cm, cm_req, starting_psn);
	active->limits.retry_count = (int8_t)KNOWN(cm, cm_req, retry_count);
	active->limits.ack_timeout = (int8_t)KNOWN(cm, cm_req, primary_ack_timeout);
	passive->limits = active->limits;
	passive->limits.timer_offered = true;
	passive->limits.rnr_retry_count = (int8_t)KNOWN(cm, cm_req, rnr_retry_count);
	pair->transport = (int8_t)KNOWN(cm, cm_req, transport);
	pair->xrc = KNOWN(cm, cm_req, extended_transport) == 1 && pair->transport == 3;
	pair->cm_timeout = (int8_t)KNOWN(cm, cm_req, remote_cm_timeout);
	pair->cm_retries = (int8_t)KNOWN(cm, cm_req, max_cm_retries);
	pair->path_mtu = mtu >= 1 && mtu <= 5 ? 128u << mtu : 0;
	pair->service_id = rda_cm_knows(cm, "service_id") ? cm->cm_req.service_id : 0;
}

static struct rda_cm_pair *note_request(struct rda_cm_track *track, const struct rda_packet *packet,
					const struct rda_cm *cm)
{
	const struct rda_cm_id *id =
		find_id(track, &packet->source, &packet->destination, cm->cm_req.local_comm_id);
	struct rda_cm_pair *pair;

	if (!rda_cm_knows(cm, "local_qpn"))
		return NULL;
	if (id && id->side == RDA_CM_ACTIVE && is_same_request(id->pair, packet, cm))
		return id->pair;
	pair = new_conversation(track, packet);
	if (!pair)
		return NULL;
	take_request(pair, cm);
	pair->asked_id = cm->cm_req.local_comm_id;
	name_side(track, pair, RDA_CM_ACTIVE, cm->cm_req.local_comm_id);
	return pair;
}

static void note_end(struct rda_cm_track *track, struct rda_cm_pair *pair, uint8_t side)
{
	const struct rda_cm_side *here = &pair->sides[side], *there = &pair->sides[!side];
	struct rda_cm_end_key key = end_key(&here->address, &there->address, here->qpn);
	struct rda_cm_end *end = rda_table_get(&track->ends, &key, NULL);

	if (end->pair && end->pair != pair && end->pair->sides[!end->side].qpn == there->qpn)
		pair->earlier = end->pair;
	end->pair = pair;
	end->side = side;
}

/* A REP of which the REQ is missing names a QP that an earlier conversation tied: that is past. */
static void end_tie(const struct rda_cm_track *track, struct rda_cm_step *step)
{
	const struct rda_cm_side *here = &step->pair->sides[step->sender];
	const struct rda_cm_side *there = &step->pair->sides[!step->sender];
	const struct rda_cm_end *end =
		rda_cm_track_find(track, &here->address, &there->address, here->qpn);

	if (!end || end->pair == step->pair)
		return;
	end->pair->retired = true;
	step->past = end->pair;
}

/* What a REP says; the two QPs are a pair then, if its REQ was seen. */
static void note_reply(struct rda_cm_track *track, struct rda_cm_step *step)
{
	const struct rda_cm *cm = &step->cm;
	struct rda_cm_pair *pair = step->pair;
	uint8_t sender = step->sender;
	struct rda_cm_side *passive = &pair->sides[sender], *active = &pair->sides[!sender];

	if (!rda_cm_knows(cm, "local_qpn") || (pair->begun && sender != RDA_CM_PASSIVE))
		return;
	if (pair->xrc && !rda_cm_knows(cm, "local_eecn"))
		return;
	passive->qpn =
		pair->xrc && cm->cm_rep.local_eecn ? cm->cm_rep.local_eecn : cm->cm_rep.local_qpn;
	passive->resources = (int16_t)KNOWN(cm, cm_rep, responder_resources);
	passive->depth = (int16_t)KNOWN(cm, cm_rep, initiator_depth);
	active->first_psn = KNOWN(cm, cm_rep, starting_psn);
	active->limits.rnr_retry_count = (int8_t)KNOWN(cm, cm_rep, rnr_retry_count);
	/* whoever asked does as the REP says, be it more than the REQ asked for or offered (M04) */
	active->limits.reads = passive->resources;
	passive->limits.reads = passive->depth;
	if (!pair->begun) {
		end_tie(track, step);
		return;
	}
	note_end(track, pair, RDA_CM_ACTIVE);
	note_end(track, pair, RDA_CM_PASSIVE);
}

/* Which of its moments a message is, or NULL. */
static struct rda_cm_moment *moment_of(struct rda_cm_pair *pair, uint8_t sender, uint8_t message)
{
	switch (message) {
	case RDA_CM_REQ: return &pair->req;
	case RDA_CM_MRA: return &pair->mra;
	case RDA_CM_REP: return &pair->rep;
	case RDA_CM_RTU: return &pair->rtu;
	case RDA_CM_REJ: return &pair->rej;
	case RDA_CM_DREQ: return &pair->sides[sender].dreq;
	case RDA_CM_DREP: return &pair->sides[sender].drep;
	default: return NULL;
	}
}

/* A message of a conversation, other than its REQ. */
static void note_answer(struct rda_cm_track *track, const struct rda_packet *packet,
			struct rda_cm_step *step)
{
	const struct rda_cm *cm = &step->cm;
	/* all these messages begin with the two IDs */
	uint32_t local_id = cm->cm_rtu.local_comm_id, remote_id = cm->cm_rtu.remote_comm_id;

	if (cm->captured < RDA_CM_RTU_BYTES)
		return;
	step->pair = pair_of(track, packet, local_id, remote_id, &step->sender);
	if (!step->pair)
		return;
	if (local_id) /* a host that has no conversation rejects one without an ID of its own */
		name_side(track, step->pair, step->sender, local_id);
	if (cm->id == RDA_CM_REP) {
		note_reply(track, step);
	} else if (cm->id == RDA_CM_REJ && !step->pair->rej.count) {
		step->pair->rej_by = (int8_t)step->sender;
		step->pair->rej_reason = KNOWN(cm, cm_rej, reason);
	}
}

void rda_cm_track_begin(struct rda_cm_track *track, uint32_t capture)
{
	track->scope = capture;
}

bool rda_cm_track_packet(struct rda_cm_track *track, const struct rda_meta *meta, uint64_t place,
			 const struct rda_frame *frame, const struct rda_packet *packet,
			 struct rda_cm_step *step)
{
	struct rda_cm_moment *moment;
	struct rda_crc crc;

	memset(step, 0, sizeof(*step));
	if (!rda_read_cm(frame, packet, &step->cm))
		return false;
	step->checked = rda_icrc(frame, packet, &crc) && crc.stored == crc.computed;
	if (step->cm.id == RDA_CM_REQ)
		step->pair = note_request(track, packet, &step->cm);
	else if (step->cm.id != RDA_CM_SIDR_REQ && step->cm.id != RDA_CM_SIDR_REP)
		note_answer(track, packet, step);
	if (step->pair && !step->pair->place)
		step->pair->place = place;
	moment = step->pair ? moment_of(step->pair, step->sender, step->cm.id) : NULL;
	if (moment)
		note_moment(moment, meta, place, packet, track->scope, step);
	if (step->pair && step->fresh)
		rda_cm_login_take(&step->pair->login, frame, packet, &step->cm);
	return true;
}

/* ---- what was said otherwise ----------------------------------------------------------------- */

/* Whether what was said of a side is known, or CM, whose word counts for more, said otherwise. */
static bool is_known(const struct rda_cm_track *track, const struct rda_cm_said *here,
		     const struct rda_cm_said *there)
{
	const struct rda_cm_end *end =
		rda_cm_track_find(track, &here->address, &there->address, here->qpn);

	if (!end || end->pair->sides[!end->side].qpn != there->qpn)
		return false;
	if (end->pair->by == RDA_PAIRED_BY_CM)
		return !rda_cm_is_over(end->pair);
	return end->pair->sides[end->side].first_psn == (int32_t)here->first_psn;
}

struct rda_cm_pair *rda_cm_track_told(struct rda_cm_track *track, const struct rda_cm_said said[2],
				      uint32_t tap)
{
	struct rda_cm_pair *pair;

	if (is_known(track, &said[0], &said[1]) && is_known(track, &said[1], &said[0]))
		return NULL;
	pair = new_pair(track, RDA_PAIRED_BY_EXCHANGE, &said[0].address, &said[1].address);
	if (!pair)
		return NULL;
	for (unsigned i = 0; i < 2; i++) {
		pair->sides[i].qpn = said[i].qpn;
		pair->sides[i].first_psn = (int32_t)said[i].first_psn;
		pair->sides[i].resources = said[i].resources;
		pair->sides[i].key = said[i].key;
		pair->sides[i].va = said[i].va;
		pair->sides[i].limits.reads = said[!i].resources;
	}
	pair->req = pair->rep = (struct rda_cm_moment){.tap = tap, .count = 1};
	pair->req.first_ns = pair->req.last_ns = said[0].time_ns;
	pair->rep.first_ns = pair->rep.last_ns = said[1].time_ns;
	pair->req.first_place = pair->req.last_place = said[0].place;
	pair->place = pair->rep.first_place = pair->rep.last_place = said[1].place;
	note_end(track, pair, RDA_CM_ACTIVE);
	note_end(track, pair, RDA_CM_PASSIVE);
	return pair;
}

/* ---- questions ------------------------------------------------------------------------------- */

const struct rda_cm_end *rda_cm_track_find(const struct rda_cm_track *track,
					   const struct rda_address *address,
					   const struct rda_address *peer, uint32_t qpn)
{
	struct rda_cm_end_key key = end_key(address, peer, qpn);

	return rda_table_find(&track->ends, &key);
}

const struct rda_cm_pair *rda_cm_track_pair(const struct rda_cm_track *track,
					    const struct rda_flow *flow)
{
	(void)track;
	return flow->pair;
}

/* It began when that was over, and is another connection's; but for the first that a side says
 * behind a DREQ, to another that spoke before. */
static bool is_of_the_next(const struct rda_cm_end *end, const struct rda_flow *flow)
{
	const struct rda_cm_pair *pair = end->pair;

	return rda_cm_was_over(pair, flow) && (pair->flows[!end->side] || !pair->flows[end->side]);
}

const struct rda_cm_pair *rda_cm_track_bind(const struct rda_cm_track *track, struct rda_flow *flow)
{
	const struct rda_cm_end *end = rda_cm_track_find(track, &flow->key.destination,
							 &flow->key.source, flow->key.dest_qp);

	if (!end || end->pair->retired || is_of_the_next(end, flow))
		return NULL;
	end->pair->flows[!end->side] = flow;
	flow->pair = end->pair;
	return end->pair;
}

uint32_t rda_cm_track_count(const struct rda_cm_track *track)
{
	return track->pairs.count;
}

struct rda_cm_pair *rda_cm_track_pair_at(const struct rda_cm_track *track, uint32_t index)
{
	return &((struct pair_item *)track->pairs.items[index])->pair;
}

const struct rda_cm_pair *rda_cm_track_at(const struct rda_cm_track *track, uint32_t index)
{
	return rda_cm_track_pair_at(track, index);
}

int64_t rda_cm_left_ns(const struct rda_cm_track *track, const struct rda_flow *flow,
		       int64_t after_ns)
{
	const struct rda_cm_pair *pair = rda_cm_track_pair(track, flow);
	int64_t left_ns = INT64_MAX;

	for (unsigned i = 0; pair && i < 2; i++) {
		const struct rda_cm_moment *dreq = &pair->sides[i].dreq;

		if (dreq->count && dreq->first_ns > after_ns)
			left_ns = MIN(left_ns, dreq->first_ns);
	}
	return left_ns;
}

uint32_t rda_cm_track_index(const struct rda_cm_pair *pair)
{
	const char *item = (const char *)pair - offsetof(struct pair_item, pair);

	return ((const struct pair_item *)(const void *)item)->number;
}
