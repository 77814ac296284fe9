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

/* one stretch of the path, in one direction */
struct sim_link_plan {
	int64_t delay_ns, jitter_ns; /* order is kept, but for `late` ones */
	uint32_t loss;
	uint32_t burst_begins, burst_ends; /* Gilbert: all is lost in a burst */
	uint32_t late;			   /* packets that others overtake */
	int64_t late_ns;
	uint32_t twice;	 /* packets that arrive twice */
	uint32_t marked; /* ECN */
};

enum sim_message_kind { SIM_SEND, SIM_WRITE, SIM_READ, SIM_ATOMIC, SIM_MESSAGE_KINDS };

struct sim_requester_plan {
	uint32_t messages;
	uint32_t weights[SIM_MESSAGE_KINDS];
	uint32_t longest; /* packets of a message */
	uint32_t window;  /* PSNs outstanding */
	uint32_t reads;	  /* READs and ATOMICs outstanding */
	uint32_t ack_every;
	int64_t gap_ns;	  /* between packets */
	int64_t pause_ns; /* between messages, at most */
	int64_t timeout_ns;
	bool selective;	     /* only what is missing is sent again */
	bool one_retry;	     /* rxe: a second NAK in a retry is ignored */
	bool skips_acked;    /* a run does not send what was acknowledged meanwhile */
	bool constant_ip_id; /* as some NICs do */
	uint32_t first_psn;
};

struct sim_responder_plan {
	int64_t service_ns; /* before the first answer of an idle responder */
	int64_t gap_ns;	    /* between answers */
	uint32_t unready;   /* no receive posted: RNR NAK */
	int64_t unready_ns; /* for so long, at most */
	uint8_t rnr_code;
	bool nak_after_rnr;	 /* rxe: a NAK 60 follows */
	bool ack_all_duplicates; /* rxe; others: those that ask for it */
};

struct sim_tap_plan {
	uint32_t loss;
	uint32_t mirrored; /* packets that the tap shows twice */
	uint32_t snaplen;  /* 0: none */
};

struct sim_plan {
	uint64_t seed;
	uint32_t mtu;
	bool managed; /* a CM exchange comes first */
	uint32_t qpn[2];
	struct sim_link_plan link[2][2]; /* by sending host, by stretch */
	struct sim_requester_plan requester[2];
	struct sim_responder_plan responder[2];
	struct sim_tap_plan tap;
};

/* The ways to draw one; each is a property's (properties.c). */
enum sim_faults {
	SIM_PERFECT,   /* nothing goes wrong */
	SIM_LOSSY,     /* losses in the network, before and behind the tap; RNR */
	SIM_TAP_LOSSY, /* losses by the tap only */
	SIM_ALL,       /* everything */
	SIM_BOTH,      /* losses in the network and by the tap */
};

void sim_draw(struct sim_plan *plan, enum sim_faults faults, uint64_t seed);

#endif
