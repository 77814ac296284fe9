/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * M03, M04, M13, M14, M15, M16, M19, M20: refusals, replies that do not match, and what messages
 * say of themselves. The subject is the flow of management that carries them.
 */
#include "analyzer/checks/management/state.h"

#include "analyzer/base/cold.h"
#include "analyzer/base/words.h"
#include "dissectors/ulp/srp.h"
#include "dissectors/values.h"

#include <glib.h>
#include <string.h>

/* An MRA that asks for more than 2^22 * 4.096 us (17 s) is a long wait, by whatever protocol. */
enum { LONG_SERVICE_TIMEOUT = 22 };

/*
 * Whoever calls again so long after he was hung up on wants what he no longer gets: storage that
 * went away (Linux tries NVMe-oF again after 10 s, SMB every 3 s, NFS after 1 s and more). RDS, of
 * which both sides unload the module, calls 7 times within 0.2 s.
 */
#define STILL_WANTED_NS 1000000000

/*
 * iWARP's port of SMB: Linux's client asks for it first, whatever the network, and where nobody
 * listens there for the other one. If nobody listens there either, that is another refusal.
 */
enum { SMB_FIRST_PORT = 5445, SMB_NEXT_PORT = 445 };

/* The reason of a REJ was not captured. */
enum { UNKNOWN_REASON = -1 };

/* ---- refusals -------------------------------------------------------------------------------- */

static bool is_stale(int32_t reason)
{
	return reason == RDA_REJ_REASON_STALE_CONNECTION ||
	       reason == RDA_REJ_REASON_DUPLICATE_COMM_ID;
}

/* When the refuser ended its last connection with the asker to the same service; NULL: it did not.
 */
static const struct rda_cm_moment *service_ended(const struct rda_at *at, int32_t reason)
{
	const struct rda_cm_pair *pair = at->step->pair;

	if (reason != RDA_REJ_REASON_INVALID_SERVICE_ID || !pair || !pair->begun)
		return NULL;
	return rda_management_left_before(at->judge, &at->packet->source, &at->packet->destination,
					  pair->service_id);
}

/*
 * A redirection is an answer, and the application's own refusal is its right. Who hung up and is
 * called again at once (RDS does so when the other side's module is unloaded) refuses for good
 * reason. `since_ns`: since it did; -1: it did not. `asked`: it is known for what.
 */
static enum rda_severity severity_of(int32_t reason, int64_t since_ns, enum rda_cm_side_id by,
				     bool asked)
{
	if (since_ns >= 0)
		return since_ns < STILL_WANTED_NS ? RDA_SEVERITY_NOTE : RDA_SEVERITY_WARNING;
	switch (reason) {
	case UNKNOWN_REASON: /* who asked mostly says so that it waits no longer (M01) */
		return by == RDA_CM_ACTIVE ? RDA_SEVERITY_NOTE : RDA_SEVERITY_ERROR;
	case RDA_REJ_REASON_PORT_CM_REDIRECT:
	case RDA_REJ_REASON_PORT_REDIRECT: return RDA_SEVERITY_NOTE;
	case RDA_REJ_REASON_CONSUMER: return RDA_SEVERITY_WARNING;
	case RDA_REJ_REASON_INVALID_SERVICE_ID: /* SMB's first port is one that nobody needs */
		return asked ? RDA_SEVERITY_ERROR : RDA_SEVERITY_WARNING;
	default: return RDA_SEVERITY_ERROR;
	}
}

static bool asks_for_another(const struct rda_cm_pair *pair, int32_t reason)
{
	return reason == RDA_REJ_REASON_INVALID_SERVICE_ID && pair && pair->begun &&
	       rda_ip_cm_port(pair->service_id) == SMB_FIRST_PORT;
}

/* Who gives up tells so: nobody answered him, which is the finding then (M01). */
static bool is_own_timeout(const struct rda_cm_step *step)
{
	return step->pair && step->pair->begun && step->sender == RDA_CM_ACTIVE &&
	       step->pair->rej_reason == RDA_REJ_REASON_TIMEOUT && !step->pair->rep.count;
}

static void say_rejected(const struct rda_at *at, struct rda_finding *finding, enum rda_saying says,
			 int32_t reason, const struct rda_cm_moment *ended)
{
	const struct rda_cm_pair *pair = at->step->pair;
	const char *name = reason >= 0 ? rda_words(RDA_SET_REJ_REASON, (uint64_t)reason) : NULL;
	bool login = pair && pair->login.refused;
	uint32_t login_reason = login ? pair->login.reason : 0;

	rda_finding_say(
		finding, says, RDA_ARG_ADDRESS("by", &at->packet->source),
		RDA_ARG_ADDRESS("peer", &at->packet->destination),
		RDA_ARG_FLAG("request_captured", pair && pair->begun),
		RDA_ARG_FLAG("by_passive", at->step->sender == RDA_CM_PASSIVE),
		RDA_MANAGEMENT_SERVICE(pair),
		RDA_ARG_IF(reason >= 0,
			   RDA_ARG_WORD("reason_name", name ? name : "a reserved reason")),
		RDA_ARG_IF(reason >= 0, RDA_ARG_NUMBER("reason", (uint64_t)reason)),
		RDA_ARG_TEXT("reason_means", rda_words_reject(reason)),
		RDA_ARG_IF(asks_for_another(pair, reason),
			   RDA_ARG_NUMBER("next_port", SMB_NEXT_PORT)),
		RDA_ARG_IF(ended, RDA_ARG_TIME("ended_before_ns",
					       at->meta->time_ns - (ended ? ended->first_ns : 0))),
		RDA_ARG_IF(login, RDA_ARG_TEXT("login_status",
					       rda_srp_status_words(rda_srp_status_of(
						       RDA_SRP_CLASS_LOGIN, login_reason)))),
		RDA_ARG_IF(login, RDA_ARG_HEX("login_reason", login_reason, 8)));
}

/* M03: no ICRC that fits: it may have been another message. */
static struct rda_finding *refusal(const struct rda_at *at, int32_t reason, int64_t since_ns)
{
	const struct rda_cm_step *step = at->step;
	bool checked = rda_judge_is_checked(at);
	enum rda_severity severity =
		asks_for_another(step->pair, reason)
			? RDA_SEVERITY_NOTE
			: severity_of(reason, since_ns, (enum rda_cm_side_id)step->sender,
				      step->pair && step->pair->begun);

	if (!checked && severity == RDA_SEVERITY_ERROR)
		severity = RDA_SEVERITY_WARNING;
	return rda_finding_add_as(&at->judge->findings, RDA_CHECK_M03, severity,
				  checked && reason != UNKNOWN_REASON ? RDA_PROOF_PROVEN
								      : RDA_PROOF_SUSPECTED,
				  rda_about_flow(at->flow), at->place);
}

/* M03, M14: a REJ; those that an earlier connection is the reason of are M14. */
static void connection_rejected(const struct rda_at *at)
{
	const struct rda_cm_step *step = at->step;
	int32_t reason =
		rda_cm_knows(&step->cm, "reason") ? step->cm.cm_rej.reason : UNKNOWN_REASON;
	const struct rda_cm_moment *ended = service_ended(at, reason);
	int64_t since_ns = ended ? MAX(at->meta->time_ns - ended->first_ns, 0) : -1;
	struct rda_finding *finding;

	if ((step->pair && !step->fresh) || is_own_timeout(step))
		return;
	if (is_stale(reason))
		finding = rda_finding_by_bytes(at, RDA_CHECK_M14, rda_about_flow(at->flow));
	else
		finding = refusal(at, reason, since_ns);
	if (step->pair && step->pair->req.count)
		rda_finding_frame(finding, step->pair->req.first_place);
	say_rejected(at, finding, is_stale(reason) ? RDA_SAY_M14_REJECTED : RDA_SAY_M03_REJECTED,
		     reason, ended);
}

/* ---- REP ------------------------------------------------------------------------------------- */

/*
 * M04: a REP wants more READs under way than its REQ offered to serve. Linux's active side does
 * what the REP says, as far as its device can: no more than a warning.
 */
static void rep_wants_too_much(const struct rda_at *at)
{
	const struct rda_cm_pair *pair = at->step->pair;
	int16_t offered = pair->sides[RDA_CM_ACTIVE].resources;
	int16_t wanted = pair->sides[RDA_CM_PASSIVE].depth;
	struct rda_finding *finding;

	if (offered < 0 || wanted <= offered)
		return;
	finding = rda_finding_add_as(&at->judge->findings, RDA_CHECK_M04, RDA_SEVERITY_WARNING,
				     pair->req.checked && rda_judge_is_checked(at)
					     ? RDA_PROOF_PROVEN
					     : RDA_PROOF_SUSPECTED,
				     rda_about_flow(at->flow), at->place);
	rda_finding_frame(finding, pair->req.first_place);
	rda_finding_say(finding, RDA_SAY_M04_TOO_MANY_READS,
			RDA_ARG_ADDRESS("by", &at->packet->source),
			RDA_ARG_NUMBER("reads", (uint64_t)wanted),
			RDA_ARG_NUMBER("offered", (uint64_t)offered));
}

/* M04: a REP with the IDs of a REQ, and another transaction. The capture may have missed another
 * REQ with these IDs, and Linux's active side matches REPs by those alone: no more than a warning.
 */
static void rep_of_another_transaction(const struct rda_at *at)
{
	const struct rda_cm_pair *pair = at->step->pair;
	struct rda_finding *finding;

	if (pair->tid == at->packet->mad.tid)
		return;
	finding = rda_finding_add_as(&at->judge->findings, RDA_CHECK_M04, RDA_SEVERITY_WARNING,
				     RDA_PROOF_SUSPECTED, rda_about_flow(at->flow), at->place);
	rda_finding_frame(finding, pair->req.first_place);
	rda_finding_say(finding, RDA_SAY_M04_TRANSACTION,
			RDA_ARG_HEX("rep_transaction", at->packet->mad.tid, 16),
			RDA_ARG_HEX("req_transaction", pair->tid, 16));
}

/* M13: the same two QPs are tied again before packets of their last life can have died out. */
static void qp_reused_too_early(const struct rda_at *at)
{
	const struct rda_cm_pair *pair = at->step->pair, *earlier = pair->earlier;
	int64_t left_ns = RDA_NEVER_NS, timewait_ns, passed_ns;
	struct rda_finding *finding;
	uint64_t left_place = 0;

	if (!earlier || earlier->by != pair->by)
		return;
	for (unsigned i = 0; i < 2; i++)
		if (earlier->sides[i].dreq.count && earlier->sides[i].dreq.first_ns > left_ns) {
			left_ns = earlier->sides[i].dreq.first_ns;
			left_place = earlier->sides[i].dreq.first_place;
		}
	if (!left_place || earlier->sides[RDA_CM_ACTIVE].limits.ack_timeout <= 0)
		return;
	timewait_ns = rda_cm_time_ns((unsigned)earlier->sides[RDA_CM_ACTIVE].limits.ack_timeout);
	passed_ns = pair->req.first_ns - left_ns;
	if (passed_ns < 0 || passed_ns >= timewait_ns)
		return;
	finding = rda_finding_at(at, RDA_CHECK_M13);
	rda_finding_frame(finding, left_place);
	rda_finding_frame(finding, pair->req.first_place);
	rda_finding_say(finding, RDA_SAY_M13_AGAIN, RDA_ARG_QPN("qpn", pair->sides[0].qpn),
			RDA_ARG_QPN("other_qpn", pair->sides[1].qpn),
			RDA_ARG_TIME("passed_ns", passed_ns),
			RDA_ARG_TIME("timewait_ns", timewait_ns));
}

static void reply(const struct rda_at *at)
{
	const struct rda_cm_step *step = at->step;

	if (!step->pair || !step->fresh)
		return;
	if (!step->pair->begun) {
		rda_management_stray_reply(at, step->cm.cm_rep.remote_comm_id);
		return;
	}
	rep_wants_too_much(at);
	rep_of_another_transaction(at);
	qp_reused_too_early(at);
}

/* ---- REQ ------------------------------------------------------------------------------------- */

/* The last four bytes of an IPv4 address, all of an IPv6 one. */
static bool is_same_ip(const struct rda_address *address, const uint8_t ip[16], bool ip6)
{
	if (ip6)
		return memcmp(address->bytes, ip, 16) == 0;
	return memcmp(address->bytes + 12, ip + 12, 4) == 0;
}

/* M15: the IP CM service's header names other addresses than the packet has. */
static void cm_address_mismatch(const struct rda_at *at)
{
	const struct rda_packet *packet = at->packet;
	bool source, destination, ip6;
	struct rda_finding *finding;
	struct rda_ip_cm ip;

	if (packet->carrier != RDA_CARRIER_ROCEV2 || !rda_read_ip_cm_of(at->frame, packet, &ip))
		return;
	ip6 = packet->source.kind == RDA_ADDRESS_IP6;
	source = is_same_ip(&packet->source, ip.source, ip6);
	destination = is_same_ip(&packet->destination, ip.destination, ip6);
	if (ip.ip_version == (ip6 ? 6 : 4) && source && destination)
		return;
	finding = rda_finding_at(at, RDA_CHECK_M15);
	if (ip.ip_version != 4 && ip.ip_version != 6)
		rda_finding_say(finding, RDA_SAY_M15_NO_VERSION,
				RDA_ARG_ADDRESS("sender", &packet->source),
				RDA_ARG_NUMBER("ip_version", ip.ip_version));
	else if (ip.ip_version != (ip6 ? 6 : 4))
		rda_finding_say(finding, RDA_SAY_M15_OTHER_VERSION,
				RDA_ARG_ADDRESS("sender", &packet->source),
				RDA_ARG_NUMBER("ip_version", ip.ip_version),
				RDA_ARG_NUMBER("carried_by", ip6 ? 6 : 4));
	else
		rda_finding_say(finding, RDA_SAY_M15_OTHER_ADDRESS,
				RDA_ARG_ADDRESS("sender", &packet->source),
				RDA_ARG_IF(!source, RDA_ARG_WORD("source_differs", "source")),
				RDA_ARG_IF(!destination,
					   RDA_ARG_WORD("destination_differs", "destination")));
}

/* ---- the others ------------------------------------------------------------------------------ */

/* M19: the other side is asked to wait long. */
static void mra_long(const struct rda_at *at)
{
	uint8_t timeout = at->step->cm.cm_mra.service_timeout;

	if (!rda_cm_knows(&at->step->cm, "service_timeout") || timeout < LONG_SERVICE_TIMEOUT)
		return;
	rda_finding_say(rda_finding_at(at, RDA_CHECK_M19), RDA_SAY_M19_LONG,
			RDA_ARG_ADDRESS("by", &at->packet->source),
			RDA_ARG_TIME("service_timeout_ns", rda_cm_time_ns(timeout)));
}

/* M20: an alternate path was not accepted. */
static void alternate_path_failure(const struct rda_at *at)
{
	uint8_t status = at->step->cm.cm_apr.status;
	const char *name = rda_words(RDA_SET_AP_STATUS, status);

	if (!rda_cm_knows(&at->step->cm, "status") || status == RDA_AP_STATUS_LOADED)
		return;
	rda_finding_say(rda_finding_by_bytes(at, RDA_CHECK_M20, rda_about_flow(at->flow)),
			RDA_SAY_M20_NOT_TAKEN, RDA_ARG_ADDRESS("by", &at->packet->source),
			RDA_ARG_WORD("status_name", name ? name : "a reserved status"),
			RDA_ARG_NUMBER("status", status));
}

/* M16: no QP for a datagram service, or an answer that nobody asked for. */
static void sidr_reply(const struct rda_at *at)
{
	const struct rda_cm_sidr_rep *rep = &at->step->cm.cm_sidr_rep;
	const char *name = rda_words(RDA_SET_SIDR_STATUS, rep->status);

	if (rda_cm_knows(&at->step->cm, "status") && rep->status != RDA_SIDR_STATUS_SUCCESS)
		rda_finding_say(rda_finding_by_bytes(at, RDA_CHECK_M16, rda_about_flow(at->flow)),
				RDA_SAY_M16_NO_QP, RDA_ARG_ADDRESS("by", &at->packet->source),
				RDA_ARG_ADDRESS("asker", &at->packet->destination),
				RDA_ARG_WORD("status_name", name ? name : "a reserved status"),
				RDA_ARG_NUMBER("status", rep->status));
	else if (rda_cm_knows(&at->step->cm, "request_id"))
		rda_management_sidr_answered(at, rep->request_id);
}

RDA_APART void rda_management_message(const struct rda_at *at)
{
	switch (at->step->cm.id) {
	case RDA_CM_REQ:
		if (!at->step->pair || at->step->fresh)
			cm_address_mismatch(at);
		break;
	case RDA_CM_REJ: connection_rejected(at); break;
	case RDA_CM_REP: reply(at); break;
	case RDA_CM_MRA: mra_long(at); break;
	case RDA_CM_APR: alternate_path_failure(at); break;
	case RDA_CM_SIDR_REQ:
		if (rda_cm_knows(&at->step->cm, "request_id"))
			rda_management_sidr_ask(at, at->step->cm.cm_sidr_req.request_id);
		break;
	case RDA_CM_SIDR_REP: sidr_reply(at); break;
	default: break;
	}
}

/* ---- overall --------------------------------------------------------------------------------- */

/* Two hosts, and what one asks the other for; or 0: who is refused, and by whom. */
struct call_key {
	struct rda_address asker, asked;
	uint64_t service_id;
};

struct call {
	struct call_key key; /* first: the table's key */
	int64_t accepted_ns; /* when the latest connection was asked for that came about */
	bool refused;	     /* for good, */
	bool refused_once;   /* or until the same was granted */
};

static struct call *call_of(struct rda_table *calls, const struct rda_address *asker,
			    const struct rda_address *asked, uint64_t service_id)
{
	struct call_key key;

	memset(&key, 0, sizeof(key)); /* padding too: keys are compared as bytes */
	memcpy(&key.asker, asker, sizeof(key.asker));
	memcpy(&key.asked, asked, sizeof(key.asked));
	key.service_id = service_id;
	return rda_table_get(calls, &key, NULL);
}

static struct call *call_for(struct rda_table *calls, const struct rda_cm_pair *pair)
{
	return call_of(calls, &pair->sides[RDA_CM_ACTIVE].address,
		       &pair->sides[RDA_CM_PASSIVE].address, pair->service_id);
}

/* A refusal for which M03 is an error as a rule. */
static bool is_grave(const struct rda_cm_pair *pair)
{
	enum rda_cm_side_id by = (enum rda_cm_side_id)pair->rej_by;

	return pair->rej.count && !is_stale(pair->rej_reason) &&
	       !asks_for_another(pair, pair->rej_reason) &&
	       severity_of(pair->rej_reason, -1, by, pair->begun) == RDA_SEVERITY_ERROR;
}

static void note_refusal(struct rda_table *calls, const struct rda_cm_pair *pair)
{
	bool once = pair->begun && pair->rej_reason == RDA_REJ_REASON_INVALID_SERVICE_ID &&
		    call_for(calls, pair)->accepted_ns > pair->rej.first_ns;
	struct call *call = call_of(calls, &pair->sides[!pair->rej_by].address,
				    &pair->sides[pair->rej_by].address, 0);

	call->refused_once |= once;
	call->refused |= !once;
}

static void note_calls(struct rda_table *calls, const struct rda_overall *overall)
{
	for (uint32_t i = 0; i < overall->conversation_count; i++) {
		const struct rda_cm_pair *pair = &overall->conversations[i].said;
		struct call *call;

		if (pair->by != RDA_PAIRED_BY_CM || !pair->begun || !pair->rtu.count)
			continue;
		call = call_for(calls, pair);
		call->accepted_ns = MAX(call->accepted_ns, pair->req.first_ns);
	}
	for (uint32_t i = 0; i < overall->conversation_count; i++)
		if (is_grave(&overall->conversations[i].said))
			note_refusal(calls, &overall->conversations[i].said);
}

/* Who asks before the server is up is refused until it is. */
void rda_management_messages_overall(struct rda_judge *judge)
{
	struct rda_table calls;

	rda_table_init(&calls, sizeof(struct call_key), sizeof(struct call), 0);
	note_calls(&calls, judge->overall);
	for (uint32_t i = 0; i < judge->findings.table.count; i++) {
		struct rda_finding *finding = judge->findings.table.items[i];
		const struct rda_flow_key *key;
		const struct call *call;

		if (finding->key.check != RDA_CHECK_M03 || finding->key.overall ||
		    finding->key.subject.kind != RDA_SUBJECT_FLOW ||
		    finding->key.severity != RDA_SEVERITY_ERROR)
			continue;
		key = &judge->overall->flows[finding->key.subject.index]->key;
		call = call_of(&calls, &key->destination, &key->source, 0);
		finding->severity = call->refused_once && !call->refused ? RDA_SEVERITY_WARNING
									 : RDA_SEVERITY_ERROR;
	}
	rda_table_cleanup(&calls, NULL);
}
