/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A half-flow: everything that one QP received from one sender. The BTH names only the destination
 * QP, so the two directions of a connection begin life as two half-flows; pair.c joins them.
 *
 * Key: tap, carrier, source address, destination address, destination QP; for UD also the source
 * QP, which the DETH tells. QPNs are per host: equal numbers on both ends are common.
 */
#ifndef RDA_FLOW_H
#define RDA_FLOW_H

#include "analyzer/rda.h"
#include "analyzer/base/ranges.h"
#include "dissectors/aeth.h"
#include "dissectors/packet.h"

static inline enum rda_aeth_kind rda_aeth_kind(const struct rda_aeth *aeth)
{
	return rda_syndrome_kind(aeth->syndrome);
}

/* Which NAK a syndrome of kind RDA_AETH_NAK is. */
enum rda_nak rda_nak_of_syndrome(uint8_t syndrome);

/*
 * IPv4 identifications, from packet to packet: of requests, of responses, of all else (CNPs), as
 * hardware makes each in a place of its own.
 */
struct rda_flow_ids {
	uint64_t packets;	/* that were no copies */
	unsigned repeated : 27; /* by the next packet; saturates */
	bool vary : 1;
	bool independent : 1; /* of the PSN: `beyond_psn` varies too */
	bool after_read : 1;  /* the latest was a READ of several PSNs */
	bool skips : 1;	      /* it leaves out a READ's PSNs, as `beyond_psn` tells */
	bool resent : 1;      /* one came again with the packet that had it, too late for a copy */
	uint16_t latest;
	uint16_t beyond_psn; /* of the latest: the identification, less the PSN */
};

/* Of `repeated`: nobody asks for more. */
#define RDA_FLOW_REPEATED_MOST ((1u << 27) - 1)

#define RDA_FLOW_IDS 3

/* A READ request, to know a later one that asks for the rest of it again. */
struct rda_read {
	int64_t psn;
	uint64_t va;
	uint32_t rkey, length;
};

/* Responders allow few READs at once: Linux negotiates at most 128, and 16 on most devices. */
#define RDA_READS_KEPT 16

/* Packets with an identification that another one has. */
struct rda_flow_alike {
	uint64_t copies, refused; /* refused: as they may have been sent again */
	uint64_t refused_place;	  /* the latest of these, */
	bool refused_elsewhere;	  /* which another interface of the host saw than the first */
	uint64_t chances; /* copies where that would be sent again: identifications that are no
			     numbers may be equal by chance */
	uint64_t slow;	  /* copies that came later than a mirror that shows all twice makes them */
	int64_t within_ns; /* all copies came within this time */
};

struct rda_account;
struct rda_cm_pair;
struct rda_host;
struct rda_key_track;
struct rda_rdmap;
struct rda_slowing;
struct rda_trail;
struct rda_ulp;

/*
 * What the families of checks watch of a flow (judge.h); each owns its own, NULL until it needs it.
 * Those that every request has come first.
 */
struct rda_watch {
	struct rda_frame_watch *frame;
	struct rda_sequence_watch *sequence;
	struct rda_answer_watch *answer;
	struct rda_time_watch *time;
	struct rda_congestion_watch *congestion;
	struct rda_management_watch *management;
	struct rda_capture_watch *capture;
	struct rda_iwarp_watch *iwarp;
};

/* What responses make of a flow, and what is neither a request nor a response (CNPs). */
struct rda_flow_answers {
	uint64_t packets; /* responses */
	uint64_t acks;
	uint64_t unread; /* ACKs, NAKs or RNR NAKs: what would tell which was cut off */
	uint32_t first_psn, last_psn;		   /* in the peer's space; if packets > 0 */
	struct rda_flow_ids ids[RDA_FLOW_IDS - 1]; /* of responses, of all else */
};

/* What READs, NAKs, CNPs, marks, copies, damage and several lives make of a flow: most have none.
 */
struct rda_flow_rare {
	struct rda_flow *latest; /* of the first life of several: the last one; else NULL */
	struct rda_flow *before; /* the life before; or NULL */
	struct rda_flow *first;	 /* the first life that is known; NULL: this one */
	uint64_t closed_place;	 /* where its life ended, and another may begin; 0: not */
	int64_t closed_ns;	 /* when; valid if it did */
	uint64_t known_place;	 /* iWARP: of the frame at which it became known; 0: its first */
	struct rda_flow_copies copies;
	struct rda_flow_alike alike[RDA_FLOW_IDS];
	uint64_t damaged; /* of the packets: ICRC or IP checksum wrong; counted nowhere below */
	uint64_t naks[RDA_NAK_COUNT], rnr_naks, cnps, ce_marked;
	uint64_t overtaken;	 /* UC: packets that came behind later ones */
	uint64_t overtaken_at;	 /* `request_packets` with the latest of them */
	uint64_t stream_holes;	 /* iWARP: in what its sender sent */
	struct rda_trail *trail; /* owned; where packets are traced, from the first request on */
	struct rda_mark_log *mark_log; /* owned; mark_log.h, NULL before the first mark or CNP */
	struct rda_ranges responses;   /* READ response PSNs seen, widened: in the peer's space */
	struct rda_read *reads; /* the last RDA_READS_KEPT, a ring; owned; NULL before the first */
	uint64_t read_count;
};

/*
 * In order of use: a request in order touches the first five lines of 64 bytes, an ACK four of
 * them, and what few packets need lies behind.
 */
struct rda_flow {
	struct rda_flow_key key; /* first: the table's key */
	uint32_t index;		 /* in order of the first packet, of those that are left */
	uint32_t path_mtu;	 /* from CM; 0 unknown */
	bool over; /* its connection is at its end: requests may belong to another one */
	bool in_matcher;
	bool source_port_known;
	bool transport_told;  /* by a packet whose bytes may be what was sent */
	int8_t transport;     /* enum rda_transport, of the first such packet; before it of the
				 first that may be damaged; else NONE */
	uint8_t share;	      /* class of its two hosts (RDA_SHARES) */
	uint8_t message_kind; /* of `messages`: enum rda_message; RDA_MESSAGE_COUNT: none yet */
	bool full_payload_varies;
	bool management : 1;	 /* carries connection management */
	bool from_start : 1;	 /* iWARP: the request that began the connection was seen */
	bool stream_doubted : 1; /* iWARP: of some bytes there are only damaged copies */
	bool plain : 1;		 /* of RoCEv2 over IPv4, with no sender's QP in its key */
	bool among_others : 1;	 /* nothing but answers told its peer, of several between the two
				  * hosts: it may be another's; matcher.c writes */
	uint8_t ulp_tries;	 /* to find its upper layer */
	uint8_t paired_by;	 /* enum rda_paired_by; with `peer` */
	uint16_t source_port;	 /* UDP, of the first packet that is no CNP: those may have any */

	struct rda_watch watch;

	struct rda_account *account; /* owned; reliable services, from the first request on */
	struct rda_ulp *ulp;	     /* of its connection (ulp.h); NULL: none that is known */
	struct rda_flow *peer; /* the other direction, once found while packets come (matcher.h) */
	struct rda_host *sender, *receiver; /* of its addresses; the engine's */
	int64_t last_time_ns;
	int64_t gap_ns; /* before its latest packet; 0 of the first */
	/* without copies of packets (copies.h); bytes: frames, as on the wire */
	uint64_t packets, bytes;

	struct rda_ranges requests; /* request PSNs seen, widened */
	uint64_t request_packets;
	uint64_t payload_bytes; /* of requests and READ responses, each PSN counted once */
	uint32_t full_payload;	/* of First and Middle packets: the path MTU in use; 0: none seen */
	uint32_t last_psn;	/* of requests, as on the wire; valid if request_packets > 0 */

	int64_t first_time_ns;
	uint64_t cut;				  /* of the packets: by the snap length */
	uint32_t quiet[RDA_FLOW_IDS];		  /* packets since the latest copy, as `ids` */
	uint32_t first_psn;			  /* as last_psn */
	struct rda_message_count messages;	  /* of the kind that came first */
	struct rda_message_count *other_messages; /* owned; by kind; NULL: there are none */

	struct rda_flow_answers *answers; /* owned; NULL before the first */
	struct rda_key_track *keys;	  /* owned; from the first request that names a key on */

	uint32_t number;      /* so many flows were known before: it stays, and is no other's */
	uint32_t tries;	      /* to find its peer */
	uint64_t first_place; /* of its first packet (meta.h) */
	const struct rda_cm_pair *pair; /* that set it up (cm_track.h); NULL: not captured */
	struct rda_rdmap *rdmap;	/* owned; iWARP, from the first FPDU on */
	struct rda_steps *steps;	/* owned; steps.h, NULL before the first */
	struct rda_slowing *slowing;	/* owned; slowing.h, NULL before many packets */
	struct rda_flow_rare *rare;	/* owned; NULL: nothing of it */
	struct rda_flow_ids ids;	/* of requests */
};

/* What is rare: all 0, for those that have none of it. */
extern const struct rda_flow_rare rda_flow_ordinary;

static inline const struct rda_flow_rare *rda_flow_rare(const struct rda_flow *flow)
{
	return flow->rare ? flow->rare : &rda_flow_ordinary;
}

/* Another interface of the host saw most copies than what they repeat; `by_time`: so many copies
 * more than identifications tell. */
static inline bool rda_flow_is_copied_elsewhere(const struct rda_flow *flow, uint64_t by_time)
{
	const struct rda_flow_copies *copies = &rda_flow_rare(flow)->copies;

	return copies->elsewhere && 2 * copies->elsewhere >= copies->packets + by_time;
}

/* Of a flow that answered nothing. */
extern const struct rda_flow_answers rda_flow_unanswering;

static inline const struct rda_flow_answers *rda_flow_answers(const struct rda_flow *flow)
{
	return flow->answers ? flow->answers : &rda_flow_unanswering;
}

/* The identifications of one kind (rda_copies_kind). */
static inline const struct rda_flow_ids *rda_flow_ids(const struct rda_flow *flow, unsigned kind)
{
	return kind ? &rda_flow_answers(flow)->ids[kind - 1] : &flow->ids;
}

/* Whether its life had ended when that of the other one began. */
static inline bool rda_flow_ended_before(const struct rda_flow *flow, const struct rda_flow *other)
{
	uint64_t closed = rda_flow_rare(flow)->closed_place;

	return closed && closed <= other->first_place;
}

/* The time until which something of it may be seen, in captures that go on until `until_ns`. */
static inline int64_t rda_flow_until(const struct rda_flow *flow, int64_t until_ns)
{
	const struct rda_flow_rare *rare = rda_flow_rare(flow);

	return rare->closed_place && rare->closed_ns < until_ns ? rare->closed_ns : until_ns;
}

/* To be written, made if it is not there. */
struct rda_flow_rare *rda_flow_make_rare(struct rda_flow *flow);
struct rda_flow_answers *rda_flow_make_answers(struct rda_flow *flow);

/* Messages and their bytes, of one kind. */
struct rda_message_count rda_flow_messages(const struct rda_flow *flow, enum rda_message kind);

struct rda_meta;

/* Whether a packet tells its sender's QP, and that is part of the key. */
static inline bool rda_flow_is_datagram(const struct rda_packet *packet)
{
	return packet->opcode->transport == RDA_TRANSPORT_UD && rda_has(packet, DETH);
}

/* What a request with these roles (enum rda_role) is part of; RDA_MESSAGE_COUNT: of none. */
static inline enum rda_message rda_message_of(uint16_t roles)
{
#define RDA_M(ID, name)                                                                            \
	if (roles & RDA_ROLE_##ID)                                                                 \
		return RDA_MESSAGE_##ID;
	RDA_MESSAGES(RDA_M)
#undef RDA_M
	return RDA_MESSAGE_COUNT;
}

/* The key of a packet's half-flow; the packet has a BTH. */
void rda_flow_key_of(struct rda_flow_key *key, const struct rda_meta *meta,
		     const struct rda_packet *packet);

/* The key of the half-flow that goes the other way between the same hosts, to a given QP, at a tap.
 */
void rda_flow_reverse_key(struct rda_flow_key *key, const struct rda_flow *flow, uint32_t dest_qp,
			  uint32_t tap);

/* True for the flows from the lower of their two addresses. */
bool rda_flow_is_upward(const struct rda_flow *flow);

/* The UDP source ports of both are known, and not the same. */
static inline bool rda_flow_ports_differ(const struct rda_flow *a, const struct rda_flow *b)
{
	return a->source_port_known && b->source_port_known && a->source_port != b->source_port;
}

/* A new flow, of which the table has filled the key and zeroed the rest. */
void rda_flow_init(struct rda_flow *flow, uint32_t index, int64_t time_ns);
void rda_flow_cleanup(struct rda_flow *flow);

/* Counts a packet that is not known to be damaged; `credible`: nor may it be. */
void rda_flow_packet(struct rda_flow *flow, const struct rda_meta *meta,
		     const struct rda_frame *frame, const struct rda_packet *packet, bool credible);

/* Counts a packet that is in the capture once more. */
void rda_flow_copy(struct rda_flow *flow, const struct rda_frame *frame,
		   const struct rda_packet *packet);

/* Counts an FPDU or a start frame of iWARP that the flow's sender sent. */
struct rda_fpdu_seen;
struct rda_mpa_start;
struct rda_mpa_start_seen;
void rda_flow_fpdu(struct rda_flow *flow, const struct rda_fpdu_seen *fpdu);
void rda_flow_mpa_start(struct rda_flow *flow, const struct rda_mpa_start_seen *start);
/* It was damaged: it does not count. */
void rda_flow_mpa_start_damaged(struct rda_flow *flow, const struct rda_mpa_start *start);

/* iWARP: holes in what its sender sent; an FPDU whose contents cannot be trusted. */
void rda_flow_stream_holes(struct rda_flow *flow, uint64_t holes);
void rda_flow_fpdu_damaged(struct rda_flow *flow);

/* No path has another MTU (IBTA vol 1, C9-92): a First of another size is damaged, or none. */
#define RDA_PATH_MTU_MIN 256
#define RDA_PATH_MTU_MAX 4096

static inline bool rda_flow_is_path_mtu(int64_t bytes)
{
	return bytes >= RDA_PATH_MTU_MIN && bytes <= RDA_PATH_MTU_MAX && !(bytes & (bytes - 1));
}

/* Counts a packet whose contents cannot be trusted. */
void rda_flow_damaged(struct rda_flow *flow, const struct rda_meta *meta,
		      const struct rda_frame *frame);

#endif
