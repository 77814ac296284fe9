/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * U08: a command to the medium failed; U09: a device refused, or reported, something else.
 */
#include "analyzer/checks/ulp/scsi.h"

#include "analyzer/checks/ulp/ulp.h"
#include "dissectors/ulp/scsi.h"

/* Sense keys (SPC-5, table 28) that come with commands of which nothing is wrong. */
enum { RECOVERED_ERROR = 1, UNIT_ATTENTION = 6 };

void rda_check_scsi_answer(struct rda_judge *judge, const struct rda_ulp_answer *answer,
			   unsigned tag_digits)
{
	const struct rda_ulp_command *command = answer->command;
	const struct rda_flow *initiator = answer->ulp->asker;
	uint8_t status = (uint8_t)answer->status, key = answer->status >> 24 & 0xf;
	bool medium = answer->operation->code >> 8 == RDA_SCSI_OPERATION >> 8 &&
		      rda_scsi_is_medium((uint8_t)answer->operation->code) &&
		      key != UNIT_ATTENTION && key != RECOVERED_ERROR;
	const char *name = rda_scsi_status_name(status);
	bool has_sense = answer->status >> 8 != 0;
	bool usual = medium &&
		     rda_scsi_status_is_usual((uint8_t)answer->operation->code, answer->status);
	enum rda_check check = medium ? RDA_CHECK_U08 : RDA_CHECK_U09;
	struct rda_finding *f = rda_ulp_find_answer(judge, answer, check, usual);

	rda_finding_say(
		f,
		usual	 ? RDA_SAY_U08_DIFFERS
		: medium ? RDA_SAY_U08_FAILED
			 : RDA_SAY_U09_REFUSED,
		RDA_ARG_ADDRESS("target", &initiator->key.destination),
		RDA_ARG_TEXT("operation", answer->operation->name),
		RDA_ARG_HEX("opcode", answer->operation->code & 0xff, 2),
		RDA_ARG_HEX("task", command->id, tag_digits),
		RDA_ARG_NUMBER("lun", command->own.scsi.lun),
		RDA_ARG_NUMBER("bytes", command->bytes),
		RDA_ARG_FRAME("command_frame", command->place), RDA_ARG_TEXT("status", name),
		RDA_ARG_HEX("status_code", status, 2),
		RDA_ARG_IF(has_sense, RDA_ARG_TEXT("sense_key", rda_scsi_sense_key_name(key))),
		RDA_ARG_IF(has_sense && answer->words != name,
			   RDA_ARG_TEXT("sense", answer->words)),
		RDA_ARG_TIME("took_ns", answer->time_ns - command->asked_ns),
		RDA_ARG_FLAG("unsure", answer->unsure));
}
