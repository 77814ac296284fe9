/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verdict: the one or two sentences that a colleague who had read the capture would say first.
 *
 * They are the words of the weightiest findings, one for each check, with how many connections
 * they are about. Without a finding above a note it says what was looked at and found in order, and
 * never more than the capture can tell.
 */
#include "analyzer/report/report.h"

#include "analyzer/report/output.h"
#include "analyzer/report/units.h"
#include "analyzer/base/words.h"

#include <glib.h>
#include <inttypes.h>

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

static void append_finding(GString *to, const struct rda_result *result,
			   const struct rda_finding *finding)
{
	unsigned others = others_of(result, finding);
	char *text = rda_finding_text(finding);
	size_t length;

	if (finding->connection >= 0 && rda_result_connection_count(result) > 1)
		g_string_append_printf(to, "Connection %" PRId32 ": ", finding->connection);
	g_string_append(to, text ? text : "");
	g_free(text);
	length = to->len;
	if (length && to->str[length - 1] != '.')
		g_string_append_c(to, '.');
	if (finding->proof == RDA_PROOF_SUSPECTED)
		g_string_append(to, " (Suspected: the capture does not prove it.)");
	if (others)
		g_string_append_printf(to, " The same on %u other connection%s.", others,
				       rda_words_plural(others));
}

/* The weightiest finding of each check above a note, up to SENTENCES; how many. */
static unsigned append_findings(GString *to, const struct rda_result *result)
{
	uint16_t told[SENTENCES];
	unsigned count = 0;

	for (unsigned i = 0; i < rda_result_finding_count(result) && count < SENTENCES; i++) {
		const struct rda_finding *finding = rda_result_finding(result, i);

		if (finding->severity <= RDA_SEVERITY_NOTE)
			break;
		if (count && told[0] == finding->key.check)
			continue;
		told[count++] = finding->key.check;
		g_string_append(to, to->len ? " " : "");
		append_finding(to, result, finding);
	}
	return count;
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
			       rda_grouped(number, packets), rda_words_plural(packets));
	g_string_append_printf(to, " of %s connection%s.", rda_grouped(number, count),
			       rda_words_plural(count));
	if (one_way && count == 1)
		g_string_append(to, " But only one direction of it was captured");
	else if (one_way)
		g_string_append_printf(to, " But of %s of them only one direction was captured",
				       one_way == count ? "all" : rda_grouped(number, one_way));
	if (one_way)
		g_string_append(to, ": what the other end answered is not known.");
}

void rda_report_verdict(struct rda_output *out, const struct rda_report *report)
{
	GString *verdict;

	if (rdma_packets(report) == 0 || report->count_only)
		return;
	verdict = g_string_new(NULL);
	if (append_findings(verdict, report->result) == 0)
		append_good(verdict, report);
	rda_style(out, RDA_STYLE_BOLD);
	rda_wrap(out->text, verdict->str, 0, 0);
	rda_style(out, RDA_STYLE_PLAIN);
	rda_print(out, "\n");
	g_string_free(verdict, TRUE);
}
