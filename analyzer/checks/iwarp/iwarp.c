/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group W: iWARP. The hooks, and what concerns the TCP stream below: its losses, how FPDUs lie in
 * its segments, and how it ends. check_iwarp_parts.h lists the parts that do the rest; all of them
 * stand on check_iwarp_case.h.
 */
#include "analyzer/checks/iwarp/iwarp.h"

#include "analyzer/checks/iwarp/parts.h"
#include "analyzer/track/roce/copies.h"
#include "analyzer/base/words.h"

#include <glib.h>
#include <inttypes.h>

/*
 * Retransmissions below this are what a tail loss probe and a delayed acknowledgment do to each
 * other on a sound network.
 */
#define FEW_RETRANSMISSIONS 3

/* One retransmission in so many segments is worth a warning. */
#define RETRANSMISSION_SHARE 1000

/* Bytes that were sent again so often, and never acknowledged, do not come through. */
#define RESENT_IN_VAIN 3

void rda_check_iwarp_begin(struct rda_judge *judge)
{
	(void)judge;
}

void rda_check_iwarp_free(struct rda_judge *judge)
{
	rda_check_stag_free(judge);
}

void rda_check_iwarp_forget(struct rda_flow *flow)
{
	rda_iwarp_watch_free(flow);
}

/* ---- FPDUs in segments ----------------------------------------------------------------------- */

/* W04 */
static void fpdu_desync(const struct rda_iwarp_case *c)
{
	struct rda_finding *f;

	if (c->watch->broken || c->watch->desync || c->side->mpa.markers_contradict)
		return;
	c->watch->desync = true;
	f = rda_iwarp_find(c, RDA_CHECK_W04, c->at->place);
	rda_say(f,
		"Behind %" PRIu64 " FPDU%s the bytes of the stream make no FPDU: the headers found "
		"where the next should begin contradict themselves.",
		c->side->fpdus, rda_words_plural(c->side->fpdus));
}

/* Such as can be placed when its segment comes, whatever is missing before. */
static void note_alignment(const struct rda_iwarp_case *c)
{
	struct rda_iwarp_watch *w = c->watch;
	bool aligned = c->fpdu->begins_segment ||
		       (w->latest_aligned && w->latest_place == c->fpdu->first_place);

	w->fpdus++;
	if (!aligned && w->not_aligned++ == 0)
		w->not_aligned_place = c->fpdu->first_place;
	w->latest_aligned = aligned && c->fpdu->first_place == c->fpdu->place;
	w->latest_place = c->fpdu->place;
}

/* W26 */
static void fpdu_not_aligned(struct rda_judge *judge, const struct rda_flow *flow)
{
	const struct rda_iwarp_watch *w = flow->watch.iwarp;
	struct rda_finding *f;

	if (!w->not_aligned)
		return;
	f = rda_find(&judge->findings, RDA_CHECK_W26, rda_about_flow(flow), w->not_aligned_place);
	rda_say(f,
		"%" PRIu64 " of %" PRIu64
		" FPDUs begin inside a TCP segment, behind the end of one "
		"that began in an earlier segment.",
		w->not_aligned, w->fpdus);
}

/* ---- TCP ------------------------------------------------------------------------------------- */

/* The peer has more than before: what was sent again until now was not in vain. */
static void note_progress(struct rda_iwarp_watch *w, const struct rda_iwarp_side *side,
			  int64_t time_ns)
{
	if (side->stream.acked <= w->acked)
		return;
	w->acked = side->stream.acked;
	w->acked_ns = time_ns;
	w->resent = 0;
}

/* W27, gathered: told when all is known */
static void note_trouble(const struct rda_iwarp_case *c)
{
	struct rda_iwarp_watch *w = c->watch;

	if (c->side->stream.retransmitted > w->retransmitted && w->acked) {
		w->resent++;
		w->resent_ns = c->at->meta->time_ns;
		w->unacked = c->side->stream.next - w->acked;
	}
	if (c->side->stream.retransmitted == w->retransmitted && c->side->stream.late == w->late &&
	    c->side->zero_windows == w->zero_windows)
		return;
	w->retransmitted = c->side->stream.retransmitted;
	w->late = c->side->stream.late;
	w->zero_windows = c->side->zero_windows;
	rda_iwarp_find(c, RDA_CHECK_W27, c->at->place);
}

/* Q05, which the requests of RoCE have in check_capture.c */
static void note_mirrored(const struct rda_iwarp_case *c)
{
	struct rda_finding *f;

	if (c->side->mirrored == c->watch->mirrored)
		return;
	c->watch->mirrored = c->side->mirrored;
	f = rda_iwarp_find_as(c, RDA_CHECK_Q05, RDA_SEVERITY_NOTE, RDA_PROOF_SUSPECTED,
			      c->at->place);
	rda_retell(f,
		   "%" PRIu64 " TCP segment%s in the capture once more within %u us, with the "
		   "same IP identification: copies made by mirroring, or by the network. They "
		   "count as no retransmissions.",
		   f->count, f->count == 1 ? " is" : "s are", RDA_COPY_NS / 1000);
}

static void put_count(GString *text, uint64_t count, const char *what)
{
	if (count)
		g_string_append_printf(text, "%s%" PRIu64 " %s", text->len ? "; " : "", count,
				       what);
}

/* The path is dead, or the peer: the end of what was sent was repeated and never acknowledged. */
static void put_vain(GString *text, const struct rda_iwarp_watch *w)
{
	char time[RDA_WORDS_TEXT];

	if (w->resent >= RESENT_IN_VAIN && w->unacked > 0)
		g_string_append_printf(
			text,
			"; the last %" PRId64 " bytes were never acknowledged, though %" PRIu64
			" segments of them were sent again within %s",
			w->unacked, w->resent, rda_words_time(time, w->resent_ns - w->acked_ns));
}

/* W27 */
static void tcp_trouble(struct rda_judge *judge, const struct rda_flow *flow)
{
	const struct rda_iwarp_watch *w = flow->watch.iwarp;
	struct rda_finding *f = rda_found(&judge->findings, RDA_CHECK_W27, rda_about_flow(flow));
	uint64_t trouble = w->retransmitted + w->late;
	GString *text;

	if (!f)
		return;
	text = g_string_new(NULL);
	put_count(text, w->retransmitted, "repeated bytes that were seen before");
	put_count(text, w->late, "came after later ones: lost on the way here, or overtaken");
	put_count(text, w->zero_windows, "closed the window");
	put_vain(text, w);
	rda_retell(f, "Of %" PRIu64 " TCP segments with data %s.", w->segments, text->str);
	g_string_free(text, TRUE);
	if (!w->zero_windows &&
	    (trouble < FEW_RETRANSMISSIONS || trouble * RETRANSMISSION_SHARE < w->segments))
		f->severity = RDA_SEVERITY_NOTE;
}

static void note_end(const struct rda_iwarp_case *c)
{
	if (c->watch->closed_place || !(c->side->fin_seen || c->side->rst_seen))
		return;
	c->watch->closed_place = c->at->place;
	c->watch->reset = c->side->rst_seen;
}

/* W29: what `flow` asked for was not answered when either side ended the connection */
static void closed_with_outstanding_reads(struct rda_judge *judge, const struct rda_flow *flow,
					  const struct rda_flow *peer)
{
	const struct rda_flow *closer = flow->watch.iwarp->closed_place ? flow : peer;
	const struct rda_iwarp_watch *back = peer ? peer->watch.iwarp : NULL;
	const struct rda_rdmap_asked *oldest;
	struct rda_finding *f;
	char *name;

	if (!back || back->behind || flow->watch.iwarp->behind || !flow->rdmap ||
	    flow->rdmap->unsure || !rda_rdmap_outstanding(flow->rdmap) ||
	    flow->watch.iwarp->terminate_place || back->terminate_place ||
	    !closer->watch.iwarp->closed_place)
		return;
	oldest = rda_rdmap_oldest(flow->rdmap->reads.count ? &flow->rdmap->reads
							   : &flow->rdmap->atomics);
	name = rda_iwarp_name(closer);
	f = rda_find(&judge->findings, RDA_CHECK_W29, rda_about_flow(flow), oldest->place);
	rda_finding_frame(f, closer->watch.iwarp->closed_place);
	rda_say(f,
		"%s %s the connection while %" PRIu32 " READ%s or atomic%s had no answer; no "
		"Terminate says why.",
		name, closer->watch.iwarp->reset ? "reset" : "closed",
		rda_rdmap_outstanding(flow->rdmap),
		rda_words_plural(rda_rdmap_outstanding(flow->rdmap)),
		rda_words_plural(rda_rdmap_outstanding(flow->rdmap)));
	g_free(name);
}

/* W06: told as it came; when the initiator went on all the same, it did no harm */
static void forgive_first(struct rda_judge *judge, const struct rda_flow *flow,
			  const struct rda_flow *peer)
{
	struct rda_finding *f = rda_found(&judge->findings, RDA_CHECK_W06, rda_about_flow(flow));

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
	note_alignment(&c);
	rda_check_mpa_fpdu(&c);
	if (fpdu->crc == RDA_MPA_CRC_BAD)
		return; /* its contents cannot be trusted */
	rda_check_ddp_fpdu(&c);
	rda_check_rdmap_fpdu(&c);
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

	note_progress(c.watch, c.side, at->meta->time_ns);
	if (c.peer && c.peer->watch.iwarp)
		note_progress(c.peer->watch.iwarp, c.other, at->meta->time_ns);
	c.watch->segments = c.side->stream.segments;
	c.watch->behind = rda_iwarp_is_behind(c.side);
	if (c.peer && c.peer->watch.iwarp)
		c.peer->watch.iwarp->behind = rda_iwarp_is_behind(c.other);
	note_mirrored(&c);
	note_trouble(&c);
	note_end(&c);
}

void rda_check_iwarp_connection(struct rda_judge *judge, const struct rda_connection *connection)
{
	for (unsigned i = 0; i < 2; i++) {
		const struct rda_flow *flow = connection->flows[i];

		if (!flow || !flow->watch.iwarp)
			continue;
		fpdu_not_aligned(judge, flow);
		tcp_trouble(judge, flow);
		forgive_first(judge, flow, connection->flows[1 - i]);
		closed_with_outstanding_reads(judge, flow, connection->flows[1 - i]);
	}
}

void rda_check_iwarp_end(struct rda_judge *judge)
{
	(void)judge;
}
