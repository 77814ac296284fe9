/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * STags that are used after they were invalidated, and STags that may have been guessed; what uses
 * them is known by track/keys/stag_track.h.
 */
#include "analyzer/checks/iwarp/state.h"

#include "analyzer/track/keys/stag_track.h"

#include <glib.h>

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

/* W20: the owner has sent nothing since that could have told the STag anew */
void rda_check_stag_fpdu(const struct rda_iwarp_case *c)
{
	const struct rda_ulpdu *u = &c->fpdu->ulpdu;
	uint64_t place;
	uint32_t stag;
	struct rda_finding *f;

	if (!c->step->counted || !rda_stag_is_used(c->fpdu, c->step, &stag))
		return;
	place = rda_stag_invalidated(c->flow, c->peer, stag);
	if (!place)
		return;
	f = rda_iwarp_find(c, RDA_CHECK_W20, c->fpdu->first_place);
	rda_finding_frame(f, place);
	rda_finding_say(f, RDA_SAY_W20_USED,
			RDA_ARG_WORD("operation", u->opcode == RDA_RDMAP_OPCODE_WRITE ? "WRITE"
						  : u->present & RDA_HAS(RDMAP_READ)  ? "READ"
										      : "atomic"),
			RDA_ARG_KEY("stag", stag), RDA_ARG_FRAME("invalidated_frame", place));
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
void rda_check_stag_not_valid(const struct rda_iwarp_case *c, uint32_t stag)
{
	struct scan *scan = scan_of(c);
	struct rda_finding *f = NULL;

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
	f = rda_finding_add(&c->judge->findings, RDA_CHECK_W21, rda_about_host(scan->host),
			    scan->places[0]);
	for (uint32_t i = 1; i < scan->count; i++)
		rda_finding_frame(f, scan->places[i]);
	rda_finding_say(f, RDA_SAY_W21_REFUSED, RDA_ARG_ADDRESS("host", &c->flow->key.source),
			RDA_ARG_NUMBER("stags", SCAN_STAGS),
			RDA_ARG_KEY("first_stag", scan->stags[0]),
			RDA_ARG_KEY("latest_stag", stag));
}
