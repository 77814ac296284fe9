/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the captures can tell, in a line before the verdict, and as a record: whoever reads a report
 * should know first how far it can go.
 *
 *     This capture can tell loss and latency. In part: memory keys (packets were cut by the snap
 *     length). Not: set-up (neither all of connection management nor the beginning of connections
 *     is in it).
 */
#include "analyzer/report/report.h"

#include "analyzer/report/describe.h"
#include "analyzer/report/units.h"
#include "analyzer/base/words.h"

#include <glib.h>
#include <inttypes.h>

/* How many connections lack what `bit` says, where that is worth a word: why nothing can be told
 * says enough. */
static uint32_t lacking(const struct rda_quality *quality, unsigned topic, unsigned bit)
{
	const struct rda_topic_quality *of = &quality->topics[topic];

	if (of->tells == RDA_TELLS_NOTHING && !(rda_topic_bars(topic) >> bit & 1))
		return 0;
	return of->lacking[bit];
}

static bool lacks_the_same(const struct rda_quality *quality, unsigned a, unsigned b)
{
	for (unsigned bit = 0; bit < RDA_LACK_COUNT; bit++)
		if (lacking(quality, a, bit) != lacking(quality, b, bit))
			return false;
	return quality->topics[a].tells == quality->topics[b].tells &&
	       quality->topics[a].connections == quality->topics[b].connections;
}

/* "only one direction was captured", with the numbers that are known. */
static void append_lack(GString *to, const struct rda_quality *quality, unsigned bit)
{
	char number[RDA_UNITS_TEXT], other[RDA_UNITS_TEXT];

	if (1u << bit == RDA_LACK_UNBROKEN && quality->dropped)
		g_string_append_printf(to, "%s packet%s dropped while capturing",
				       rda_units_grouped(number, quality->dropped),
				       quality->dropped == 1 ? " was" : "s were");
	else if (1u << bit == RDA_LACK_UNBROKEN && quality->missed)
		g_string_append_printf(to, "the capture missed %s packet%s",
				       rda_units_grouped(number, quality->missed),
				       rda_words_plural(quality->missed));
	else if (1u << bit == RDA_LACK_COARSE || 1u << bit == RDA_LACK_TOO_COARSE)
		g_string_append_printf(to, "time stamps are of %s, and acknowledgments took %s",
				       rda_units_duration(number, quality->stamp_ns),
				       quality->ack_ns ? rda_units_duration(other, quality->ack_ns)
						       : "less");
	else
		g_string_append(to, rda_lack_words(bit));
}

static void append_lacks(GString *to, const struct rda_quality *quality, unsigned topic)
{
	uint32_t connections = quality->topics[topic].connections;
	char number[RDA_UNITS_TEXT], all[RDA_UNITS_TEXT];
	const char *before = " (";

	for (unsigned bit = 0; bit < RDA_LACK_COUNT; bit++) {
		uint32_t count = lacking(quality, topic, bit);

		if (!count)
			continue;
		g_string_append(to, before);
		if (count < connections)
			g_string_append_printf(
				to, "%s of %s connections: ", rda_units_grouped(number, count),
				rda_units_grouped(all, connections));
		append_lack(to, quality, bit);
		before = "; ";
	}
	g_string_append(to, ")");
}

/* "loss and latency (why)": topics of which it tells so much, together where the reasons are. */
static void append_topics(GString *to, const struct rda_quality *quality, uint8_t tells)
{
	bool told[RDA_TOPIC_COUNT] = {false};
	unsigned left = 0, before = 0;

	for (unsigned i = 0; i < RDA_TOPIC_COUNT; i++)
		left += quality->topics[i].tells == tells;
	for (unsigned i = 0; i < RDA_TOPIC_COUNT; i++) {
		if (quality->topics[i].tells != tells || told[i])
			continue;
		for (unsigned k = i; k < RDA_TOPIC_COUNT; k++) {
			if (told[k] || !lacks_the_same(quality, k, i))
				continue;
			told[k] = true;
			left--;
			g_string_append(to, !before ? "" : left ? ", " : " and ");
			g_string_append(to, rda_topic_words(k));
			before++;
		}
		if (tells != RDA_TELLS)
			append_lacks(to, quality, i);
	}
}

static bool any(const struct rda_quality *quality, uint8_t tells)
{
	for (unsigned i = 0; i < RDA_TOPIC_COUNT; i++)
		if (quality->topics[i].tells == tells)
			return true;
	return false;
}

char *rda_report_quality_words(const struct rda_report *report)
{
	const struct rda_quality *quality = rda_result_quality(report->result);
	const char *who = report->origin_count > 1 ? "These captures" : "This capture";
	bool all = any(quality, RDA_TELLS), part = any(quality, RDA_TELLS_IN_PART);
	bool nothing = any(quality, RDA_TELLS_NOTHING);
	GString *words;

	if (report->count_only || (!all && !part && !nothing))
		return NULL;
	words = g_string_new(who);
	g_string_append(words, all || part ? " can tell " : " cannot tell ");
	append_topics(words, quality,
		      all    ? RDA_TELLS
		      : part ? RDA_TELLS_IN_PART
			     : RDA_TELLS_NOTHING);
	if (!all && part)
		g_string_append(words, " in part");
	g_string_append(words, ".");
	if (all && part) {
		g_string_append(words, " In part: ");
		append_topics(words, quality, RDA_TELLS_IN_PART);
		g_string_append(words, ".");
	}
	if ((all || part) && nothing) {
		g_string_append(words, " Not: ");
		append_topics(words, quality, RDA_TELLS_NOTHING);
		g_string_append(words, ".");
	}
	return g_string_free(words, FALSE);
}

void rda_report_quality(struct rda_output *out, const struct rda_report *report)
{
	char *words = rda_report_quality_words(report);

	if (!words)
		return;
	rda_output_wrap(out, words, 0, 0);
	rda_print(out, "\n");
	g_free(words);
}

/* ---- for machines ---------------------------------------------------------------------------- */

static void put_topic(struct rda_record *record, const struct rda_quality *quality, unsigned topic)
{
	const struct rda_topic_quality *from = &quality->topics[topic];

	rda_record_open(record, rda_topic_name(topic));
	rda_record_text(record, "tells", rda_tells_name(from->tells));
	rda_record_number(record, "connections", from->connections);
	rda_record_number(record, "without", from->without);
	rda_record_open(record, "lacking");
	for (unsigned bit = 0; bit < RDA_LACK_COUNT; bit++)
		if (rda_topic_needs(topic) >> bit & 1)
			rda_record_number(record, rda_lack_name(bit), from->lacking[bit]);
	rda_record_close(record);
	rda_record_close(record);
}

void rda_describe_quality(struct rda_record *record, const struct rda_quality *quality)
{
	for (unsigned topic = 0; topic < RDA_TOPIC_COUNT; topic++)
		put_topic(record, quality, topic);
	rda_record_number(record, "dropped", quality->dropped);
	rda_record_number(record, "missed", quality->missed);
	rda_record_number(record, "cut", quality->cut);
	rda_record_signed_known(record, "stamp_ns", quality->stamp_ns > 0, quality->stamp_ns);
	rda_record_signed_known(record, "ack_ns", quality->acks_timed, quality->ack_ns);
}
