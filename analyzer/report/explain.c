/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which connections a line of a log is about. See explain.h.
 */
#include "analyzer/report/explain.h"

#include "analyzer/report/units.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What of a line names a connection, and how much it tells. */
enum { WEIGHT_QPN = 16, WEIGHT_KEY = 16, WEIGHT_ADDRESS = 4, WEIGHT_MEMORY = 4, WEIGHT_PSN = 2 };

/* A connection that ended may be told of later: timeouts take up to a minute. */
#define LATE_NS INT64_C(120000000000)

const char *rda_explain_verdict_name(unsigned verdict)
{
	static const char *const names[] = {
#define RDA_V(ID, name) name,
		RDA_EXPLAIN_VERDICTS(RDA_V)
#undef RDA_V
	};

	return names[verdict];
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void explained_free(void *data)
{
	struct rda_explained *explained = data;

	g_free(explained->text);
	g_free(explained);
}

static void story_free(void *data)
{
	rda_story_cleanup(data);
	g_free(data);
}

struct rda_explain *rda_explain_new(void)
{
	struct rda_explain *explain = g_new0(struct rda_explain, 1);

	explain->lines = g_ptr_array_new_with_free_func(explained_free);
	explain->stories = g_hash_table_new_full(NULL, NULL, NULL, story_free);
	return explain;
}

void rda_explain_free(struct rda_explain *explain)
{
	if (!explain)
		return;
	g_ptr_array_unref(explain->lines);
	g_hash_table_unref(explain->stories);
	g_free(explain);
}

void rda_explain_line(struct rda_explain *explain, const char *file, uint64_t number,
		      const char *text, size_t length)
{
	struct rda_explained *explained;

	if (explain->lines->len >= RDA_EXPLAIN_LINES_MAX) {
		explain->lines_left++;
		return;
	}
	explained = g_new0(struct rda_explained, 1);
	explained->text = g_strndup(text, MIN(length, RDA_LOG_BYTES_MAX));
	for (char *c = explained->text; *c; c++)
		if (!g_ascii_isprint(*c))
			*c = g_ascii_isspace(*c) ? ' ' : '?';
	g_strstrip(explained->text);
	explained->file = file;
	explained->number = number;
	explained->verdict = RDA_EXPLAIN_NOTHING;
	rda_log_line_read(&explained->line, text, length);
	g_ptr_array_add(explain->lines, explained);
}

/* ---- what shows ------------------------------------------------------------------------------ */

static const struct rda_flow_facts *flow_of(const struct rda_result *result, uint32_t connection,
					    unsigned side)
{
	return rda_result_flow(result, rda_result_connection(result, connection), side);
}

static uint64_t naks_of(const struct rda_flow_facts *answers, unsigned kind)
{
	return answers ? rda_flow_troubles(answers)->naks[kind] : 0;
}

/* Whether the connection shows what a status means to its endpoint `side`. */
static bool shows(const struct rda_result *result, uint32_t connection, unsigned side,
		  int32_t status)
{
	const struct rda_flow_facts *asked = flow_of(result, connection, side);
	const struct rda_flow_facts *answers = flow_of(result, connection, !side);

	switch (status) {
	case 9: return naks_of(answers, RDA_NAK_INVALID_REQUEST) > 0;
	case 10: return naks_of(answers, RDA_NAK_REMOTE_ACCESS) > 0;
	case 11: return naks_of(answers, RDA_NAK_REMOTE_OPERATIONAL) > 0;
	case 12:
		return asked && asked->has_account &&
		       (rda_flow_troubles(asked)->resends[RDA_TRIGGER_TIMEOUT] > 0 || !answers ||
			(asked->request_packets > 0 && !answers->response_packets));
	case 13: return answers && rda_flow_troubles(answers)->rnr_naks > 0;
	case 1:
	case 4: /* the responder's own; the requester is told of it */
		return asked && (naks_of(asked, RDA_NAK_INVALID_REQUEST) ||
				 naks_of(asked, RDA_NAK_REMOTE_OPERATIONAL) ||
				 naks_of(asked, RDA_NAK_REMOTE_ACCESS));
	case 5:
		for (unsigned i = RDA_NAK_INVALID_REQUEST; i < RDA_NAK_COUNT; i++)
			if (naks_of(asked, i) || naks_of(answers, i))
				return true;
		return asked && asked->has_account &&
		       rda_flow_troubles(asked)->resends[RDA_TRIGGER_TIMEOUT] > 0;
	default: return false;
	}
}

/* ---- what names a connection ----------------------------------------------------------------- */

/* Which ends of connections used the keys, or the memory, that a line names. */
enum { USED_KEY = 1, USED_MEMORY = 2 };

static void *end_of(uint32_t connection, unsigned side)
{
	return GUINT_TO_POINTER(connection * 2 + side);
}

/* What of a line is this key's. */
static unsigned use_of(const struct rda_log_line *line, const struct rda_key_facts *key)
{
	unsigned use = 0;

	for (unsigned i = 0; i < line->count; i++) {
		uint64_t number = line->items[i].number;

		if (line->items[i].kind == RDA_LOG_KEY && key->id.key == number)
			use |= USED_KEY;
		if (line->items[i].kind == RDA_LOG_MEMORY && key->has_range && number >= key->low &&
		    number <= key->last)
			use |= USED_MEMORY;
	}
	return use;
}

static GHashTable *users_of(const struct rda_result *result, const struct rda_log_line *line)
{
	GHashTable *users = g_hash_table_new(NULL, NULL);

	for (unsigned i = 0; i < rda_result_key_count(result); i++) {
		const struct rda_key_facts *key = rda_result_key(result, i);
		unsigned use = use_of(line, key);

		for (uint32_t k = 0; use && k < key->user_count; k++) {
			const struct rda_flow_facts *user =
				rda_result_flow_at(result, key->users[k]);
			void *end = end_of(user->connection, user->side);
			unsigned before = GPOINTER_TO_UINT(g_hash_table_lookup(users, end));

			g_hash_table_insert(users, end, GUINT_TO_POINTER(before | use));
		}
	}
	return users;
}

/* How much of an item is the connection's, seen from its endpoint `side`. */
static unsigned weight_of(const struct rda_result *result,
			  const struct rda_connection_facts *connection, unsigned side,
			  const struct rda_log_item *item, unsigned used)
{
	const struct rda_endpoint *own = &connection->endpoints[side],
				  *other = &connection->endpoints[!side];
	const struct rda_flow_facts *flow = rda_result_flow(result, connection, side);

	switch (item->kind) {
	case RDA_LOG_QPN:
		return own->qpn == item->number	    ? WEIGHT_QPN + 1
		       : other->qpn == item->number ? WEIGHT_QPN
						    : 0;
	case RDA_LOG_LOCAL_QPN: return own->qpn == item->number ? WEIGHT_QPN + 1 : 0;
	case RDA_LOG_REMOTE_QPN: return other->qpn == item->number ? WEIGHT_QPN + 1 : 0;
	case RDA_LOG_ADDRESS:
		return memcmp(&own->address, &item->address, sizeof(item->address)) == 0 ||
				       memcmp(&other->address, &item->address,
					      sizeof(item->address)) == 0
			       ? WEIGHT_ADDRESS
			       : 0;
	case RDA_LOG_KEY: return used & USED_KEY ? WEIGHT_KEY : 0;
	case RDA_LOG_MEMORY: return used & USED_MEMORY ? WEIGHT_MEMORY : 0;
	case RDA_LOG_PSN:
		return flow && flow->request_packets &&
				       (flow->first_psn == item->number ||
					flow->last_psn == item->number)
			       ? WEIGHT_PSN
			       : 0;
	default: return 0;
	}
}

static bool is_at_the_time(const struct rda_result *result,
			   const struct rda_connection_facts *connection,
			   const struct rda_log_item *time)
{
	struct rda_connection_times times = rda_result_connection_times(result, connection);
	int64_t at = (int64_t)time->number;

	return at >= times.first_ns && at <= times.last_ns + LATE_NS;
}

/* What of the line is this connection's, with `side` as the endpoint whose log it is. */
static struct rda_explain_candidate candidate_of(const struct rda_result *result,
						 const struct rda_log_line *line, GHashTable *users,
						 uint32_t id, unsigned side)
{
	const struct rda_connection_facts *connection = rda_result_connection(result, id);
	const struct rda_log_item *time = rda_log_line_find(line, RDA_LOG_TIME);
	struct rda_explain_candidate candidate = {.connection = id, .side = (uint8_t)side};
	const struct rda_flow_facts *flow = rda_result_flow(result, connection, side);
	unsigned used = GPOINTER_TO_UINT(g_hash_table_lookup(users, end_of(id, side)));

	for (unsigned i = 0; i < line->count; i++) {
		unsigned weight = weight_of(result, connection, side, &line->items[i], used);

		candidate.score += weight;
		if (weight)
			candidate.by |= 1u << line->items[i].kind;
	}
	candidate.fits = line->status && shows(result, id, side, line->status);
	candidate.score = candidate.score * 16 + (candidate.fits ? 4 : 0);
	if (time && is_at_the_time(result, connection, time)) {
		candidate.score += 8;
		candidate.by |= 1u << RDA_LOG_TIME;
	}
	/* connection management of two hosts is not what fails of them, if anything else is there
	 */
	candidate.score += connection->service != RDA_SERVICE_CM ? 2 : 0;
	/* of two ends that are alike it is the one that asks */
	candidate.score += flow && flow->request_packets > 0;
	return candidate;
}

/* ---- choosing -------------------------------------------------------------------------------- */

enum {
	NAMES = 1u << RDA_LOG_QPN | 1u << RDA_LOG_LOCAL_QPN | 1u << RDA_LOG_REMOTE_QPN |
		1u << RDA_LOG_ADDRESS | 1u << RDA_LOG_KEY | 1u << RDA_LOG_MEMORY,
	QPNS = 1u << RDA_LOG_QPN | 1u << RDA_LOG_LOCAL_QPN | 1u << RDA_LOG_REMOTE_QPN
};

/* The kinds that a line has. */
static uint32_t kinds_of(const struct rda_log_line *line)
{
	uint32_t kinds = 0;

	for (unsigned i = 0; i < line->count; i++)
		kinds |= 1u << line->items[i].kind;
	return kinds;
}

static bool is_eligible(const struct rda_explain_candidate *candidate, uint32_t kinds)
{
	if (kinds & QPNS)
		return candidate->by & QPNS;
	if (kinds & 1u << RDA_LOG_KEY)
		return candidate->by & 1u << RDA_LOG_KEY;
	return kinds & NAMES ? candidate->by & NAMES : candidate->fits;
}

static void take(struct rda_explained *explained, const struct rda_explain_candidate *candidate)
{
	unsigned best = explained->candidate_count ? explained->candidates[0].score : 0;

	if (candidate->score < best)
		return;
	if (candidate->score > best)
		explained->candidate_count = explained->more = 0;
	if (explained->candidate_count < RDA_EXPLAIN_TOLD)
		explained->candidates[explained->candidate_count++] = *candidate;
	else
		explained->more++;
}

static void join(struct rda_explained *explained, const struct rda_result *result)
{
	const struct rda_log_line *line = &explained->line;
	uint32_t kinds = kinds_of(line);
	GHashTable *users;

	if (!(kinds & NAMES) && !line->status)
		return;
	users = users_of(result, line);
	for (unsigned id = 0; id < rda_result_connection_count(result); id++) {
		struct rda_explain_candidate one = candidate_of(result, line, users, id, 0);
		struct rda_explain_candidate other = candidate_of(result, line, users, id, 1);

		if (!is_eligible(&one, kinds) ||
		    (other.score > one.score && is_eligible(&other, kinds)))
			one = other;
		if (is_eligible(&one, kinds))
			take(explained, &one);
	}
	g_hash_table_destroy(users);
	explained->verdict = explained->candidate_count == 0   ? RDA_EXPLAIN_NO_MATCH
			     : explained->candidate_count == 1 ? RDA_EXPLAIN_ONE
							       : RDA_EXPLAIN_SEVERAL;
}

void rda_explain_join(struct rda_explain *explain, const struct rda_result *result)
{
	for (guint i = 0; i < explain->lines->len; i++) {
		struct rda_explained *explained = g_ptr_array_index(explain->lines, i);

		join(explained, result);
		for (unsigned k = 0; k < explained->candidate_count; k++) {
			uint32_t id = explained->candidates[k].connection;
			struct rda_story *story;

			if (g_hash_table_contains(explain->stories, GUINT_TO_POINTER(id)))
				continue;
			story = g_new(struct rda_story, 1);
			rda_story_init(story, rda_result_connection(result, id));
			g_hash_table_insert(explain->stories, GUINT_TO_POINTER(id), story);
		}
	}
}

bool rda_explain_wants_frames(const struct rda_explain *explain)
{
	return g_hash_table_size(explain->stories) > 0;
}

void rda_explain_sight(struct rda_explain *explain, const struct rda_sight *sight)
{
	struct rda_story *story =
		sight->verdict.connection < 0
			? NULL
			: g_hash_table_lookup(explain->stories,
					      GINT_TO_POINTER(sight->verdict.connection));

	if (story)
		rda_story_add(story, sight);
}

const struct rda_story *rda_explain_story(const struct rda_explain *explain,
					  const struct rda_explain_candidate *candidate)
{
	return g_hash_table_lookup(explain->stories, GUINT_TO_POINTER(candidate->connection));
}

bool rda_explain_names(const struct rda_log_item *item)
{
	return NAMES & 1u << item->kind;
}

/* ---- words ----------------------------------------------------------------------------------- */

char *rda_explain_item_text(const struct rda_log_item *item)
{
	const char *words = rda_log_kind_words(item->kind);
	char text[RDA_ADDRESS_TEXT], date[RDA_UNITS_TEXT];

	switch (item->kind) {
	case RDA_LOG_QPN:
	case RDA_LOG_LOCAL_QPN:
	case RDA_LOG_REMOTE_QPN: return g_strdup_printf("%s 0x%06" PRIx64, words, item->number);
	case RDA_LOG_ADDRESS:
		return g_strdup_printf("%s %s", words, rda_address_text(text, &item->address));
	case RDA_LOG_KEY:
	case RDA_LOG_LKEY: return g_strdup_printf("%s 0x%08" PRIx64, words, item->number);
	case RDA_LOG_MEMORY: return g_strdup_printf("%s 0x%" PRIx64, words, item->number);
	case RDA_LOG_VENDOR:
	case RDA_LOG_SYNDROME: return g_strdup_printf("%s 0x%02" PRIx64, words, item->number);
	case RDA_LOG_TIME:
		return g_strdup_printf("%s %s", words, rda_units_date(date, (int64_t)item->number));
	default: return g_strdup_printf("%s %" PRIu64, words, item->number);
	}
}

char *rda_explain_why(const struct rda_explained *explained)
{
	uint32_t kinds = kinds_of(&explained->line);
	uint32_t wanted = kinds & QPNS		      ? QPNS
			  : kinds & 1u << RDA_LOG_KEY ? 1u << RDA_LOG_KEY
						      : NAMES;
	GString *text = g_string_new(NULL);

	if (explained->verdict == RDA_EXPLAIN_NOTHING) {
		g_string_append(text, "there is nothing in it that a capture could hold: no QP, "
				      "address, memory key or completion status");
		return g_string_free(text, FALSE);
	}
	for (unsigned i = 0; i < explained->line.count; i++) {
		const struct rda_log_item *item = &explained->line.items[i];
		char *name;

		if (!(wanted & 1u << item->kind))
			continue;
		name = rda_explain_item_text(item);
		g_string_append_printf(text, "%s%s", text->len ? ", " : "no connection has ", name);
		g_free(name);
	}
	if (text->len)
		g_string_append(text, ": the line is of another host or another time, or the "
				      "capture has not its packets");
	else
		g_string_append_printf(
			text, "no connection shows what status %" PRId32 " means (%s)",
			explained->line.status, rda_log_status_name(explained->line.status));
	return g_string_free(text, FALSE);
}
