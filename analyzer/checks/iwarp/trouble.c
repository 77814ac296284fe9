/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group W: what the TCP connection below loses, repeats and waits for.
 */
#include "analyzer/checks/iwarp/state.h"

#include <glib.h>

/*
 * Retransmissions below this are what a tail loss probe and a delayed acknowledgment do to each
 * other on a sound network.
 */
#define FEW_RETRANSMISSIONS 3

/* One retransmission in so many segments is worth a warning. */
#define RETRANSMISSION_SHARE 1000

/* Bytes that were sent again so often, and never acknowledged, do not come through. */
#define RESENT_IN_VAIN 3

/* The peer has more than before: what was sent again until now was not in vain. */
static void note_progress(struct rda_iwarp_watch *w, const struct rda_iwarp_side *side,
			  int64_t time_ns)
{
	if (side->acked <= w->acked)
		return;
	w->acked = side->acked;
	w->acked_ns = time_ns;
	w->acked_segments = w->segments;
	w->resent = 0;
}

/* What its peer says of what was sent again, and for how long it waited for that. */
static void note_waits(struct rda_iwarp_watch *w, const struct rda_iwarp_side *side)
{
	w->needless = side->needless;
	w->stalls = side->stalls;
	w->stalled_ns = side->stalled_ns;
	w->stall_unseen = side->stall_unseen;
}

void rda_check_tcp_progress(const struct rda_iwarp_case *c)
{
	note_progress(c->watch, &c->side, c->at->meta->time_ns);
	if (!c->peer || !c->peer->watch.iwarp)
		return;
	note_progress(c->peer->watch.iwarp, &c->other, c->at->meta->time_ns);
	note_waits(c->peer->watch.iwarp, &c->other);
}

/* Bytes that the peer has not got, as far as was seen, once more, and not made by a mirror. */
static bool is_resent_in_vain(const struct rda_iwarp_case *c)
{
	const struct rda_iwarp_watch *w = c->watch;
	const struct rda_packet *packet = c->at->packet;
	uint32_t end = packet->tcp.sequence + packet->payload_length;

	return w->acked && (int32_t)(end - (uint32_t)w->acked) > 0 &&
	       c->side.retransmitted - w->retransmitted >
		       c->side.perhaps_mirrored - w->perhaps_mirrored;
}

/* What came of damaged segments does not count, once that is known. */
static void note_less(const struct rda_iwarp_case *c, struct rda_iwarp_watch *w)
{
	uint64_t before = w->retransmitted + w->late + w->zero_windows;

	w->retransmitted = MIN(w->retransmitted, c->side.retransmitted);
	w->perhaps_mirrored = MIN(w->perhaps_mirrored, c->side.perhaps_mirrored);
	w->late = MIN(w->late, c->side.late);
	w->zero_windows = MIN(w->zero_windows, c->side.zero_windows);
	if (before && !w->retransmitted && !w->late && !w->zero_windows)
		rda_findings_take_back(&c->judge->findings, RDA_CHECK_W27,
				       rda_about_flow(c->side.flow));
}

/*
 * W27, gathered: told when all is known. That identifications tell the order of sending may be
 * known only from segments behind those that they tell of.
 */
void rda_check_tcp_trouble(const struct rda_iwarp_case *c)
{
	struct rda_iwarp_watch *w = c->watch;

	w->overtaken = c->side.overtaken;
	w->again = c->side.again;
	w->unchecked = c->side.unchecked;
	note_waits(w, &c->side);
	note_less(c, w);
	if (is_resent_in_vain(c)) {
		w->resent++;
		w->resent_ns = c->at->meta->time_ns;
		w->unacked = c->side.next - w->acked;
	}
	if (c->side.retransmitted == w->retransmitted && c->side.late == w->late &&
	    c->side.zero_windows == w->zero_windows)
		return;
	w->retransmitted = c->side.retransmitted;
	w->perhaps_mirrored = c->side.perhaps_mirrored;
	w->late = c->side.late;
	w->zero_windows = c->side.zero_windows;
	rda_iwarp_find(c, RDA_CHECK_W27, c->at->place);
}

/* W27: how many of those that came behind later ones were overtaken, and sent again; whether that
 * is all of them. */
static bool is_told_of_late(const struct rda_iwarp_watch *w)
{
	return w->late && w->overtaken + w->again == w->late;
}

static void say_trouble(struct rda_finding *f, const struct rda_iwarp_watch *w, bool in_vain)
{
	uint64_t copies = MIN(w->perhaps_mirrored, w->retransmitted);
	uint64_t needless = MIN(w->needless, w->retransmitted);

	rda_finding_retell(
		f, RDA_SAY_W27_SEGMENTS, RDA_ARG_NUMBER("segments", w->segments),
		RDA_ARG_IF(w->retransmitted, RDA_ARG_NUMBER("retransmitted", w->retransmitted)),
		RDA_ARG_IF(copies, RDA_ARG_NUMBER("perhaps_copies", copies)),
		RDA_ARG_IF(needless, RDA_ARG_NUMBER("needless", needless)),
		RDA_ARG_FLAG("lost_behind", w->retransmitted > copies + needless),
		RDA_ARG_IF(w->late, RDA_ARG_NUMBER("late", w->late)),
		RDA_ARG_IF(w->late, RDA_ARG_FLAG("late_told", is_told_of_late(w))),
		RDA_ARG_IF(w->overtaken, RDA_ARG_NUMBER("overtaken", w->overtaken)),
		RDA_ARG_IF(w->again, RDA_ARG_NUMBER("again", w->again)),
		RDA_ARG_IF(w->zero_windows, RDA_ARG_NUMBER("zero_windows", w->zero_windows)),
		RDA_ARG_IF(w->stalls, RDA_ARG_NUMBER("stalls", w->stalls)),
		RDA_ARG_IF(w->stalls, RDA_ARG_TIME("stalled_ns", w->stalled_ns)),
		RDA_ARG_IF(in_vain, RDA_ARG_SIGNED("unacked_bytes", w->unacked)),
		RDA_ARG_IF(in_vain, RDA_ARG_NUMBER("resent", w->resent)),
		RDA_ARG_IF(in_vain, RDA_ARG_TIME("took_ns", w->resent_ns - w->acked_ns)));
}

/*
 * Segments that were overtaken, and repeats that the receiver had no need of, are what a network of
 * several paths does; nothing was lost, and nothing waited. A loss that identifications tell is
 * one, however few there are, unless the segment came damaged, which W30 tells.
 */
static bool is_harmless(const struct rda_iwarp_watch *w)
{
	uint64_t trouble = w->retransmitted - MIN(w->needless, w->retransmitted) + w->late -
			   MIN(w->overtaken, w->late);

	if (w->zero_windows || w->stalls)
		return false;
	return (trouble < FEW_RETRANSMISSIONS && w->again <= w->damaged) ||
	       trouble * RETRANSMISSION_SHARE < w->segments;
}

/* W27 */
void rda_check_tcp_troubles(struct rda_judge *judge, const struct rda_flow *flow)
{
	const struct rda_iwarp_watch *w = flow->watch.iwarp;
	struct rda_finding *f =
		rda_finding_find(&judge->findings, RDA_CHECK_W27, rda_about_flow(flow));
	/* the path is dead, or the peer: the end was repeated and never acknowledged */
	bool in_vain = w->resent >= RESENT_IN_VAIN && w->unacked > 0;

	if (!f)
		return;
	say_trouble(f, w, in_vain);
	f->cost_ns = w->stalled_ns;
	/* overtaken, perhaps, by what is nearer to the tap; or copied by a mirror; or damaged when
	 * it came first, in the sequence number or elsewhere, and no data then; or nothing was
	 * under way in a pause, as the capture has nothing of that */
	if (w->stall_unseen || (!w->zero_windows && !in_vain &&
				(w->retransmitted <= w->perhaps_mirrored || w->unchecked)))
		f->proof = RDA_PROOF_SUSPECTED;
	if (is_harmless(w))
		f->severity = RDA_SEVERITY_NOTE;
}
