/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The judge: hands what passes to the families of checks, and what they found to the reports.
 *
 *     trackers --- events --->  +----------+
 *     packets --------------->  | families |  --- findings --->  rank, reports
 *     connections, at the end>  +----------+
 *
 * A family is a folder: what it watches of a flow hangs on the flow (struct rda_watch), what it
 * watches of hosts and captures in a state of its own here. Families see facts and packets
 * and never change them.
 *
 * What a finding about a connection says follows from the packets between its two hosts. What is
 * said of a host, of a capture, or of a connection because of other hosts' packets is judged
 * overall: by values that the results of parts have (rda_judge_join) and that are judged once more
 * when these become one (rda_judge_overall).
 *
 * What the capture lacks of a connection is considered here, for all checks: a finding whose check
 * needs more is "suspected"; one whose check requires more is withheld, and counted.
 */
#ifndef RDA_JUDGE_H
#define RDA_JUDGE_H

#include "analyzer/base/fetch.h"
#include "analyzer/base/pack.h"
#include "analyzer/track/capture.h"
#include "analyzer/checks/finding.h"
#include "analyzer/track/connection.h"
#include "analyzer/track/host.h"
#include "analyzer/track/pair.h"
#include "analyzer/base/meta.h"
#include "analyzer/track/roce/account.h"
#include "analyzer/track/roce/footprint.h"
#include "analyzer/track/roce/gave_up.h"
#include "analyzer/track/roce/icrc_source.h"
#include "analyzer/track/setup/cm_track.h"

/* What is known once all packets were seen. */
struct rda_whole {
	const struct rda_table *flows;	/* struct rda_flow */
	const struct rda_table *hosts;	/* struct rda_host */
	const struct rda_host *host_of; /* the same, by rda_host.index */
	const struct rda_cm_track *cm;
	struct rda_connection *connections;
	uint32_t connection_count;
	const struct rda_seat *seats; /* by index of the flow */
	const struct rda_capture *captures;
	uint32_t capture_count;
	const struct rda_table *icrc_senders; /* struct rda_icrc_source; in rda_judge_retire only */
};

/* What all parts of the captures have, as values; those with an index are in its order. */
struct rda_overall {
	const struct rda_capture *captures;
	struct rda_host *hosts; /* by rda_host.index */
	const uint32_t *sorted_hosts;
	struct rda_flow_facts *const *flows;
	const struct rda_connection_facts *connections;
	const struct rda_conversation *conversations;
	uint32_t capture_count, host_count, flow_count, connection_count, conversation_count;
	const struct rda_table *icrc_senders; /* struct rda_icrc_source */
	const struct rda_ways *ways;
	const struct rda_collectives *collectives;
	const struct rda_congestion_facts *congestion;
};

struct rda_ways;
struct rda_collectives;
struct rda_congestion_facts;
struct rda_key_ledger;
struct rda_key_log;
struct rda_key_event;
struct rda_key_news;

static inline uint32_t rda_moved_to(const uint32_t *indices, uint32_t index)
{
	return indices ? indices[index] : index;
}

struct rda_judge {
	struct rda_findings findings;
	uint64_t
		withheld[RDA_CHECK_COUNT]; /* cases of checks that require more than was captured */
	uint64_t retired_withheld[RDA_CHECK_COUNT]; /* of those: of connections that are gone */
	bool off[RDA_CHECK_COUNT];		    /* these are not told */
	uint8_t severity[RDA_CHECK_COUNT]; /* 1 + the one that these are told with; 0: their own */
	bool retired;	     /* connections were closed early: nobody knows who else was there */
	uint32_t link_gbits; /* 0: not told */
	struct rda_dissect_config dissect; /* which UDP ports are RoCEv2's */
	bool part; /* times and bytes of all frames are another's, who is told of all */
	uint64_t lowered[RDA_CHECK_COUNT]; /* cases that would be proven in a fuller capture */
	struct rda_whole whole;		   /* valid at the end */
	const struct rda_overall *overall; /* valid in rda_judge_overall */
	bool missed_frames; /* by captures that dropped much (missed.h); valid there, too */
	const struct rda_key_ledger *key_ledger; /* borrowed */
	const struct rda_icrc_ways *icrc_ways;	 /* borrowed; valid while packets come */

	/* states of the families, made by rda_check_NAME_begin; NULL where there is none */
	struct rda_frame_state *frame;
	struct rda_sequence_state *sequence;
	struct rda_answer_state *answer;
	struct rda_time_state *time;
	struct rda_keys_state *keys;
	struct rda_congestion_state *congestion;
	struct rda_management_state *management;
	struct rda_capture_state *capture;
	struct rda_iwarp_state *iwarp;
};

/* One packet in its place, as the families look at it. */
struct rda_at {
	struct rda_judge *judge;
	const struct rda_cm_track *cm;
	const struct rda_meta *meta;
	const struct rda_frame *frame;
	const struct rda_packet *packet;
	uint32_t capture;
	uint64_t place;	  /* of the frame (meta.h): what findings list */
	uint64_t copy_of; /* place of the packet that is in the capture once more; 0: none */
	bool damaged;	  /* its contents cannot be trusted */
	bool credible;	  /* its bytes may be what was sent: rda_is_credible, asked once */
	bool vcrc_fails;  /* the link's CRC does not fit */
	uint8_t icrc;	  /* enum rda_icrc_check, of this packet alone */
	const struct rda_icrc_source *icrc_source; /* its sender's, so far; NULL: counts for none */
	struct rda_flow *flow;			   /* that carries it; NULL: none */
	/*
	 * Whose requests it is about: of a request `flow`, of a response its peer; NULL when the
	 * packet is of no reliable service, or the peer is not known.
	 */
	struct rda_flow *asker;
	/* of a request of a reliable service, as the tracker took it; else NULL */
	const struct rda_request *request;
	enum rda_request_kind kind;	/* of it */
	uint64_t original;		/* the place of the frame that it repeats, or 0 */
	const struct rda_cm_step *step; /* the CM message that it carries; NULL: none */
};

void rda_judge_init(struct rda_judge *judge, uint64_t hash_seed);
/* Which checks are not told, or told with another severity. */
void rda_judge_weigh_as(struct rda_judge *judge, const struct rda_config *config);
/* `flows`: what is watched of them is freed; NULL: nothing is. */
void rda_judge_cleanup(struct rda_judge *judge, const struct rda_table *flows);

/* A look ahead (engine/ahead.h): what is watched of a flow is brought in. */
static inline void rda_judge_fetch(const struct rda_flow *flow)
{
	if (!flow)
		return;
	rda_footprint_fetch(flow->account);
	rda_fetch_lines(flow->watch.frame, 2);
	rda_fetch_lines(flow->watch.sequence, 2);
	rda_fetch_lines(flow->watch.answer, 3);
	rda_fetch_lines(flow->watch.time, 3);
	rda_fetch_lines(flow->watch.congestion, 2);
}

/* A flow goes: what is watched of it is freed. */
void rda_judge_forget(struct rda_flow *flow);

/* Any frame, of RDMA or not; after the trackers took it. */
void rda_judge_packet(const struct rda_at *at);

/* A packet that is in the capture once more (copies.h): few families look at those. */
void rda_judge_copy(const struct rda_at *at);

/* A frame that another engine has; `packet` is there if it stops a link. */
void rda_judge_others(const struct rda_at *at, const struct rda_share *share);

/* The same for who has no frames at all (splitter.h): what needs them is left out. */
void rda_judge_times(const struct rda_at *at, const struct rda_share *share);

/* Of a part: there were frames that others have; at->meta, capture and place are those of one. */
void rda_judge_between(const struct rda_at *at);

/* A fact that a tracker noticed at a packet. */
void rda_judge_event(const struct rda_at *at, const struct rda_event *event);

/* An event of a memory key, and what it was to the ledger, which took it. */
void rda_judge_key(struct rda_judge *judge, const struct rda_key_event *event,
		   const struct rda_key_news *news);

/* Whether a check looks at events of keys only, and so is judged by rda_judge_keys. */
bool rda_judge_is_of_keys(enum rda_check check);

/*
 * All that a log of several engines has, told to judge->key_ledger, which is new, and judged: what
 * rda_judge_key and rda_judge_end would have said of keys. `judge` has new states of the families,
 * no findings of such checks, and whole.host_of.
 */
void rda_judge_keys(struct rda_judge *judge, const struct rda_key_log *log,
		    struct rda_key_ledger *ledger);

/*
 * The judgement as it is if no more packets come: `judge` stays as it is, *ending has the findings
 * of its own that rda_judge_end_cleanup frees, and the families' states of `judge`, which the last
 * checks only read. The checks of connections are done.
 */
void rda_judge_end(struct rda_judge *ending, const struct rda_judge *judge,
		   const struct rda_whole *whole);
void rda_judge_end_cleanup(struct rda_judge *ending);

/*
 * What a judge or a part's result has of hosts and captures, but for findings: added to that of
 * `to`, which has been initialised. Neither order nor grouping matters.
 */
void rda_judge_join(struct rda_judge *to, const struct rda_judge *from,
		    const struct rda_moved *moved);

/* Findings, unranked, and what rda_judge_join looks at: of one that has been initialised. */
void rda_judge_pack(struct rda_pack *pack, struct rda_judge *judge);

/* The checks of hosts and captures, by all that was joined; then the findings are ranked. */
void rda_judge_overall(struct rda_judge *judge, const struct rda_overall *overall);

/*
 * The severity that a finding is told with, and whether it is told, as options and what the capture
 * lacks have it. Of one about a connection only within rda_judge_overall.
 */
void rda_judge_weigh(struct rda_judge *judge, struct rda_finding *finding);

/*
 * A finding about a connection that went is its capture's from now on, and not proven. False:
 * nothing is told, as it is withheld, or its check requires more than was captured of the
 * connection (`seen`, a mask of enum rda_seen_bit; 0: not known any more), which is counted.
 */
bool rda_judge_settle_gone(struct rda_judge *judge, struct rda_finding *finding, uint8_t seen);

/*
 * Connections go before the end: they are judged as if no more packets came. What is found of them
 * counts for their captures from now on, and is not proven. `gone`: by id; `moved`: of flows and
 * hosts, that are freed after this.
 */
void rda_judge_retire(struct rda_judge *judge, const struct rda_whole *whole, const bool *gone,
		      const struct rda_moved *moved);

/* ---- the hooks of the families --------------------------------------------------------------- */

/*
 * Which family, a folder of checks/, has which of the hooks rda_check_FAMILY_HOOK. They are called
 * in this order: the quality of the capture first. iWARP's sees FPDUs instead of packets (iwarp.h),
 * that of upper layers commands and their answers (ulp.h).
 */
#define RDA_FRAME_FAMILIES(F)	    F(capture) F(frame) F(time) F(congestion)
#define RDA_OTHER_FRAME_FAMILIES(F) F(management) F(congestion)
#define RDA_PACKET_FAMILIES(F)                                                                     \
	F(capture) F(frame) F(management) F(sequence) F(answer) F(time) F(congestion)
#define RDA_FLOW_FAMILIES(F) RDA_PACKET_FAMILIES(F) F(iwarp)
#define RDA_CONNECTION_FAMILIES(F)                                                                 \
	F(capture) F(management) F(sequence) F(answer) F(time) F(congestion) F(iwarp) F(keys)
#define RDA_EVENT_FAMILIES(F) F(capture) F(sequence) F(answer) F(time) F(congestion)
#define RDA_KEY_FAMILIES(F)   F(answer) F(keys)
#define RDA_STATE_FAMILIES(F)                                                                      \
	F(capture) F(frame) F(management) F(answer) F(time) F(congestion) F(keys)
#define RDA_END_FAMILIES(F)    F(management) F(keys)
#define RDA_OTHERS_FAMILIES(F) F(capture) F(time) F(congestion)
#define RDA_JOIN_FAMILIES(F)   F(capture) F(frame) F(management) F(time) F(congestion) F(iwarp)
#define RDA_RETIRE_FAMILIES(F) F(capture) F(frame) F(management) F(answer) F(congestion) F(keys)
#define RDA_OVERALL_FAMILIES(F)                                                                    \
	F(capture) F(frame) F(management) F(answer) F(time) F(congestion) F(iwarp)

#define RDA_F(family)                                                                              \
	void rda_check_##family##_begin(struct rda_judge *judge); /* makes its state */            \
	void rda_check_##family##_free(struct rda_judge *judge);
RDA_STATE_FAMILIES(RDA_F)
#undef RDA_F
void rda_check_iwarp_free(struct rda_judge *judge); /* its first finding makes its state */

/* Frees what is watched of a flow. */
#define RDA_F(family) void rda_check_##family##_forget(struct rda_flow *flow);
RDA_FLOW_FAMILIES(RDA_F)
#undef RDA_F

/* What the durations take that group T keeps of a flow: the more they differ, the more. */
uint64_t rda_check_time_bytes(const struct rda_flow *flow);

/* Any frame, of RDMA or not, damaged or not. */
#define RDA_F(family) void rda_check_##family##_frame(const struct rda_at *at);
RDA_FRAME_FAMILIES(RDA_F)
#undef RDA_F
/* Besides, any but plain RoCEv2 (rda_packet.plain): */
#define RDA_F(family) void rda_check_##family##_other_frame(const struct rda_at *at);
RDA_OTHER_FRAME_FAMILIES(RDA_F)
#undef RDA_F
/* Then, if it is a packet of a flow, and not damaged: */
#define RDA_F(family) void rda_check_##family##_packet(const struct rda_at *at);
RDA_PACKET_FAMILIES(RDA_F)
#undef RDA_F
/* or damaged, of a flow that is known. */
void rda_check_sequence_damaged(const struct rda_at *at);

/*
 * Whether damaged packets were there that may be this flow's: between hosts of its class, and what
 * tells whose they are was damaged.
 */
bool rda_check_frame_of_nobody(const struct rda_judge *judge, const struct rda_flow *flow);

/* Whether what this flow's sender sent of it, and is missing, may be one of these. */
bool rda_check_frame_may_be_missing(const struct rda_judge *judge, const struct rda_flow *flow);

void rda_check_capture_copy(const struct rda_at *at);
void rda_check_answer_copy(const struct rda_at *at);
void rda_check_time_copy(const struct rda_at *at);

#define RDA_F(family)                                                                              \
	void rda_check_##family##_event(const struct rda_at *at, const struct rda_event *event);
RDA_EVENT_FAMILIES(RDA_F)
#undef RDA_F

/* An event of a memory key, and what it was to the ledger. */
#define RDA_F(family)                                                                              \
	void rda_check_##family##_key(struct rda_judge *judge, const struct rda_key_event *event,  \
				      const struct rda_key_news *news);
RDA_KEY_FAMILIES(RDA_F)
#undef RDA_F

/* A frame that another engine has; what is there is at->meta, frame, capture, place, and share. */
#define RDA_F(family)                                                                              \
	void rda_check_##family##_others(const struct rda_at *at, const struct rda_share *share);
RDA_OTHERS_FAMILIES(RDA_F)
#undef RDA_F

/* Of a part: others have frames here; what is there is at->meta, capture, place. */
void rda_check_capture_between(const struct rda_at *at);
void rda_check_congestion_between(const struct rda_at *at);

/* Once all packets were seen: for each connection, then once. */
#define RDA_F(family)                                                                              \
	void rda_check_##family##_connection(struct rda_judge *judge,                              \
					     const struct rda_connection *connection);
RDA_CONNECTION_FAMILIES(RDA_F)
RDA_F(ulp)
#undef RDA_F
#define RDA_F(family) void rda_check_##family##_end(struct rda_judge *judge);
RDA_END_FAMILIES(RDA_F)
#undef RDA_F

/* Flows and hosts have other indices, or are gone: before they go. */
#define RDA_F(family)                                                                              \
	void rda_check_##family##_retire(struct rda_judge *judge, const struct rda_moved *moved);
RDA_RETIRE_FAMILIES(RDA_F)
#undef RDA_F

/* Adds the state of one family to that of another judge's (rda_judge_join). */
#define RDA_F(family)                                                                              \
	void rda_check_##family##_join(struct rda_judge *to, const struct rda_judge *from,         \
				       const struct rda_moved *moved);
RDA_JOIN_FAMILIES(RDA_F)
#undef RDA_F

/* What of the state rda_check_FAMILY_join looks at (pack.h). */
#define RDA_F(family)                                                                              \
	void rda_check_##family##_pack(struct rda_pack *pack, struct rda_judge *judge);
RDA_JOIN_FAMILIES(RDA_F)
#undef RDA_F

/* By judge->overall and the state alone. */
#define RDA_F(family) void rda_check_##family##_overall(struct rda_judge *judge);
RDA_OVERALL_FAMILIES(RDA_F)
#undef RDA_F

/* ---- for families ---------------------------------------------------------------------------- */

static inline struct rda_subject rda_about_flow(const struct rda_flow *flow)
{
	return (struct rda_subject){RDA_SUBJECT_FLOW, flow->index};
}

static inline struct rda_subject rda_about_connection(const struct rda_connection *connection)
{
	return (struct rda_subject){RDA_SUBJECT_CONNECTION, connection->id};
}

static inline struct rda_subject rda_about_host(const struct rda_host *host)
{
	return (struct rda_subject){RDA_SUBJECT_HOST, host->index};
}

static inline struct rda_subject rda_about_capture(uint32_t capture)
{
	return (struct rda_subject){RDA_SUBJECT_CAPTURE, capture};
}

/* A case of a check at this packet, about the flow that carries it. */
static inline struct rda_finding *rda_finding_at(const struct rda_at *at, enum rda_check check)
{
	return rda_finding_add(&at->judge->findings, check, rda_about_flow(at->flow), at->place);
}

/* An ICRC that fits tells that its bytes are what was sent. */
static inline bool rda_judge_is_checked(const struct rda_at *at)
{
	return at->icrc == RDA_ICRC_CHECK_MATCH;
}

/*
 * The same of a request of a flow as it is remembered. An ICRC is kept only where it was captured
 * whole; that it fitted follows from its sender's having good ones.
 */
RDA_COLD bool rda_judge_was_checked(const struct rda_at *at, const struct rda_flow *flow,
				    const struct rda_sent *sent);

/* The first request of a flow that passed goes on with a message, as Q09 says: others were sent
 * before it. Once all was seen. */
bool rda_judge_began_inside(const struct rda_judge *judge, const struct rda_flow *flow);

/*
 * A case that the bytes of this packet show, beside those of an earlier one: of a contradiction
 * between two packets either may be the one that is wrong. Where no ICRC tells of both that their
 * bytes are what was sent (they were captured before the ICRC was put in, or are cut), damage may
 * have made them, or they may be of another protocol on RoCE's port: then it is suspected, and
 * milder. `checked`: the earlier packet's ICRC fitted.
 */
RDA_COLD struct rda_finding *rda_finding_by_both(const struct rda_at *at, bool checked,
						 enum rda_check check, struct rda_subject subject);

/* The same of a case that the bytes of this packet show alone. */
RDA_COLD struct rda_finding *rda_finding_by_bytes(const struct rda_at *at, enum rda_check check,
						  struct rda_subject subject);

/* And of one that bytes show which came before; `checked`: these are known to be what was sent. */
RDA_COLD struct rda_finding *rda_finding_of_bytes(struct rda_judge *judge, bool checked,
						  enum rda_check check, struct rda_subject subject,
						  uint64_t place);

/*
 * What a case deviates in that may be damage, of which `of` could have been one. Damage is random:
 * where many of several PSNs deviate alike, their sender makes them so, as it seems, and what is
 * suspected is told as severely as what is proven.
 */
RDA_COLD void rda_finding_repeats(const struct rda_at *at, struct rda_finding *finding,
				  uint64_t deviation, uint64_t of);

/* The same of what has no PSN of its own; `which`: another number for each. */
RDA_COLD void rda_finding_repeats_in(struct rda_finding *finding, uint32_t which,
				     uint64_t deviation, uint64_t of);

/*
 * Whether the packet's bytes may be what was sent. Where the ICRC does not fit it may be damaged,
 * unless its sender has so often sent ICRCs that do not fit, and never one that does, that it sends
 * none.
 */
static inline bool rda_is_credible(const struct rda_at *at)
{
	if (at->damaged)
		return false;
	return at->icrc != RDA_ICRC_CHECK_MISMATCH ||
	       (at->icrc_source->good == 0 &&
		at->icrc_source->mismatched >= RDA_ICRC_ABSENT_PACKETS);
}

/*
 * Overall: answers joined the two directions of a connection while packets came, and in the end
 * UDP source ports tell of others: whose answers these are is a guess (pair_port.h).
 */
bool rda_overall_peer_is_guess(const struct rda_overall *overall, uint32_t connection);

/* Overall: the host of an address; or NULL. */
static inline const struct rda_host *rda_overall_host(const struct rda_overall *overall,
						      const struct rda_address *address)
{
	return rda_host_find(overall->hosts, overall->sorted_hosts, overall->host_count, address);
}

/* All packets were seen: whether, and why, a flow's sender gave up. */
static inline struct rda_gave_up rda_judge_gave_up(const struct rda_judge *judge,
						   const struct rda_flow *flow)
{
	return rda_gave_up(flow, judge->whole.cm, judge->whole.captures,
			   judge->whole.capture_count);
}

/* All packets were seen: the address of a host, by its index. */
static inline const struct rda_address *rda_judge_address(const struct rda_judge *judge,
							  uint32_t host)
{
	return &judge->whole.host_of[host].address;
}

/* The end of what the capture saw behind this place. */
static inline int64_t rda_watched_until(const struct rda_judge *judge, uint64_t place)
{
	return rda_captures_until(judge->whole.captures, judge->whole.capture_count, place);
}

/* What a case at this packet is about: the flow that carries it, or else the capture. */
static inline struct rda_subject rda_about_packet(const struct rda_at *at)
{
	return at->flow ? rda_about_flow(at->flow) : rda_about_capture(at->capture);
}

#endif
