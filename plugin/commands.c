/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A list, and a table for each way to find its members. See commands.h.
 */
#include "plugin/commands.h"

#include "analyzer/base/meta.h"

void rda_commands_init(struct rda_commands *c)
{
	c->list = g_array_new(FALSE, TRUE, sizeof(struct rda_command_record));
	for (unsigned i = 0; i < RDA_COMMAND_FRAMES; i++)
		c->first[i] = g_hash_table_new(NULL, NULL);
}

void rda_commands_cleanup(struct rda_commands *c)
{
	g_array_free(c->list, TRUE);
	for (unsigned i = 0; i < RDA_COMMAND_FRAMES; i++)
		g_hash_table_destroy(c->first[i]);
}

/* Numbers are serials plus one. */
static struct rda_command_record *get(const struct rda_commands *c, uint32_t number)
{
	return &g_array_index(c->list, struct rda_command_record, number - 1);
}

/* Behind the others of its frame. */
static void find_by(struct rda_commands *c, enum rda_command_frame which, uint32_t number,
		    uint64_t frame)
{
	gpointer key = GUINT_TO_POINTER((guint)frame);
	uint32_t at = GPOINTER_TO_UINT(g_hash_table_lookup(c->first[which], key));

	get(c, number)->frame[which] = (uint32_t)frame;
	if (!at) {
		g_hash_table_insert(c->first[which], key, GUINT_TO_POINTER(number));
		return;
	}
	while (get(c, at)->next[which])
		at = get(c, at)->next[which];
	get(c, at)->next[which] = number;
}

static void take(struct rda_commands *c, const struct rda_command_told *told, uint64_t frame)
{
	uint32_t number = (uint32_t)told->serial + 1;
	struct rda_command_record *record;

	if (number > c->list->len) {
		g_array_set_size(c->list, number);
		record = get(c, number);
		record->told = *told;
		record->asked_bytes = told->bytes;
		find_by(c, RDA_COMMAND_ASKED, number, rda_place_number(told->place));
	}
	record = get(c, number);
	if (!told->answered || record->told.answered)
		return;
	record->told = *told;
	find_by(c, RDA_COMMAND_ANSWERED, number, rda_place_number(told->answer_place));
	find_by(c, RDA_COMMAND_TOLD, number, frame);
}

void rda_commands_packet(struct rda_commands *c, const struct rda_engine *engine, uint64_t frame)
{
	unsigned count;
	const struct rda_command_told *told = rda_engine_commands(engine, &count);

	for (unsigned i = 0; i < count; i++)
		take(c, &told[i], frame);
}

const struct rda_command_record *rda_commands_next(const struct rda_commands *c,
						   enum rda_command_frame which, uint64_t frame,
						   uint32_t *at)
{
	*at = *at ? get(c, *at)->next[which]
		  : GPOINTER_TO_UINT(
			    g_hash_table_lookup(c->first[which], GUINT_TO_POINTER((guint)frame)));
	return *at ? get(c, *at) : NULL;
}
