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
#include "analyzer/checks/keys/state.h"

#include "dissectors/aeth.h"

void rda_keys_invalidate_new(const struct rda_key_case *c)
{
	struct rda_key_unknown *unknown;

	/* K06: said at the end, when it is known whether it failed as well */
	if (c->key->told_place || c->key->told_unknown)
		return;
	unknown = rda_table_get(&c->judge->keys->unknown, &c->event->flow, NULL);
	if (!unknown->count++) {
		unknown->place = c->event->place;
		unknown->key = c->event->key;
	}
}

/* K07 */
void rda_keys_invalidate_refused(const struct rda_key_case *c)
{
	const struct rda_key_event *event = c->event;
	bool access_error = event->syndrome == RDA_SYNDROME_NAK_REMOTE_ACCESS;
	struct rda_finding *f =
		rda_finding_add_as(&c->judge->findings, RDA_CHECK_K07,
				   /* K01 has told it then */
				   access_error ? RDA_SEVERITY_NOTE : RDA_SEVERITY_ERROR,
				   RDA_PROOF_SUSPECTED, rda_key_flow(c), event->asked_place);

	rda_finding_frame(f, event->place);
	rda_finding_say(f, RDA_SAY_K07_REFUSED, RDA_ARG_KEY("rkey", event->key),
			RDA_ARG_FRAME("request_frame", event->asked_place),
			RDA_ARG_FRAME("answer_frame", event->place),
			RDA_ARG_HEX("syndrome", event->syndrome, 2));
}

/* K04 */
void rda_keys_invalidate_used(const struct rda_key_case *c)
{
	const struct rda_memory_key *key = c->key;
	enum rda_severity severity = RDA_SEVERITY_ERROR;
	struct rda_finding *f;

	if (!c->news->after_invalidate)
		return;
	if (key->used_unknown) /* what is told of the first use is told of all */
		severity = RDA_SEVERITY_NOTE;
	else if (!key->told_place)
		severity = RDA_SEVERITY_WARNING;
	f = rda_finding_add_as(&c->judge->findings, RDA_CHECK_K04, severity, RDA_PROOF_SUSPECTED,
			       rda_key_flow(c), c->event->asked_place);
	rda_finding_frame(f, key->rare->invalidated.place);
	rda_finding_say(f, RDA_SAY_K04_ACCEPTED,
			RDA_ARG_WORD("operation", rda_key_operation(c->event)),
			RDA_ARG_KEY("rkey", key->id.key),
			RDA_ARG_FRAME("request_frame", c->event->asked_place),
			RDA_ARG_FRAME("invalidated_frame", key->rare->invalidated.place),
			RDA_ARG_FLAG("told_known", c->news->told.complete && !key->used_unknown),
			RDA_ARG_FLAG("told_before", key->told_place));
}

/* ---- the end --------------------------------------------------------------------------------- */

/* A04 tells of the same ACK: K07 says why. */
static void explain_msn(struct rda_judge *judge, uint32_t responder)
{
	const struct rda_subject subject = {RDA_SUBJECT_FLOW, responder};
	struct rda_finding *f = rda_finding_find(&judge->findings, RDA_CHECK_A04, subject);

	if (f && f->count == 1)
		f->severity = RDA_SEVERITY_NOTE;
}

/* K06 */
static void invalidate_of_unknown_key(struct rda_judge *judge,
				      const struct rda_key_unknown *unknown,
				      enum rda_severity severity)
{
	const struct rda_subject subject = {RDA_SUBJECT_FLOW, unknown->flow};
	struct rda_finding *f = rda_finding_add_as(&judge->findings, RDA_CHECK_K06, severity,
						   RDA_PROOF_SUSPECTED, subject, unknown->place);

	f->count = unknown->count;
	rda_finding_say(f, RDA_SAY_K06_UNKNOWN, RDA_ARG_FRAME("request_frame", unknown->place),
			RDA_ARG_KEY("rkey", unknown->key));
}

/* K07 */
void rda_keys_invalidate_failed(const struct rda_key_case *c)
{
	const struct rda_key_event *event = c->event;
	const struct rda_key_unknown *unknown;
	struct rda_finding *f = rda_key_finding(c, RDA_CHECK_K07, event->asked_place);

	if (event->peer != RDA_KEY_NO_FLOW)
		explain_msn(c->judge, event->peer);
	rda_finding_frame(f, event->place);
	rda_finding_say(f, RDA_SAY_K07_NO_MSN, RDA_ARG_KEY("rkey", event->key),
			RDA_ARG_FRAME("request_frame", event->asked_place),
			RDA_ARG_FRAME("answer_frame", event->place),
			RDA_ARG_NUMBER("msn", event->other));
	unknown = rda_table_find(&c->judge->keys->unknown, &event->flow);
	if (unknown)
		invalidate_of_unknown_key(c->judge, unknown, RDA_SEVERITY_NOTE);
}

/* So often nobody loses a request that the other side would answer, nor its answer, by chance. */
enum { UNANSWERED_LEAST = 3 };

/* K05: the oldest request was sent again and again, and never answered. */
void rda_keys_invalidate_unanswered(const struct rda_key_case *c)
{
	const struct rda_key_event *event = c->event;
	struct rda_finding *f;

	if (!c->news->after_invalidate)
		return;
	f = rda_finding_add_as(&c->judge->findings, RDA_CHECK_K05,
			       event->other < UNANSWERED_LEAST ? RDA_SEVERITY_NOTE
							       : RDA_SEVERITY_WARNING,
			       RDA_PROOF_SUSPECTED, rda_key_flow(c), event->asked_place);
	rda_finding_frame(f, c->key->rare->invalidated.place);
	rda_finding_say(
		f, RDA_SAY_K05_UNANSWERED, RDA_ARG_WORD("operation", rda_key_operation(event)),
		RDA_ARG_KEY("rkey", event->key), RDA_ARG_FRAME("request_frame", event->asked_place),
		RDA_ARG_NUMBER("sent", event->other),
		RDA_ARG_FRAME("invalidated_frame", c->key->rare->invalidated.place));
}

void rda_keys_invalidate_end(struct rda_judge *judge)
{
	const struct rda_table *unknown = &judge->keys->unknown;

	for (uint32_t i = 0; i < unknown->count; i++) {
		const struct rda_key_unknown *of = unknown->items[i];
		const struct rda_subject subject = {RDA_SUBJECT_FLOW, of->flow};

		if (!rda_finding_find_as(&judge->findings, RDA_CHECK_K06, RDA_SEVERITY_NOTE,
					 RDA_PROOF_SUSPECTED, subject)) /* told beside K07 */
			invalidate_of_unknown_key(judge, of, RDA_SEVERITY_WARNING);
	}
}
