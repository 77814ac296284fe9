/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * librda: packets of RDMA in, connections and findings out. This header is all that a program
 * needs; it includes nothing of the project, and the engine is built of the same definitions.
 *
 *     struct rda_engine *engine = rda_engine_new(NULL);
 *
 *     rda_engine_begin_capture(engine);
 *     while (...)
 *             rda_engine_packet(engine, &meta, &frame);
 *     rda_engine_end(engine);
 *     result = rda_engine_result(engine);
 *     ... rda_result_connection_count(result) ...
 *     rda_result_free(result);
 *     rda_engine_free(engine);
 *
 * Numbers are in host byte order but the bytes of addresses; times and durations are nanoseconds,
 * sizes bytes. A PSN is a number of 24 bits as on the wire, unless its member says "widened". An
 * index counts from 0 and is less than its count. Members that can be unknown name the value that
 * says so.
 *
 * Ownership: an engine and a result are the caller's, until rda_engine_free and rda_result_free.
 * What rda_result_... and rda_finding_... return as const belongs to the result and is valid until
 * rda_result_free. Names, and the members of struct rda_check_row, are literals.
 *
 * Errors: none. A bad packet is data, and is counted as such. GLib aborts the process when memory
 * runs out.
 *
 * Threads: an engine is used by one thread at a time. A result may be read by several, but for
 * rda_result_verdict and rda_result_place_of: the first call of these makes an index. There are no
 * globals: different engines and results may be used by different threads.
 */
#ifndef RDA_H
#define RDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What librda exports, and nothing else. */
#ifdef __GNUC__
#define RDA_API __attribute__((visibility("default")))
#else
#define RDA_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- frames ---------------------------------------------------------------------------------- */

/* The bytes of a frame; borrowed for the call. */
struct rda_frame {
	const uint8_t *bytes;
	uint32_t captured; /* bytes in memory */
	uint32_t wire;	   /* bytes that the frame had on the wire; at least `captured` */
	uint16_t link;	   /* LINKTYPE_ value, as in pcap files: 1 Ethernet, 247 InfiniBand ... */
};

/* What is known of a frame beside its bytes. */
struct rda_meta {
	int64_t time_ns; /* since 1970, as the capture tells it; within 2^62, so that differences
			    fit */
	uint64_t number; /* frame number from 1, as Wireshark counts; starts anew with each capture
			  * that does not continue another */
	uint32_t tap;	 /* the interface that saw it: the same packet at two taps is no resend */
};

/*
 * A place is one number for a frame of one of several captures, so that what remembers frames need
 * not remember captures beside them; 0: none.
 */
#define RDA_PLACE_SHIFT 44 /* 2^44 packets are 128 TB of the smallest */

static inline uint64_t rda_place_id(uint32_t capture, uint64_t number)
{
	return (uint64_t)capture << RDA_PLACE_SHIFT | number;
}

/* The index of the capture, and the number of the frame in it. */
static inline uint32_t rda_place_capture(uint64_t place)
{
	return (uint32_t)(place >> RDA_PLACE_SHIFT);
}

static inline uint64_t rda_place_number(uint64_t place)
{
	return place & ((UINT64_C(1) << RDA_PLACE_SHIFT) - 1);
}

/* The engine's view of a frame; its members are not part of this interface. */
struct rda_packet;

/* ---- the engine ------------------------------------------------------------------------------ */

struct rda_engine;
struct rda_result;

/* What a dissector may be told. Zeros are the defaults. */
struct rda_dissect_config {
	uint16_t ports[8]; /* UDP destination ports that carry RoCEv2, besides 4791 */
	uint8_t port_count;
};

/* More checks than there are. */
#define RDA_CHECKS_MAX 256

/* Zeros are the defaults. */
struct rda_config {
	struct rda_dissect_config dissect;
	uint32_t window_cap; /* requests remembered of one direction; 0: 2048 */
	uint32_t keys_cap;   /* memory keys remembered; 0: 262144 */
	uint32_t iwarp_cap;  /* iWARP connections that are followed; 0: 200000 */
	uint32_t held_cap;   /* bytes held of all their streams; 0: 64 MiB */
	/* about what the engine and its result may take, bytes; 0: no bound but the limits. The
	 * idle connections go first (struct rda_retired) */
	uint64_t memory;
	uint32_t link_gbits; /* speed of the link: how long pauses last; 0: 100 Gbit/s */
	bool count_only;     /* no accounts of requests, no checks: a third of the time */
	bool trace;	     /* how each packet stands to others is asked for (program, plugin) */
	bool times;	     /* of that only the parts of flows' time */
	/* events of memory keys are kept in the result, to be judged with those of other engines
	 * when results are merged; so many bytes, 0: 1 GiB */
	bool keep_key_events;
	uint64_t key_events_cap;
	/* it has a part of the frames, as a splitter tells: its result is good only for merging
	 * with those of the other parts and the splitter */
	bool part;
	uint32_t part_number; /* any */
	/* by the number of a check (rda_check_number): these are not told; these are told with
	 * another severity than the table's, 1 + enum rda_severity */
	bool checks_off[RDA_CHECKS_MAX];
	uint8_t checks_severity[RDA_CHECKS_MAX];
	uint64_t hash_seed; /* any number, best a random one: the output does not depend on it */
};

/* `config` is copied; NULL for the defaults. To be given to rda_engine_free, which takes NULL. */
RDA_API struct rda_engine *rda_engine_new(const struct rda_config *config);
RDA_API void rda_engine_free(struct rda_engine *engine);

/* The packets that follow are of another capture (file). */
RDA_API void rda_engine_begin_capture(struct rda_engine *engine);

/*
 * The packets that follow are of another file, in which the same taps go on: frame numbers and
 * places do so too.
 */
RDA_API void rda_engine_continue_capture(struct rda_engine *engine);

/* The capturing program's own word: so many packets of this capture it could not keep. */
RDA_API void rda_engine_dropped(struct rda_engine *engine, uint64_t packets);

/*
 * One frame, in the order of the capture. The dissected packet is returned for whoever wants to
 * print it; it is the engine's, and valid until the next call.
 */
RDA_API const struct rda_packet *rda_engine_packet(struct rda_engine *engine,
						   const struct rda_meta *meta,
						   const struct rda_frame *frame);

/* No more packets come: what waited for gaps that were never filled is taken as it is. */
RDA_API void rda_engine_end(struct rda_engine *engine);

/*
 * What is known by now, as if no more packets came: at any time, as often as wanted. The engine
 * stays as it is. The result is a value, which nothing changes any more: the caller's, to be given
 * to rda_result_free, which takes NULL.
 */
RDA_API struct rda_result *rda_engine_result(const struct rda_engine *engine);
RDA_API void rda_result_free(struct rda_result *result);

/* ---- parts ----------------------------------------------------------------------------------- */

/*
 * A capture may be read by several engines, each with the frames of some pairs of hosts, and their
 * results made one. The engines are made with rda_config.part; a splitter tells which frames belong
 * together, and knows what only all frames tell:
 *
 *     share = rda_splitter_frame(splitter, &meta, &frame);
 *     for (k = 0; k < engines; k++)
 *             if (k == rda_share_engine(share.pair, engines))
 *                     rda_engine_packet(engine[k], &meta, &frame);
 *             else
 *                     rda_engine_elsewhere(engine[k], &meta, &frame, &share);
 *     if (share.told)
 *             rda_engine_told(engine[rda_share_engine(share.told_pair, engines)], &meta, &share);
 *
 * What is printed of the merged results of the splitter and of all engines is what is printed of
 * one engine's that has all frames, but for limits: each engine has its own (docs/architecture.md).
 */
struct rda_splitter;
struct rda_cm_said;

struct rda_share {
	uint64_t pair;	 /* equal for all frames between two hosts, whichever sends; 0: of no two */
	bool rdma;	 /* RoCE, InfiniBand; not iWARP */
	bool stops_link; /* a pause frame: looked at by all engines */
	const struct rda_cm_said *told; /* QPs that two hosts told each other, once both are known:
					   the splitter's, until its next frame; or NULL */
	uint64_t told_pair;		/* those two hosts */
};

/*
 * Pairs of hosts fall into so many classes, by their addresses alone, and an engine has whole ones:
 * more engines have nothing to do. What is kept for all pairs of a class is so the same for any
 * number of engines.
 */
#define RDA_SHARES 64

static inline unsigned rda_share_class(uint64_t pair)
{
	return (unsigned)(pair >> 32) % RDA_SHARES;
}

/* Which of `engines` has what is of a pair. */
static inline unsigned rda_share_engine(uint64_t pair, unsigned engines)
{
	return rda_share_class(pair) % engines;
}

/* To be given to rda_splitter_free, which takes NULL; `config` is that of the engines. */
RDA_API struct rda_splitter *rda_splitter_new(const struct rda_config *config);
RDA_API void rda_splitter_free(struct rda_splitter *splitter);

/* As the engines': another capture, a frame, what is known by now. */
RDA_API void rda_splitter_begin_capture(struct rda_splitter *splitter);
RDA_API void rda_splitter_continue_capture(struct rda_splitter *splitter);
RDA_API struct rda_share rda_splitter_frame(struct rda_splitter *splitter,
					    const struct rda_meta *meta,
					    const struct rda_frame *frame);
RDA_API struct rda_result *rda_splitter_result(struct rda_splitter *splitter);

/* Of a frame alone: nothing is told. */
RDA_API struct rda_share rda_frame_share(const struct rda_frame *frame,
					 const struct rda_dissect_config *dissect);

/* A frame, in the order of the capture, that another engine is given. */
RDA_API void rda_engine_elsewhere(struct rda_engine *engine, const struct rda_meta *meta,
				  const struct rda_frame *frame, const struct rda_share *share);

/* What a frame told, whichever engine has that. */
RDA_API void rda_engine_told(struct rda_engine *engine, const struct rda_meta *meta,
			     const struct rda_share *share);

/*
 * The result of both, whose engines had no pair of hosts in common and saw, here or elsewhere, all
 * frames of the same captures. The caller's, to be given to rda_result_free; neither the order nor
 * the grouping matters when more than two are merged.
 */
RDA_API struct rda_result *rda_result_merge(const struct rda_result *a, const struct rda_result *b);

/* ---- captures -------------------------------------------------------------------------------- */

/* RDA_CARRIERS(C): C(ID, "name in the output", "name for people") */
#define RDA_CARRIERS(C)                                                                            \
	C(ROCEV2, "rocev2", "RoCEv2")                                                              \
	C(ROCEV1, "rocev1", "RoCEv1")                                                              \
	C(INFINIBAND, "infiniband", "InfiniBand")                                                  \
	C(IWARP, "iwarp", "iWARP")

enum rda_carrier {
	RDA_CARRIER_NONE, /* no RDMA in this frame */
#define RDA_C(ID, name, people) RDA_CARRIER_##ID,
	RDA_CARRIERS(RDA_C)
#undef RDA_C
		RDA_CARRIER_COUNT
};

/* "rocev2", ...; NULL of NONE. A literal, as all names are. */
RDA_API const char *rda_transport_name(uint8_t carrier);

/* What the stored ICRC of a packet is, once all packets were seen. */
enum rda_icrc_verdict {
	RDA_ICRC_NOT_CHECKABLE, /* cut, a fragment, or malformed */
	RDA_ICRC_GOOD,
	RDA_ICRC_BAD,	 /* its source sends good ones: this packet was damaged */
	RDA_ICRC_ABSENT, /* none of its source's are good: captured before the ICRC was put in */
	RDA_ICRC_VERDICTS
};

/* "good", "bad", "absent", "not_checkable" */
RDA_API const char *rda_icrc_name(uint8_t verdict);

#define RDA_LINKS_KEPT 8

/* What one capture (file) held. */
struct rda_capture {
	uint64_t packets;			  /* frames, of whatever protocol */
	uint64_t rdma_packets[RDA_CARRIER_COUNT]; /* by enum rda_carrier; [NONE] stays 0 */
	uint64_t dropped;			  /* packets, as the capturing program says */
	uint64_t first_cut;		  /* number of the first frame that was cut; 0 none */
	uint64_t cut_by_snaplen;	  /* frames with fewer bytes than they had on the wire */
	uint64_t malformed;		  /* RDMA packets */
	uint64_t fragments;		  /* IP fragments to or of RDMA */
	uint64_t pause_frames;		  /* IEEE 802.3 annex 31B */
	uint64_t pfc_frames;		  /* IEEE 802.1Qbb */
	uint64_t icrc[RDA_ICRC_VERDICTS]; /* RDMA packets */
	uint64_t vcrc_good, vcrc_bad;	  /* native InfiniBand, where the VCRC was captured */
	uint64_t too_deep;		  /* frames past the encapsulation limit */
	uint64_t gaps_given_up;		  /* in streams of iWARP: too much was held behind them */
	uint64_t not_followed; /* TCP segments of more iWARP connections than are followed */
	uint16_t links[RDA_LINKS_KEPT];	      /* LINKTYPE_ values, in order of appearance */
	uint64_t link_frames[RDA_LINKS_KEPT]; /* number of the first frame of each */
	uint8_t link_count;
	bool more_links; /* than are kept */
	bool continues;	 /* the one before: what is counted of senders and of the whole, such as bad
			    and absent ICRCs, stands where the series begins */
	uint64_t undecoded;		     /* frames whose link type is not understood */
	int64_t first_time_ns, last_time_ns; /* earliest and latest; valid if packets > 0 */
	int64_t back_ns; /* so far behind the latest before it a frame was stamped, at most */
};

/*
 * The clock was set back, and nobody knows how long anything took meanwhile: who hands frames over
 * out of order, and paths that reorder, make less of rda_capture.back_ns than 100 ms.
 */
static inline bool rda_was_set_back(int64_t back_ns)
{
	return back_ns >= INT64_C(100000000);
}

/* One for each rda_engine_begin_capture and rda_engine_continue_capture, in that order. */
RDA_API unsigned rda_result_capture_count(const struct rda_result *result);
RDA_API const struct rda_capture *rda_result_capture(const struct rda_result *result,
						     unsigned index);

/* ---- what was given up ----------------------------------------------------------------------- */

/* What was closed early, because memory is bounded (rda_config.memory): all 0 as a rule. */
struct rda_retired {
	uint64_t connections;	 /* that were idle: they are in no list */
	uint64_t packets, bytes; /* of those, as in struct rda_flow_facts */
	uint64_t hosts;		 /* that had no others */
	uint64_t keys;		 /* memory keys that were forgotten, and may have been used again */
};

RDA_API const struct rda_retired *rda_result_retired(const struct rda_result *result);

/* ---- hosts ----------------------------------------------------------------------------------- */

enum rda_address_kind {
	RDA_ADDRESS_NONE,
	RDA_ADDRESS_IP4, /* as ::ffff:a.b.c.d */
	RDA_ADDRESS_IP6, /* also GIDs */
	RDA_ADDRESS_LID, /* in the last two bytes */
};

struct rda_address {
	uint8_t bytes[16]; /* in network byte order */
	uint8_t kind;	   /* enum rda_address_kind */
};

/* Room for the text of an address of any kind, and the end of the string. */
#define RDA_ADDRESS_TEXT 48

/*
 * Writes "10.0.0.1", "fe80::1" (as RFC 5952 wants it), "LID 7", or "" of RDA_ADDRESS_NONE. Returns
 * `text`, which is the caller's.
 */
RDA_API const char *rda_address_text(char text[RDA_ADDRESS_TEXT],
				     const struct rda_address *address);

/*
 * RDA_HOST_COUNTERS(C): C(name). One list for the struct and every report. A counter that is not
 * computed is RDA_UNKNOWN.
 */
#define RDA_HOST_COUNTERS(C)                                                                       \
	C(duplicate_request)                                                                       \
	C(out_of_sequence)                                                                         \
	C(nak_seq_sent)                                                                            \
	C(packet_seq_err)                                                                          \
	C(rnr_nak_sent)                                                                            \
	C(rnr_nak_received)                                                                        \
	C(local_ack_timeout_err)                                                                   \
	C(roce_adp_retrans)                                                                        \
	C(implied_nak_seq_err)                                                                     \
	C(remote_access_errors_sent)                                                               \
	C(remote_access_errors_received)                                                           \
	C(remote_invalid_request_sent)                                                             \
	C(remote_invalid_request_received)                                                         \
	C(remote_op_errors_sent)                                                                   \
	C(remote_op_errors_received)                                                               \
	C(retry_exceeded)                                                                          \
	C(rnr_retry_exceeded)                                                                      \
	C(ecn_marked_received)                                                                     \
	C(cnp_sent)                                                                                \
	C(cnp_received)                                                                            \
	C(icrc_errors_received)

#define RDA_UNKNOWN UINT64_MAX

/* What the NIC of a host would have counted, as far as the captures tell, by the NIC's names. */
struct rda_host {
	struct rda_address address; /* first: the engine's key */
	uint32_t index;		    /* in order of the first packet */
	uint64_t packets_sent;	    /* that were captured, undamaged */
#define RDA_C(name) uint64_t name;
	RDA_HOST_COUNTERS(RDA_C)
#undef RDA_C
};

/* In order of address. */
RDA_API unsigned rda_result_host_count(const struct rda_result *result);
RDA_API const struct rda_host *rda_result_host(const struct rda_result *result, unsigned index);

/* By rda_host.index. */
RDA_API const struct rda_host *rda_result_host_of_index(const struct rda_result *result,
							uint32_t index);

/* ---- connections ----------------------------------------------------------------------------- */

/* how it was paired, best evidence first: RDA_PAIRED_BY(P): P(ID, "name in the output") */
#define RDA_PAIRED_BY(P)                                                                           \
	P(NONE, "none")                                                                            \
	P(CM, "cm")                                                                                \
	P(EXCHANGE, "exchange")                                                                    \
	P(SOURCE_PORT, "source_port")                                                              \
	P(RESPONSES, "responses")                                                                  \
	P(ONLY_CANDIDATE, "only_candidate")

enum rda_paired_by {
#define RDA_P(ID, name) RDA_PAIRED_BY_##ID,
	RDA_PAIRED_BY(RDA_P)
#undef RDA_P
		RDA_PAIRED_BY_COUNT
};

/* "none", "cm", ... */
RDA_API const char *rda_paired_by_name(uint8_t paired_by);

/* RDA_SERVICES(S): S(ID, "name in the output") */
/* clang-format off */
#define RDA_SERVICES(S) \
	S(RC, "RC") S(UC, "UC") S(UD, "UD") S(RD, "RD") S(XRC, "XRC") S(CM, "CM") S(IWARP, "iWARP")
/* clang-format on */

enum rda_service {
	RDA_SERVICE_UNKNOWN, /* nothing but CNPs or undecodable opcodes was seen */
#define RDA_S(ID, name) RDA_SERVICE_##ID,
	RDA_SERVICES(RDA_S)
#undef RDA_S
};

/* "RC", "UD", ...; NULL of UNKNOWN */
RDA_API const char *rda_service_name(uint8_t service);

/*
 * What a capture has of a connection. RDA_SEEN(X): X(ID, bit, "name in the output", "what is the
 * matter when it is not so")
 */
#define RDA_SEEN(X)                                                                                \
	X(BOTH, 0, "both_directions", "only one direction was captured")                           \
	X(START, 1, "from_start", "its start was not captured")                                    \
	X(UNBROKEN, 2, "unbroken", "packets of it are missing, or come behind their answers")      \
	X(WHOLE, 3, "whole_packets", "packets were cut by the snap length")                        \
	X(CM, 4, "management", "its connection management was not captured")                       \
	X(SAID, 5, "acknowledgments", "what tells ACKs from NAKs was cut off by the snap length")  \
	X(TIMES, 6, "times", "its time stamps are made up")

enum rda_seen_bit {
#define RDA_X(ID, bit, name, otherwise) RDA_SEEN_##ID = 1 << (bit),
	RDA_SEEN(RDA_X)
#undef RDA_X
};

#define RDA_QPN_UNKNOWN UINT32_MAX

struct rda_endpoint {
	struct rda_address address;
	uint32_t qpn; /* or RDA_QPN_UNKNOWN */
	int32_t port; /* iWARP: TCP port; else -1 */
};

struct rda_connection_facts {
	uint32_t id;			  /* its index */
	uint8_t carrier;		  /* enum rda_carrier */
	uint8_t service;		  /* enum rda_service */
	uint8_t paired_by;		  /* enum rda_paired_by */
	uint8_t seen;			  /* mask of enum rda_seen_bit */
	uint32_t path_mtu;		  /* from CM, else as seen; 0 unknown */
	struct rda_endpoint endpoints[2]; /* [0] sent the first packet */
	int32_t flows[2];		  /* what endpoint i sent: index; -1: nothing was seen */
	const char *application;	  /* "nvme", ...; NULL unknown */
};

/* In order of the first packet. */
RDA_API unsigned rda_result_connection_count(const struct rda_result *result);
RDA_API const struct rda_connection_facts *rda_result_connection(const struct rda_result *result,
								 unsigned id);

/* From the first packet of a connection to the last, of both directions: it has at least one. */
struct rda_connection_times {
	int64_t first_ns, last_ns;
};
RDA_API struct rda_connection_times rda_result_connection_times(
	const struct rda_result *result, const struct rda_connection_facts *connection);

/* ---- how good a capture is ------------------------------------------------------------------- */

/*
 * What captures lack, besides what they lack of a connection (RDA_SEEN): RDA_LACKS(X): X(ID, bit,
 * "name in the output", "what is the matter"). LACK bits count on behind those of RDA_SEEN.
 */
#define RDA_LACKS(X)                                                                               \
	X(SET_UP, 7, "set_up",                                                                     \
	  "neither all of connection management nor the beginning of connections is in it")        \
	X(COARSE, 8, "coarse_stamps", "time stamps are coarse for how soon it was answered")       \
	X(TOO_COARSE, 9, "too_coarse_stamps", "it was answered sooner than time stamps can tell")  \
	X(CLOCK, 10, "clock_goes_back", "the clock went backwards")

enum rda_lack_bit {
#define RDA_X(ID, bit, name, otherwise) RDA_LACK_##ID = 1 << (bit),
	RDA_SEEN(RDA_X) RDA_LACKS(RDA_X)
#undef RDA_X
};

enum {
#define RDA_X(ID, bit, name, otherwise) +1
	RDA_LACK_COUNT = 0 RDA_SEEN(RDA_X) RDA_LACKS(RDA_X)
#undef RDA_X
};

/* "both_directions", ...; and in words. */
RDA_API const char *rda_lack_name(unsigned bit);
RDA_API const char *rda_lack_words(unsigned bit);

/*
 * What can be concluded from a capture. RDA_TOPICS(T): T(ID, "name in the output", "words", without
 * any of these: nothing, without any of these: less)
 */
#define RDA_TOPICS(T)                                                                              \
	T(LOSS, "loss", "loss", RDA_LACK_BOTH, RDA_LACK_UNBROKEN | RDA_LACK_SAID)                  \
	T(LATENCY, "latency", "latency", RDA_LACK_BOTH | RDA_LACK_TIMES | RDA_LACK_TOO_COARSE,     \
	  RDA_LACK_COARSE | RDA_LACK_CLOCK)                                                        \
	T(KEYS, "memory_keys", "memory keys", RDA_LACK_BOTH,                                       \
	  RDA_LACK_START | RDA_LACK_UNBROKEN | RDA_LACK_WHOLE | RDA_LACK_SAID)                     \
	T(SET_UP, "set_up", "set-up", RDA_LACK_SET_UP, 0)

enum rda_topic {
#define RDA_T(ID, name, words, nothing, less) RDA_TOPIC_##ID,
	RDA_TOPICS(RDA_T)
#undef RDA_T
		RDA_TOPIC_COUNT
};

/* "loss", ...; and in words. */
RDA_API const char *rda_topic_name(unsigned topic);
RDA_API const char *rda_topic_words(unsigned topic);
/* Mask of enum rda_lack_bit: what weakens it. */
RDA_API unsigned rda_topic_needs(unsigned topic);
/* Of those: what bars it, so that nothing can be told. */
RDA_API unsigned rda_topic_bars(unsigned topic);

enum rda_tells {
	RDA_TELLS_NOT_ASKED, /* no connection has to do with it */
	RDA_TELLS_NOTHING,
	RDA_TELLS_IN_PART,
	RDA_TELLS,
};

/* "nothing", "in_part", "all"; NULL of NOT_ASKED */
RDA_API const char *rda_tells_name(uint8_t tells);

struct rda_topic_quality {
	uint8_t tells;			  /* enum rda_tells */
	uint32_t connections;		  /* that have to do with it */
	uint32_t without;		  /* of these: of which it tells less, or nothing */
	uint32_t lacking[RDA_LACK_COUNT]; /* of these: by what they lack, for it */
};

/* Of all captures together; connection management itself and datagrams are not asked for. */
struct rda_quality {
	struct rda_topic_quality topics[RDA_TOPIC_COUNT];
	uint64_t dropped; /* packets, as the capturing program says */
	uint64_t missed;  /* packets that were acknowledged and not captured */
	uint64_t cut;	  /* frames */
	int64_t stamp_ns; /* what the coarsest time stamps are multiples of; 0: not known */
	int64_t ack_ns;	  /* the least of the flows' median times to an acknowledgment */
	bool acks_timed;  /* ack_ns is valid */
};

RDA_API const struct rda_quality *rda_result_quality(const struct rda_result *result);

/* ---- one direction of a connection ----------------------------------------------------------- */

/*
 * Kinds of messages: RDA_MESSAGES(M): M(ID, "name in the output"). The ID is that of the role of
 * their requests (RDA_ROLE_<ID>).
 */
#define RDA_MESSAGES(M)                                                                            \
	M(SEND, "send")                                                                            \
	M(WRITE, "write")                                                                          \
	M(READ, "read")                                                                            \
	M(ATOMIC, "atomic")                                                                        \
	M(FLUSH, "flush")                                                                          \
	M(ATOMIC_WRITE, "atomic_write")

enum rda_message {
#define RDA_M(ID, name) RDA_MESSAGE_##ID,
	RDA_MESSAGES(RDA_M)
#undef RDA_M
		RDA_MESSAGE_COUNT
};

/* "send", "write", ... */
RDA_API const char *rda_message_name(uint8_t kind);

/*
 * NAKs by their meaning: RDA_NAKS(N): N(ID, "name in the output"). All but OTHER are values of the
 * AETH syndrome (RDA_SYNDROME_NAK_<ID>).
 */
#define RDA_NAKS(N)                                                                                \
	N(SEQUENCE, "sequence")                                                                    \
	N(INVALID_REQUEST, "invalid_request")                                                      \
	N(REMOTE_ACCESS, "remote_access")                                                          \
	N(REMOTE_OPERATIONAL, "remote_operational")

enum rda_nak {
#define RDA_N(ID, name) RDA_NAK_##ID,
	RDA_NAKS(RDA_N)
#undef RDA_N
		RDA_NAK_OTHER,
	RDA_NAK_COUNT
};

/* why requests were sent again: RDA_TRIGGERS(T): T(ID, "name in the output", "words") */
#define RDA_TRIGGERS(T)                                                                            \
	T(NAK, "after_nak", "after a NAK")                                                         \
	T(RNR, "after_rnr", "after an RNR NAK")                                                    \
	T(TIMEOUT, "after_timeout", "after a timeout")                                             \
	T(IMPLIED, "after_implied_nak", "after an implied NAK")                                    \
	T(UNEXPLAINED, "unexplained", "for no reason in this capture")

enum rda_trigger {
#define RDA_T(ID, name, words) RDA_TRIGGER_##ID,
	RDA_TRIGGERS(RDA_T)
#undef RDA_T
		RDA_TRIGGER_COUNT,
	RDA_TRIGGER_NONE = RDA_TRIGGER_COUNT,
};

/*
 * Where the time of one direction of a reliable connection went, but for what was lost to resends,
 * which is told by its trigger: RDA_TIMES(C): C(ID, "name in the output", "words")
 */
#define RDA_TIMES(C)                                                                               \
	C(IDLE, "idle", "nothing asked")                                                           \
	C(SENDING, "sending", "sending")                                                           \
	C(WAITING, "waiting", "waiting for the network or the responder")                          \
	C(NETWORK, "network", "waiting for the way between the taps")                              \
	C(RESPONDER, "responder", "waiting for what is behind the last tap")                       \
	C(LIMITED, "limited", "held by the requester's own limit")                                 \
	C(PAUSED, "paused", "paused inside a message")                                             \
	C(HELD, "held", "held by pause frames")                                                    \
	C(CONGESTION, "congestion", "slowed down by CNPs")

enum rda_time_cause {
#define RDA_C(ID, name, words) RDA_TIME_##ID,
	RDA_TIMES(RDA_C)
#undef RDA_C
		RDA_TIME_RECOVERY, /* and enum rda_trigger: without progress, up to a resend */
	RDA_TIME_CAUSE_COUNT = RDA_TIME_RECOVERY + RDA_TRIGGER_COUNT,
};

/* "idle", ..., "after_nak", ...; and in words. */
RDA_API const char *rda_time_name(uint8_t cause);
RDA_API const char *rda_time_words(uint8_t cause);

/* How a sender's timer behaves. RDA_TIMERS(T): T(ID, "name in the output", "words") */
#define RDA_TIMERS(T)                                                                              \
	T(CONSTANT, "constant", "at a constant interval")                                          \
	T(ADAPTIVE, "adaptive", "like ConnectX with adaptive retransmission")                      \
	T(GROWING, "growing", "at intervals that grow")                                            \
	T(ENDLESS, "endless", "without end, as Linux rxe does with a retry count of 7")

enum rda_timer {
	RDA_TIMER_UNKNOWN, /* it fired too seldom, or unevenly */
#define RDA_T(ID, name, words) RDA_TIMER_##ID,
	RDA_TIMERS(RDA_T)
#undef RDA_T
		RDA_TIMER_COUNT
};

/* "constant", ...; NULL of UNKNOWN */
RDA_API const char *rda_timer_name(uint8_t timer);

/* what a request packet is */
enum rda_request_kind {
	RDA_REQUEST_NEW,
	RDA_REQUEST_RESENT,
	RDA_REQUEST_REORDERED,
	RDA_REQUEST_MIRRORED,
	RDA_REQUEST_KINDS
};

struct rda_flow_key {
	struct rda_address source, destination;
	uint8_t carrier;
	bool datagram;	  /* UD: src_qp counts */
	uint32_t dest_qp; /* iWARP: in the low 16 bits the TCP port */
	uint32_t src_qp;  /* UD, and the TCP port of iWARP; else 0 */
	uint32_t tap;
	uint32_t life; /* last: how often the QP was set up anew before */
};

struct rda_message_count {
	uint64_t count;
	uint64_t bytes; /* payload, each PSN counted once */
};

/* Packets that are in the capture once more: these stand beside the numbers of the flow. */
struct rda_flow_copies {
	uint64_t packets, bytes;
	uint64_t requests, responses; /* of the packets */
	uint64_t elsewhere; /* of these, and of requests that are copies by time: another interface
			       of the host saw them than what they repeat (a capture of "any") */
};

/* What of a direction the capture leaves open, though a NIC counts it one way or the other. */
struct rda_flow_doubts {
	uint64_t alike;	 /* packets with the IP identification and ICRC of one before, as copies
			    have,  and that may have been sent again all the same */
	uint64_t untold; /* requests sent again: nothing had said that they had arrived before */
	uint64_t unanswered; /* request packets of what was not answered, as often as they passed */
	uint64_t runs_on;    /* runs of resends that went on where the one before had stopped */
	/* from the first PSN on, with answers that count messages from the beginning again */
	uint64_t runs_anew, resent_anew;
};

/* How long something took, many times. All zero: an empty one. */
struct rda_latency {
	uint64_t count;
	int64_t min, max;	   /* ns; valid if count > 0 */
	union {			   /* owned; not part of this interface: rda_latency_percentile */
		void *samples;	   /* while group_count is 0: int64_t, or uint32_t if max fits */
		uint32_t *buckets; /* of the groups [group, group + group_count) */
	};
	uint32_t allocated; /* samples */
	uint16_t group, group_count;
};

/*
 * The least duration that `percent` per cent (1 to 100) are not above, in ns; at most 1.6 % off.
 * 0 of an empty one.
 */
RDA_API int64_t rda_latency_percentile(const struct rda_latency *latency, unsigned percent);

/* How long what the flow's sender asked for took. */
struct rda_flow_latencies {
	/* of whole messages, by kind; the result's; NULL: none of that kind */
	struct rda_latency *kinds[RDA_MESSAGE_COUNT];
	struct rda_latency *first_response; /* of READs; the result's; NULL: none */
	struct rda_latency acks; /* from a packet that asked for an ACK to the first ACK */
};

/* The classes of traffic that packets but CNPs are in, as IP says. */
struct rda_flow_classes {
	/* places of first data that switches may mark, and may not; 0: none */
	uint64_t ect_place, not_ect_place;
	uint64_t dscps; /* mask of 1 << DSCP; 0: not known, or none was sent */
};

/* Those that CNPs are in. */
struct rda_cnp_classes {
	uint64_t first_place; /* of a CNP; 0: none, and the rest is 0 */
	uint64_t dscps;	      /* mask of 1 << DSCP; 0: not known */
	bool with_data;	      /* one of them is the class of data */
	uint8_t dscp;	      /* that class; valid if with_data, and so is: */
	bool vouched;	      /* several CNPs have it, or the ICRC of the one fits */
};

/* What of HELD the first port and priority took that held packets of one kind. */
struct rda_held {
	uint64_t gaps; /* in which nothing was sent; 0: none, and the rest is not valid */
	int64_t ns, longest_ns;
	uint8_t mac[6];	 /* of the port that asked for it */
	int8_t priority; /* of PFC; -1: all, plain pause frames */
};

/* Indices of rda_flow_facts.held. */
enum { RDA_HELD_REQUESTS, RDA_HELD_RESPONSES, RDA_HELD_KINDS };

/*
 * The time from a connection's first packet to its last, by what one endpoint's requests did in it:
 * the causes add up to `total_ns`.
 */
struct rda_flow_time {
	bool known;	     /* of a reliable connection of which both directions were followed */
	uint32_t directions; /* that are summed */
	int64_t total_ns;
	int64_t ns[RDA_TIME_CAUSE_COUNT];
	/* of LIMITED, without what a window of packets held: */
	int64_t limited_ns;
	uint64_t limited_waits;
	uint32_t depth; /* requests outstanding in them, at most; 0: no such limit shows */
	uint8_t step;	/* their step of depths and the one below (time_sums.h), from 1; 0: none */
	uint8_t kind;	/* enum rda_message, of most of it; valid with a depth */
	/* of IDLE: so much of it at most, if this capture was taken far from the requester, is the
	 * way there and back */
	int64_t perhaps_way_ns;
	int64_t pause_ns; /* of IDLE: the longest part that a request ended; 0: none did */
};

/* As many of a direction's steps are remembered: the first. */
#define RDA_STEPS_KEPT 64

/* A message that may be a step of a collective, with those without notice that it ended. */
struct rda_step {
	int64_t start_ns, sent_ns, done_ns; /* its first and last packet; its acknowledgment */
	uint64_t place;			    /* of its first packet */
};

/*
 * SENDs and WRITEs of one direction that were acknowledged; once one WRITE has immediate data,
 * those with immediate data only.
 */
struct rda_steps {
	uint32_t count, allocated;
	uint64_t more;	/* than are kept */
	bool immediate; /* of WRITEs with immediate data */
	bool open;	/* a WRITE without it came since the latest step: */
	int64_t open_ns;
	uint64_t open_place;
	struct rda_step *list; /* owned */
};

/* As many of a direction's cuts are remembered: the first. */
#define RDA_CUTS_KEPT 64

/* Parts of the rate that a cut is of. */
#define RDA_CUT_WHOLE UINT64_C(1000000000)

/* Rates of a sender around one CNP, or some that were too close to tell them apart. */
struct rda_cut {
	int64_t time_ns; /* of the first of them */
	uint64_t place;
	uint64_t before, after; /* bit/s, of frames */
	uint32_t cnps;
	uint32_t law; /* that DCQCN as published cuts off at least, in parts of RDA_CUT_WHOLE */
};

/* What a sender did when CNPs told it to slow down. */
struct rda_slowdown {
	uint64_t cnps;		/* that it got, from when it is looked at on */
	uint64_t measured_cnps; /* around which its rate is known */
	uint64_t cuts;		/* that these are */
	uint64_t before, after; /* sums over them, kbit/s */
	uint64_t law;		/* sum of rda_cut.law */
	uint64_t first, least;	/* bit/s: before the first cut, and the least after one */
	/* from a CNP until half of what it cut off was back, and all; of those that cut off more
	 * than a tenth and were not followed by another one too soon */
	struct rda_latency half, back;
	/*
	 * Cuts late in rows of CNPs so close that no timer raises the rate between them, when by
	 * the law less than 1/8 of the rate would be left, and more than 1/4 was: how many, the
	 * first CNP of them, and of the latest row: its CNPs, time and rates.
	 */
	uint64_t against_law, against_place, row_cnps, row_before, row_after;
	int64_t row_ns;
	uint32_t kept, allocated;
	struct rda_cut *list; /* owned */
};

/* Marks and CNPs of a direction that are remembered: the first. */
#define RDA_MARKINGS_KEPT 1024

/* A packet was marked (CE), or a CNP came for its sender. */
struct rda_marking {
	int64_t time_ns;
	bool notice;
};

struct rda_mark_log {
	uint32_t count, allocated;
	uint64_t more;		  /* than are kept */
	uint64_t notice_place;	  /* of the first CNP; 0: none */
	struct rda_marking *list; /* owned */
};

/*
 * What few flows have: of what an endpoint sent, what went wrong, what of it was answered with a
 * NAK, and what congestion made of it. "lost" counts requests and READ responses alike: packets
 * that were sent and did not pass the tap (before), or passed it and did not arrive (after).
 */
struct rda_flow_troubles {
	uint64_t naks[RDA_NAK_COUNT], rnr_naks, cnps, ce_marked; /* packets that it sent */
	struct rda_cnp_classes cnp_classes;
	struct rda_flow_copies copies;
	uint64_t damaged; /* of the packets: ICRC or IP checksum wrong; counted nowhere below */

	uint64_t forgotten_requests;   /* valid if has_account or has_peer */
	struct rda_flow_doubts doubts; /* valid if has_peer, but `alike` always */
	/* valid if has_peer */
	uint64_t resends[RDA_TRIGGER_COUNT];
	uint64_t lost_before, lost_after, lost_by_capture;
	uint64_t lost_damaged; /* of lost_after: damaged when they passed here */
	int64_t stalled_ns[RDA_TRIGGER_COUNT];
};

/* What one endpoint sent. */
struct rda_flow_facts {
	/* first what is asked of each flow when all are gone through */
	struct rda_flow_key key;
	uint32_t connection; /* id */
	uint64_t first_place;
	uint16_t source_port; /* UDP */
	bool source_port_known;
	uint8_t side;	      /* the endpoint that sent it */
	uint8_t message_kind; /* enum rda_message, of `messages` */
	bool management;      /* carries connection management */
	bool set_back;	      /* its capture's clock was: nothing tells how long it took */
	bool has_account;     /* requests of a reliable service were followed */
	bool has_peer;	      /* the other direction was followed beside it */
	bool unreliable; /* UC: PSNs are the order of sending, and requests[REORDERED] is valid */
	uint8_t conversation_side; /* that sent it; valid if there is one */
	int32_t conversation;	   /* that set it up: index; -1 not captured */
	uint64_t request_packets;
	uint64_t payload_bytes;	       /* of requests and READ responses, each PSN counted once */
	struct rda_flow_time *time;    /* the result's; NULL: not known */
	struct rda_held *held;	       /* the result's, RDA_HELD_KINDS; NULL: none */
	struct rda_steps *steps;       /* the result's; NULL: none */
	struct rda_slowdown *slowdown; /* the result's; NULL: nothing told it to slow down */
	struct rda_mark_log *mark_log; /* the result's; NULL: no marks, and no CNPs for it */
	struct rda_flow_latencies *latencies; /* the result's; NULL: none are known */
	struct rda_flow_troubles *troubles;   /* the result's; NULL: none: rda_flow_troubles */

	/* bytes: frames, as on the wire; copies of packets stand in rda_flow_copies only */
	uint64_t packets, bytes;
	struct rda_message_count messages;	  /* of message_kind: rda_flow_message_count */
	struct rda_message_count *other_messages; /* the result's; by kind; NULL: none */
	int64_t first_time_ns, last_time_ns;	  /* valid if packets > 0 */
	struct rda_flow_classes classes;
	uint64_t response_packets;
	uint64_t acks;
	uint64_t known_place; /* of the frame at which it became known: iWARP may be told late */
	uint32_t part;	      /* rda_config.part_number of its engine */
	uint32_t number; /* so many flows its engine knew before: no other of that engine has it */
	uint32_t first_psn, last_psn; /* of requests; valid if request_packets > 0 */
	uint32_t full_payload;	      /* of First and Middle packets; 0: none seen */
	int32_t reads_most;	      /* READs and ATOMICs seen under way at once; -1 not known */

	/* valid if has_account or has_peer: without requests they are 0 */
	uint64_t requests[RDA_REQUEST_KINDS];

	int64_t messages_not_timed; /* -1 not known */
};

/* Messages of one kind that it sent. */
RDA_API struct rda_message_count rda_flow_message_count(const struct rda_flow_facts *facts,
							enum rda_message kind);

/* All zero of a flow that has none. */
RDA_API const struct rda_flow_troubles *rda_flow_troubles(const struct rda_flow_facts *facts);

/* What endpoint `side` (0, 1) of a connection sent; NULL: nothing was seen. */
RDA_API const struct rda_flow_facts *rda_result_flow(const struct rda_result *result,
						     const struct rda_connection_facts *connection,
						     unsigned side);

/* Of all directions whose requester is the host with this rda_host.index; of all of a capture. */
RDA_API const struct rda_flow_time *rda_result_host_time(const struct rda_result *result,
							 uint32_t host);
RDA_API const struct rda_flow_time *rda_result_capture_time(const struct rda_result *result,
							    unsigned capture);

/* How long the flow stood still in all. */
RDA_API int64_t rda_flow_stalled_ns(const struct rda_flow_facts *facts);

/* What one sender of pause frames asked its link to stop. */
struct rda_pausing {
	uint32_t capture; /* index */
	uint8_t sender[6];
	int8_t priority; /* of PFC; -1: all, plain pause frames */
	uint64_t pauses, releases;
	int64_t held_ns, longest_ns; /* stopped: in all; without a pause */
	uint32_t link_gbits;	     /* of the link for which that is so */
	uint64_t first_place;
};

/*
 * A host that a sender of pause frames held: its packets were to go on, of its own requests or of
 * responses to READs, and nothing was sent (struct rda_held) as long as the link was stopped.
 */
struct rda_held_host {
	uint32_t capture; /* index, as of its rda_pausing: with sender and priority it is one */
	uint8_t sender[6];
	int8_t priority;
	struct rda_address host;
	uint32_t connections; /* at least */
	uint64_t gaps;
	int64_t ns, longest_ns; /* of all of them, at the same time or not; the longest */
};

/* By capture, sender, priority and host. */
RDA_API unsigned rda_result_held_count(const struct rda_result *result);
RDA_API const struct rda_held_host *rda_result_held(const struct rda_result *result,
						    unsigned index);

/* Whom these pauses held, the one with the longest gap; NULL: nobody. `others`: how many more. */
RDA_API const struct rda_held_host *rda_result_held_by(const struct rda_result *result,
						       const struct rda_pausing *pausing,
						       uint32_t *others);

/* Pauses of ports that asked while too many others did: whom they held is not known. */
RDA_API uint64_t rda_result_holds_not_kept(const struct rda_result *result);

/* By capture, in order of the first frame. */
RDA_API unsigned rda_result_pausing_count(const struct rda_result *result);
RDA_API const struct rda_pausing *rda_result_pausing(const struct rda_result *result,
						     unsigned index);

/*
 * By what a receiver paces its CNPs, as far as it shows. RDA_PACINGS(P): P(ID, "name in the
 * output", "words")
 */
#define RDA_PACINGS(P)                                                                             \
	P(QP, "qp", "QP")                                                                          \
	P(QP_OR_PAIR, "qp_or_pair", "QP or sending host (each has one QP)")                        \
	P(PAIR, "pair", "sending host")                                                            \
	P(PAIR_OR_PORT, "pair_or_port", "sending host or port (there is one such host)")           \
	P(PORT, "port", "port")

enum rda_pacing_by {
	RDA_PACING_UNKNOWN,
#define RDA_P(ID, name, words) RDA_PACING_##ID,
	RDA_PACINGS(RDA_P)
#undef RDA_P
};

/* "qp", ...; NULL of UNKNOWN */
RDA_API const char *rda_pacing_name(uint8_t pacing);

enum { RDA_PACING_OF_QP, RDA_PACING_OF_PAIR, RDA_PACING_OF_PORT, RDA_PACING_SCOPES };

/* CNPs of one host at one tap, of the time in which all marks and CNPs are remembered. */
struct rda_pacing {
	struct rda_address host;
	uint32_t capture, tap; /* index; as of its flows (struct rda_flow_key) */
	uint64_t cnps, marks;
	uint64_t left_out; /* of both: behind that time */
	uint64_t place;	   /* of its first CNP */
	uint32_t qps, pairs;
	/* by QP, pair of hosts, port: the least gap between two CNPs, but for one in 20; -1: too
	 * few; and how many CNPs these marks would have had with such a pace */
	int64_t spacing_ns[RDA_PACING_SCOPES];
	uint64_t expected[RDA_PACING_SCOPES];
	uint8_t by; /* enum rda_pacing_by */
};

/* In order of address, capture and tap. */
RDA_API unsigned rda_result_pacing_count(const struct rda_result *result);
RDA_API const struct rda_pacing *rda_result_pacing(const struct rda_result *result, unsigned index);

/* Directions whose sender CNPs told to slow down, in order of the first packet. */
RDA_API unsigned rda_result_slowdown_count(const struct rda_result *result);
RDA_API const struct rda_flow_facts *rda_result_slowdown(const struct rda_result *result,
							 unsigned index);

/*
 * Groups of flows between two hosts in which pairing by source port or responses was not tried,
 * because there were too many each way.
 */
RDA_API unsigned rda_result_groups_not_compared(const struct rda_result *result);

/* What connection management, or a tool in clear, said; not part of this interface yet. */
struct rda_conversation;

/* In order of the first message. */
RDA_API unsigned rda_result_conversation_count(const struct rda_result *result);
/* Messages and lines of further ones, which were not followed: there were too many. */
RDA_API uint64_t rda_result_conversations_not_kept(const struct rda_result *result);
RDA_API const struct rda_conversation *rda_result_conversation(const struct rda_result *result,
							       unsigned index);

/* ---- paths ----------------------------------------------------------------------------------- */

/* The QPs of a path that send from one UDP source port. */
struct rda_way_port {
	uint16_t port;
	uint32_t qps;	       /* different ones */
	uint64_t bytes;	       /* of frames */
	const uint32_t *flows; /* of these, by index of the result's flows: the result's */
	uint32_t flow_count;   /* a QP that was set up anew has several */
};

/*
 * What one host sends another over RoCEv2: its QPs of RC, UC and XRC that carry data, by the UDP
 * source port of their first packets. Switches with equal paths, and bonds, choose by it.
 */
struct rda_way {
	struct rda_address source, destination;
	uint32_t qps; /* different ones, at the destination */
	uint32_t port_count;
	struct rda_way_port *ports; /* in order of number; the result's */
	uint64_t bytes;
};

/* In order of source and destination. */
RDA_API unsigned rda_result_way_count(const struct rda_result *result);
RDA_API const struct rda_way *rda_result_way(const struct rda_result *result, unsigned index);

/* The port that most QPs share; of several the lowest. */
RDA_API const struct rda_way_port *rda_way_most_shared(const struct rda_way *way);

/* ---- collectives ----------------------------------------------------------------------------- */

/* RDA_SHAPES(S): S(ID, "name in the output", "words") */
#define RDA_SHAPES(S)                                                                              \
	S(RING, "ring", "ring")                                                                    \
	S(TREE, "tree", "tree")                                                                    \
	S(ALL_TO_ALL, "all_to_all", "all-to-all")

enum rda_shape {
#define RDA_S(ID, name, words) RDA_SHAPE_##ID,
	RDA_SHAPES(RDA_S)
#undef RDA_S
		RDA_SHAPE_COUNT /* none of these: not told */
};

/* "ring", ...; and in words. */
RDA_API const char *rda_shape_name(uint8_t shape);
RDA_API const char *rda_shape_words(uint8_t shape);

/* One host of a collective. */
struct rda_rank {
	struct rda_address address;
	uint32_t starts;  /* steps that it started after an input */
	int64_t after_ns; /* how long after it: the median; valid if starts > 0 */
	int64_t most_ns;
	uint64_t place; /* of the latest start after its longest wait */
};

/*
 * Hosts that send each other messages in step, as who sends to whom tells. How late a step starts
 * is measured from the host's latest input, or its own latest output if that ended later.
 */
struct rda_collective {
	uint8_t shape;
	uint32_t rank_count;
	struct rda_rank *ranks; /* of a ring in its order; else by address: the result's */
	uint32_t steps;		/* of a host to another, the fewest; of those that are kept */
	bool in_step; /* seen by one clock, and no step starts before the inputs of the one before
		       */
	int32_t late; /* the rank that starts late; -1 none */
	uint32_t late_starts; /* steps that it started late */
	int64_t others_ns; /* after_ns of nine in ten starts of the others at most; if late >= 0 */
	bool held; /* most of its waits were behind its acknowledgment of the input; if late >= 0 */
};

/* In order of their lowest addresses. */
RDA_API unsigned rda_result_collective_count(const struct rda_result *result);
RDA_API const struct rda_collective *rda_result_collective(const struct rda_result *result,
							   unsigned index);

/* ---- NICs ------------------------------------------------------------------------------------ */

/* How the NIC of a host, or the stack in its place, behaves, as its reliable connections show. */
struct rda_nic {
	uint64_t timers[RDA_TIMER_COUNT];      /* series of resends by a timer, by its kind */
	int64_t timer_least_ns, timer_most_ns; /* regular timeouts; most 0: none is known */
	uint64_t go_back_n, selective; /* directions of connections in which it resent like that */
	uint64_t acks, acked;	       /* that it sent, and requests for one that they answered */
	/* as seen where the capture was taken: from a packet that shows a gap to the NAK that it
	 * sends, from a NAK to what it sends again */
	struct rda_latency nak_sent, nak_obeyed;
	/* NAKs to it that may have been lost behind the capture point, and resends behind them that
	 * may be a timer's: none of them is in nak_obeyed */
	uint64_t perhaps_unheard, perhaps_timeouts;
};

/* Of the host with this rda_host.index. */
RDA_API const struct rda_nic *rda_result_nic(const struct rda_result *result, uint32_t host);

/* enum rda_timer */
RDA_API uint8_t rda_nic_timer(const struct rda_nic *nic);
/* The regular timeout; 0: not known, or there are several. */
RDA_API int64_t rda_nic_timer_ns(const struct rda_nic *nic);
/* "go-back-n", "selective"; NULL: not known */
RDA_API const char *rda_nic_recovery(const struct rda_nic *nic);
/* "each", "merged": one ACK for several requests; NULL: not known */
RDA_API const char *rda_nic_acknowledges(const struct rda_nic *nic);

/* ---- slow messages --------------------------------------------------------------------------- */

/* One message. */
struct rda_exchange {
	int64_t begin, end;		  /* PSNs, widened: the low 24 bits are on the wire */
	int64_t start_ns;		  /* since 1970 */
	int64_t latency_ns;		  /* from the first packet to the one that completed it */
	int64_t sent_ns;		  /* of its last packet; of SENDs and WRITEs of RoCE */
	uint64_t first_frame, last_frame; /* of its first packet, of what completed it: places */
	uint64_t bytes;			  /* of payload */
	uint32_t resent;		  /* packets */
	uint8_t kind;			  /* enum rda_message */
	bool notifies; /* it uses up a receive: a SEND, or a WRITE with immediate data */
};

/* As many as one looks at. */
#define RDA_SLOWEST_KEPT 8

/* A message and the direction of its requester. */
struct rda_slow_facts {
	struct rda_exchange exchange;
	uint32_t connection; /* id */
	uint8_t flow;	     /* 0, 1 */
};

/* The slowest messages of all connections, slowest first; at most RDA_SLOWEST_KEPT. */
RDA_API unsigned rda_result_slow_message_count(const struct rda_result *result);
RDA_API const struct rda_slow_facts *rda_result_slow_message(const struct rda_result *result,
							     unsigned index);

/* ---- memory keys ----------------------------------------------------------------------------- */

/* Kinds of access: RDA_KEY_USES(U): U(ID, "words") */
#define RDA_KEY_USES(U)                                                                            \
	U(READ, "READ")                                                                            \
	U(WRITE, "WRITE")                                                                          \
	U(ATOMIC, "ATOMIC")                                                                        \
	U(FLUSH, "FLUSH")

enum rda_key_use {
#define RDA_U(ID, words) RDA_KEY_USE_##ID,
	RDA_KEY_USES(RDA_U)
#undef RDA_U
		RDA_KEY_USE_COUNT,
	RDA_KEY_USE_INVALIDATE = RDA_KEY_USE_COUNT, /* a SEND with Invalidate: no access */
};

struct rda_key_id {
	uint32_t responder; /* that gave it out: rda_host.index */
	uint32_t key;	    /* R_Key, or STag of iWARP */
	uint32_t tap;	    /* as flows are: another tap sees the same once more */
};

/* Distinct addresses that are kept of those that were refused. */
#define RDA_KEY_REFUSED_KEPT 8

/* What of a key was refused. */
struct rda_key_refusals {
	uint64_t va[RDA_KEY_REFUSED_KEPT], place[RDA_KEY_REFUSED_KEPT];
	uint32_t count; /* of those */
};

struct rda_key_facts {
	struct rda_key_id id;
	uint32_t user_count;
	bool more_users; /* than are kept */
	bool stag;	 /* of iWARP */
	bool has_range;	 /* `low` and `last` are valid */
	uint64_t asked[RDA_KEY_USE_COUNT];
	uint64_t bytes;
	uint64_t low, last; /* addresses asked for; worked, once any has */
	uint64_t first_place;
	struct rda_key_troubles *troubles; /* the result's; NULL: none: rda_key_troubles */
	uint32_t *users; /* the result's: flows, by index, in order of the first use */
};

/* What few keys have. */
struct rda_key_troubles {
	uint64_t refused; /* uses that were answered by a remote access error */
	struct rda_key_refusals refusals;
	uint64_t invalidated_place; /* 0: it was not */
	uint64_t used_after_invalidate;
};

/* All zero of a key that has none. */
RDA_API const struct rda_key_troubles *rda_key_troubles(const struct rda_key_facts *facts);

/* Memory keys that requests named, in order of their first use. */
RDA_API unsigned rda_result_key_count(const struct rda_result *result);
RDA_API const struct rda_key_facts *rda_result_key(const struct rda_result *result, unsigned index);

/* Who used a key: one of its user_count, in order of the first use; and on which connection. */
RDA_API const struct rda_endpoint *rda_result_key_user(const struct rda_result *result,
						       const struct rda_key_facts *key,
						       unsigned index);
RDA_API uint32_t rda_result_key_connection(const struct rda_result *result,
					   const struct rda_key_facts *key, unsigned index);

/* Uses of keys that were not kept, because there were more than rda_config.keys_cap. */
RDA_API uint64_t rda_result_keys_not_kept(const struct rda_result *result);

/* ---- upper layers ---------------------------------------------------------------------------- */

/* RDA_ULPS(U): U(ID, "name in the output", "name for people") */
#define RDA_ULPS(U)                                                                                \
	U(NVME, "nvme", "NVMe over RDMA")                                                          \
	U(NFS, "nfs", "NFS over RDMA")                                                             \
	U(ISER, "iser", "iSCSI over RDMA (iSER)")                                                  \
	U(SMB, "smb", "SMB Direct")                                                                \
	U(RDS, "rds", "RDS over RDMA")                                                             \
	U(SRP, "srp", "SRP (SCSI over RDMA)")

enum rda_ulp_protocol {
#define RDA_U(ID, name, people) RDA_ULP_##ID,
	RDA_ULPS(RDA_U)
#undef RDA_U
		RDA_ULP_COUNT
};

RDA_API const char *rda_ulp_name(uint8_t protocol);
RDA_API const char *rda_ulp_people_name(uint8_t protocol);

/*
 * An operation as it is told: its name, or where it has none in `room` what its code says ("4001 to
 * 4000", the ports of a message of RDS). NULL: nothing but the code is known.
 */
enum { RDA_ULP_OPERATION_ROOM = 24 };
RDA_API const char *rda_ulp_operation_name(char room[RDA_ULP_OPERATION_ROOM], uint8_t protocol,
					   const char *name, uint32_t code);

/* The commands of one kind on one connection; of RDS the messages between two ports. */
struct rda_ulp_operation {
	const char *name;		  /* "Read"; NULL: only its code is known */
	uint32_t code;			  /* as the protocol's dissector numbers operations */
	uint64_t asked, answered, failed; /* failed: of the answered ones */
	uint64_t bytes;			  /* of those answered without an error */
	struct rda_latency latency;	  /* from a command's first packet to its answer's last */
	struct rda_latency before, data, after; /* its parts, of those whose data was captured */
};

/* An error that commands were answered with. */
struct rda_ulp_status {
	const char *operation;	 /* as rda_ulp_operation.name */
	uint32_t operation_code; /* rda_ulp_operation.code */
	uint32_t code;
	const char *words; /* the standard's; NULL: it has none */
	uint64_t count;
	uint64_t first_place; /* of the first such answer */
};

/* RDS: a port whose socket had no room, as its host told the other: messages to it wait. */
struct rda_ulp_port {
	uint16_t port;
	uint8_t side;	/* the endpoint whose messages wait */
	bool held;	/* at the end of the capture yet */
	bool unchecked; /* no checksum vouches for one of the maps that told so */
	uint32_t times;
	int64_t held_ns;      /* in all */
	uint64_t first_place; /* of the map that told so first */
};

/* What the upper layer of a connection did. */
struct rda_ulp_facts {
	uint32_t connection; /* id */
	uint8_t side;	     /* the endpoint that sends the commands */
	uint8_t protocol;    /* enum rda_ulp_protocol */
	int32_t queue;	     /* NVMe: the queue's number, 0 is the admin queue; -1 not known */
	uint64_t asked, answered, failed;
	uint64_t unanswered; /* that wait for their answers; without `waiting` */
	uint64_t waiting;    /* that are answered when something happens, be it never */
	uint64_t replaced;   /* of which the number was used again before an answer was seen */
	uint64_t unasked;    /* answers to commands that were not captured */
	uint64_t cut;	     /* messages of which too little was captured to know what they are */
	uint64_t unread;     /* that are encrypted, or of no form that is known */
	uint64_t forgotten;  /* for want of room */
	uint64_t unjoined;   /* READs and WRITEs of memory that no waiting command had lent */
	uint32_t depth_most; /* commands under way at once; without `waiting` */
	int64_t busy_ns;     /* time with at least one under way */
	int64_t waited_ns;   /* the time of all of them: by busy_ns, the mean depth */
	struct rda_ulp_operation *operations; /* the result's; in order of the first */
	uint32_t operation_count;
	struct rda_ulp_status *statuses; /* the result's; in order of the first */
	uint32_t status_count;
	struct rda_ulp_port *ports; /* the result's; in order of the first */
	uint32_t port_count;
	uint64_t ports_not_kept; /* times that further ports were told */
	/* SRP: requests that the target lets the initiator have under way, as it granted them */
	bool has_limit;	     /* the login was captured; else the next are 0 */
	int64_t limit_first; /* by the login */
	int64_t limit_least; /* that were left at one time */
	uint64_t
		limited_times; /* that one was left, or none: initiators keep one to abort others */
	int64_t limited_ns;    /* in all */
};

/* In order of the connections. */
RDA_API unsigned rda_result_ulp_count(const struct rda_result *result);
RDA_API const struct rda_ulp_facts *rda_result_ulp(const struct rda_result *result, unsigned index);

/* One command that was answered. */
struct rda_ulp_slow {
	uint32_t connection; /* id */
	uint8_t protocol;
	const char *operation;	 /* as rda_ulp_operation.name */
	uint32_t operation_code; /* rda_ulp_operation.code */
	uint32_t status;	 /* 0: no error */
	const char *status_words;
	uint64_t bytes;
	int64_t asked_ns, latency_ns;
	bool has_parts; /* before_ns, data_ns and after_ns are known */
	int64_t before_ns, data_ns, after_ns;
	uint64_t place, answer_place;
};

/* The slowest commands of all connections, slowest first; at most RDA_SLOWEST_KEPT. */
RDA_API unsigned rda_result_slow_command_count(const struct rda_result *result);
RDA_API const struct rda_ulp_slow *rda_result_slow_command(const struct rda_result *result,
							   unsigned index);

/* Connections whose upper layer was not followed, because there were too many. */
RDA_API uint64_t rda_result_ulps_not_followed(const struct rda_result *result);

/* ---- findings -------------------------------------------------------------------------------- */

/* RDA_SEVERITIES(S): S(ID, "name in the output"), mildest first */
#define RDA_SEVERITIES(S)                                                                          \
	S(NOTE, "note")                                                                            \
	S(WARNING, "warning")                                                                      \
	S(ERROR, "error")

enum rda_severity {
#define RDA_S(ID, name) RDA_SEVERITY_##ID,
	RDA_SEVERITIES(RDA_S)
#undef RDA_S
		RDA_SEVERITY_COUNT
};

RDA_API const char *rda_severity_name(enum rda_severity severity);
/* RDA_SEVERITY_COUNT: none has this name. */
RDA_API enum rda_severity rda_severity_of(const char *name);

/* RDA_PROOFS(P): P(ID, "name in the output"), weakest first */
#define RDA_PROOFS(P)                                                                              \
	P(SUSPECTED, "suspected")                                                                  \
	P(PROVEN, "proven")

enum rda_proof {
#define RDA_P(ID, name) RDA_PROOF_##ID,
	RDA_PROOFS(RDA_P)
#undef RDA_P
		RDA_PROOF_COUNT
};

RDA_API const char *rda_proof_name(enum rda_proof proof);

/* A check, as docs/checks.md lists it. */
struct rda_check_row {
	const char *code, *name; /* "S01", "packets-lost" */
	uint8_t severity;	 /* enum rda_severity, as a rule */
	uint8_t proof;		 /* enum rda_proof, at best */
	uint8_t needs, required; /* masks of enum rda_seen_bit: to be proven, to speak at all */
	const char *reference;	 /* or NULL */
	const char *meaning, *advice;
};

/* The number of a check, by its code; negative: there is none. */
RDA_API int rda_check_number(const char *code);

/* Cases of one check about one flow, connection, host or capture, with their frames. */
struct rda_finding;

/* Weightiest first; those that the capture has not enough for are left out. */
RDA_API unsigned rda_result_finding_count(const struct rda_result *result);
RDA_API const struct rda_finding *rda_result_finding(const struct rda_result *result,
						     unsigned index);

RDA_API const struct rda_check_row *rda_finding_check(const struct rda_finding *finding);
RDA_API enum rda_severity rda_finding_severity(const struct rda_finding *finding);
RDA_API enum rda_proof rda_finding_proof(const struct rda_finding *finding);
RDA_API int32_t rda_finding_connection(const struct rda_finding *finding); /* id; -1 none */
RDA_API int8_t rda_finding_flow(const struct rda_finding *finding);	   /* 0, 1; -1 none */
RDA_API int32_t rda_finding_host(const struct rda_finding *finding);   /* rda_host.index; -1 none */
RDA_API uint64_t rda_finding_count(const struct rda_finding *finding); /* cases */
RDA_API int64_t rda_finding_cost_ns(const struct rda_finding *finding); /* 0 not known */

/* One sentence in English with the numbers in it, to be given to free(); NULL: there is none. */
RDA_API char *rda_finding_text(const struct rda_finding *finding);

/* What this case means and what to look at next, where the check's words do not fit it; or NULL. */
RDA_API const char *rda_finding_advice(const struct rda_finding *finding);

/* The index of the finding that explains this one; -1 none. */
RDA_API int32_t rda_finding_explained_by(const struct rda_finding *finding);

enum rda_argument_type {
	RDA_ARGUMENT_END,  /* behind the last one of a list */
	RDA_ARGUMENT_NONE, /* not given */
	RDA_ARGUMENT_NUMBER,
	RDA_ARGUMENT_SIGNED,
	RDA_ARGUMENT_DECIMAL, /* 123 is 12.3, with as many `digits` behind the point */
	RDA_ARGUMENT_TIME,    /* a span, in ns */
	RDA_ARGUMENT_RATE,    /* bits per second */
	RDA_ARGUMENT_HEX,     /* a key, an address in memory, a QPN, a code: of `digits` at least */
	RDA_ARGUMENT_FRAME,
	RDA_ARGUMENT_ADDRESS,
	RDA_ARGUMENT_MAC,
	RDA_ARGUMENT_PHRASE, /* one of a few, by name */
	RDA_ARGUMENT_WORD,   /* of a table: an opcode's name */
	RDA_ARGUMENT_TEXT,
	RDA_ARGUMENT_BYTES, /* `digits` of them */
	RDA_ARGUMENT_FLAG,
	RDA_ARGUMENT_MOMENT, /* a time, in ns since 1970 */
};

/* A number of the sentence, by name; pointers are the result's. */
struct rda_argument_value {
	const char *name; /* "psn", "packets" ... */
	enum rda_argument_type type;
	uint8_t digits;	      /* DECIMAL, HEX, BYTES */
	uint64_t number;      /* NUMBER, RATE, HEX, MAC; FLAG: 0 or 1; FRAME: a place */
	int64_t integer;      /* SIGNED, DECIMAL, TIME, MOMENT */
	const char *text;     /* PHRASE, WORD, TEXT; else NULL */
	const uint8_t *bytes; /* BYTES; else NULL */
	const struct rda_address *address; /* ADDRESS; else NULL */
};

/* The arguments from index 0 on; false behind the last. */
RDA_API bool rda_finding_argument(const struct rda_finding *finding, unsigned index,
				  struct rda_argument_value *value);

/* The first frames that prove it: places; *count is their number, at most 16. */
RDA_API const uint64_t *rda_finding_places(const struct rda_finding *finding, unsigned *count);

/* Cases of findings that are not told: the 100000 weightiest are. */
RDA_API uint64_t rda_result_findings_not_kept(const struct rda_result *result);

/* ---- frames, again --------------------------------------------------------------------------- */

/* What is known about one frame. */
struct rda_verdict {
	uint8_t icrc;	    /* enum rda_icrc_verdict */
	int32_t connection; /* id, or -1 */
	int8_t flow;	    /* 0, 1, or -1 */
};

/*
 * What the result says of a frame that the engine has seen. To print packets with what was only
 * known later (ICRC absent or bad, the connection's id), read the capture twice: once through
 * rda_engine_packet, then ask this with the same meta and frame, and the packet that
 * rda_engine_packet of another engine returns. The first call makes an index.
 */
RDA_API struct rda_verdict rda_result_verdict(const struct rda_result *result, unsigned capture,
					      const struct rda_meta *meta,
					      const struct rda_frame *frame,
					      const struct rda_packet *packet);

/* Whose a flow is, by a key that another engine made of the same packets. */
RDA_API struct rda_verdict rda_result_place_of(const struct rda_result *result,
					       const struct rda_flow_key *key);

#ifdef __cplusplus
}
#endif

#endif
