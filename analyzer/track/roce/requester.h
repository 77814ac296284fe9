/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one side asked of the other on a reliable connection (RC, XRC): every request packet is new,
 * resent, late or a mirrored copy; every PSN that is missing is accounted for.
 *
 * A tap sees what passed it, not what was sent. But a go-back-N requester sends in runs: a run
 * starts at the next new PSN, at the PSN of a NAK, at the oldest unacknowledged one after a
 * timeout, or at a READ's first missing response, and counts up without holes. So
 *
 *     transmissions(PSN) = 1 + number of resend runs that cover it
 *     lost before the tap(PSN) = transmissions(PSN) - appearances in the capture(PSN)
 *
 *     run 1   10 11 .. 13 14 15            12 is missing, 13-15 seen
 *     NAK 12
 *     run 2         12 13 14 15 16 ...     12 was sent twice and seen once: one loss before the tap
 *
 * A hole may also be reordering (filled by a packet that no run resent) or the capture's own loss
 * (acknowledged and never seen). So holes stay open, and a PSN is settled when the responder's
 * acknowledgments pass it. What the responder says is responder.c's part.
 */
#ifndef RDA_REQUESTER_H
#define RDA_REQUESTER_H

#include "analyzer/base/cold.h"
#include "analyzer/base/meta.h"
#include "analyzer/base/psn.h"
#include "analyzer/track/event.h"
#include "analyzer/track/roce/message.h"
#include "analyzer/track/roce/sending_order.h"
#include "analyzer/track/roce/stall.h"
#include "analyzer/track/roce/time_ledger.h"
#include "analyzer/track/roce/unobeyed.h"
#include "analyzer/track/roce/window.h"

/* Settled requests that are remembered, so that a late resend of one is recognised. */
#define RDA_SETTLED_KEPT 64

/* Where the connection begins; requester.c writes. */
struct rda_beginning {
	int32_t agreed; /* PSN of the first request, as the set-up says; -1 unknown */
	bool is_behind; /* PSNs below the first of the window passed, too */
	bool is_told;	/* the first answer counts no message before it: the QP began there */
	bool is_whole;	/* the least PSN that passed begins a message */
	int64_t first;	/* PSNs from here on were first sent in this capture, as far as is known */
	int64_t first_ns; /* of the first packet; RDA_NEVER_NS: it is the connection's */
};

/* The run at hand; run.c writes. */
struct rda_run_at_hand {
	int64_t next;	 /* what it would send next */
	uint8_t trigger; /* enum rda_trigger; NONE while it sends new PSNs */
	bool started;	 /* there was a request; tally.c writes */
	/* past_run.c writes, so that nobody else looks there: there are runs of resends; and the
	 * latest has not ended, perhaps */
	bool had, open;
};

/* A reason for a resend that the responder gave and no run has answered; run.c writes. Two may be
 * under way. */
struct rda_resend_cause {
	uint8_t trigger; /* enum rda_trigger; NONE */
	uint8_t kind;	 /* the same, and when a run has obeyed it too */
	int64_t psn, ns;
	int64_t wait_ns; /* what an RNR NAK asked to wait */
	int64_t rnr_ns;	 /* the end of a wait that an RNR NAK before it asked for; RDA_NEVER_NS:
			    none did */
	uint64_t frame;
	int64_t nak_ns; /* of the NAK that followed an RNR NAK with its PSN: since that is due */
	uint64_t nak_frame; /* 0: none did */
	bool crossed; /* a NAK, perhaps, by a resend: of what was sent behind that it tells nothing
		       */
	bool had;     /* an implied NAK, for an answer that had passed in whole before: nobody
		       * needs to wait for it */
	bool obeyed;  /* perhaps, by the run just before, if the tap shows its direction late */
	bool waits;   /* a NAK, behind a READ or ATOMIC that had no answer yet */
	bool behind;  /* an RNR NAK, behind a READ or ATOMIC that was put off, too */
};

/* Positive answers: everything below their PSN, READs and ATOMICs apart, is done; requester.c
 * writes. */
struct rda_answers {
	int64_t next, next_ns, any_ns; /* the furthest; and when the latest passed, be it late */
	int64_t took_ns;	       /* the latest response to a READ, since that was asked */
	int64_t run_next, run_ns;      /* the latest since the latest run of resends began */
	/* the first of the latest run that was for no part of it, but for all: it overtook the
	 * answers to the READs and ATOMICs of the run; and that of the run before. RDA_NEVER_NS:
	 * none */
	int64_t overtaken_ns, overtaken_before_ns;
	int64_t far; /* behind what was acknowledged further ahead than the capture can miss */
	/* behind what was answered before it was sent here, when, and by which ACK or NAK (0: a
	 * response): the capture missed who asked, or shows it late; or nobody asked. 0: none */
	int64_t unseen, unseen_ns;
	uint64_t unseen_frame;
	uint32_t unseen_msn : 24; /* of that ACK or NAK */
	bool early : 1;		  /* there was such an ACK or NAK */
	bool ahead : 1;		  /* there was any such answer */
	bool unheard : 1;	  /* some passed before it was known what they answer */
	bool refuted : 1;	  /* what it answers was sent only later, as it seems */
	bool overtake : 1;	  /* responses were seen to overtake each other, perhaps */
	uint32_t unseen_psns;	  /* so many below `unseen` were not acknowledged then */
	/* the latest that acknowledged because of it, or of what was sent behind; 0: none */
	uint64_t ghost;
	int64_t cut_ns; /* the latest ACK, NAK or RNR NAK of which the snap length left no more than
			   its opcode and PSN: nothing tells which of them; RDA_NEVER_NS: none */
};

/* A hole that is being filled after a NAK or a silence: late packets, or a run? filling.c writes.
 */
struct rda_hole_filling {
	int64_t begin, next; /* equal: none */
	int64_t since_ns;    /* of the latest request before the first of them */
	bool unasked; /* no NAK named them: after a silence in which a timer may have fired */
	bool ahead;   /* one has a later identification than all before it */
	bool doubted; /* by the run that confirms it: they may have been late, before it began */
};

/* READs whose PSNs could not be told when they were sent; requester.c writes. */
struct rda_read_spans {
	bool guessed;	    /* the span of a READ may be wrong */
	bool cut;	    /* one was cut within its RETH: only what follows tells its span */
	int64_t begin, end; /* a READ whose end the request at hand told; 0: none */
};

/* From a request to its answer; responder.c writes. */
struct rda_round_trip {
	int64_t smooth_ns; /* 0 unknown */
};

/*
 * What a run of resends begins for, bits: a requester that goes back N for the answer to a READ or
 * ATOMIC may send again of SENDs and WRITEs only what is missing.
 */
enum rda_run_kind {
	RDA_RUN_SENDS = 1,
	RDA_RUN_ASKS = 2, /* a READ or ATOMIC that waits for its answer, at its begin or before */
	RDA_RUN_EITHER = RDA_RUN_SENDS | RDA_RUN_ASKS, /* its begin was never seen */
	RDA_RUN_PERHAPS = 4,			       /* none perhaps, but a copy */
};

/* The latest copy of a request that was not the latest one: a run may have begun with it. */
struct rda_older_copy {
	uint64_t ordinal; /* `ordinal` when it passed; 0: none did */
	int64_t end;
	bool asks; /* of a READ or ATOMIC */
};

/* What only resends, losses and whatever answers refuse make: few connections have any. */
struct rda_requester_rare {
	struct rda_resend_run run;   /* run.c writes, and the next: */
	struct rda_past_runs *past;  /* owned; NULL: nothing was sent again */
	struct rda_doubted *doubted; /* owned; look_back.c writes; NULL: none */
	struct rda_sent_log *log;    /* owned; sent_log.c writes; NULL: nothing was overtaken or
					sent again, or the order is not known */
	struct rda_giveup *giveup; /* owned; giveup.c writes; NULL until something is sent again */
	struct rda_reactions *reactions; /* owned; reaction.c writes; NULL until a NAK of a sequence
					    error comes */
	struct rda_read_spans span;	 /* requester.c writes, and the next: */
	int64_t lost; /* below the first packet, and the first of the connection; INT64_MIN: none */
	int64_t lowest;	    /* of the PSNs that passed from below the window; INT64_MAX: none */
	uint64_t copied_at; /* ordinal of the packet of which the latest copy is; 0: none */
	struct rda_request_counts counts;   /* tally.c writes; but of new ones: `news` */
	struct rda_resend_cause due;	    /* run.c writes, and the next: */
	struct rda_resend_cause due_before; /* a NAK that had not been obeyed when `due` came */
	struct rda_unobeyed unobeyed;	    /* that of any kind; run.c writes */
	struct rda_hole_filling filling;    /* filling.c writes */
	uint64_t left_out; /* the first frame of the latest run that left something out, perhaps */
	struct rda_older_copy copy;	/* run_doubt.c writes */
	int64_t copied_next, copied_ns; /* behind the latest copy, and when; filling.c writes */
	int64_t blind_ns;  /* of the latest request that was overtaken, as its identification tells
			      if it tells anything, which was not known then: it was taken for what
			      its PSN makes of it, and so may be the runs around it; RDA_NEVER_NS:
			      none; requester.c writes */
	int64_t sound_ns;  /* valid if `unplaced`: of the latest request before these */
	bool resumed;	   /* a run came back to where it had jumped ahead; late_in_run.c writes */
	bool none_again;   /* what was told as sent again had come late; look_back.c writes */
	bool late_doubted; /* what came late may have been sent again, as far as was known then; */
	bool late_ahead;   /* it has a later identification than all before it; filling.c writes */
	uint8_t goes_back; /* enum rda_run_kind: those that go back N; selective.c writes */
};

/* What answers make. */
struct rda_requester_heard {
	struct rda_answers answers;   /* requester.c writes */
	struct rda_other_ids *others; /* owned; other_ids.c writes; NULL: it answers nothing */
	struct rda_assembly assembly; /* message.c writes */
};

/*
 * In order of use: a request in order touches what lies between the middle of `order` and that of
 * `window`, whose members are in such an order too.
 */
struct rda_requester {
	struct rda_sending_order order;		 /* requester.c writes */
	uint64_t ordinal;			 /* request packets so far */
	uint64_t news;				 /* of these: new */
	struct rda_message_progress message;	 /* tally.c writes */
	struct rda_run_at_hand run;		 /* run.c writes */
	const struct rda_requester_rare *rare;	 /* owned, or rda_requester_ordinary */
	const struct rda_requester_heard *heard; /* owned, or rda_requester_unheard */
	struct rda_stall stall;
	struct rda_time_ledger time;
	struct rda_progress progress; /* tally.c writes, of doubts run.c */
	unsigned unplaced : 31;	  /* damaged packets since the latest good one: perhaps the run's
				     first */
	unsigned looked_back : 1; /* what was told as resent stands; look_back.c writes */
	uint32_t settled; /* packets or records at the head of the window; tally.c writes, and: */
	struct rda_window window;
	struct rda_beginning begun; /* requester.c writes */
	struct rda_round_trip rtt;
};

/* Nothing was answered. */
extern const struct rda_requester_heard rda_requester_unheard;

RDA_COLD struct rda_requester_heard *rda_requester_make_heard(struct rda_requester *requester);

/* To be written, made if it is not there. */
static inline struct rda_requester_heard *rda_requester_heard(struct rda_requester *requester)
{
	return requester->heard == &rda_requester_unheard
		       ? rda_requester_make_heard(requester)
		       : (struct rda_requester_heard *)(void *)requester->heard;
}

/* Nothing of what is rare. */
extern const struct rda_requester_rare rda_requester_ordinary;

RDA_COLD struct rda_requester_rare *rda_requester_make_rare(struct rda_requester *requester);
void rda_requester_free_rare(struct rda_requester *requester);

/* To be written, made if it is not there. */
static inline struct rda_requester_rare *rda_requester_rare(struct rda_requester *requester)
{
	return requester->rare == &rda_requester_ordinary
		       ? rda_requester_make_rare(requester)
		       : (struct rda_requester_rare *)(void *)requester->rare;
}

/* What comes later than this is no reaction, but a timer's work. */
static inline int64_t rda_requester_patience(const struct rda_requester *requester)
{
	return requester->rtt.smooth_ns > RDA_NAK_STALE_NS / 8
		       ? rda_ns_times(requester->rtt.smooth_ns, 8)
		       : RDA_NAK_STALE_NS;
}

/* Its packets were seen to overtake others: what a run jumps over may be on its way here. */
static inline bool rda_requester_overtakes(const struct rda_requester *requester)
{
	return requester->rare->counts.packets[RDA_REQUEST_REORDERED] || requester->rare->resumed ||
	       rda_sending_order_is_broken(&requester->order);
}

/* A tap may show one direction later than the other: what was acknowledged just now may pass now.
 */
static inline bool rda_requester_shown_late(const struct rda_requester *requester, int64_t time_ns)
{
	return time_ns - requester->progress.acked_ns < RDA_MIRROR_NS;
}

/* Else a mirror shows all packets twice, and what it copies tells nothing. */
static inline bool rda_requester_copied_seldom(const struct rda_requester *requester)
{
	uint64_t copied = requester->rare->counts.packets[RDA_REQUEST_MIRRORED];

	/* one or two of the first few are no mirror yet */
	return copied * (copied < 3 ? 2 : 8) < requester->news;
}

/*
 * A requester that reacted sooner, or whose answers come sooner, does not wait so long before it
 * obeys: 256 times, between 4 ms and RDA_NAK_STALE_NS.
 */
static inline int64_t rda_requester_prompt(const struct rda_requester *requester)
{
	int64_t way = requester->rtt.smooth_ns ? requester->rtt.smooth_ns
					       : requester->heard->answers.took_ns;
	int64_t least = requester->rare->run.obeyed_ns > way ? requester->rare->run.obeyed_ns : way;

	if (!least || least >= RDA_NAK_STALE_NS / 256 || rda_requester_overtakes(requester))
		return rda_requester_patience(requester);
	return least > RDA_REACTION_MIN_NS / 256 ? 256 * least : RDA_REACTION_MIN_NS;
}

/* Whether something before the capture may be why the requester sends again now. */
static inline bool rda_requester_just_begun(const struct rda_requester *requester, int64_t time_ns)
{
	return requester->begun.first_ns != RDA_NEVER_NS &&
	       time_ns - requester->begun.first_ns <= rda_requester_patience(requester);
}

/* When the latest request passed that did not come damaged: these may be of another connection. */
static inline int64_t rda_requester_sound_ns(const struct rda_requester *requester)
{
	return requester->unplaced ? requester->rare->sound_ns : requester->progress.last_ns;
}

/* Near the first PSN that passed, where a QP that is set up again may begin: its first packets may
 * be lost. */
static inline bool rda_requester_is_beginning(const struct rda_requester *requester, int64_t psn)
{
	int64_t first = requester->begun.first, lowest = requester->rare->lowest;

	return psn >= (first < lowest ? first : lowest) - RDA_FIRST_PSNS &&
	       psn <= first + RDA_FIRST_PSNS;
}

/* Without a record it is from below the window: what preceded the capture reaches down to there at
 * least. */
static inline void rda_requester_behind(struct rda_requester *requester,
					const struct rda_sent *record,
					const struct rda_request *request)
{
	if (record)
		return;
	requester->begun.is_behind = true;
	if (request->begin >= requester->rare->lowest)
		return;
	rda_requester_rare(requester)->lowest = request->begin;
	if (request->begin < requester->begun.first)
		requester->begun.is_whole = request->roles & RDA_ROLE_FIRST;
}

/*
 * Whether a PSN lies so far below all that passed that it cannot be of what preceded the capture.
 * Where a message begins with all that passed, and none was taken before, nothing below is of this
 * connection; else what does not begin one may go on with one that began before the capture.
 */
static inline bool rda_requester_precedes(const struct rda_requester *requester, int64_t psn,
					  bool begins, int64_t time_ns)
{
	if (requester->begun.is_told && requester->begun.is_whole)
		return psn < requester->begun.first && psn < requester->rare->lowest;
	return begins && psn + RDA_FIRST_PSNS < requester->begun.first &&
	       psn < requester->rare->lowest && !rda_requester_just_begun(requester, time_ns);
}

/* A positive answer after everything below `psn`. */
static inline void rda_requester_answered(struct rda_requester *requester, int64_t psn,
					  int64_t time_ns)
{
	struct rda_answers *answers = &rda_requester_heard(requester)->answers;

	answers->any_ns = time_ns;
	if (psn >= answers->run_next) {
		answers->run_next = psn;
		answers->run_ns = time_ns;
	}
	if (psn < answers->next)
		return;
	if (answers->overtaken_ns == RDA_NEVER_NS)
		answers->overtaken_ns = time_ns;
	answers->next = psn;
	answers->next_ns = time_ns;
}

/* Nothing but an ACK or NAK of more than was sent acknowledges a PSN: that may answer nothing. */
static inline bool rda_requester_is_ghostly(const struct rda_requester *requester, int64_t psn)
{
	const struct rda_answers *answers = &requester->heard->answers;

	return requester->progress.acked_frame == answers->ghost && psn >= answers->next;
}

/* What lies below was acknowledged, and not by such an ACK alone. */
static inline int64_t rda_requester_taken(const struct rda_requester *requester)
{
	const struct rda_answers *answers = &requester->heard->answers;
	int64_t acked = requester->progress.acked;

	return rda_requester_is_ghostly(requester, acked) && answers->next ? answers->next : acked;
}

/* Everything below `psn` is answered: if only what may answer nothing had said so, this does. */
static inline void rda_requester_confirmed(struct rda_requester *requester, int64_t psn,
					   int64_t time_ns, uint64_t frame)
{
	struct rda_progress *progress = &requester->progress;

	if (psn != progress->acked || !progress->acked_frame ||
	    progress->acked_frame != requester->heard->answers.ghost)
		return;
	progress->acked_ns = time_ns;
	progress->acked_frame = frame;
}

/* A run of resends begins: what was answered before does not answer it. */
static inline void rda_requester_anew(struct rda_requester *requester)
{
	struct rda_answers *answers;

	if (requester->heard == &rda_requester_unheard)
		return;
	answers = &rda_requester_heard(requester)->answers;
	answers->run_next = 0;
	answers->overtaken_before_ns = answers->overtaken_ns;
	answers->overtaken_ns = RDA_NEVER_NS;
}

/* `cap`: records in the window; 0 for the default. */
void rda_requester_init(struct rda_requester *requester, uint32_t cap);
void rda_requester_cleanup(struct rda_requester *requester);

/* The set-up of the connection says with which PSN it begins; before the first packet. */
static inline void rda_requester_agreed(struct rda_requester *requester, uint32_t psn)
{
	requester->begun.agreed = (int32_t)psn;
}

/* One request packet. Returns what it is; *original is the frame that it repeats, or 0. */
enum rda_request_kind rda_requester_packet(struct rda_requester *requester,
					   const struct rda_request *request,
					   const struct rda_event_sink *sink, uint64_t *original);

/*
 * What may be more than a copy: the beginning of a run of resends, or what goes on with one.
 * `ordinal`: of the request before it.
 */
void rda_requester_copied(struct rda_requester *requester, const struct rda_request *request,
			  uint64_t ordinal, const struct rda_event_sink *sink);

/*
 * A packet of this flow whose bytes were damaged: it took the place of the next PSN of the run.
 * `ip_id`: its identification; the checksum of an IP header vouches for that, not for the PSN.
 */
void rda_requester_damaged(struct rda_requester *requester, int64_t time_ns, uint64_t frame,
			   uint16_t ip_id);

/* The responder took everything below `psn`: settles it. */
void rda_requester_settle(struct rda_requester *requester, int64_t psn, int64_t time_ns,
			  uint64_t frame, const struct rda_event_sink *sink);

/* The first answer says that it took no message before those that passed here. */
static inline void rda_requester_begun(struct rda_requester *requester)
{
	requester->begun.is_told = true;
}

/* What was answered below `psn` is not in the capture so far. `frame`, `msn`: of an ACK or NAK;
 * else 0. */
static inline void rda_requester_missed(struct rda_requester *requester, int64_t psn,
					int64_t time_ns, uint64_t frame, uint32_t msn)
{
	struct rda_answers *answers = &rda_requester_heard(requester)->answers;

	answers->early |= frame != 0;
	answers->ahead |= psn > requester->progress.next;
	if (psn <= answers->unseen)
		return;
	answers->unseen = psn;
	answers->refuted = false;
	answers->unseen_ns = time_ns;
	answers->unseen_frame = frame;
	answers->unseen_msn = msn & RDA_PSN_MASK;
	answers->unseen_psns = (uint32_t)(psn - rda_requester_taken(requester));
}

/*
 * A NAK names what precedes the first packet of the capture, and says that no message was taken so
 * far; or a timer's run begins with it, and nothing was answered: it was the first of the
 * connection, and lost.
 */
void rda_requester_first_named(struct rda_requester *requester, int64_t psn);

/*
 * An ACK at `psn` counts `msn` messages. If these are more than the ACK further up of what was
 * never seen counts, what lies before that was not taken when it was made: it was no answer.
 */
void rda_requester_refuted(struct rda_requester *requester, int64_t psn, uint32_t msn);

/* What was answered is so far ahead that it is nonsense, if not the connection went on unseen. */
static inline void rda_requester_far(struct rda_requester *requester, int64_t psn)
{
	rda_requester_heard(requester)->answers.far = psn;
}

/* There is a READ of which the request at hand told the end. */
static inline bool rda_requester_has_span(const struct rda_requester *requester)
{
	return requester->rare->span.begin != 0;
}

/* That READ, once. */
static inline void rda_requester_take_span(struct rda_requester *requester, int64_t *begin,
					   int64_t *end)
{
	*begin = requester->rare->span.begin;
	*end = requester->rare->span.end;
	rda_requester_rare(requester)->span.begin = 0;
}

/*
 * The responder answers something that it had not answered before: ends a stall. What it takes is
 * told by rda_requester_settle.
 */
void rda_requester_progress(struct rda_requester *requester, int64_t time_ns, uint64_t frame,
			    const struct rda_event_sink *sink);

#endif
