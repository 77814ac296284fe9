/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events of memory keys, entered; key_ledger.h has the picture.
 */
#include "analyzer/track/keys/key_ledger.h"

#include "analyzer/base/table.h"
#include "analyzer/track/keys/clear_text.h"
#include "dissectors/aeth.h"

#include <glib.h>
#include <string.h>

/* The keys that a host gave out. */
struct key_host {
	struct rda_memory_key *first, *last; /* in order of first use */
	uint32_t count;
};

/* What is known of a flow for its accesses under way. */
struct key_flow {
	uint32_t latest; /* index of the key that it named, and 1; 0: none */
	bool paired, dead;
};

struct rda_key_ledger {
	struct rda_table keys; /* struct rda_memory_key */
	struct rda_clear_text clear;
	struct key_host *hosts; /* owned; by rda_host.index */
	struct key_flow *flows; /* owned; by rda_flow.index */
	uint32_t host_count, flow_count;
	uint64_t not_kept; /* uses of keys that there was no room for */
	uint32_t cap;
};

struct rda_key_ledger *rda_key_ledger_new(uint64_t seed, uint32_t cap)
{
	struct rda_key_ledger *ledger = g_new0(struct rda_key_ledger, 1);

	rda_table_init(&ledger->keys, sizeof(struct rda_key_id), sizeof(struct rda_memory_key),
		       seed);
	rda_clear_text_init(&ledger->clear);
	ledger->cap = cap ? cap : RDA_KEYS_MAX;
	return ledger;
}

static void cleanup_key(void *key)
{
	rda_memory_key_cleanup(key);
}

void rda_key_ledger_free(struct rda_key_ledger *ledger)
{
	if (!ledger)
		return;
	rda_table_cleanup(&ledger->keys, cleanup_key);
	rda_clear_text_cleanup(&ledger->clear);
	g_free(ledger->hosts);
	g_free(ledger->flows);
	g_free(ledger);
}

void rda_key_ledger_forget(struct rda_key_ledger *ledger, uint64_t place)
{
	struct rda_key_ledger *other = rda_key_ledger_new(ledger->keys.seed, ledger->cap);
	struct rda_key_ledger before = *ledger;

	other->not_kept = before.not_kept, other->clear.begun = place;
	*ledger = *other, *other = before;
	rda_key_ledger_free(other);
}

uint64_t rda_key_ledger_bytes(const struct rda_key_ledger *l)
{
	return rda_clear_text_bytes(&l->clear) + l->keys.count * RDA_KEY_BYTES +
	       l->host_count * sizeof(*l->hosts) + l->flow_count * sizeof(*l->flows);
}

/* Room for item `index` of an array of *count, which is zeroed. */
static void *grown(void *items, uint32_t *count, uint32_t index, size_t size)
{
	uint32_t before = *count;

	if (index < before)
		return items;
	*count = MAX(index + 1, 2 * before);
	items = g_realloc_n(items, *count, size);
	memset((char *)items + before * size, 0, (*count - before) * size);
	return items;
}

static struct key_host *host_of(struct rda_key_ledger *ledger, uint32_t host)
{
	ledger->hosts = grown(ledger->hosts, &ledger->host_count, host, sizeof(*ledger->hosts));
	return &ledger->hosts[host];
}

static struct key_flow *flow_of(struct rda_key_ledger *ledger, uint32_t flow)
{
	ledger->flows = grown(ledger->flows, &ledger->flow_count, flow, sizeof(*ledger->flows));
	return &ledger->flows[flow];
}

/* ---- the key of an event --------------------------------------------------------------------- */

static struct rda_memory_key *known(struct rda_key_ledger *ledger,
				    const struct rda_key_event *event)
{
	const struct rda_key_id id = {event->responder, event->key, event->tap};
	struct key_flow *flow = flow_of(ledger, event->flow);
	struct rda_memory_key *key = flow->latest ? ledger->keys.items[flow->latest - 1] : NULL;

	if (!key || key->id.key != event->key)
		key = rda_table_find(&ledger->keys, &id);
	flow->latest = key ? key->index + 1 : 0;
	return key;
}

static void append(struct rda_key_ledger *ledger, struct rda_memory_key *key)
{
	struct key_host *host = host_of(ledger, key->id.responder);

	if (host->last)
		host->last->next = key;
	else
		host->first = key;
	host->last = key;
	host->count++;
}

/* Made when it is new, then *made. NULL: there is no room for it. */
static struct rda_memory_key *get(struct rda_key_ledger *ledger, const struct rda_key_event *event,
				  bool *made)
{
	const struct rda_key_id id = {event->responder, event->key, event->tap};
	struct rda_memory_key *key = known(ledger, event);

	*made = false;
	if (key)
		return key;
	if (ledger->keys.count >= ledger->cap) {
		ledger->not_kept++;
		return NULL;
	}
	key = rda_table_get(&ledger->keys, &id, made);
	rda_memory_key_init(key, ledger->keys.count - 1);
	flow_of(ledger, event->flow)->latest = key->index + 1;
	if (!event->stag)
		append(ledger, key);
	return key;
}

bool rda_key_is_under_way(const struct rda_key_ledger *ledger, const struct rda_key_recent *recent,
			  int64_t time_ns)
{
	const struct key_flow *flow = &ledger->flows[recent->flow];

	/* who was silent for longer than its timer takes got an answer that the capture missed, or
	 * is no more */
	return flow->paired && !flow->dead && !recent->passed && time_ns <= recent->until_ns;
}

/* ---- where it was told ----------------------------------------------------------------------- */

static void look_where_told(struct rda_key_ledger *ledger, struct rda_memory_key *key,
			    const struct rda_key_event *event, struct rda_key_news *news)
{
	rda_clear_text_find(&ledger->clear, event->requester, key->id.key, event->va, 0,
			    event->place, &news->told);
	rda_clear_text_searched(&ledger->clear, &news->told);
	key->told_place = news->told.place;
	key->told_unknown = !news->told.place && !news->told.complete;
}

/*
 * Whether nobody can say that the requester was not told the key anew: another QP than that to
 * which it was told first, or its next connection, is told in another way, perhaps; or somebody
 * else was told it, as an application may have several addresses. Looked for at the first use.
 */
static bool may_be_told(const struct rda_key_ledger *ledger, const struct rda_memory_key *key,
			const struct rda_key_event *event, struct rda_key_told *told)
{
	struct rda_key_told other;

	if (event->flow != key->first_user.flow)
		return true;
	if (key->rare->used_after_invalidate)
		return false;
	for (uint32_t host = 0; host < ledger->clear.host_count; host++) {
		if (host == event->requester || host == event->responder)
			continue;
		rda_clear_text_find(&ledger->clear, host, key->id.key, event->va,
				    key->rare->invalidated.place, event->asked_place, &other);
		told->searched += other.searched;
		if (other.place || other.limited)
			return true;
	}
	return false;
}

/* Whether it came after the invalidation of its key; then where the key was told anew, if it was.
 */
static bool is_behind_invalidation(const struct rda_key_ledger *ledger,
				   const struct rda_memory_key *key,
				   const struct rda_key_event *event, struct rda_key_told *told)
{
	const struct rda_key_invalidation *gone = &key->rare->invalidated;

	if (!key->invalid || !event->length)
		return false;
	/* other QPs race until it is acknowledged; on its own QP the order is that of the PSNs */
	if (event->flow == gone->by ? event->psn <= gone->psn : event->asked_place <= gone->acked)
		return false;
	rda_clear_text_find(&ledger->clear, event->requester, key->id.key, event->va, gone->place,
			    event->asked_place, told);
	if (!told->place && may_be_told(ledger, key, event, told))
		told->complete = false;
	return true;
}

static void look_if_after(struct rda_key_ledger *ledger, struct rda_memory_key *key,
			  const struct rda_key_event *event, struct rda_key_news *news)
{
	if (!is_behind_invalidation(ledger, key, event, &news->told))
		return;
	rda_clear_text_searched(&ledger->clear, &news->told);
	news->after_invalidate = !news->told.place;
	key->invalid = news->after_invalidate;
}

/* ---- events ---------------------------------------------------------------------------------- */

/* What all lives of the QP that asks have in common: the flow of the first. */
static uint32_t qp_of(const struct rda_key_event *asked)
{
	return asked->peer == RDA_KEY_NO_FLOW ? asked->flow : asked->peer;
}

static void take_asked(struct rda_key_ledger *ledger, const struct rda_key_event *event,
		       struct rda_key_news *news)
{
	struct rda_memory_key *key = get(ledger, event, &news->made);

	news->key = key;
	if (!key)
		return;
	if (news->made && !event->stag)
		look_where_told(ledger, key, event, news);
	if (event->use == RDA_KEY_USE_INVALIDATE) {
		rda_memory_key_given_back(key, event);
		return;
	}
	rda_memory_key_asked(key, event, qp_of(event));
	if (!event->stag)
		rda_memory_key_at_once(key, event);
}

static void take_worked(struct rda_key_ledger *ledger, const struct rda_key_event *event,
			struct rda_key_news *news)
{
	struct rda_memory_key *key = known(ledger, event);

	news->key = key;
	if (!key)
		return;
	if (event->use == RDA_KEY_USE_INVALIDATE) {
		rda_memory_key_invalidate(key, event);
		return;
	}
	rda_memory_key_worked(key, event);
	if (event->stag)
		return;
	rda_memory_key_passed(key, event);
	look_if_after(ledger, key, event, news);
	if (news->after_invalidate && !rda_memory_key_rare(key)->used_after_invalidate++)
		key->used_unknown = !news->told.complete;
}

static void take_refused(struct rda_key_ledger *ledger, const struct rda_key_event *event,
			 struct rda_key_news *news)
{
	struct rda_memory_key *key;
	bool made = false;

	if (!event->asked_place)
		return;
	key = event->stag ? get(ledger, event, &made) : known(ledger, event);
	news->key = key;
	if (!key)
		return;
	if (made) /* an STag: a stream of TCP has one life */
		rda_memory_key_asked(key, event, event->flow);
	if (!event->stag && (event->use == RDA_KEY_USE_INVALIDATE ||
			     event->syndrome != RDA_SYNDROME_NAK_REMOTE_ACCESS))
		return;
	if (!event->stag)
		look_if_after(ledger, key, event, news);
	news->is_new = rda_memory_key_refused(key, event);
}

static void take_used_after(struct rda_key_ledger *ledger, const struct rda_key_event *event)
{
	struct rda_memory_key *key = known(ledger, event);

	if (key)
		rda_memory_key_rare(key)->used_after_invalidate++;
}

static void take_again(struct rda_key_ledger *ledger, const struct rda_key_event *event)
{
	struct rda_memory_key *key = known(ledger, event);

	if (key)
		rda_memory_key_again(key, event);
}

static void take_passed(struct rda_key_ledger *ledger, const struct rda_key_event *event)
{
	struct rda_memory_key *key = known(ledger, event);

	if (key)
		rda_memory_key_passed(key, event);
}

void rda_key_ledger_take(struct rda_key_ledger *ledger, const struct rda_key_event *event,
			 struct rda_key_news *news)
{
	memset(news, 0, sizeof(*news));
	switch (event->kind) {
	case RDA_KEY_ASKED: take_asked(ledger, event, news); break;
	case RDA_KEY_AGAIN: take_again(ledger, event); break;
	case RDA_KEY_PASSED: take_passed(ledger, event); break;
	case RDA_KEY_WORKED: take_worked(ledger, event, news); break;
	case RDA_KEY_REFUSED: take_refused(ledger, event, news); break;
	case RDA_KEY_USED_AFTER: take_used_after(ledger, event); break;
	case RDA_KEY_PAIRED: flow_of(ledger, event->flow)->paired = true; break;
	case RDA_KEY_DEAD: flow_of(ledger, event->flow)->dead = true; break;
	case RDA_KEY_MESSAGE:
		rda_clear_text_keep(&ledger->clear, event->responder, event->place, event->bytes,
				    event->length, event->other);
		break;
	case RDA_KEY_DATA: rda_key_ledger_data(ledger, event->responder, event->place); break;
	default: break;
	}
}

void rda_key_ledger_look(const struct rda_key_ledger *ledger, const struct rda_key_event *event,
			 struct rda_key_news *news)
{
	memset(news, 0, sizeof(*news));
	news->key = rda_key_ledger_find(ledger, event->responder, event->key, event->tap);
	if (news->key && is_behind_invalidation(ledger, news->key, event, &news->told))
		news->after_invalidate = !news->told.place;
}

void rda_key_ledger_data(struct rda_key_ledger *ledger, uint32_t host, uint64_t place)
{
	rda_clear_text_pass(&ledger->clear, host, place);
}

/* ---- views ----------------------------------------------------------------------------------- */

uint32_t rda_key_ledger_count(const struct rda_key_ledger *ledger)
{
	return ledger->keys.count;
}

const struct rda_memory_key *rda_key_ledger_at(const struct rda_key_ledger *ledger, uint32_t index)
{
	return ledger->keys.items[index];
}

void rda_key_ledger_spend(struct rda_key_ledger *ledger, uint32_t index)
{
	struct rda_memory_key *key = rda_table_steal(&ledger->keys, index);

	rda_memory_key_cleanup(key);
	g_free(key);
}

const struct rda_memory_key *rda_key_ledger_find(const struct rda_key_ledger *ledger,
						 uint32_t responder, uint32_t key, uint32_t tap)
{
	const struct rda_key_id id = {responder, key, tap};

	return rda_table_find(&ledger->keys, &id);
}

const struct rda_memory_key *rda_key_ledger_of(const struct rda_key_ledger *ledger, uint32_t host,
					       uint32_t *count)
{
	*count = host < ledger->host_count ? ledger->hosts[host].count : 0;
	return *count ? ledger->hosts[host].first : NULL;
}

uint32_t rda_key_ledger_hosts(const struct rda_key_ledger *ledger)
{
	return ledger->host_count;
}

uint64_t rda_key_ledger_not_kept(const struct rda_key_ledger *ledger)
{
	return ledger->not_kept;
}
