/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * U13: SRP refused, or ended the session; what SCSI refused is scsi.h's.
 */
#include "analyzer/checks/ulp/srp.h"

#include "analyzer/checks/ulp/scsi.h"
#include "analyzer/checks/ulp/ulp.h"
#include "dissectors/ulp/srp.h"

enum { TAG_DIGITS = 16 };

static void refused(struct rda_judge *judge, const struct rda_ulp_answer *answer)
{
	const struct rda_flow *initiator = answer->ulp->asker;
	struct rda_finding *f = rda_ulp_find_answer(judge, answer, RDA_CHECK_U13, false);

	rda_finding_say(f, RDA_SAY_U13_REFUSED,
			RDA_ARG_ADDRESS("target", &initiator->key.destination),
			RDA_ARG_TEXT("operation", answer->operation->name),
			RDA_ARG_HEX("task", answer->command->id, TAG_DIGITS),
			RDA_ARG_FRAME("command_frame", answer->command->place),
			RDA_ARG_TEXT("status", answer->words),
			RDA_ARG_HEX("status_code", answer->status & 0xfffffff, 2),
			RDA_ARG_TIME("took_ns", answer->time_ns - answer->command->asked_ns),
			RDA_ARG_FLAG("unsure", answer->unsure));
}

/* The logout itself is among the commands yet. */
static void logged_out(struct rda_judge *judge, const struct rda_ulp_answer *answer)
{
	const struct rda_ulp *ulp = answer->ulp;
	uint32_t commands = ulp->commands.count - 1;
	bool usual = !commands && rda_srp_status_is_usual(answer->status);
	struct rda_finding *f = rda_ulp_find_answer(judge, answer, RDA_CHECK_U13, usual);

	rda_finding_say(f, usual ? RDA_SAY_U13_LOGGED_IN_ANEW : RDA_SAY_U13_LOGGED_OUT,
			RDA_ARG_ADDRESS("target", &ulp->asker->key.destination),
			RDA_ARG_ADDRESS("initiator", &ulp->asker->key.source),
			RDA_ARG_TEXT("status", answer->words),
			RDA_ARG_HEX("status_code", answer->status & 0xfffffff, 2),
			RDA_ARG_NUMBER("commands", commands));
}

void rda_check_srp_answer(struct rda_judge *judge, const struct rda_ulp_answer *answer)
{
	switch (answer->status >> 28) {
	case RDA_SRP_CLASS_SCSI: rda_check_scsi_answer(judge, answer, TAG_DIGITS); break;
	case RDA_SRP_CLASS_LOGOUT: logged_out(judge, answer); break;
	default: refused(judge, answer); break;
	}
}
