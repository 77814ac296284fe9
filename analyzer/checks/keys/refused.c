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
 *     anything             sent again with another       which of the two was refused is not known
 *                          address
 *
 * A sender that changes what it sends again may have sent this otherwise before, where no tap saw
 * it: K02 and K17 are suspected then. So are all where no ICRC vouches for the request or for the
 * NAK; and K01 is no error where the NAK may be another one, or an ACK, that came damaged.
 *
 * One finding, K01, has it all; K02, K05 and K17 are notes that name the kind. Refusals by the
 * dozen are scans (K08, K09).
 */
#include "analyzer/checks/keys/state.h"

#include "dissectors/aeth.h"

#include <glib.h>

/* Damage may have made what is told of it. */
#define UNSURE (RDA_KEY_UNCHECKED | RDA_KEY_NAK_UNCHECKED)

static struct rda_finding *note(const struct rda_key_case *c, enum rda_check check,
				enum rda_proof proof)
{
	struct rda_finding *f = rda_finding_add_as(&c->judge->findings, check, RDA_SEVERITY_NOTE,
						   proof, rda_key_flow(c), c->event->asked_place);

	rda_finding_frame(f, c->event->place);
	return f;
}

/* ---- how it differs from what worked --------------------------------------------------------- */

/* Of what worked, what is next to an access that lies outside of it; NULL: the access does not. */
static const struct rda_span *outside_of(const struct rda_key_case *c)
{
	const struct rda_key_event *access = c->event;
	const struct rda_spans *worked = &c->key->worked->ranges;
	uint64_t last = rda_span_last(access->va, access->length);

	if (!worked->count || !access->length || rda_spans_cover(worked, access->va, last))
		return NULL;
	return rda_spans_nearest(worked, access->va, last);
}

/* Where nothing ever worked with this key: another that did on this flow, perhaps. */
static const struct rda_memory_key *other_that_worked(const struct rda_key_case *c)
{
	const struct rda_memory_key *key, *other = NULL;
	uint32_t looked = 0, count;

	/* a few: this is a help for the reader, and there may be 100,000s */
	for (key = rda_key_ledger_of(c->judge->key_ledger, c->event->responder, &count);
	     key && looked < 64; key = key->next, looked++)
		if (key != c->key && key->worked->place && key->id.tap == c->key->id.tap &&
		    key->user_count && key->first_user.flow == c->event->flow)
			other = key;
	return other;
}

/* So many accesses of a kind worked. */
#define WORKED(name, USE)                                                                          \
	RDA_ARG_IF(key->worked->count[RDA_KEY_USE_##USE],                                          \
		   RDA_ARG_NUMBER(name, key->worked->count[RDA_KEY_USE_##USE]))

/* All that is known of a refused access and of its key: K01, K02, K05 and K17 say parts of it. */
static void say(struct rda_finding *f, enum rda_saying saying, const struct rda_key_case *c)
{
	const struct rda_key_event *access = c->event;
	const struct rda_memory_key *key = c->key;
	const struct rda_memory_key *other =
		saying == RDA_SAY_K01_NEVER ? other_that_worked(c) : NULL;
	const struct rda_span *near = outside_of(c);
	uint64_t begin = access->va, last = rda_span_last(begin, access->length);
	bool is_access = access->use != RDA_KEY_USE_INVALIDATE;
	bool behind = near && begin > near->last, before = near && last < near->begin;

	rda_finding_say(
		f, saying, RDA_ARG_WORD("operation", rda_key_operation(access)),
		RDA_ARG_KEY("rkey", key->id.key),
		RDA_ARG_IF(is_access, RDA_ARG_NUMBER("length", access->length)),
		RDA_ARG_IF(is_access, RDA_ARG_MEMORY("address", begin)),
		RDA_ARG_FRAME("request_frame", access->asked_place),
		RDA_ARG_FRAME("answer_frame", access->place),
		RDA_ARG_IF(key->rare->invalidated.place,
			   RDA_ARG_FRAME("invalidated_frame", key->rare->invalidated.place)),
		RDA_ARG_FLAG("worked", key->worked->place),
		RDA_ARG_IF(key->worked->place, RDA_ARG_FRAME("worked_frame", key->worked->place)),
		WORKED("reads_worked", READ), WORKED("writes_worked", WRITE),
		WORKED("atomics_worked", ATOMIC), WORKED("flushes_worked", FLUSH),
		RDA_ARG_FLAG("other_use", is_access && !key->worked->count[access->use]),
		RDA_ARG_IF(near, RDA_ARG_FLAG("joined", key->worked->ranges.joined)),
		RDA_ARG_IF(near, RDA_ARG_MEMORY("worked_begin", near->begin)),
		/* the last address there is has none behind it, and is told as it is */
		RDA_ARG_IF(near,
			   RDA_ARG_MEMORY("worked_end", near->last + (near->last != UINT64_MAX))),
		RDA_ARG_IF(behind && begin - near->last == 1, RDA_ARG_FLAG("right_behind", true)),
		RDA_ARG_IF(behind && begin - near->last > 1,
			   RDA_ARG_NUMBER("begins_behind", begin - near->last - 1)),
		RDA_ARG_IF(before && near->begin - last == 1, RDA_ARG_FLAG("right_before", true)),
		RDA_ARG_IF(before && near->begin - last > 1,
			   RDA_ARG_NUMBER("ends_before", near->begin - last - 1)),
		RDA_ARG_IF(near && !before && begin < near->begin,
			   RDA_ARG_NUMBER("begins_before", near->begin - begin)),
		RDA_ARG_IF(near && !behind && last > near->last,
			   RDA_ARG_NUMBER("ends_behind", last - near->last)),
		RDA_ARG_IF(other, RDA_ARG_KEY("other_rkey", other->id.key)),
		RDA_ARG_IF(other, RDA_ARG_FRAME("other_worked_frame", other->worked->place)));
}

/* What K01 says of the key; notes what kind of mistake it is. */
static enum rda_saying history(const struct rda_key_case *c)
{
	const struct rda_memory_key *key = c->key;
	enum rda_proof sure = c->event->doubt & UNSURE ? RDA_PROOF_SUSPECTED : RDA_PROOF_PROVEN;
	enum rda_proof proof = c->event->change ? RDA_PROOF_SUSPECTED : sure;
	struct rda_finding *f;
	bool outside, other_use;

	if (c->event->use == RDA_KEY_USE_INVALIDATE)
		return RDA_SAY_K01_INVALIDATE;
	if (c->news->after_invalidate) {
		f = note(c, RDA_CHECK_K05, sure);
		rda_finding_frame(f, key->rare->invalidated.place);
		say(f, RDA_SAY_K05_REFUSED, c);
		return RDA_SAY_K01_INVALIDATED;
	}
	if (!key->worked->ranges.count)
		return key->worked->place ? RDA_SAY_K01_TOLD_ANEW : RDA_SAY_K01_NEVER;
	outside = outside_of(c) != NULL;
	other_use = !key->worked->count[c->event->use];
	if (outside)
		say(note(c, RDA_CHECK_K02, proof), RDA_SAY_K02_OUTSIDE, c);
	if (other_use)
		say(note(c, RDA_CHECK_K17, proof), RDA_SAY_K17_REFUSED, c);
	return outside || other_use ? RDA_SAY_K01_DIFFERS : RDA_SAY_K01_STALE;
}

/* ---- scans ----------------------------------------------------------------------------------- */

/* K08: keys that never worked, refused to one host; its words: at the end. */
static void key_scan(const struct rda_key_case *c)
{
	struct rda_key_host *host =
		rda_table_get(&c->judge->keys->hosts, &c->event->requester, NULL);
	struct rda_subject subject = rda_key_host_of(c->event->requester);

	if (c->key->rare->refused > 1 || c->key->worked->place)
		return;
	if (!host->scan)
		host->scan = g_new0(struct rda_key_scan, 1);
	if (host->scan->keys < RDA_KEY_SCAN)
		host->scan->places[host->scan->keys] = c->event->asked_place;
	host->scan->keys++;
	host->scan->latest_key = c->event->key;
	if (host->scan->keys == RDA_KEY_SCAN)
		for (uint32_t i = 0; i < RDA_KEY_SCAN; i++)
			rda_finding_add(&c->judge->findings, RDA_CHECK_K08, subject,
					host->scan->places[i]);
	else if (host->scan->keys > RDA_KEY_SCAN)
		rda_finding_add(&c->judge->findings, RDA_CHECK_K08, subject, c->event->asked_place);
}

void rda_keys_refused_end(struct rda_judge *judge)
{
	const struct rda_table *hosts = &judge->keys->hosts;

	for (uint32_t i = 0; i < hosts->count; i++) {
		const struct rda_key_host *host = hosts->items[i];
		struct rda_finding *f = rda_finding_find(&judge->findings, RDA_CHECK_K08,
							 rda_key_host_of(host->host));

		if (f) /* none where there is no room for more */
			rda_finding_say(
				f, RDA_SAY_K08_REFUSED,
				RDA_ARG_ADDRESS("host", rda_judge_address(judge, host->host)),
				RDA_ARG_NUMBER("keys", host->scan->keys),
				RDA_ARG_KEY("latest_rkey", host->scan->latest_key));
	}
}

/* K09: addresses refused with one key. */
static void address_scan(const struct rda_key_case *c)
{
	const struct rda_key_refusals *refusals = c->key->rare->refusals;
	struct rda_subject subject = rda_key_host_of(c->event->requester);
	struct rda_finding *f = NULL;

	if (refusals->count < RDA_KEY_REFUSED_KEPT)
		return;
	if (!rda_finding_find(&c->judge->findings, RDA_CHECK_K09, subject))
		for (uint32_t i = 0; i + 1 < refusals->count; i++)
			rda_finding_add(&c->judge->findings, RDA_CHECK_K09, subject,
					refusals->place[i]);
	f = rda_finding_add(&c->judge->findings, RDA_CHECK_K09, subject, c->event->asked_place);
	rda_finding_say(f, RDA_SAY_K09_REFUSED, RDA_ARG_KEY("rkey", c->key->id.key),
			RDA_ARG_NUMBER("addresses", RDA_KEY_REFUSED_KEPT),
			RDA_ARG_MEMORY("first_address", refusals->va[0]));
}

/* ---- refusals -------------------------------------------------------------------------------- */

/* K01, `place`: where the request is, or else the NAK. */
static struct rda_finding *refusal(const struct rda_key_case *c, uint64_t place)
{
	return rda_key_finding_by(c, RDA_CHECK_K01, place, UNSURE, RDA_KEY_NAK_UNCHECKED);
}

static void remote_access_error(const struct rda_key_case *c)
{
	struct rda_finding *f = refusal(c, c->event->asked_place);

	rda_finding_frame(f, c->event->place);
	say(f, history(c), c);
}

/*
 * K17 of a responder that takes it for an invalid request: only where another kind of access to
 * all of the range worked, since there are many more reasons for that NAK.
 */
static void invalid_request(const struct rda_key_case *c)
{
	const struct rda_key_event *access = c->event;

	if (access->use == RDA_KEY_USE_INVALIDATE || !access->length || access->va & 7 ||
	    c->key->worked->count[access->use] ||
	    !rda_spans_cover(&c->key->worked->ranges, access->va,
			     rda_span_last(access->va, access->length)))
		return;
	say(note(c, RDA_CHECK_K17, RDA_PROOF_SUSPECTED), RDA_SAY_K17_INVALID_REQUEST, c);
}

static bool has_changed(const struct rda_key_case *c)
{
	return c->event->change && c->event->change->place;
}

/* The request came with different headers under one PSN: which of them was refused is not known. */
static void changed_request(const struct rda_key_case *c)
{
	struct rda_finding *f = refusal(c, c->event->asked_place);

	rda_finding_frame(f, c->event->change->place);
	rda_finding_frame(f, c->event->place);
	rda_finding_say(f, RDA_SAY_K01_CHANGED,
			RDA_ARG_WORD("operation", rda_key_operation(c->event)),
			RDA_ARG_PSN("psn", c->event->other),
			RDA_ARG_FRAME("request_frame", c->event->asked_place),
			RDA_ARG_FRAME("changed_frame", c->event->change->place),
			RDA_ARG_FRAME("answer_frame", c->event->place));
	rda_finding_explain(f, RDA_CHECK_S06, rda_key_flow(c));
}

/* The request was never captured, or forgotten. */
static void without_request(const struct rda_key_case *c)
{
	rda_finding_say(refusal(c, c->event->place), RDA_SAY_K01_NOT_CAPTURED,
			RDA_ARG_FRAME("answer_frame", c->event->place),
			RDA_ARG_PSN("psn", c->event->other));
}

void rda_keys_refused(const struct rda_key_case *c)
{
	bool access_error = c->event->syndrome == RDA_SYNDROME_NAK_REMOTE_ACCESS;

	if (!c->key) {
		if (access_error)
			without_request(c);
		return;
	}
	if (c->event->use == RDA_KEY_USE_INVALIDATE)
		rda_keys_invalidate_refused(c);
	else if (!access_error && !has_changed(c))
		invalid_request(c);
	if (!access_error)
		return;
	if (has_changed(c)) {
		changed_request(c);
		return;
	}
	remote_access_error(c);
	if (c->event->use == RDA_KEY_USE_INVALIDATE)
		return;
	if (c->news->is_new)
		address_scan(c);
	key_scan(c);
}
