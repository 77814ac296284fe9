/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group F, the CRCs: F01, F02, F03, F26. See state.h.
 */
#include "analyzer/checks/frame/state.h"

#include "dissectors/icrc.h"

#include <stdlib.h>
#include <string.h>

/* The first cases of one kind. */
struct failures {
	uint64_t count;
	uint64_t places[RDA_FINDING_FRAMES];
	struct rda_crc first;
};

struct failed_source {
	struct rda_icrc_key key;    /* first: the table's key; without an address: all the others */
	struct failures mismatched; /* damage, if the source is known to send good ones */
	struct failures damaged;    /* the IP header's checksum fails too: damage in any case */
	int64_t flow;		    /* that carried them: its index; -1: none is known */
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

/* The source of a key, or, where there are too many, the one for all others of the capture. */
static struct failed_source *source_of(struct rda_failed_crcs *failed,
				       const struct rda_icrc_key *of)
{
	struct failed_source *source = rda_table_find(&failed->sources, of);
	struct rda_icrc_key key;
	bool made;

	if (source)
		return source;
	memcpy(&key, of, sizeof(key)); /* padding too: keys are compared as bytes */
	if (failed->sources.count >= RDA_FAILED_SOURCES_MAX) {
		memset(&key, 0, sizeof(key));
		key.capture = of->capture;
	}
	source = rda_table_get(&failed->sources, &key, &made);
	if (made)
		source->flow = -1;
	return source;
}

static void failed_icrc(struct rda_failed_crcs *failed, const struct rda_at *at)
{
	struct failed_source *source;
	struct failures *failures;
	struct rda_icrc_key key;

	rda_icrc_key_of(&key, at->capture, at->meta, at->packet);
	key = rda_icrc_sender_key(&key);
	source = source_of(failed, &key);
	failures = at->icrc == RDA_ICRC_CHECK_DAMAGED ? &source->damaged : &source->mismatched;
	if (note(failures, at->place))
		rda_icrc(at->frame, at->packet, &failures->first);
	if (at->flow && source->flow < 0)
		source->flow = at->flow->index;
	source->flows_differ |= at->flow && at->flow->index != source->flow;
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

static uint64_t first_of(const struct failed_source *source)
{
	uint64_t a = source->mismatched.count ? source->mismatched.places[0] : UINT64_MAX;
	uint64_t b = source->damaged.count ? source->damaged.places[0] : UINT64_MAX;

	return a < b ? a : b;
}

static int compare_sources(const void *a, const void *b)
{
	const struct failed_source *one = *(struct failed_source *const *)a;
	const struct failed_source *two = *(struct failed_source *const *)b;
	uint64_t first = first_of(one), second = first_of(two);

	if (!one->key.source.kind != !two->key.source.kind) /* all others are the last */
		return !one->key.source.kind ? 1 : -1;
	return first < second ? -1 : first > second;
}

static void join_source(struct failed_source *to, const struct failed_source *from,
			const struct rda_moved *moved)
{
	int64_t flow =
		from->flow < 0 ? -1 : (int64_t)rda_moved_to(moved->flows, (uint32_t)from->flow);

	to->mismatched = together(&to->mismatched, &from->mismatched);
	to->damaged = together(&to->damaged, &from->damaged);
	to->flows_differ |= from->flows_differ || (to->flow >= 0 && flow >= 0 && to->flow != flow);
	to->flow = to->flow < 0 ? flow : to->flow;
}

/* Those that failed first are kept apart, as where all frames are in one part. */
static void sort_sources(struct rda_failed_crcs *failed)
{
	const struct rda_moved nothing = {0};
	struct rda_failed_crcs sorted;

	rda_failed_crcs_init(&sorted, 0);
	if (failed->sources.count)
		qsort(failed->sources.items, failed->sources.count, sizeof(void *),
		      compare_sources);
	for (uint32_t i = 0; i < failed->sources.count; i++) {
		const struct failed_source *from = failed->sources.items[i];

		join_source(source_of(&sorted, &from->key), from, &nothing);
	}
	rda_table_cleanup(&failed->sources, NULL);
	failed->sources = sorted.sources;
	rda_table_cleanup(&sorted.links, NULL);
}

void rda_failed_crcs_join(struct rda_failed_crcs *to, const struct rda_failed_crcs *from,
			  const struct rda_moved *moved)
{
	for (uint32_t i = 0; i < from->sources.count; i++) {
		const struct failed_source *source = from->sources.items[i];
		struct failed_source *joined;
		bool made;

		joined = rda_table_get(&to->sources, &source->key, &made);
		if (made)
			joined->flow = -1;
		join_source(joined, source, moved);
	}
	sort_sources(to);
	for (uint32_t i = 0; i < from->links.count; i++) {
		const struct failed_link *link = from->links.items[i];
		struct failed_link *joined = rda_table_get(&to->links, &link->capture, NULL);

		joined->failures = together(&joined->failures, &link->failures);
	}
}

/* Its host, where undamaged packets of it were seen, or else the capture. */
static struct rda_subject about_source(const struct rda_judge *judge,
				       const struct failed_source *source)
{
	const struct rda_host *host = rda_overall_host(judge->overall, &source->key.source);

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

static uint64_t good_of(const struct rda_judge *judge, const struct failed_source *source)
{
	const struct rda_icrc_source *sender =
		rda_icrc_sender(judge->overall->icrc_senders, &source->key);

	return sender ? sender->good : 0;
}

/* The one direction that all of them are of; NULL: there are several, or it has one packet alone,
 * whose QP number may be what is damaged. */
static const struct rda_flow_facts *flow_of(const struct rda_judge *judge,
					    const struct failed_source *source)
{
	const struct rda_flow_facts *flow;

	if (source->flow < 0 || source->flows_differ)
		return NULL;
	flow = judge->overall->flows[source->flow];
	return flow->packets > 1 ? flow : NULL;
}

/* F01: damaged before this capture point. */
static void icrc_mismatch(struct rda_judge *judge, const struct failed_source *source,
			  const struct failures *bad)
{
	struct rda_finding *finding =
		rda_finding_add(&judge->findings, RDA_CHECK_F01, about_source(judge, source), 0);
	const struct rda_flow_facts *flow = flow_of(judge, source);
	uint64_t all = bad->count + good_of(judge, source);

	finding->count--;
	finding->covers = RDA_COVERS_DAMAGED;
	add(finding, bad);
	if (finding->key.subject.kind != RDA_SUBJECT_HOST) {
		rda_finding_retell(finding, RDA_SAY_F01_NO_SENDER,
				   RDA_ARG_NUMBER("damaged", finding->count));
		return;
	}
	if (flow && !rda_finding_is_said(finding)) {
		finding->connection = (int32_t)flow->connection;
		finding->flow = (int8_t)flow->side;
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
	rda_finding_say(finding, RDA_SAY_F02_SENDER, RDA_ARG_NUMBER("failed", failures->count),
			RDA_ARG_NUMBER("packets", failures->count + good_of(judge, source)),
			RDA_ARG_ADDRESS("sender", &source->key.source),
			RDA_ARG_KEY("icrc", failures->first.stored));
}

static void tell_source(struct rda_judge *judge, const struct failed_source *source)
{
	enum rda_icrc_verdict verdict =
		rda_icrc_judge(rda_icrc_sender(judge->overall->icrc_senders, &source->key),
			       RDA_ICRC_CHECK_MISMATCH);
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
	const struct rda_capture *capture = &judge->overall->captures[link->capture];
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

void rda_failed_crcs_overall(const struct rda_failed_crcs *failed, struct rda_judge *judge)
{
	for (uint32_t i = 0; i < failed->sources.count; i++)
		tell_source(judge, failed->sources.items[i]);
	for (uint32_t i = 0; i < failed->links.count; i++)
		vcrc_mismatch(judge, failed->links.items[i]);
}

/* A sender that goes is judged by now: what it sent with good ICRCs is not known at the end. */
static void judge_gone(struct failed_source *source, const struct rda_whole *whole,
		       const struct rda_moved *moved)
{
	const struct rda_host *host = rda_table_find(whole->hosts, &source->key.source);

	if ((host && moved->hosts[host->index] != RDA_GONE) ||
	    rda_icrc_judge(rda_icrc_sender(whole->icrc_senders, &source->key),
			   RDA_ICRC_CHECK_MISMATCH) != RDA_ICRC_BAD)
		return;
	source->damaged = together(&source->mismatched, &source->damaged);
	source->mismatched = (struct failures){.count = 0};
}

void rda_failed_crcs_retire(struct rda_failed_crcs *failed, const struct rda_whole *whole,
			    const struct rda_moved *moved)
{
	for (uint32_t i = 0; i < failed->sources.count; i++) {
		struct failed_source *source = failed->sources.items[i];

		judge_gone(source, whole, moved);
		if (source->flow < 0)
			continue;
		source->flows_differ |= moved->flows[source->flow] == RDA_GONE;
		source->flow = source->flows_differ ? -1 : (int64_t)moved->flows[source->flow];
	}
}
