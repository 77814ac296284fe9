/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an engine has learnt, as a value: nothing in it points into an engine. What the functions
 * here return belongs to the result and is good until rda_result_free.
 *
 * A result may be read by several threads but for rda_result_verdict and rda_result_place_of: the
 * first call of those makes an index.
 */
#ifndef RDA_RESULT_H
#define RDA_RESULT_H

#include "analyzer/checks/finding.h"
#include "analyzer/facts/flow_facts.h"
#include "analyzer/track/capture.h"
#include "analyzer/track/connection.h"
#include "analyzer/track/host.h"
#include "analyzer/track/keys/key_ledger.h"
#include "analyzer/track/setup/cm_track.h"
#include "analyzer/track/slowest.h"

struct rda_result;

void rda_result_free(struct rda_result *result); /* may be NULL */

/* One for each rda_engine_begin_capture, in that order. */
unsigned rda_result_capture_count(const struct rda_result *result);
const struct rda_capture *rda_result_capture(const struct rda_result *result, unsigned index);

/* In order of address. */
unsigned rda_result_host_count(const struct rda_result *result);
const struct rda_host *rda_result_host(const struct rda_result *result, unsigned index);

/* A host by its index: of the subject of a finding, or of a key. */
const struct rda_host *rda_result_subject_host(const struct rda_result *result, uint32_t index);

struct rda_connection_facts {
	uint32_t id;
	uint8_t carrier;   /* enum rda_carrier */
	uint8_t service;   /* enum rda_service */
	uint8_t paired_by; /* enum rda_paired_by */
	uint8_t seen;	   /* mask of enum rda_seen_bit: what the capture has of it */
	uint32_t path_mtu; /* from CM, else as seen; 0 unknown */
	struct rda_endpoint endpoints[2]; /* [0] sent the first packet */
	int32_t flows[2];		  /* what endpoint i sent: index; -1: nothing was seen */
	const char *application;	  /* "nvme", ...; NULL unknown */
	int64_t first_time_ns, last_time_ns;
};

/* In order of the first packet. */
unsigned rda_result_connection_count(const struct rda_result *result);
const struct rda_connection_facts *rda_result_connection(const struct rda_result *result,
							 unsigned id);

/* What endpoint `side` of a connection sent; NULL: nothing was seen. */
const struct rda_flow_facts *rda_result_flow(const struct rda_result *result,
					     const struct rda_connection_facts *connection,
					     unsigned side);

/*
 * Groups of flows between two hosts in which pairing by source port or responses was not tried,
 * because there were more than RDA_PAIR_COMPARE_MAX each way.
 */
unsigned rda_result_groups_not_compared(const struct rda_result *result);

/* Weightiest first; those that the capture has not enough for are left out (judge.h). */
unsigned rda_result_finding_count(const struct rda_result *result);
const struct rda_finding *rda_result_finding(const struct rda_result *result, unsigned index);

/* Cases past RDA_FINDINGS_MAX. */
uint64_t rda_result_findings_not_kept(const struct rda_result *result);

/*
 * Cases of a check that the capture has not enough for: that are left out, and that would be proven
 * in a fuller one.
 */
uint64_t rda_result_withheld(const struct rda_result *result, enum rda_check check);
uint64_t rda_result_lowered(const struct rda_result *result, enum rda_check check);

/* A message and the direction of its requester. */
struct rda_slow_facts {
	struct rda_exchange exchange;
	uint32_t connection; /* id */
	uint8_t flow;	     /* 0, 1 */
};

/* The slowest messages of all connections, slowest first. */
unsigned rda_result_slow_message_count(const struct rda_result *result);
const struct rda_slow_facts *rda_result_slow_message(const struct rda_result *result,
						     unsigned index);

struct rda_key_facts {
	struct rda_key_id id;
	bool stag; /* of iWARP */
	uint32_t user_count;
	bool more_users; /* than are kept */
	uint64_t asked[RDA_KEY_USE_COUNT];
	uint64_t bytes, refused;
	bool has_range;
	uint64_t low, last; /* addresses asked for; worked, once any has */
	uint64_t invalidated_place, used_after_invalidate;
	uint64_t first_place;
	struct rda_key_refusals *refusals; /* owned; NULL: none */
	uint32_t *users;		   /* flows, by index, in order of the first use; owned */
};

/* Memory keys that requests named, in order of their first use. */
unsigned rda_result_key_count(const struct rda_result *result);
const struct rda_key_facts *rda_result_key(const struct rda_result *result, unsigned index);

/* Who used a key: one of its user_count, in order of the first use; and on which connection. */
const struct rda_endpoint *rda_result_key_user(const struct rda_result *result,
					       const struct rda_key_facts *key, unsigned index);
uint32_t rda_result_key_connection(const struct rda_result *result, const struct rda_key_facts *key,
				   unsigned index);

/* Uses of keys that were not kept, because there were more than RDA_KEYS_MAX. */
uint64_t rda_result_keys_not_kept(const struct rda_result *result);

/* What connection management, or a tool in clear, said. */
struct rda_conversation {
	struct rda_cm_pair said; /* without the members that point to others */
	bool is_connected;	 /* something was seen on what it set up */
};

/* In order of the first message. */
unsigned rda_result_conversation_count(const struct rda_result *result);
const struct rda_conversation *rda_result_conversation(const struct rda_result *result,
						       unsigned index);

/* What is known about one frame. */
struct rda_verdict {
	uint8_t icrc;	    /* enum rda_icrc_verdict */
	int32_t connection; /* id, or -1 */
	int8_t flow;	    /* 0, 1, or -1 */
};

/*
 * What the result says of a frame that the engine has seen. To print packets with what was only
 * known later (ICRC absent or bad, the connection's id), read the capture twice: once through
 * rda_engine_packet, then ask this with the same meta and frame.
 */
struct rda_verdict rda_result_verdict(const struct rda_result *result, unsigned capture,
				      const struct rda_meta *meta, const struct rda_frame *frame,
				      const struct rda_packet *packet);

/* Whose a flow is, by a key that another engine made of the same packets. */
struct rda_verdict rda_result_place_of(const struct rda_result *result,
				       const struct rda_flow_key *key);

#endif
