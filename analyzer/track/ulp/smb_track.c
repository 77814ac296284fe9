/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages of SMB 2, as commands and answers.
 */
#include "analyzer/track/ulp/smb_track.h"

#include "analyzer/track/ulp/ulp_stream.h"
#include "analyzer/track/ulp/ulp_tally.h"
#include "dissectors/ulp/smb.h"

#include <string.h>

/* A message ID that nothing has but what needs no answer. */
#define ID_OF_NEGOTIATION RDA_SMB_UNSOLICITED

static void answer(struct rda_ulp *ulp, uint64_t id, uint32_t status,
		   const struct rda_ulp_message *message)
{
	struct rda_ulp_command *command = rda_ulp_asked(ulp, id, message);

	if (command)
		rda_ulp_answer(ulp, command, status, rda_smb_status_words(status), message);
}

static struct rda_ulp_command *ask(struct rda_ulp *ulp, uint64_t id, uint32_t code, uint32_t bytes,
				   const struct rda_ulp_message *message)
{
	const struct rda_ulp_asked asked = {
		.id = id,
		.code = code,
		.name = rda_smb_command_name(code),
		.waits = rda_smb_command_waits(code),
		.bytes = bytes,
	};

	return rda_ulp_ask(ulp, &asked, message);
}

/* ---- credits --------------------------------------------------------------------------------- */

/* A connection begins with one credit of SMB 2, and every step of its set-up waits for the last. */
enum { CREDITS_FIRST = 1, CREDITS_BEGUN = 2 };

static void forget_credits(struct rda_ulp *ulp)
{
	for (unsigned i = 0; i < 2; i++) {
		rda_ulp_debts_forget(&ulp->smb[i].debts);
		rda_ulp_credits_forget(&ulp->smb[i].direct);
		rda_ulp_credits_forget(&ulp->smb[i].smb);
	}
}

static void grant(struct rda_ulp_credits *credits, uint32_t count, enum rda_ulp_grant with,
		  int64_t begun, int64_t time_ns)
{
	rda_ulp_credits_grant(credits, count, with, time_ns);
	credits->begun |= credits->left >= begun;
}

/* The server has none until the client's first SEND. */
static void begin_credits(struct rda_ulp *ulp, const struct rda_smbd_data *response,
			  const struct rda_ulp_message *message)
{
	struct rda_ulp_credits *client = &ulp->smb[0].direct, *server = &ulp->smb[1].direct;
	int64_t time_ns = message->last_ns;

	rda_ulp_credits_begin(client, 0, time_ns);
	grant(client, response->credits_granted, RDA_ULP_GRANT_ALONE, 1, time_ns);
	rda_ulp_credits_begin(server, 0, time_ns);
	rda_ulp_credits_begin(&ulp->smb[0].smb, CREDITS_FIRST, time_ns);
	rda_ulp_credits_count(client, message->checked);
	rda_ulp_credits_count(server, message->checked);
}

/* What the credits that a SEND grants come with. A server speaks when it is asked. */
static enum rda_ulp_grant granted_with(const struct rda_ulp *ulp, unsigned side,
				       const struct rda_smbd_data *data)
{
	bool by_client = side == 0;

	if (!data->length)
		return RDA_ULP_GRANT_ALONE;
	return by_client && ulp->commands.count == ulp->waiting ? RDA_ULP_GRANT_TO_ANSWER
								: RDA_ULP_GRANT_WITH_MORE;
}

static void take_credits(struct rda_ulp *ulp, unsigned side, const struct rda_smbd_data *data,
			 const struct rda_ulp_message *message)
{
	struct rda_ulp_credits *own = &ulp->smb[side].direct;
	const struct rda_ulp_stream *other = ulp->streams[!side];

	for (unsigned i = 0; i < 2; i++)
		ulp->smb[i].debts = rda_ulp_debts_until(ulp, i, message->last_ns);
	if (own->left < 1 && other && other->open) /* it may have granted more */
		forget_credits(ulp);
	rda_ulp_credits_count(own, message->checked);
	rda_ulp_credits_count(&ulp->smb[!side].direct, message->checked);
	if (own->known && own->left < 1)
		rda_ulp_debts_owe(&ulp->smb[side].debts, rda_ulp_sent(ulp, side),
				  message->last_place, message->last_ns);
	rda_ulp_credits_use(own,
			    &(struct rda_ulp_use){1, data->length != 0, data->credits_granted != 0,
						  message->last_place, message->last_ns});
	rda_ulp_debts_pay(&ulp->smb[!side].debts, data->credits_granted);
	grant(&ulp->smb[!side].direct, data->credits_granted, granted_with(ulp, side, data), 1,
	      message->last_ns);
}

/* A server ends the connection of who goes beyond what it granted: a count that says so is wrong.
 */
static void use_request(struct rda_ulp *ulp, const struct rda_smb *smb,
			const struct rda_ulp_message *message)
{
	struct rda_ulp_credits *credits = &ulp->smb[0].smb;

	rda_ulp_credits_use(credits, &(struct rda_ulp_use){MAX(smb->charge, 1), true, false,
							   message->last_place, message->last_ns});
	if (credits->left < 0)
		rda_ulp_credits_forget(credits);
}

/* ---- SMB 2 ----------------------------------------------------------------------------------- */

static void take_request(struct rda_ulp *ulp, const struct rda_smb *smb,
			 const struct rda_ulp_message *message)
{
	struct rda_ulp_command *command;

	if (smb->command == RDA_SMB_CANCEL) /* what it cancels is answered */
		return;
	use_request(ulp, smb, message);
	command = ask(ulp, smb->message_id, smb->command, smb->bytes, message);
	for (unsigned i = 0; command && i < smb->buffer_count; i++)
		if (smb->buffers[i].length)
			rda_ulp_commands_lend(&ulp->commands, command,
					      &(struct rda_ulp_range){smb->buffers[i].offset,
								      smb->buffers[i].token,
								      smb->buffers[i].length});
}

static void take_response(struct rda_ulp *ulp, const struct rda_smb *smb,
			  const struct rda_ulp_message *message)
{
	struct rda_ulp_command *command;

	grant(&ulp->smb[0].smb, smb->credits, RDA_ULP_GRANT_ALONE, CREDITS_BEGUN, message->last_ns);
	if (smb->message_id == RDA_SMB_UNSOLICITED)
		return;
	command = rda_ulp_commands_find(&ulp->commands, smb->message_id);
	if (smb->is_async && smb->status == RDA_SMB_STATUS_PENDING) {
		if (command)
			command->taken = true; /* a lock, or a pipe, may let it wait for long */
		return;
	}
	if (command && smb->has_bytes)
		command->bytes = smb->bytes;
	/* a step of the session's set-up, and no error */
	answer(ulp, smb->message_id,
	       smb->status == RDA_SMB_STATUS_MORE_PROCESSING ? 0 : smb->status, message);
}

/* All of a compound, as far as they were captured. */
static void take_messages(struct rda_ulp *ulp, struct rda_cursor *c,
			  const struct rda_ulp_message *message)
{
	struct rda_smb smb = {.next = 1};

	while (smb.next) {
		enum rda_smb_form form = rda_read_smb(c, &smb);

		ulp->facts.cut += form == RDA_SMB_FORM_CUT;
		ulp->facts.unread += form == RDA_SMB_FORM_UNREAD;
		if (form != RDA_SMB_FORM_PLAIN) {
			rda_ulp_credits_forget(&ulp->smb[0].smb);
			return;
		}
		if (smb.is_response)
			take_response(ulp, &smb, message);
		else
			take_request(ulp, &smb, message);
	}
}

/* ---- SMB Direct ------------------------------------------------------------------------------ */

/* Several SENDs are one message: they are put together, as far as their bytes tell what it is. */
static void keep(struct rda_smb_track *smb, const struct rda_cursor *c,
		 const struct rda_smbd_data *data, const struct rda_ulp_message *message)
{
	uint32_t have = MIN(rda_cursor_captured_left(c), RDA_ULP_BYTES - smb->have);

	if (!smb->bytes)
		smb->bytes = g_malloc(RDA_ULP_BYTES);
	if (smb->have == smb->length && have) { /* none before these is missing */
		memcpy(smb->bytes + smb->have, c->base + c->offset, have);
		smb->have += have;
	}
	smb->length += data->length;
	smb->left = data->remaining;
	smb->message.last_place = message->last_place;
	smb->message.last_ns = message->last_ns;
	smb->message.checked &= message->checked;
}

static void finish(struct rda_ulp *ulp, struct rda_smb_track *smb)
{
	struct rda_cursor c = {smb->bytes, 0, smb->have, smb->length};

	smb->open = false;
	take_messages(ulp, &c, &smb->message);
}

static void take_data(struct rda_ulp *ulp, struct rda_smb_track *smb, struct rda_cursor *c,
		      const struct rda_smbd_data *data, const struct rda_ulp_message *message)
{
	if (!data->length) /* credits only */
		return;
	if (smb->open && data->length != smb->left - data->remaining) {
		rda_ulp_credits_forget(&ulp->smb[0].smb);
		finish(ulp, smb); /* its end was not captured */
	}
	if (!smb->open && !data->remaining) {
		take_messages(ulp, c, message);
		return;
	}
	if (!smb->open) {
		smb->message = *message;
		smb->have = smb->length = 0;
		smb->open = true;
	}
	keep(smb, c, data, message);
	if (!data->remaining)
		finish(ulp, smb);
}

void rda_smb_message(struct rda_ulp *ulp, bool by_client, const struct rda_ulp_message *message)
{
	struct rda_cursor c = {message->bytes, 0, message->have, message->length};
	struct rda_smbd_data data;
	uint32_t status = 0;

	if (ulp->missed)
		forget_credits(ulp);
	switch (rda_smb_read_direct(&c, &data, &status)) {
	case RDA_SMBD_DATA:
		take_credits(ulp, !by_client, &data, message);
		take_data(ulp, &ulp->smb[!by_client], &c, &data, message);
		break;
	case RDA_SMBD_REQUEST:
		ask(ulp, ID_OF_NEGOTIATION, RDA_SMB_DIRECT_NEGOTIATE, 0, message);
		break;
	case RDA_SMBD_RESPONSE:
		answer(ulp, ID_OF_NEGOTIATION, status, message);
		if (by_client || status || ulp->smb[0].direct.granted)
			forget_credits(ulp); /* there is one, and it comes first */
		else
			begin_credits(ulp, &data, message);
		break;
	case RDA_SMBD_CUT:
		ulp->facts.cut++;
		forget_credits(ulp);
		break;
	case RDA_SMBD_OTHER:
		ulp->facts.unread += message->length != 0;
		forget_credits(ulp);
		break;
	}
}
