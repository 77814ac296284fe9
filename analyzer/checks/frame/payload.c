/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group F, payload against path MTU and RETH: F11-F13, F21-F24.
 *
 *     First     Middle    Last
 *     MTU       MTU       1 .. MTU        their sum is the RETH's length, in a WRITE
 */
#include "analyzer/checks/frame/state.h"

#include "analyzer/base/psn.h"

#include <glib.h>

#define LENGTH_MAX 0x80000000u /* of one message */

/*
 * Full packets so near each other are of one connection, if there was no pause between them: a QP
 * that is set up anew, perhaps with another MTU, begins anywhere in 2^24 PSNs, or where it began
 * before (libraries that begin with 0), and its first packets need not be in the capture.
 */
enum { NEAR_PSNS = 4096 };

struct full_packets {
	uint64_t place;	   /* of the first */
	int64_t latest_ns; /* of the latest, as are `psn` and `network` */
	uint32_t payload;
	uint32_t network; /* VLAN or VXLAN: in another one the same addresses are other hosts */
	unsigned psn : 24;
	bool seen : 1;
	bool checked : 1; /* the ICRCs fit of those that it was learned from */
};

/* A WRITE of several packets, while all that came of it were new and in order. */
struct write_message {
	uint64_t bytes;	    /* so far */
	uint64_t place;	    /* of the First */
	unsigned next : 24; /* PSN */
	bool open : 1;
	bool checked : 1; /* the ICRCs fit of all but those that go on as the one before */
	uint32_t length;  /* as the RETH says */
};

struct rda_frame_watch {
	struct write_message write;
	struct full_packets requests;
	struct full_packets responses;	      /* their PSNs are of another space */
	struct rda_damaged_requests *doubted; /* owned; NULL: none were */
};

RDA_COLD static struct rda_frame_watch *make_watch(struct rda_flow *flow)
{
	flow->watch.frame = g_new0(struct rda_frame_watch, 1);
	return flow->watch.frame;
}

static struct rda_frame_watch *watch_of(struct rda_flow *flow)
{
	return flow->watch.frame ? flow->watch.frame : make_watch(flow);
}

void rda_frame_payload_forget(struct rda_flow *flow)
{
	if (flow->watch.frame)
		g_free(flow->watch.frame->doubted);
	g_free(flow->watch.frame);
	flow->watch.frame = NULL;
}

struct rda_damaged_requests *rda_frame_doubted(const struct rda_flow *flow)
{
	return flow->watch.frame ? flow->watch.frame->doubted : NULL;
}

struct rda_damaged_requests *rda_frame_make_doubted(struct rda_flow *flow)
{
	struct rda_frame_watch *watch = watch_of(flow);

	if (!watch->doubted)
		watch->doubted = g_new0(struct rda_damaged_requests, 1);
	return watch->doubted;
}

static struct rda_finding *find(const struct rda_at *at, enum rda_check check)
{
	return rda_finding_by_bytes(at, check, rda_about_flow(at->flow));
}

/* ---- path MTU -------------------------------------------------------------------------------- */

/* As the connection management that set it up says; 0 unknown: behind its end it may be the next
 * one's. */
static uint32_t managed_mtu(const struct rda_at *at)
{
	const struct rda_cm_pair *pair = at->flow->pair;

	return pair && !rda_cm_is_over(pair) ? pair->path_mtu : 0;
}

/* F11: full packets of two sizes in one direction. */
RDA_COLD static void sizes_differ(const struct rda_at *at, const struct full_packets *full)
{
	struct rda_finding *finding =
		rda_finding_by_both(at, full->checked, RDA_CHECK_F11, rda_about_flow(at->flow));

	rda_finding_frame(finding, full->place);
	rda_finding_repeats(at, finding, at->packet->payload_length, at->flow->packets);
	rda_finding_say(finding, RDA_SAY_F11_SIZES_DIFFER,
			RDA_ARG_WORD("opcode", at->packet->opcode->name),
			RDA_ARG_NUMBER("payload", at->packet->payload_length),
			RDA_ARG_NUMBER("others", full->payload));
}

/* F11: a size that is no path MTU, or not the one agreed on. */
RDA_COLD static void size_is_wrong(const struct rda_at *at)
{
	uint32_t payload = at->packet->payload_length, mtu;

	if (!rda_flow_is_path_mtu(payload)) {
		rda_finding_say(find(at, RDA_CHECK_F11), RDA_SAY_F11_NO_MTU,
				RDA_ARG_WORD("opcode", at->packet->opcode->name),
				RDA_ARG_NUMBER("payload", payload));
		return;
	}
	mtu = managed_mtu(at);
	if (mtu && payload < mtu)
		rda_finding_say(rda_finding_add_as(&at->judge->findings, RDA_CHECK_F11,
						   RDA_SEVERITY_NOTE, RDA_PROOF_SUSPECTED,
						   rda_about_flow(at->flow), at->place),
				RDA_SAY_F11_NOT_AGREED, RDA_ARG_NUMBER("payload", payload),
				RDA_ARG_NUMBER("path_mtu", mtu));
}

/* The VLAN and the VXLAN that a packet is in; 0: it is in none. */
static uint32_t network_of(const struct rda_at *at)
{
	struct rda_vxlan vxlan = {.vni = 0};
	struct rda_vlan vlan = {.id = 0};

	if (at->packet->plain)
		return 0;
	rda_read_vlan_of(at->frame, at->packet, &vlan);
	rda_read_vxlan_of(at->frame, at->packet, &vxlan);
	return vlan.id ^ vxlan.vni << 8;
}

/* The packet at hand is of the same connection as the latest full one. */
static bool goes_on_from(const struct full_packets *full, const struct rda_at *at, uint32_t network)
{
	/* behind or ahead by less than NEAR_PSNS */
	uint32_t near = (at->packet->bth.psn - full->psn + NEAR_PSNS - 1) & RDA_PSN_MASK;

	return full->seen && near < 2 * NEAR_PSNS - 1 && full->network == network &&
	       at->meta->time_ns - full->latest_ns < RDA_SILENCE_NS;
}

static void payload_not_path_mtu(const struct rda_at *at)
{
	const struct rda_packet *packet = at->packet;
	struct rda_frame_watch *watch = watch_of(at->flow);
	struct full_packets *full =
		packet->opcode->roles & RDA_ROLE_RESPONSE ? &watch->responses : &watch->requests;
	uint32_t network = network_of(at);

	if (goes_on_from(full, at, network)) {
		if (packet->payload_length != full->payload)
			sizes_differ(at, full);
		full->checked &= rda_judge_is_checked(at);
	} else {
		full->checked = rda_judge_is_checked(at);
		full->payload = packet->payload_length;
		full->place = at->place;
		size_is_wrong(at);
	}
	full->seen = true;
	full->psn = packet->bth.psn;
	full->latest_ns = at->meta->time_ns;
	full->network = network;
}

/* F13: more than a packet may hold, but for what a host put together. True when it was told. */
RDA_COLD static bool payload_exceeds_path_mtu(const struct rda_at *at)
{
	uint32_t payload = at->packet->payload_length, mtu = 0;
	struct rda_finding *finding;

	if (at->packet->opcode->kind != RDA_OPCODE_KNOWN || at->frame->wire > RDA_LONGEST_FRAME)
		return false;
	if (at->flow->path_mtu && payload > at->flow->path_mtu)
		mtu = managed_mtu(at); /* of a QP that was set up anew: the new one */
	if (payload <= (mtu ? mtu : RDA_PATH_MTU_MAX))
		return false;
	finding = find(at, RDA_CHECK_F13);
	rda_finding_repeats(at, finding, payload, at->flow->packets);
	if (mtu)
		rda_finding_say(finding, RDA_SAY_F13_AGREED,
				RDA_ARG_WORD("opcode", at->packet->opcode->name),
				RDA_ARG_NUMBER("payload", payload),
				RDA_ARG_NUMBER("path_mtu", mtu));
	else
		rda_finding_say(finding, RDA_SAY_F13_ANY,
				RDA_ARG_WORD("opcode", at->packet->opcode->name),
				RDA_ARG_NUMBER("payload", payload));
	return true;
}

/* F12: a message that ends with nothing would have ended one packet before. */
RDA_COLD static void last_without_payload(const struct rda_at *at)
{
	rda_finding_say(find(at, RDA_CHECK_F12), RDA_SAY_F12_NO_PAYLOAD,
			RDA_ARG_WORD("opcode", at->packet->opcode->name),
			RDA_ARG_PSN("psn", at->packet->bth.psn));
}

/* ---- RETH ------------------------------------------------------------------------------------ */

/* F21: no message is longer than 2 GiB. */
RDA_COLD static void length_exceeds_2_31(const struct rda_at *at)
{
	rda_finding_say(find(at, RDA_CHECK_F21), RDA_SAY_F21_LENGTH,
			RDA_ARG_WORD("opcode", at->packet->opcode->name),
			RDA_ARG_NUMBER("length", at->packet->reth.dmalen));
}

/* F22: all of the message is in this packet. */
static void write_only_length(const struct rda_at *at)
{
	const struct rda_packet *packet = at->packet;

	struct rda_finding *finding;

	if (packet->reth.dmalen == packet->payload_length)
		return;
	finding = find(at, RDA_CHECK_F22);
	rda_finding_repeats(at, finding, (uint64_t)packet->reth.dmalen - packet->payload_length,
			    rda_flow_messages(at->flow, RDA_MESSAGE_WRITE).count);
	rda_finding_say(finding, RDA_SAY_F22_LENGTH, RDA_ARG_WORD("opcode", packet->opcode->name),
			RDA_ARG_NUMBER("length", packet->reth.dmalen),
			RDA_ARG_NUMBER("payload", packet->payload_length));
}

/* F24: 8 bytes to an address that is a multiple of 8. */
static void atomic_write_form(const struct rda_at *at)
{
	const struct rda_packet *packet = at->packet;

	if (packet->reth.dmalen == 8 && packet->payload_length == 8 && packet->reth.va % 8 == 0)
		return;
	rda_finding_say(find(at, RDA_CHECK_F24), RDA_SAY_F24_FORM,
			RDA_ARG_WORD("opcode", packet->opcode->name),
			RDA_ARG_NUMBER("length", packet->reth.dmalen),
			RDA_ARG_NUMBER("payload", packet->payload_length),
			RDA_ARG_MEMORY("address", packet->reth.va));
}

/* ---- WRITEs of several packets ----------------------------------------------------------------
 */

/* F23: what its packets carry is what its RETH announced. */
static void write_message_length(const struct rda_at *at, const struct write_message *write)
{
	struct rda_finding *finding;

	if (write->bytes == write->length)
		return;
	finding = rda_finding_by_both(at, write->checked, RDA_CHECK_F23, rda_about_flow(at->flow));
	rda_finding_frame(finding, write->place);
	rda_finding_repeats(at, finding, write->bytes - write->length,
			    rda_flow_messages(at->flow, RDA_MESSAGE_WRITE).count);
	rda_finding_say(finding, RDA_SAY_F23_LENGTH, RDA_ARG_NUMBER("bytes", write->bytes),
			RDA_ARG_NUMBER("length", write->length));
}

/* Each PSN once: what is not new, or not the next, tells nothing of the message. */
static void follow_write(const struct rda_at *at)
{
	const struct rda_packet *packet = at->packet;
	struct write_message *write = &watch_of(at->flow)->write;
	uint16_t roles = packet->opcode->roles;

	if (at->request && at->kind != RDA_REQUEST_NEW)
		return;
	if (roles & RDA_ROLE_FIRST) {
		*write = (struct write_message){.open = rda_has(packet, RETH),
						.checked = true,
						.next = packet->bth.psn,
						.length = packet->reth.dmalen,
						.place = at->place};
	}
	if (packet->bth.psn != write->next)
		write->open = false;
	if (!write->open)
		return;
	write->next = (write->next + 1) & RDA_PSN_MASK;
	write->bytes += packet->payload_length;
	write->checked &= rda_judge_is_checked(at);
	if (!(roles & RDA_ROLE_LAST))
		return;
	write_message_length(at, write);
	write->open = false;
}

/*
 * Most packets of a long WRITE: new, the next one, and as full as the one before. All that is to be
 * said of them is that they came. Their ICRCs are not asked for: damage that changes what one
 * carries, or its place, would have made it another than the next.
 */
static bool goes_on(const struct rda_at *at)
{
	const uint16_t shape = RDA_ROLE_WRITE | RDA_ROLE_FIRST | RDA_ROLE_LAST;
	struct rda_frame_watch *watch = at->flow->watch.frame;
	const struct rda_packet *packet = at->packet;
	uint32_t psn = packet->bth.psn;

	if (!watch || (packet->opcode->roles & shape) != RDA_ROLE_WRITE || !watch->write.open ||
	    psn != watch->write.next || ((psn - watch->requests.psn) & RDA_PSN_MASK) != 1 ||
	    packet->payload_length != watch->requests.payload || !watch->requests.seen ||
	    at->kind != RDA_REQUEST_NEW || rda_frame_payload_is_long(at))
		return false;
	watch->requests.psn = psn;
	watch->requests.latest_ns = at->meta->time_ns;
	watch->write.next = (psn + 1) & RDA_PSN_MASK;
	watch->write.bytes += packet->payload_length;
	return true;
}

/* What is not just the next of its message. */
RDA_APART static void look_at_payload(const struct rda_at *at)
{
	const struct rda_packet *packet = at->packet;
	uint16_t roles = packet->opcode->roles;
	bool only = (roles & RDA_ROLE_ONLY) == RDA_ROLE_ONLY;
	bool exceeds = rda_frame_payload_is_long(at) && payload_exceeds_path_mtu(at);

	if (!exceeds && packet->opcode->payload == RDA_PAYLOAD_FULL)
		payload_not_path_mtu(at);
	if (packet->opcode->payload == RDA_PAYLOAD_SOME && packet->payload_length == 0)
		last_without_payload(at);
	if (rda_has(packet, RETH) && packet->reth.dmalen > LENGTH_MAX)
		length_exceeds_2_31(at);
	if (roles & RDA_ROLE_WRITE && !only)
		follow_write(at);
	else if (roles & RDA_ROLE_WRITE && rda_has(packet, RETH))
		write_only_length(at);
	else if (roles & RDA_ROLE_ATOMIC_WRITE && rda_has(packet, RETH))
		atomic_write_form(at);
}

void rda_frame_payload(const struct rda_at *at)
{
	if (!goes_on(at))
		look_at_payload(at);
}
