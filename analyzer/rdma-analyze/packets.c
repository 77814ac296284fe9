/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --packets: prints the sights of a run (sights.h), in each of the formats.
 */
#include "analyzer/rdma-analyze/packets.h"

#include "analyzer/engine/fpdus.h"
#include "analyzer/rdma-analyze/sights.h"
#include "analyzer/report/headers_walk.h"
#include "analyzer/report/packet_lines.h"

#include <string.h>

struct rda_packet_lines {
	struct rda_output *out;
	struct rda_run *run;
	struct rda_choice choice;
	bool begun; /* a record was printed */
};

static void print_csv_line(struct rda_packet_lines *p, const struct rda_sight *sight, bool names)
{
	struct rda_record record;

	rda_record_init_csv(&record, p->out->text, names);
	if (sight->fpdu)
		rda_describe_fpdu(&record, sight);
	else
		rda_describe_packet(&record, sight);
	rda_record_end(&record);
}

/* An FPDU has no frame of its own: its headers, as they are in the stream, stand for one. */
static void stand_in(const struct rda_fpdu_told *told, struct rda_frame *frame,
		     struct rda_packet *packet)
{
	*frame = (struct rda_frame){told->head, sizeof(told->head), sizeof(told->head), 0};
	memset(packet, 0, sizeof(*packet));
	packet->layer_count = (uint8_t)rda_fpdu_layers(told, packet->layers);
}

static void print_json(struct rda_packet_lines *p, const struct rda_sight *sight)
{
	struct rda_frame head;
	struct rda_packet headers;

	struct rda_record record;

	rda_record_init(&record, p->out->text);
	if (sight->fpdu)
		rda_describe_fpdu(&record, sight);
	else
		rda_describe_packet(&record, sight);
	if (p->run->options->headers && sight->fpdu) {
		stand_in(sight->fpdu, &head, &headers);
		rda_describe_headers(&record, &head, &headers);
	} else if (p->run->options->headers) {
		rda_describe_headers(&record, sight->frame, sight->packet);
	}
	rda_record_end(&record);
}

static bool is_chosen(const struct rda_packet_lines *p, const struct rda_sight *sight)
{
	const struct rda_address *source =
		sight->fpdu ? &sight->fpdu->flow->key.source : &sight->packet->source;
	const struct rda_address *destination =
		sight->fpdu ? &sight->fpdu->flow->key.destination : &sight->packet->destination;

	return rda_choice_has_packet(&p->choice, sight->verdict.connection, source, destination,
				     sight->notes, sight->note_count);
}

static void print_text(struct rda_packet_lines *p, const struct rda_sight *sight)
{
	struct rda_frame head;
	struct rda_packet headers;

	if (sight->fpdu)
		rda_print_fpdu_line(p->out, sight);
	else
		rda_print_packet_line(p->out, sight);
	if (p->run->options->headers && sight->fpdu) {
		stand_in(sight->fpdu, &head, &headers);
		rda_print_headers(p->out, &head, &headers);
	} else if (p->run->options->headers) {
		rda_print_headers(p->out, sight->frame, sight->packet);
	}
}

static void print(struct rda_packet_lines *p, const struct rda_sight *sight)
{
	if (!is_chosen(p, sight))
		return;
	switch (p->run->options->format) {
	case RDA_FORMAT_TEXT: print_text(p, sight); break;
	case RDA_FORMAT_NDJSON:
		print_json(p, sight);
		rda_print(p->out, "\n");
		break;
	case RDA_FORMAT_JSON:
		rda_print(p->out, "%s\n    ", p->begun ? "," : "");
		print_json(p, sight);
		break;
	case RDA_FORMAT_CSV: print_csv_line(p, sight, false); break;
	}
	p->begun = true;
}

/*
 * Pause frames are no RDMA, and have no place among the records for machines, but where a finding
 * is about them; they explain a lot to whoever reads the lines, and are there when all headers are
 * asked for.
 */
static bool is_shown(const struct rda_options *options, const struct rda_sight *sight)
{
	if (sight->fpdu || sight->packet->carrier != RDA_CARRIER_NONE || sight->note_count)
		return true;
	return options->format == RDA_FORMAT_TEXT || options->headers;
}

bool rda_packet_lines_take(struct rda_packet_lines *lines, const struct rda_sight *sight)
{
	if (!is_shown(lines->run->options, sight))
		return true;
	print(lines, sight);
	return rda_output_more(lines->out);
}

static bool take(void *context, const struct rda_sight *sight)
{
	return rda_packet_lines_take(context, sight);
}

static void print_csv_names(struct rda_packet_lines *p)
{
	struct rda_meta meta = {0};
	struct rda_frame frame = {0};
	struct rda_packet packet = {0};
	struct rda_sight sight = {.meta = &meta, .frame = &frame, .packet = &packet};

	print_csv_line(p, &sight, true);
}

struct rda_packet_lines *rda_packet_lines_new(struct rda_output *out, struct rda_run *run)
{
	struct rda_packet_lines *lines = g_new0(struct rda_packet_lines, 1);

	lines->out = out;
	lines->run = run;
	lines->choice = rda_options_choice(run->options);
	if (run->options->format == RDA_FORMAT_CSV)
		print_csv_names(lines);
	if (run->options->format == RDA_FORMAT_JSON)
		rda_print(out, "{\n  \"schema\": \"" RDA_SCHEMA "\",\n  \"packets\": [");
	return lines;
}

void rda_packet_lines_flush(struct rda_packet_lines *lines)
{
	rda_output_flush(lines->out);
}

void rda_packet_lines_free(struct rda_packet_lines *lines)
{
	if (lines->run->options->format == RDA_FORMAT_JSON)
		rda_print(lines->out, "%s]\n}\n", lines->begun ? "\n  " : "");
	g_free(lines);
}

void rda_print_packets(struct rda_output *out, struct rda_run *run)
{
	struct rda_packet_lines *lines = rda_packet_lines_new(out, run);

	rda_sights_take(run, take, NULL, lines);
	rda_packet_lines_free(lines);
}
