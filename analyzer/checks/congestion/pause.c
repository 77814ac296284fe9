/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group G, frames that stop a link: G11-G15. See state.h.
 */
#include "analyzer/checks/congestion/state.h"

#include "analyzer/base/address.h"
#include "analyzer/checks/congestion/stopping.h"
#include "analyzer/facts/congestion_facts.h"
#include "analyzer/facts/held.h"

#include <glib.h>
#include <string.h>

/* So slow the link may be, and so fast, where its speed is not told. */
enum { SLOW_LINK_GBITS = 10, FAST_LINK_GBITS = 400 };

/* A NAK tells of a loss so long before, at most, within a data centre. */
#define LOSS_NS 1000000

/* Where pauses and packets pass: an interface of a capture, and the link that it is of. */
struct link_key {
	uint32_t capture, tap;
};

struct pauser_key {
	struct link_key link;
	uint8_t mac[6];
	uint8_t priority; /* or RDA_CLASS_ALL */
};

struct pauser {
	struct pauser_key key;	   /* first: the table's key */
	uint64_t offs, ons;	   /* XOFF, XON */
	struct rda_stopping usual; /* on a link of the speed that is told, or taken */
	struct rda_stopping fast;  /* of that, or FAST_LINK_GBITS */
	int64_t latest_ns;	   /* XOFF */
	int64_t latest_slow_ns;	   /* how long it lasts on a slow link */
	int64_t run_ns;		   /* since when it is asked again and again */
	int64_t longest_run_ns;
	uint64_t first_place, storm_place, fast_storm_place;
};

struct paused_link {
	struct link_key key;	  /* first: the table's key */
	uint64_t rdma_priorities; /* mask, by VLAN tags where there are some; 0: no RDMA passed */
	bool tagged;
	int64_t until_ns[RDA_CLASSES]; /* anybody's pause of it */
	uint64_t places[RDA_CLASSES];  /* of that */
};

void rda_pauses_init(struct rda_pauses *pauses, uint64_t hash_seed)
{
	rda_table_init(&pauses->pausers, sizeof(struct pauser_key), sizeof(struct pauser),
		       hash_seed);
	rda_table_init(&pauses->links, sizeof(struct link_key), sizeof(struct paused_link),
		       hash_seed);
	pauses->latest = NULL;
	pauses->not_kept = 0;
	pauses->told_gbits = 0;
}

void rda_pauses_cleanup(struct rda_pauses *pauses)
{
	rda_table_cleanup(&pauses->pausers, NULL);
	rda_table_cleanup(&pauses->links, NULL);
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

static uint32_t fast_link_gbits(const struct rda_pauses *pauses)
{
	return pauses->told_gbits ? pauses->told_gbits : FAST_LINK_GBITS;
}

/* ---- frames ---------------------------------------------------------------------------------- */

static struct link_key link_of(const struct rda_at *at)
{
	return (struct link_key){at->capture, at->meta->tap};
}

static bool is_link(const struct link_key *a, const struct link_key *b)
{
	return a->capture == b->capture && a->tap == b->tap;
}

static struct pauser *pauser_of(struct rda_pauses *pauses, const struct rda_at *at,
				const uint8_t mac[6], uint8_t priority)
{
	struct pauser_key key;
	struct pauser *pauser;
	bool made;

	memset(&key, 0, sizeof(key)); /* padding too: keys are compared as bytes */
	key.link = link_of(at);
	memcpy(key.mac, mac, sizeof(key.mac));
	key.priority = priority;
	if (pauses->pausers.count >= RDA_PAUSERS_MAX)
		return rda_table_find(&pauses->pausers, &key);
	pauser = rda_table_get(&pauses->pausers, &key, &made);
	if (made)
		pauser->first_place = at->place;
	return pauser;
}

static struct paused_link *link_at(struct rda_pauses *pauses, const struct rda_at *at)
{
	struct link_key key = link_of(at);

	if (!pauses->latest || !is_link(&pauses->latest->key, &key))
		pauses->latest = rda_table_get(&pauses->links, &key, NULL);
	return pauses->latest;
}

static void pause(struct rda_pauses *pauses, const struct rda_at *at, const uint8_t mac[6],
		  uint8_t priority, uint16_t quanta)
{
	struct pauser *pauser = pauser_of(pauses, at, mac, priority);
	struct paused_link *link = link_at(pauses, at);
	int64_t now = at->meta->time_ns;

	if (!pauser) {
		pauses->not_kept++;
		return;
	}
	rda_stopping_ask(&pauser->usual, now, rda_holds_ns(quanta, link_gbits(pauses)));
	rda_stopping_ask(&pauser->fast, now, rda_holds_ns(quanta, fast_link_gbits(pauses)));
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
	if (pauser->storm_place == 0 &&
	    (pauser->longest_run_ns > RDA_STORM_NS || rda_stopping_is_storm(&pauser->usual)))
		pauser->storm_place = at->place;
	if (pauser->fast_storm_place == 0 && rda_stopping_is_storm(&pauser->fast))
		pauser->fast_storm_place = at->place;
	if (link->places[priority] == 0 || pauser->usual.until_ns > link->until_ns[priority]) {
		link->until_ns[priority] = pauser->usual.until_ns;
		link->places[priority] = at->place;
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
	struct paused_link *link = link_at(pauses, at);

	if (packet->tagged && !link->tagged) {
		link->tagged = true;
		link->rdma_priorities = 0;
	}
	if (packet->tagged == link->tagged)
		link->rdma_priorities |= UINT64_C(1) << rda_holds_priority(packet);
}

/* ---- losses ---------------------------------------------------------------------------------- */

/* The frame that stopped a link last, or 0: it went on before; *priority: of it, or all. */
static uint64_t stopped_at(const struct rda_pauses *pauses, const struct link_key *key,
			   unsigned *priority, int64_t time_ns)
{
	const struct paused_link *link = rda_table_find(&pauses->links, key);

	if (!link)
		return 0;
	if (link->places[RDA_CLASS_ALL] &&
	    link->until_ns[RDA_CLASS_ALL] > link->until_ns[*priority])
		*priority = RDA_CLASS_ALL;
	return link->until_ns[*priority] < time_ns ? 0 : link->places[*priority];
}

/* G15: a NAK asked for something that was lost while its priority was stopped; by whom it goes to,
 * who may be seen at another interface. */
void rda_pauses_loss(const struct rda_pauses *pauses, const struct rda_at *at,
		     const struct rda_event *event)
{
	const struct rda_congestion_watch *watch = at->asker->watch.congestion;
	unsigned priority = watch ? watch->classes.priority : 0, other = priority;
	int64_t lost_ns = event->time_ns - MAX(event->wait_ns, 0);
	struct link_key key = link_of(at);
	struct rda_finding *finding;
	uint64_t place;

	place = stopped_at(pauses, &key, &priority, lost_ns - LOSS_NS);
	if (!place && at->asker->peer && at->asker->peer->key.tap != key.tap) {
		key.tap = at->asker->peer->key.tap;
		priority = other;
		place = stopped_at(pauses, &key, &priority, lost_ns - LOSS_NS);
	}
	if (!place)
		return;
	finding = rda_finding_add(&at->judge->findings, RDA_CHECK_G15, rda_about_flow(at->asker),
				  event->frame);
	rda_finding_frame(finding, place);
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
	for (uint32_t i = 0; i < from->links.count; i++) {
		const struct paused_link *link = from->links.items[i];
		struct paused_link *joined = rda_table_get(&to->links, &link->key, NULL);

		if (link->tagged && !joined->tagged)
			joined->rdma_priorities = 0;
		joined->tagged |= link->tagged;
		if (link->tagged == joined->tagged)
			joined->rdma_priorities |= link->rdma_priorities;
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

/* G11, G14: that there are pauses, and how much time they took. */
static void tell_pauses(const struct rda_pauses *pauses, struct rda_judge *judge, uint32_t index,
			struct rda_finding *finding, const struct pause_sums *sums)
{
	const struct rda_capture *capture = &judge->overall->captures[index];
	int64_t span = capture->last_time_ns - capture->first_time_ns;
	const struct rda_held_host *held;
	uint32_t others;

	held = rda_held_hosts_by(&judge->overall->congestion->held, sums->longest->key.mac, index,
				 rda_holds_priority_of(sums->longest->key.priority), &others);
	finding->count += sums->offs + sums->ons - 1;
	rda_finding_say(
		finding, finding->key.check == RDA_CHECK_G14 ? RDA_SAY_G14_PLAIN : RDA_SAY_G11_PFC,
		RDA_ARG_NUMBER("pauses", sums->offs), RDA_ARG_NUMBER("releases", sums->ons),
		WHO(sums->longest),
		RDA_ARG_IF(pauses->not_kept, RDA_ARG_NUMBER("not_kept", pauses->not_kept)),
		RDA_ARG_TIME("stopped_ns", sums->longest->usual.stopped_ns),
		RDA_ARG_IF(!rda_was_set_back(capture->back_ns), RDA_ARG_TIME("span_ns", span)),
		RDA_ARG_NUMBER("link_gbits", link_gbits(pauses)),
		RDA_ARG_IF(held, RDA_ARG_ADDRESS("held", held ? &held->host : NULL)),
		RDA_ARG_IF(others, RDA_ARG_NUMBER("others", others)),
		RDA_ARG_IF(held, RDA_ARG_NUMBER("gaps", held ? held->gaps : 0)),
		RDA_ARG_IF(held, RDA_ARG_TIME("longest_ns", held ? held->longest_ns : 0)));
}

/* G14: of links with RDMA, or of others; releases alone tell only that somebody can pause. */
static void tell_plain(const struct rda_pauses *pauses, struct rda_judge *judge, uint32_t index,
		       enum rda_severity severity, const struct pause_sums *sums)
{
	struct rda_finding *finding;

	if (!sums->longest)
		return;
	finding = rda_finding_add_as(&judge->findings, RDA_CHECK_G14,
				     sums->offs ? severity : RDA_SEVERITY_NOTE, RDA_PROOF_PROVEN,
				     rda_about_capture(index), sums->longest->first_place);
	if (sums->offs) {
		tell_pauses(pauses, judge, index, finding, sums);
		return;
	}
	finding->count += sums->ons - 1;
	rda_finding_say(finding, RDA_SAY_G14_RELEASES, RDA_ARG_NUMBER("releases", sums->ons),
			RDA_ARG_MAC("sender", rda_address_mac_number(sums->longest->key.mac)));
}

/* G12: one of them is stopped most of the time; as an error where it is so on any link. */
static void pfc_storm(const struct rda_pauses *pauses, struct rda_judge *judge,
		      const struct pauser *pauser)
{
	const uint64_t place =
		pauser->fast_storm_place ? pauser->fast_storm_place : pauser->storm_place;
	struct rda_finding *finding;

	if (place == 0)
		return;
	finding = rda_finding_add_as(
		&judge->findings, RDA_CHECK_G12,
		pauser->fast_storm_place ? RDA_SEVERITY_ERROR : RDA_SEVERITY_WARNING,
		RDA_PROOF_SUSPECTED, rda_about_capture(pauser->key.link.capture), place);
	finding->cost_ns = MAX(finding->cost_ns, pauser->usual.stopped_ns);
	if (pauser->fast_storm_place)
		rda_finding_say(finding, RDA_SAY_G12_STOPPED, WHO(pauser),
				RDA_ARG_TIME("stopped_ns", pauser->fast.most_ns),
				RDA_ARG_TIME("window_ns", RDA_STORM_NS),
				RDA_ARG_FLAG("told", pauses->told_gbits != 0),
				RDA_ARG_NUMBER("link_gbits", fast_link_gbits(pauses)));
	else if (rda_stopping_is_storm(&pauser->usual))
		rda_finding_say(finding, RDA_SAY_G12_PERHAPS, WHO(pauser),
				RDA_ARG_TIME("stopped_ns", pauser->usual.most_ns),
				RDA_ARG_TIME("window_ns", RDA_STORM_NS),
				RDA_ARG_TIME("least_ns", pauser->fast.most_ns),
				RDA_ARG_NUMBER("link_gbits", link_gbits(pauses)),
				RDA_ARG_NUMBER("fast_gbits", fast_link_gbits(pauses)));
	else
		rda_finding_say(finding, RDA_SAY_G12_ASKED, WHO(pauser),
				RDA_ARG_TIME("asked_ns", pauser->longest_run_ns),
				RDA_ARG_NUMBER("link_gbits", slow_link_gbits(pauses)));
}

/*
 * G13: pauses for a priority that RDMA does not use here. Where the two directions are captured at
 * an interface each, those who ask and those who are asked are seen at different ones.
 */
static void pfc_on_unexpected_priority(const struct rda_pauses *pauses, struct rda_judge *judge,
				       const struct paused_link *link, const struct pauser *pauser,
				       uint64_t paused)
{
	struct rda_finding *finding;
	uint64_t own = 0;

	for (uint32_t i = 0; i < pauses->links.count; i++) {
		const struct paused_link *other = pauses->links.items[i];

		if (other->key.capture == link->key.capture && other->tagged == link->tagged)
			own |= other->rdma_priorities;
	}
	if (pauser->offs == 0 || !link->rdma_priorities ||
	    own & UINT64_C(1) << pauser->key.priority)
		return;
	/* where RDMA's own priority is paused as well, another one is somebody else's */
	finding = rda_finding_add_as(&judge->findings, RDA_CHECK_G13,
				     own & paused ? RDA_SEVERITY_NOTE : RDA_SEVERITY_WARNING,
				     RDA_PROOF_SUSPECTED, rda_about_capture(link->key.capture),
				     pauser->first_place);
	rda_finding_say(finding, RDA_SAY_G13_PRIORITY, WHO(pauser),
			RDA_ARG_FLAG("tagged", link->tagged));
}

static void end_link(const struct rda_pauses *pauses, struct rda_judge *judge,
		     const struct paused_link *link, const struct pauser *pausers)
{
	uint64_t paused = 0;

	for (uint32_t i = 0; i < pauses->pausers.count; i++)
		if (pausers[i].key.link.capture == link->key.capture && pausers[i].offs)
			paused |= UINT64_C(1) << pausers[i].key.priority;
	for (uint32_t i = 0; i < pauses->pausers.count; i++) {
		if (!is_link(&pausers[i].key.link, &link->key))
			continue;
		pfc_storm(pauses, judge, &pausers[i]);
		if (pausers[i].key.priority != RDA_CLASS_ALL)
			pfc_on_unexpected_priority(pauses, judge, link, &pausers[i], paused);
	}
}

static void add_up(struct pause_sums *sums, const struct pauser *pauser)
{
	sums->offs += pauser->offs;
	sums->ons += pauser->ons;
	if (!sums->longest || pauser->usual.stopped_ns > sums->longest->usual.stopped_ns)
		sums->longest = pauser;
}

static void end_capture(const struct rda_pauses *pauses, struct rda_judge *judge, uint32_t capture,
			const struct pauser *pausers)
{
	struct pause_sums by_priority = {0}, beside = {0}, elsewhere = {0};

	for (uint32_t i = 0; i < pauses->pausers.count; i++) {
		const struct pauser *pauser = &pausers[i];
		const struct paused_link *link = rda_table_find(&pauses->links, &pauser->key.link);

		if (pauser->key.link.capture != capture)
			continue;
		if (pauser->key.priority != RDA_CLASS_ALL)
			add_up(&by_priority, pauser);
		else
			add_up(link->rdma_priorities ? &beside : &elsewhere, pauser);
	}
	if (by_priority.longest)
		tell_pauses(pauses, judge, capture,
			    rda_finding_add(&judge->findings, RDA_CHECK_G11,
					    rda_about_capture(capture),
					    by_priority.longest->first_place),
			    &by_priority);
	tell_plain(pauses, judge, capture, RDA_SEVERITY_WARNING, &beside);
	tell_plain(pauses, judge, capture, RDA_SEVERITY_NOTE, &elsewhere);
}

/* As if each capture ended with its last frame. The caller's. */
static struct pauser *pausers_at_end(const struct rda_pauses *pauses,
				     const struct rda_capture *captures)
{
	struct pauser *pausers = g_new(struct pauser, pauses->pausers.count);

	for (uint32_t i = 0; i < pauses->pausers.count; i++) {
		const struct pauser *pauser = pauses->pausers.items[i];
		int64_t end = captures[pauser->key.link.capture].last_time_ns;

		pausers[i] = *pauser;
		rda_stopping_end(&pausers[i].usual, end);
		rda_stopping_end(&pausers[i].fast, end);
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
			.capture = pauser->key.link.capture,
			.priority = rda_holds_priority_of(pauser->key.priority),
			.pauses = pauser->offs,
			.releases = pauser->ons,
			.held_ns = pauser->usual.stopped_ns,
			.longest_ns = pauser->usual.longest_ns,
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

	for (uint32_t i = 0; i < judge->overall->capture_count; i++)
		end_capture(pauses, judge, i, pausers);
	for (uint32_t i = 0; i < pauses->links.count; i++)
		end_link(pauses, judge, pauses->links.items[i], pausers);
	g_free(pausers);
}
