/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group G, marks and the notices that follow them: G01-G05. How the sender reacts (G06) is in
 * rate.c.
 *
 *     CE  CE CE      CNP       CE ...
 *     ^---------------^         ^ the next episode
 *      one episode: its latency, if no CNP was sent shortly before the first mark
 */
#include "analyzer/checks/congestion/state.h"

#include <glib.h>

#include "analyzer/base/latency.h"
#include "dissectors/icrc.h"
#include "dissectors/values.h"

/* NICs send no second CNP for a QP within this by default: a mark so soon after one has to wait. */
#define PACING_NS 50000

/* The least of these defaults that is known; CNPs that are closer break each of them. */
#define PACING_LEAST_NS 4000

/* A CNP is about a mark that was made so long before, and no longer. */
#define PROMPTED_NS 10000000

/* Fewer marks without a CNP, or fewer CNPs too close, are told as notes. */
enum { MARKS_MIN = 3, CLOSE_MIN = 10 };

struct notifier {
	uint32_t host;		    /* first: the table's key */
	struct rda_latency latency; /* from marks to CNPs */
	struct rda_latency gaps;    /* between CNPs to one QP */
	uint64_t close, close_place;
	uint64_t first_place; /* a CNP of which the latency is known */
};

void rda_notifiers_init(struct rda_notifiers *notifiers, uint64_t hash_seed)
{
	rda_table_init(&notifiers->hosts, sizeof(uint32_t), sizeof(struct notifier), hash_seed);
}

static void cleanup(void *item)
{
	struct notifier *notifier = item;

	rda_latency_cleanup(&notifier->latency);
	rda_latency_cleanup(&notifier->gaps);
}

void rda_notifiers_cleanup(struct rda_notifiers *notifiers)
{
	rda_table_cleanup(&notifiers->hosts, cleanup);
}

/* ---- marks ----------------------------------------------------------------------------------- */

static int64_t due_ns(const struct rda_flow *flow)
{
	return RDA_CNP_DUE_NS + rda_account_rtt_ns(flow);
}

static struct rda_marks *marks_of(struct rda_congestion_watch *watch)
{
	if (!watch->marks)
		watch->marks = g_new0(struct rda_marks, 1);
	return watch->marks;
}

struct rda_notices *rda_congestion_notices(struct rda_congestion_watch *watch)
{
	if (!watch->notices)
		watch->notices = g_new0(struct rda_notices, 1);
	return watch->notices;
}

/* The pending mark got no CNP in time. */
static void unanswered(struct rda_marks *marks)
{
	if (marks->unanswered++ == 0)
		marks->unanswered_place = marks->pending_place;
	marks->pending = false;
}

/*
 * G01, and the beginning of an episode. ACKs are too small to be told to slow down; some NICs send
 * a CNP all the same.
 */
RDA_APART static void marked(const struct rda_at *at)
{
	struct rda_marks *marks = marks_of(at->flow->watch.congestion);
	int64_t now = at->meta->time_ns;

	rda_finding_say(rda_finding_at(at, RDA_CHECK_G01), RDA_SAY_G01_MARKED, RDA_ARG_NONE);
	marks->any = true;
	marks->latest_ns = now;
	if (at->packet->opcode->roles & RDA_ROLE_ACK)
		return;
	if (marks->pending && now - marks->pending_ns > due_ns(at->flow))
		unanswered(marks);
	if (!marks->pending) {
		marks->pending = true;
		marks->pending_ns = now;
		marks->pending_place = at->place;
		marks->quiet = !marks->noticed || now - marks->notice_ns > PACING_NS;
	}
}

/* ---- CNPs ------------------------------------------------------------------------------------ */

static struct notifier *notifier_of(struct rda_notifiers *notifiers, const struct rda_flow *flow)
{
	uint32_t host = flow->sender->index;

	return rda_table_get(&notifiers->hosts, &host, NULL);
}

/* G04: the gap to the CNP before, if this one is no copy of it. True when it may be one. */
static bool note_gap(struct rda_notifiers *notifiers, const struct rda_at *at)
{
	struct rda_notices *notices = rda_congestion_notices(at->flow->watch.congestion);
	int64_t gap = at->meta->time_ns - notices->latest_ns;
	bool copy = at->packet->ip_id == notices->ip_id && gap < RDA_MIRROR_NS;

	if (rda_flow_rare(at->flow)->cnps > 1 && gap >= 0 && !copy) {
		struct notifier *notifier = notifier_of(notifiers, at->flow);

		rda_latency_add(&notifier->gaps, gap);
		if (gap < PACING_LEAST_NS && notifier->close++ == 0)
			notifier->close_place = at->place;
	}
	notices->latest_ns = at->meta->time_ns;
	notices->ip_id = at->packet->ip_id;
	return copy && rda_flow_rare(at->flow)->cnps > 1;
}

/*
 * The CNP is about `marked`; with a mark before it, it ends an episode. A copy may be of what came
 * when nothing told yet whom it is about: how soon it was sent it does not tell.
 */
static void answer(struct rda_notifiers *notifiers, const struct rda_at *at,
		   struct rda_flow *marked, bool copy)
{
	struct rda_marks *marks = marks_of(rda_congestion_watch_of(marked, NULL));
	int64_t now = at->meta->time_ns, wait = now - marks->pending_ns;
	bool tells = marks->quiet && !copy;

	if (marks->pending && wait > due_ns(marked)) {
		unanswered(marks);
	} else if (marks->pending) {
		struct notifier *notifier = notifier_of(notifiers, at->flow);

		marks->answered++;
		marks->pending = false;
		if (tells && notifier->latency.count == 0)
			notifier->first_place = at->place;
		if (tells)
			rda_latency_add(&notifier->latency, wait);
	} else if ((!marks->any || now - marks->latest_ns > PROMPTED_NS) &&
		   now - notifiers->first_ns > PROMPTED_NS) {
		if (marks->unprompted++ == 0)
			marks->unprompted_place = at->place;
	}
	rda_rate_noticed(marked, at, marks->noticed ? now - marks->notice_ns : INT64_MAX);
	marks->noticed = true;
	marks->notice_ns = now;
}

RDA_APART static void notice(struct rda_notifiers *notifiers, const struct rda_at *at)
{
	struct rda_notices *notices = rda_congestion_notices(at->flow->watch.congestion);
	bool copy = note_gap(notifiers, at);

	if (at->flow->peer)
		answer(notifiers, at, at->flow->peer, copy);
	else if (notices->unmatched++ == 0)
		notices->unmatched_place = at->place;
}

void rda_congestion_notice(struct rda_notifiers *notifiers, const struct rda_at *at)
{
	if (at->packet->opcode->roles & RDA_ROLE_CNP) {
		notice(notifiers, at);
		return;
	}
	if (rda_ip4_is_marked(at->frame, at->packet))
		marked(at);
	rda_rate_packet(at);
}

/* ---- connections ----------------------------------------------------------------------------- */

static const struct rda_notices *notices_seen(const struct rda_flow *flow)
{
	static const struct rda_notices none;
	const struct rda_congestion_watch *watch = flow ? flow->watch.congestion : NULL;

	return watch && watch->notices ? watch->notices : &none;
}

static const struct rda_marks *marks_seen(const struct rda_flow *flow)
{
	static const struct rda_marks none;
	const struct rda_congestion_watch *watch = flow->watch.congestion;

	return watch && watch->marks ? watch->marks : &none;
}

/* G01: the share of marked packets. */
static void ce_marks(struct rda_judge *judge, const struct rda_flow *flow)
{
	struct rda_finding *finding =
		rda_finding_find(&judge->findings, RDA_CHECK_G01, rda_about_flow(flow));

	if (finding)
		rda_finding_retell(finding, RDA_SAY_G01_SHARE,
				   RDA_ARG_NUMBER("marked", rda_flow_rare(flow)->ce_marked),
				   RDA_ARG_NUMBER("packets", flow->packets));
}

/* The episodes without a CNP, with the one that the end of the capture left open long enough. */
static uint64_t unanswered_in_all(const struct rda_judge *judge, const struct rda_flow *flow,
				  const struct rda_marks *marks)
{
	if (!marks->pending ||
	    rda_watched_until(judge, marks->pending_place) - marks->pending_ns <= due_ns(flow))
		return marks->unanswered;
	return marks->unanswered + 1;
}

/* G02: marked, and nobody told the sender. */
static void ce_without_cnp(struct rda_judge *judge, const struct rda_flow *flow,
			   const struct rda_flow *back)
{
	const struct rda_marks *marks = marks_seen(flow);
	uint64_t count = unanswered_in_all(judge, flow, marks);
	bool none = !back || rda_flow_rare(back)->cnps == 0;
	struct rda_finding *finding;

	if (count == 0 || notices_seen(back)->unmatched)
		return;
	finding = rda_finding_add_as(&judge->findings, RDA_CHECK_G02, RDA_SEVERITY_NOTE,
				     RDA_PROOF_SUSPECTED, rda_about_flow(flow),
				     marks->unanswered_place ? marks->unanswered_place
							     : marks->pending_place);
	finding->count += (none ? rda_flow_rare(flow)->ce_marked : count) - 1;
	if (none)
		rda_finding_say(finding, RDA_SAY_G02_NO_CNP,
				RDA_ARG_NUMBER("marked", rda_flow_rare(flow)->ce_marked),
				RDA_ARG_FLAG("other_cnps", false)); /* told overall */
	else
		rda_finding_say(finding, RDA_SAY_G02_NOT_FOLLOWED,
				RDA_ARG_NUMBER("unanswered", count),
				RDA_ARG_NUMBER("marks", count + marks->answered));
}

/* G05: told to slow down for no reason that is seen here. */
static void cnp_without_ce(struct rda_judge *judge, const struct rda_flow *flow,
			   const struct rda_flow *back)
{
	const struct rda_notices *notices = notices_seen(back);
	uint64_t count = marks_seen(flow)->unprompted;
	uint64_t place = marks_seen(flow)->unprompted_place;
	struct rda_finding *finding;

	if (rda_flow_rare(flow)->ce_marked == 0 && notices->unmatched) {
		count += notices->unmatched;
		place = notices->unmatched_place;
	}
	if (count == 0)
		return;
	finding = rda_finding_add_as(&judge->findings, RDA_CHECK_G05,
				     rda_flow_rare(flow)->ce_marked ? RDA_SEVERITY_WARNING
								    : RDA_SEVERITY_NOTE,
				     RDA_PROOF_SUSPECTED, rda_about_flow(flow), place);
	finding->count += count - 1;
	if (rda_flow_rare(flow)->ce_marked)
		rda_finding_say(finding, RDA_SAY_G05_OTHERS_MARKED, RDA_ARG_NUMBER("cnps", count));
	else
		rda_finding_say(finding, RDA_SAY_G05_NONE_MARKED, RDA_ARG_NUMBER("cnps", count));
}

void rda_congestion_notice_connection(struct rda_judge *judge,
				      const struct rda_connection *connection)
{
	for (unsigned i = 0; i < 2; i++) {
		const struct rda_flow *flow = connection->flows[i];
		const struct rda_flow *back = connection->flows[1 - i];

		if (!flow || (!flow->watch.congestion && !notices_seen(back)->unmatched))
			continue;
		ce_marks(judge, flow);
		cnp_without_ce(judge, flow, back);
		if (!flow->watch.congestion)
			continue;
		if (connection->service != RDA_SERVICE_UD)
			ce_without_cnp(judge, flow, back);
		rda_rate_end(judge, flow);
	}
}

/* ---- hosts ----------------------------------------------------------------------------------- */

void rda_notifiers_join(struct rda_notifiers *to, const struct rda_notifiers *from,
			const struct rda_moved *moved)
{
	for (uint32_t i = 0; i < from->hosts.count; i++) {
		const struct notifier *notifier = from->hosts.items[i];
		uint32_t host = rda_moved_to(moved->hosts, notifier->host);
		struct notifier *joined = rda_table_get(&to->hosts, &host, NULL);

		rda_latency_merge(&joined->latency, &notifier->latency);
		rda_latency_merge(&joined->gaps, &notifier->gaps);
		joined->close += notifier->close;
		joined->close_place =
			rda_meta_first_place(joined->close_place, notifier->close_place);
		joined->first_place =
			rda_meta_first_place(joined->first_place, notifier->first_place);
	}
}

static void pack_notifier(struct rda_pack *pack, void *item)
{
	struct notifier *notifier = item;

	rda_latency_pack(pack, &notifier->latency);
	rda_latency_pack(pack, &notifier->gaps);
}

void rda_notifiers_pack(struct rda_pack *pack, struct rda_notifiers *notifiers)
{
	rda_pack_table(pack, &notifiers->hosts, pack_notifier);
}

/* G02: NICs may count CNPs by host or port: those to other QPs may stand for those to this one. */
static void tell_other_cnps(struct rda_finding *finding, const struct rda_overall *overall)
{
	const struct rda_flow_facts *flow = overall->flows[finding->key.subject.index];
	const struct rda_host *receiver = rda_overall_host(overall, &flow->key.destination);

	if (!rda_finding_find_argument(finding, "other_cnps"))
		return;
	rda_finding_set_flag(finding, "other_cnps", receiver->cnp_sent);
	finding->severity = !receiver->cnp_sent && rda_flow_troubles(flow)->ce_marked >= MARKS_MIN
				    ? RDA_SEVERITY_WARNING
				    : RDA_SEVERITY_NOTE;
}

/* G03: how soon this host tells its senders. */
static void ce_to_cnp_latency(struct rda_judge *judge, const struct notifier *notifier)
{
	const struct rda_latency *latency = &notifier->latency;
	const struct rda_host *host = &judge->overall->hosts[notifier->host];
	struct rda_finding *finding;

	if (latency->count == 0)
		return;
	finding = rda_finding_add(&judge->findings, RDA_CHECK_G03, rda_about_host(host),
				  notifier->first_place);
	finding->count += latency->count - 1;
	rda_finding_say(finding, RDA_SAY_G03_LATENCY, RDA_ARG_ADDRESS("host", &host->address),
			RDA_ARG_TIME("median_ns", rda_latency_percentile(latency, 50)),
			RDA_ARG_TIME("p99_ns", rda_latency_percentile(latency, 99)),
			RDA_ARG_TIME("max_ns", latency->max),
			RDA_ARG_NUMBER("cases", latency->count));
}

/* G04: closer than any known NIC does by default. */
static void cnp_interval(struct rda_judge *judge, const struct notifier *notifier)
{
	const struct rda_host *host = &judge->overall->hosts[notifier->host];
	struct rda_finding *finding;

	if (notifier->close == 0)
		return;
	finding = rda_finding_add_as(
		&judge->findings, RDA_CHECK_G04,
		notifier->close < CLOSE_MIN ? RDA_SEVERITY_NOTE : RDA_SEVERITY_WARNING,
		RDA_PROOF_SUSPECTED, rda_about_host(host), notifier->close_place);
	finding->count += notifier->close - 1;
	rda_finding_say(finding, RDA_SAY_G04_CLOSE, RDA_ARG_NUMBER("close", notifier->close),
			RDA_ARG_NUMBER("cnps", notifier->gaps.count),
			RDA_ARG_ADDRESS("host", &host->address),
			RDA_ARG_TIME("min_ns", notifier->gaps.min),
			RDA_ARG_TIME("median_ns", rda_latency_percentile(&notifier->gaps, 50)));
}

void rda_congestion_notice_overall(const struct rda_notifiers *notifiers, struct rda_judge *judge)
{
	for (uint32_t i = 0; i < judge->findings.table.count; i++) {
		struct rda_finding *finding = judge->findings.table.items[i];

		if (finding->key.check == RDA_CHECK_G02 && !finding->key.overall)
			tell_other_cnps(finding, judge->overall);
	}
	for (uint32_t i = 0; i < notifiers->hosts.count; i++) {
		ce_to_cnp_latency(judge, notifiers->hosts.items[i]);
		cnp_interval(judge, notifiers->hosts.items[i]);
	}
}

static bool is_there(const void *item, void *moved)
{
	return ((const uint32_t *)moved)[((const struct notifier *)item)->host] != RDA_GONE;
}

static void drop(void *item, void *moved)
{
	(void)moved;
	cleanup(item);
	g_free(item);
}

static bool all_stay(const void *item, void *moved)
{
	(void)item;
	(void)moved;
	return true;
}

void rda_notifiers_retire(struct rda_notifiers *notifiers, const struct rda_moved *moved)
{
	uint32_t *hosts = (uint32_t *)(uintptr_t)moved->hosts;

	rda_table_sift(&notifiers->hosts, is_there, drop, hosts);
	for (uint32_t i = 0; i < notifiers->hosts.count; i++) {
		struct notifier *notifier = notifiers->hosts.items[i];

		notifier->host = hosts[notifier->host];
	}
	rda_table_sift(&notifiers->hosts, all_stay, drop, hosts); /* by their new keys */
}
