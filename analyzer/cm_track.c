/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * REQ and REP, matched by communication IDs. A cut message serves as far as it goes: of a snap
 * length of 128 bytes the QPNs are left, the path MTU is not.
 */
#include "analyzer/cm_track.h"

#include <string.h>

void rda_cm_track_init(struct rda_cm_track *track, uint64_t seed)
{
	rda_table_init(&track->requests, sizeof(struct rda_cm_request_key),
		       sizeof(struct rda_cm_request), seed);
	rda_table_init(&track->ends, sizeof(struct rda_cm_end_key), sizeof(struct rda_cm_end),
		       seed);
}

void rda_cm_track_cleanup(struct rda_cm_track *track)
{
	rda_table_cleanup(&track->requests, NULL);
	rda_table_cleanup(&track->ends, NULL);
}

static struct rda_cm_request_key request_key(const struct rda_address *active, uint32_t comm_id)
{
	struct rda_cm_request_key key;

	memset(&key, 0, sizeof(key)); /* padding too: keys are compared as bytes */
	memcpy(&key.active, active, sizeof(key.active));
	key.comm_id = comm_id;
	return key;
}

static struct rda_cm_end_key end_key(const struct rda_address *address, uint32_t qpn)
{
	struct rda_cm_end_key key;

	memset(&key, 0, sizeof(key));
	memcpy(&key.address, address, sizeof(key.address));
	key.qpn = qpn;
	return key;
}

/* A field that was captured, or -1. */
#define KNOWN(cm, message, field) ((int16_t)(rda_cm_knows(cm, #field) ? (cm)->message.field : -1))

static void note_request(struct rda_cm_track *track, const struct rda_packet *packet,
			 const struct rda_cm *cm)
{
	struct rda_cm_request_key key = request_key(&packet->source, cm->cm_req.local_comm_id);
	struct rda_cm_request *request;

	if (!rda_cm_knows(cm, "local_qpn"))
		return;
	request = rda_table_get(&track->requests, &key, NULL);
	request->passive = packet->destination;
	request->qpn = cm->cm_req.local_qpn;
	request->path_mtu = rda_cm_knows(cm, "path_mtu") ? cm->cm_req.path_mtu : 0;
	request->resources = KNOWN(cm, cm_req, responder_resources);
	request->depth = KNOWN(cm, cm_req, initiator_depth);
	request->limits = (struct rda_cm_limits){
		.retry_count = (int8_t)KNOWN(cm, cm_req, retry_count),
		.rnr_retry_count = (int8_t)KNOWN(cm, cm_req, rnr_retry_count),
		.ack_timeout = (int8_t)KNOWN(cm, cm_req, primary_ack_timeout),
		.reads = -1,
	};
}

/* The lower of two; unknown when one of them is. */
static int16_t lower(int16_t a, int16_t b)
{
	if (a < 0 || b < 0)
		return -1;
	return a < b ? a : b;
}

static void note_end(struct rda_cm_track *track, const struct rda_address *address, uint32_t qpn,
		     const struct rda_address *peer, uint32_t peer_qpn, uint32_t path_mtu,
		     const struct rda_cm_limits *limits)
{
	struct rda_cm_end_key key = end_key(address, qpn);
	struct rda_cm_end *end = rda_table_get(&track->ends, &key, NULL);

	end->peer = *peer;
	end->peer_qpn = peer_qpn;
	end->path_mtu = path_mtu;
	end->limits = *limits;
}

static void note_reply(struct rda_cm_track *track, const struct rda_packet *packet,
		       const struct rda_cm *cm)
{
	struct rda_cm_request_key key =
		request_key(&packet->destination, cm->cm_rep.remote_comm_id);
	const struct rda_cm_request *request = rda_table_find(&track->requests, &key);
	struct rda_cm_limits active, passive;
	uint32_t path_mtu;

	if (!request || !rda_cm_knows(cm, "local_qpn"))
		return;
	path_mtu = request->path_mtu >= 1 && request->path_mtu <= 5 ? 128u << request->path_mtu : 0;
	active = passive = request->limits;
	active.rnr_retry_count = (int8_t)KNOWN(cm, cm_rep, rnr_retry_count);
	active.reads = lower(request->depth, KNOWN(cm, cm_rep, responder_resources));
	passive.reads = lower(request->resources, KNOWN(cm, cm_rep, initiator_depth));
	note_end(track, &packet->destination, request->qpn, &packet->source, cm->cm_rep.local_qpn,
		 path_mtu, &active);
	note_end(track, &packet->source, cm->cm_rep.local_qpn, &packet->destination, request->qpn,
		 path_mtu, &passive);
}

void rda_cm_track_packet(struct rda_cm_track *track, const struct rda_frame *frame,
			 const struct rda_packet *packet)
{
	struct rda_cm cm;

	if (!rda_read_cm(frame, packet, &cm))
		return;
	if (cm.id == RDA_CM_REQ)
		note_request(track, packet, &cm);
	else if (cm.id == RDA_CM_REP)
		note_reply(track, packet, &cm);
}

const struct rda_cm_end *rda_cm_track_find(const struct rda_cm_track *track,
					   const struct rda_address *address, uint32_t qpn)
{
	struct rda_cm_end_key key = end_key(address, qpn);

	return rda_table_find(&track->ends, &key);
}
