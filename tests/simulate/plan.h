/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one run of the simulator is made of, all drawn from its seed (draw.c).
 *
 *     host 0 ---[near 0]--- tap ---[near 1]--- host 1
 *
 * The path has two stretches; the tap stands between them. Each has its own faults in each
 * direction. Chances are in millionths.
 */
#ifndef RDA_SIM_PLAN_H
#define RDA_SIM_PLAN_H

#include <stdbool.h>
#include <stdint.h>

enum { SIM_PATHS = 8 };

/* How a stretch chooses among its paths: enum sim_spray. */
enum sim_spray {
	SIM_BY_PACKET,	/* at random */
	SIM_BY_FLOW,	/* requests take one path, responses another */
	SIM_BY_FLOWLET, /* another one after each pause */
};

/* Paths of equal cost, each with its own delay; a packet keeps its place only on its own. */
struct sim_spray_plan {
	uint32_t paths;		    /* 0: there is one, the link's */
	uint8_t by;		    /* enum sim_spray */
	int64_t more_ns[SIM_PATHS]; /* beyond the link's delay */
};

/* one stretch of the path, in one direction */
struct sim_link_plan {
	int64_t delay_ns, jitter_ns; /* order is kept, but for `late` ones */
	uint32_t loss;
	uint32_t burst_begins, burst_ends; /* Gilbert: all is lost in a burst */
	uint32_t late;			   /* packets that others overtake */
	int64_t late_ns;
	uint32_t twice;		   /* packets that arrive twice */
	int64_t twice_ns;	   /* a copy comes so much behind its packet, at most */
	uint32_t damaged;	   /* packets whose bytes change: the receiver drops them */
	uint32_t nak_loss;	   /* of NAKs alone */
	int64_t dead_ns, alive_ns; /* all is lost from one to the other; 0 and 0: never */
	struct sim_spray_plan spray;
	uint32_t marked; /* ECN */
};

enum sim_message_kind { SIM_SEND, SIM_WRITE, SIM_READ, SIM_ATOMIC, SIM_MESSAGE_KINDS };

/* What a requester's timer does: enum sim_timer. */
enum sim_timer {
	SIM_TIMER_ENDLESS, /* rxe: always the same time, as often as it takes */
	SIM_TIMER_PLAIN,   /* always the same time, R + 1 tries */
	SIM_TIMER_LADDER,  /* ConnectX, adaptive: peer_timer.c */
};

struct sim_requester_plan {
	uint32_t messages;
	uint32_t weights[SIM_MESSAGE_KINDS];
	uint32_t longest; /* packets of a message */
	uint32_t window;  /* PSNs outstanding */
	uint32_t reads;	  /* READs and ATOMICs outstanding */
	uint32_t depth;	  /* messages outstanding; 0: any number */
	uint32_t batch;	  /* of so many messages all must be answered, then it sleeps; 0: none */
	int64_t sleep_ns;
	int64_t slowed_ns; /* a CNP stops it for so long; 0: not at all */
	uint32_t ack_every;
	int64_t gap_ns;	  /* between packets */
	int64_t pause_ns; /* between messages, at most */
	int64_t timeout_ns;
	bool selective;	     /* only what is missing is sent again */
	bool one_retry;	     /* rxe: a second NAK in a retry is ignored */
	bool skips_acked;    /* a run does not send what was acknowledged meanwhile */
	bool constant_ip_id; /* as some NICs do */
	uint32_t first_psn;
	uint8_t timer;	      /* enum sim_timer */
	uint8_t ack_timeout;  /* T, of timers that give up: as CM tells it */
	uint8_t retries;      /* R, of timers that give up */
	int64_t reaction_ns;  /* from a NAK, or what implies one, to what it asks for */
	bool read_from_start; /* a READ is repeated whole; else from the response that is missing */
};

struct sim_responder_plan {
	int64_t service_ns; /* before the first answer of an idle responder */
	int64_t gap_ns;	    /* between answers */
	uint32_t unready;   /* no receive posted: RNR NAK */
	int64_t unready_ns; /* for so long, at most */
	uint8_t rnr_code;
	bool nak_after_rnr;	 /* rxe: a NAK 60 follows */
	bool ack_all_duplicates; /* rxe; others: those that ask for it */
	bool own_psn_acks;	 /* a duplicate is acknowledged by its own PSN */
	bool silent;		 /* what is ahead is placed, and no NAK tells of the hole */
	int64_t nak_ns;		 /* a NAK takes so long to make */
	int64_t ack_delay_ns;	 /* an ACK waits so long for others to be merged with */
	uint32_t ghosts;	 /* ACKs of what was never sent */
	uint8_t credits;	 /* of ACKs; 0: no credits, as rxe has it */
};

struct sim_tap_plan {
	uint32_t loss;
	uint32_t mirrored;  /* packets that the tap shows twice */
	uint32_t snaplen;   /* 0: none */
	int64_t skew_ns[2]; /* by sending host: how late its packets are shown */
	bool hides[2];	    /* by sending host: its packets are not shown */
	int64_t begins_ns;  /* nothing is shown before */
	int64_t ends_ns;    /* and nothing from then on; 0: all is */
	int64_t stamp_ns;   /* what times are multiples of; 0: of one */
};

/* The IPv4 identifications of a host: enum sim_ip_ids. */
enum sim_ip_ids {
	SIM_ID_APART, /* requests and responses count for themselves */
	SIM_ID_HOST,  /* one more with each packet of the host, also to others */
	SIM_ID_QP,    /* one more with each packet of the QP */
	SIM_ID_JUMPS, /* one more with each packet of the QP, many more behind a pause */
	SIM_ID_ZERO,
	SIM_ID_RANDOM,
	SIM_ID_PSN, /* the PSN's lower half */
	SIM_ID_KINDS,
};

struct sim_plan {
	uint64_t seed;
	uint32_t mtu;
	bool managed;	/* a CM exchange comes first */
	bool addressed; /* whose REQ has the addresses, as its service wants it */
	uint32_t qpn[2];
	struct sim_link_plan link[2][2]; /* by sending host, by stretch */
	struct sim_requester_plan requester[2];
	struct sim_responder_plan responder[2];
	struct sim_tap_plan tap;
	uint8_t ip_ids[2];    /* enum sim_ip_ids, by host */
	bool ipv6;	      /* where there are none */
	uint16_t source_port; /* 0: as drivers fold it of the QPNs */
	bool timed;	      /* what host 0 does is written down (spent.h) */
	int64_t watched_ns;   /* the capture goes on so long after the last packet; 0: it ends */
};

/* The ways to draw one; each is a property's (properties.c). */
enum sim_faults {
	SIM_PERFECT,   /* nothing goes wrong */
	SIM_LOSSY,     /* losses in the network, before and behind the tap; RNR */
	SIM_TAP_LOSSY, /* losses by the tap only */
	SIM_ALL,       /* everything */
	SIM_BOTH,      /* losses in the network and by the tap */

	/* of fabrics and NICs: draw_fabric.c */
	SIM_SPRAYED,   /* several paths; nothing is lost */
	SIM_LATE,      /* some packets are late by a bounded time; nothing is lost */
	SIM_COPIED,    /* the network doubles packets; nothing is lost */
	SIM_NICS,      /* losses, in order, between NICs of every habit */
	SIM_SILENT,    /* as NICS, and what comes ahead is placed without a NAK */
	SIM_SELECTIVE, /* as NICS, and only what is missing is sent again */
	SIM_NAK_LOST,  /* as NICS, and NAKs above all are lost */
	SIM_SKEWED,    /* as NICS, and the tap shows one direction 30 us late */
	SIM_EXHAUSTED, /* the path dies: for good, or until the requester has tried some times */
	SIM_GHOSTS,    /* losses, in order, and ACKs of what was never sent, or of duplicates */
	SIM_SAME_PSN,  /* several QPs between two hosts, all from PSN 0 on, without CM */
	SIM_FABRIC,    /* all of these at once */
	SIM_DAMAGED,   /* losses, in order, and packets whose bytes change */

	SIM_SPENT, /* of requesters whose time is known: draw_spent.c */
	SIM_ONCE,  /* as ALL, and nothing arrives or is shown twice */

	/* what a tap shows poorly, of SPRAYED, LATE or any of NICS to NAK_LOST */
	SIM_COARSE,  /* times of 1 us, 10 us or 1 ms */
	SIM_ONE_WAY, /* one host's packets only */
	SIM_PIECE,   /* the beginning is missing, the end, or both */
	SIM_GAPPY,   /* packets are missing */
	SIM_BRISK,   /* all is shown; timers of 1 to 130 ms, below what NAKs take or round trips */
};

/* Whether packets may overtake each other, or arrive more than once. */
static inline bool sim_reorders(enum sim_faults faults)
{
	return faults == SIM_SPRAYED || faults == SIM_LATE || faults == SIM_COPIED ||
	       faults == SIM_FABRIC;
}

void sim_draw(struct sim_plan *plan, enum sim_faults faults, uint64_t seed);

#endif
