/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SEND with Invalidate: the receiver takes a memory key of its own out of use.
 *
 *     WRITE r_key 7  --- SEND, invalidate 7 --- ACK ---  WRITE r_key 7
 *     fine                                               used after it (K04; refused: K05), unless
 *                                                        the key was told anew in between
 *
 * Storage uses the same few keys again and again, each time registered anew and told in the SEND of
 * the next command; so a use after the invalidation is a mistake only where nothing told the key.
 */
#include "analyzer/checks/keys/invalidate.h"

#include "dissectors/aeth.h"

#include <glib.h>
#include <inttypes.h>

/* ---- the invalidation -------------------------------------------------------------------------
 */

void rda_check_keys_invalidate_new(const struct rda_at *at, struct rda_memory_key *key)
{
	struct rda_keys_watch *watch = at->flow->watch.keys;

	/* said at the end, when it is known whether it failed as well; K06 */
	if (key->told_place || key->told_unknown)
		return;
	if (!watch->unknown_place) {
		watch->unknown_place = at->place;
		watch->unknown_key = key->id.key;
	}
	watch->unknown_count++;
}

/*
 * K07: every completed message advances the MSN. An ACK of the SEND with the MSN of an earlier ACK
 * says that it arrived and was not completed: rxe answers so when it cannot invalidate, and then
 * no more.
 */
void rda_check_keys_invalidate_ack(const struct rda_at *at, const struct rda_event *event)
{
	struct rda_keys_watch *watch = at->asker->watch.keys;
	const struct rda_key_pending *item;
	uint32_t before = watch->ack_known ? watch->ack_msn : 0;
	/* an MSN of 0 says in any case that nothing was completed */
	bool counts = watch->msn_counts || !watch->ack_known;

	if (watch->ack_known && event->psn <= watch->ack_psn)
		return;
	item = rda_key_queue_find(&watch->queue, event->psn);
	if (item && item->access.use == RDA_KEY_USE_INVALIDATE && item->end == event->psn + 1 &&
	    event->msn == before && counts) {
		watch->failed_place = item->access.place;
		watch->failed_acked = event->frame;
		watch->failed_psn = item->begin;
		watch->failed_key = item->key->id.key;
	}
	watch->msn_counts = watch->msn_counts || event->msn != before;
	watch->ack_known = true;
	watch->ack_psn = event->psn;
	watch->ack_msn = event->msn;
}

void rda_check_keys_invalidate_acked(const struct rda_at *at, const struct rda_key_pending *item)
{
	const struct rda_keys_watch *watch = at->asker->watch.keys;
	struct rda_memory_key *key = item->key;

	if (watch->failed_place && watch->failed_psn == item->begin)
		return;
	key->invalid = true;
	key->invalidated_place = item->access.place;
	key->invalidated_acked = at->place;
	key->invalidated_by = at->asker;
	key->invalidated_psn = item->begin;
	rda_spans_cleanup(&key->ranges); /* what it is good for next is another region */
}

/* K07 */
void rda_check_keys_invalidate_refused(const struct rda_at *at, const struct rda_key_pending *item)
{
	bool access_error = at->asker->watch.keys->nak_syndrome == RDA_SYNDROME_NAK_REMOTE_ACCESS;
	struct rda_finding *f =
		rda_find_as(&at->judge->findings, RDA_CHECK_K07,
			    /* K01 has told it then */
			    access_error ? RDA_SEVERITY_NOTE : RDA_SEVERITY_ERROR,
			    RDA_PROOF_SUSPECTED, rda_about_flow(at->asker), item->access.place);

	rda_finding_frame(f, at->place);
	rda_say(f,
		"The SEND with Invalidate of r_key 0x%08" PRIx32 " (frame %" PRIu64
		") was refused in frame %" PRIu64 " (NAK 0x%02x).",
		item->key->id.key, rda_place_number(item->access.place),
		rda_place_number(at->place), at->asker->watch.keys->nak_syndrome);
}

/* ---- uses after it --------------------------------------------------------------------------- */

bool rda_check_keys_is_after_invalidate(struct rda_keys_state *keys, const struct rda_flow *flow,
					const struct rda_key_pending *item,
					struct rda_clear_hit *hit)
{
	struct rda_memory_key *key = item->key;

	if (!key->invalid || !item->access.length)
		return false;
	/* other QPs race until it is acknowledged; on its own QP the order is that of the PSNs */
	if (flow == key->invalidated_by ? item->begin <= key->invalidated_psn
					: item->access.place <= key->invalidated_acked)
		return false;
	if (rda_clear_text_find(&keys->clear, flow->sender->index, key->id.key, item->access.va,
				key->invalidated_place, item->access.place, hit)) {
		key->invalid = false;
		return false;
	}
	return true;
}

/* K04 */
void rda_check_keys_invalidate_used(const struct rda_at *at, const struct rda_key_pending *item)
{
	struct rda_memory_key *key = item->key;
	enum rda_severity severity = RDA_SEVERITY_ERROR;
	const char *told = "nothing has told the key anew since, though it was told before";
	struct rda_clear_hit hit;
	struct rda_finding *f;

	if (!rda_check_keys_is_after_invalidate(at->judge->keys, at->asker, item, &hit))
		return;
	if (!hit.complete) {
		severity = RDA_SEVERITY_NOTE;
		told = "whether the key was told anew in between, the capture cannot tell";
	} else if (!key->told_place) {
		severity = RDA_SEVERITY_WARNING;
		told = "the key was not told anew in between, but nor was it ever told in clear";
	}
	if (!key->used_after_invalidate++) /* what is told of the first is told of all */
		key->used_severity = (uint8_t)severity;
	f = rda_find_as(&at->judge->findings, RDA_CHECK_K04, (enum rda_severity)key->used_severity,
			RDA_PROOF_SUSPECTED, rda_about_flow(at->asker), item->access.place);
	rda_finding_frame(f, key->invalidated_place);
	rda_say(f,
		"The responder accepted %s with r_key 0x%08" PRIx32 " (frame %" PRIu64
		") after the key had been invalidated (frame %" PRIu64 "); %s.",
		rda_key_use_article(item->access.use), key->id.key,
		rda_place_number(item->access.place), rda_place_number(key->invalidated_place),
		told);
}

/* ---- the end --------------------------------------------------------------------------------- */

/* A04 tells of the same ACK: K07 says why. */
static void explain_msn(struct rda_judge *judge, const struct rda_flow *responder)
{
	struct rda_finding *f =
		rda_found(&judge->findings, RDA_CHECK_A04, rda_about_flow(responder));

	if (f && f->count == 1)
		f->severity = RDA_SEVERITY_NOTE;
}

/* K07 */
static bool invalidate_failed(struct rda_judge *judge, const struct rda_flow *flow)
{
	const struct rda_keys_watch *watch = flow->watch.keys;
	struct rda_finding *f;

	/* what came after it was acknowledged: then only the MSN was wrong */
	if (!watch->failed_place ||
	    rda_account_progress(flow->account)->acked > watch->failed_psn + 1)
		return false;
	if (flow->peer)
		explain_msn(judge, flow->peer);
	f = rda_find(&judge->findings, RDA_CHECK_K07, rda_about_flow(flow), watch->failed_place);
	rda_finding_frame(f, watch->failed_acked);
	rda_say(f,
		"The SEND with Invalidate of r_key 0x%08" PRIx32 " (frame %" PRIu64
		") was acknowledged in frame %" PRIu64 " with an MSN that did not advance (%" PRIu32
		"), and nothing after it was: the responder could not invalidate the key.",
		watch->failed_key, rda_place_number(watch->failed_place),
		rda_place_number(watch->failed_acked), watch->ack_msn);
	return true;
}

/* K06 */
static void invalidate_of_unknown_key(struct rda_judge *judge, const struct rda_flow *flow,
				      bool failed)
{
	const struct rda_keys_watch *watch = flow->watch.keys;
	struct rda_finding *f;

	if (!watch->unknown_place)
		return;
	f = rda_find_as(&judge->findings, RDA_CHECK_K06,
			failed ? RDA_SEVERITY_NOTE : RDA_SEVERITY_WARNING, RDA_PROOF_SUSPECTED,
			rda_about_flow(flow), watch->unknown_place);
	f->count = watch->unknown_count;
	rda_say(f,
		"The SEND with Invalidate in frame %" PRIu64 " names r_key 0x%08" PRIx32
		", which was neither used nor told in this capture.",
		rda_place_number(watch->unknown_place), watch->unknown_key);
}

/* K05: the oldest request was sent again and again, and never answered. */
static void unanswered_after_invalidate(struct rda_judge *judge, const struct rda_flow *flow)
{
	const struct rda_key_queue *queue = &flow->watch.keys->queue;
	const struct rda_key_pending *item;
	const struct rda_sent *sent;
	struct rda_clear_hit hit;
	struct rda_finding *f;

	if (!queue->count)
		return;
	item = queue->items + queue->head;
	if (item->begin != rda_account_progress(flow->account)->acked ||
	    item->access.use == RDA_KEY_USE_INVALIDATE ||
	    !rda_check_keys_is_after_invalidate(judge->keys, flow, item, &hit))
		return;
	sent = rda_account_sent(flow->account, item->begin);
	if (!sent || sent->sent < 2)
		return;
	f = rda_find_as(&judge->findings, RDA_CHECK_K05, RDA_SEVERITY_WARNING, RDA_PROOF_SUSPECTED,
			rda_about_flow(flow), item->access.place);
	rda_finding_frame(f, item->key->invalidated_place);
	rda_say(f,
		"A requester sent %s with r_key 0x%08" PRIx32 " (frame %" PRIu64
		") %u times and got no answer; the key was invalidated in frame %" PRIu64
		", before it.",
		rda_key_use_article(item->access.use), item->key->id.key,
		rda_place_number(item->access.place), sent->sent,
		rda_place_number(item->key->invalidated_place));
}

void rda_check_keys_invalidate_end(struct rda_judge *judge, const struct rda_flow *flow)
{
	bool failed = flow->account && invalidate_failed(judge, flow);

	invalidate_of_unknown_key(judge, flow, failed);
	if (flow->account)
		unanswered_after_invalidate(judge, flow);
}
