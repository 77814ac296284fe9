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

/* Hosts of which refusals of STags are counted; each costs about 150 bytes. */
#define SCAN_HOSTS_MAX 65536

/* The first invalid STags that were asked of one host, each once, in order of place. */
struct scan {
	struct rda_address host; /* first: the table's key; that refused */
	uint32_t stags[SCAN_STAGS];
	uint64_t places[SCAN_STAGS];
	uint32_t count;
};

struct rda_iwarp_state {
	struct rda_table scans;
};

static struct rda_iwarp_state *state_of(struct rda_judge *judge)
{
	if (!judge->iwarp) {
		judge->iwarp = g_new0(struct rda_iwarp_state, 1);
		rda_table_init(&judge->iwarp->scans, sizeof(struct rda_address),
			       sizeof(struct scan), judge->findings.table.seed);
	}
	return judge->iwarp;
}

void rda_check_stag_free(struct rda_judge *judge)
{
	if (judge->iwarp)
		rda_table_cleanup(&judge->iwarp->scans, NULL);
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

static void note_stag(struct scan *scan, uint32_t stag, uint64_t place)
{
	uint32_t at = 0, known = 0;

	while (known < scan->count && scan->stags[known] != stag)
		known++;
	while (at < scan->count && scan->places[at] <= place)
		at++;
	if (at >= SCAN_STAGS || at > known)
		return; /* it is known from before */
	if (known == scan->count)
		scan->count = known < SCAN_STAGS ? known + 1 : SCAN_STAGS;
	for (uint32_t i = known < SCAN_STAGS ? known : SCAN_STAGS - 1; i > at; i--) {
		scan->stags[i] = scan->stags[i - 1];
		scan->places[i] = scan->places[i - 1];
	}
	scan->stags[at] = stag;
	scan->places[at] = place;
}

static struct scan *scan_of(struct rda_judge *judge, const struct rda_address *host)
{
	struct rda_table *scans = &state_of(judge)->scans;

	return scans->count < SCAN_HOSTS_MAX ? rda_table_get(scans, host, NULL)
					     : rda_table_find(scans, host);
}

void rda_check_stag_not_valid(const struct rda_iwarp_case *c, uint32_t stag)
{
	struct scan *scan = scan_of(c->judge, &c->flow->key.source);

	if (scan && scan->count < SCAN_STAGS)
		note_stag(scan, stag, c->fpdu->place);
}

void rda_check_iwarp_join(struct rda_judge *to, const struct rda_judge *from,
			  const struct rda_moved *moved)
{
	(void)moved;
	for (uint32_t i = 0; from->iwarp && i < from->iwarp->scans.count; i++) {
		const struct scan *scan = from->iwarp->scans.items[i];
		struct scan *joined = scan_of(to, &scan->host);

		for (uint32_t k = 0; joined && k < scan->count; k++)
			note_stag(joined, scan->stags[k], scan->places[k]);
	}
}

void rda_check_iwarp_pack(struct rda_pack *pack, struct rda_judge *judge)
{
	bool there = judge->iwarp != NULL;

	rda_pack_bytes(pack, &there, sizeof(there));
	if (there)
		rda_pack_table(pack, &state_of(judge)->scans, NULL);
}

/* W21 */
void rda_check_iwarp_overall(struct rda_judge *judge)
{
	for (uint32_t i = 0; judge->iwarp && i < judge->iwarp->scans.count; i++) {
		const struct scan *scan = judge->iwarp->scans.items[i];
		struct rda_finding *f;

		if (scan->count < SCAN_STAGS)
			continue;
		f = rda_finding_add(&judge->findings, RDA_CHECK_W21,
				    rda_about_host(rda_overall_host(judge->overall, &scan->host)),
				    scan->places[0]);
		for (uint32_t k = 1; k < scan->count; k++)
			rda_finding_frame(f, scan->places[k]);
		rda_finding_say(f, RDA_SAY_W21_REFUSED, RDA_ARG_ADDRESS("host", &scan->host),
				RDA_ARG_NUMBER("stags", SCAN_STAGS),
				RDA_ARG_KEY("first_stag", scan->stags[0]),
				RDA_ARG_KEY("latest_stag", scan->stags[SCAN_STAGS - 1]));
	}
}
