/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages of SMB 2, as commands and answers.
 */
#include "analyzer/track/ulp/smb_track.h"

#include "analyzer/track/ulp/ulp_tally.h"
#include "dissectors/ulp/smb.h"

#include <string.h>

/* A message ID that nothing has but what needs no answer. */
#define ID_OF_NEGOTIATION RDA_SMB_UNSOLICITED

static void answer(struct rda_ulp *ulp, uint64_t id, uint32_t status,
		   const struct rda_ulp_message *message)
{
	struct rda_ulp_command *command = rda_ulp_commands_find(&ulp->commands, id);

	if (command)
		rda_ulp_answer(ulp, command, status, rda_smb_status_words(status), message);
	else
		ulp->facts.unasked++;
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

/* ---- SMB 2 ----------------------------------------------------------------------------------- */

static void take_request(struct rda_ulp *ulp, const struct rda_smb *smb,
			 const struct rda_ulp_message *message)
{
	struct rda_ulp_command *command;

	if (smb->command == RDA_SMB_CANCEL) /* what it cancels is answered */
		return;
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

	if (smb->message_id == RDA_SMB_UNSOLICITED ||
	    (smb->is_async && smb->status == RDA_SMB_STATUS_PENDING))
		return;
	command = rda_ulp_commands_find(&ulp->commands, smb->message_id);
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
		if (form != RDA_SMB_FORM_PLAIN)
			return;
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
	if (smb->open && data->length != smb->left - data->remaining)
		finish(ulp, smb); /* its end was not captured */
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

	switch (rda_smb_read_direct(&c, &data, &status)) {
	case RDA_SMBD_DATA: take_data(ulp, &ulp->smb[!by_client], &c, &data, message); break;
	case RDA_SMBD_REQUEST:
		ask(ulp, ID_OF_NEGOTIATION, RDA_SMB_DIRECT_NEGOTIATE, 0, message);
		break;
	case RDA_SMBD_RESPONSE: answer(ulp, ID_OF_NEGOTIATION, status, message); break;
	case RDA_SMBD_CUT: ulp->facts.cut++; break;
	case RDA_SMBD_OTHER: ulp->facts.unread += message->length != 0; break;
	}
}
