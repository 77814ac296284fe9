/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * U06: RPC refused the call; U07: NFS answered that it could not do it. What file systems answer
 * every day (no such file, no permission) is counted among the errors, and no finding.
 */
#include "analyzer/checks/ulp/rpc.h"

#include "analyzer/checks/ulp/ulp.h"
#include "dissectors/ulp/nfs.h"

static const struct rda_address *server_of(const struct rda_ulp_answer *answer)
{
	const struct rda_flow *client = answer->ulp->asker;

	return answer->command->back ? &client->key.source : &client->key.destination;
}

/* U06 */
static void call_refused(struct rda_judge *judge, const struct rda_ulp_answer *answer)
{
	const struct rda_ulp_command *command = answer->command;
	enum rda_rpc_set set = (enum rda_rpc_set)(answer->operation->code >> 16);
	bool usual = rda_rpc_status_is_usual(set, answer->status);
	struct rda_finding *f = rda_ulp_find_answer(judge, answer, RDA_CHECK_U06, usual);

	rda_finding_say(f, usual ? RDA_SAY_U06_USUAL : RDA_SAY_U06_REFUSED,
			RDA_ARG_ADDRESS("server", server_of(answer)),
			RDA_ARG_TEXT("operation", answer->operation->name),
			RDA_ARG_HEX("xid", (uint32_t)command->id, 8),
			RDA_ARG_FRAME("command_frame", command->place),
			RDA_ARG_TEXT("status", answer->words),
			RDA_ARG_NUMBER("status_code", answer->status & 0xffffff),
			RDA_ARG_TIME("took_ns", answer->time_ns - command->asked_ns));
}

/* U07 */
static void operation_failed(struct rda_judge *judge, const struct rda_ulp_answer *answer)
{
	const struct rda_ulp_command *command = answer->command;
	uint32_t set = answer->operation->code >> 16, failed = command->own.rpc.failed;
	struct rda_finding *f = rda_ulp_find_answer(judge, answer, RDA_CHECK_U07, false);
	const char *name =
		rda_nfs_operation_name(rda_nfs_operation((enum rda_rpc_set)set, (uint16_t)failed));

	rda_finding_say(f, RDA_SAY_U07_FAILED, RDA_ARG_ADDRESS("server", server_of(answer)),
			RDA_ARG_TEXT("operation", answer->operation->name),
			RDA_ARG_HEX("xid", (uint32_t)command->id, 8),
			RDA_ARG_FRAME("command_frame", command->place),
			RDA_ARG_NUMBER("bytes", command->bytes),
			RDA_ARG_TEXT("status", answer->words),
			RDA_ARG_NUMBER("status_code", answer->status),
			RDA_ARG_TEXT("failed_operation", failed ? name : NULL),
			RDA_ARG_TIME("took_ns", answer->time_ns - command->asked_ns));
}

void rda_check_rpc_answer(struct rda_judge *judge, const struct rda_ulp_answer *answer)
{
	enum rda_rpc_set set = (enum rda_rpc_set)(answer->operation->code >> 16);

	if (answer->status >> 24 != RDA_RPC_CLASS_PROGRAM)
		call_refused(judge, answer);
	else if (!rda_nfs_status_is_usual(set, answer->status))
		operation_failed(judge, answer);
}
