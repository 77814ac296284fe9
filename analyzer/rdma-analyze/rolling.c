/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The difference between a snapshot and the one before. See rolling.h.
 */
#include "analyzer/rdma-analyze/rolling.h"

#include "analyzer/base/address.h"
#include "analyzer/report/machine_record.h"
#include "analyzer/report/units.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* RDA_ROLLING_SUMS(S): S(member, "one", "several"): told where they are not 0, the first two always
 */
#define RDA_ROLLING_SUMS(S)                                                                        \
	S(packets, "packet", "packets")                                                            \
	S(connections, "connection", "connections")                                                \
	S(rdma_packets, "of RDMA", "of RDMA")                                                      \
	S(resent, "resent", "resent")                                                              \
	S(lost, "lost", "lost")                                                                    \
	S(dropped, "dropped by the capture", "dropped by the capture")

enum sum {
#define RDA_S(member, one, several) SUM_##member,
	RDA_ROLLING_SUMS(RDA_S)
#undef RDA_S
		SUMS,
	SUMS_ALWAYS = SUM_connections + 1,
};

static const char *const sum_names[SUMS] = {
#define RDA_S(member, one, several) #member,
	RDA_ROLLING_SUMS(RDA_S)
#undef RDA_S
};

static const char *const sum_words[SUMS][2] = {
#define RDA_S(member, one, several) {one, several},
	RDA_ROLLING_SUMS(RDA_S)
#undef RDA_S
};

/* The findings of one check about one pair of hosts, or one host. */
struct group {
	char *about; /* "10.0.0.1 > 10.0.0.2"; "" of the capture */
	uint64_t before, now;
	const struct rda_finding *first; /* of this snapshot; NULL: it has none */
};

struct rda_rolling {
	struct rda_output *out;
	bool ndjson;
	GHashTable *groups; /* "F01 10.0.0.1 > 10.0.0.2" -> struct group */
	GPtrArray *order;   /* of struct group, borrowed: of this snapshot, weightiest first */
	uint64_t sums[SUMS];
};

static void free_group(void *data)
{
	struct group *group = data;

	g_free(group->about);
	g_free(group);
}

struct rda_rolling *rda_rolling_new(struct rda_output *out, bool ndjson)
{
	struct rda_rolling *rolling = g_new0(struct rda_rolling, 1);

	rolling->out = out;
	rolling->ndjson = ndjson;
	rolling->groups = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_group);
	rolling->order = g_ptr_array_new();
	return rolling;
}

void rda_rolling_tap_end(struct rda_rolling *rolling)
{
	g_hash_table_remove_all(rolling->groups);
	memset(rolling->sums, 0, sizeof(rolling->sums));
}

void rda_rolling_free(struct rda_rolling *rolling)
{
	if (!rolling)
		return;
	if (!rolling->ndjson)
		rda_print(rolling->out, "\n"); /* the report follows */
	g_hash_table_unref(rolling->groups);
	g_ptr_array_unref(rolling->order);
	g_free(rolling);
}

/* ---- sums ------------------------------------------------------------------------------------ */

static void add_flow(uint64_t *sums, const struct rda_flow_facts *flow)
{
	const struct rda_flow_troubles *troubles;

	if (!flow || !flow->has_peer)
		return;
	troubles = rda_flow_troubles(flow);
	sums[SUM_resent] += flow->requests[RDA_REQUEST_RESENT];
	sums[SUM_lost] += troubles->lost_before + troubles->lost_after;
}

static void add_up(uint64_t *sums, const struct rda_result *result)
{
	sums[SUM_connections] = rda_result_connection_count(result);
	for (unsigned i = 0; i < sums[SUM_connections]; i++)
		for (unsigned side = 0; side < 2; side++)
			add_flow(sums,
				 rda_result_flow(result, rda_result_connection(result, i), side));
	for (unsigned i = 0; i < rda_result_capture_count(result); i++) {
		const struct rda_capture *capture = rda_result_capture(result, i);

		sums[SUM_packets] += capture->packets;
		sums[SUM_dropped] += capture->dropped;
		for (unsigned k = 0; k < RDA_CARRIER_COUNT; k++)
			sums[SUM_rdma_packets] += capture->rdma_packets[k];
	}
}

/* ---- findings -------------------------------------------------------------------------------- */

static char *about_of(const struct rda_result *result, const struct rda_finding *finding)
{
	char one[RDA_ADDRESS_TEXT], two[RDA_ADDRESS_TEXT];
	int32_t connection = rda_finding_connection(finding), host = rda_finding_host(finding);
	int8_t flow = rda_finding_flow(finding);
	const struct rda_endpoint *ends;

	if (connection < 0)
		return host < 0 ? g_strdup("")
				: g_strdup(rda_address_text(
					  one, &rda_result_host_of_index(result, (uint32_t)host)
							->address));
	ends = rda_result_connection(result, (uint32_t)connection)->endpoints;
	rda_address_text(one, &ends[flow == 1].address);
	rda_address_text(two, &ends[flow != 1].address);
	return g_strdup_printf("%s %s %s", one, flow < 0 ? "and" : ">", two);
}

static void take_finding(struct rda_rolling *rolling, const struct rda_result *result,
			 const struct rda_finding *finding)
{
	char *about = about_of(result, finding);
	char *key = g_strdup_printf("%s %s", rda_finding_check(finding)->code, about);
	struct group *group = g_hash_table_lookup(rolling->groups, key);

	if (!group) {
		group = g_new0(struct group, 1);
		group->about = g_strdup(about);
		g_hash_table_insert(rolling->groups, g_strdup(key), group);
	}
	if (!group->first) {
		group->first = finding;
		g_ptr_array_add(rolling->order, group);
	}
	group->now += rda_finding_count(finding);
	g_free(about);
	g_free(key);
}

/* ---- told ------------------------------------------------------------------------------------ */

static void print_sums(struct rda_output *out, const uint64_t *now, const uint64_t *before)
{
	bool any = false;

	for (unsigned i = 0; i < SUMS; i++) {
		char number[RDA_UNITS_TEXT];

		if (!now[i] && i >= SUMS_ALWAYS)
			continue;
		if (i == SUM_rdma_packets && now[i] == now[SUM_packets])
			continue;
		rda_print(out, "%s%s %s", any ? ", " : "", rda_units_grouped(number, now[i]),
			  sum_words[i][now[i] != 1]);
		if (now[i] > before[i])
			rda_print(out, " (+%s)", rda_units_grouped(number, now[i] - before[i]));
		any = true;
	}
	rda_print(out, "\n");
}

static void print_group(struct rda_output *out, const struct group *group)
{
	const struct rda_finding *finding = group->first;
	const struct rda_check_row *row = rda_finding_check(finding);
	char *words = rda_finding_text(finding);
	GString *line = g_string_new(NULL);

	g_string_append_printf(line, "%s: %s %s %s, %s", group->before ? "more" : "new",
			       rda_severity_name(rda_finding_severity(finding)), row->code,
			       row->name, rda_proof_name(rda_finding_proof(finding)));
	if (group->about[0])
		g_string_append_printf(line, ", %s", group->about);
	if (group->before)
		g_string_append_printf(line, ": %" PRIu64 " cases (+%" PRIu64 ")", group->now,
				       group->now - group->before);
	else
		g_string_append_printf(line, ": %s", words ? words : "");
	rda_print(out, "          ");
	rda_output_wrap(out, line->str, 10, 12);
	g_string_free(line, TRUE);
	free(words);
}

static void print_text(struct rda_rolling *rolling, const uint64_t *now, int64_t time_ns)
{
	char time[RDA_UNITS_TEXT];

	rda_units_time_of_day(time, time_ns);
	rda_print_in(rolling->out, RDA_STYLE_BOLD, "%.8s", time);
	rda_print(rolling->out, "  ");
	print_sums(rolling->out, now, rolling->sums);
	for (guint i = 0; i < rolling->order->len; i++) {
		const struct group *group = g_ptr_array_index(rolling->order, i);

		if (group->now > group->before)
			print_group(rolling->out, group);
	}
}

static void put_group(struct rda_record *record, const struct group *group)
{
	const struct rda_finding *finding = group->first;
	const struct rda_check_row *row = rda_finding_check(finding);
	char *words = rda_finding_text(finding);

	rda_record_open(record, NULL);
	rda_record_text(record, "code", row->code);
	rda_record_text(record, "check", row->name);
	rda_record_text(record, "severity", rda_severity_name(rda_finding_severity(finding)));
	rda_record_text(record, "proof", rda_proof_name(rda_finding_proof(finding)));
	rda_record_text(record, "about", group->about);
	rda_record_number(record, "count", group->now);
	rda_record_number(record, "more", group->now - group->before);
	rda_record_text(record, "text", words);
	rda_record_close(record);
	free(words);
}

static void print_record(struct rda_rolling *rolling, const uint64_t *now, int64_t time_ns)
{
	struct rda_record record;

	rda_record_init(&record, rolling->out->text);
	rda_record_text(&record, "record", "interval");
	rda_record_time(&record, "time", true, time_ns);
	for (unsigned i = 0; i < SUMS; i++) {
		rda_record_open(&record, sum_names[i]);
		rda_record_number(&record, "count", now[i]);
		rda_record_number(&record, "more",
				  now[i] > rolling->sums[i] ? now[i] - rolling->sums[i] : 0);
		rda_record_close(&record);
	}
	rda_record_open_list(&record, "findings");
	for (guint i = 0; i < rolling->order->len; i++) {
		const struct group *group = g_ptr_array_index(rolling->order, i);

		if (group->now > group->before)
			put_group(&record, group);
	}
	rda_record_close(&record);
	rda_record_end(&record);
	rda_print(rolling->out, "\n");
}

void rda_rolling_take(struct rda_rolling *rolling, const struct rda_result *result, int64_t time_ns)
{
	uint64_t now[SUMS] = {0};

	add_up(now, result);
	for (unsigned i = 0; i < rda_result_finding_count(result); i++)
		take_finding(rolling, result, rda_result_finding(result, i));
	if (rolling->ndjson)
		print_record(rolling, now, time_ns);
	else
		print_text(rolling, now, time_ns);
	rda_output_flush(rolling->out);
	for (guint i = 0; i < rolling->order->len; i++) {
		struct group *group = g_ptr_array_index(rolling->order, i);

		/* what was said is said: a finding may go when more is known, and come back */
		group->before = MAX(group->before, group->now);
		group->now = 0;
		group->first = NULL;
	}
	g_ptr_array_set_size(rolling->order, 0);
	memcpy(rolling->sums, now, sizeof(now));
}
