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
}

static void note_end(struct rda_cm_track *track, const struct rda_address *address, uint32_t qpn,
		     const struct rda_address *peer, uint32_t peer_qpn, uint32_t path_mtu)
{
	struct rda_cm_end_key key = end_key(address, qpn);
	struct rda_cm_end *end = rda_table_get(&track->ends, &key, NULL);

	end->peer = *peer;
	end->peer_qpn = peer_qpn;
	end->path_mtu = path_mtu;
}

static void note_reply(struct rda_cm_track *track, const struct rda_packet *packet,
		       const struct rda_cm *cm)
{
	struct rda_cm_request_key key =
		request_key(&packet->destination, cm->cm_rep.remote_comm_id);
	const struct rda_cm_request *request = rda_table_find(&track->requests, &key);
	uint32_t path_mtu;

	if (!request || !rda_cm_knows(cm, "local_qpn"))
		return;
	path_mtu = request->path_mtu >= 1 && request->path_mtu <= 5 ? 128u << request->path_mtu : 0;
	note_end(track, &packet->destination, request->qpn, &packet->source, cm->cm_rep.local_qpn,
		 path_mtu);
	note_end(track, &packet->source, cm->cm_rep.local_qpn, &packet->destination, request->qpn,
		 path_mtu);
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
