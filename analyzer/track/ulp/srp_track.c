/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Information units of SRP, as commands and answers.
 */
#include "analyzer/track/ulp/srp_track.h"

#include "analyzer/base/meta.h"
#include "analyzer/track/setup/cm_track.h"
#include "analyzer/track/ulp/ulp_tally.h"
#include "dissectors/ulp/srp.h"

/* Requests left with which an initiator waits: Linux keeps one, to abort what hangs. */
enum { SHORT = 1 };

/* Each side has tags of its own, of 64 bits: the target's are moved to where no initiator's are. */
#define ID_OF_TARGET UINT64_C(0x7a3c96e15bd2f048)

/* A unit, the cursor behind its fixed part. */
struct taken {
	const struct rda_ulp_message *message;
	struct rda_cursor cursor;
	struct rda_srp srp;
};

/* ---- requests that are granted --------------------------------------------------------------- */

static bool is_short(const struct rda_ulp *ulp)
{
	return ulp->facts.has_limit && ulp->srp.left <= SHORT;
}

static void add_short(struct rda_ulp_facts *facts, int64_t ns)
{
	if (ns > 0)
		facts->limited_ns = rda_ns_sum(facts->limited_ns, ns);
}

static void grant(struct rda_ulp *ulp, int64_t more, int64_t time_ns)
{
	bool before = is_short(ulp);

	if (!ulp->facts.has_limit)
		return;
	ulp->srp.left += more;
	ulp->facts.limit_least = MIN(ulp->facts.limit_least, ulp->srp.left);
	if (is_short(ulp) == before)
		return;
	if (before)
		add_short(&ulp->facts, time_ns - ulp->srp.since_ns);
	else
		ulp->facts.limited_times++;
	ulp->srp.since_ns = time_ns;
}

void rda_srp_hold(struct rda_ulp_facts *facts, const struct rda_srp_track *srp, int64_t until_ns)
{
	if (facts->has_limit && srp->left <= SHORT)
		add_short(facts, until_ns - srp->since_ns);
}

/* ---- requests -------------------------------------------------------------------------------- */

static struct rda_ulp_command *ask(struct rda_ulp *ulp, const struct taken *t, uint32_t operation,
				   uint64_t bytes, bool back)
{
	const struct rda_ulp_asked asked = {
		.id = back ? t->srp.tag ^ ID_OF_TARGET : t->srp.tag,
		.code = operation,
		.name = rda_srp_operation_name(operation),
		.bytes = bytes,
		.back = back,
	};

	return rda_ulp_ask(ulp, &asked, t->message);
}

/* What nobody answers, and what is answered as it is said. */
static void tell(struct rda_ulp *ulp, const struct taken *t, bool by_target, uint32_t status)
{
	const struct rda_ulp_asked asked = {
		.id = by_target ? t->srp.tag ^ ID_OF_TARGET : t->srp.tag,
		.code = t->srp.type,
		.name = rda_srp_operation_name(t->srp.type),
		.waits = true, /* it has no latency */
		.back = by_target,
	};
	struct rda_ulp_command *command = rda_ulp_ask(ulp, &asked, t->message);

	if (command)
		rda_ulp_answer(ulp, command, status, rda_srp_status_words(status), t->message);
}

static void take_command(struct rda_ulp *ulp, struct taken *t)
{
	struct rda_srp_buffers all = {0}, buffers = {0};
	struct rda_cursor cursor = t->cursor;
	struct rda_ulp_command *command;
	struct rda_srp_memory memory;

	while (rda_srp_next_memory(&cursor, &t->srp, &all, &memory))
		continue;
	command = ask(ulp, t, RDA_SCSI_OPERATION | t->srp.cdb, all.bytes, false);
	if (!command)
		return;
	command->own.scsi.lun = t->srp.lun;
	while (rda_srp_next_memory(&t->cursor, &t->srp, &buffers, &memory)) {
		const struct rda_ulp_range range = {memory.address, memory.key, memory.length};

		if (memory.length && (!memory.is_table || all.table))
			command->broken |= !rda_ulp_commands_lend(&ulp->commands, command, &range);
	}
	/* where the target reads descriptors as well, its READs are not those of data alone */
	command->broken |= all.cut || all.table;
	command->inside = all.inside;
}

/* ---- answers --------------------------------------------------------------------------------- */

static void answer(struct rda_ulp *ulp, const struct taken *t, uint64_t id, uint32_t status)
{
	struct rda_ulp_command *command = rda_ulp_asked(ulp, id, t->message);

	if (command)
		rda_ulp_answer(ulp, command, status, rda_srp_status_words(status), t->message);
}

static void take_response(struct rda_ulp *ulp, struct taken *t)
{
	struct rda_ulp_command *command = rda_ulp_commands_find(&ulp->commands, t->srp.tag);
	uint64_t residual = rda_srp_residual(&t->srp);

	if (command && residual <= command->bytes)
		command->bytes -= residual;
	answer(ulp, t, t->srp.tag, rda_srp_read_status(&t->cursor, &t->srp));
}

/* ---- what passes ----------------------------------------------------------------------------- */

static void take_of_initiator(struct rda_ulp *ulp, struct taken *t)
{
	switch (t->srp.type) {
	case RDA_SRP_CMD:
		take_command(ulp, t);
		grant(ulp, -1, t->message->first_ns);
		break;
	case RDA_SRP_TSK_MGMT:
		ask(ulp, t, RDA_SRP_TASK | t->srp.function, 0, false);
		grant(ulp, -1, t->message->first_ns);
		break;
	case RDA_SRP_I_LOGOUT: tell(ulp, t, false, 0); break;
	case RDA_SRP_CRED_RSP:
	case RDA_SRP_AER_RSP: answer(ulp, t, t->srp.tag ^ ID_OF_TARGET, 0); break;
	default: ulp->facts.unread++; break;
	}
}

static void take_of_target(struct rda_ulp *ulp, struct taken *t)
{
	grant(ulp, t->srp.limit, t->message->last_ns);
	switch (t->srp.type) {
	case RDA_SRP_RSP: take_response(ulp, t); break;
	case RDA_SRP_CRED_REQ:
	case RDA_SRP_AER_REQ: ask(ulp, t, t->srp.type, 0, true); break;
	case RDA_SRP_T_LOGOUT:
		tell(ulp, t, true, rda_srp_status_of(RDA_SRP_CLASS_LOGOUT, t->srp.reason));
		break;
	default: ulp->facts.unread++; break;
	}
}

void rda_srp_message(struct rda_ulp *ulp, bool by_initiator, const struct rda_ulp_message *message)
{
	struct taken t = {.message = message,
			  .cursor = {message->bytes, 0, message->have, message->length}};

	if (!rda_read_srp(&t.cursor, &t.srp)) {
		if (message->have == message->length)
			ulp->facts.unread += message->length != 0;
		else
			ulp->facts.cut++;
	} else if (by_initiator) {
		take_of_initiator(ulp, &t);
	} else {
		take_of_target(ulp, &t);
	}
}

/* ---- the login ------------------------------------------------------------------------------- */

static struct rda_ulp_message message_of(const struct rda_cm_moment *moment)
{
	return (struct rda_ulp_message){
		.place = moment->first_place,
		.last_place = moment->first_place,
		.first_ns = moment->first_ns,
		.last_ns = moment->first_ns,
	};
}

void rda_srp_begin(struct rda_ulp *ulp)
{
	const struct rda_cm_pair *pair = ulp->asker->pair;
	struct rda_ulp_message request, reply;
	struct rda_ulp_command *command;
	const struct rda_ulp_asked asked = {
		.code = RDA_SRP_LOGIN_REQ,
		.name = rda_srp_operation_name(RDA_SRP_LOGIN_REQ),
	};

	if (!pair || !pair->login.granted ||
	    rda_cm_sender(pair, ulp->asker) != &pair->sides[RDA_CM_ACTIVE])
		return;
	ulp->facts.has_limit = true;
	ulp->facts.limit_first = ulp->facts.limit_least = ulp->srp.left = pair->login.limit;
	ulp->srp.since_ns = pair->rep.first_ns;
	ulp->facts.limited_times = is_short(ulp);
	if (!pair->login.asked || pair->req.tap != ulp->asker->key.tap ||
	    pair->rep.tap != ulp->asker->key.tap)
		return;
	request = message_of(&pair->req);
	reply = message_of(&pair->rep);
	command = rda_ulp_ask(ulp, &asked, &request);
	if (command)
		rda_ulp_answer(ulp, command, 0, NULL, &reply);
}
