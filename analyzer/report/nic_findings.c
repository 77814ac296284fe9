/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What differs between a NIC's counters and a capture, as findings about its host.
 */
#include "analyzer/report/nic_compare.h"

#include "analyzer/checks/finding.h"
#include "analyzer/engine/later.h"

#include <inttypes.h>
#include <string.h>

/* The host whose finding it is: that of the first address which is in the capture; -1: none is. */
static int64_t host_of(const struct rda_nic_compared *compared, const struct rda_result *result)
{
	for (unsigned k = 0; k < compared->address_count; k++)
		for (unsigned i = 0; i < rda_result_host_count(result); i++) {
			const struct rda_host *host = rda_result_host(result, i);

			if (memcmp(&host->address, &compared->addresses[k],
				   sizeof(host->address)) == 0)
				return host->index;
		}
	return -1;
}

/* The rows that a check is about, and what it says. */
static const struct group {
	uint16_t check, saying; /* enum rda_check, enum rda_saying */
	uint8_t verdict;
	bool packets, more; /* of DIFFERS: the NIC counted more */
} groups[] = {
	{RDA_CHECK_N01, RDA_SAY_N01_DROPPED, RDA_NIC_VERDICT_DROPS, true, true},
	{RDA_CHECK_N02, RDA_SAY_N02_FEWER, RDA_NIC_VERDICT_DIFFERS, true, false},
	{RDA_CHECK_N03, RDA_SAY_N03_MORE, RDA_NIC_VERDICT_DIFFERS, true, true},
	{RDA_CHECK_N04, RDA_SAY_N04_MORE, RDA_NIC_VERDICT_DIFFERS, false, true},
	{RDA_CHECK_N05, RDA_SAY_N05_FEWER, RDA_NIC_VERDICT_DIFFERS, false, false},
};

static bool is_of(const struct group *group, const struct rda_nic_row *row)
{
	return row->verdict == group->verdict && row->packets == group->packets &&
	       (row->wire == RDA_UNKNOWN || (row->nic > row->wire) == group->more);
}

/* "out_of_buffer (7)", "rx_pkts (7, captured 9)" */
static void append_other(GString *others, const struct rda_nic_row *row)
{
	g_string_append_printf(others, "%s%s (%" PRIu64, others->len ? ", " : "", row->name,
			       row->nic);
	if (row->wire != RDA_UNKNOWN)
		g_string_append_printf(others, ", captured %" PRIu64, row->wire);
	g_string_append_c(others, ')');
}

static void say(struct rda_result *result, const struct group *group, uint32_t host,
		const struct rda_nic_row *first, const char *others, uint64_t count)
{
	struct rda_finding *finding =
		rda_result_find_later(result, (enum rda_check)group->check, host);
	const struct rda_address *address = &rda_result_host_of_index(result, host)->address;
	uint64_t apart =
		first->nic > first->wire ? first->nic - first->wire : first->wire - first->nic;
	bool drops = group->verdict == RDA_NIC_VERDICT_DROPS;

	finding->count += count - 1;
	rda_finding_say(finding, (enum rda_saying)group->saying, RDA_ARG_ADDRESS("host", address),
			RDA_ARG_WORD("counter", first->name),
			RDA_ARG_NUMBER(drops ? "dropped" : "counted", first->nic),
			RDA_ARG_IF(!drops, RDA_ARG_NUMBER("captured", first->wire)),
			RDA_ARG_IF(!drops, RDA_ARG_NUMBER("difference", first->unexplained)),
			RDA_ARG_IF(!drops && apart > first->unexplained,
				   RDA_ARG_NUMBER("explained", apart - first->unexplained)),
			RDA_ARG_IF(drops && first->lost, RDA_ARG_NUMBER("lost", first->lost)),
			RDA_ARG_IF(*others, RDA_ARG_TEXT("others", others)));
}

static void judge(const struct rda_nic_compared *compared, struct rda_result *result,
		  const struct group *group, uint32_t host)
{
	const struct rda_nic_row *first = NULL;
	GString *others = g_string_new(NULL);
	uint64_t count = 0;

	for (guint i = 0; i < compared->rows->len; i++) {
		const struct rda_nic_row *row =
			&g_array_index(compared->rows, struct rda_nic_row, i);

		if (!is_of(group, row))
			continue;
		if (first)
			append_other(others, row);
		else
			first = row;
		count += group->verdict == RDA_NIC_VERDICT_DROPS ? row->nic : row->unexplained;
	}
	if (first)
		say(result, group, host, first, others->str, count);
	g_string_free(others, TRUE);
}

void rda_nic_compared_judge(const struct rda_nic_compared *compared, struct rda_result *result)
{
	int64_t host = host_of(compared, result);

	for (unsigned i = 0; i < G_N_ELEMENTS(groups) && host >= 0; i++)
		judge(compared, result, &groups[i], (uint32_t)host);
	rda_result_found_later(result);
}
