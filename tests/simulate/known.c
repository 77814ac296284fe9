/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the tap's evidence proves.
 *
 * A request that was lost before the tap is knowable when
 *
 *     its run shows a packet behind it       else it may be that the run ended sooner
 *     its run shows one before it, or is     else the run may have begun behind it
 *     known to begin at or before it
 *     it was not acknowledged before that    else the run may have jumped over it
 *     its PSN appears in a later run         else a run may have jumped over it
 *     before the responder's word passes it  else it is settled, or never is
 *     runs that begin as its run does are    else it may have been left out: who goes back N for
 * the known to go back N by then             answer to a READ may repeat SENDs and WRITEs one by
 * one
 */
#include "tests/simulate/known.h"

#include "analyzer/track/roce/request.h"
#include "tests/simulate/reasons.h"
#include "tests/simulate/sums.h"

#include <glib.h>
#include <string.h>

#define ANYTHING UINT64_MAX

/* What runs begin with, as rda_run_kind: those that are known to go back N, by place. */
enum { SENDS, ASKS, KINDS };

/* What the tap showed of a run. */
struct run {
	int64_t first, last; /* PSNs; first < 0: nothing */
	bool visible;	     /* it takes up what the tap had passed */
	bool back;	     /* with its first packet, so that it is another run */
	bool repeats;	     /* something that the tap had shown: it is no late arrival */
	bool begin_known;
	uint32_t place;	     /* of its first packet in the tap's order */
	uint32_t repeats_at; /* in the tap's order, of the first that the tap had shown */
	uint32_t sent;	     /* behind its latest, among the transmissions */
	int64_t end;	     /* behind the PSNs of its latest */
	bool jumped;	     /* it goes on behind what it does not show */
	bool unexplained;    /* nothing that was shown tells why it began */
};

struct of_psn {
	uint32_t last_run;  /* the last clear run that shows it, plus one */
	uint32_t last_sent; /* its latest appearance, plus one */
	uint32_t put_off;   /* how often it was shown and no RNR NAK answered that yet */
	uint32_t doubts;    /* it came though acknowledged, soon behind another of it: late? */
	int64_t missed_ns;  /* when the tap missed it, and no NAK told so since; 0 */
	bool answered;	    /* a READ or ATOMIC response was shown */
};

struct walk {
	const struct sim_world *world;
	const struct sim_truth *truth;
	uint8_t asker;
	int64_t psns;
	struct of_psn *psn;  /* by PSN */
	struct run *runs;    /* by run */
	bool *due;	     /* by transmission: it was due where the tap shows a gap in its run */
	int64_t *acked_at;   /* by place in the tap's order: what was acknowledged then */
	uint32_t walked;     /* transmissions before the tap's place */
	int64_t start;	     /* the first PSN that it showed */
	int64_t high, acked; /* as the tap saw them */
	int64_t latest_ns;   /* of a request */
	int64_t latest_end;  /* behind the PSNs of that request */
	uint32_t latest_run;
	int64_t nak_psn, nak_ns, rnr_psn, rnr_ns;
	uint32_t goes_back[KINDS]; /* since this place in the tap's order, plus one; 0: not known */
	bool crosses;		   /* an RNR NAK, by what it puts off */
	bool answers_lost;	   /* before the tap */
	bool rnrs_lost;		   /* of these: RNR NAKs */
	bool nak_open;		   /* a NAK named a packet that was shown and did not arrive */
	struct sim_known *known;
};

/* Below what was acknowledged all is done; before the first answer it takes the set-up to tell the
 * first PSN, and a snap length cuts that. */
static bool knows_oldest(const struct walk *w)
{
	return w->acked > 0 || !w->world->plan->tap.snaplen;
}

/* Whether the tap knows where a run begins whose first packet it sees only now. */
static bool knows_begin(const struct walk *w, const struct sim_run *run, int64_t now_ns)
{
	switch (run->trigger) {
	case RDA_TRIGGER_NAK: return run->psn == w->nak_psn && now_ns - w->nak_ns < SIM_PATIENCE_NS;
	case RDA_TRIGGER_RNR: return run->psn == w->rnr_psn;
	case RDA_TRIGGER_TIMEOUT:
		return run->psn == w->acked && knows_oldest(w) &&
		       now_ns - w->latest_ns >= SIM_PATIENCE_NS;
	default: return false;
	}
}

/*
 * The run goes on behind packets that were lost before the tap, or that it left out as they were
 * acknowledged by then, just where a NAK asks that passed meanwhile: nothing tells whether it obeys
 * that, and another run begins.
 */
static bool may_be_asked(const struct walk *w, const struct run *run, const struct sim_seen *seen,
			 const struct sim_sent *sent)
{
	return run->visible && run->first < sent->psn && sent->psn == w->nak_psn &&
	       w->nak_ns > w->truth->seen[run->place - 1].time_ns &&
	       seen->time_ns - w->nak_ns < SIM_PATIENCE_NS;
}

static bool asks(const struct walk *w, int64_t psn)
{
	const struct sim_message *m = sim_message_of(&w->world->requester[w->asker], psn);

	return m && (m->kind == SIM_READ || m->kind == SIM_ATOMIC);
}

/*
 * A run shows what had passed, right behind what it showed before: who repeats selectively had not
 * sent that, unless it was asked for, or a timer had the time to fire.
 */
static void walk_back(struct walk *w, uint32_t place, const struct sim_seen *seen,
		      const struct sim_sent *sent)
{
	const struct run *run = &w->runs[sent->run];
	bool at_once = seen->time_ns - w->latest_ns < RDA_TIMER_IN_USE_NS;

	if (!run->visible || run->jumped || run->end != sent->psn || !w->psn[sent->psn].last_sent ||
	    sent->psn == w->nak_psn || !at_once || w->latest_run != sent->run)
		return;
	for (unsigned kind = asks(w, run->first) ? ASKS : SENDS; kind < KINDS; kind++)
		if (!w->goes_back[kind])
			w->goes_back[kind] = place;
}

/* Without an order of sending what comes when it was acknowledged may have been missing before. */
static void walk_doubt(struct walk *w, const struct sim_sent *sent)
{
	uint32_t latest = w->psn[sent->psn].last_sent;

	if (sent->psn < w->acked && latest && !sim_order_is_known(w->world->plan, w->asker) &&
	    sent->sent_ns - w->truth->sent[latest - 1].sent_ns < SIM_PATIENCE_NS)
		w->psn[sent->psn].doubts++;
}

static void walk_request(struct walk *w, uint32_t place, const struct sim_seen *seen,
			 const struct sim_sent *sent)
{
	const struct sim_run *truth = &w->truth->runs[sent->run];
	struct run *run = &w->runs[sent->run];
	bool jumps = false;

	if (w->known->packets++ == 0)
		w->start = sent->psn;
	if (seen->mirrored) {
		w->known->mirrored.least++;
		return;
	}
	if (sent->psn < w->high)
		run->visible = true;
	else
		w->known->fresh.least++;
	if (run->first < 0) {
		run->first = sent->psn;
		run->place = place;
		run->back = sent->psn < w->latest_end;
		run->begin_known = run->visible && knows_begin(w, truth, seen->time_ns);
	}
	for (uint32_t i = run->sent; i < seen->sent; i++) {
		bool missing = w->truth->sent[i].run == sent->run && !w->truth->sent[i].response;

		w->due[i] |= missing && w->truth->sent[i].psn >= w->acked;
		jumps |= missing;
	}
	jumps |= run->end < sent->psn;
	if (jumps && sent->psn < w->high && may_be_asked(w, run, seen, sent)) {
		w->known->runs.most++;
		w->known->after_nak.most++;
	}
	walk_back(w, place, seen, sent);
	walk_doubt(w, sent);
	run->jumped |= jumps;
	run->sent = seen->sent + 1;
	run->end = sent->end;
	run->last = sent->psn;
	if (!run->repeats && w->psn[sent->psn].last_sent) {
		run->repeats = true;
		run->repeats_at = place;
	}
	for (int64_t psn = sent->psn; psn < sent->end; psn++)
		w->psn[psn].last_sent = seen->sent + 1;
	w->psn[sent->psn].put_off++;
	if (w->nak_open && sent->psn <= w->nak_psn && sent->psn < w->high) {
		w->nak_open = false;
		w->known->lost_after.least++;
	}
	w->high = MAX(w->high, sent->end);
	w->latest_ns = seen->time_ns;
	w->latest_end = sent->end;
	w->latest_run = sent->run;
}

/* What was sent before a transmission, and lost before the tap. */
static void walk_missed(struct walk *w, uint32_t end)
{
	for (; w->walked < end; w->walked++) {
		const struct sim_sent *sent = &w->truth->sent[w->walked];

		if (sent->asker != w->asker || sent->response || !sent->lost_before)
			continue;
		for (int64_t psn = sent->psn; psn < sent->end; psn++)
			w->psn[psn].missed_ns = sent->sent_ns + 1;
	}
}

/*
 * What a NAK names that the tap showed in its latest run was lost behind the tap; unless it was
 * lost before in a run shortly before that: this NAK may have been under way. Nor where it is
 * acknowledged and not sent again behind the NAK: it may have been overtaken behind the tap.
 */
static void walk_nak(struct walk *w, const struct sim_seen *seen, const struct sim_sent *sent)
{
	uint32_t latest = w->psn[sent->psn].last_sent;

	w->acked = MAX(w->acked, sent->psn);
	bool missed = w->psn[sent->psn].missed_ns &&
		      seen->time_ns - w->psn[sent->psn].missed_ns < SIM_PATIENCE_NS;

	w->psn[sent->psn].missed_ns = 0;
	w->nak_open = !missed && w->rnr_psn != sent->psn && latest &&
		      w->truth->sent[latest - 1].lost_after &&
		      w->truth->sent[latest - 1].run == w->latest_run;
	w->nak_psn = sent->psn;
	w->nak_ns = seen->time_ns;
}

static void walk_answer(struct walk *w, const struct sim_seen *seen, const struct sim_sent *sent)
{
	if (sent->data) {
		const struct sim_message *m =
			sim_message_of(&w->world->requester[w->asker], sent->psn);

		w->psn[sent->psn].answered = true;
		w->acked = MAX(w->acked, m->end);
	} else if (sim_is_ack(sent->syndrome)) {
		w->acked = MAX(w->acked, sent->psn + 1);
	} else if (sent->syndrome == 0x60) {
		walk_nak(w, seen, sent);
	} else {
		w->acked = MAX(w->acked, sent->psn);
		w->rnr_psn = sent->psn;
		w->rnr_ns = seen->time_ns;
		w->crosses |= w->psn[sent->psn].put_off > 1;
		w->psn[sent->psn].put_off -= w->psn[sent->psn].put_off > 0;
	}
	if (w->acked > w->nak_psn)
		w->nak_open = false;
}

static void walk_tap(struct walk *w)
{
	for (uint32_t i = 0; i < w->truth->seen_count; i++) {
		const struct sim_seen *seen = &w->truth->seen[i];
		const struct sim_sent *sent = &w->truth->sent[seen->sent];

		w->acked_at[i] = w->acked;
		if (sent->asker != w->asker || sent->cnp)
			continue;
		walk_missed(w, sent->response ? 0 : seen->sent);
		if (!sent->response)
			walk_request(w, i + 1, seen, sent);
		else if (!seen->mirrored)
			walk_answer(w, seen, sent);
	}
}

/* A run of resends that cannot be anything else. */
static bool is_clear(const struct walk *w, uint32_t run)
{
	return w->runs[run].visible && w->runs[run].back && w->runs[run].repeats;
}

/*
 * What fills holes before the first that the tap had shown looks like late arrivals, unless the
 * reason of the run did pass: that of an implied NAK may be an answer lost behind the tap.
 */
static bool is_clear_at(const struct walk *w, uint32_t run, uint32_t place)
{
	return is_clear(w, run) && (w->runs[run].begin_known || place >= w->runs[run].repeats_at);
}

/* What clear runs show, now that they are known. */
static void walk_again(struct walk *w)
{
	int64_t high = 0;

	for (uint32_t i = 0; i < w->truth->seen_count; i++) {
		const struct sim_seen *seen = &w->truth->seen[i];
		const struct sim_sent *sent = &w->truth->sent[seen->sent];
		bool clear = is_clear_at(w, sent->run, i + 1);

		if (sent->asker != w->asker || sent->response || sent->cnp || seen->mirrored)
			continue;
		if (sent->psn < high) {
			w->known->resent.least += clear;
			w->known->resent.most++;
			w->known->reordered.most += !clear;
		}
		for (int64_t psn = MAX(sent->psn, w->acked_at[i]); clear && psn < sent->end; psn++)
			w->psn[psn].last_run = sent->run + 1;
		high = MAX(high, sent->end);
	}
}

/* Before it was acknowledged the capture had shown that runs of this kind go back N. */
static bool goes_back(const struct walk *w, unsigned kind, int64_t psn)
{
	return w->goes_back[kind] && w->acked_at[w->goes_back[kind] - 1] <= psn;
}

/* What lies between two that a run shows, and had passed before, was not left out. */
static bool is_sent_again(const struct walk *w, const struct sim_sent *sent)
{
	const struct run *run = &w->runs[sent->run];
	bool begin_shown = run->first == w->truth->runs[sent->run].psn;

	if (!run->visible || sent->psn < run->first)
		return true;
	if (begin_shown)
		return goes_back(w, asks(w, run->first) ? ASKS : SENDS, sent->psn);
	return goes_back(w, SENDS, sent->psn) && goes_back(w, ASKS, sent->psn);
}

static bool is_knowable(const struct walk *w, const struct sim_sent *sent)
{
	const struct run *run = &w->runs[sent->run];

	return run->first >= 0 && sent->psn >= w->start && w->due[sent - w->truth->sent] &&
	       (is_clear(w, sent->run) || !run->visible) &&
	       (sent->psn > run->first || run->begin_known) && is_sent_again(w, sent) &&
	       w->psn[sent->psn].last_run > sent->run + 1 && sent->psn < w->acked;
}

static bool is_rnr(const struct sim_sent *answer)
{
	return !answer->data && !sim_is_ack(answer->syndrome) && answer->syndrome != 0x60;
}

static void sum_losses(struct walk *w)
{
	struct sim_known *k = w->known;

	for (uint32_t i = 0; i < w->truth->sent_count; i++) {
		const struct sim_sent *sent = &w->truth->sent[i];

		if (sent->asker != w->asker || sent->cnp)
			continue;
		if (sent->response) {
			w->answers_lost |= sent->lost_before != 0;
			w->rnrs_lost |= sent->lost_before && is_rnr(sent);
			k->responses_lost_before.most += sent->data ? sent->lost_before : 0;
			k->responses_lost_after.most += sent->data ? sent->lost_after : 0;
			continue;
		}
		k->lost_before.most += sent->lost_before;
		k->lost_after.most += sent->lost_after;
		if (!sent->lost_before || !is_knowable(w, sent))
			continue;
		if (w->psn[sent->psn].doubts)
			w->psn[sent->psn].doubts--;
		else
			k->lost_before.least++;
	}
}

/*
 * Why a run began is knowable when its first packet was seen, and its cause passed the tap after
 * the run before it.
 */
static bool is_explained(const struct walk *w, uint32_t index, uint32_t before)
{
	const struct sim_run *truth = &w->truth->runs[index];

	return is_clear(w, index) && w->runs[index].first == truth->psn &&
	       (!truth->cause || w->truth->sent[truth->cause - 1].last_seen > before);
}

static void sum_runs(struct walk *w)
{
	const struct sim_truth *truth = w->truth;
	uint32_t before = 0;

	for (uint32_t i = 0; i < truth->run_count; i++) {
		uint32_t place = w->runs[i].place;

		if (truth->runs[i].asker != w->asker || !w->runs[i].visible)
			continue;
		w->known->runs.most++;
		w->known->runs.least += is_clear(w, i);
		w->runs[i].unexplained = !is_explained(w, i, before);
		sim_count_reasons(w->known,
				  !w->runs[i].unexplained
					  ? sim_reasons(w->world, place - 1,
							before ? truth->seen[before - 1].time_ns
							       : INT64_MIN / 2)
					  : (1u << RDA_TRIGGER_COUNT) - 1);
		before = place;
	}
}

/* What runs sent again that are a timer's, or may be, as nothing tells why they began. */
struct unclear {
	uint64_t all, again, ahead;
};

static void sum_unclear(const struct walk *w, struct unclear *unclear)
{
	for (uint32_t i = 0; i < w->truth->sent_count; i++) {
		const struct sim_sent *sent = &w->truth->sent[i];

		if (sent->asker != w->asker || sent->response || sent->cnp || !sent->resent ||
		    !(w->truth->runs[sent->run].trigger == RDA_TRIGGER_TIMEOUT ||
		      w->runs[sent->run].unexplained))
			continue;
		unclear->all += sent->arrived;
		unclear->again += sent->again;
		unclear->ahead += sent->ahead;
	}
}

/*
 * What the responder had before, and what was ahead of its turn. Of what a timer's run sends again
 * nothing tells that: lost behind the tap, dropped behind what was lost there, or taken, and the
 * answer lost. Nor does an answer tell it that the tap did not see: what an RNR NAK put off, and
 * what was dropped behind it, looks taken, and its answers lost, where the RNR NAK was; nor an RNR
 * NAK that passes when what it puts off has been sent again: it may be that which was taken then,
 * or was put off.
 */
static void know_unexpected(struct walk *w, const struct sim_counts *counts)
{
	struct sim_known *k = w->known;
	struct unclear unclear = {0};

	sum_unclear(w, &unclear);
	k->duplicates = (struct sim_bounds){
		counts->duplicates - unclear.again,
		counts->duplicates + unclear.all - unclear.again,
	};
	k->out_of_sequence = (struct sim_bounds){
		counts->out_of_sequence - unclear.ahead,
		counts->out_of_sequence + unclear.all - unclear.ahead,
	};
	if (w->answers_lost)
		k->duplicates.least = k->out_of_sequence.least = 0;
	if (w->rnrs_lost)
		k->duplicates.most += counts->rnrs + counts->out_of_sequence;
	if (k->lost_after.most || w->crosses)
		k->duplicates = k->out_of_sequence = (struct sim_bounds){0, ANYTHING};
}

void sim_know(struct sim_known *k, const struct sim_world *world, uint8_t asker)
{
	const struct sim_requester *r = &world->requester[asker];
	struct walk w = {.world = world,
			 .truth = &world->truth,
			 .asker = asker,
			 .known = k,
			 .nak_psn = -1,
			 .rnr_psn = -1};
	const struct sim_counts *counts = &world->truth.counts[asker];

	memset(k, 0, sizeof(*k));
	w.psns = r->message_count ? r->messages[r->message_count - 1].end : 0;
	w.psn = g_new0(struct of_psn, w.psns + 1);
	w.runs = g_new0(struct run, world->truth.run_count);
	w.due = g_new0(bool, world->truth.sent_count + 1);
	w.acked_at = g_new0(int64_t, world->truth.seen_count + 1);
	for (uint32_t i = 0; i < world->truth.run_count; i++)
		w.runs[i].first = -1;
	walk_tap(&w);
	walk_again(&w);
	sum_losses(&w);
	sum_runs(&w);
	k->fresh.most = k->fresh.least;
	k->mirrored.most = k->mirrored.least;
	k->spurious.most = ANYTHING;
	k->selective.most = r->plan->selective;
	know_unexpected(&w, counts);
	k->implied_naks.most = ANYTHING;
	k->waiting.most = ANYTHING;
	g_free(w.psn);
	g_free(w.runs);
	g_free(w.due);
	g_free(w.acked_at);
}
