/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Accesses that the responder refused: which key, address and length, and how they differ from what
 * it accepted before.
 *
 *     accepted before      refused                       told
 *     nothing              anything                      the key never worked
 *     0x1000-0x1fff        WRITE 0x1e00, 0x400 bytes     it ends 0x200 bytes behind that (K02)
 *     READ 0x1000-0x1fff   WRITE 0x1000                  only READs worked (K17)
 *     WRITE 0x1000-0x1fff  WRITE 0x1000                  the key is stale
 *     ... and invalidated  anything                      used after the invalidation (K05)
 *
 * One finding, K01, has it all; K02, K05 and K17 are notes that name the kind. Refusals by the
 * dozen are scans (K08, K09).
 */
#include "analyzer/checks/keys/refused.h"

#include "analyzer/checks/keys/invalidate.h"
#include "analyzer/base/put_address.h"
#include "analyzer/base/words.h"
#include "dissectors/aeth.h"

#include <glib.h>
#include <inttypes.h>

/* The end behind a range; the last address there is has none, and is told as it is. */
static uint64_t behind(uint64_t last)
{
	return last == UINT64_MAX ? last : last + 1;
}

static struct rda_finding *note(const struct rda_key_case *c, enum rda_check check,
				enum rda_proof proof, uint64_t place)
{
	struct rda_finding *f = rda_find_as(&c->judge->findings, check, RDA_SEVERITY_NOTE, proof,
					    rda_key_flow(c), place);

	rda_finding_frame(f, c->event->place);
	return f;
}

/* ---- how it differs from what worked --------------------------------------------------------- */

static void put_distance(GString *text, const char *what, uint64_t bytes, const char *where)
{
	g_string_append_printf(text, "%s %" PRIu64 " byte%s %s", what, bytes,
			       rda_words_plural(bytes), where);
}

/* K02: appends how far the access lies outside of what worked. */
static void put_bounds(GString *text, const struct rda_key_case *c)
{
	const struct rda_key_event *access = c->event;
	uint64_t begin = access->va, last = rda_span_last(begin, access->length);
	const struct rda_span *near = rda_spans_nearest(&c->key->ranges, begin, last);
	GString *where = g_string_new(NULL);

	if (begin > near->last) {
		put_distance(where, "begins", begin - near->last - 1, "behind");
	} else if (last < near->begin) {
		put_distance(where, "ends", near->begin - last - 1, "before");
	} else {
		if (begin < near->begin)
			put_distance(where, "begins", near->begin - begin, "before");
		if (begin < near->begin && last > near->last)
			g_string_append(where, " and ");
		if (last > near->last)
			put_distance(where, "ends", last - near->last, "behind");
	}
	g_string_append_printf(text,
			       "; the key worked %s 0x%" PRIx64 "-0x%" PRIx64
			       " (last in frame %" PRIu64 "), and this access %s that",
			       c->key->ranges.joined ? "within" : "for", near->begin,
			       behind(near->last), rda_place_number(c->key->worked_place),
			       where->str);
	rda_say(note(c, RDA_CHECK_K02, RDA_PROOF_PROVEN, access->asked_place),
		"The refused %s of %" PRIu32 " bytes at 0x%" PRIx64 " with r_key 0x%08" PRIx32
		" %s the range 0x%" PRIx64 "-0x%" PRIx64 " in which the key worked.",
		rda_key_use_words(access->use), access->length, begin, c->key->id.key, where->str,
		near->begin, behind(near->last));
	g_string_free(where, TRUE);
}

/* "READ and WRITE" */
static void put_uses(GString *text, const struct rda_memory_key *key)
{
	bool any = false;

	for (unsigned use = 0; use < RDA_KEY_USE_COUNT; use++) {
		if (!key->worked[use])
			continue;
		g_string_append_printf(text, "%s%s", any ? " and " : "", rda_key_use_words(use));
		any = true;
	}
}

/* K17: appends what kinds of access the key was good for. */
static void put_type(GString *text, const struct rda_key_case *c)
{
	GString *uses = g_string_new(NULL);

	put_uses(uses, c->key);
	g_string_append_printf(text,
			       "; only %s worked with this key before: it seems not to allow %s",
			       uses->str, rda_key_use_words(c->event->use));
	rda_say(note(c, RDA_CHECK_K17, RDA_PROOF_PROVEN, c->event->asked_place),
		"The responder refused %s with r_key 0x%08" PRIx32 ", and %s with it worked.",
		rda_key_use_article(c->event->use), c->key->id.key, uses->str);
	g_string_free(uses, TRUE);
}

/* K05 */
static void put_invalidated(GString *text, const struct rda_key_case *c)
{
	uint64_t frame = rda_place_number(c->key->invalidated_place);
	struct rda_finding *f;

	g_string_append_printf(text, "; the key was invalidated in frame %" PRIu64 ", before this",
			       frame);
	f = note(c, RDA_CHECK_K05, RDA_PROOF_PROVEN, c->event->asked_place);
	rda_finding_frame(f, c->key->invalidated_place);
	rda_say(f,
		"The responder refused %s with r_key 0x%08" PRIx32
		": the key was invalidated in frame %" PRIu64 ", before it.",
		rda_key_use_article(c->event->use), c->key->id.key, frame);
}

/* Nothing ever worked with this key; another did on this flow, perhaps. */
static void put_never(GString *text, const struct rda_key_case *c)
{
	const struct rda_memory_key *key;
	const struct rda_memory_key *other = NULL;
	uint32_t looked = 0, count;

	g_string_append(text, "; the key was never used successfully before in this capture");
	/* a few: this is a help for the reader, and there may be 100,000s */
	for (key = rda_key_ledger_of(c->judge->key_ledger, c->event->responder, &count);
	     key && looked < 64; key = key->next, looked++)
		if (key != c->key && key->worked_place && key->id.tap == c->key->id.tap &&
		    key->user_count && key->first_user.flow == c->event->flow)
			other = key;
	if (other)
		g_string_append_printf(text,
				       ", and r_key 0x%08" PRIx32
				       " was, by this QP (last in frame %" PRIu64 ")",
				       other->id.key, rda_place_number(other->worked_place));
}

/* Appends what is known of the key, and notes what kind of mistake it is. */
static void put_history(GString *text, const struct rda_key_case *c)
{
	const struct rda_memory_key *key = c->key;
	const struct rda_key_event *access = c->event;
	uint64_t last = access->length ? rda_span_last(access->va, access->length) : access->va;
	bool outside, other_use;

	if (access->use == RDA_KEY_USE_INVALIDATE) {
		g_string_append(text, key->worked_place ? "; the key worked before"
							: "; the key was never used before");
		return;
	}
	if (c->news->after_invalidate) {
		put_invalidated(text, c);
		return;
	}
	if (!key->ranges.count && key->worked_place) {
		g_string_append_printf(text,
				       "; nothing worked with this key since it was invalidated "
				       "(frame %" PRIu64 ") and told anew",
				       rda_place_number(key->invalidated_place));
		return;
	}
	if (!key->ranges.count) {
		put_never(text, c);
		return;
	}
	outside = access->length && !rda_spans_cover(&key->ranges, access->va, last);
	other_use = !key->worked[access->use];
	if (outside)
		put_bounds(text, c);
	if (other_use)
		put_type(text, c);
	if (!outside && !other_use)
		g_string_append_printf(
			text,
			"; accesses of this kind to this range worked until frame %" PRIu64
			": the key is stale (deregistered or invalidated since, or its "
			"rights were changed)",
			rda_place_number(key->worked_place));
}

/* ---- scans ----------------------------------------------------------------------------------- */

/* K08: keys that never worked, refused to one host; its words: at the end. */
static void key_scan(const struct rda_key_case *c)
{
	struct rda_key_host *host = rda_keys_host(c->judge->keys, c->event->requester);
	struct rda_subject subject = rda_key_host_of(c->event->requester);

	if (c->key->refused > 1 || c->key->worked_place)
		return;
	if (!host->scan)
		host->scan = g_new0(struct rda_key_scan, 1);
	if (host->scan->keys < RDA_KEY_SCAN)
		host->scan->places[host->scan->keys] = c->event->asked_place;
	host->scan->keys++;
	host->scan->latest_key = c->event->key;
	if (host->scan->keys == RDA_KEY_SCAN)
		for (uint32_t i = 0; i < RDA_KEY_SCAN; i++)
			rda_find(&c->judge->findings, RDA_CHECK_K08, subject,
				 host->scan->places[i]);
	else if (host->scan->keys > RDA_KEY_SCAN)
		rda_find(&c->judge->findings, RDA_CHECK_K08, subject, c->event->asked_place);
}

void rda_check_keys_refused_end(struct rda_judge *judge)
{
	const struct rda_keys_state *keys = judge->keys;

	for (uint32_t i = 0; i < keys->host_count; i++) {
		const struct rda_key_scan *scan = keys->hosts[i].scan;
		GString *who;

		if (!scan || scan->keys < RDA_KEY_SCAN)
			continue;
		who = g_string_new(NULL);
		rda_put_address(who, rda_judge_address(judge, i));
		rda_say(rda_found(&judge->findings, RDA_CHECK_K08, rda_key_host_of(i)),
			"%s was refused %" PRIu32
			" different r_keys, none of which ever worked (the latest: 0x%08" PRIx32
			").",
			who->str, scan->keys, scan->latest_key);
		g_string_free(who, TRUE);
	}
}

/* K09: addresses refused with one key. */
static void address_scan(const struct rda_key_case *c)
{
	const struct rda_key_refusals *refusals = c->key->refusals;
	struct rda_subject subject = rda_key_host_of(c->event->requester);
	struct rda_finding *f = NULL;

	if (refusals->count < RDA_KEY_REFUSED_KEPT)
		return;
	if (!rda_found(&c->judge->findings, RDA_CHECK_K09, subject))
		for (uint32_t i = 0; i + 1 < refusals->count; i++)
			rda_find(&c->judge->findings, RDA_CHECK_K09, subject, refusals->place[i]);
	f = rda_find(&c->judge->findings, RDA_CHECK_K09, subject, c->event->asked_place);
	rda_say(f,
		"Accesses with r_key 0x%08" PRIx32
		" were refused at %u addresses and more, from 0x%" PRIx64 " on.",
		c->key->id.key, RDA_KEY_REFUSED_KEPT, refusals->va[0]);
}

/* ---- refusals -------------------------------------------------------------------------------- */

/* K01 */
static void remote_access_error(const struct rda_key_case *c)
{
	struct rda_finding *f = rda_find(&c->judge->findings, RDA_CHECK_K01, rda_key_flow(c),
					 c->event->asked_place);
	GString *text = g_string_new(NULL);

	rda_finding_frame(f, c->event->place);
	g_string_append_printf(text, "The responder refused %s",
			       rda_key_use_article(c->event->use));
	if (c->event->use != RDA_KEY_USE_INVALIDATE)
		g_string_append_printf(text, " of %" PRIu32 " bytes at 0x%" PRIx64 " with",
				       c->event->length, c->event->va);
	else
		g_string_append(text, " of");
	g_string_append_printf(text,
			       " r_key 0x%08" PRIx32 " (frame %" PRIu64
			       ") with a remote access error (frame %" PRIu64 ")",
			       c->key->id.key, rda_place_number(c->event->asked_place),
			       rda_place_number(c->event->place));
	put_history(text, c);
	rda_say(f, "%s.", text->str);
	g_string_free(text, TRUE);
}

/*
 * K17 of a responder that takes it for an invalid request: only where another kind of access to
 * all of the range worked, since there are many more reasons for that NAK.
 */
static void invalid_request(const struct rda_key_case *c)
{
	const struct rda_key_event *access = c->event;
	GString *uses;

	if (access->use == RDA_KEY_USE_INVALIDATE || !access->length || access->va & 7 ||
	    c->key->worked[access->use] ||
	    !rda_spans_cover(&c->key->ranges, access->va,
			     rda_span_last(access->va, access->length)))
		return;
	uses = g_string_new(NULL);
	put_uses(uses, c->key);
	rda_say(note(c, RDA_CHECK_K17, RDA_PROOF_SUSPECTED, access->asked_place),
		"The responder refused %s with r_key 0x%08" PRIx32
		" as an invalid request, and %s to the same range worked.",
		rda_key_use_article(access->use), c->key->id.key, uses->str);
	g_string_free(uses, TRUE);
}

/* The request was never captured, or forgotten. */
static void without_request(const struct rda_key_case *c)
{
	struct rda_finding *f =
		rda_find(&c->judge->findings, RDA_CHECK_K01, rda_key_flow(c), c->event->place);

	rda_say(f,
		"The responder refused a request with a remote access error (frame %" PRIu64
		"); which one (PSN %" PRIu32
		") is not in this capture, so its r_key and address are not known.",
		rda_place_number(c->event->place), c->event->other);
}

void rda_check_keys_refused(const struct rda_key_case *c)
{
	bool access_error = c->event->syndrome == RDA_SYNDROME_NAK_REMOTE_ACCESS;

	if (!c->key) {
		if (access_error)
			without_request(c);
		return;
	}
	if (c->event->use == RDA_KEY_USE_INVALIDATE)
		rda_check_keys_invalidate_refused(c);
	else if (!access_error)
		invalid_request(c);
	if (!access_error)
		return;
	remote_access_error(c);
	if (c->event->use == RDA_KEY_USE_INVALIDATE)
		return;
	if (c->news->is_new)
		address_scan(c);
	key_scan(c);
}
