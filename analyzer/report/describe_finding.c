/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Findings as records.
 */
#include "analyzer/report/describe.h"

#include "analyzer/base/words.h"
#include "analyzer/base/address.h"

/* {"file": 0, "frame": 12}; the file's index */
static void put_frame(struct rda_record *record, const char *name, uint64_t place)
{
	rda_record_open(record, name);
	rda_record_number(record, "file", rda_place_capture(place));
	rda_record_number(record, "frame", rda_place_number(place));
	rda_record_close(record);
}

/* 0 of the record of which nothing is known, by which names are learnt. */
static uint64_t place_of(const struct rda_finding *finding, unsigned index)
{
	return finding->place_count ? finding->places[index] : 0;
}

/* The frame numbers and, when there is more than one file, the index of the file of each. */
static void put_frames(struct rda_record *record, const struct rda_finding *finding, bool files)
{
	rda_record_open_list(record, "frames");
	for (unsigned i = 0;
	     record->sink->rows && i < rda_record_count(record, finding->place_count); i++)
		put_frame(record, NULL, place_of(finding, i));
	if (record->sink->rows) { /* a row each: the file is beside its frame */
		rda_record_close(record);
		return;
	}
	for (unsigned i = 0; i < rda_record_count(record, finding->place_count); i++)
		rda_record_number(record, NULL, rda_place_number(place_of(finding, i)));
	rda_record_close(record);
	if (!files)
		return;
	rda_record_open_list(record, "file");
	for (unsigned i = 0; i < rda_record_count(record, finding->place_count); i++)
		rda_record_number(record, NULL, rda_place_capture(place_of(finding, i)));
	rda_record_close(record);
}

static void put_mac(struct rda_record *record, const char *name, uint64_t mac)
{
	char text[RDA_MAC_TEXT];
	uint8_t bytes[6];

	for (unsigned i = 0; i < 6; i++)
		bytes[i] = (uint8_t)(mac >> (40 - 8 * i));
	rda_record_text(record, name, rda_address_mac_text(text, bytes));
}

static void put_bytes(struct rda_record *record, const char *name, const uint8_t *bytes,
		      unsigned count)
{
	GString *text = g_string_new(NULL);

	for (unsigned i = 0; i < count; i++)
		g_string_append_printf(text, "%02x", bytes[i]);
	rda_record_text(record, name, text->str);
	g_string_free(text, TRUE);
}

static void put_argument(struct rda_record *record, const struct rda_said *said,
			 const struct rda_argument *a)
{
	char text[RDA_ADDRESS_TEXT], digits[RDA_WORDS_TEXT], moment[RDA_WORDS_MOMENT];

	switch ((enum rda_argument_type)a->type) {
	case RDA_ARGUMENT_NUMBER:
	case RDA_ARGUMENT_RATE: rda_record_number(record, a->name, a->number); break;
	case RDA_ARGUMENT_SIGNED:
	case RDA_ARGUMENT_TIME: rda_record_signed(record, a->name, a->integer); break;
	case RDA_ARGUMENT_MOMENT:
		rda_record_text(record, a->name, rda_words_moment(moment, a->integer));
		break;
	case RDA_ARGUMENT_DECIMAL:
		rda_record_decimal(record, a->name,
				   rda_words_decimal(digits, a->integer, a->digits));
		break;
	case RDA_ARGUMENT_HEX: rda_record_hex(record, a->name, a->number, a->digits); break;
	case RDA_ARGUMENT_FRAME: put_frame(record, a->name, a->place); break;
	case RDA_ARGUMENT_MAC: put_mac(record, a->name, a->number); break;
	case RDA_ARGUMENT_ADDRESS:
		rda_record_text(record, a->name, rda_address_text(text, rda_said_address(said, a)));
		break;
	case RDA_ARGUMENT_PHRASE:
		rda_record_text(record, a->name, rda_phrase_name(a->number));
		break;
	case RDA_ARGUMENT_WORD:
	case RDA_ARGUMENT_TEXT: rda_record_text(record, a->name, rda_said_text(said, a)); break;
	case RDA_ARGUMENT_BYTES:
		put_bytes(record, a->name, rda_said_bytes(said, a), a->digits);
		break;
	case RDA_ARGUMENT_FLAG: rda_record_flag(record, a->name, a->number); break;
	case RDA_ARGUMENT_NONE:
	case RDA_ARGUMENT_END: break;
	}
}

static void put_said(struct rda_record *record, const struct rda_finding *finding)
{
	char *text = rda_finding_text(finding);

	rda_record_text(record, "text", text);
	g_free(text);
	rda_record_open(record, "arguments");
	for (unsigned i = 0; finding->said && i < finding->said->count; i++)
		put_argument(record, finding->said, &finding->said->arguments[i]);
	rda_record_close(record);
}

static void put_cause(struct rda_record *record, const struct rda_finding *finding)
{
	if (!rda_record_open_if(record, "explained_by", finding->explained_by >= 0))
		return;
	rda_record_text(record, "code",
			finding->explained_by >= 0 ? rda_check_row(finding->cause_check)->code
						   : NULL);
	rda_record_signed_known(record, "finding", finding->explained_by >= 0,
				finding->explained_by);
	rda_record_close(record);
}

void rda_describe_finding(struct rda_record *record, const struct rda_result *result,
			  const struct rda_finding *finding)
{
	const struct rda_check_row *row = rda_check_row(finding->key.check);
	const char *own = rda_finding_advice(finding);

	rda_record_text(record, "code", row->code);
	rda_record_text(record, "check", row->name);
	rda_record_text(record, "severity", rda_severity_name(finding->severity));
	rda_record_text(record, "proof", rda_proof_name(finding->proof));
	rda_record_signed_known(record, "connection", finding->connection >= 0,
				finding->connection);
	rda_record_signed_known(record, "flow", finding->flow >= 0, finding->flow);
	rda_record_number(record, "count", finding->count);
	put_frames(record, finding, !result || !rda_result_is_one_series(result));
	put_said(record, finding);
	rda_record_text(record, "advice", own ? own : row->advice);
	rda_record_text(record, "reference", row->reference);
	rda_record_signed_known(record, "cost_ns", finding->cost_ns > 0, finding->cost_ns);
	put_cause(record, finding);
}
