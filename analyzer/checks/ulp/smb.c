/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * U11: the server could not, or would not, do what it was asked. What file systems answer every day
 * (no such file, no more files) is counted among the errors, and no finding.
 */
#include "analyzer/checks/ulp/smb.h"

#include "dissectors/ulp/smb.h"

void rda_check_smb_answer(struct rda_judge *judge, const struct rda_ulp_answer *answer)
{
	const struct rda_ulp_command *command = answer->command;
	const struct rda_flow *client = answer->ulp->asker;
	bool numbered = answer->operation->code != RDA_SMB_DIRECT_NEGOTIATE;
	struct rda_finding *f;

	if (rda_smb_status_is_usual(answer->status))
		return;
	f = rda_finding_add(&judge->findings, RDA_CHECK_U11, rda_about_flow(client), answer->place);
	rda_finding_say(f, RDA_SAY_U11_FAILED, RDA_ARG_ADDRESS("server", &client->key.destination),
			RDA_ARG_TEXT("operation", answer->operation->name),
			RDA_ARG_HEX("command", answer->operation->code, 2),
			RDA_ARG_IF(numbered, RDA_ARG_NUMBER("message_id", command->id)),
			RDA_ARG_NUMBER("bytes", command->bytes),
			RDA_ARG_FRAME("command_frame", command->place),
			RDA_ARG_TEXT("status", answer->words),
			RDA_ARG_HEX("status_code", answer->status, 8),
			RDA_ARG_TIME("took_ns", answer->time_ns - command->asked_ns));
}
