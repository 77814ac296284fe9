/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables of commands; see ulp_tally.h.
 */
#include "analyzer/track/ulp/ulp_tally.h"

#include "analyzer/base/latency.h"
#include "analyzer/base/meta.h"
#include "analyzer/track/ulp/rds_track.h"
#include "analyzer/track/ulp/srp_track.h"

#include <string.h>

/* ---- under way ------------------------------------------------------------------------------- */

static uint64_t under_way(const struct rda_ulp *ulp)
{
	return ulp->commands.count - ulp->waiting;
}

/* The time that so many commands were under way, up to now. */
static void add_time(struct rda_ulp_facts *facts, uint64_t count, int64_t since_ns, int64_t time_ns)
{
	int64_t ns = time_ns - since_ns;

	if (!count || ns <= 0)
		return;
	facts->busy_ns = rda_ns_sum(facts->busy_ns, ns);
	facts->waited_ns = rda_ns_sum(facts->waited_ns, rda_ns_times(ns, (int64_t)count));
}

/* Before their number changes. */
static void note_time(struct rda_ulp *ulp, int64_t time_ns)
{
	add_time(&ulp->facts, under_way(ulp), ulp->depth_ns, time_ns);
	ulp->depth_ns = time_ns;
}

static void drop(struct rda_ulp *ulp, struct rda_ulp_command *command)
{
	ulp->waiting -= command->waits;
	rda_ulp_commands_remove(&ulp->commands, command);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static bool has_room(const struct rda_ulp *ulp)
{
	return ulp->facts.operation_count < RDA_ULP_OPERATIONS_MAX &&
	       (!ulp->facts.operation_count || ulp->all->operations < RDA_ULP_OPERATIONS_TOTAL);
}

static uint16_t row_of(struct rda_ulp *ulp, const struct rda_ulp_asked *asked)
{
	struct rda_ulp_facts *facts = &ulp->facts;
	uint32_t i = 0;

	while (i < facts->operation_count && facts->operations[i].code != asked->code)
		i++;
	if (i < facts->operation_count)
		return (uint16_t)i;
	if (!has_room(ulp))
		return (uint16_t)(i - 1);
	if (i == ulp->operations_allocated) {
		ulp->operations_allocated = MAX(4, 2 * i);
		facts->operations = g_renew(struct rda_ulp_operation, facts->operations,
					    ulp->operations_allocated);
	}
	memset(&facts->operations[i], 0, sizeof(*facts->operations));
	facts->operations[i].code = asked->code;
	facts->operations[i].name = asked->name;
	facts->operation_count++;
	ulp->all->operations++;
	return (uint16_t)i;
}

static void note_status(struct rda_ulp *ulp, const struct rda_ulp_answer *answer)
{
	struct rda_ulp_facts *facts = &ulp->facts;
	uint32_t i = 0;

	while (i < facts->status_count &&
	       (facts->statuses[i].code != answer->status ||
		facts->statuses[i].operation_code != answer->operation->code))
		i++;
	if (i == RDA_ULP_STATUSES_MAX)
		return;
	if (i == facts->status_count) {
		if (!facts->statuses)
			facts->statuses = g_new0(struct rda_ulp_status, RDA_ULP_STATUSES_MAX);
		facts->statuses[facts->status_count++] = (struct rda_ulp_status){
			.operation = answer->operation->name,
			.operation_code = answer->operation->code,
			.code = answer->status,
			.words = answer->words,
			.first_place = answer->place,
		};
	}
	facts->statuses[i].count++;
}

/* ---- the slowest ----------------------------------------------------------------------------- */

static void note_slow(struct rda_ulps *ulps, const struct rda_ulp_slow *slow, uint32_t flow)
{
	uint32_t at = ulps->slowest_count;

	if (at == RDA_SLOWEST_KEPT) {
		if (slow->latency_ns <= ulps->slowest[at - 1].latency_ns)
			return;
		at--;
	} else {
		ulps->slowest_count++;
	}
	for (; at > 0 && ulps->slowest[at - 1].latency_ns < slow->latency_ns; at--) {
		ulps->slowest[at] = ulps->slowest[at - 1];
		ulps->slowest_flow[at] = ulps->slowest_flow[at - 1];
	}
	ulps->slowest[at] = *slow;
	ulps->slowest_flow[at] = flow;
}

/* ---------------------------------------------------------------------------------------------- */

struct rda_ulp_command *rda_ulp_ask(struct rda_ulp *ulp, const struct rda_ulp_asked *asked,
				    const struct rda_ulp_message *message)
{
	struct rda_ulp_command *command = rda_ulp_commands_find(&ulp->commands, asked->id);
	uint16_t row = row_of(ulp, asked);
	uint64_t forgotten = ulp->commands.forgotten;
	const struct rda_ulp_command *oldest = rda_ulp_commands_first(&ulp->commands);
	bool oldest_waits = oldest && oldest->waits;

	note_time(ulp, message->first_ns);
	ulp->facts.asked++;
	ulp->facts.operations[row].asked++;
	if (command) {
		ulp->facts.replaced++;
		drop(ulp, command);
	}
	command = rda_ulp_commands_add(&ulp->commands, asked->id, &ulp->all->room);
	if (ulp->commands.forgotten != forgotten && oldest_waits)
		ulp->waiting--; /* it made place */
	if (!command)
		return NULL;
	command->serial = ulp->all->serials++;
	command->place = message->place;
	command->asked_ns = message->first_ns;
	command->bytes = asked->bytes;
	command->operation = row;
	command->waits = asked->waits;
	command->back = asked->back;
	rda_ulp_turns_ask(ulp, command, message->first_ns);
	ulp->waiting += asked->waits;
	ulp->facts.depth_most = MAX(ulp->facts.depth_most, (uint32_t)under_way(ulp));
	if (ulp->all->asked)
		ulp->all->asked(ulp->all->context, ulp, command);
	return command;
}

struct rda_ulp_command *rda_ulp_asked(struct rda_ulp *ulp, uint64_t id,
				      const struct rda_ulp_message *answer)
{
	struct rda_ulp_command *command = rda_ulp_commands_find(&ulp->commands, id);

	if (!command) {
		ulp->facts.unasked++;
		rda_ulp_turns_answer(ulp, id, true, answer->last_ns);
	}
	return command;
}

/* The parts of its time are known when all of its data passed here, and in this order. */
static bool has_parts(const struct rda_ulp_command *command, int64_t time_ns)
{
	return command->moved && command->moved + command->inside >= command->bytes &&
	       !command->broken && command->asked_ns <= command->data_ns &&
	       command->data_ns <= command->data_end_ns && command->data_end_ns <= time_ns;
}

static void note_times(struct rda_ulp *ulp, const struct rda_ulp_answer *answer)
{
	struct rda_ulp_operation *operation = &ulp->facts.operations[answer->command->operation];
	const struct rda_ulp_command *command = answer->command;
	struct rda_ulp_slow slow = {
		.protocol = ulp->protocol,
		.operation = operation->name,
		.operation_code = operation->code,
		.status = answer->status,
		.status_words = answer->words,
		.bytes = command->bytes,
		.asked_ns = command->asked_ns,
		.latency_ns = MAX(answer->time_ns - command->asked_ns, 0),
		.has_parts = has_parts(command, answer->time_ns),
		.place = command->place,
		.answer_place = answer->place,
	};

	rda_latency_add(&operation->latency, slow.latency_ns);
	if (slow.has_parts) {
		slow.before_ns = command->data_ns - command->asked_ns;
		slow.data_ns = command->data_end_ns - command->data_ns;
		slow.after_ns = answer->time_ns - command->data_end_ns;
		rda_latency_add(&operation->before, slow.before_ns);
		rda_latency_add(&operation->data, slow.data_ns);
		rda_latency_add(&operation->after, slow.after_ns);
	}
	note_slow(ulp->all, &slow, ulp->asker->index);
}

void rda_ulp_answer(struct rda_ulp *ulp, struct rda_ulp_command *command, uint32_t status,
		    const char *words, const struct rda_ulp_message *message)
{
	struct rda_ulp_operation *operation = &ulp->facts.operations[command->operation];
	const struct rda_ulp_answer answer = {
		.ulp = ulp,
		.command = command,
		.operation = operation,
		.status = status,
		.words = words,
		.time_ns = message->last_ns,
		.place = message->last_place,
		.checked = message->checked,
		.unsure = rda_ulp_turns_unsure(ulp, command, message->last_ns),
	};

	rda_ulp_turns_answer(ulp, command->id, false, message->last_ns);
	note_time(ulp, message->last_ns);
	ulp->facts.answered++;
	operation->answered++;
	if (status) {
		ulp->facts.failed++;
		operation->failed++;
		note_status(ulp, &answer);
	} else {
		operation->bytes += command->bytes;
	}
	if (!command->waits)
		note_times(ulp, &answer);
	if (ulp->all->answered)
		ulp->all->answered(ulp->all->context, &answer);
	drop(ulp, command);
}

/* ---- for a result ---------------------------------------------------------------------------- */

static void copy_operation(struct rda_ulp_operation *to, const struct rda_ulp_operation *from)
{
	*to = *from;
	rda_latency_copy(&to->latency, &from->latency);
	rda_latency_copy(&to->before, &from->before);
	rda_latency_copy(&to->data, &from->data);
	rda_latency_copy(&to->after, &from->after);
}

void rda_ulp_facts_copy(struct rda_ulp_facts *to, const struct rda_ulp_facts *from)
{
	*to = *from;
	to->operations = g_new(struct rda_ulp_operation, from->operation_count);
	for (uint32_t i = 0; i < from->operation_count; i++)
		copy_operation(&to->operations[i], &from->operations[i]);
	to->statuses = g_memdup2(from->statuses, from->status_count * sizeof(*from->statuses));
	to->ports = g_memdup2(from->ports, from->port_count * sizeof(*from->ports));
}

void rda_ulp_facts_of(struct rda_ulp_facts *to, const struct rda_ulp *ulp, int64_t until_ns)
{
	rda_ulp_facts_copy(to, &ulp->facts);
	to->protocol = ulp->protocol;
	to->queue = ulp->protocol == RDA_ULP_NVME ? ulp->nvme.number : -1;
	to->waiting = ulp->waiting;
	to->unanswered = under_way(ulp);
	to->forgotten = ulp->commands.forgotten;
	if (ulp->rds)
		rda_rds_hold(to, ulp->rds, until_ns);
	rda_srp_hold(to, &ulp->srp, until_ns);
	add_time(to, under_way(ulp), ulp->depth_ns, until_ns);
}

void rda_ulp_facts_cleanup(struct rda_ulp_facts *facts)
{
	for (uint32_t i = 0; i < facts->operation_count; i++) {
		rda_latency_cleanup(&facts->operations[i].latency);
		rda_latency_cleanup(&facts->operations[i].before);
		rda_latency_cleanup(&facts->operations[i].data);
		rda_latency_cleanup(&facts->operations[i].after);
	}
	g_free(facts->operations);
	g_free(facts->statuses);
	g_free(facts->ports);
}
