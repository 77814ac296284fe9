/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is asked of a finding by those who know rda.h only.
 */
#include "analyzer/checks/finding.h"

#include <string.h>

const struct rda_check_row *rda_finding_check(const struct rda_finding *finding)
{
	return rda_check_row((enum rda_check)finding->key.check);
}

enum rda_severity rda_finding_severity(const struct rda_finding *finding)
{
	return (enum rda_severity)finding->severity;
}

enum rda_proof rda_finding_proof(const struct rda_finding *finding)
{
	return (enum rda_proof)finding->proof;
}

int32_t rda_finding_connection(const struct rda_finding *finding)
{
	return finding->connection;
}

int8_t rda_finding_flow(const struct rda_finding *finding)
{
	return finding->flow;
}

int32_t rda_finding_host(const struct rda_finding *finding)
{
	const struct rda_subject *subject = &finding->key.subject;

	return subject->kind == RDA_SUBJECT_HOST ? (int32_t)subject->index : -1;
}

uint64_t rda_finding_count(const struct rda_finding *finding)
{
	return finding->count;
}

int64_t rda_finding_cost_ns(const struct rda_finding *finding)
{
	return finding->cost_ns;
}

int32_t rda_finding_explained_by(const struct rda_finding *finding)
{
	return finding->explained_by;
}

bool rda_finding_argument(const struct rda_finding *finding, unsigned index,
			  struct rda_argument_value *value)
{
	const struct rda_said *said = finding->said;
	const struct rda_argument *argument;

	if (!said || index >= said->count)
		return false;
	argument = &said->arguments[index];
	*value = (struct rda_argument_value){.name = argument->name,
					     .type = (enum rda_argument_type)argument->type,
					     .digits = argument->digits};
	switch (argument->type) {
	case RDA_ARGUMENT_SIGNED:
	case RDA_ARGUMENT_DECIMAL:
	case RDA_ARGUMENT_MOMENT:
	case RDA_ARGUMENT_TIME: value->integer = argument->integer; break;
	case RDA_ARGUMENT_PHRASE: value->text = rda_phrase_name(argument->number); break;
	case RDA_ARGUMENT_WORD:
	case RDA_ARGUMENT_TEXT: value->text = rda_said_text(said, argument); break;
	case RDA_ARGUMENT_BYTES: value->bytes = rda_said_bytes(said, argument); break;
	case RDA_ARGUMENT_ADDRESS: value->address = rda_said_address(said, argument); break;
	case RDA_ARGUMENT_FRAME: value->number = argument->place; break;
	default: value->number = argument->number; break;
	}
	return true;
}

const uint64_t *rda_finding_places(const struct rda_finding *finding, unsigned *count)
{
	*count = finding->place_count;
	return finding->places;
}
