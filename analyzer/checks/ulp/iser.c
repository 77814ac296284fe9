/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * U10: iSCSI refused; what SCSI refused is scsi.h's.
 */
#include "analyzer/checks/ulp/iser.h"

#include "analyzer/checks/ulp/scsi.h"
#include "analyzer/checks/ulp/ulp.h"
#include "dissectors/ulp/iser.h"

enum { TAG_DIGITS = 8 };

/* U10 */
static void refused(struct rda_judge *judge, const struct rda_ulp_answer *answer)
{
	const struct rda_flow *initiator = answer->ulp->asker;
	bool usual = rda_iscsi_status_is_usual(answer->status);
	struct rda_finding *f = rda_ulp_find_answer(judge, answer, RDA_CHECK_U10, usual);

	rda_finding_say(f, usual ? RDA_SAY_U10_USUAL : RDA_SAY_U10_REFUSED,
			RDA_ARG_ADDRESS("target", &initiator->key.destination),
			RDA_ARG_TEXT("operation", answer->operation->name),
			RDA_ARG_HEX("task", (uint32_t)answer->command->id, TAG_DIGITS),
			RDA_ARG_FRAME("command_frame", answer->command->place),
			RDA_ARG_TEXT("status", answer->words),
			RDA_ARG_HEX("status_code", answer->status & 0xfffffff, 2),
			RDA_ARG_TIME("took_ns", answer->time_ns - answer->command->asked_ns),
			RDA_ARG_FLAG("unsure", answer->unsure));
}

void rda_check_iser_answer(struct rda_judge *judge, const struct rda_ulp_answer *answer)
{
	if (answer->status >> 28 == RDA_ISCSI_CLASS_SCSI)
		rda_check_scsi_answer(judge, answer, TAG_DIGITS);
	else
		refused(judge, answer);
}
