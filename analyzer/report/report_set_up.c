/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The connections that connection management set up, for people: for which service, how long each
 * step took, and what had to be sent again for it.
 */
#include "analyzer/report/report.h"

#include "analyzer/base/words.h"
#include "analyzer/report/columns.h"
#include "analyzer/report/describe.h"
#include "analyzer/report/terminal.h"
#include "analyzer/report/units.h"
#include "analyzer/track/setup/cm_track.h"

#include <inttypes.h>

/* From the first of one message to the first of the next; "?" where one was not captured. */
static const char *wait_text(char text[RDA_UNITS_TEXT], const struct rda_cm_moment *from,
			     const struct rda_cm_moment *to)
{
	if (!from->count || !to->count || to->first_ns < from->first_ns)
		return "?";
	return rda_duration(text, (int64_t)((uint64_t)to->first_ns - (uint64_t)from->first_ns));
}

static uint32_t resends(const struct rda_cm_moment *moment)
{
	return moment->count ? moment->count - 1 : 0;
}

/* One row. Measured when `out` is NULL. */
static void put_row(struct rda_columns *columns, struct rda_output *out,
		    const struct rda_connection_facts *connection, const struct rda_cm_pair *pair)
{
	char id[16], reply[RDA_UNITS_TEXT], ready[RDA_UNITS_TEXT], resent[RDA_UNITS_TEXT] = "";
	char service[RDA_WORDS_NAME];
	uint32_t again = resends(&pair->req) + resends(&pair->rep) + resends(&pair->rtu);
	const char *cells[] = {id, wait_text(reply, &pair->req, &pair->rep),
			       wait_text(ready, &pair->rep, &pair->rtu), resent,
			       rda_words_service(service, pair->service_id)};

	g_snprintf(id, sizeof(id), "%" PRIu32, connection->id);
	if (again)
		rda_compact(resent, again);
	rda_columns_row(columns, out, cells);
}

static unsigned put_rows(struct rda_columns *columns, struct rda_output *out,
			 const struct rda_result *result)
{
	unsigned count = rda_result_connection_count(result), told = 0;

	for (unsigned i = 0; i < count && (!out || rda_output_more(out)); i++) {
		const struct rda_connection_facts *connection = rda_result_connection(result, i);
		const struct rda_cm_pair *pair = rda_connection_cm(result, connection);

		if (!pair)
			continue;
		put_row(columns, out, connection, pair);
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
		.width = RDA_TEXT_WIDTH,
	};

	if (!put_rows(&columns, NULL, report->result))
		return;
	rda_style(out, RDA_STYLE_BOLD);
	rda_print(out, "\nSet up by connection management\n");
	rda_style(out, RDA_STYLE_PLAIN);
	rda_columns_titles(&columns, out);
	put_rows(&columns, out, report->result);
}
