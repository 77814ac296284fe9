/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * S01, S09 and Q10 of UC, S18, S19: services without acknowledgments.
 *
 * UC: a gap is a loss, before or at this capture point: nothing is sent again that could tell
 * which; or what comes late fills it. A message with a gap in it is torn either way, and the
 * receiver drops it. A PSN far away is a new beginning, which is legal. What came damaged was not
 * lost before: as many as came in a gap are not missing.
 *
 * UD: one counter of PSNs serves all destinations of a QP, so gaps mean nothing.
 */
#include "analyzer/checks/sequence/state.h"

#include "analyzer/base/cold.h"
#include "analyzer/base/psn.h"
#include "dissectors/icrc.h"

#include <glib.h>

/* PSNs that are remembered at most, and at first, as many a QP sends few datagrams: a copy made by
 * the network comes soon, and others may overtake it. */
enum { RECENT = 32, RECENT_FIRST = 2, RECENT_GROWS = 4 };

/* UC may begin anew at any PSN; so many packets are not lost in a row. */
#define RESTART_PSNS 0x10000

/* Gaps of which the frame behind is kept. */
enum { GAPS = 8 };

struct recent {
	int64_t psn, time_ns;
	uint64_t place;
	uint32_t icrc;
	uint16_t ip_id;
};

struct rda_datagrams {
	int64_t next;	       /* one behind the highest PSN; 0 before the first */
	bool started, checked; /* the ICRC of the latest in order fits */
	uint8_t message;       /* enum rda_message_state */
	uint64_t count;	       /* of those in the ring so far */
	uint64_t missing, gaps, torn, late, repeated;
	uint32_t first_repeated; /* its PSN, valid where any is */
	uint64_t damaged;	 /* packets of the flow, when the latest of UC came */
	uint64_t behind[GAPS];	 /* frames behind the first gaps */
	uint32_t room;
	struct recent recent[]; /* a ring of so many */
};

static struct rda_datagrams *with_room(struct rda_datagrams *d, uint32_t room)
{
	d = g_realloc(d, sizeof(*d) + room * sizeof(struct recent));
	d->room = room;
	return d;
}

/* With room for one more. */
static struct rda_datagrams *datagrams_of(struct rda_flow *flow)
{
	struct rda_sequence_watch *watch = rda_sequence_watch(flow);
	struct rda_datagrams *d = watch->datagrams;

	if (!d) {
		d = with_room(NULL, RECENT_FIRST);
		*d = (struct rda_datagrams){.room = RECENT_FIRST};
	} else if (d->count == d->room && d->room < RECENT) {
		d = with_room(d, d->room * RECENT_GROWS);
	}
	watch->datagrams = d;
	return d;
}

/* ---- repeated -------------------------------------------------------------------------------- */

static const struct recent *find_recent(const struct rda_datagrams *d, int64_t psn)
{
	for (unsigned i = 0; i < MIN(d->count, d->room); i++)
		if (d->recent[i].psn == psn)
			return &d->recent[i];
	return NULL;
}

static void remember(const struct rda_at *at, struct rda_datagrams *d, int64_t psn)
{
	const struct rda_packet *packet = at->packet;

	d->recent[d->count++ % d->room] = (struct recent){
		.psn = psn,
		.time_ns = at->meta->time_ns,
		.place = at->place,
		.icrc = rda_icrc_stored(at->frame, packet),
		.ip_id = packet->ip_id,
	};
}

/* S19: the same packet, and too late for a mirror's copy. */
static void datagram_repeated(const struct rda_at *at, struct rda_datagrams *d,
			      const struct recent *old)
{
	struct rda_finding *finding;
	uint32_t was;

	if (at->meta->time_ns - old->time_ns < RDA_MIRROR_NS || !old->icrc ||
	    !rda_icrc_as(at->frame, at->packet, old->ip_id, at->packet->bth.ack_req, &was) ||
	    was != old->icrc)
		return;
	finding = rda_finding_at(at, RDA_CHECK_S19);
	rda_finding_frame(finding, old->place);
	d->first_repeated = d->repeated++ ? d->first_repeated : at->packet->bth.psn;
	rda_finding_retell(finding, RDA_SAY_S19_COPY, RDA_ARG_PSN("psn", d->first_repeated),
			   RDA_ARG_IF(d->repeated > 1, RDA_ARG_NUMBER("others", d->repeated - 1)));
}

/* ---- UC -------------------------------------------------------------------------------------- */

/* S18 */
static void uc_message_torn(const struct rda_at *at, struct rda_datagrams *d)
{
	struct rda_finding *finding = rda_finding_at(at, RDA_CHECK_S18);

	d->torn++;
	rda_finding_say(finding, RDA_SAY_S18_TORN, RDA_ARG_NONE);
}

/* Q10: it had not been lost. */
static void came_late(const struct rda_at *at, struct rda_datagrams *d)
{
	d->missing--;
	d->late++;
	rda_finding_at(at, RDA_CHECK_Q10);
}

/* What comes late after all is taken off again, so it is told at the end. */
static void note_missing(const struct rda_at *at, struct rda_datagrams *d, uint64_t count)
{
	uint64_t damaged = rda_flow_rare(at->flow)->damaged - d->damaged;

	if (count <= damaged)
		return;
	d->missing += count - damaged;
	if (d->gaps < GAPS)
		d->behind[d->gaps] = at->place;
	d->gaps++;
}

static void uc_packet(const struct rda_at *at, struct rda_datagrams *d, int64_t psn)
{
	uint16_t roles = at->packet->opcode->roles;
	bool inside = d->message == RDA_MESSAGE_STATE_SEND ||
		      d->message == RDA_MESSAGE_STATE_WRITE || !(roles & RDA_ROLE_FIRST);

	if (d->started && psn != d->next) {
		if (psn > d->next && psn - d->next < RESTART_PSNS) {
			note_missing(at, d, (uint64_t)(psn - d->next));
			if (inside)
				uc_message_torn(at, d);
		}
		d->message = RDA_MESSAGE_STATE_UNKNOWN;
	}
	d->message = rda_order_opcode(at, d->message, &d->checked);
	d->checked = rda_judge_is_checked(at);
	d->damaged = rda_flow_rare(at->flow)->damaged;
}

/* ---------------------------------------------------------------------------------------------- */

RDA_APART void rda_datagram_packet(const struct rda_at *at)
{
	struct rda_datagrams *d = datagrams_of(at->flow);
	bool uc = at->packet->opcode->transport == RDA_TRANSPORT_UC;
	int64_t psn = d->started ? rda_psn_widen(d->next, at->packet->bth.psn)
				 : rda_psn_first(at->packet->bth.psn);
	const struct recent *old;

	if (d->started && psn < d->next && d->next - psn < RESTART_PSNS) {
		old = find_recent(d, psn);
		if (old)
			datagram_repeated(at, d, old);
		else
			remember(at, d, psn);
		if (!old && d->missing)
			came_late(at, d);
		return;
	}
	if (uc)
		uc_packet(at, d, psn);
	rda_order_wrap(at, d->next, psn, psn + 1);
	remember(at, d, psn);
	d->next = psn + 1;
	d->started = true;
}

/* Q10, of UC: a warning where messages are torn by it, as nothing repeats them. What is missing may
 * have torn a message each. */
static void uc_overtaken(struct rda_judge *judge, const struct rda_flow *flow,
			 const struct rda_datagrams *d)
{
	uint64_t others = d->missing + rda_flow_rare(flow)->damaged;
	uint64_t torn = d->torn - MIN(d->torn, others);
	struct rda_finding *finding =
		rda_finding_find(&judge->findings, RDA_CHECK_Q10, rda_about_flow(flow));

	if (!finding) /* there was no room for it */
		return;
	finding->withheld = false; /* capture/reorder.c knows no UC */
	if (torn)
		finding->severity = RDA_SEVERITY_WARNING;
	rda_finding_retell(finding, RDA_SAY_Q10_UC, RDA_ARG_NUMBER("late", d->late),
			   RDA_ARG_NUMBER("packets", flow->request_packets),
			   RDA_ARG_IF(torn, RDA_ARG_NUMBER("torn", torn)));
}

/* S01, of UC: which messages were torn by it is known where nothing came late. */
static void uc_lost(struct rda_judge *judge, const struct rda_flow *flow,
		    const struct rda_datagrams *d)
{
	struct rda_finding *finding =
		rda_finding_add_proof(&judge->findings, RDA_CHECK_S01, RDA_PROOF_SUSPECTED,
				      rda_about_flow(flow), d->behind[0]);
	for (unsigned i = 1; i < MIN(d->gaps, GAPS); i++)
		rda_finding_frame(finding, d->behind[i]);
	finding->count = d->missing;
	rda_finding_say(finding, RDA_SAY_S01_UC, RDA_ARG_NUMBER("missing", d->missing),
			RDA_ARG_IF(d->torn && !d->late, RDA_ARG_NUMBER("torn", d->torn)));
}

void rda_datagram_finish(struct rda_judge *judge, const struct rda_flow *flow)
{
	const struct rda_datagrams *d =
		flow->watch.sequence ? flow->watch.sequence->datagrams : NULL;

	if (d && d->late)
		uc_overtaken(judge, flow, d);
	if (d && d->missing)
		uc_lost(judge, flow, d);
}
