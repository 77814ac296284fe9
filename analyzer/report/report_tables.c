/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables for people beside that of connections: what connection management set up, memory keys,
 * the slowest messages.
 */
#include "analyzer/report/report.h"

#include "analyzer/base/words.h"
#include "analyzer/report/columns.h"
#include "analyzer/report/describe.h"
#include "analyzer/report/output.h"
#include "analyzer/report/units.h"
#include "analyzer/track/setup/cm_track.h"

#include <inttypes.h>

/* ---- set up by connection management --------------------------------------------------------- */

/*
 * For which service connection management set connections up, how long each step took, and what had
 * to be sent again for it.
 */

/* From the first of one message to the first of the next; "?" where one was not captured. */
static const char *wait_text(char text[RDA_UNITS_TEXT], const struct rda_cm_moment *from,
			     const struct rda_cm_moment *to)
{
	if (!from->count || !to->count || to->first_ns < from->first_ns)
		return "?";
	return rda_units_duration(text,
				  (int64_t)((uint64_t)to->first_ns - (uint64_t)from->first_ns));
}

static uint32_t resends(const struct rda_cm_moment *moment)
{
	return moment->count ? moment->count - 1 : 0;
}

/* One row. Measured when `out` is NULL. */
static void put_set_up(struct rda_columns *columns, struct rda_output *out,
		       const struct rda_connection_facts *connection,
		       const struct rda_cm_pair *pair)
{
	char id[16], reply[RDA_UNITS_TEXT], ready[RDA_UNITS_TEXT], resent[RDA_UNITS_TEXT] = "";
	char service[RDA_WORDS_NAME];
	uint32_t again = resends(&pair->req) + resends(&pair->rep) + resends(&pair->rtu);
	const char *cells[] = {id, wait_text(reply, &pair->req, &pair->rep),
			       wait_text(ready, &pair->rep, &pair->rtu), resent,
			       rda_words_service(service, pair->service_id)};

	g_snprintf(id, sizeof(id), "%" PRIu32, connection->id);
	if (again)
		rda_units_compact(resent, again);
	rda_columns_row(columns, out, cells);
}

static unsigned put_set_ups(struct rda_columns *columns, struct rda_output *out,
			    const struct rda_result *result)
{
	unsigned count = rda_result_connection_count(result), told = 0;

	for (unsigned i = 0; i < count && (!out || rda_output_more(out)); i++) {
		const struct rda_connection_facts *connection = rda_result_connection(result, i);
		const struct rda_cm_pair *pair = rda_describe_find_cm(result, connection);

		if (!pair)
			continue;
		put_set_up(columns, out, connection, pair);
		told++;
	}
	return told;
}

void rda_report_set_up(struct rda_output *out, const struct rda_report *report)
{
	struct rda_columns columns = {
		.column = {{"#", true, 0, 0},
			   {"REQ to REP", true, 0, 0},
			   {"REP to RTU", true, 0, 0},
			   {"Resent", true, 0, 0},
			   {"Service", false, 0, 0}},
		.count = 5,
		.width = out->width,
	};

	if (!put_set_ups(&columns, NULL, report->result))
		return;
	rda_print_in(out, RDA_STYLE_BOLD, "\nSet up by connection management\n");
	rda_columns_titles(&columns, out);
	put_set_ups(&columns, out, report->result);
}

/* ---- memory keys ----------------------------------------------------------------------------- */

/*
 * The memory keys for people: whose they are, where they were used, for what, and how it ended.
 */

/* Connections that are named of a key that many use. */
enum { NAMED = 4 };

static void append_count(GString *to, const char *before, uint64_t count, const char *after)
{
	char number[RDA_UNITS_TEXT];

	if (count)
		g_string_append_printf(to, "%s%s%s%s", to->len ? ", " : "", before,
				       rda_units_grouped(number, count), after);
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
static void append_until(GString *to, const struct rda_report *report,
			 const struct rda_key_facts *key)
{
	uint64_t place = rda_key_troubles(key)->invalidated_place;

	if (!place)
		return;
	g_string_append(to, to->len ? ", until " : "until ");
	rda_report_append_place(to, report, place);
}

/* "60 WRITE, 2 READ, 1 refused, until 80" */
static void append_use(GString *to, const struct rda_report *report,
		       const struct rda_key_facts *key)
{
	const struct rda_key_troubles *troubles = rda_key_troubles(key);

	for (unsigned use = 0; use < RDA_KEY_USE_COUNT; use++) {
		char words[16];

		g_snprintf(words, sizeof(words), " %s", rda_key_use_words(use));
		append_count(to, "", key->asked[use], words);
	}
	append_others(to, report->result, key);
	append_count(to, "", troubles->refused, " refused");
	append_until(to, report, key);
	append_count(to, "used ", troubles->used_after_invalidate, " times after that");
	if (!to->len)
		g_string_append(to, "only named");
}

/* One row. Measured when `out` is NULL. */
static void put_key(struct rda_columns *columns, struct rda_output *out,
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
	rda_units_compact(bytes, key->bytes);
	if (key->has_range) {
		g_snprintf(from, sizeof(from), "0x%016" PRIx64, key->low);
		rda_units_compact(length,
				  key->last - key->low + (key->last - key->low < UINT64_MAX));
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
		.width = out->width,
	};
	unsigned count = rda_result_key_count(report->result);
	char number[RDA_UNITS_TEXT];

	rda_print_in(out, RDA_STYLE_BOLD, "%s memory key%s", rda_units_grouped(number, count),
		     rda_words_plural(count));
	rda_print(out, ", by connection\n");
	for (unsigned i = 0; i < count; i++)
		put_key(&columns, NULL, report, i);
	rda_columns_titles(&columns, out);
	for (unsigned i = 0; i < count && rda_output_more(out); i++)
		put_key(&columns, out, report, i);
}

/* ---- slowest messages ------------------------------------------------------------------------ */

/*
 * The slowest messages for people: which, how long they took, and where to look at them.
 */

/* Messages that are told; JSON has a few more. */
enum { TOLD = 3 };

/* One row. Measured when `out` is NULL. */
static void put_slow(struct rda_columns *columns, struct rda_output *out,
		     const struct rda_report *report, unsigned index)
{
	const struct rda_slow_facts *slow = rda_result_slow_message(report->result, index);
	const struct rda_exchange *exchange = &slow->exchange;
	char id[16], bytes[RDA_UNITS_TEXT], took[RDA_UNITS_TEXT], resent[RDA_UNITS_TEXT] = "";
	char *kind = g_ascii_strup(rda_message_name(exchange->kind), -1);
	GString *frames = g_string_new(NULL);
	const char *cells[] = {id, kind, bytes, took, resent, ""};

	g_snprintf(id, sizeof(id), "%" PRIu32, slow->connection);
	g_strdelimit(kind, "_", ' ');
	rda_units_compact(bytes, exchange->bytes);
	rda_units_duration(took, exchange->latency_ns);
	if (exchange->resent)
		rda_units_compact(resent, exchange->resent);
	rda_report_append_place(frames, report, exchange->first_frame);
	g_string_append(frames, " to ");
	rda_report_append_place(frames, report, exchange->last_frame);
	cells[5] = frames->str;
	rda_columns_row(columns, out, cells);
	g_string_free(frames, TRUE);
	g_free(kind);
}

void rda_report_slowest(struct rda_output *out, const struct rda_report *report)
{
	struct rda_columns columns = {
		.column = {{"#", true, 0, 0},
			   {"Message", false, 0, 0},
			   {"Bytes", true, 0, 0},
			   {"Took", true, 0, 0},
			   {"Resent", true, 0, 0},
			   {"Frames", false, 0, 0}},
		.count = 6,
		.width = out->width,
	};

	/* of fewer all are in the table of connections */
	if (rda_result_slow_message_count(report->result) < RDA_SLOWEST_KEPT)
		return;
	rda_print_in(out, RDA_STYLE_BOLD, "\nSlowest messages");
	rda_print(out, ", from the first packet to the completion\n");
	for (unsigned i = 0; i < TOLD; i++)
		put_slow(&columns, NULL, report, i);
	rda_columns_titles(&columns, out);
	for (unsigned i = 0; i < TOLD; i++)
		put_slow(&columns, out, report, i);
}
