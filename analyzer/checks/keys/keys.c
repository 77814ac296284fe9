/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group K: memory keys and what is done with them; see checks.def. Here are the checks of single
 * requests. Elsewhere: refusals (refused.c), SEND with Invalidate (invalidate.c), keys that several
 * QPs use (shared.c), keys told in clear (told.c), how well they can be guessed (guess.c). How
 * requests come to be events: track/keys/key_track.h.
 */
#include "analyzer/checks/keys/state.h"
#include "analyzer/track/keys/key_track.h"

#include <glib.h>

void rda_check_keys_begin(struct rda_judge *judge)
{
	uint64_t seed = judge->findings.table.seed;

	judge->keys = g_new(struct rda_keys_state, 1);
	rda_table_init(&judge->keys->hosts, sizeof(uint32_t), sizeof(struct rda_key_host), seed);
	rda_table_init(&judge->keys->unknown, sizeof(uint32_t), sizeof(struct rda_key_unknown),
		       seed);
}

static void cleanup_host(void *item)
{
	struct rda_key_host *host = item;

	g_free(host->scan);
	g_free(host->numbers);
}

void rda_check_keys_free(struct rda_judge *judge)
{
	rda_table_cleanup(&judge->keys->hosts, cleanup_host);
	rda_table_cleanup(&judge->keys->unknown, NULL);
	g_free(judge->keys);
}

struct rda_finding *rda_key_finding_by(const struct rda_key_case *c, enum rda_check check,
				       uint64_t place, unsigned unsure, unsigned mild)
{
	const struct rda_check_row *row = rda_check_row(check);
	enum rda_severity milder =
		row->severity == RDA_SEVERITY_ERROR ? RDA_SEVERITY_WARNING : RDA_SEVERITY_NOTE;

	return rda_finding_add_as(&c->judge->findings, check,
				  c->event->doubt & mild ? milder : row->severity,
				  c->event->doubt & unsure ? RDA_PROOF_SUSPECTED : row->proof,
				  rda_key_flow(c), place);
}

/* ---- single requests ------------------------------------------------------------------------- */

/* What the bytes of a request show alone. */
static struct rda_finding *by_bytes(const struct rda_key_case *c, enum rda_check check)
{
	return rda_key_finding_by(c, check, c->event->place, RDA_KEY_UNCHECKED, RDA_KEY_UNCHECKED);
}

/* K16 */
static void atomic_misaligned(const struct rda_key_case *c)
{
	if (c->event->use != RDA_KEY_USE_ATOMIC || (c->event->va & 7) == 0)
		return;
	rda_finding_say(by_bytes(c, RDA_CHECK_K16), RDA_SAY_K16_ADDRESS,
			RDA_ARG_HEX("address", c->event->va, 16));
}

static bool is_reserved(const struct rda_key_event *event)
{
	return (event->key == 0 || event->key == UINT32_MAX) && event->length;
}

/* K20 */
static void reserved_key(const struct rda_key_case *c)
{
	uint32_t key = c->event->key;

	if (!is_reserved(c->event))
		return;
	rda_finding_say(by_bytes(c, RDA_CHECK_K20), RDA_SAY_K20_RESERVED,
			RDA_ARG_WORD("operation", rda_key_operation(c->event)),
			RDA_ARG_NUMBER("length", c->event->length), RDA_ARG_KEY("rkey", key));
}

/* K20: the responder did what was asked with that key, so somebody gave it out, as drivers do for
 * users in the kernel. */
static void reserved_key_worked(const struct rda_key_case *c)
{
	struct rda_finding *f =
		is_reserved(c->event)
			? rda_finding_find(&c->judge->findings, RDA_CHECK_K20, rda_key_flow(c))
			: NULL;

	if (f)
		f->severity = RDA_SEVERITY_NOTE;
}

/* K21: another request under a PSN that is under way, which came another way. */
static void injection_suspicion(const struct rda_key_case *c)
{
	const struct rda_key_rival *rival = c->event->rival;
	struct rda_finding *f = rda_key_finding(c, RDA_CHECK_K21, c->event->place);

	rda_finding_frame(f, c->event->asked_place);
	rda_finding_say(
		f, RDA_SAY_K21_WAYS, RDA_ARG_PSN("psn", c->event->other),
		RDA_ARG_WORD("other_operation", rda_key_use_words(rival->use)),
		RDA_ARG_KEY("other_rkey", rival->key),
		RDA_ARG_NUMBER("other_ttl", rival->first.ttl),
		RDA_ARG_MAC("other_mac", rival->first.mac),
		/* RoCEv1 has none */
		RDA_ARG_IF(rival->first.source_port,
			   RDA_ARG_NUMBER("other_port", rival->first.source_port)),
		RDA_ARG_WORD("operation", rda_key_operation(c->event)),
		RDA_ARG_KEY("rkey", c->event->key), RDA_ARG_NUMBER("ttl", rival->now.ttl),
		RDA_ARG_MAC("mac", rival->now.mac),
		RDA_ARG_IF(rival->now.source_port, RDA_ARG_NUMBER("port", rival->now.source_port)));
}

static void asked(const struct rda_key_case *c)
{
	if (!c->key)
		return;
	if (c->news->made) {
		rda_keys_told_new(c);
		if (c->event->use == RDA_KEY_USE_INVALIDATE)
			rda_keys_invalidate_new(c);
	}
	if (c->event->use == RDA_KEY_USE_INVALIDATE)
		return;
	atomic_misaligned(c);
	reserved_key(c);
	rda_keys_shared_access(c);
}

/* ---- events ---------------------------------------------------------------------------------- */

void rda_check_keys_key(struct rda_judge *judge, const struct rda_key_event *event,
			const struct rda_key_news *news)
{
	const struct rda_key_case c = {judge, event, news, news->key};

	if (event->stag)
		return; /* group W judges those */
	switch (event->kind) {
	case RDA_KEY_ASKED: asked(&c); break;
	case RDA_KEY_CONTRADICTS: rda_keys_told_otherwise(&c); break;
	case RDA_KEY_RIVAL: injection_suspicion(&c); break;
	case RDA_KEY_WORKED:
		reserved_key_worked(&c);
		rda_keys_invalidate_used(&c);
		break;
	case RDA_KEY_REFUSED: rda_keys_refused(&c); break;
	case RDA_KEY_NUMBER: rda_keys_guess_number(&c); break;
	case RDA_KEY_UNANSWERED: rda_keys_invalidate_unanswered(&c); break;
	case RDA_KEY_FAILED: rda_keys_invalidate_failed(&c); break;
	default: break;
	}
}

/* ---- the end --------------------------------------------------------------------------------- */

static void take_end(void *context, const struct rda_key_event *event)
{
	struct rda_judge *judge = context;
	struct rda_key_news news;

	rda_key_ledger_look(judge->key_ledger, event, &news);
	rda_check_keys_key(judge, event, &news);
}

void rda_check_keys_connection(struct rda_judge *judge, const struct rda_connection *connection)
{
	const struct rda_key_sink sink = {take_end, judge};

	for (unsigned side = 0; side < 2; side++)
		if (connection->flows[side])
			rda_key_track_end(connection->flows[side], &sink);
}

void rda_check_keys_end(struct rda_judge *judge)
{
	rda_keys_refused_end(judge);
	rda_keys_invalidate_end(judge);
	rda_keys_shared_end(judge);
	rda_keys_guess_end(judge);
}

/* Keys are forgotten with the ledger. */
void rda_check_keys_retire(struct rda_judge *judge, const struct rda_moved *moved)
{
	(void)moved;
	rda_check_keys_free(judge);
	rda_check_keys_begin(judge);
}
