/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters of NICs, held against the capture, as records.
 */
#include "analyzer/report/describe.h"

#include "analyzer/report/nic_compare.h"

static void put_why(struct rda_record *record, const struct rda_nic_why *why)
{
	rda_record_open(record, NULL);
	rda_record_text(record, "reason", rda_nic_reason_name(why->reason));
	rda_record_number(record, "count", why->count);
	rda_record_close(record);
}

static void put_row(struct rda_record *record, const struct rda_nic_row *row)
{
	static const struct rda_nic_why nothing;

	rda_record_open(record, NULL);
	rda_record_text(record, "counter", row->name);
	rda_record_text(record, "device", row->device && *row->device ? row->device : NULL);
	rda_record_text(record, "measure", row->measure);
	rda_record_number_known(record, "nic", row->nic != RDA_UNKNOWN, row->nic);
	rda_record_number_known(record, "captured", row->wire != RDA_UNKNOWN, row->wire);
	rda_record_text(record, "verdict", rda_nic_verdict_name(row->verdict));
	rda_record_number(record, "unexplained", row->unexplained);
	rda_record_open_list(record, "why");
	for (uint32_t i = 0; i < rda_record_count(record, row->why_count); i++)
		put_why(record, row->why_count ? &row->whys[i] : &nothing);
	rda_record_close(record);
	rda_record_close(record);
}

static void put_addresses(struct rda_record *record, const struct rda_nic_compared *compared)
{
	char texts[RDA_NIC_ADDRESSES_MAX][RDA_ADDRESS_TEXT];
	const char *words[RDA_NIC_ADDRESSES_MAX];
	unsigned count = compared ? compared->address_count : 0;

	for (unsigned i = 0; i < count; i++)
		words[i] = rda_address_text(texts[i], &compared->addresses[i]);
	rda_record_words(record, "addresses", words, count);
}

void rda_describe_compared(struct rda_record *record, const struct rda_nic_compared *compared)
{
	static const struct rda_nic_row nothing;
	guint rows = compared ? compared->rows->len : 0;

	rda_record_text(record, "host", compared ? compared->host : NULL);
	put_addresses(record, compared);
	rda_record_open_list(record, "counters");
	for (uint32_t i = 0; i < rda_record_count(record, rows); i++)
		put_row(record,
			rows ? &g_array_index(compared->rows, struct rda_nic_row, i) : &nothing);
	rda_record_close(record);
	rda_record_words(record, "not_compared",
			 compared ? (const char *const *)(void *)compared->not_compared->pdata
				  : NULL,
			 compared ? compared->not_compared->len : 0);
	rda_record_number(record, "not_understood",
			  compared ? compared->counters.not_understood : 0);
	rda_record_number(record, "not_kept", compared ? compared->counters.not_kept : 0);
}
