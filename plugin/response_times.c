/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The latencies of the engine in Wireshark's tables of service response times: of messages, and of
 * the commands of each upper layer.
 */
#include "plugin/protocol.h"

#include "plugin/compat.h"
#include "plugin/completed.h"
#include "plugin/session.h"

#include "analyzer/report/describe.h"

#include <string.h>

/* Messages, and each upper layer. */
enum { TABLES_MOST = 1 + RDA_ULP_COUNT };

/* Kinds of commands of one upper layer; what has no row by then counts as the last. */
enum { ROWS_MOST = 1024 };

static void init(register_srt_t *srt, GArray *tables)
{
	srt_stat_table *table = init_srt_table("RDMA messages", NULL, tables, RDA_MESSAGE_COUNT,
					       "Message", NULL, NULL);

	(void)srt;
	for (int kind = 0; kind < RDA_MESSAGE_COUNT; kind++) {
		char *name =
			g_strdelimit(g_ascii_strup(rda_message_name((uint8_t)kind), -1), "_", ' ');

		init_srt_table_row(table, kind, name);
		g_free(name);
	}
}

static srt_stat_table *messages(GArray *tables)
{
	return g_array_index(tables, srt_stat_table *, 0);
}

/* Of an upper layer. It comes with its first command, and rows come with theirs: Wireshark's
 * windows would show the titles of empty tables. */
static srt_stat_table *commands(GArray *tables, uint8_t protocol)
{
	const char *name = rda_ulp_people_name(protocol);

	for (guint i = 1; i < tables->len; i++) {
		srt_stat_table *table = g_array_index(tables, srt_stat_table *, i);

		if (strcmp(table->name, name) == 0)
			return table;
	}
	return init_srt_table(name, NULL, tables, 0, name, NULL, NULL);
}

static void add(packet_info *pinfo, srt_stat_table *table, int row, int64_t latency_ns)
{
	nstime_t latency = {.secs = latency_ns / 1000000000,
			    .nsecs = (int)(latency_ns % 1000000000)};
	nstime_t begin;

	nstime_delta(&begin, &pinfo->abs_ts, &latency);
	add_srt_table_data(table, row, &begin, pinfo);
}

static int row_of(srt_stat_table *table, const struct rda_command_told *told)
{
	char room[MAX(RDA_ULP_OPERATION_ROOM, 24)];
	const char *name =
		rda_ulp_operation_name(room, told->protocol, told->operation, told->code);
	int row = 0;

	if (!name) {
		g_snprintf(room, sizeof(room), "code 0x%04x", told->code);
		name = room;
	}
	while (row < table->num_procs && strcmp(table->procedures[row].procedure, name) != 0)
		row++;
	if (row == ROWS_MOST)
		return row - 1;
	if (row == table->num_procs)
		init_srt_table_row(table, row, name);
	return row;
}

static bool add_commands(packet_info *pinfo, GArray *tables)
{
	const struct rda_command_record *record;
	uint32_t at = 0;
	bool any = false;

	while ((record = rda_commands_next(rda_session_commands(), RDA_COMMAND_TOLD, pinfo->num,
					   &at))) {
		const struct rda_command_told *told = &record->told;
		srt_stat_table *table;

		if (told->waits)
			continue;
		table = commands(tables, told->protocol);
		add(pinfo, table, row_of(table, told), told->latency_ns);
		any = true;
	}
	return any;
}

RDA_TAP(see, void *context)
{
	GArray *tables = ((srt_data_t *)context)->srt_array;
	const struct rda_completed *done;
	unsigned count;
	bool any;

	(void)edt;
	(void)data;
	RDA_TAP_FLAGS_UNUSED;
	done = rda_completed_of(pinfo->num, &count);
	for (unsigned i = 0; i < count; i++)
		add(pinfo, messages(tables), done[i].kind, done[i].latency_ns);
	any = add_commands(pinfo, tables) || count;
	return any ? TAP_PACKET_REDRAW : TAP_PACKET_DONT_REDRAW;
}

void rda_response_times_register(void)
{
	register_srt_table(rda_protocol, "rdma", TABLES_MOST, see, init, NULL);
}
