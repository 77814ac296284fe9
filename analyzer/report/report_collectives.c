/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collectives: a line of each in the text, and records.
 */
#include "analyzer/report/report.h"

#include "analyzer/report/describe.h"
#include "analyzer/report/units.h"

#include <inttypes.h>

/* Of more hosts the others are counted. */
enum { HOSTS_NAMED = 8 };

static void append_hosts(GString *to, const struct rda_collective *collective)
{
	const char *between = collective->shape == RDA_SHAPE_RING ? " > " : ", ";
	char text[RDA_ADDRESS_TEXT];

	for (uint32_t i = 0; i < collective->rank_count && i < HOSTS_NAMED; i++)
		g_string_append_printf(to, "%s%s", i ? between : "",
				       rda_address_text(text, &collective->ranks[i].address));
	if (collective->rank_count > HOSTS_NAMED)
		g_string_append_printf(to, "%s%" PRIu32 " more", between,
				       collective->rank_count - HOSTS_NAMED);
}

static void append_late(GString *to, const struct rda_collective *collective)
{
	char text[RDA_ADDRESS_TEXT], time[RDA_UNITS_TEXT];

	if (!collective->in_step)
		g_string_append(to, "; who is late cannot be told");
	else if (collective->late >= 0)
		g_string_append_printf(
			to, "; %s is late (T14), by %s",
			rda_address_text(text, &collective->ranks[collective->late].address),
			rda_units_duration(time, collective->ranks[collective->late].after_ns));
}

void rda_report_collectives(struct rda_output *out, const struct rda_report *report)
{
	unsigned count = rda_result_collective_count(report->result);
	GString *line;

	if (!count)
		return;
	line = g_string_new(NULL);
	rda_print(out, "\n");
	rda_print_in(out, RDA_STYLE_BOLD, "Collectives, as who sends to whom tells\n");
	for (unsigned i = 0; i < count; i++) {
		const struct rda_collective *collective = rda_result_collective(report->result, i);

		g_string_printf(line, "%s of %" PRIu32 " hosts, %" PRIu32 " step%s: ",
				rda_shape_words(collective->shape), collective->rank_count,
				collective->steps, collective->steps == 1 ? "" : "s");
		append_hosts(line, collective);
		append_late(line, collective);
		rda_print(out, " ");
		rda_output_wrap(out, line->str, 1, 3);
	}
	g_string_free(line, TRUE);
}

/* ---- for machines ---------------------------------------------------------------------------- */

static void put_rank(struct rda_record *record, const struct rda_rank *rank)
{
	rda_record_open(record, NULL);
	rda_record_address(record, "address", &rank->address);
	rda_record_number(record, "starts", rank->starts);
	rda_record_signed_known(record, "after_ns", rank->starts > 0, rank->after_ns);
	rda_record_signed_known(record, "most_ns", rank->starts > 0, rank->most_ns);
	rda_record_close(record);
}

void rda_describe_collective(struct rda_record *record, const struct rda_collective *collective)
{
	static const struct rda_rank nobody;
	bool late = collective->late >= 0;

	rda_record_text(record, "shape", rda_shape_name(collective->shape));
	rda_record_number(record, "hosts", collective->rank_count);
	rda_record_number(record, "steps", collective->steps);
	rda_record_flag(record, "in_step", collective->in_step);
	rda_record_address(record, "late",
			   late ? &collective->ranks[collective->late].address : &nobody.address);
	rda_record_number_known(record, "late_starts", late, collective->late_starts);
	rda_record_signed_known(record, "others_ns", late, collective->others_ns);
	rda_record_open_list(record, "ranks");
	for (uint32_t i = 0; i < rda_record_count(record, collective->rank_count); i++)
		put_rank(record, collective->rank_count ? &collective->ranks[i] : &nobody);
	rda_record_close(record);
}
