/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PDUs of iSER, as commands and answers.
 */
#include "analyzer/track/ulp/iser_track.h"

#include "analyzer/track/ulp/ulp_tally.h"
#include "dissectors/ulp/iser.h"

/* Task tags have 32 bits: what has none of them is numbered beyond. */
#define ID_OF_PING  (UINT64_C(1) << 32) /* and the target's tag */
#define ID_OF_HELLO (UINT64_C(1) << 33)

/* A PDU, the cursor behind its headers. */
struct taken {
	const struct rda_ulp_message *message;
	struct rda_cursor cursor;
	struct rda_iser iser;
	struct rda_iscsi iscsi;
};

/* ---- requests -------------------------------------------------------------------------------- */

static struct rda_ulp_command *ask(struct rda_ulp *ulp, const struct taken *t, uint64_t id,
				   uint32_t operation, bool back)
{
	const struct rda_ulp_asked asked = {
		.id = id,
		.code = operation,
		.name = rda_iscsi_operation_name(operation),
		.bytes = t->iscsi.expected,
		.back = back,
	};

	return rda_ulp_ask(ulp, &asked, t->message);
}

static void lend(struct rda_ulp *ulp, struct rda_ulp_command *command, uint32_t stag,
		 uint64_t offset, uint32_t length)
{
	const struct rda_ulp_range range = {offset, stag, length};

	if (length)
		rda_ulp_commands_lend(&ulp->commands, command, &range);
}

static void take_command(struct rda_ulp *ulp, const struct taken *t)
{
	const struct rda_iscsi *iscsi = &t->iscsi;
	struct rda_ulp_command *command =
		ask(ulp, t, iscsi->task, RDA_SCSI_OPERATION | iscsi->cdb, false);

	if (!command)
		return;
	command->own.scsi.lun = iscsi->lun;
	command->inside = iscsi->data;
	if (t->iser.has_write)
		lend(ulp, command, t->iser.write_stag, t->iser.write_offset, iscsi->expected);
	if (t->iser.has_read)
		lend(ulp, command, t->iser.read_stag, t->iser.read_offset, iscsi->expected);
}

static void answer(struct rda_ulp *ulp, const struct taken *t, uint64_t id, uint32_t status)
{
	struct rda_ulp_command *command = rda_ulp_asked(ulp, id, t->message);

	if (command)
		rda_ulp_answer(ulp, command, status, rda_iscsi_status_words(status), t->message);
}

static void take_request(struct rda_ulp *ulp, const struct taken *t)
{
	switch (t->iscsi.opcode) {
	case RDA_ISCSI_SCSI: take_command(ulp, t); break;
	case RDA_ISCSI_NOP_OUT:
		if (t->iscsi.task != RDA_ISCSI_NO_TAG)
			ask(ulp, t, t->iscsi.task, RDA_ISCSI_NOP_OUT, false);
		else
			answer(ulp, t, ID_OF_PING | t->iscsi.target_task, 0);
		break;
	case RDA_ISCSI_TASK:
	case RDA_ISCSI_LOGIN:
	case RDA_ISCSI_TEXT:
	case RDA_ISCSI_LOGOUT: ask(ulp, t, t->iscsi.task, t->iscsi.opcode, false); break;
	default: break; /* data, and requests for it: no commands */
	}
}

/* ---- responses ------------------------------------------------------------------------------- */

static void take_response(struct rda_ulp *ulp, struct taken *t)
{
	enum { UNDERFLOW = 0x02 };
	const struct rda_iscsi *iscsi = &t->iscsi;
	struct rda_ulp_command *command = rda_ulp_commands_find(&ulp->commands, iscsi->task);
	struct rda_scsi_sense sense = {0};
	uint32_t status;

	if (iscsi->response) {
		status = rda_iscsi_status_of(RDA_ISCSI_CLASS_RESPONSE, iscsi->response);
	} else {
		rda_read_iscsi_sense(&t->cursor, iscsi, &sense);
		status = rda_scsi_status(iscsi->status, &sense);
	}
	if (command && iscsi->flags & UNDERFLOW && iscsi->residual <= command->bytes)
		command->bytes -= iscsi->residual;
	answer(ulp, t, iscsi->task, status);
}

static void take_reject(struct rda_ulp *ulp, struct taken *t)
{
	uint32_t task, status = rda_iscsi_status_of(RDA_ISCSI_CLASS_REJECT, t->iscsi.response);

	if (rda_read_iscsi_rejected(&t->cursor, &t->iscsi, &task))
		answer(ulp, t, task, status);
	else
		ulp->facts.cut++;
}

/* The status of what answers with one byte, where 0 is success. */
static uint32_t status_of(enum rda_iscsi_class class, uint32_t code)
{
	return code ? rda_iscsi_status_of(class, code) : 0;
}

static void take_reply(struct rda_ulp *ulp, struct taken *t)
{
	const struct rda_iscsi *iscsi = &t->iscsi;
	uint32_t login = (uint32_t)iscsi->response << 8 | iscsi->status;

	switch (iscsi->opcode) {
	case RDA_ISCSI_RESPONSE + RDA_ISCSI_SCSI: take_response(ulp, t); break;
	case RDA_ISCSI_RESPONSE + RDA_ISCSI_TASK:
		answer(ulp, t, iscsi->task, status_of(RDA_ISCSI_CLASS_TASK, iscsi->response));
		break;
	case RDA_ISCSI_RESPONSE + RDA_ISCSI_LOGIN:
		answer(ulp, t, iscsi->task, status_of(RDA_ISCSI_CLASS_LOGIN, login));
		break;
	case RDA_ISCSI_RESPONSE + RDA_ISCSI_TEXT: answer(ulp, t, iscsi->task, 0); break;
	case RDA_ISCSI_RESPONSE + RDA_ISCSI_LOGOUT:
		answer(ulp, t, iscsi->task, status_of(RDA_ISCSI_CLASS_LOGOUT, iscsi->response));
		break;
	case RDA_ISCSI_NOP_IN:
		if (iscsi->task != RDA_ISCSI_NO_TAG)
			answer(ulp, t, iscsi->task, 0);
		else if (iscsi->target_task != RDA_ISCSI_NO_TAG)
			ask(ulp, t, ID_OF_PING | iscsi->target_task, RDA_ISCSI_NOP_IN, true);
		break;
	case RDA_ISCSI_REJECT: take_reject(ulp, t); break;
	default: break;
	}
}

/* ---------------------------------------------------------------------------------------------- */

void rda_iser_message(struct rda_ulp *ulp, bool by_initiator, const struct rda_ulp_message *message)
{
	struct taken t = {.message = message,
			  .cursor = {message->bytes, 0, message->have, message->length}};

	if (!rda_read_iser(&t.cursor, &t.iser)) {
		ulp->facts.cut += message->length != 0;
	} else if (t.iser.type == RDA_ISER_HELLO) {
		ask(ulp, &t, ID_OF_HELLO, RDA_ISCSI_HELLO, false);
	} else if (t.iser.type == RDA_ISER_HELLO_REPLY) {
		answer(ulp, &t, ID_OF_HELLO, status_of(RDA_ISCSI_CLASS_HELLO, t.iser.rejected));
	} else if (t.iser.type != RDA_ISER_CONTROL) {
		ulp->facts.unread++;
	} else if (!rda_read_iscsi(&t.cursor, &t.iscsi)) {
		ulp->facts.cut++;
	} else if (by_initiator) {
		take_request(ulp, &t);
	} else {
		take_reply(ulp, &t);
	}
}
