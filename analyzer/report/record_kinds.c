/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kinds of records. See record_kinds.h.
 */
#include "analyzer/report/record_kinds.h"

#include "analyzer/report/describe.h"
#include "analyzer/report/explain.h"

static unsigned tap_count(const struct rda_report *report)
{
	return report->taps ? report->taps->count : 0;
}

static void describe_tap(struct rda_record *record, const struct rda_report *report, unsigned index)
{
	static const struct rda_tap nothing;

	rda_describe_tap(record, report ? &report->taps->taps[index] : &nothing);
}

static unsigned capture_count(const struct rda_report *report)
{
	return report->origin_count;
}

static void describe_capture(struct rda_record *record, const struct rda_report *report,
			     unsigned index)
{
	static const struct rda_capture nothing;
	static const struct rda_origin nowhere;
	static const struct rda_flow_time never;

	if (report)
		rda_describe_capture(record, rda_result_capture(report->result, index),
				     rda_result_capture_time(report->result, index),
				     report->origins[index]);
	else
		rda_describe_capture(record, &nothing, &never, &nowhere);
}

static unsigned host_count(const struct rda_report *report)
{
	return rda_result_host_count(report->result);
}

static void describe_host(struct rda_record *record, const struct rda_report *report,
			  unsigned index)
{
	static const struct rda_host nobody;
	static const struct rda_nic nothing;
	static const struct rda_flow_time never;
	const struct rda_host *host = report ? rda_result_host(report->result, index) : &nobody;

	rda_describe_host(record, host,
			  report ? rda_result_nic(report->result, host->index) : &nothing,
			  report ? rda_result_host_time(report->result, host->index) : &never);
}

static unsigned connection_count(const struct rda_report *report)
{
	return rda_result_connection_count(report->result);
}

static void describe_connection(struct rda_record *record, const struct rda_report *report,
				unsigned index)
{
	static const struct rda_connection_facts nothing = {.flows = {-1, -1}};

	if (report)
		rda_describe_connection(record, report->result,
					rda_result_connection(report->result, index));
	else
		rda_describe_connection(record, NULL, &nothing);
	if (!report)
		rda_describe_hops(record, NULL, 0);
	else if (report->taps && report->taps->tap_of)
		rda_describe_hops(record, report->taps, index);
}

static bool is_chosen(const struct rda_report *report, unsigned index)
{
	return !report->connections || report->connections[index];
}

static unsigned conversation_count(const struct rda_report *report)
{
	return rda_result_conversation_count(report->result);
}

static bool is_unconnected(const struct rda_report *report, unsigned index)
{
	return rda_describe_is_unconnected(rda_result_conversation(report->result, index));
}

static void describe_conversation(struct rda_record *record, const struct rda_report *report,
				  unsigned index)
{
	static const struct rda_conversation nothing;

	rda_describe_conversation(record, report ? rda_result_conversation(report->result, index)
						 : &nothing);
}

static unsigned finding_count(const struct rda_report *report)
{
	return rda_result_finding_count(report->result);
}

static void describe_finding(struct rda_record *record, const struct rda_report *report,
			     unsigned index)
{
	static const struct rda_finding nothing;

	if (report)
		rda_describe_finding(record, report->result,
				     rda_result_finding(report->result, index));
	else
		rda_describe_finding(record, NULL, &nothing);
}

static unsigned retired_count(const struct rda_report *report)
{
	return rda_result_retired(report->result)->connections > 0;
}

static void describe_retired(struct rda_record *record, const struct rda_report *report,
			     unsigned index)
{
	static const struct rda_retired nothing;

	(void)index;
	rda_describe_retired(record, report ? rda_result_retired(report->result) : &nothing);
}

static unsigned quality_count(const struct rda_report *report)
{
	return !report->count_only && rda_result_connection_count(report->result);
}

static void describe_quality(struct rda_record *record, const struct rda_report *report,
			     unsigned index)
{
	static const struct rda_quality nothing;

	(void)index;
	rda_describe_quality(record, report ? rda_result_quality(report->result) : &nothing);
}

static unsigned path_count(const struct rda_report *report)
{
	return rda_result_way_count(report->result);
}

static void describe_path(struct rda_record *record, const struct rda_report *report,
			  unsigned index)
{
	static const struct rda_way nothing;

	rda_describe_way(record, report ? rda_result_way(report->result, index) : &nothing);
}

static unsigned collective_count(const struct rda_report *report)
{
	return rda_result_collective_count(report->result);
}

static void describe_collective(struct rda_record *record, const struct rda_report *report,
				unsigned index)
{
	static const struct rda_collective nothing = {.late = -1};

	rda_describe_collective(record,
				report ? rda_result_collective(report->result, index) : &nothing);
}

static unsigned pausing_count(const struct rda_report *report)
{
	return rda_result_pausing_count(report->result);
}

static void describe_pausing(struct rda_record *record, const struct rda_report *report,
			     unsigned index)
{
	static const struct rda_pausing nothing;

	rda_describe_pausing(record, report ? report->result : NULL,
			     report ? rda_result_pausing(report->result, index) : &nothing);
}

static unsigned pacing_count(const struct rda_report *report)
{
	return rda_result_pacing_count(report->result);
}

static void describe_pacing(struct rda_record *record, const struct rda_report *report,
			    unsigned index)
{
	static const struct rda_pacing nothing;

	rda_describe_pacing(record, report ? rda_result_pacing(report->result, index) : &nothing);
}

static unsigned slowdown_count(const struct rda_report *report)
{
	return rda_result_slowdown_count(report->result);
}

static void describe_slowdown(struct rda_record *record, const struct rda_report *report,
			      unsigned index)
{
	static const struct rda_flow_facts nothing;

	rda_describe_slowdown(record,
			      report ? rda_result_slowdown(report->result, index) : &nothing);
}

static unsigned not_kept_count(const struct rda_report *report)
{
	return rda_result_findings_not_kept(report->result) ||
	       rda_result_keys_not_kept(report->result) ||
	       rda_result_conversations_not_kept(report->result) ||
	       rda_result_ulps_not_followed(report->result) ||
	       rda_result_holds_not_kept(report->result);
}

/* What limits left out, whatever the limit. */
static void describe_not_kept(struct rda_record *record, const struct rda_report *report,
			      unsigned index)
{
	(void)index;
	rda_record_number(record, "finding_cases",
			  report ? rda_result_findings_not_kept(report->result) : 0);
	rda_record_number(record, "memory_key_requests",
			  report ? rda_result_keys_not_kept(report->result) : 0);
	rda_record_number(record, "conversation_messages",
			  report ? rda_result_conversations_not_kept(report->result) : 0);
	rda_record_number(record, "upper_layer_connections",
			  report ? rda_result_ulps_not_followed(report->result) : 0);
	rda_record_number(record, "holds", report ? rda_result_holds_not_kept(report->result) : 0);
}

static unsigned slow_message_count(const struct rda_report *report)
{
	return rda_result_slow_message_count(report->result);
}

static void describe_slow_message(struct rda_record *record, const struct rda_report *report,
				  unsigned index)
{
	static const struct rda_slow_facts nothing;

	if (report)
		rda_describe_slow_message(record, report->result,
					  rda_result_slow_message(report->result, index));
	else
		rda_describe_slow_message(record, NULL, &nothing);
}

static unsigned key_count(const struct rda_report *report)
{
	return rda_result_key_count(report->result);
}

static void describe_key(struct rda_record *record, const struct rda_report *report, unsigned index)
{
	static const struct rda_key_facts nothing;

	if (report)
		rda_describe_key(record, report->result, rda_result_key(report->result, index));
	else
		rda_describe_key(record, NULL, &nothing);
}

static unsigned ulp_count(const struct rda_report *report)
{
	return rda_result_ulp_count(report->result);
}

static void describe_ulp(struct rda_record *record, const struct rda_report *report, unsigned index)
{
	static const struct rda_ulp_facts nothing;

	rda_describe_ulp(record, report ? rda_result_ulp(report->result, index) : &nothing);
}

static unsigned explained_count(const struct rda_report *report)
{
	return report->explain ? report->explain->lines->len : 0;
}

static void describe_explained(struct rda_record *record, const struct rda_report *report,
			       unsigned index)
{
	rda_describe_explained(record, report ? report->explain : NULL,
			       report ? g_ptr_array_index(report->explain->lines, index) : NULL);
}

static unsigned compared_count(const struct rda_report *report)
{
	return report->compared_count;
}

static void describe_compared(struct rda_record *record, const struct rda_report *report,
			      unsigned index)
{
	rda_describe_compared(record, report ? report->compared[index] : NULL);
}

static unsigned slow_command_count(const struct rda_report *report)
{
	return rda_result_slow_command_count(report->result);
}

static void describe_slow_command(struct rda_record *record, const struct rda_report *report,
				  unsigned index)
{
	static const struct rda_ulp_slow nothing;

	rda_describe_slow_command(record, report ? rda_result_slow_command(report->result, index)
						 : &nothing);
}

const struct rda_record_kind rda_record_kinds[] = {
	{"taps", "tap", tap_count, describe_tap, NULL, true},
	{"captures", "capture", capture_count, describe_capture, NULL, false},
	{"quality", "quality", quality_count, describe_quality, NULL, true},
	{"hosts", "host", host_count, describe_host, NULL, false},
	{"connections", "connection", connection_count, describe_connection, is_chosen, false},
	{"paths", "path", path_count, describe_path, NULL, true},
	{"collectives", "collective", collective_count, describe_collective, NULL, true},
	{"pauses", "pause", pausing_count, describe_pausing, NULL, true},
	{"cnp_pacing", "cnp_pacing", pacing_count, describe_pacing, NULL, true},
	{"slowdowns", "slowdown", slowdown_count, describe_slowdown, NULL, true},
	{"conversations", "conversation", conversation_count, describe_conversation, is_unconnected,
	 false},
	{"upper_layers", "upper_layer", ulp_count, describe_ulp, NULL, true},
	{"explained", "explained", explained_count, describe_explained, NULL, true},
	{"nic_counters", "nic_counters", compared_count, describe_compared, NULL, true},
	{"memory_keys", "memory_key", key_count, describe_key, NULL, false},
	{"closed_early", "closed_early", retired_count, describe_retired, NULL, true},
	{"not_kept", "not_kept", not_kept_count, describe_not_kept, NULL, true},
	{"findings", "finding", finding_count, describe_finding, NULL, false},
	{"slowest_messages", "slow_message", slow_message_count, describe_slow_message, NULL,
	 false},
	{"slowest_commands", "slow_command", slow_command_count, describe_slow_command, NULL, true},
};

const unsigned rda_record_kind_count = G_N_ELEMENTS(rda_record_kinds);

bool rda_record_kind_tells(const struct rda_record_kind *kind, const struct rda_report *report,
			   unsigned index)
{
	return !kind->is_told || kind->is_told(report, index);
}
