/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The latencies of the engine in Wireshark's table of service response times.
 */
#include "plugin/protocol.h"

#include "plugin/compat.h"
#include "plugin/completed.h"

#include "analyzer/report/describe.h"

static void init(register_srt_t *srt, GArray *tables)
{
	srt_stat_table *table = init_srt_table("RDMA messages", NULL, tables, RDA_MESSAGE_COUNT,
					       "Message", NULL, NULL);

	(void)srt;
	for (uint8_t kind = 0; kind < RDA_MESSAGE_COUNT; kind++) {
		char *name = g_strdelimit(g_ascii_strup(rda_message_name(kind), -1), "_", ' ');

		init_srt_table_row(table, kind, name);
		g_free(name);
	}
}

RDA_TAP(see, void *context)
{
	srt_stat_table *table =
		g_array_index(((srt_data_t *)context)->srt_array, srt_stat_table *, 0);
	const struct rda_completed *done;
	unsigned count;

	(void)edt;
	(void)data;
	RDA_TAP_FLAGS_UNUSED;
	done = rda_completed_of(pinfo->num, &count);
	for (unsigned i = 0; i < count; i++) {
		nstime_t latency = {.secs = done[i].latency_ns / 1000000000,
				    .nsecs = (int)(done[i].latency_ns % 1000000000)};
		nstime_t begin;

		nstime_delta(&begin, &pinfo->abs_ts, &latency);
		add_srt_table_data(table, done[i].kind, &begin, pinfo);
	}
	return count ? TAP_PACKET_REDRAW : TAP_PACKET_DONT_REDRAW;
}

void rda_response_times_register(void)
{
	register_srt_table(rda_protocol, "rdma", 1, see, init, NULL);
}
