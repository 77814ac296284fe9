/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Findings as records.
 */
#include "analyzer/report/describe.h"

static void put_index(struct rda_record *record, const char *name, int32_t index)
{
	if (index < 0)
		rda_record_null(record, name);
	else
		rda_record_number(record, name, (uint64_t)index);
}

/* The frame numbers and, when there is more than one file, the index of the file of each. */
static void put_frames(struct rda_record *record, const struct rda_finding *finding, bool files)
{
	rda_record_open_list(record, "frames");
	for (unsigned i = 0; i < finding->place_count; i++)
		rda_record_number(record, NULL, rda_place_number(finding->places[i]));
	rda_record_close(record);
	if (!files)
		return;
	rda_record_open_list(record, "file");
	for (unsigned i = 0; i < finding->place_count; i++)
		rda_record_number(record, NULL, rda_place_capture(finding->places[i]));
	rda_record_close(record);
}

void rda_describe_finding(struct rda_record *record, const struct rda_result *result,
			  const struct rda_finding *finding)
{
	const struct rda_check_row *row = rda_check_row(finding->key.check);

	rda_record_text(record, "code", row->code);
	rda_record_text(record, "check", row->name);
	rda_record_text(record, "severity", rda_severity_name(finding->severity));
	rda_record_text(record, "proof", rda_proof_name(finding->proof));
	put_index(record, "connection", finding->connection);
	put_index(record, "flow", finding->flow);
	rda_record_number(record, "count", finding->count);
	put_frames(record, finding, rda_result_capture_count(result) > 1);
	rda_record_text(record, "text", finding->text);
	rda_record_text(record, "advice", row->advice);
	rda_record_text(record, "reference", row->reference);
	if (finding->cost_ns > 0)
		rda_record_signed(record, "cost_ns", finding->cost_ns);
	else
		rda_record_null(record, "cost_ns");
}
