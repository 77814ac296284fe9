/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The families of checks, called in one order, and the last word on proof.
 */
#include "analyzer/checks/judge.h"

#include "analyzer/track/application.h"
#include "analyzer/checks/answer/answer.h"
#include "analyzer/checks/capture/capture.h"
#include "analyzer/checks/congestion/congestion.h"
#include "analyzer/checks/frame/frame.h"
#include "analyzer/checks/iwarp/iwarp.h"
#include "analyzer/checks/keys/keys.h"
#include "analyzer/checks/management/management.h"
#include "analyzer/checks/sequence/sequence.h"
#include "analyzer/checks/time/time.h"
#include "analyzer/track/seen.h"

#include <string.h>

/* The families, in the order in which they are called: the quality of the capture first. Those of
 * keys look at events of keys only. */
#define FAMILIES(F) FLOW_FAMILIES(F) F(keys)

/* Those that watch flows. */
#define FLOW_FAMILIES(F) PACKET_FAMILIES(F) F(iwarp)

/* Those that look at packets; iWARP's has hooks of its own (fpdus.c). */
#define PACKET_FAMILIES(F)                                                                         \
	F(capture)                                                                                 \
	F(frame)                                                                                   \
	F(management)                                                                              \
	F(sequence)                                                                                \
	F(answer)                                                                                  \
	F(time)                                                                                    \
	F(congestion)

void rda_judge_init(struct rda_judge *judge, uint64_t hash_seed)
{
	memset(judge, 0, sizeof(*judge));
	rda_findings_init(&judge->findings, hash_seed);
#define RDA_F(family) rda_check_##family##_begin(judge);
	FAMILIES(RDA_F)
#undef RDA_F
}

void rda_judge_cleanup(struct rda_judge *judge, const struct rda_table *flows)
{
	for (uint32_t i = 0; i < flows->count; i++) {
#define RDA_F(family) rda_check_##family##_forget(flows->items[i]);
		FLOW_FAMILIES(RDA_F)
#undef RDA_F
	}
#define RDA_F(family) rda_check_##family##_free(judge);
	FAMILIES(RDA_F)
#undef RDA_F
	rda_findings_cleanup(&judge->findings);
}

void rda_judge_packet(const struct rda_at *at)
{
#define RDA_F(family) rda_check_##family##_packet(at);
	PACKET_FAMILIES(RDA_F)
#undef RDA_F
}

void rda_judge_copy(const struct rda_at *at)
{
	rda_check_capture_copy(at);
	rda_check_answer_copy(at);
}

void rda_judge_event(const struct rda_at *at, const struct rda_event *event)
{
#define RDA_F(family) rda_check_##family##_event(at, event);
	PACKET_FAMILIES(RDA_F)
#undef RDA_F
}

/* ---- the end --------------------------------------------------------------------------------- */

/* Whose finding it is, once flows are connections. */
static void place_finding(struct rda_finding *finding, const struct rda_whole *whole)
{
	const struct rda_seat *seat;

	if (finding->key.subject.kind == RDA_SUBJECT_CONNECTION) {
		finding->connection = (int32_t)finding->key.subject.index;
	} else if (finding->key.subject.kind == RDA_SUBJECT_FLOW) {
		seat = &whole->seats[finding->key.subject.index];
		finding->connection = (int32_t)seat->connection;
		finding->flow = (int8_t)seat->side;
	}
}

/* What the capture lacks of the connection weakens or silences it. */
static void weigh(struct rda_judge *judge, struct rda_finding *finding)
{
	const struct rda_check_row *row = rda_check_row(finding->key.check);
	uint8_t lacks;

	if (judge->off[finding->key.check]) {
		finding->withheld = true;
		return;
	}
	if (finding->connection < 0 || finding->stands_alone)
		return;
	lacks = (uint8_t)~judge->whole.connections[finding->connection].seen;
	if (row->requires & lacks) {
		finding->withheld = true;
		judge->withheld[finding->key.check] += finding->count;
	} else if (row->needs & lacks && finding->proof == RDA_PROOF_PROVEN) {
		finding->proof = RDA_PROOF_SUSPECTED;
		judge->lowered[finding->key.check] += finding->count;
	}
}

void rda_judge_end(struct rda_judge *ending, const struct rda_judge *judge,
		   const struct rda_whole *whole)
{
	*ending = *judge;
	rda_findings_copy(&ending->findings, &judge->findings);
	ending->whole = *whole;
	for (uint32_t i = 0; i < whole->connection_count; i++) {
		whole->connections[i].seen = rda_seen_of(&whole->connections[i]);
		whole->connections[i].application =
			rda_application_of(&whole->connections[i], whole->cm);
	}
	for (uint32_t i = 0; i < whole->connection_count; i++) {
#define RDA_F(family) rda_check_##family##_connection(ending, &whole->connections[i]);
		FAMILIES(RDA_F)
#undef RDA_F
	}
#define RDA_F(family) rda_check_##family##_end(ending);
	FAMILIES(RDA_F)
#undef RDA_F
	for (uint32_t i = 0; i < ending->findings.table.count; i++) {
		place_finding(ending->findings.table.items[i], whole);
		weigh(ending, ending->findings.table.items[i]);
	}
	rda_findings_rank(&ending->findings);
}

void rda_judge_end_cleanup(struct rda_judge *ending)
{
	rda_findings_cleanup(&ending->findings);
}
