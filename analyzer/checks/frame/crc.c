/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group F, the CRCs: F01, F02, F03. See state.h.
 */
#include "analyzer/checks/frame/state.h"

#include "dissectors/icrc.h"

#include <string.h>

/* The first cases of one kind. */
struct failures {
	uint64_t count;
	uint64_t places[RDA_FINDING_FRAMES];
	struct rda_crc first;
};

struct failed_source {
	struct rda_icrc_key key; /* first: the table's key; without an address: all the others */
	const struct rda_icrc_source *source; /* NULL: no failure counts for it */
	struct failures mismatched;	      /* damage, if the source is known to send good ones */
	struct failures damaged;     /* the IP header's checksum fails too: damage in any case */
	const struct rda_flow *flow; /* that carried them; NULL: none is known */
	bool flows_differ;
};

struct failed_link {
	uint32_t capture; /* first: the table's key */
	struct failures failures;
};

void rda_failed_crcs_init(struct rda_failed_crcs *failed, uint64_t hash_seed)
{
	rda_table_init(&failed->sources, sizeof(struct rda_icrc_key), sizeof(struct failed_source),
		       hash_seed);
	rda_table_init(&failed->links, sizeof(uint32_t), sizeof(struct failed_link), hash_seed);
}

void rda_failed_crcs_cleanup(struct rda_failed_crcs *failed)
{
	rda_table_cleanup(&failed->sources, NULL);
	rda_table_cleanup(&failed->links, NULL);
}

/* True when it is the first. */
static bool note(struct failures *failures, uint64_t place)
{
	if (failures->count < RDA_FINDING_FRAMES)
		failures->places[failures->count] = place;
	return failures->count++ == 0;
}

static struct failed_source *source_of(struct rda_failed_crcs *failed, const struct rda_at *at)
{
	struct rda_icrc_key key;
	struct failed_source *source;

	rda_icrc_key_of(&key, at->capture, at->meta, at->packet);
	source = rda_table_find(&failed->sources, &key);
	if (source)
		return source;
	if (failed->sources.count >= RDA_FAILED_SOURCES_MAX) {
		memset(&key, 0, sizeof(key));
		key.capture = at->capture;
	}
	return rda_table_get(&failed->sources, &key, NULL);
}

static void failed_icrc(struct rda_failed_crcs *failed, const struct rda_at *at)
{
	struct failed_source *source = source_of(failed, at);
	struct failures *failures =
		at->icrc == RDA_ICRC_CHECK_DAMAGED ? &source->damaged : &source->mismatched;

	if (at->icrc_source)
		source->source = at->icrc_source;
	if (note(failures, at->place))
		rda_icrc(at->frame, at->packet, &failures->first);
	if (at->flow && !source->flow)
		source->flow = at->flow;
	source->flows_differ |= at->flow && at->flow != source->flow;
}

void rda_failed_crcs_packet(struct rda_failed_crcs *failed, const struct rda_at *at)
{
	struct failed_link *link;

	if (at->icrc == RDA_ICRC_CHECK_MISMATCH || at->icrc == RDA_ICRC_CHECK_DAMAGED) {
		failed_icrc(failed, at);
	} else if (at->vcrc_fails) {
		link = rda_table_get(&failed->links, &at->capture, NULL);
		if (note(&link->failures, at->place))
			rda_vcrc(at->frame, at->packet, &link->failures.first);
	}
}

/* ---- the end --------------------------------------------------------------------------------- */

/* Its host, where undamaged packets of it were seen, or else the capture. */
static struct rda_subject about_source(const struct rda_judge *judge,
				       const struct failed_source *source)
{
	const struct rda_host *host = rda_table_find(judge->whole.hosts, &source->key.source);

	return host ? rda_about_host(host) : rda_about_capture(source->key.capture);
}

/* All cases, of which the first is counted already; in the order of the capture. */
static void add(struct rda_finding *finding, const struct failures *failures)
{
	uint64_t kept = failures->count < RDA_FINDING_FRAMES ? failures->count : RDA_FINDING_FRAMES;

	finding->count += failures->count;
	for (uint64_t i = 0; i < kept; i++)
		rda_finding_frame(finding, failures->places[i]);
}

/* Both in one order. */
static struct failures together(const struct failures *a, const struct failures *b)
{
	struct failures both = {.count = a->count + b->count};
	uint64_t i = 0, j = 0;

	both.first = a->count && (!b->count || a->places[0] < b->places[0]) ? a->first : b->first;
	for (unsigned k = 0; k < RDA_FINDING_FRAMES && i + j < both.count; k++) {
		bool first = i < a->count && (j == b->count || a->places[i] < b->places[j]);

		both.places[k] = first ? a->places[i++] : b->places[j++];
	}
	return both;
}

/* F01: damaged before this capture point. */
static void icrc_mismatch(struct rda_judge *judge, const struct failed_source *source,
			  const struct failures *bad)
{
	struct rda_finding *finding =
		rda_finding_add(&judge->findings, RDA_CHECK_F01, about_source(judge, source), 0);
	uint64_t all = bad->count + (source->source ? source->source->good : 0);

	finding->count--;
	add(finding, bad);
	if (finding->key.subject.kind != RDA_SUBJECT_HOST) {
		rda_finding_retell(finding, RDA_SAY_F01_NO_SENDER,
				   RDA_ARG_NUMBER("damaged", finding->count));
		return;
	}
	if (source->flow && !source->flows_differ && !rda_finding_is_said(finding)) {
		finding->connection = (int32_t)judge->whole.seats[source->flow->index].connection;
		finding->flow = (int8_t)judge->whole.seats[source->flow->index].side;
	} else {
		finding->connection = finding->flow = -1;
	}
	rda_finding_say(finding, RDA_SAY_F01_SENDER, RDA_ARG_NUMBER("damaged", bad->count),
			RDA_ARG_NUMBER("packets", all),
			RDA_ARG_ADDRESS("sender", &source->key.source),
			RDA_ARG_KEY("icrc", bad->first.stored),
			RDA_ARG_KEY("computed", bad->first.computed));
}

/* F02: of this sender no ICRC fits. */
static void icrc_absent(struct rda_judge *judge, const struct failed_source *source)
{
	const struct failures *failures = &source->mismatched;
	struct rda_finding *finding =
		rda_finding_add(&judge->findings, RDA_CHECK_F02, about_source(judge, source), 0);

	finding->count--;
	add(finding, failures);
	rda_finding_say(
		finding, RDA_SAY_F02_SENDER, RDA_ARG_NUMBER("failed", failures->count),
		RDA_ARG_NUMBER("packets",
			       failures->count + (source->source ? source->source->good : 0)),
		RDA_ARG_ADDRESS("sender", &source->key.source),
		RDA_ARG_KEY("icrc", failures->first.stored));
}

static void tell_source(struct rda_judge *judge, const struct failed_source *source)
{
	enum rda_icrc_verdict verdict = rda_icrc_judge(source->source, RDA_ICRC_CHECK_MISMATCH);
	struct failures bad = source->damaged;

	if (verdict == RDA_ICRC_BAD)
		bad = together(&source->mismatched, &source->damaged);
	else if (source->mismatched.count)
		icrc_absent(judge, source);
	if (bad.count)
		icrc_mismatch(judge, source, &bad);
}

/* F03: damaged on the last link, or a capture that has no VCRC. */
static void vcrc_mismatch(struct rda_judge *judge, const struct failed_link *link)
{
	const struct rda_capture *capture = &judge->whole.captures[link->capture];
	const struct failures *failures = &link->failures;
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
				RDA_ARG_HEX("vcrc", failures->first.stored, 4),
				RDA_ARG_HEX("computed", failures->first.computed, 4));
	else
		rda_finding_say(finding, RDA_SAY_F03_NOT_CAPTURED,
				RDA_ARG_NUMBER("failed", failures->count),
				RDA_ARG_NUMBER("packets", all));
}

void rda_failed_crcs_end(const struct rda_failed_crcs *failed, struct rda_judge *judge)
{
	for (uint32_t i = 0; i < failed->sources.count; i++)
		tell_source(judge, failed->sources.items[i]);
	for (uint32_t i = 0; i < failed->links.count; i++)
		vcrc_mismatch(judge, failed->links.items[i]);
}
