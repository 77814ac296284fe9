/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Commands of upper layers in the tree of a frame: those that it asks, those that it answers.
 *
 *     [NVMe over RDMA: Read]                    [NVMe over RDMA: answer to Read]
 *         [Operation: Read]                         [Operation: Read]
 *         [Bytes of the command: 4096]              [Status of the command: 0x00000000]
 *         [Response in: 12]                         [Request in: 8]
 *                                                   [Time since the command: 0.000093 seconds]
 */
#include "plugin/tree.h"

#include "plugin/session.h"

static proto_tree *begin(const struct rda_shown *shown, proto_tree *tree,
			 const struct rda_command_told *told)
{
	char room[RDA_ULP_OPERATION_ROOM];
	const char *name =
		rda_ulp_operation_name(room, told->protocol, told->operation, told->code);
	proto_item *item =
		proto_tree_add_item(tree, rda_ulp_hf[told->protocol], shown->tvb, 0, 0, ENC_NA);

	proto_item_set_generated(item);
	proto_item_append_text(item, ": %s%s", told->answered ? "answer to " : "",
			       name ? name : "a command without a name");
	if (told->status)
		proto_item_append_text(item, ", %s", told->words ? told->words : "an error");
	tree = proto_item_add_subtree(item, rda_ett[RDA_ETT_COMMAND]);
	rda_tree_add_words(shown, tree, RDA_OWN_ULP_OPERATION, name);
	rda_tree_add_number(shown, tree, RDA_OWN_ULP_CODE, told->code);
	return tree;
}

static void add_request(const struct rda_shown *shown, proto_tree *tree,
			const struct rda_command_record *record)
{
	struct rda_command_told told = record->told;

	told.answered = false;
	told.status = 0;
	tree = begin(shown, tree, &told);
	rda_tree_add_number(shown, tree, RDA_OWN_ULP_BYTES, record->asked_bytes);
	if (rda_session_is_finished())
		rda_tree_add_frame(shown, tree, RDA_OWN_ULP_ANSWERED_BY,
				   record->frame[RDA_COMMAND_ANSWERED]);
}

static void add_answer(const struct rda_shown *shown, proto_tree *tree,
		       const struct rda_command_record *record)
{
	const struct rda_command_told *told = &record->told;

	tree = begin(shown, tree, told);
	rda_tree_add_number(shown, tree, RDA_OWN_ULP_BYTES, told->bytes);
	rda_tree_add_number(shown, tree, RDA_OWN_ULP_STATUS, told->status);
	rda_tree_add_words(shown, tree, RDA_OWN_ULP_ERROR, told->status ? told->words : NULL);
	rda_tree_add_frame(shown, tree, RDA_OWN_ULP_ANSWERS, record->frame[RDA_COMMAND_ASKED]);
	if (!told->waits)
		rda_tree_add_time(shown, tree, RDA_OWN_ULP_TIME, told->latency_ns);
}

void rda_commands_show(const struct rda_shown *shown, proto_tree *tree)
{
	const struct rda_commands *commands = rda_session_commands();
	uint64_t frame = shown->source->meta.number;
	const struct rda_command_record *record;
	uint32_t at = 0;

	while ((record = rda_commands_next(commands, RDA_COMMAND_ASKED, frame, &at)))
		add_request(shown, tree, record);
	at = 0;
	while ((record = rda_commands_next(commands, RDA_COMMAND_ANSWERED, frame, &at)))
		add_answer(shown, tree, record);
}
