/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory keys for people: whose they are, where they were used, for what, and how it ended.
 */
#include "analyzer/report/report.h"

#include "analyzer/report/address.h"
#include "analyzer/report/columns.h"
#include "analyzer/report/terminal.h"
#include "analyzer/report/units.h"
#include "analyzer/base/words.h"

#include <inttypes.h>

/* Connections that are named of a key that many use. */
enum { NAMED = 4 };

static void append(GString *to, const char *before, uint64_t count, const char *after)
{
	char number[RDA_UNITS_TEXT];

	if (count)
		g_string_append_printf(to, "%s%s%s%s", to->len ? ", " : "", before,
				       rda_grouped(number, count), after);
}

/* The connections that used it, but the first; two QPs may be of one. */
static void append_others(GString *to, const struct rda_result *result,
			  const struct rda_key_facts *key)
{
	uint32_t i, named = 0;

	for (i = 1; i < key->user_count && named < NAMED; i++) {
		uint32_t id = rda_result_key_connection(result, key, i);

		if (id == rda_result_key_connection(result, key, i - 1))
			continue;
		g_string_append_printf(to, "%s%" PRIu32, named ? ", " : ", also by #", id);
		named++;
	}
	if (i < key->user_count || key->more_users)
		g_string_append(to, ", ...");
}

/* "until 80", or where there are several files "until 2:80": the frame that invalidated it */
static void append_end(GString *to, const struct rda_report *report,
		       const struct rda_key_facts *key)
{
	uint64_t place = key->invalidated_place;

	if (!place)
		return;
	g_string_append(to, to->len ? ", until " : "until ");
	if (rda_result_capture_count(report->result) > 1)
		g_string_append_printf(to, "%" PRIu32 ":", rda_place_capture(place) + 1);
	g_string_append_printf(to, "%" PRIu64, rda_place_number(place));
}

/* "60 WRITE, 2 READ, 1 refused, until 80" */
static void append_use(GString *to, const struct rda_report *report,
		       const struct rda_key_facts *key)
{
	for (unsigned use = 0; use < RDA_KEY_USE_COUNT; use++) {
		char words[16];

		g_snprintf(words, sizeof(words), " %s", rda_key_use_words(use));
		append(to, "", key->asked[use], words);
	}
	append_others(to, report->result, key);
	append(to, "", key->refused, " refused");
	append_end(to, report, key);
	append(to, "used ", key->used_after_invalidate, " times after that");
	if (!to->len)
		g_string_append(to, "only named");
}

/* One row. Measured when `out` is NULL. */
static void put_row(struct rda_columns *columns, struct rda_output *out,
		    const struct rda_report *report, unsigned index)
{
	const struct rda_key_facts *key = rda_result_key(report->result, index);
	char id[16] = "", name[16], responder[RDA_ADDRESS_TEXT], bytes[RDA_UNITS_TEXT];
	char from[24] = "", length[RDA_UNITS_TEXT] = "";
	GString *use = g_string_new(NULL);
	const char *cells[] = {id, name, responder, bytes, from, length, ""};

	if (key->user_count)
		g_snprintf(id, sizeof(id), "%" PRIu32,
			   rda_result_key_connection(report->result, key, 0));
	g_snprintf(name, sizeof(name), "0x%08" PRIx32, key->id.key);
	rda_address_text(responder,
			 &rda_result_host_of_index(report->result, key->id.responder)->address);
	rda_compact(bytes, key->bytes);
	if (key->has_range) {
		g_snprintf(from, sizeof(from), "0x%016" PRIx64, key->low);
		rda_compact(length, key->last - key->low + (key->last - key->low < UINT64_MAX));
	}
	append_use(use, report, key);
	cells[6] = use->str;
	rda_columns_row(columns, out, cells);
	g_string_free(use, TRUE);
}

/* Longer addresses have a line of their own: what follows them needs the room. */
#define ADDRESS_LIMIT 15 /* "255.255.255.255" */

void rda_report_keys(struct rda_output *out, const struct rda_report *report)
{
	struct rda_columns columns = {
		.column = {{"#", true, 0, 0},
			   {"Key", false, 0, 0},
			   {"Responder", false, ADDRESS_LIMIT, 0},
			   {"Bytes", true, 0, 0},
			   {"Address", false, 0, 0},
			   {"Length", true, 0, 0},
			   {"Used for", false, 0, 0}},
		.count = 7,
		.width = RDA_TEXT_WIDTH,
	};
	unsigned count = rda_result_key_count(report->result);
	char number[RDA_UNITS_TEXT];

	rda_style(out, RDA_STYLE_BOLD);
	rda_print(out, "%s memory key%s", rda_grouped(number, count), rda_words_plural(count));
	rda_style(out, RDA_STYLE_PLAIN);
	rda_print(out, ", by connection\n");
	for (unsigned i = 0; i < count; i++)
		put_row(&columns, NULL, report, i);
	rda_columns_titles(&columns, out);
	for (unsigned i = 0; i < count && rda_output_more(out); i++)
		put_row(&columns, out, report, i);
}
