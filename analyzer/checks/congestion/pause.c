/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group G, frames that stop a link: G11-G15. See state.h.
 */
#include "analyzer/checks/congestion/state.h"

#include "analyzer/base/address.h"
#include "analyzer/facts/congestion_facts.h"
#include "analyzer/facts/held.h"

#include <glib.h>
#include <string.h>

/* So slow the link may be, where its speed is not told. */
enum { SLOW_LINK_GBITS = 10 };

/* A storm: stopped for more than half of STORM_NS, or asked to be for so long without a pause. */
#define STORM_NS 100000000
enum { SLICES = 4 }; /* a power of two */
#define SLICE_NS (STORM_NS / SLICES)

/* A NAK tells of a loss so long before, at most, within a data centre. */
#define LOSS_NS 1000000

struct pauser_key {
	uint32_t capture;
	uint8_t mac[6];
	uint8_t priority; /* or RDA_CLASS_ALL */
};

struct pauser {
	struct pauser_key key;	     /* first: the table's key */
	uint64_t offs, ons;	     /* XOFF, XON */
	int64_t from_ns, until_ns;   /* stopped; equal: it is not */
	int64_t stopped_ns;	     /* in all */
	int64_t span_ns, longest_ns; /* up to from_ns without a pause; the most of these */
	int64_t slice;		     /* the latest */
	int64_t slices_ns[SLICES];   /* stopped in it and in those before */
	int64_t most_ns;	     /* stopped within STORM_NS */
	int64_t latest_ns;	     /* XOFF */
	int64_t latest_slow_ns;	     /* how long it lasts on a slow link */
	int64_t run_ns;		     /* since when it is asked again and again */
	int64_t longest_run_ns;
	uint64_t first_place, storm_place;
};

struct paused_capture {
	uint32_t capture;	  /* first: the table's key */
	uint64_t rdma_priorities; /* mask, by VLAN tags where there are some */
	bool tagged;
	int64_t until_ns[RDA_CLASSES]; /* anybody's pause of it */
	uint64_t places[RDA_CLASSES];  /* of that */
};

void rda_pauses_init(struct rda_pauses *pauses, uint64_t hash_seed)
{
	rda_table_init(&pauses->pausers, sizeof(struct pauser_key), sizeof(struct pauser),
		       hash_seed);
	rda_table_init(&pauses->captures, sizeof(uint32_t), sizeof(struct paused_capture),
		       hash_seed);
	pauses->latest = NULL;
	pauses->not_kept = 0;
	pauses->told_gbits = 0;
}

void rda_pauses_cleanup(struct rda_pauses *pauses)
{
	rda_table_cleanup(&pauses->pausers, NULL);
	rda_table_cleanup(&pauses->captures, NULL);
	pauses->latest = NULL;
}

static uint32_t link_gbits(const struct rda_pauses *pauses)
{
	return pauses->told_gbits ? pauses->told_gbits : RDA_PAUSE_LINK_GBITS;
}

static uint32_t slow_link_gbits(const struct rda_pauses *pauses)
{
	return pauses->told_gbits ? pauses->told_gbits : SLOW_LINK_GBITS;
}

/* ---- frames ---------------------------------------------------------------------------------- */

/* The time from..to was stopped, in the sliding window too. */
static void stopped(struct pauser *pauser, int64_t from, int64_t to)
{
	pauser->stopped_ns += to - from;
	while (from < to) {
		int64_t slice = from / SLICE_NS, end = MIN((slice + 1) * SLICE_NS, to), all = 0;

		for (unsigned i = 0; pauser->slice < slice && i < SLICES; i++)
			pauser->slices_ns[++pauser->slice & (SLICES - 1)] = 0;
		pauser->slice = slice;
		pauser->slices_ns[slice & (SLICES - 1)] += end - from;
		for (unsigned i = 0; i < SLICES; i++)
			all += pauser->slices_ns[i];
		pauser->most_ns = MAX(pauser->most_ns, all);
		from = end;
	}
}

/* What was asked before is over, or replaced by this. */
static void end_pause(struct pauser *pauser, int64_t now)
{
	int64_t until = MIN(pauser->until_ns, now);

	if (until > pauser->from_ns) {
		stopped(pauser, pauser->from_ns, until);
		pauser->span_ns += until - pauser->from_ns;
		pauser->longest_ns = MAX(pauser->longest_ns, pauser->span_ns);
	}
	pauser->from_ns = pauser->until_ns = now;
}

static struct pauser *pauser_of(struct rda_pauses *pauses, const struct rda_at *at,
				const uint8_t mac[6], uint8_t priority)
{
	struct pauser_key key;
	struct pauser *pauser;
	bool made;

	memset(&key, 0, sizeof(key)); /* padding too: keys are compared as bytes */
	key.capture = at->capture;
	memcpy(key.mac, mac, sizeof(key.mac));
	key.priority = priority;
	if (pauses->pausers.count >= RDA_PAUSERS_MAX)
		return rda_table_find(&pauses->pausers, &key);
	pauser = rda_table_get(&pauses->pausers, &key, &made);
	if (made)
		pauser->first_place = at->place;
	return pauser;
}

static struct paused_capture *capture_of(struct rda_pauses *pauses, uint32_t capture)
{
	if (!pauses->latest || pauses->latest->capture != capture)
		pauses->latest = rda_table_get(&pauses->captures, &capture, NULL);
	return pauses->latest;
}

static void pause(struct rda_pauses *pauses, const struct rda_at *at, const uint8_t mac[6],
		  uint8_t priority, uint16_t quanta)
{
	struct pauser *pauser = pauser_of(pauses, at, mac, priority);
	struct paused_capture *capture = capture_of(pauses, at->capture);
	int64_t now = at->meta->time_ns;
	bool goes_on;

	if (!pauser) {
		pauses->not_kept++;
		return;
	}
	goes_on = quanta && pauser->until_ns >= now;
	end_pause(pauser, now);
	if (!goes_on)
		pauser->span_ns = 0;
	if (quanta == 0) {
		pauser->ons++;
		pauser->latest_slow_ns = 0; /* the next is a new run */
		return;
	}
	if (pauser->offs++ == 0 || now - pauser->latest_ns > pauser->latest_slow_ns)
		pauser->run_ns = now;
	pauser->latest_ns = now;
	pauser->latest_slow_ns = rda_holds_ns(quanta, slow_link_gbits(pauses));
	pauser->longest_run_ns = MAX(pauser->longest_run_ns, now - pauser->run_ns);
	pauser->until_ns = now + rda_holds_ns(quanta, link_gbits(pauses));
	if (pauser->storm_place == 0 &&
	    (pauser->longest_run_ns > STORM_NS || pauser->most_ns > STORM_NS / 2))
		pauser->storm_place = at->place;
	if (capture->places[priority] == 0 || pauser->until_ns > capture->until_ns[priority]) {
		capture->until_ns[priority] = pauser->until_ns;
		capture->places[priority] = at->place;
	}
}

void rda_pauses_frame(struct rda_pauses *pauses, const struct rda_at *at)
{
	struct rda_link_stop stop;

	if (!rda_link_stop_read(&stop, at->frame, at->packet))
		return;
	pauses->told_gbits = at->judge->link_gbits;
	for (unsigned i = 0; i < RDA_CLASSES; i++)
		if (stop.classes & 1u << i)
			pause(pauses, at, stop.mac, (uint8_t)i, stop.quanta[i]);
}

void rda_pauses_rdma(struct rda_pauses *pauses, const struct rda_at *at)
{
	const struct rda_packet *packet = at->packet;
	struct paused_capture *capture = capture_of(pauses, at->capture);

	if (packet->tagged && !capture->tagged) {
		capture->tagged = true;
		capture->rdma_priorities = 0;
	}
	if (packet->tagged == capture->tagged)
		capture->rdma_priorities |= UINT64_C(1) << rda_holds_priority(packet);
}

/* ---- losses ---------------------------------------------------------------------------------- */

/* G15: a NAK asked for something that was lost while its priority was stopped. */
void rda_pauses_loss(const struct rda_pauses *pauses, const struct rda_at *at,
		     const struct rda_event *event)
{
	const struct paused_capture *capture = rda_table_find(&pauses->captures, &at->capture);
	const struct rda_congestion_watch *watch = at->asker->watch.congestion;
	unsigned priority = watch ? watch->classes.priority : 0;
	int64_t lost_ns = event->time_ns - MAX(event->wait_ns, 0);
	struct rda_finding *finding;

	if (!capture)
		return;
	if (capture->places[RDA_CLASS_ALL] &&
	    capture->until_ns[RDA_CLASS_ALL] > capture->until_ns[priority])
		priority = RDA_CLASS_ALL;
	if (capture->places[priority] == 0 || capture->until_ns[priority] < lost_ns - LOSS_NS)
		return;
	finding = rda_finding_add(&at->judge->findings, RDA_CHECK_G15, rda_about_flow(at->asker),
				  event->frame);
	rda_finding_frame(finding, capture->places[priority]);
	rda_finding_say(finding, RDA_SAY_G15_STOPPED,
			RDA_ARG_FLAG("all_priorities", priority == RDA_CLASS_ALL));
}

/* ---- overall --------------------------------------------------------------------------------- */

static void join_pausers(struct rda_pauses *to, const struct rda_pauses *from)
{
	for (uint32_t i = 0; i < from->pausers.count; i++) {
		const struct pauser *pauser = from->pausers.items[i];
		struct pauser *joined = rda_table_get(&to->pausers, &pauser->key, NULL);

		if (pauser->offs + pauser->ons > joined->offs + joined->ons)
			*joined = *pauser;
	}
	to->not_kept = MAX(to->not_kept, from->not_kept);
	to->told_gbits = MAX(to->told_gbits, from->told_gbits);
}

void rda_pauses_join(struct rda_pauses *to, const struct rda_pauses *from)
{
	join_pausers(to, from);
	for (uint32_t i = 0; i < from->captures.count; i++) {
		const struct paused_capture *capture = from->captures.items[i];
		struct paused_capture *joined =
			rda_table_get(&to->captures, &capture->capture, NULL);

		if (capture->tagged && !joined->tagged)
			joined->rdma_priorities = 0;
		joined->tagged |= capture->tagged;
		if (capture->tagged == joined->tagged)
			joined->rdma_priorities |= capture->rdma_priorities;
	}
}

/* What the findings about one capture say. */
struct pause_sums {
	uint64_t offs, ons;
	const struct pauser *longest;
};

/* "priority 3 by 02:00:00:00:ff:01": arguments */
#define WHO(pauser)                                                                                \
	RDA_ARG_FLAG("all_priorities", (pauser)->key.priority == RDA_CLASS_ALL),                   \
		RDA_ARG_IF((pauser)->key.priority != RDA_CLASS_ALL,                                \
			   RDA_ARG_NUMBER("priority", (pauser)->key.priority)),                    \
		RDA_ARG_MAC("sender", rda_address_mac_number((pauser)->key.mac))

static bool has_rdma(const struct rda_judge *judge, uint32_t capture)
{
	const struct rda_capture *whole = &judge->overall->captures[capture];

	return whole->rdma_packets[RDA_CARRIER_ROCEV1] || whole->rdma_packets[RDA_CARRIER_ROCEV2];
}

/* G11, G14: that there are pauses, and how much time they took. */
static void tell_pauses(const struct rda_pauses *pauses, struct rda_judge *judge, uint32_t index,
			enum rda_check check, const struct pause_sums *sums)
{
	const struct rda_capture *capture = &judge->overall->captures[index];
	int64_t span = capture->last_time_ns - capture->first_time_ns;
	const struct rda_held_host *held;
	struct rda_finding *finding;
	uint32_t others;

	if (!sums->longest)
		return;
	held = rda_held_hosts_by(&judge->overall->congestion->held, sums->longest->key.mac, index,
				 rda_holds_priority_of(sums->longest->key.priority), &others);
	finding = rda_finding_add_as(
		&judge->findings, check,
		check == RDA_CHECK_G14 && has_rdma(judge, index) ? RDA_SEVERITY_WARNING
								 : RDA_SEVERITY_NOTE,
		RDA_PROOF_PROVEN, rda_about_capture(index), sums->longest->first_place);
	finding->count += sums->offs + sums->ons - 1;
	rda_finding_say(
		finding, check == RDA_CHECK_G14 ? RDA_SAY_G14_PLAIN : RDA_SAY_G11_PFC,
		RDA_ARG_NUMBER("pauses", sums->offs), RDA_ARG_NUMBER("releases", sums->ons),
		WHO(sums->longest),
		RDA_ARG_IF(pauses->not_kept, RDA_ARG_NUMBER("not_kept", pauses->not_kept)),
		RDA_ARG_TIME("stopped_ns", sums->longest->stopped_ns),
		RDA_ARG_IF(!rda_was_set_back(capture->back_ns), RDA_ARG_TIME("span_ns", span)),
		RDA_ARG_NUMBER("link_gbits", link_gbits(pauses)),
		RDA_ARG_IF(held, RDA_ARG_ADDRESS("held", held ? &held->host : NULL)),
		RDA_ARG_IF(others, RDA_ARG_NUMBER("others", others)),
		RDA_ARG_IF(held, RDA_ARG_NUMBER("gaps", held ? held->gaps : 0)),
		RDA_ARG_IF(held, RDA_ARG_TIME("longest_ns", held ? held->longest_ns : 0)));
}

/* G12: one of them is stopped most of the time. */
static void pfc_storm(const struct rda_pauses *pauses, struct rda_judge *judge,
		      const struct pauser *pauser)
{
	struct rda_finding *finding;

	if (pauser->storm_place == 0)
		return;
	finding = rda_finding_add(&judge->findings, RDA_CHECK_G12,
				  rda_about_capture(pauser->key.capture), pauser->storm_place);
	finding->cost_ns = MAX(finding->cost_ns, pauser->stopped_ns);
	if (pauser->most_ns > STORM_NS / 2)
		rda_finding_say(finding, RDA_SAY_G12_STOPPED, WHO(pauser),
				RDA_ARG_TIME("stopped_ns", pauser->most_ns),
				RDA_ARG_TIME("window_ns", STORM_NS),
				RDA_ARG_NUMBER("link_gbits", link_gbits(pauses)));
	else
		rda_finding_say(finding, RDA_SAY_G12_ASKED, WHO(pauser),
				RDA_ARG_TIME("asked_ns", pauser->longest_run_ns),
				RDA_ARG_NUMBER("link_gbits", slow_link_gbits(pauses)));
}

/* G13: pauses for a priority that RDMA does not use here. */
static void pfc_on_unexpected_priority(struct rda_judge *judge,
				       const struct paused_capture *capture,
				       const struct pauser *pauser, uint64_t paused)
{
	uint64_t own = capture->rdma_priorities;
	struct rda_finding *finding;

	if (pauser->offs == 0 || !has_rdma(judge, capture->capture) ||
	    own & UINT64_C(1) << pauser->key.priority)
		return;
	/* where RDMA's own priority is paused as well, another one is somebody else's */
	finding = rda_finding_add_as(&judge->findings, RDA_CHECK_G13,
				     own & paused ? RDA_SEVERITY_NOTE : RDA_SEVERITY_WARNING,
				     RDA_PROOF_SUSPECTED, rda_about_capture(capture->capture),
				     pauser->first_place);
	rda_finding_say(finding, RDA_SAY_G13_PRIORITY, WHO(pauser),
			RDA_ARG_FLAG("tagged", capture->tagged));
}

static void add_up(struct pause_sums *sums, const struct pauser *pauser)
{
	sums->offs += pauser->offs;
	sums->ons += pauser->ons;
	if (!sums->longest || pauser->stopped_ns > sums->longest->stopped_ns)
		sums->longest = pauser;
}

static void end_capture(const struct rda_pauses *pauses, struct rda_judge *judge,
			const struct paused_capture *capture, const struct pauser *pausers)
{
	struct pause_sums by_priority = {0}, global = {0};
	uint64_t paused = 0;

	for (uint32_t i = 0; i < pauses->pausers.count; i++) {
		const struct pauser *pauser = &pausers[i];

		if (pauser->key.capture != capture->capture)
			continue;
		add_up(pauser->key.priority == RDA_CLASS_ALL ? &global : &by_priority, pauser);
		if (pauser->offs)
			paused |= UINT64_C(1) << pauser->key.priority;
	}
	tell_pauses(pauses, judge, capture->capture, RDA_CHECK_G11, &by_priority);
	tell_pauses(pauses, judge, capture->capture, RDA_CHECK_G14, &global);
	for (uint32_t i = 0; i < pauses->pausers.count; i++) {
		const struct pauser *pauser = &pausers[i];

		if (pauser->key.capture != capture->capture)
			continue;
		pfc_storm(pauses, judge, pauser);
		if (pauser->key.priority != RDA_CLASS_ALL)
			pfc_on_unexpected_priority(judge, capture, pauser, paused);
	}
}

/* As if each capture ended with its last frame. The caller's. */
static struct pauser *pausers_at_end(const struct rda_pauses *pauses,
				     const struct rda_capture *captures)
{
	struct pauser *pausers = g_new(struct pauser, pauses->pausers.count);

	for (uint32_t i = 0; i < pauses->pausers.count; i++) {
		pausers[i] = *(const struct pauser *)pauses->pausers.items[i];
		end_pause(&pausers[i], captures[pausers[i].key.capture].last_time_ns);
	}
	return pausers;
}

static gint compare_pausings(gconstpointer one, gconstpointer two, gpointer unused)
{
	const struct rda_pausing *a = one, *b = two;

	(void)unused;
	if (a->first_place != b->first_place)
		return a->first_place < b->first_place ? -1 : 1;
	return a->priority - b->priority;
}

struct rda_pausing *rda_pauses_list(const struct rda_judge *judge,
				    const struct rda_capture *captures, uint32_t *count)
{
	const struct rda_pauses *pauses = rda_congestion_pauses(judge);
	struct pauser *pausers = pausers_at_end(pauses, captures);
	struct rda_pausing *list = g_new0(struct rda_pausing, pauses->pausers.count);

	*count = pauses->pausers.count;
	for (uint32_t i = 0; i < *count; i++) {
		const struct pauser *pauser = &pausers[i];

		list[i] = (struct rda_pausing){
			.capture = pauser->key.capture,
			.priority = rda_holds_priority_of(pauser->key.priority),
			.pauses = pauser->offs,
			.releases = pauser->ons,
			.held_ns = pauser->stopped_ns,
			.longest_ns = pauser->longest_ns,
			.link_gbits = link_gbits(pauses),
			.first_place = pauser->first_place,
		};
		memcpy(list[i].sender, pauser->key.mac, sizeof(list[i].sender));
	}
	if (*count)
		g_qsort_with_data(list, (gint)*count, sizeof(*list), compare_pausings, NULL);
	g_free(pausers);
	return list;
}

void rda_pauses_overall(const struct rda_pauses *pauses, struct rda_judge *judge)
{
	struct pauser *pausers = pausers_at_end(pauses, judge->overall->captures);

	for (uint32_t i = 0; i < pauses->captures.count; i++)
		end_capture(pauses, judge, pauses->captures.items[i], pausers);
	g_free(pausers);
}
