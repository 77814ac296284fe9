/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which QPs a CM exchange ties together.
 */
#include "analyzer/track/setup/state.h"

#include "tests/unit/feed.h"
#include "tests/unit/suite.h"

#include <string.h>

enum {
	A = 1,
	B = 2,
	C = 3,
	REQ = 0x10,
	MRA = 0x11,
	REJ = 0x12,
	REP = 0x13,
	RTU = 0x14,
	DREQ = 0x15,
	DREP = 0x16,
	SNAP_ALL = 65535
};

static struct rda_cm_track *track;
static struct rda_address hosts[4];
static struct rda_meta meta;
static struct rda_cm_step step;

static void setup(void)
{
	track = rda_cm_track_new(1);
	memset(&meta, 0, sizeof(meta));
	for (uint8_t host = 0; host < RDA_COUNT(hosts); host++)
		hosts[host] = (struct rda_address){
			.bytes = {[10] = 0xff, [11] = 0xff, [12] = 192, [14] = 2, [15] = host},
			.kind = RDA_ADDRESS_IP4};
}

static void teardown(void)
{
	rda_cm_track_free(track);
}

static uint16_t ip_id; /* of packets; 0: none */

/* The tracker sees the message, of which `of_message` bytes were captured. */
static void see(const struct rda_cm_message *message, uint32_t of_message)
{
	struct rda_packet packet;
	struct rda_built built;
	struct rda_frame frame;
	uint32_t captured;

	rda_build_cm(&built, message);
	captured = built.payload + 24 + of_message;
	captured = captured < built.b.length ? captured : built.b.length;
	frame = rda_exact_frame(built.b.bytes, captured, built.b.length, built.link);
	rda_dissect(&packet, &frame, NULL);
	packet.ip_id = ip_id;
	meta.number++;
	ck_assert(rda_cm_track_packet(track, &meta, rda_place_id(meta.tap, meta.number), &frame,
				      &packet, &step));
	rda_frame_free(&frame);
}

static void see_req(uint8_t from, uint8_t to, uint32_t id, uint32_t qpn, uint8_t mtu)
{
	see(&(struct rda_cm_message){.from = from,
				     .to = to,
				     .attribute = REQ,
				     .local_id = id,
				     .qpn = qpn,
				     .path_mtu = mtu},
	    SNAP_ALL);
}

static void see_rep(uint8_t from, uint8_t to, uint32_t remote_id, uint32_t qpn)
{
	see(&(struct rda_cm_message){.from = from,
				     .to = to,
				     .attribute = REP,
				     .local_id = 0x99,
				     .remote_id = remote_id,
				     .qpn = qpn},
	    SNAP_ALL);
}

static void check_pair(uint8_t one, uint32_t qpn, uint8_t two, uint32_t peer_qpn, uint32_t mtu)
{
	const struct rda_cm_end *end = rda_cm_track_find(track, &hosts[one], &hosts[two], qpn);

	ck_assert_ptr_nonnull(end);
	ck_assert_uint_eq(end->pair->sides[end->side].qpn, qpn);
	ck_assert_uint_eq(end->pair->sides[!end->side].qpn, peer_qpn);
	ck_assert_uint_eq(end->pair->path_mtu, mtu);
}

static const struct rda_cm_limits *limits_of(uint8_t one, uint32_t qpn, uint8_t two)
{
	const struct rda_cm_end *end = rda_cm_track_find(track, &hosts[one], &hosts[two], qpn);

	ck_assert_ptr_nonnull(end);
	return &end->pair->sides[end->side].limits;
}

START_TEST(req_and_rep_tie_two_qps)
{
	see_req(A, B, 0x1234, 0x11, 3);
	ck_assert_ptr_null(rda_cm_track_find(track, &hosts[A], &hosts[B], 0x11));
	see_rep(B, A, 0x1234, 0x22);
	check_pair(A, 0x11, B, 0x22, 1024);
	check_pair(B, 0x22, A, 0x11, 1024);
	ck_assert_ptr_null(rda_cm_track_find(track, &hosts[A], &hosts[B], 0x22));
	ck_assert_ptr_null(rda_cm_track_find(track, &hosts[C], &hosts[B], 0x11));
}
END_TEST

START_TEST(equal_qpns_on_both_ends)
{
	see_req(A, B, 7, 0x11, 1);
	see_rep(B, A, 7, 0x11);
	check_pair(A, 0x11, B, 0x11, 256);
	check_pair(B, 0x11, A, 0x11, 256);
}
END_TEST

START_TEST(path_mtus)
{
	static const uint32_t mtus[16] = {0, 256, 512, 1024, 2048, 4096};

	for (uint8_t code = 0; code < 16; code++) {
		see_req(A, B, code, 0x100 + code, code);
		see_rep(B, A, code, 0x200 + code);
		check_pair(A, 0x100u + code, B, 0x200u + code, mtus[code]);
	}
}
END_TEST

/* Communication IDs are the active host's: others use the same. */
START_TEST(ids_of_two_hosts_are_not_mixed)
{
	see_req(A, C, 7, 0x11, 1);
	see_req(B, C, 7, 0x12, 2);
	see_rep(C, B, 7, 0x31);
	see_rep(C, A, 7, 0x32);
	check_pair(B, 0x12, C, 0x31, 512);
	check_pair(A, 0x11, C, 0x32, 256);
	check_pair(C, 0x31, B, 0x12, 512);
}
END_TEST

START_TEST(what_ties_nothing)
{
	see_rep(B, A, 1, 0x22); /* no REQ was seen */
	see_req(A, B, 2, 0x11, 1);
	see_rep(B, A, 3, 0x22); /* of another REQ */
	see_rep(A, B, 2, 0x22); /* from the active side */
	see(&(struct rda_cm_message){.from = B, .to = A, .attribute = REJ, .remote_id = 2},
	    SNAP_ALL);
	see(&(struct rda_cm_message){.from = A, .to = B, .attribute = RTU, .local_id = 2},
	    SNAP_ALL);
	ck_assert_uint_eq(track->ends.count, 0);
}
END_TEST

START_TEST(the_latest_pair_of_a_qp_holds)
{
	see_req(A, B, 1, 0x11, 1);
	see_rep(B, A, 1, 0x22);
	see_req(A, C, 2, 0x11, 5); /* the QP is used again, with another peer */
	see_rep(C, A, 2, 0x33);
	check_pair(A, 0x11, C, 0x33, 4096);
	see_req(A, B, 1, 0x12, 2); /* and the communication ID too */
	see_rep(B, A, 1, 0x23);
	check_pair(A, 0x12, B, 0x23, 512);
}
END_TEST

/* A cut REQ serves as far as it goes: QPN to byte 35, path MTU in byte 50. */
START_TEST(cut_messages)
{
	static const struct {
		uint32_t of_req, of_rep;
		bool tied;
		uint32_t mtu;
	} cases[] = {
		{34, SNAP_ALL, false, 0}, {35, 14, false, 0},	{35, 15, true, 0},
		{50, 15, true, 0},	  {51, 15, true, 1024},
	};

	for (uint32_t i = 0; i < RDA_COUNT(cases); i++) {
		uint32_t id = 2 * i + 1, qpn = 0x11 + i;

		see(&(struct rda_cm_message){.from = A,
					     .to = B,
					     .attribute = REQ,
					     .local_id = id,
					     .qpn = qpn,
					     .path_mtu = 3},
		    cases[i].of_req);
		see(&(struct rda_cm_message){.from = B,
					     .to = A,
					     .attribute = REP,
					     .local_id = id + 1,
					     .remote_id = id,
					     .qpn = 0x22},
		    cases[i].of_rep);
		if (cases[i].tied)
			check_pair(A, qpn, B, 0x22, cases[i].mtu);
		else
			ck_assert_ptr_null(rda_cm_track_find(track, &hosts[A], &hosts[B], qpn));
	}
}
END_TEST

/* What either end may do as a requester. */
START_TEST(limits)
{
	struct rda_cm_message req = {
		.from = A, .to = B, .attribute = REQ, .local_id = 1, .qpn = 0x11, .path_mtu = 3};
	struct rda_cm_message rep = {
		.from = B, .to = A, .attribute = REP, .local_id = 9, .remote_id = 1, .qpn = 0x22};
	const struct rda_cm_limits *active, *passive;

	req.retry_count = 5;
	req.ack_timeout = 19;
	req.rnr_retry_count = 6;
	req.resources = 16;
	req.depth = 4;
	rep.rnr_retry_count = 3;
	rep.resources = 2;
	rep.depth = 20;
	see(&req, SNAP_ALL);
	see(&rep, SNAP_ALL);
	active = limits_of(A, 0x11, B);
	passive = limits_of(B, 0x22, A);
	ck_assert_int_eq(active->retry_count, 5);
	ck_assert_int_eq(passive->retry_count, 5);
	ck_assert_int_eq(active->ack_timeout, 19);
	ck_assert_int_eq(active->rnr_retry_count, 3);  /* what B says */
	ck_assert_int_eq(passive->rnr_retry_count, 6); /* what A says */
	ck_assert_int_eq(active->reads, 2);	       /* A asks for 4, B serves 2 */
	ck_assert_int_eq(passive->reads, 20); /* B asks for 20: A, which offered 16, takes that */

	req.local_id = rep.remote_id = 2;
	see(&req, 47);
	see(&rep, 24);
	active = limits_of(A, 0x11, B);
	ck_assert_int_eq(active->retry_count, -1);
	ck_assert_int_eq(active->ack_timeout, -1);
	ck_assert_int_eq(active->rnr_retry_count, -1);
	ck_assert_int_eq(active->reads, -1);
}
END_TEST

/* ---- conversations --------------------------------------------------------------------------- */

static void say(uint8_t from, uint8_t to, uint16_t attribute, uint32_t local_id, uint32_t remote_id)
{
	see(&(struct rda_cm_message){.from = from,
				     .to = to,
				     .attribute = attribute,
				     .local_id = local_id,
				     .remote_id = remote_id},
	    SNAP_ALL);
}

/* Each side begins to send with the PSN that the other one named. */
START_TEST(starting_psns_are_the_recipients)
{
	const struct rda_cm_pair *pair;

	see(&(struct rda_cm_message){.from = A,
				     .to = B,
				     .attribute = REQ,
				     .local_id = 1,
				     .qpn = 0x11,
				     .psn = 700},
	    SNAP_ALL);
	pair = step.pair;
	ck_assert_int_eq(pair->sides[RDA_CM_PASSIVE].first_psn, 700);
	ck_assert_int_eq(pair->sides[RDA_CM_ACTIVE].first_psn, -1);
	see(&(struct rda_cm_message){.from = B,
				     .to = A,
				     .attribute = REP,
				     .local_id = 2,
				     .remote_id = 1,
				     .qpn = 0x22,
				     .psn = 0xfffffe},
	    SNAP_ALL);
	ck_assert_ptr_eq(step.pair, pair);
	ck_assert_int_eq(pair->sides[RDA_CM_ACTIVE].first_psn, 0xfffffe);
}
END_TEST

/* The same packet, a few milliseconds later, is a copy that the network made; another one, or the
 * same much later, is not. */
START_TEST(copies)
{
	ip_id = 77;
	see_req(A, B, 1, 0x11, 3);
	meta.time_ns += RDA_CM_COPY_NS - 1;
	see_req(A, B, 1, 0x11, 3);
	ck_assert(!step.repeated);
	meta.time_ns++;
	see_req(A, B, 1, 0x11, 3);
	ck_assert(step.repeated);
	ip_id = 78;
	meta.time_ns += RDA_CM_REPEAT_NS;
	see_req(A, B, 1, 0x11, 3);
	ck_assert(step.repeated);
	ip_id = 0;
}
END_TEST

/* What follows is found by either ID, and sent again is not seen again. */
START_TEST(a_life)
{
	const struct rda_cm_pair *pair;

	see_req(A, B, 1, 0x11, 3);
	pair = step.pair;
	ck_assert(step.fresh && !step.repeated);
	meta.time_ns += RDA_CM_REPEAT_NS - 1; /* a mirror's copy */
	see_req(A, B, 1, 0x11, 3);
	ck_assert(!step.fresh && !step.repeated);
	meta.time_ns += 1;
	see_req(A, B, 1, 0x11, 3);
	ck_assert(!step.fresh && step.repeated);
	meta.tap = 1; /* the same, as another tap sees it */
	meta.time_ns += RDA_CM_REPEAT_NS;
	see_req(A, B, 1, 0x11, 3);
	ck_assert(!step.fresh && !step.repeated);
	meta.tap = 0;
	say(B, A, MRA, 0x99, 1);
	ck_assert_ptr_eq(step.pair, pair);
	see_rep(B, A, 1, 0x22);
	say(A, B, RTU, 1, 0x99);
	say(B, A, DREQ, 0x99, 1);
	ck_assert_uint_eq(step.sender, RDA_CM_PASSIVE);
	say(A, B, DREP, 1, 0x99);
	ck_assert_ptr_eq(step.pair, pair);
	ck_assert_uint_eq(pair->req.count, 2);
	ck_assert_uint_eq(pair->mra.count, 1);
	ck_assert_uint_eq(pair->rep.count, 1);
	ck_assert_uint_eq(pair->rtu.count, 1);
	ck_assert_uint_eq(pair->sides[RDA_CM_PASSIVE].dreq.count, 1);
	ck_assert_uint_eq(pair->sides[RDA_CM_ACTIVE].dreq.count, 0);
	ck_assert_uint_eq(pair->sides[RDA_CM_ACTIVE].drep.count, 1);
	ck_assert_uint_eq(track->pairs.count, 1);
}
END_TEST

/* The REQ came before the capture: the rest belongs together all the same. */
START_TEST(begun_before_the_capture)
{
	say(B, A, DREQ, 0x99, 1);
	ck_assert(step.fresh && !step.pair->begun);
	say(A, B, DREP, 1, 0x99);
	ck_assert_uint_eq(track->pairs.count, 1);
	ck_assert_uint_eq(step.pair->sides[step.sender].drep.count, 1);
	ck_assert_uint_eq(step.pair->sides[!step.sender].dreq.count, 1);
}
END_TEST

/* Conversations of which either ID is a host's own, of several hosts, are kept apart. */
START_TEST(a_refusal)
{
	see_req(A, B, 1, 0x11, 3);
	see_req(C, B, 1, 0x11, 3);
	say(B, A, REJ, 0, 1);
	ck_assert_ptr_eq(step.pair, rda_cm_track_at(track, 0));
	ck_assert_int_eq(step.pair->rej_by, RDA_CM_PASSIVE);
	say(B, C, REJ, 0, 1);
	ck_assert_ptr_eq(step.pair, rda_cm_track_at(track, 1));
	ck_assert_uint_eq(track->pairs.count, 2);
}
END_TEST

START_TEST(an_id_used_again_is_a_new_conversation)
{
	see_req(A, B, 1, 0x11, 3);
	see_req(A, B, 1, 0x12, 3);
	ck_assert(step.fresh);
	see_rep(B, A, 1, 0x22);
	ck_assert_ptr_eq(step.pair, rda_cm_track_at(track, 1));
	ck_assert_ptr_null(rda_cm_track_find(track, &hosts[A], &hosts[B], 0x11));
	check_pair(A, 0x12, B, 0x22, 1024);
}
END_TEST

/* Who sends a flow, and who receives it, also where both have one QPN. */
START_TEST(the_sides_of_a_flow)
{
	struct rda_flow flow = {.key = {.source = hosts[A], .destination = hosts[B]}};
	const struct rda_cm_pair *pair;

	see_req(A, B, 1, 0x11, 3);
	see_rep(B, A, 1, 0x11);
	flow.key.dest_qp = 0x11;
	pair = rda_cm_track_bind(track, &flow);
	ck_assert_ptr_nonnull(pair);
	ck_assert_ptr_eq(rda_cm_sender(pair, &flow), &pair->sides[RDA_CM_ACTIVE]);
	ck_assert_ptr_eq(rda_cm_receiver(pair, &flow), &pair->sides[RDA_CM_PASSIVE]);
	ck_assert_ptr_eq(rda_cm_track_pair(track, &flow), pair);
	ck_assert_ptr_eq(pair->flows[RDA_CM_ACTIVE], &flow);
	flow.key.source = hosts[C];
	ck_assert_ptr_null(rda_cm_track_bind(track, &flow));
	flow.key.source = hosts[B];
	flow.key.destination = hosts[A];
	ck_assert_ptr_eq(rda_cm_track_bind(track, &flow), pair);
	ck_assert_ptr_eq(rda_cm_sender(pair, &flow), &pair->sides[RDA_CM_PASSIVE]);
}
END_TEST

START_TEST(no_more_than_so_many)
{
	for (uint32_t i = 0; i < RDA_CM_PAIRS_MAX; i++)
		rda_table_get(&track->pairs, &i, NULL);
	see_req(A, B, 1, 0x11, 3);
	ck_assert_ptr_null(step.pair);
	ck_assert_uint_eq(track->not_kept, 1);
	ck_assert_uint_eq(track->pairs.count, RDA_CM_PAIRS_MAX);
}
END_TEST

Suite *rda_suite_cm_track(void)
{
	Suite *suite = suite_create("cm_track");
	TCase *tcase = tcase_create("cm_track");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, req_and_rep_tie_two_qps);
	tcase_add_test(tcase, equal_qpns_on_both_ends);
	tcase_add_test(tcase, path_mtus);
	tcase_add_test(tcase, ids_of_two_hosts_are_not_mixed);
	tcase_add_test(tcase, what_ties_nothing);
	tcase_add_test(tcase, the_latest_pair_of_a_qp_holds);
	tcase_add_test(tcase, cut_messages);
	tcase_add_test(tcase, limits);
	tcase_add_test(tcase, starting_psns_are_the_recipients);
	tcase_add_test(tcase, a_life);
	tcase_add_test(tcase, copies);
	tcase_add_test(tcase, begun_before_the_capture);
	tcase_add_test(tcase, a_refusal);
	tcase_add_test(tcase, an_id_used_again_is_a_new_conversation);
	tcase_add_test(tcase, the_sides_of_a_flow);
	tcase_add_test(tcase, no_more_than_so_many);
	suite_add_tcase(suite, tcase);
	return suite;
}
