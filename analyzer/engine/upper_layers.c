/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets to upper layers; see upper_layers.h.
 */
#include "analyzer/engine/upper_layers.h"

#include "analyzer/checks/ulp/ulp.h"

static struct rda_command_told told_of(const struct rda_ulp *ulp,
				       const struct rda_ulp_command *command)
{
	const struct rda_ulp_operation *operation = &ulp->facts.operations[command->operation];

	return (struct rda_command_told){
		.serial = command->serial,
		.place = command->place,
		.bytes = command->bytes,
		.operation = operation->name,
		.code = operation->code,
		.protocol = ulp->protocol,
		.waits = command->waits,
	};
}

/* A command of an upper layer was answered. */
static void take_answer(void *context, const struct rda_ulp_answer *answer)
{
	struct rda_engine *engine = context;

	rda_check_ulp_answer(&engine->judge, answer);
	if (engine->config.trace) {
		struct rda_command_told told = told_of(answer->ulp, answer->command);

		told.answered = true;
		told.status = answer->status;
		told.words = answer->words;
		told.answer_place = answer->place;
		told.latency_ns = MAX(answer->time_ns - answer->command->asked_ns, 0);
		rda_tracer_command(&engine->tracer, &told);
	}
}

static void take_question(void *context, const struct rda_ulp *ulp,
			  const struct rda_ulp_command *command)
{
	struct rda_engine *engine = context;
	struct rda_command_told told;

	if (!engine->config.trace)
		return;
	told = told_of(ulp, command);
	rda_tracer_command(&engine->tracer, &told);
}

void rda_upper_layers_init(struct rda_engine *engine, uint64_t seed)
{
	rda_ulps_init(&engine->ulps, seed);
	engine->ulps.asked = take_question;
	engine->ulps.answered = take_answer;
	engine->ulps.context = engine;
}

void rda_upper_layers_packet(struct rda_engine *engine, const struct rda_at *at)
{
	const struct rda_ulp_at ulp_at = {
		.meta = at->meta,
		.frame = at->frame,
		.packet = at->packet,
		.place = at->place,
		.flow = at->flow,
		.request = at->request,
		.kind = at->kind,
		.original = at->original,
		.checked = rda_judge_is_checked(at),
	};

	if (at->request)
		rda_ulp_roce(&engine->ulps, &ulp_at);
}

void rda_upper_layers_done(struct rda_engine *engine, struct rda_flow *asker,
			   const struct rda_event *event)
{
	rda_slowest_take(&engine->slowest, event->exchange, asker);
	if (asker->ulp && event->message == RDA_MESSAGE_READ)
		rda_ulp_roce_read_done(asker, event);
}
