/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * S15, S16: how much was sent again, of all that was sent, and for each packet that was lost.
 */
#include "analyzer/checks/sequence/state.h"

#include <glib.h>

/* S15: resends in percent of the request packets, of so many at least; sends of one packet. */
enum { STORM_PERCENT = 10, STORM_PACKETS = 100, STORM_SENDS = 4 };

/* S16: packets sent again for each that was lost. */
enum { AMPLIFICATION = 2 };

static void retransmission_storm(const struct rda_telling *t)
{
	uint64_t all = rda_telling_passed(t);
	uint64_t after_rnr = MIN(t->losses->after_rnr, t->resent);
	uint64_t resent = t->resent - after_rnr;
	bool often = t->losses->most_sent >= STORM_SENDS;
	bool many = all >= STORM_PACKETS && resent * 100 > all * STORM_PERCENT;
	struct rda_finding *finding;

	if ((!often && !many) || t->counts->doubts.anew)
		return;
	finding = rda_finding_add_as(&t->judge->findings, RDA_CHECK_S15,
				     t->told ? RDA_SEVERITY_NOTE : RDA_SEVERITY_WARNING,
				     rda_telling_proof(t), rda_about_flow(t->flow),
				     often ? t->losses->most_sent_frame : t->losses->first_resent);
	finding->count = resent;
	finding->covers = RDA_COVERS_RESENT_LATE;
	rda_finding_retell(finding, RDA_SAY_S15_RESENDS, RDA_ARG_NUMBER("resent", resent),
			   RDA_ARG_NUMBER("packets", all),
			   RDA_ARG_IF(after_rnr, RDA_ARG_NUMBER("after_rnr", after_rnr)),
			   RDA_ARG_IF(often, RDA_ARG_NUMBER("most_sent", t->losses->most_sent)),
			   RDA_ARG_FLAG("or_more", t->losses->most_sent > UINT8_MAX));
	rda_telling_explain(t, finding);
}

static void go_back_n_amplification(const struct rda_telling *t)
{
	uint64_t others = t->losses->needless + t->losses->after_rnr;
	uint64_t resent = t->resent - MIN(t->resent, others);
	uint64_t first =
		t->losses->first_repair ? t->losses->first_repair : t->losses->first_resent;
	uint64_t damaged = t->counts->lost_damaged - t->counts->damaged_answers;
	uint64_t undamaged = rda_telling_that_cost(t, t->counts->lost_before) +
			     t->counts->lost_after - t->counts->lost_damaged;
	uint64_t lost = undamaged + damaged;
	/* S01 may prove some only of what was missing here; what a timer sends again may have come;
	 * and what seems to be lost behind, as a NAK asks for it, may be one that came damaged, or
	 * when its receiver was not ready, and the RNR NAK was lost */
	bool certain = !t->counts->doubts.after && !rda_telling_was_unready(t) &&
		       !(damaged && t->counts->lost_after > t->counts->lost_damaged) &&
		       undamaged <= t->losses->lost_before + t->losses->lost_after;
	struct rda_finding *finding;

	if (!lost || resent < AMPLIFICATION * lost || t->counts->selective_repeat)
		return;
	finding = rda_finding_add_proof(&t->judge->findings, RDA_CHECK_S16,
					certain ? rda_telling_proof(t) : RDA_PROOF_SUSPECTED,
					rda_about_flow(t->flow), first);
	finding->count = resent;
	finding->covers = RDA_COVERS_RESENT;
	rda_finding_say(finding, RDA_SAY_S16_GO_BACK_N, RDA_ARG_NUMBER("resent", resent),
			RDA_ARG_NUMBER("lost", lost),
			RDA_ARG_FLAG("overtaken", rda_reordered_resent(t->losses)));
	rda_telling_explain(t, finding);
}

void rda_storm_tell(const struct rda_telling *t)
{
	retransmission_storm(t);
	go_back_n_amplification(t);
}
