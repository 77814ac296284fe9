/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Commands that nobody answered.
 */
#include "analyzer/checks/ulp/ulp.h"

#include "analyzer/checks/iwarp/iwarp.h"
#include "analyzer/checks/ulp/iser.h"
#include "analyzer/checks/ulp/nvme.h"
#include "analyzer/checks/ulp/rds.h"
#include "analyzer/checks/ulp/rpc.h"
#include "analyzer/checks/ulp/smb.h"
#include "analyzer/checks/ulp/srp.h"

/* A command that waits as long may be slow; hosts give up after 30 s (Linux's NVMe, by default). */
#define PATIENCE_NS INT64_C(5000000000)

void rda_check_ulp_answer(struct rda_judge *judge, const struct rda_ulp_answer *answer)
{
	static void (*const checks[RDA_ULP_COUNT])(struct rda_judge *,
						   const struct rda_ulp_answer *) = {
		[RDA_ULP_NVME] = rda_check_nvme_answer, [RDA_ULP_NFS] = rda_check_rpc_answer,
		[RDA_ULP_ISER] = rda_check_iser_answer, [RDA_ULP_SMB] = rda_check_smb_answer,
		[RDA_ULP_SRP] = rda_check_srp_answer,
	};

	if (answer->status) /* an acknowledgement of RDS has none */
		checks[answer->ulp->protocol](judge, answer);
}

struct rda_finding *rda_ulp_find_answer(struct rda_judge *judge,
					const struct rda_ulp_answer *answer, enum rda_check check,
					bool usual)
{
	const struct rda_ulp *ulp = answer->ulp;
	struct rda_finding *finding;

	if (usual)
		return rda_finding_add_as(&judge->findings, check, RDA_SEVERITY_NOTE,
					  answer->checked && !answer->unsure ? RDA_PROOF_PROVEN
									     : RDA_PROOF_SUSPECTED,
					  rda_about_flow(ulp->asker), answer->place);
	if (answer->unsure && answer->checked) /* that some command failed is certain */
		return rda_finding_add_proof(&judge->findings, check, RDA_PROOF_SUSPECTED,
					     rda_about_flow(ulp->asker), answer->place);
	finding = rda_finding_of_bytes(judge, answer->checked, check, rda_about_flow(ulp->asker),
				       answer->place);
	rda_finding_repeats_in(finding, (uint32_t)answer->command->serial, answer->status,
			       ulp->facts.answered);
	return finding;
}

static int64_t waited_of(const struct rda_judge *judge, const struct rda_ulp_command *command)
{
	return rda_watched_until(judge, command->place) - command->asked_ns;
}

/* It was answered, as it seems, or need not be. */
static bool is_excused(const struct rda_ulp_command *command)
{
	return command->waits || command->lazy || command->early || command->taken;
}

/* The next that was not answered for long, from this one on; NULL: none. */
static const struct rda_ulp_command *waiting_from(const struct rda_judge *judge,
						  const struct rda_ulp *ulp,
						  const struct rda_ulp_command *command)
{
	while (command && (is_excused(command) || waited_of(judge, command) < PATIENCE_NS))
		command = rda_ulp_commands_next(&ulp->commands, command);
	return command;
}

/* The first behind those that messages of the answerer may answer which could not be read. */
static const struct rda_ulp_command *behind_unheard(const struct rda_judge *judge,
						    const struct rda_ulp *ulp)
{
	const struct rda_ulp_command *command =
		waiting_from(judge, ulp, rda_ulp_commands_first(&ulp->commands));

	for (uint64_t unheard = ulp->unheard;
	     command && unheard && command->place < ulp->unheard_place; unheard--)
		command = waiting_from(judge, ulp, rda_ulp_commands_next(&ulp->commands, command));
	return command;
}

/* U04 */
static void command_unanswered(struct rda_judge *judge, const struct rda_ulp *ulp,
			       int64_t closed_ns)
{
	const struct rda_ulp_command *first = behind_unheard(judge, ulp);
	struct rda_finding *f = NULL;
	int64_t waited_ns;
	uint64_t count = 0;

	for (const struct rda_ulp_command *command = first; command; count++) {
		f = rda_finding_add(&judge->findings, RDA_CHECK_U04, rda_about_flow(ulp->asker),
				    command->place);
		command = waiting_from(judge, ulp, rda_ulp_commands_next(&ulp->commands, command));
	}
	if (!f)
		return;
	waited_ns = waited_of(judge, first);
	f->cost_ns = waited_ns;
	if (ulp->protocol == RDA_ULP_RDS) {
		rda_say_rds_unacknowledged(judge, f, ulp, first, count, waited_ns);
		return;
	}
	rda_finding_say(f, RDA_SAY_U04_UNANSWERED, RDA_ARG_NUMBER("commands", count),
			RDA_ARG_ADDRESS("asker", first->back ? &ulp->asker->key.destination
							     : &ulp->asker->key.source),
			RDA_ARG_TEXT("operation", ulp->facts.operations[first->operation].name),
			RDA_ARG_FRAME("command_frame", first->place),
			RDA_ARG_TIME("waited_ns", waited_ns),
			RDA_ARG_FLAG("disconnected",
				     closed_ns != INT64_MAX ||
					     rda_cm_disconnected(judge->whole.cm, ulp->asker,
								 first->asked_ns)));
}

void rda_check_ulp_connection(struct rda_judge *judge, const struct rda_connection *connection)
{
	const int64_t closed_ns = rda_iwarp_closed_ns(connection);

	for (unsigned i = 0; i < 2; i++) {
		const struct rda_flow *flow = connection->flows[i];

		if (!flow || !flow->ulp || flow->ulp->asker != flow)
			continue;
		command_unanswered(judge, flow->ulp, closed_ns);
		if (flow->ulp->protocol == RDA_ULP_NVME)
			rda_check_nvme_connection(judge, flow->ulp, closed_ns);
		if (flow->ulp->protocol == RDA_ULP_RDS)
			rda_check_rds_connection(judge, flow->ulp);
		if (flow->ulp->protocol == RDA_ULP_SMB)
			rda_check_smb_connection(judge, flow->ulp);
	}
}
