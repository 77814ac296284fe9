/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group F, the CRCs: F01, F02, F03, F26. damaged.c gathers them.
 */
#include "analyzer/checks/frame/damaged.h"
#include "analyzer/checks/frame/state.h"

#include "dissectors/icrc.h"

#include <string.h>

/* F26: one that only Linux takes. */
void rda_frame_flush_crc(const struct rda_at *at)
{
	struct rda_crc crc;

	if (!rda_icrc(at->frame, at->packet, &crc) || !crc.twice)
		return;
	rda_finding_say(rda_finding_at(at, RDA_CHECK_F26), RDA_SAY_F26_FLUSH,
			RDA_ARG_WORD("opcode", at->packet->opcode->name),
			RDA_ARG_PSN("psn", at->packet->bth.psn),
			RDA_ARG_HEX("icrc", crc.stored, 8));
}

/* ---- overall --------------------------------------------------------------------------------- */

/* Its host, where undamaged packets of it were seen, or else the capture. */
static struct rda_subject about_source(const struct rda_judge *judge,
				       const struct rda_failed_source *source)
{
	const struct rda_host *host = rda_overall_host(judge->overall, &source->key.source);

	return host ? rda_about_host(host) : rda_about_capture(source->key.capture);
}

/* All cases, of which the first is counted already; in the order of the capture. */
static void add(struct rda_finding *finding, const struct rda_failures *failures)
{
	finding->count += failures->count;
	for (uint32_t i = 0; i < failures->kept; i++)
		rda_finding_frame(finding, failures->of[i].place);
}

static uint64_t good_of(const struct rda_judge *judge, const struct rda_failed_source *source)
{
	const struct rda_icrc_source *sender =
		rda_icrc_sender(judge->overall->icrc_senders, &source->key);

	return sender ? sender->good : 0;
}

/* The one direction that all of them are of; NULL: there are several, or it has one packet alone,
 * whose QP number may be what is damaged. */
static const struct rda_flow_facts *flow_of(const struct rda_judge *judge,
					    const struct rda_failed_source *source)
{
	const struct rda_flow_facts *flow;

	if (source->flow < 0 || source->flows_differ)
		return NULL;
	flow = judge->overall->flows[source->flow];
	return flow->packets > 1 ? flow : NULL;
}

static void place_in_flow(struct rda_finding *finding, const struct rda_flow_facts *flow)
{
	if (flow && !rda_finding_is_said(finding)) {
		finding->connection = (int32_t)flow->connection;
		finding->flow = (int8_t)flow->side;
	} else {
		finding->connection = finding->flow = -1;
	}
}

/* F01: damaged before this capture point. */
static void icrc_mismatch(struct rda_judge *judge, const struct rda_failed_source *source,
			  const struct rda_failures *bad, uint64_t packets, enum rda_covers covers)
{
	struct rda_finding *finding =
		rda_finding_add(&judge->findings, RDA_CHECK_F01, about_source(judge, source), 0);

	finding->count--;
	finding->covers = (uint8_t)covers;
	add(finding, bad);
	if (finding->key.subject.kind != RDA_SUBJECT_HOST) {
		rda_finding_retell(finding, RDA_SAY_F01_NO_SENDER,
				   RDA_ARG_NUMBER("damaged", finding->count));
		return;
	}
	place_in_flow(finding, flow_of(judge, source));
	rda_finding_say(finding, RDA_SAY_F01_SENDER, RDA_ARG_NUMBER("damaged", bad->count),
			RDA_ARG_NUMBER("packets", packets),
			RDA_ARG_ADDRESS("sender", &source->key.source),
			RDA_ARG_KEY("icrc", bad->of[0].stored),
			RDA_ARG_KEY("computed", bad->of[0].computed));
}

/* F01, milder: receivers took what this capture has damaged, or may have. */
static void damaged_here(struct rda_judge *judge, const struct rda_failed_source *source,
			 const struct rda_failed *bad, uint64_t packets, enum rda_covers covers)
{
	const struct rda_failures *taken = &bad->by_fate[RDA_FATE_TAKEN];
	const struct rda_failures *open = &bad->by_fate[RDA_FATE_OPEN];
	struct rda_failures all = rda_failures_together(taken, open);
	struct rda_finding *finding =
		rda_finding_add_as(&judge->findings, RDA_CHECK_F01, RDA_SEVERITY_WARNING,
				   RDA_PROOF_SUSPECTED, about_source(judge, source), 0);

	finding->count--;
	finding->covers = (uint8_t)covers;
	add(finding, &all);
	place_in_flow(finding, flow_of(judge, source));
	rda_finding_say(finding, taken->count ? RDA_SAY_F01_TAKEN : RDA_SAY_F01_PERHAPS_TAKEN,
			RDA_ARG_NUMBER("damaged", all.count), RDA_ARG_NUMBER("packets", packets),
			RDA_ARG_ADDRESS("sender", &source->key.source),
			RDA_ARG_KEY("icrc", all.of[0].stored),
			RDA_ARG_KEY("computed", all.of[0].computed),
			RDA_ARG_NUMBER("taken", taken->count),
			RDA_ARG_IF(open->count, RDA_ARG_NUMBER("open", open->count)));
}

/* F02: of this sender no ICRC fits. */
static void icrc_absent(struct rda_judge *judge, const struct rda_failed_source *source)
{
	const struct rda_failures failures = rda_failed_all(&source->mismatched);
	struct rda_finding *finding =
		rda_finding_add(&judge->findings, RDA_CHECK_F02, about_source(judge, source), 0);

	finding->count--;
	add(finding, &failures);
	rda_finding_say(finding, RDA_SAY_F02_SENDER, RDA_ARG_NUMBER("failed", failures.count),
			RDA_ARG_NUMBER("packets", failures.count + good_of(judge, source)),
			RDA_ARG_ADDRESS("sender", &source->key.source),
			RDA_ARG_KEY("icrc", failures.of[0].stored));
}

/* What of a source's was damaged, and not captured without an ICRC. */
static struct rda_failed damaged_of(const struct rda_judge *judge,
				    const struct rda_failed_source *source)
{
	enum rda_icrc_verdict verdict =
		rda_icrc_judge(rda_icrc_sender(judge->overall->icrc_senders, &source->key),
			       RDA_ICRC_CHECK_MISMATCH);

	return verdict == RDA_ICRC_BAD ? rda_failed_together(&source->mismatched, &source->damaged)
				       : source->damaged;
}

/* Receivers took packets that came damaged to the tap of this source: what it has is not what was
 * there. */
static bool copies_are_damaged(const struct rda_failed_crcs *failed, const struct rda_judge *judge,
			       const struct rda_failed_source *at)
{
	for (uint32_t i = 0; i < failed->sources.count; i++) {
		const struct rda_failed_source *source = failed->sources.items[i];

		if (source->key.capture != at->key.capture || source->key.tap != at->key.tap ||
		    (!source->mismatched.by_fate[RDA_FATE_TAKEN].count &&
		     !source->damaged.by_fate[RDA_FATE_TAKEN].count))
			continue;
		if (damaged_of(judge, source).by_fate[RDA_FATE_TAKEN].count)
			return true;
	}
	return false;
}

static void tell_source(const struct rda_failed_crcs *failed, struct rda_judge *judge,
			const struct rda_failed_source *source)
{
	struct rda_failed bad = damaged_of(judge, source);
	struct rda_failures here = {.count = 0}, before = rda_failed_all(&bad);
	uint64_t packets = before.count + good_of(judge, source);
	bool copies = before.count && copies_are_damaged(failed, judge, source);

	if (rda_failed_all(&source->mismatched).count + rda_failed_all(&source->damaged).count >
	    before.count)
		icrc_absent(judge, source);
	if (copies) {
		before = bad.by_fate[RDA_FATE_REFUSED];
		here = rda_failures_together(&bad.by_fate[RDA_FATE_TAKEN],
					     &bad.by_fate[RDA_FATE_OPEN]);
	}
	if (before.count)
		icrc_mismatch(judge, source, &before, packets,
			      here.count ? RDA_COVERS_LISTED : RDA_COVERS_DAMAGED);
	if (here.count)
		damaged_here(judge, source, &bad, packets,
			     before.count ? RDA_COVERS_LISTED : RDA_COVERS_DAMAGED);
}

/* F03: damaged on the last link, or a capture that has no VCRC. */
static void vcrc_mismatch(struct rda_judge *judge, const struct rda_failed_link *link)
{
	const struct rda_capture *capture = &judge->overall->captures[link->capture];
	const struct rda_failures *failures = &link->failures;
	uint64_t all = capture->vcrc_good + capture->vcrc_bad;
	bool captured =
		capture->vcrc_good && (all < RDA_ICRC_ABSENT_PACKETS ||
				       capture->vcrc_bad * 100 < all * RDA_ICRC_ABSENT_PERCENT);
	struct rda_finding *finding = rda_finding_add_as(
		&judge->findings, RDA_CHECK_F03, captured ? RDA_SEVERITY_ERROR : RDA_SEVERITY_NOTE,
		captured ? RDA_PROOF_PROVEN : RDA_PROOF_SUSPECTED, rda_about_capture(link->capture),
		0);

	finding->count--;
	add(finding, failures);
	if (captured)
		rda_finding_say(finding, RDA_SAY_F03_DAMAGED,
				RDA_ARG_NUMBER("damaged", failures->count),
				RDA_ARG_NUMBER("packets", all),
				RDA_ARG_HEX("vcrc", failures->of[0].stored, 4),
				RDA_ARG_HEX("computed", failures->of[0].computed, 4));
	else
		rda_finding_say(finding, RDA_SAY_F03_NOT_CAPTURED,
				RDA_ARG_NUMBER("failed", failures->count),
				RDA_ARG_NUMBER("packets", all));
}

void rda_failed_crcs_overall(const struct rda_failed_crcs *failed, struct rda_judge *judge)
{
	const struct rda_moved nothing = {0};
	struct rda_failed_crcs whole; /* with what is followed yet */

	rda_failed_crcs_init(&whole, 0);
	rda_failed_crcs_join(&whole, failed, &nothing);
	for (uint32_t i = 0; i < whole.sources.count; i++)
		tell_source(&whole, judge, whole.sources.items[i]);
	for (uint32_t i = 0; i < whole.links.count; i++)
		vcrc_mismatch(judge, whole.links.items[i]);
	rda_failed_crcs_cleanup(&whole);
}
