/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * S05: runs of resends that were for nothing, as the responder had taken what they repeat, or was
 * about to.
 *
 *     A  10  . . . . . . . . 10            A  10 . . . . . . 10
 *     B      ACK 10                        B         (on its way)  ACK 10  ACK 10
 *            lost behind the tap                                    the timer was too short
 */
#ifndef RDA_CHECKS_SEQUENCE_SPURIOUS_H
#define RDA_CHECKS_SEQUENCE_SPURIOUS_H

#include "analyzer/checks/sequence/state.h"

/* ---- spurious.c ------------------------------------------------------------------------------ */

/* The newest run begins: which NAK it may obey, other than is told. */
void rda_spurious_begin(const struct rda_at *at, struct rda_losses *losses,
			const struct rda_event *event);

/* A packet of a run whose answer had passed here; and a response. */
void rda_spurious_resent(const struct rda_at *at, struct rda_losses *losses,
			 const struct rda_event *event);
void rda_spurious_response(const struct rda_at *at, struct rda_losses *losses);

/* No NAK began it, as far as is known: a timer, or nothing that shows. */
static inline bool rda_spurious_is_silence(const struct rda_loss_run *run)
{
	return run->trigger == RDA_TRIGGER_TIMEOUT || run->trigger == RDA_TRIGGER_UNEXPLAINED;
}

/* Its answer comes later, and another one, for certain or as it seems. */
static inline bool rda_spurious_is_early(const struct rda_loss_run *run)
{
	return run->verdict == RDA_VERDICT_EARLY || run->verdict == RDA_VERDICT_SEEMS_EARLY;
}

/* Its answer had passed when it began, for certain or as it seems. */
static inline bool rda_spurious_is_answered(const struct rda_loss_run *run)
{
	return run->verdict == RDA_VERDICT_ANSWERED || run->verdict == RDA_VERDICT_SEEMS_ANSWERED;
}

/* Finds a run that was for nothing, once that is settled. */
void rda_spurious_close(struct rda_findings *findings, const struct rda_flow *flow,
			const struct rda_loss_run *run);

/* Of some run that was for nothing, as it seems, the answer that had passed was lost, perhaps. */
bool rda_spurious_lost(const struct rda_flow *flow);

/*
 * So many runs were for nothing at least: those of which it is known since when nothing had moved.
 * The others began right behind others, and may be parts of one that overtook each other.
 */
struct rda_spurious_least {
	uint64_t early, answered; /* runs, by verdict */
	bool parts;		  /* there may be more: these are not all runs that were found */
};

struct rda_spurious_least rda_spurious_least(const struct rda_losses *losses);

/* The sentences: what is proven, and what is suspected. */
void rda_spurious_tell(struct rda_telling *telling);

/* ---- spurious_doubt.c ------------------------------------------------------------------------ */

/* The last word on a run that seems to have been for nothing: what else may have begun it, or made
 * its answers, as is known by now. */
void rda_spurious_settle(const struct rda_flow *flow, struct rda_losses *losses,
			 struct rda_loss_run *run);

/* Its responder sends NAKs for what is missing. */
bool rda_spurious_has_naks(const struct rda_flow *asker);

/*
 * A network that copies some packets may copy what was sent again, behind this tap too, or its
 * answer. A mirror shows each packet once more: more copies than that are the network's, and so are
 * those of less than half of them.
 */
bool rda_spurious_requests_copied(const struct rda_flow *asker);

/* The network or a mirror copies some, and time alone tells them from what is sent again. */
bool rda_spurious_copies_untold(const struct rda_flow *asker);

#endif
