/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * STags in the ledger of memory keys: what used them, what was refused, what was invalidated. A
 * READ worked when its data came; a WRITE is never acknowledged, so it is not known to have worked.
 */
#include "analyzer/checks/iwarp/parts.h"

#include "analyzer/checks/keys/state.h"
#include "analyzer/base/put_address.h"

#include <glib.h>
#include <inttypes.h>

/* A Terminate ends its connection, so a scan needs many of them. */
#define SCAN_STAGS 8

/* Hosts of which refusals of STags are counted; each costs 64 bytes. */
#define SCAN_HOSTS_MAX 65536

/* Invalid STags that were asked of one host. */
struct scan {
	const struct rda_host *host; /* that refused */
	uint32_t stags[SCAN_STAGS];
	uint64_t places[SCAN_STAGS];
	uint32_t count;
	bool told;
};

struct rda_iwarp_state {
	struct scan *scans; /* owned; by rda_host.index */
	uint32_t count;
};

void rda_check_stag_free(struct rda_judge *judge)
{
	if (judge->iwarp)
		g_free(judge->iwarp->scans);
	g_free(judge->iwarp);
	judge->iwarp = NULL;
}

/* ---- uses ------------------------------------------------------------------------------------ */

static void use(const struct rda_iwarp_case *c, uint32_t stag, const struct rda_key_access *access)
{
	bool made;
	struct rda_memory_key *key =
		rda_key_ledger_get(&c->judge->keys->ledger, c->flow, stag, &made);

	if (key)
		rda_key_asked(key, c->flow, access);
}

static void note_uses(const struct rda_iwarp_case *c)
{
	const struct rda_ulpdu *u = &c->fpdu->ulpdu;
	const struct rda_rdmap_message *m = &c->step->message;
	struct rda_key_access access = {.place = m->first_place};

	if (u->present & RDA_HAS(RDMAP_READ)) {
		access.use = RDA_KEY_USE_READ;
		access.va = u->read.source_offset;
		access.length = u->read.size;
		use(c, u->read.source_stag, &access);
	} else if (u->present & RDA_HAS(RDMAP_ATOMIC)) {
		access.use = RDA_KEY_USE_ATOMIC;
		access.va = u->atomic.offset;
		access.length = 8;
		use(c, u->atomic.stag, &access);
	} else if (c->step->ends && m->opcode == RDA_RDMAP_OPCODE_WRITE && m->tagged) {
		access.use = RDA_KEY_USE_WRITE;
		access.va = m->offset;
		access.length = (uint32_t)MIN(m->bytes, UINT32_MAX);
		use(c, m->target, &access);
	}
}

/* The whole answer is there: what it was asked with is good. */
static void note_worked(const struct rda_iwarp_case *c)
{
	const struct rda_rdmap_asked *asked = &c->step->asked;
	bool is_read = c->fpdu->ulpdu.opcode == RDA_RDMAP_OPCODE_READ_RESPONSE;
	struct rda_key_access access = {
		.va = asked->read.source_offset,
		.length = asked->read.size,
		.use = is_read ? RDA_KEY_USE_READ : RDA_KEY_USE_ATOMIC,
		.place = asked->place,
	};
	struct rda_memory_key *key;

	if (c->step->fit != RDA_RDMAP_FITS || !c->step->ends || !c->peer)
		return;
	key = rda_key_ledger_find(&c->judge->keys->ledger, c->peer, asked->read.source_stag);
	if (key)
		rda_key_worked(key, &access);
}

/* ---- invalidation ---------------------------------------------------------------------------- */

static bool invalidates(const struct rda_ulpdu *u)
{
	return !u->tagged && u->last &&
	       (u->opcode == RDA_RDMAP_OPCODE_SEND_INV ||
		u->opcode == RDA_RDMAP_OPCODE_SEND_SE_INV);
}

static void note_invalidated(const struct rda_iwarp_case *c)
{
	struct rda_iwarp_watch *w = c->watch;
	uint32_t stag = c->fpdu->ulpdu.ddp_untagged.invalidate_stag;
	struct rda_memory_key *key;

	if (!invalidates(&c->fpdu->ulpdu))
		return;
	w->invalidated[w->invalidated_next++ % RDA_IWARP_INVALIDATED_KEPT] =
		(struct rda_iwarp_invalidated){
			.stag = stag,
			.place = c->fpdu->place,
			.sends = c->peer && c->peer->rdmap ? c->peer->rdmap->sends : 0,
		};
	key = rda_key_ledger_find(&c->judge->keys->ledger, c->flow, stag);
	if (key) {
		key->invalidated_place = c->fpdu->place;
		key->invalidated_by = c->flow;
		key->invalid = true;
	}
}

/* W20: the owner has sent nothing since that could have told the STag anew */
static void stag_used_after_invalidate(const struct rda_iwarp_case *c, uint32_t stag,
				       const char *what)
{
	uint64_t sends = c->peer && c->peer->rdmap ? c->peer->rdmap->sends : 0;

	if (!c->peer || c->watch->broken)
		return;
	for (unsigned i = 0; i < RDA_IWARP_INVALIDATED_KEPT; i++) {
		const struct rda_iwarp_invalidated *was = &c->watch->invalidated[i];
		struct rda_memory_key *key;
		struct rda_finding *f;

		if (!was->place || was->stag != stag || was->sends != sends)
			continue;
		key = rda_key_ledger_find(&c->judge->keys->ledger, c->flow, stag);
		if (key)
			key->used_after_invalidate++;
		f = rda_iwarp_find(c, RDA_CHECK_W20, c->fpdu->first_place);
		rda_finding_frame(f, was->place);
		rda_say(f,
			"%s uses STag 0x%08" PRIx32
			", which the same side had invalidated in frame "
			"%" PRIu64
			"; its owner has sent nothing since that could have told it anew.",
			what, stag, rda_place_number(was->place));
		return;
	}
}

static void look_for_invalidated(const struct rda_iwarp_case *c)
{
	const struct rda_ulpdu *u = &c->fpdu->ulpdu;

	if (!c->watch->invalidated_next)
		return;
	if (u->opcode == RDA_RDMAP_OPCODE_WRITE && c->step->begins && u->payload_length)
		stag_used_after_invalidate(c, u->ddp_tagged.stag, "A WRITE");
	else if (u->present & RDA_HAS(RDMAP_READ) && u->read.size)
		stag_used_after_invalidate(c, u->read.source_stag, "A READ");
	else if (u->present & RDA_HAS(RDMAP_ATOMIC))
		stag_used_after_invalidate(c, u->atomic.stag, "An atomic");
}

void rda_check_stag_fpdu(const struct rda_iwarp_case *c)
{
	if (!c->step->counted)
		return;
	note_uses(c);
	note_worked(c);
	look_for_invalidated(c);
	note_invalidated(c);
}

/* ---- refusals -------------------------------------------------------------------------------- */

static struct scan *scan_of(const struct rda_iwarp_case *c)
{
	struct rda_iwarp_state *state = c->judge->iwarp;
	const struct rda_host *host = c->flow->sender;

	if (host->index >= SCAN_HOSTS_MAX)
		return NULL;
	if (!state)
		state = c->judge->iwarp = g_new0(struct rda_iwarp_state, 1);
	if (host->index >= state->count) {
		uint32_t count = 2 * host->index + 1;

		state->scans = g_renew(struct scan, state->scans, count);
		memset(state->scans + state->count, 0,
		       (count - state->count) * sizeof(*state->scans));
		state->count = count;
	}
	state->scans[host->index].host = host;
	return &state->scans[host->index];
}

/* W21 */
static void stag_not_advertised(const struct rda_iwarp_case *c, uint32_t stag)
{
	struct scan *scan = scan_of(c);
	struct rda_finding *f = NULL;
	char *name;

	if (!scan || scan->told)
		return;
	for (uint32_t i = 0; i < scan->count; i++)
		if (scan->stags[i] == stag)
			return;
	scan->stags[scan->count] = stag;
	scan->places[scan->count++] = c->fpdu->place;
	if (scan->count < SCAN_STAGS)
		return;
	scan->told = true;
	f = rda_find(&c->judge->findings, RDA_CHECK_W21, rda_about_host(scan->host),
		     scan->places[0]);
	for (uint32_t i = 1; i < scan->count; i++)
		rda_finding_frame(f, scan->places[i]);
	name = rda_iwarp_name(c->flow);
	rda_say(f,
		"%s refused %d different STags as invalid, the first 0x%08" PRIx32
		", the latest 0x%08" PRIx32 ": they may have been guessed.",
		name, SCAN_STAGS, scan->stags[0], stag);
	g_free(name);
}

void rda_check_stag_refused(const struct rda_iwarp_case *c, uint32_t stag, uint64_t offset,
			    const struct rda_rdmap_message *message, bool is_stag_invalid)
{
	struct rda_key_access access = {
		.va = offset,
		.length = message ? (uint32_t)MIN(message->bytes, UINT32_MAX) : 0,
		.place = message ? message->first_place : c->fpdu->place,
	};
	bool made;
	struct rda_memory_key *key =
		rda_key_ledger_get(&c->judge->keys->ledger, c->peer, stag, &made);

	if (key) {
		if (made)
			rda_key_asked(key, c->peer, &access);
		rda_key_refused(key, &access);
	}
	if (is_stag_invalid)
		stag_not_advertised(c, stag);
}
