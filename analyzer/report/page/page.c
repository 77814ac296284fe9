/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Puts the page together. See page.h.
 */
#include "analyzer/report/page/page.h"

#include "analyzer/report/page/parts.h"
#include "analyzer/report/page/timeline.h"

#include <string.h>

struct rda_page {
	struct rda_report report; /* a copy, which tells less */
	struct rda_timelines *timelines;
	bool *told; /* connections, by id */
};

bool rda_page_has_charts(void)
{
	return rda_page_parts[RDA_PAGE_PART_DYGRAPHS].size > 0;
}

/* ---- which connections ----------------------------------------------------------------------- */

static void tell(bool *told, unsigned *room, int32_t id)
{
	if (id < 0 || told[id] || !*room)
		return;
	told[id] = true;
	--*room;
}

/* First those that the weightiest findings and the slowest messages are about, then by id. */
static bool *choose(const struct rda_result *result)
{
	unsigned count = rda_result_connection_count(result), room = RDA_PAGE_MOST;
	bool *told = g_new0(bool, MAX(count, 1));

	for (unsigned i = 0; i < MIN(rda_result_finding_count(result), RDA_PAGE_MOST); i++)
		tell(told, &room, rda_result_finding(result, i)->connection);
	for (unsigned i = 0; i < rda_result_slow_message_count(result); i++)
		tell(told, &room, (int32_t)rda_result_slow_message(result, i)->connection);
	for (unsigned id = 0; id < count; id++)
		tell(told, &room, (int32_t)id);
	return told;
}

struct rda_page *rda_page_new(const struct rda_report *report)
{
	struct rda_page *page = g_new0(struct rda_page, 1);

	page->report = *report;
	page->told = choose(report->result);
	page->report.most = RDA_PAGE_MOST;
	page->report.connections = page->told;
	page->timelines = rda_timelines_new(report, page->told);
	return page;
}

void rda_page_free(struct rda_page *page)
{
	rda_timelines_free(page->timelines);
	g_free(page->told);
	g_free(page);
}

void rda_page_sight(struct rda_page *page, const struct rda_sight *sight)
{
	rda_timelines_sight(page->timelines, sight);
}

void rda_page_time(struct rda_page *page, const struct rda_time_sight *time)
{
	rda_timelines_time(page->timelines, time);
}

/* ---- its parts ------------------------------------------------------------------------------- */

/* In JSON '<' stands inside of texts only, where its escape means the same. */
static void print_harmless(struct rda_output *out, const GString *json)
{
	const char *from = json->str, *end = json->str + json->len, *found;

	while ((found = memchr(from, '<', (size_t)(end - from))) != NULL) {
		g_string_append_len(out->text, from, found - from);
		g_string_append(out->text, "\\u003c");
		from = found + 1;
		rda_output_more(out);
	}
	g_string_append_len(out->text, from, end - from);
	rda_output_more(out);
}

static void print_report(struct rda_page *page, struct rda_output *out)
{
	struct rda_output json;

	rda_output_init(&json, RDA_OUTPUT_KEEP, false);
	rda_report_json(&json, &page->report);
	print_harmless(out, json.text);
	rda_output_cleanup(&json);
}

static void print_timelines(struct rda_page *page, struct rda_output *out)
{
	struct rda_record record;
	GString *json = g_string_new(NULL);
	char *quality = rda_report_quality_words(&page->report);
	char *verdict = rda_report_verdict_words(&page->report);

	rda_record_init(&record, json);
	rda_record_text(&record, "quality", quality);
	rda_record_text(&record, "verdict", verdict);
	rda_timelines_describe(page->timelines, &record);
	rda_record_end(&record);
	print_harmless(out, json);
	g_string_free(json, TRUE);
	g_free(verdict);
	g_free(quality);
}

static void print_part(struct rda_output *out, enum rda_page_part part)
{
	g_string_append_len(out->text, (const char *)rda_page_parts[part].bytes,
			    (gssize)rda_page_parts[part].size);
}

/* " 'sha256-...'", as a content security policy names what it allows */
static void print_hash(struct rda_output *out, enum rda_page_part part)
{
	GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);
	guint8 digest[32];
	gsize length = sizeof(digest);
	char *text;

	g_checksum_update(sum, rda_page_parts[part].bytes, (gssize)rda_page_parts[part].size);
	g_checksum_get_digest(sum, digest, &length);
	text = g_base64_encode(digest, length);
	rda_print(out, " 'sha256-%s'", text);
	g_free(text);
	g_checksum_free(sum);
}

static void print_policy(struct rda_output *out)
{
	rda_print(out, "default-src 'none'; base-uri 'none'; form-action 'none'; script-src");
	print_hash(out, RDA_PAGE_PART_DYGRAPHS);
	print_hash(out, RDA_PAGE_PART_SCRIPT);
	rda_print(out, "; style-src");
	print_hash(out, RDA_PAGE_PART_DYGRAPHS_STYLE);
	print_hash(out, RDA_PAGE_PART_STYLE);
}

static void print_slot(struct rda_page *page, struct rda_output *out, const char *slot)
{
	if (strcmp(slot, "policy") == 0)
		print_policy(out);
	else if (strcmp(slot, "report") == 0)
		print_report(page, out);
	else if (strcmp(slot, "timelines") == 0)
		print_timelines(page, out);
	else
		for (unsigned part = 0; part < RDA_PAGE_PART_COUNT; part++)
			if (strcmp(slot, rda_page_parts[part].slot) == 0)
				print_part(out, part);
}

/* The skeleton, with what belongs there in place of each {{slot}}. */
void rda_page_print(struct rda_page *page, struct rda_output *out)
{
	char *skeleton = g_strndup((const char *)rda_page_parts[RDA_PAGE_PART_SKELETON].bytes,
				   rda_page_parts[RDA_PAGE_PART_SKELETON].size);
	char **pieces = g_strsplit(skeleton, "{{", -1);

	g_string_append(out->text, pieces[0]);
	for (unsigned i = 1; pieces[i]; i++) {
		char **slot = g_strsplit(pieces[i], "}}", 2);

		print_slot(page, out, slot[0]);
		g_string_append(out->text, slot[1]);
		g_strfreev(slot);
	}
	g_strfreev(pieces);
	g_free(skeleton);
}
