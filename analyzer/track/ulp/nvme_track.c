/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Capsules of NVMe, as commands and answers.
 */
#include "analyzer/track/ulp/nvme_track.h"

#include "analyzer/track/ulp/ulp_tally.h"
#include "dissectors/ulp/nvme.h"

static struct rda_cursor cursor_of(const uint8_t *bytes, uint32_t have)
{
	return (struct rda_cursor){bytes, 0, have, have};
}

bool rda_nvme_is_found(const uint8_t *bytes, uint32_t have, bool expected)
{
	struct rda_cursor c = cursor_of(bytes, have);
	struct rda_nvme_command command;

	return rda_read_nvme_command(&c, &command) && rda_nvme_is_command(&command, expected);
}

void rda_nvme_begin(struct rda_ulp *ulp)
{
	ulp->nvme.number = ulp->nvme.controller = -1;
}

/* The host has something to say: a controller ends the association of one that is silent. */
static void note_alive(struct rda_nvme_track *nvme, const struct rda_ulp_message *message)
{
	if (!nvme->latest_place)
		nvme->begun_ns = message->first_ns;
	else if (message->first_ns - nvme->latest_ns > nvme->silent_ns) {
		nvme->silent_ns = message->first_ns - nvme->latest_ns;
		nvme->silent_from_ns = nvme->latest_ns;
		nvme->silent_place = nvme->latest_place;
	}
	nvme->latest_ns = message->first_ns;
	nvme->latest_place = message->place;
}

/*
 * The controller is there: it did not end the association, however long the host was silent here.
 * Many count commands of all queues (TBKAS in what Identify answers), and Linux's host sends no
 * Keep Alive then as long as others go on.
 */
static void note_answered(struct rda_nvme_track *nvme, const struct rda_ulp_message *message)
{
	nvme->silent_ns = 0;
	nvme->answered_ns = message->last_ns;
}

/* A queue of data is asked for with the controller that the admin queue's Connect was answered by.
 */
static void note_controller(struct rda_nvme_track *nvme, const struct rda_nvme_command *command,
			    struct rda_cursor *data)
{
	uint16_t controller;

	nvme->controller = -1;
	if (command->data == RDA_NVME_DATA_INLINE && !command->address &&
	    rda_read_nvme_connect_data(data, &controller) && controller != RDA_NVME_ANY_CONTROLLER)
		nvme->controller = controller;
}

static void note_queue(struct rda_nvme_track *nvme, const struct rda_nvme_command *command,
		       uint16_t operation)
{
	if (operation == RDA_NVME_FABRICS_CONNECT) {
		nvme->queue = (uint8_t)rda_nvme_queue_of(command);
		nvme->number = rda_nvme_connect_queue(command);
		nvme->keep_ms = rda_nvme_connect_keep_alive_ms(command);
	} else if (nvme->queue == RDA_NVME_QUEUE_UNKNOWN) {
		nvme->queue = (uint8_t)rda_nvme_queue_of(command);
		nvme->number = nvme->queue == RDA_NVME_QUEUE_ADMIN ? 0 : -1;
	}
}

static void take_command(struct rda_ulp *ulp, const struct rda_ulp_message *message)
{
	struct rda_cursor c = cursor_of(message->bytes, message->have);
	struct rda_nvme_command nvme;
	struct rda_ulp_command *command;
	struct rda_ulp_asked asked = {0};

	note_alive(&ulp->nvme, message);
	if (!rda_read_nvme_command(&c, &nvme)) {
		ulp->facts.cut += message->length != 0;
		return;
	}
	note_queue(&ulp->nvme, &nvme, rda_nvme_operation(&nvme, RDA_NVME_QUEUE_UNKNOWN));
	if (rda_nvme_operation(&nvme, RDA_NVME_QUEUE_UNKNOWN) == RDA_NVME_FABRICS_CONNECT)
		note_controller(&ulp->nvme, &nvme, &c);
	asked.code = rda_nvme_operation(&nvme, (enum rda_nvme_queue)ulp->nvme.queue);
	asked.name = rda_nvme_operation_name((uint16_t)asked.code);
	asked.waits = rda_nvme_operation_waits((uint16_t)asked.code);
	asked.id = nvme.cid;
	asked.bytes = nvme.length;
	command = rda_ulp_ask(ulp, &asked, message);
	if (command && asked.code == RDA_NVME_ADMIN_SET_FEATURES)
		command->own.nvme.sets_keep_alive =
			rda_nvme_sets_keep_alive(&nvme, &command->own.nvme.keep_ms);
	if (command && nvme.data == RDA_NVME_DATA_KEYED && nvme.length)
		rda_ulp_commands_lend(&ulp->commands, command,
				      &(struct rda_ulp_range){nvme.address, nvme.key, nvme.length});
}

static void take_completion(struct rda_ulp *ulp, const struct rda_ulp_message *message)
{
	struct rda_cursor c = cursor_of(message->bytes, message->have);
	struct rda_nvme_completion completion;
	struct rda_ulp_command *command;
	uint16_t operation, status;

	note_answered(&ulp->nvme, message);
	if (!rda_read_nvme_completion(&c, &completion)) {
		ulp->facts.cut += message->length != 0;
		return;
	}
	command = rda_ulp_asked(ulp, completion.cid, message);
	if (!command)
		return;
	operation = (uint16_t)ulp->facts.operations[command->operation].code;
	status = rda_nvme_status(completion.status);
	if (operation == RDA_NVME_FABRICS_CONNECT && !status && ulp->nvme.number == 0)
		ulp->nvme.controller = rda_nvme_connected_controller(&completion);
	if (command->own.nvme.sets_keep_alive && !status)
		ulp->nvme.keep_ms = command->own.nvme.keep_ms;
	rda_ulp_answer(ulp, command, status, rda_nvme_status_words(operation, status), message);
}

void rda_nvme_message(struct rda_ulp *ulp, bool by_host, const struct rda_ulp_message *message)
{
	if (by_host)
		take_command(ulp, message);
	else
		take_completion(ulp, message);
}
