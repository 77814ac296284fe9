/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A ring of the latest packets for each class of pairs of hosts, and for each bucket of it the way
 * back from its latest one; copies.h has the reasoning.
 *
 *     latest[bucket]  17 ---.         position of the bucket's latest packet
 *     links     ... 14 15 16 17       17's `gap` is 3, 14's leads 4096 or more back
 *     kept      ... 14 15 16 17
 *
 * With many connections each look into `kept` waits for memory. So the links tell by 16 bits of the
 * hash that a packet is not equal: they are an eighth of it, and mostly it is written only.
 */
#include "analyzer/track/roce/copies.h"

#include "analyzer/base/address.h"
#include "analyzer/base/cold.h"
#include "analyzer/base/fetch.h"
#include "analyzer/base/psn.h"
#include "analyzer/base/table.h"
#include "analyzer/track/roce/account_parts.h"
#include "analyzer/track/roce/owed.h"
#include "analyzer/track/roce/own_ids.h"
#include "analyzer/track/roce/run_cause.h"
#include "dissectors/icrc.h"
#include "dissectors/link.h"

#include <glib.h>

enum { BUCKET_BITS = 12 };

G_STATIC_ASSERT(1 << BUCKET_BITS == RDA_COPIES_KEPT);

struct rda_original {
	int64_t time_ns;
	uint64_t place;
	uint32_t flow; /* its index */
	uint32_t psn;  /* and the opcode above it */
	uint32_t icrc; /* 0 where it was not captured */
	uint16_t ip_id;
	bool icrc_fits;
	uint8_t interface; /* of the host, the low byte of its index (dissectors/link.h) */
};

struct link {
	uint16_t mark; /* equal packets have equal ones */
	uint16_t gap;  /* to the latest of its bucket before it; UINT16_MAX: so far or further */
};

struct ring {
	struct rda_original kept[RDA_COPIES_KEPT]; /* a ring */
	struct link links[RDA_COPIES_KEPT];	   /* of the same */
	uint32_t latest[RDA_COPIES_KEPT];	   /* position of the latest of each bucket */
	uint32_t count;				   /* positions so far; wraps */
	uint64_t found;				   /* copies */
};

struct rda_copies {
	struct ring *rings[RDA_SHARES]; /* owned; NULL: nothing was seen of the class */
};

/* Of one bucket that are looked at: more are there only where somebody made them so. */
enum { LOOKED_AT = 16 };

/* Identifications that two packets in a row share by chance; more of them are no numbering. */
enum { PACKETS_OF_A_REPEAT = 256 };

struct rda_copies *rda_copies_new(void)
{
	return g_new0(struct rda_copies, 1);
}

void rda_copies_free(struct rda_copies *copies)
{
	for (unsigned i = 0; copies && i < RDA_SHARES; i++)
		g_free(copies->rings[i]);
	g_free(copies);
}

void rda_copies_follow(struct rda_flow *flow)
{
	flow->share = (uint8_t)rda_share_class(
		rda_address_pair(&flow->key.source, &flow->key.destination));
}

static struct ring *ring_of(struct rda_copies *copies, const struct rda_flow *flow)
{
	struct ring **ring = &copies->rings[flow->share];

	if (!*ring)
		*ring = g_new0(struct ring, 1);
	return *ring;
}

/* By what the packet says alone: a flow's index depends on what else the engine has. */
static uint32_t hash_of(uint32_t psn, uint16_t ip_id, uint32_t dest_qp)
{
	return psn * 2654435761u + ip_id * 2246822519u + dest_qp * 3266489917u;
}

static uint32_t bucket_of(uint32_t hash)
{
	return hash >> (32 - BUCKET_BITS);
}

static uint16_t mark_of(uint32_t hash)
{
	return (uint16_t)(hash >> (32 - BUCKET_BITS - 16));
}

/* Of one that is damaged, in the bytes or in the ICRC itself, the ICRC does not tell. */
static bool is_equal(const struct rda_original *a, const struct rda_original *b)
{
	return a->flow == b->flow && a->psn == b->psn && a->ip_id == b->ip_id &&
	       (a->icrc == b->icrc || !a->icrc || !b->icrc || a->icrc_fits != b->icrc_fits);
}

/* The latest equal one, or NULL. */
static const struct rda_original *find(const struct ring *ring, const struct rda_original *like,
				       uint32_t hash)
{
	uint32_t at = ring->latest[bucket_of(hash)], age = ring->count - at;

	/* position 0 is never used; a place in the ring that was used again has a lesser age */
	for (unsigned i = 0; i < LOOKED_AT && at && age < RDA_COPIES_KEPT; i++) {
		const struct link *link = &ring->links[at & (RDA_COPIES_KEPT - 1)];
		const struct rda_original *o = &ring->kept[at & (RDA_COPIES_KEPT - 1)];

		if (link->mark == mark_of(hash) && is_equal(o, like))
			return o;
		at -= link->gap;
		age += link->gap;
	}
	return NULL;
}

static void keep(struct ring *ring, const struct rda_original *o, uint32_t hash)
{
	uint32_t *latest = &ring->latest[bucket_of(hash)], gap;
	uint32_t at = ++ring->count ? ring->count : ++ring->count;

	gap = *latest ? at - *latest : UINT16_MAX;
	ring->links[at & (RDA_COPIES_KEPT - 1)] = (struct link){
		.mark = mark_of(hash),
		.gap = (uint16_t)MIN(gap, UINT16_MAX),
	};
	ring->kept[at & (RDA_COPIES_KEPT - 1)] = *o;
	*latest = at;
}

/* A packet that is no copy: what it tells of its sender's identifications. */
static void learn(const struct rda_flow *flow, struct rda_flow_ids *ids, uint16_t ip_id,
		  const struct rda_packet *packet)
{
	uint32_t mtu = rda_account_mtu(flow);
	uint16_t beyond_psn = (uint16_t)(ip_id - packet->bth.psn);
	bool same = ids->packets && beyond_psn == ids->beyond_psn;

	if (ids->packets++ && ids->latest == ip_id)
		ids->repeated += ids->repeated < RDA_FLOW_REPEATED_MOST;
	else if (ids->packets > 1)
		ids->vary = true;
	ids->independent |= ids->packets > 1 && !same;
	ids->skips |= same && ids->after_read && (uint16_t)(ip_id - ids->latest) > 1;
	ids->after_read = packet->opcode->roles & RDA_ROLE_READ && rda_has(packet, RETH) &&
			  packet->reth.dmalen > (mtu ? mtu : 4096);
	ids->beyond_psn = beyond_psn;
	ids->latest = ip_id;
}

bool rda_copies_ids_tell(const struct rda_flow_ids *ids)
{
	return ids->vary && (ids->independent || !ids->skips) && !ids->resent &&
	       ids->repeated <= ids->packets / PACKETS_OF_A_REPEAT;
}

/* So many copies were found that all is there twice: some are yet to come. */
static bool is_doubled(const struct ring *ring)
{
	return ring->found && ring->found >= ring->count / 4;
}

/*
 * Whether of the packets before this one, of all or of its flow, so many have had copies by now. Of
 * what is `due` more of them: its sender may have sent again what the others seem to be copies of.
 */
static bool are_earlier_doubled(const struct ring *ring, const struct rda_flow *flow, unsigned kind,
				const struct rda_original *original, bool due)
{
	uint32_t index = (uint32_t)(original - ring->kept);
	uint32_t behind = (ring->count - index) & (RDA_COPIES_KEPT - 1);
	uint32_t earlier = ring->count - behind - 1;
	uint64_t copies = rda_flow_rare(flow)->alike[kind].copies;

	return 2 * ring->found >= earlier ||
	       (copies && copies >= rda_flow_ids(flow, kind)->packets / (due ? 2 : 4));
}

/* A run of resends that reaches a PSN has begun since a packet passed. */
static bool is_run_since(const struct rda_requester *r, int64_t psn, uint64_t place)
{
	return r->rare->run.frame > place && psn >= r->rare->run.begin;
}

/* What has this PSN was sent again since a packet passed, in whatever run. */
static bool is_asked_since(const struct rda_requester *r, int64_t psn, uint64_t place)
{
	const struct rda_sent *record = r->window.lean ? NULL : rda_window_of(&r->window, psn);

	return record && record->seen > 1 && record->last_frame > place;
}

/* What has this PSN was asked for more often than it has passed, whatever else its headers say. */
static bool is_owed(const struct rda_requester *r, int64_t psn, const struct ring *ring,
		    const struct rda_original *original, uint32_t hash)
{
	const struct rda_sent *record = r->window.lean ? NULL : rda_window_of(&r->window, psn);
	uint32_t at = ring->latest[bucket_of(hash)], age = ring->count - at, passed = 0;

	for (unsigned i = 0; i < LOOKED_AT && at && age < RDA_COPIES_KEPT; i++) {
		const struct rda_original *o = &ring->kept[at & (RDA_COPIES_KEPT - 1)];
		uint16_t gap = ring->links[at & (RDA_COPIES_KEPT - 1)].gap;

		passed += o->flow == original->flow && o->psn == original->psn &&
			  o->ip_id == original->ip_id;
		at -= gap;
		age += gap;
	}
	return record && record->seen > passed;
}

/* A READ or ATOMIC that was asked for since waits for what has this PSN, though the window may have
 * forgotten it. */
static bool is_waited_for(const struct rda_account *account, int64_t psn,
			  const struct rda_original *original)
{
	const struct rda_pending *item;

	for (uint32_t i = 0; (item = rda_account_waiting(account, i)) != NULL; i++)
		if (psn >= item->begin && psn < item->end)
			return item->asked_ns > original->time_ns &&
			       (psn >= item->expected || item->missing);
	return false;
}

/*
 * An answer whose identification may be made of its PSN, and what it answers was sent again since
 * it passed, or has been asked for more often than it passed; or an ACK, as a request that is
 * copied behind the tap is acknowledged twice.
 */
static bool may_be_answered_again(const struct rda_flow *flow, const struct rda_flow_ids *ids,
				  const struct rda_packet *packet, const struct ring *ring,
				  const struct rda_original *original)
{
	uint32_t hash = hash_of(original->psn, original->ip_id, flow->key.dest_qp);
	const struct rda_requester *r =
		flow->peer && flow->peer->account ? &flow->peer->account->requester : NULL;
	int64_t psn;

	if (ids->independent)
		return false;
	if (packet->opcode->roles & RDA_ROLE_ACK)
		return true;
	if (!r)
		return false;
	psn = rda_psn_widen(r->progress.next, packet->bth.psn);
	return is_run_since(r, psn, original->place) || is_asked_since(r, psn, original->place) ||
	       is_owed(r, psn, ring, original, hash) ||
	       is_waited_for(flow->peer->account, psn, original) ||
	       rda_owed_is_due(&flow->peer->account->responder, psn);
}

/* It is the one that was asked for, or goes on with what is sent again. */
static bool is_asked_for(const struct rda_requester *r, int64_t psn)
{
	const struct rda_hole_filling *filling = &r->rare->filling;

	return rda_run_cause_asks_for(r, psn) ||
	       (r->run.trigger != RDA_TRIGGER_NONE && psn == r->run.next) ||
	       (filling->begin != filling->next && !filling->unasked && psn == filling->next);
}

/*
 * Whether a request may be sent again with the identification that it had: it is the one that was
 * asked for, or goes on with what is sent again, and none was seen to have another one then.
 */
static bool may_be_resent(const struct rda_flow *flow, unsigned kind,
			  const struct rda_packet *packet, const struct ring *ring,
			  const struct rda_original *original)
{
	const struct rda_flow_ids *ids = rda_flow_ids(flow, kind);
	const struct rda_requester *r = flow->account ? &flow->account->requester : NULL;
	int64_t psn;

	if (packet->opcode->roles & RDA_ROLE_RESPONSE)
		return may_be_answered_again(flow, ids, packet, ring, original);
	if (!r || !(packet->opcode->roles & RDA_ROLE_REQUEST) || rda_own_ids_have_resends(flow, r))
		return false;
	psn = rda_psn_widen(r->progress.next, packet->bth.psn);
	if (!ids->independent && is_run_since(r, psn, original->place))
		return true;
	if (!ids->independent && psn == MIN(r->progress.acked, r->progress.incomplete))
		return true; /* a timer may have fired */
	return is_asked_for(r, psn);
}

/* It was asked for, and has the identification that hardware gives it each time, as it seems. */
static bool is_due(const struct rda_flow *flow, const struct rda_flow_ids *ids,
		   const struct rda_packet *packet)
{
	const struct rda_requester *r = flow->account ? &flow->account->requester : NULL;

	return r && packet->opcode->roles & RDA_ROLE_REQUEST && !ids->independent &&
	       is_asked_for(r, rda_psn_widen(r->progress.next, packet->bth.psn));
}

/* Management is sent again much later, all else of these services never. */
static bool is_sent_once(const struct rda_packet *packet)
{
	return packet->opcode->transport == RDA_TRANSPORT_UC ||
	       packet->opcode->transport == RDA_TRANSPORT_UD;
}

/*
 * `original` is the only packet of its kind and flow so far: whether its sender had no reason to
 * send it again since.
 */
static bool is_first_copied(const struct rda_flow *flow, const struct rda_packet *packet,
			    const struct rda_original *original)
{
	bool asks = packet->opcode->roles & RDA_ROLE_REQUEST;
	const struct rda_flow *asker = asks ? flow : flow->peer;
	const struct rda_requester *r;

	if (is_sent_once(packet) || !asker || !asker->account)
		return is_sent_once(packet);
	r = &asker->account->requester;
	if (r->rare->counts.packets[RDA_REQUEST_RESENT] || r->rare->due.trigger != RDA_TRIGGER_NONE)
		return false;
	return asks || r->progress.last_ns <= original->time_ns;
}

/* What has this PSN, or what it answers, passed more than once; or is not remembered. */
static bool was_asked_again(const struct rda_account *account, const struct rda_packet *packet)
{
	const struct rda_sent *record =
		rda_account_sent(account, rda_account_widen(account, packet->bth.psn));

	return !record || record->seen > 1;
}

/*
 * Something was sent again since its original, so it may be as well, or answered again, and nothing
 * tells the order of sending: identifications may be random, and two of them equal by chance.
 */
static bool may_be_chance(const struct rda_flow *flow, const struct rda_packet *packet,
			  const struct rda_original *original)
{
	bool asks = packet->opcode->roles & RDA_ROLE_REQUEST;
	const struct rda_flow *asker = asks ? flow : flow->peer;
	const struct rda_account *account = asker ? asker->account : NULL;

	if (!account) /* who asked is not there */
		return packet->opcode->roles & RDA_ROLE_ACK;
	if (rda_sending_order_is_known(asks ? &account->requester.order
					    : &account->responder.heard->order))
		return false;
	/* where requests overtake each other, or NAKs are not shown, nothing tells when a run has
	 * begun; and duplicates are answered with what is expected, above all that was sent again
	 */
	if (account->requester.rare->run.frame > original->place ||
	    (asks && account->requester.rare->counts.packets[RDA_REQUEST_RESENT] &&
	     (!flow->peer || rda_requester_overtakes(&account->requester))))
		return true;
	/* what was sent again and answers to it may be on their way here for long: one ACK for each
	 * packet of a run, and all responses of a READ for each time that it was asked for */
	if (account->requester.rare->counts.packets[RDA_REQUEST_RESENT] &&
	    (packet->opcode->roles & RDA_ROLE_ACK || was_asked_again(account, packet)))
		return true;
	return asks &&
	       is_asked_for(&account->requester,
			    rda_psn_widen(account->requester.progress.next, packet->bth.psn));
}

/* A copy was found. */
static void count(struct rda_flow *flow, unsigned kind, const struct rda_packet *packet,
		  const struct rda_original *original, int64_t time_ns, bool elsewhere)
{
	struct rda_flow_alike *alike = &rda_flow_make_rare(flow)->alike[kind];
	bool chance = may_be_chance(flow, packet, original);
	bool slow = ABS(time_ns - original->time_ns) >= RDA_MIRROR_NS;

	alike->copies++;
	flow->rare->copies.elsewhere += elsewhere;
	alike->chances += chance;
	alike->slow += slow;
	if (packet->opcode->roles & RDA_ROLE_RESPONSE && flow->peer && flow->peer->account) {
		/* later than a mirror shows it: it may answer what was asked again, where
		 * identifications are made of PSNs, or random ones equal by chance */
		rda_owed_copied(flow->peer->account, packet->bth.psn, original->place,
				slow && (chance || !rda_flow_ids(flow, kind)->independent));
		if (rda_flow_rare(flow)->copies.packets <= flow->packets / RDA_PACKETS_FOR_A_COPY)
			rda_owed_followed(flow->peer->account, packet->bth.psn, time_ns);
	}
	alike->within_ns = MAX(alike->within_ns, ABS(time_ns - original->time_ns));
	flow->quiet[kind] = 0;
}

/*
 * Whether an equal identification tells a copy. Hardware that makes it from the PSN sends a packet
 * again with the same one: where things are sent again, those before it must have had copies too.
 */
static bool do_tell(const struct ring *ring, const struct rda_flow *flow, unsigned kind,
		    const struct rda_packet *packet, const struct rda_original *original)
{
	const struct rda_flow_ids *ids = rda_flow_ids(flow, kind);
	bool due = is_due(flow, ids, packet);

	if (ids->packets == 1) /* who gives all packets the same one mostly gives them 0 */
		return packet->ip_id &&
		       (is_doubled(ring) || is_first_copied(flow, packet, original) ||
			(ring->found && are_earlier_doubled(ring, flow, kind, original, due)));
	if (!rda_copies_ids_tell(ids) || (!ring->found && due))
		return false;
	return are_earlier_doubled(ring, flow, kind, original, due) ||
	       !may_be_resent(flow, kind, packet, ring, original);
}

RDA_APART uint64_t rda_copies_look(struct rda_copies *copies, struct rda_flow *flow,
				   const struct rda_posting *posting)
{
	const struct rda_packet *packet = posting->packet;
	struct ring *ring = ring_of(copies, flow);
	unsigned kind = rda_copies_kind(packet->opcode->roles);
	struct rda_flow_ids *ids = kind ? &rda_flow_make_answers(flow)->ids[kind - 1] : &flow->ids;
	struct rda_original o = {
		.time_ns = posting->meta->time_ns,
		.place = posting->place,
		.flow = flow->index,
		.psn = (uint32_t)packet->bth.opcode << 24 | packet->bth.psn,
		.icrc = rda_icrc_stored(posting->frame, packet),
		.ip_id = packet->ip_id,
		.icrc_fits = posting->icrc_fits,
		.interface = (uint8_t)rda_link_interface(posting->frame),
	};
	uint32_t hash = hash_of(o.psn, o.ip_id, flow->key.dest_qp);
	const struct rda_original *original = find(ring, &o, hash);
	bool elsewhere = original && original->interface != o.interface;

	if (original && ABS(o.time_ns - original->time_ns) >= rda_own_ids_copy_ns(flow, packet)) {
		ids->resent |= !is_sent_once(packet);
	} else if (original && do_tell(ring, flow, kind, packet, original)) {
		ring->found++;
		count(flow, kind, packet, original, o.time_ns, elsewhere);
		return original->place;
	}
	if (original) {
		rda_flow_make_rare(flow)->alike[kind].refused++;
		rda_flow_make_rare(flow)->alike[kind].refused_place = o.place;
		rda_flow_make_rare(flow)->alike[kind].refused_elsewhere = elsewhere;
	} else {
		learn(flow, ids, o.ip_id, packet);
	}
	flow->quiet[kind] = !ids->vary && ids->packets >= RDA_COPIES_SAME ? RDA_COPIES_QUIET
									  : flow->quiet[kind] + 1;
	keep(ring, &o, hash);
	return 0;
}

void rda_copies_fetch(const struct rda_copies *copies, uint8_t share, uint32_t psn, uint16_t ip_id,
		      uint32_t dest_qp)
{
	const struct ring *ring = copies->rings[share];

	if (!ring)
		return;
	rda_fetch(&ring->latest[bucket_of(hash_of(psn, ip_id, dest_qp))]);
	rda_fetch(&ring->kept[(ring->count + 1) & (RDA_COPIES_KEPT - 1)]);
}

void rda_copies_fetch_link(const struct rda_copies *copies, uint8_t share, uint32_t psn,
			   uint16_t ip_id, uint32_t dest_qp)
{
	const struct ring *ring = copies->rings[share];

	if (ring)
		rda_fetch(&ring->links[ring->latest[bucket_of(hash_of(psn, ip_id, dest_qp))] &
				       (RDA_COPIES_KEPT - 1)]);
}

void rda_copies_move(struct rda_copies *copies, const uint32_t *moved)
{
	for (unsigned share = 0; share < RDA_SHARES; share++)
		for (uint32_t i = 0; copies->rings[share] && i < RDA_COPIES_KEPT; i++) {
			struct rda_original *kept = &copies->rings[share]->kept[i];

			if (kept->place && kept->flow != RDA_GONE)
				kept->flow = moved[kept->flow];
		}
}
