/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A record written as JSON while it is told. json-c would build a tree of it first, which takes
 * three times as long (100,000 connections: 350 MB); of a tree to look things up in it makes
 * record_tree.c.
 */
#include "analyzer/report/machine_record.h"

#include <string.h>

enum { NUMBER_ROOM = 20 }; /* digits of 2^64 - 1 */

/* Where at least `more` bytes can be written; what was is added to text->len. */
static char *room(GString *text, size_t more)
{
	size_t length = text->len;

	if (length + more >= text->allocated_len) {
		g_string_set_size(text, length + more);
		text->len = length;
	}
	return text->str + length;
}

static void end(GString *text, char *to)
{
	*to = '\0';
	text->len = (size_t)(to - text->str);
}

/* A comma unless it is the first, and the name, a word of the program's own; room for a number. */
static char *begin(GString *text, const char *name)
{
	size_t length = name ? strlen(name) : 0;
	char *to = room(text, length + NUMBER_ROOM + 8), last = to[-1];

	if (last != '{' && last != '[')
		*to++ = ',';
	if (!name)
		return to;
	*to++ = '"';
	memcpy(to, name, length);
	to += length;
	*to++ = '"';
	*to++ = ':';
	return to;
}

static char *put_number(char *to, uint64_t number)
{
	char digits[NUMBER_ROOM];
	size_t count = 0;

	do
		digits[sizeof(digits) - ++count] = (char)('0' + number % 10);
	while (number /= 10);
	memcpy(to, digits + sizeof(digits) - count, count);
	return to + count;
}

static char *put_signed(char *to, uint64_t bits)
{
	bool negative = (int64_t)bits < 0;

	if (negative)
		*to++ = '-';
	return put_number(to, negative ? -bits : bits);
}

static char *put_word(char *to, const char *word)
{
	return stpcpy(to, word);
}

static void append_escaped(GString *text, unsigned char c)
{
	static const char letters[] = "\"\"\\\\\bb\ff\nn\rr\tt";
	const char *letter = letters;

	while (*letter && *letter != (char)c)
		letter += 2;
	if (*letter) {
		g_string_append_c(text, '\\');
		g_string_append_c(text, letter[1]);
	} else {
		g_string_append_printf(text, "\\u%04x", c);
	}
}

/*
 * Up to where text is ASCII again: what no terminal should get is escaped, though JSON would allow
 * it (DEL, C1, and what turns the direction of writing).
 */
static const char *append_wide(GString *text, const char *from)
{
	for (; (unsigned char)*from >= 0x7f; from = g_utf8_next_char(from)) {
		gunichar c = g_utf8_get_char(from);

		if (g_unichar_isprint(c))
			g_string_append_unichar(text, c);
		else if (c < 0x10000)
			g_string_append_printf(text, "\\u%04x", c);
		else /* a pair of surrogates */
			g_string_append_printf(text, "\\u%04x\\u%04x", 0xd7c0 + (c >> 10),
					       0xdc00 + (c & 0x3ff));
	}
	return from;
}

/* RFC 8259, section 7 */
static void append_text(GString *text, const char *value)
{
	g_string_append_c(text, '"');
	while (*value) {
		size_t plain = 0;

		while (value[plain] >= ' ' && value[plain] < 0x7f && value[plain] != '"' &&
		       value[plain] != '\\')
			plain++;
		g_string_append_len(text, value, (gssize)plain);
		value += plain;
		if ((unsigned char)*value >= 0x7f)
			value = append_wide(text, value);
		else if (*value)
			append_escaped(text, (unsigned char)*value++);
	}
	g_string_append_c(text, '"');
}

static void open_json(struct rda_record *record, const char *name, bool list)
{
	char *to = begin(record->text, name);

	*to++ = list ? '[' : '{';
	end(record->text, to);
}

static void close_json(struct rda_record *record)
{
	g_string_append_c(record->text, record->list[record->depth] ? ']' : '}');
}

static void value_json(struct rda_record *record, const char *name, const struct rda_member *value)
{
	char *to = begin(record->text, name);

	if (value->there != RDA_THERE) {
		end(record->text, put_word(to, "null"));
		return;
	}
	switch (value->type) {
	case RDA_MEMBER_NUMBER: to = put_number(to, value->number); break;
	case RDA_MEMBER_SIGNED: to = put_signed(to, value->number); break;
	case RDA_MEMBER_FLAG: to = put_word(to, value->number ? "true" : "false"); break;
	case RDA_MEMBER_DECIMAL:
	case RDA_MEMBER_TEXT: break;
	}
	end(record->text, to);
	if (value->type == RDA_MEMBER_DECIMAL)
		g_string_append(record->text, value->text);
	else if (value->type == RDA_MEMBER_TEXT)
		append_text(record->text, value->text);
}

void rda_record_init(struct rda_record *record, GString *text)
{
	static const struct rda_record_sink sink = {
		.open = open_json, .close = close_json, .value = value_json};

	*record = (struct rda_record){.sink = &sink, .depth = 1, .text = text};
	g_string_append_c(text, '{');
}
