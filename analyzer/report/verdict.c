/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verdict: the one or two sentences that a colleague who had read the capture would say first.
 *
 * They are the words of the weightiest findings, one for each check, with who and to whom, and how
 * many connections they are about; what is more is announced, also where beside what is proven of a
 * connection more of it is suspected. Without a finding above a note it
 * says what was looked at and found in order, never more than the capture can tell, and where the
 * time of the connection with most data went: who asks then asks why it is slow.
 */
#include "analyzer/report/report.h"

#include "analyzer/report/output.h"
#include "analyzer/report/units.h"
#include "analyzer/base/words.h"

#include <glib.h>
#include <inttypes.h>
#include <string.h>

enum { SENTENCES = 2 };

static uint64_t rdma_packets(const struct rda_report *report)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < rda_result_capture_count(report->result); i++)
		for (unsigned carrier = 0; carrier < RDA_CARRIER_COUNT; carrier++)
			sum += rda_result_capture(report->result, i)->rdma_packets[carrier];
	return sum;
}

/* Connections that the findings of a check at its severity are about, other than the first's. */
static unsigned others_of(const struct rda_result *result, const struct rda_finding *first)
{
	GHashTable *others = g_hash_table_new(NULL, NULL); /* both flows of one may have it */
	unsigned count;

	for (unsigned i = 0; i < rda_result_finding_count(result); i++) {
		const struct rda_finding *finding = rda_result_finding(result, i);

		if (finding->key.check == first->key.check &&
		    finding->severity == first->severity && finding->connection >= 0 &&
		    finding->connection != first->connection)
			g_hash_table_add(others, GINT_TO_POINTER(finding->connection));
	}
	count = g_hash_table_size(others);
	g_hash_table_destroy(others);
	return count;
}

/* "Connection 3, 10.0.0.1 to 10.0.0.2", or as `word` has it; without it and the number where there
 * is one connection. Nothing where the finding is about none. */
static void append_who(GString *to, const struct rda_result *result,
		       const struct rda_finding *finding, const char *word)
{
	const struct rda_connection_facts *connection;
	char text[RDA_ADDRESS_TEXT];
	unsigned side = finding->flow > 0;

	if (finding->connection < 0)
		return;
	connection = rda_result_connection(result, (unsigned)finding->connection);
	if (rda_result_connection_count(result) > 1)
		g_string_append_printf(to, "%s %" PRId32 ", ", word, finding->connection);
	g_string_append(to, rda_address_text(text, &connection->endpoints[side].address));
	g_string_append(to, finding->flow < 0 ? " and " : " to ");
	g_string_append(to, rda_address_text(text, &connection->endpoints[1 - side].address));
}

/* What is proven of a connection is not all of it. */
static bool is_more_suspected(const struct rda_result *result, const struct rda_finding *proven)
{
	for (unsigned i = 0; i < rda_result_finding_count(result); i++) {
		const struct rda_finding *finding = rda_result_finding(result, i);

		if (finding->key.check == proven->key.check &&
		    finding->severity == proven->severity && finding->flow == proven->flow &&
		    finding->connection == proven->connection &&
		    finding->proof == RDA_PROOF_SUSPECTED)
			return true;
	}
	return false;
}

/* Whether there are several taps of the same traffic. */
static bool has_taps(const struct rda_report *report)
{
	return report->taps && report->taps->tap_of && report->taps->count > 1;
}

/* The tap whose view a finding is; NULL: there is but one, or none of the same traffic. */
static const struct rda_tap *tap_of(const struct rda_report *report,
				    const struct rda_finding *finding)
{
	const struct rda_taps *taps = report->taps;

	if (!has_taps(report))
		return NULL;
	if (finding->connection >= 0)
		return &taps->taps[taps->tap_of[finding->connection]];
	for (uint32_t i = 0; finding->place_count && i < taps->count; i++)
		if (rda_place_capture(finding->places[0]) - taps->taps[i].first <
		    taps->taps[i].count)
			return &taps->taps[i];
	return NULL;
}

/* What a finding says; of one of several taps by its name. */
static void append_words(GString *to, const struct rda_report *report,
			 const struct rda_finding *finding)
{
	static const char here[] = "this capture point";
	const struct rda_tap *tap = tap_of(report, finding);
	char *text = rda_finding_text(finding), *name = tap ? rda_output_harmless(tap->name) : NULL;
	const char *rest = text ? text : "", *at;

	for (; name && (at = strstr(rest, here)); rest = at + strlen(here)) {
		g_string_append_len(to, rest, at - rest);
		g_string_append_printf(to, "the capture point of %s", name);
	}
	g_string_append(to, rest);
	g_free(name);
	g_free(text);
}

static void append_finding(GString *to, const struct rda_report *report,
			   const struct rda_finding *finding)
{
	const struct rda_result *result = report->result;
	unsigned others = others_of(result, finding);
	size_t length;

	append_who(to, result, finding, "Connection");
	g_string_append(to, finding->connection < 0 ? "" : ": ");
	append_words(to, report, finding);
	length = to->len;
	if (length && to->str[length - 1] != '.')
		g_string_append_c(to, '.');
	if (finding->proof == RDA_PROOF_SUSPECTED)
		g_string_append(to, " (Suspected: the capture does not prove it.)");
	else if (is_more_suspected(result, finding))
		g_string_append(to, " More of it is suspected.");
	if (others)
		g_string_append_printf(to, " The same on %u other connection%s.", others,
				       rda_words_plural(others));
}

/* Above a note, and no mere effect of another: what weighs more than its cause is told too. */
static bool is_problem(const struct rda_result *result, const struct rda_finding *finding)
{
	return finding->severity > RDA_SEVERITY_NOTE &&
	       (finding->explained_by < 0 ||
		finding->severity >
			rda_result_finding(result, (unsigned)finding->explained_by)->severity);
}

/*
 * The weightiest problem of each check, up to SENTENCES, then how many checks more have one.
 * Returns how many there are.
 */
static unsigned append_findings(GString *to, const struct rda_report *report)
{
	const struct rda_result *result = report->result;
	bool told[RDA_CHECK_COUNT] = {false};
	unsigned count = 0;

	for (unsigned i = 0; i < rda_result_finding_count(result); i++) {
		const struct rda_finding *finding = rda_result_finding(result, i);

		if (told[finding->key.check] || !is_problem(result, finding))
			continue;
		told[finding->key.check] = true;
		if (count++ >= SENTENCES)
			continue;
		g_string_append(to, to->len ? " " : "");
		append_finding(to, report, finding);
	}
	if (count > SENTENCES)
		g_string_append_printf(to, " And %u more problem%s, below.", count - SENTENCES,
				       rda_words_plural(count - SENTENCES));
	return count;
}

/* Nobody knows whose the packets are: nothing in them was judged. */
static void append_unread(GString *to, const struct rda_report *report)
{
	uint64_t packets = rdma_packets(report), cut = 0, malformed = 0;
	char number[RDA_UNITS_TEXT];

	for (unsigned i = 0; i < rda_result_capture_count(report->result); i++) {
		cut += rda_result_capture(report->result, i)->cut_by_snaplen;
		malformed += rda_result_capture(report->result, i)->malformed;
	}
	g_string_append_printf(to,
			       "Nothing can be told of %s RDMA packet%s: the connection of none "
			       "can be read.",
			       rda_units_grouped(number, packets), rda_words_plural(packets));
	if (cut)
		g_string_append_printf(to,
				       " %s packet%s cut by the snap length: capture at least "
				       "128 bytes of each.",
				       rda_units_grouped(number, cut),
				       cut == 1 ? " was" : "s were");
	if (malformed)
		g_string_append_printf(to, " %s packet%s malformed.",
				       rda_units_grouped(number, malformed),
				       malformed == 1 ? " is" : "s are");
}

/* Datagrams, and UC: who lost them says nothing. */
static void append_unacknowledged(GString *to, const struct rda_report *report)
{
	const struct rda_result *result = report->result;
	unsigned count = rda_result_connection_count(result), silent = 0;
	char number[RDA_UNITS_TEXT];

	for (unsigned i = 0; i < count; i++) {
		uint8_t service = rda_result_connection(result, i)->service;

		silent += service == RDA_SERVICE_UD || service == RDA_SERVICE_UC;
	}
	if (!silent)
		return;
	g_string_append(to, " Nothing acknowledges the packets of ");
	g_string_append_printf(to, "%s%s",
			       count == 1	 ? "it"
			       : silent == count ? "these"
						 : rda_units_grouped(number, silent),
			       silent < count ? " of them" : "");
	g_string_append_printf(to, ": what was lost behind %s leaves no trace here.",
			       has_taps(report) ? "the capture points" : "this capture point");
}

/* Nothing above a note: in order, as far as the capture tells. */
static void append_good(GString *to, const struct rda_report *report)
{
	unsigned count = rda_result_connection_count(report->result), one_way = 0;
	uint64_t packets = rdma_packets(report);
	char number[RDA_UNITS_TEXT];

	for (unsigned i = 0; i < count; i++) {
		const struct rda_connection_facts *connection =
			rda_result_connection(report->result, i);

		one_way += connection->service == RDA_SERVICE_RC &&
			   !(connection->seen & RDA_SEEN_BOTH);
	}
	g_string_append_printf(to, "Nothing wrong was found in %s RDMA packet%s",
			       rda_units_grouped(number, packets), rda_words_plural(packets));
	g_string_append_printf(to, " of %s connection%s.", rda_units_grouped(number, count),
			       rda_words_plural(count));
	if (one_way && count == 1)
		g_string_append(to, " But only one direction of it was captured");
	else if (one_way)
		g_string_append_printf(to, " But of %s of them only one direction was captured",
				       one_way == count ? "all"
							: rda_units_grouped(number, one_way));
	if (one_way)
		g_string_append(to, ": what the other end answered is not known.");
	append_unacknowledged(to, report);
}

/* Of the connection with most data that has one. */
static const struct rda_finding *finding_about_time(const struct rda_result *result)
{
	const struct rda_finding *most = NULL;
	uint64_t most_bytes = 0;

	for (unsigned i = 0; i < rda_result_finding_count(result); i++) {
		const struct rda_finding *finding = rda_result_finding(result, i);
		uint64_t bytes = 0;

		if (finding->key.check != RDA_CHECK_T13)
			continue;
		for (unsigned side = 0; side < 2; side++) {
			const struct rda_flow_facts *flow = rda_result_flow(
				result,
				rda_result_connection(result, (unsigned)finding->connection), side);

			bytes += flow ? flow->payload_bytes : 0;
		}
		if (!most || bytes > most_bytes) {
			most = finding;
			most_bytes = bytes;
		}
	}
	return most;
}

static void append_time(GString *to, const struct rda_result *result)
{
	const struct rda_finding *finding = finding_about_time(result);
	char *text = finding ? rda_finding_text(finding) : NULL;

	if (!text)
		return;
	if (rda_result_connection_count(result) > 1) {
		g_string_append(to, " The time of ");
		append_who(to, result, finding, "connection");
	} else {
		g_string_append(to, " Its time");
	}
	g_string_append_printf(to, ", as it seems: %s", text);
	g_free(text);
}

char *rda_report_verdict_words(const struct rda_report *report)
{
	GString *verdict;

	if (rdma_packets(report) == 0 || report->count_only)
		return NULL;
	verdict = g_string_new(NULL);
	if (append_findings(verdict, report) > 0)
		return g_string_free(verdict, FALSE);
	if (rda_result_connection_count(report->result) == 0) {
		append_unread(verdict, report);
	} else {
		append_good(verdict, report);
		append_time(verdict, report->result);
	}
	return g_string_free(verdict, FALSE);
}

void rda_report_verdict(struct rda_output *out, const struct rda_report *report)
{
	char *verdict = rda_report_verdict_words(report);

	if (!verdict)
		return;
	rda_style(out, RDA_STYLE_BOLD);
	rda_output_wrap(out, verdict, 0, 0);
	rda_style(out, RDA_STYLE_PLAIN);
	rda_print(out, "\n");
	g_free(verdict);
}
