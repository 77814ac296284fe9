/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The two ends: on each host a requester and a responder, as IBTA has them and as rxe and NICs vary
 * them.
 */
#ifndef RDA_SIM_PEER_H
#define RDA_SIM_PEER_H

#include "analyzer/rda.h"
#include "tests/simulate/plan.h"
#include "tests/simulate/truth.h"

struct sim_world;

struct sim_message {
	int64_t begin, end; /* PSNs */
	int64_t post_ns, start_ns, done_ns;
	uint64_t va;
	uint32_t rkey, length;
	uint8_t kind; /* enum sim_message_kind */
	bool resent;
};

struct sim_requester {
	const struct sim_requester_plan *plan;
	struct sim_message *messages; /* owned */
	uint32_t message_count;
	uint32_t oldest;   /* message that is not complete */
	uint32_t newest;   /* message that was sent last */
	int64_t next;	   /* to send */
	int64_t high;	   /* behind the highest that was sent */
	int64_t una;	   /* everything below is complete */
	int64_t acked;	   /* everything below was taken, READs apart */
	uint32_t run;	   /* truth.h */
	bool retrying;	   /* since a go-back no answer moved anything */
	int64_t wait_ns;   /* after an RNR NAK: not before */
	int64_t rnr_psn;   /* of the latest, whose NAK may follow */
	int64_t slowed_ns; /* after a CNP: not before */
	int64_t wake_ns;   /* of the SIM_SENDS that is under way; below now: none */
	int64_t free_ns;   /* when the next packet may leave */
	uint32_t timer;	   /* generation */
	bool armed;
	bool dead;	  /* it gave up */
	uint32_t expired; /* timers, since an answer moved anything */
	int64_t naked;	  /* the PSN of the NAK that it will obey, plus one; 0 none */
	uint16_t ip_id;
	/* selective repeat: PSNs to send again, in order */
	int64_t *again; /* owned */
	uint32_t again_count, again_allocated;
};

enum sim_answer_kind {
	SIM_ANSWER_ACK,
	SIM_ANSWER_NAK,
	SIM_ANSWER_RNR,
	SIM_ANSWER_READ,
	SIM_ANSWER_ATOMIC
};

struct sim_answer {
	int64_t psn, end; /* READ: responses to go */
	int64_t begin;	  /* of them: the first of this request */
	uint32_t length;  /* bytes of all */
	uint32_t msn;
	uint8_t kind; /* enum sim_answer_kind */
};

struct sim_responder {
	const struct sim_responder_plan *plan;
	int64_t expected;
	uint32_t msn;
	bool nak_sent, rnr_open;
	int64_t unready_until, unready_psn;
	struct sim_answer *queue; /* owned; [head, count) to go */
	uint32_t head, count, allocated;
	uint32_t stream; /* rows of answers without a pause */
	bool works;	 /* a SIM_ANSWERS is under way */
	uint16_t ip_id;
	uint8_t *taken; /* owned; selective repeat: PSNs that arrived ahead */
	int64_t taken_end;
};

void sim_requester_begin(struct sim_world *world, uint8_t host);
void sim_requester_cleanup(struct sim_requester *requester);
void sim_requester_sends(struct sim_world *world, uint8_t host);
void sim_requester_timer(struct sim_world *world, uint8_t host, uint32_t generation);
void sim_requester_slows(struct sim_world *world, uint8_t host);
/* Obeys what it took before: `cause` has its PSN, its transmission and the trigger (syndrome). */
void sim_requester_reacts(struct sim_world *world, uint8_t host, const struct sim_packet *cause);
void sim_requester_takes(struct sim_world *world, uint8_t host, const struct sim_packet *packet);
/* What the requester does from now on, as it knows itself: idle, sending, limited or waiting. */
enum rda_time_cause sim_requester_spends(const struct sim_world *world, uint8_t host);

bool sim_requester_is_done(const struct sim_requester *requester);

void sim_responder_begin(struct sim_world *world, uint8_t host);
void sim_responder_cleanup(struct sim_responder *responder);
void sim_responder_takes(struct sim_world *world, uint8_t host, const struct sim_packet *packet);
void sim_responder_answers(struct sim_world *world, uint8_t host);
/* Whether it executed the request of a PSN, or placed it ahead of others. */
bool sim_responder_has(const struct sim_responder *responder, int64_t psn);

/*
 * When its timer expires that is armed now, and whether it gives up when it expires once more
 * (peer_timer.c).
 */
int64_t sim_timer_ns(const struct sim_requester *requester);
bool sim_timer_is_last(const struct sim_requester *requester);

/* The message of a requester that has this PSN. */
struct sim_message *sim_message_of(const struct sim_requester *requester, int64_t psn);

#endif
