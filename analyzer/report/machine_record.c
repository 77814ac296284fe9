/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is told of a record, made a value and handed to its sink. See machine_record.h.
 */
#include "analyzer/report/machine_record.h"

#include "analyzer/base/words.h"

#include <inttypes.h>
#include <stdio.h>

static void put(struct rda_record *record, const char *name, enum rda_there there,
		struct rda_member value)
{
	value.there = there;
	if (there != RDA_ABSENT || record->sink->columns)
		record->sink->value(record, name, &value);
}

/* ---- objects and lists ----------------------------------------------------------------------- */

static void push(struct rda_record *record, const char *name, bool list)
{
	g_assert(record->depth < RDA_RECORD_DEPTH);
	record->sink->open(record, name, list);
	record->list[record->depth] = list;
	record->prefix[record->depth] = name;
	record->depth++;
}

void rda_record_open(struct rda_record *record, const char *name)
{
	push(record, name, false);
}

bool rda_record_open_if(struct rda_record *record, const char *name, bool known)
{
	const struct rda_record_sink *sink = record->sink;

	if (!known && !sink->columns)
		rda_record_null(record, name);
	if (!known && (!sink->columns || (sink->leaves_out && sink->leaves_out(record, name))))
		return false;
	rda_record_open(record, name);
	return true;
}

void rda_record_open_list(struct rda_record *record, const char *name)
{
	push(record, name, true);
}

void rda_record_close(struct rda_record *record)
{
	record->depth--;
	record->sink->close(record);
}

void rda_record_end(struct rda_record *record)
{
	g_assert(record->depth == 1); /* each rda_record_open has its rda_record_close */
	rda_record_close(record);
}

/* ---- values ---------------------------------------------------------------------------------- */

void rda_record_number_there(struct rda_record *record, const char *name, enum rda_there there,
			     uint64_t value)
{
	put(record, name, there, (struct rda_member){.type = RDA_MEMBER_NUMBER, .number = value});
}

static void put_signed(struct rda_record *record, const char *name, enum rda_there there,
		       int64_t value)
{
	put(record, name, there,
	    (struct rda_member){.type = RDA_MEMBER_SIGNED, .number = (uint64_t)value});
}

void rda_record_flag_there(struct rda_record *record, const char *name, enum rda_there there,
			   bool value)
{
	put(record, name, there, (struct rda_member){.type = RDA_MEMBER_FLAG, .number = value});
}

static void put_text(struct rda_record *record, const char *name, enum rda_there there,
		     const char *value)
{
	put(record, name, there, (struct rda_member){.type = RDA_MEMBER_TEXT, .text = value});
}

void rda_record_hex_there(struct rda_record *record, const char *name, enum rda_there there,
			  uint64_t value, int digits)
{
	char text[24] = "";

	if (there == RDA_THERE)
		snprintf(text, sizeof(text), "0x%0*" PRIx64, digits, value);
	put_text(record, name, there, text);
}

void rda_record_number(struct rda_record *record, const char *name, uint64_t value)
{
	rda_record_number_there(record, name, RDA_THERE, value);
}

void rda_record_number_known(struct rda_record *record, const char *name, bool known,
			     uint64_t value)
{
	rda_record_number_there(record, name, known ? RDA_THERE : RDA_NULL, value);
}

void rda_record_signed(struct rda_record *record, const char *name, int64_t value)
{
	put_signed(record, name, RDA_THERE, value);
}

void rda_record_signed_known(struct rda_record *record, const char *name, bool known, int64_t value)
{
	put_signed(record, name, known ? RDA_THERE : RDA_NULL, value);
}

void rda_record_decimal(struct rda_record *record, const char *name, const char *digits)
{
	put(record, name, RDA_THERE,
	    (struct rda_member){.type = RDA_MEMBER_DECIMAL, .text = digits});
}

void rda_record_flag(struct rda_record *record, const char *name, bool value)
{
	rda_record_flag_there(record, name, RDA_THERE, value);
}

/* File names are bytes; JSON and CSV are UTF-8. */
void rda_record_text(struct rda_record *record, const char *name, const char *value)
{
	char *valid =
		value && !g_utf8_validate(value, -1, NULL) ? g_utf8_make_valid(value, -1) : NULL;

	put_text(record, name, value ? RDA_THERE : RDA_NULL, valid ? valid : value);
	g_free(valid);
}

void rda_record_hex(struct rda_record *record, const char *name, uint64_t value, int digits)
{
	rda_record_hex_there(record, name, RDA_THERE, value, digits);
}

void rda_record_words(struct rda_record *record, const char *name, const char *const *words,
		      unsigned count)
{
	GString *joined;

	if (!record->sink->columns) {
		rda_record_open_list(record, name);
		for (unsigned i = 0; i < count; i++)
			rda_record_text(record, NULL, words[i]);
		rda_record_close(record);
		return;
	}
	joined = g_string_new(NULL);
	for (unsigned i = 0; i < count; i++)
		g_string_append_printf(joined, "%s%s", i ? "; " : "", words[i]);
	rda_record_text(record, name, joined->str);
	g_string_free(joined, TRUE);
}

void rda_record_null(struct rda_record *record, const char *name)
{
	put_text(record, name, RDA_NULL, NULL);
}

void rda_record_absent(struct rda_record *record, const char *name)
{
	put_text(record, name, RDA_ABSENT, NULL);
}

void rda_record_address(struct rda_record *record, const char *name,
			const struct rda_address *address)
{
	char text[RDA_ADDRESS_TEXT];

	rda_record_text(record, name,
			address->kind == RDA_ADDRESS_NONE ? NULL : rda_address_text(text, address));
}

void rda_record_time_named(struct rda_record *record, const char *name_ns, const char *name,
			   bool known, int64_t ns)
{
	char text[RDA_WORDS_MOMENT];

	rda_record_signed_known(record, name_ns, known, ns);
	put_text(record, name, known ? RDA_THERE : RDA_NULL,
		 known ? rda_words_moment(text, ns) : NULL);
}

bool rda_record_has(struct rda_record *record, const char *name, enum rda_there there)
{
	if (there != RDA_THERE)
		put_text(record, name, there, NULL);
	return there == RDA_THERE;
}
