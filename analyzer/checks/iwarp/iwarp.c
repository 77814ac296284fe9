/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group W: iWARP. The hooks, and what concerns the TCP stream below: damage, and how it ends.
 * state.h lists the files that do the rest, and what all of them share.
 */
#include "analyzer/checks/iwarp/iwarp.h"

#include "analyzer/checks/iwarp/state.h"
#include "analyzer/track/roce/copies.h"

#include <glib.h>

void rda_check_iwarp_free(struct rda_judge *judge)
{
	rda_check_stag_free(judge);
}

void rda_check_iwarp_forget(struct rda_flow *flow)
{
	rda_iwarp_watch_free(flow);
}

/* ---- FPDUs in the stream --------------------------------------------------------------------- */

/* W04. What contradicts itself may be a marker that is not known of; nor is it known where FPDUs
 * begin, where the start frame was damaged. */
static void fpdu_desync(const struct rda_iwarp_case *c)
{
	struct rda_iwarp_watch *w = c->watch;

	if (w->broken || w->desync || c->side.markers_contradict || !c->side.markers_known ||
	    (c->side.start_doubtful && !c->side.fpdus))
		return;
	w->desync = true;
	w->desync_end = c->side.next;
	w->desync_place = c->at->place;
	w->desync_fpdus = c->side.fpdus;
	w->doubted = c->side.unchecked && w->again_end > w->latest_begin;
	rda_finding_say(rda_iwarp_find(c, RDA_CHECK_W04, c->at->place), RDA_SAY_W04_NO_FPDU,
			RDA_ARG_NUMBER("fpdus", w->desync_fpdus),
			RDA_ARG_FLAG("sent_again", false));
}

/*
 * W04, gathered: bytes were sent again that the peer had not acknowledged. Where segments are cut
 * no checksum tells which were damaged: in the bytes that make no FPDU, in the length of the one
 * before, or in their own sequence number, so that they begin with bytes that were there.
 */
static void note_again(const struct rda_iwarp_case *c)
{
	const struct rda_packet *packet = c->at->packet;
	struct rda_iwarp_watch *w = c->watch;
	int64_t begin, end;

	if (c->side.retransmitted <= w->retransmitted || !c->side.unchecked)
		return;
	begin = c->side.next + (int32_t)(packet->tcp.sequence - (uint32_t)c->side.next);
	end = begin + packet->payload_length;
	if (end <= c->side.acked)
		return;
	w->again_end = MAX(w->again_end, end);
	w->doubted |= w->desync && c->at->place != w->desync_place && begin <= w->desync_end &&
		      end > w->latest_begin;
}

/* W04: what was sent again was not accepted when it came first, perhaps. */
static void forgive_desync(struct rda_judge *judge, const struct rda_flow *flow)
{
	const struct rda_iwarp_watch *w = flow->watch.iwarp;
	struct rda_finding *f =
		rda_finding_find(&judge->findings, RDA_CHECK_W04, rda_about_flow(flow));

	if (!f || !w->doubted)
		return;
	f->severity = RDA_SEVERITY_NOTE;
	rda_finding_retell(f, RDA_SAY_W04_NO_FPDU, RDA_ARG_NUMBER("fpdus", w->desync_fpdus),
			   RDA_ARG_FLAG("sent_again", true));
}

/* ---- TCP ------------------------------------------------------------------------------------- */

/* W30. A receiver acknowledges no bytes that it had only under a checksum that does not fit. */
static void tcp_checksum_wrong(const struct rda_iwarp_case *c, uint64_t place, bool accepted)
{
	struct rda_finding *f;

	if (!accepted) {
		rda_iwarp_find(c, RDA_CHECK_W30, place); /* told when it is known how many fit */
		c->watch->damaged++;
		return;
	}
	f = rda_iwarp_find_as(c, RDA_CHECK_W30, RDA_SEVERITY_NOTE, RDA_PROOF_SUSPECTED, place);
	rda_finding_retell(f, RDA_SAY_W30_ACCEPTED, RDA_ARG_NUMBER("segments", f->count));
}

static void damaged_segments(struct rda_judge *judge, const struct rda_flow *flow)
{
	struct rda_finding *f =
		rda_finding_find(&judge->findings, RDA_CHECK_W30, rda_about_flow(flow));

	if (f)
		rda_finding_retell(f, RDA_SAY_W30_DAMAGED, RDA_ARG_NUMBER("segments", f->count),
				   RDA_ARG_NUMBER("fitting", flow->watch.iwarp->fitting));
}

/* Q05, which the requests of RoCE have in checks/capture/capture.c */
static void note_mirrored(const struct rda_iwarp_case *c)
{
	struct rda_finding *f;

	if (c->side.mirrored == c->watch->mirrored)
		return;
	c->watch->mirrored = c->side.mirrored;
	f = rda_iwarp_find_as(c, RDA_CHECK_Q05, RDA_SEVERITY_NOTE, RDA_PROOF_SUSPECTED,
			      c->at->place);
	rda_finding_retell(f, RDA_SAY_Q05_SEGMENTS, RDA_ARG_NUMBER("copies", f->count),
			   RDA_ARG_TIME("within_ns", RDA_COPY_NS));
}

/* W31, gathered: bytes that came behind the first RST, and another one that answers them. */
static void note_refused(const struct rda_iwarp_case *c)
{
	struct rda_iwarp_watch *w = c->watch;

	if (c->other.next <= MAX(w->reset_end, w->refused_end))
		return;
	if (!w->refused_place)
		w->refused_place = c->at->place;
	w->refused_end = c->other.next;
}

/* W31, gathered: the first RST, where the other side has not made one that this answers. */
static void note_reset(const struct rda_iwarp_case *c)
{
	const struct rda_iwarp_watch *other = c->peer ? c->peer->watch.iwarp : NULL;

	if (!c->at->packet->tcp.rst || !other || !c->other.acked)
		return;
	if (c->watch->reset_place) {
		note_refused(c);
		return;
	}
	if (other->reset_place)
		return;
	c->watch->reset_place = c->at->place;
	c->watch->reset_ns = c->at->meta->time_ns;
	c->watch->reset_end = c->other.next;
	c->watch->reset_told = c->at->packet->tcp.ack;
	c->watch->reset_several = other->segments - other->acked_segments > 1;
}

/* All that a side had sent by now, and what the other says to have of it. */
static int64_t sent_by_now(const struct rda_iwarp_side *side)
{
	return MAX(side->next + side->fin_seen, side->acked);
}

static void note_end(const struct rda_iwarp_case *c)
{
	const struct rda_tcp *tcp = &c->at->packet->tcp;
	struct rda_iwarp_watch *w = c->watch;

	note_reset(c);
	if (tcp->rst) {
		/* bytes in front of it that were not captured count in its number */
		w->rst_sent = sent_by_now(&c->side);
		w->rst_sent = MAX(w->rst_sent,
				  c->side.next + (int32_t)(tcp->sequence - (uint32_t)c->side.next));
		w->rst_heard = sent_by_now(&c->other);
	}
	/* it was damaged, as checksums that fit have told since then */
	if (w->closed_place && !w->reset && !c->side.fin_seen)
		w->closed_place = 0;
	w->fin_unsure = c->side.fin_unsure;
	if (c->peer && c->peer->watch.iwarp) /* whose FIN this acknowledges, perhaps */
		c->peer->watch.iwarp->fin_unsure = c->other.fin_unsure;
	/* a FIN behind a RST tells that its sender knows nothing of that */
	if ((w->closed_place && !(w->reset && tcp->fin)) || !(c->side.fin_seen || tcp->rst))
		return;
	w->closed_place = c->at->place;
	w->closed_ns = c->at->meta->time_ns;
	w->reset = tcp->rst;
	w->numbered = tcp->ack;
}

/*
 * A RST that nobody took, as one that a firewall or an attacker made with a wrong number: what
 * either side sent behind it is acknowledged. It ended nothing.
 */
static void forget_reset(struct rda_iwarp_watch *w, const struct rda_iwarp_side *own,
			 const struct rda_iwarp_side *other)
{
	if (!w->rst_sent || (own->acked <= w->rst_sent && other->acked <= w->rst_heard))
		return;
	w->rst_sent = 0;
	w->reset_place = w->refused_place = w->went_on_place = 0;
	w->refused_end = 0;
	if (w->reset)
		w->closed_place = 0;
}

/*
 * W31, gathered: the host in whose name a RST came sends data, or a FIN, by the numbers that are
 * due and behind all that it had acknowledged. A stack that resets a connection forgets these. What
 * is no later than TCP's shortest timer may have been overtaken by the RST.
 */
static void note_went_on(const struct rda_iwarp_case *c)
{
	const struct rda_packet *packet = c->at->packet;
	struct rda_iwarp_watch *w = c->watch;
	int64_t behind_ns = c->at->meta->time_ns - w->reset_ns;

	if (!w->reset_place || w->went_on_place || behind_ns < RDA_TCP_STALL_NS ||
	    (!packet->tcp.fin && !packet->payload_length) ||
	    packet->tcp.sequence + packet->payload_length != (uint32_t)c->side.next ||
	    packet->tcp.acknowledgment != (uint32_t)c->other.acked)
		return;
	w->went_on_place = c->at->place;
	w->went_on_ns = behind_ns;
}

static void note_going_on(const struct rda_iwarp_case *c)
{
	if (c->at->packet->tcp.rst || !c->at->packet->tcp.ack)
		return;
	note_went_on(c);
	forget_reset(c->watch, &c->side, &c->other);
	if (c->peer && c->peer->watch.iwarp)
		forget_reset(c->peer->watch.iwarp, &c->other, &c->side);
}

/* W29: what `flow` asked for was not answered when either side ended the connection */
static void closed_with_outstanding_reads(struct rda_judge *judge, const struct rda_flow *flow,
					  const struct rda_flow *peer)
{
	const struct rda_flow *closer = flow->watch.iwarp->closed_place ? flow : peer;
	const struct rda_iwarp_watch *back = peer ? peer->watch.iwarp : NULL;
	const struct rda_rdmap_asked *oldest;
	struct rda_finding *f;
	bool vague, unsure;

	if (!back || back->behind || flow->watch.iwarp->behind || !flow->rdmap ||
	    rda_rdmap_is_unsure(flow->rdmap) || !rda_rdmap_outstanding(flow->rdmap) ||
	    flow->watch.iwarp->terminate_place || back->terminate_place ||
	    !closer->watch.iwarp->closed_place)
		return;
	oldest = rda_rdmap_oldest(flow->rdmap);
	/* what answers a stray segment does not tell what its sender had sent before */
	vague = rda_rdmap_is_guessed(flow->rdmap) ||
		(closer == peer && !closer->watch.iwarp->numbered);
	/* and whether a RST was taken, or who made it, nothing tells; nor, where the connection
	 * ends inside an FPDU, whether damage made its length, so that it hides answers; nor
	 * whether damage made the FIN, where no checksum of its sender fits */
	unsure = vague || closer->watch.iwarp->reset || closer->watch.iwarp->fin_unsure ||
		 back->inside;
	f = rda_finding_add_as(&judge->findings, RDA_CHECK_W29,
			       vague ? RDA_SEVERITY_NOTE : rda_check_row(RDA_CHECK_W29)->severity,
			       unsure ? RDA_PROOF_SUSPECTED : RDA_PROOF_PROVEN,
			       rda_about_flow(flow), oldest->place);
	rda_finding_frame(f, closer->watch.iwarp->closed_place);
	rda_finding_say(f, RDA_SAY_W29_CLOSED, RDA_ARG_ADDRESS("closer", &closer->key.source),
			RDA_ARG_FLAG("reset", closer->watch.iwarp->reset),
			RDA_ARG_NUMBER("reads", rda_rdmap_outstanding(flow->rdmap)));
}

/*
 * W31: a RST of `flow`, or of whoever speaks in its name, and bytes of the peer that were under way
 * then and are not acknowledged behind it either. An acknowledgment may be lost before this tap,
 * unless the RST has one: of a single segment, with what answers it. What comes behind the RST is
 * gone where another RST answers it: nobody there knows of the connection.
 */
static void reset_under_way(struct rda_judge *judge, const struct rda_flow *flow,
			    const struct rda_flow *peer)
{
	const struct rda_iwarp_watch *w = flow->watch.iwarp;
	const struct rda_iwarp_watch *back = peer ? peer->watch.iwarp : NULL;
	const struct rda_check_row *row = rda_check_row(RDA_CHECK_W31);
	int64_t unacked, refused;
	struct rda_finding *f;

	if (!w->reset_place || !back || w->terminate_place || back->terminate_place)
		return;
	unacked = w->reset_end - back->acked;
	refused = w->refused_end - MAX(w->reset_end, back->acked);
	if (unacked <= 0 && refused <= 0)
		return;
	f = rda_finding_add_as(&judge->findings, RDA_CHECK_W31,
			       w->reset_told || w->reset_several || refused > 0 ? row->severity
										: RDA_SEVERITY_NOTE,
			       (enum rda_proof)row->proof, rda_about_flow(flow), w->reset_place);
	if (refused > 0)
		rda_finding_frame(f, w->refused_place);
	if (w->went_on_place)
		rda_finding_frame(f, w->went_on_place);
	rda_finding_say(f, RDA_SAY_W31_RESET, RDA_ARG_ADDRESS("closer", &flow->key.source),
			RDA_ARG_ADDRESS("peer", &peer->key.source),
			RDA_ARG_IF(unacked > 0, RDA_ARG_SIGNED("unacked_bytes", unacked)),
			RDA_ARG_IF(refused > 0, RDA_ARG_SIGNED("refused_bytes", refused)),
			RDA_ARG_IF(w->went_on_place, RDA_ARG_TIME("went_on_ns", w->went_on_ns)));
}

/* W06: told as it came; when the initiator went on all the same, it did no harm */
static void forgive_first(struct rda_judge *judge, const struct rda_flow *flow,
			  const struct rda_flow *peer)
{
	struct rda_finding *f =
		rda_finding_find(&judge->findings, RDA_CHECK_W06, rda_about_flow(flow));

	if (f && peer && peer->watch.iwarp && peer->watch.iwarp->fpdus)
		f->severity = RDA_SEVERITY_NOTE;
}

/* ---- hooks ----------------------------------------------------------------------------------- */

void rda_check_iwarp_start(struct rda_judge *judge, const struct rda_iwarp_at *at,
			   const struct rda_mpa_start_seen *start)
{
	struct rda_iwarp_case c = rda_iwarp_case_of(judge, at);

	rda_check_mpa_start(&c, start);
}

void rda_check_iwarp_fpdu(struct rda_judge *judge, const struct rda_iwarp_at *at,
			  const struct rda_fpdu_seen *fpdu, const struct rda_rdmap_step *step)
{
	struct rda_iwarp_case c = rda_iwarp_case_of(judge, at);

	c.fpdu = fpdu;
	c.step = step;
	rda_check_mpa_place(&c);
	if (!c.watch->desync)
		c.watch->latest_begin = fpdu->offset;
	if (fpdu->doubtful)
		return; /* its contents cannot be trusted */
	rda_check_mpa_fpdu(&c);
	if (fpdu->crc == RDA_MPA_CRC_BAD)
		return;
	/* a marker that is not known of may lie in the header, or hide what this one answers */
	if (c.side.markers_known || fpdu->crc == RDA_MPA_CRC_GOOD) {
		rda_check_ddp_fpdu(&c);
		if (!c.peer || c.other.markers_known)
			rda_check_rdmap_fpdu(&c);
	}
	rda_check_stag_fpdu(&c);
	rda_check_terminate_fpdu(&c);
}

void rda_check_iwarp_lost(struct rda_judge *judge, const struct rda_iwarp_at *at, bool hole)
{
	struct rda_iwarp_case c = rda_iwarp_case_of(judge, at);

	if (!hole)
		fpdu_desync(&c);
	c.watch->broken = true;
}

void rda_check_iwarp_segment(struct rda_judge *judge, const struct rda_iwarp_at *at)
{
	struct rda_iwarp_case c = rda_iwarp_case_of(judge, at);

	if (at->damaged)
		return;
	rda_check_tcp_progress(&c);
	c.watch->segments = c.side.segments;
	c.watch->fitting = c.side.checksums_good;
	c.watch->behind = c.side.behind;
	c.watch->inside = c.side.inside;
	if (c.peer && c.peer->watch.iwarp) {
		c.peer->watch.iwarp->behind = c.other.behind;
		c.peer->watch.iwarp->inside = c.other.inside;
	}
	note_mirrored(&c);
	note_again(&c);
	rda_check_tcp_trouble(&c);
	note_going_on(&c);
	note_end(&c);
}

void rda_check_iwarp_damage(struct rda_judge *judge, const struct rda_iwarp_at *at, uint64_t place,
			    bool accepted)
{
	const struct rda_iwarp_case c = rda_iwarp_case_of(judge, at);

	tcp_checksum_wrong(&c, place, accepted);
}

void rda_check_iwarp_connection(struct rda_judge *judge, const struct rda_connection *connection)
{
	for (unsigned i = 0; i < 2; i++) {
		const struct rda_flow *flow = connection->flows[i];

		if (!flow || !flow->watch.iwarp)
			continue;
		rda_check_mpa_places(judge, flow);
		rda_check_tcp_troubles(judge, flow);
		damaged_segments(judge, flow);
		forgive_desync(judge, flow);
		forgive_first(judge, flow, connection->flows[1 - i]);
		closed_with_outstanding_reads(judge, flow, connection->flows[1 - i]);
		reset_under_way(judge, flow, connection->flows[1 - i]);
	}
}

int64_t rda_iwarp_closed_ns(const struct rda_connection *connection)
{
	int64_t closed_ns = INT64_MAX;

	for (unsigned i = 0; i < 2; i++) {
		const struct rda_flow *flow = connection->flows[i];

		if (flow && flow->watch.iwarp && flow->watch.iwarp->closed_place)
			closed_ns = MIN(closed_ns, flow->watch.iwarp->closed_ns);
	}
	return closed_ns;
}

/* ---- a case, from both sides of its connection ----------------------------------------------- */

struct rda_iwarp_case rda_iwarp_case_of(struct rda_judge *judge, const struct rda_iwarp_at *at)
{
	const struct rda_iwarp_side other = rda_iwarp_side_of(at, 1 - at->side);
	struct rda_flow *flow = rda_iwarp_flow(at, at->side);

	if (!flow->watch.iwarp)
		flow->watch.iwarp = g_new0(struct rda_iwarp_watch, 1);
	return (struct rda_iwarp_case){
		.judge = judge,
		.at = at,
		.side = rda_iwarp_side_of(at, at->side),
		.other = other,
		.flow = flow,
		.peer = other.flow,
		.watch = flow->watch.iwarp,
	};
}

void rda_iwarp_watch_free(struct rda_flow *flow)
{
	g_free(flow->watch.iwarp);
	flow->watch.iwarp = NULL;
}

struct rda_finding *rda_iwarp_find(const struct rda_iwarp_case *c, enum rda_check check,
				   uint64_t place)
{
	const struct rda_check_row *row = rda_check_row(check);
	bool guessed = c->fpdu && c->fpdu->guessed;

	return rda_iwarp_find_as(c, check, row->severity,
				 guessed ? RDA_PROOF_SUSPECTED : (enum rda_proof)row->proof, place);
}

struct rda_finding *rda_iwarp_find_as(const struct rda_iwarp_case *c, enum rda_check check,
				      enum rda_severity severity, enum rda_proof proof,
				      uint64_t place)
{
	return rda_finding_add_as(&c->judge->findings, check, severity, proof,
				  rda_about_flow(c->flow), place);
}

struct rda_finding *rda_iwarp_find_agreed(const struct rda_iwarp_case *c, enum rda_check check,
					  enum rda_severity severity, uint64_t place)
{
	bool doubtful =
		c->side.start_doubtful || c->other.start_doubtful || (c->fpdu && c->fpdu->guessed);

	return rda_iwarp_find_as(c, check, severity,
				 doubtful ? RDA_PROOF_SUSPECTED : RDA_PROOF_PROVEN, place);
}
