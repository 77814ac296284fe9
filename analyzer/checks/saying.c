/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arguments in one block, and templates filled with them; saying.h has the syntax.
 */
#include "analyzer/checks/saying.h"

#include "analyzer/base/meta.h"
#include "analyzer/base/words.h"

#include <glib.h>
#include <inttypes.h>
#include <string.h>

static const struct rda_saying_row rows[RDA_SAYING_COUNT] = {
#define RDA_C(...)
#define RDA_WORDS(words, advice, ...) words, advice
#define RDA_S(CODE, ID, ...)                                                                       \
	[RDA_SAY_##CODE##_##ID] = {RDA_CHECK_##CODE, RDA_WORDS(__VA_ARGS__, NULL, NULL)},
	RDA_CHECKS(RDA_C, RDA_S)
#undef RDA_S
#undef RDA_WORDS
#undef RDA_C
};

const struct rda_saying_row *rda_saying_row(enum rda_saying saying)
{
	return &rows[saying];
}

static const struct {
	const char *name, *words;
} phrases[] = {
#define RDA_X(ID, name, words) [RDA_PHRASE_##ID] = {name, words},
	RDA_PHRASES(RDA_X)
#undef RDA_X
};

const char *rda_phrase_name(enum rda_phrase phrase)
{
	return phrases[phrase].name;
}

/* ---- the block ------------------------------------------------------------------------------- */

static bool is_given(const struct rda_argument *argument)
{
	if (argument->type == RDA_ARGUMENT_WORD || argument->type == RDA_ARGUMENT_TEXT)
		return argument->text != NULL;
	return argument->type != RDA_ARGUMENT_NONE;
}

/* The bytes of an argument that are kept behind the arguments; NULL: its value is all. */
static const void *bytes_of(const struct rda_argument *argument, size_t *size)
{
	*size = 0;
	if (argument->type == RDA_ARGUMENT_ADDRESS) {
		*size = sizeof(*argument->address);
		return argument->address;
	}
	if (argument->type == RDA_ARGUMENT_TEXT) {
		*size = strlen(argument->text) + 1;
		return argument->text;
	}
	if (argument->type == RDA_ARGUMENT_BYTES) {
		*size = argument->digits;
		return argument->bytes;
	}
	return NULL;
}

struct rda_said *rda_said_new(enum rda_saying saying, const struct rda_argument *arguments)
{
	size_t bytes = sizeof(struct rda_said), size;
	uint16_t count = 0;
	struct rda_said *said;

	for (const struct rda_argument *a = arguments; a->type != RDA_ARGUMENT_END; a++) {
		if (!is_given(a))
			continue;
		bytes_of(a, &size);
		bytes += sizeof(*a) + size;
		count++;
	}
	said = g_malloc0(bytes);
	said->bytes = (uint32_t)bytes;
	said->sayings[said->saying_count++] = (uint16_t)saying;
	bytes = sizeof(*said) + count * sizeof(*arguments);
	for (const struct rda_argument *a = arguments; a->type != RDA_ARGUMENT_END; a++) {
		struct rda_argument *kept = &said->arguments[said->count];
		const void *from;

		if (!is_given(a))
			continue;
		*kept = *a;
		said->count++;
		from = bytes_of(a, &size);
		if (!from)
			continue;
		memcpy((char *)said + bytes, from, size);
		kept->offset = bytes;
		bytes += size;
	}
	return said;
}

struct rda_said *rda_said_more(const struct rda_said *said, enum rda_saying saying,
			       const struct rda_argument *arguments)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(*arguments));
	struct rda_said *more;

	for (unsigned i = 0; i < said->count; i++) {
		struct rda_argument argument = said->arguments[i];

		if (argument.type == RDA_ARGUMENT_ADDRESS)
			argument.address = rda_said_address(said, &argument);
		else if (argument.type == RDA_ARGUMENT_TEXT)
			argument.text = rda_said_text(said, &argument);
		else if (argument.type == RDA_ARGUMENT_BYTES)
			argument.bytes = rda_said_bytes(said, &argument);
		g_array_append_val(all, argument);
	}
	do
		g_array_append_vals(all, arguments, 1);
	while ((arguments++)->type != RDA_ARGUMENT_END);
	more = rda_said_new((enum rda_saying)said->sayings[0],
			    (const struct rda_argument *)(void *)all->data);
	memcpy(more->sayings, said->sayings, sizeof(more->sayings));
	more->saying_count = said->saying_count;
	if (more->saying_count < RDA_SAID_SENTENCES)
		more->sayings[more->saying_count++] = (uint16_t)saying;
	g_array_free(all, TRUE);
	return more;
}

struct rda_said *rda_said_copy(const struct rda_said *said)
{
	return said ? g_memdup2(said, said->bytes) : NULL;
}

void rda_said_pack(struct rda_pack *pack, struct rda_said **said)
{
	uint32_t bytes = !pack->reads && *said ? (*said)->bytes : 0;

	rda_pack_bytes(pack, &bytes, sizeof(bytes));
	if (pack->reads)
		*said = bytes ? g_malloc0(bytes) : NULL;
	if (!*said)
		return;
	rda_pack_bytes(pack, *said, bytes);
	for (unsigned i = 0; i < (*said)->count; i++) {
		struct rda_argument *argument = &(*said)->arguments[i];

		rda_pack_literal(pack, &argument->name);
		if (argument->type == RDA_ARGUMENT_WORD)
			rda_pack_literal(pack, &argument->text);
	}
}

static const struct rda_argument *find(const struct rda_said *said, const char *name, size_t length)
{
	for (unsigned i = 0; i < said->count; i++) {
		const char *its = said->arguments[i].name;

		if (strncmp(its, name, length) == 0 && its[length] == '\0')
			return &said->arguments[i];
	}
	return NULL;
}

const char *rda_said_text(const struct rda_said *said, const struct rda_argument *argument)
{
	return argument->type == RDA_ARGUMENT_TEXT ? (const char *)said + argument->offset
						   : argument->text;
}

const uint8_t *rda_said_bytes(const struct rda_said *said, const struct rda_argument *argument)
{
	return (const uint8_t *)said + argument->offset;
}

const struct rda_address *rda_said_address(const struct rda_said *said,
					   const struct rda_argument *argument)
{
	return (const struct rda_address *)((const char *)said + argument->offset);
}

/* ---- the sentence ---------------------------------------------------------------------------- */

struct maker {
	GString *to;
	const struct rda_said *said;
	bool lacks; /* an argument that was not given */
};

static void put_words(struct maker *m, const char *at, const char *end);

static void put_argument(struct maker *m, const struct rda_argument *a)
{
	char text[RDA_WORDS_MOMENT], address[RDA_ADDRESS_TEXT];

	switch ((enum rda_argument_type)a->type) {
	case RDA_ARGUMENT_DECIMAL:
		g_string_append(m->to, rda_words_decimal(text, a->integer, a->digits));
		break;
	case RDA_ARGUMENT_SIGNED: g_string_append_printf(m->to, "%" PRId64, a->integer); break;
	case RDA_ARGUMENT_TIME: g_string_append(m->to, rda_words_time(text, a->integer)); break;
	case RDA_ARGUMENT_MOMENT: g_string_append(m->to, rda_words_moment(text, a->integer)); break;
	case RDA_ARGUMENT_RATE: g_string_append(m->to, rda_words_rate(text, a->number)); break;
	case RDA_ARGUMENT_HEX:
		g_string_append_printf(m->to, "0x%0*" PRIx64, a->digits, a->number);
		break;
	case RDA_ARGUMENT_FRAME:
		g_string_append_printf(m->to, "%" PRIu64, rda_place_number(a->place));
		break;
	case RDA_ARGUMENT_MAC:
		for (int shift = 40; shift >= 0; shift -= 8)
			g_string_append_printf(m->to, "%s%02x", shift < 40 ? ":" : "",
					       (unsigned)(a->number >> shift & 0xff));
		break;
	case RDA_ARGUMENT_BYTES:
		for (unsigned i = 0; i < a->digits; i++)
			g_string_append_printf(m->to, "%s%02x", i ? " " : "",
					       rda_said_bytes(m->said, a)[i]);
		break;
	case RDA_ARGUMENT_ADDRESS:
		g_string_append(m->to, rda_address_text(address, rda_said_address(m->said, a)));
		break;
	case RDA_ARGUMENT_PHRASE: g_string_append(m->to, phrases[a->number].words); break;
	case RDA_ARGUMENT_WORD:
	case RDA_ARGUMENT_TEXT: g_string_append(m->to, rda_said_text(m->said, a)); break;
	case RDA_ARGUMENT_NUMBER:
	case RDA_ARGUMENT_FLAG:
	case RDA_ARGUMENT_NONE:
	case RDA_ARGUMENT_END: g_string_append_printf(m->to, "%" PRIu64, a->number); break;
	}
}

/* The first of `stops` that is in nothing begun behind `at`; or `end`. */
static const char *stop_of(const char *at, const char *end, const char *stops)
{
	for (unsigned depth = 0; at < end; at++) {
		if (depth == 0 && strchr(stops, *at))
			break;
		depth += *at == '{' || *at == '[' || *at == '<';
		depth -= *at == '}' || *at == ']' || *at == '>';
	}
	return at;
}

/* The argument named in front of `end`; one that was not given is written as its name. */
static const struct rda_argument *named(struct maker *m, const char *name, const char *end)
{
	const struct rda_argument *argument = find(m->said, name, (size_t)(end - name));

	if (!argument) {
		m->lacks = true;
		g_string_append_printf(m->to, "{%.*s}", (int)(end - name), name);
	}
	return argument;
}

/* "20 ms to 1.2 s" */
static void put_range(struct maker *m, const struct rda_argument *from,
		      const struct rda_argument *to)
{
	gsize begin = m->to->len, end;

	put_argument(m, from);
	end = m->to->len;
	g_string_append(m->to, " to ");
	put_argument(m, to);
	if (strncmp(m->to->str + begin, m->to->str + end + 4, end - begin) == 0 &&
	    m->to->len - end - 4 == end - begin)
		g_string_truncate(m->to, end);
}

static void put_percent(struct maker *m, const struct rda_argument *part,
			const struct rda_argument *whole)
{
	char text[RDA_WORDS_TEXT];
	/* rda_words_percent takes numbers below 10^14: with nanoseconds a day */
	uint64_t unit = whole->number < UINT64_C(10000000000000) ? 1 : 1000000;

	g_string_append(m->to, rda_words_percent(text, part->number / unit, whole->number / unit));
}

static int64_t divisor(const char *digits)
{
	int64_t number = 0;

	for (; *digits >= '0' && *digits <= '9'; digits++)
		number = number * 10 + (*digits - '0');
	return MAX(number, 1);
}

/* What stands in braces. */
static void put_item(struct maker *m, const char *at, const char *end)
{
	bool article = at + 1 < end && at[1] == ' ';
	const char *name = article ? at + 2 : at, *stop = stop_of(name, end, "|?%~/"), *middle;
	const struct rda_argument *argument = named(m, name, stop), *other;
	gsize length = m->to->len;

	if (!argument)
		return;
	if (stop == end) {
		put_argument(m, argument);
		if (article)
			g_string_insert(m->to, (gssize)length,
					strchr("AEIOaeio", m->to->str[length]) ? "an " : "a ");
		if (article && *at == 'A')
			m->to->str[length] = 'A';
	} else if (*stop == '/') {
		g_string_append_printf(m->to, "%" PRId64, argument->integer / divisor(stop + 1));
	} else if (*stop == '%' || *stop == '~') {
		other = named(m, stop + 1, end);
		if (other)
			(*stop == '%' ? put_percent : put_range)(m, argument, other);
	} else {
		middle = stop_of(stop + 1, end, "|");
		if (argument->number == 1)
			put_words(m, stop + 1, middle);
		else if (middle < end)
			put_words(m, middle + 1, end);
	}
}

/* What stands in brackets, or, of which the first is enough, in angle brackets. */
static void put_options(struct maker *m, const char *at, const char *end, bool first)
{
	const char *bar;
	bool lacked = m->lacks, any = false, both = !first && at < end && *at == '&';

	at += both;
	for (;; at = bar + 1) {
		gsize length = m->to->len;

		bar = stop_of(at, end, "|");
		if (any)
			g_string_append(m->to, both ? " and " : ", ");
		m->lacks = false;
		put_words(m, at, bar);
		if (m->lacks)
			g_string_truncate(m->to, length);
		any |= !m->lacks;
		if (bar == end || (first && any))
			break;
	}
	m->lacks = lacked;
}

static void put_words(struct maker *m, const char *at, const char *end)
{
	while (at < end) {
		const char *stop = stop_of(at, end, "{[<"), *close;

		g_string_append_len(m->to, at, stop - at);
		if (stop == end)
			break;
		close = stop_of(stop + 1, end, *stop == '{' ? "}" : *stop == '[' ? "]" : ">");
		if (*stop == '{')
			put_item(m, stop + 1, close);
		else
			put_options(m, stop + 1, close, *stop == '<');
		at = close + 1;
	}
}

char *rda_said_fill(const char *words, const struct rda_said *said)
{
	struct maker maker = {.to = g_string_new(NULL), .said = said};

	put_words(&maker, words, words + strlen(words));
	return g_string_free(maker.to, FALSE);
}

char *rda_said_sentence(const struct rda_said *said)
{
	GString *text = g_string_new(NULL);

	for (unsigned i = 0; i < said->saying_count; i++) {
		char *words = rda_said_fill(
			rda_saying_row((enum rda_saying)said->sayings[i])->words, said);

		g_string_append_printf(text, "%s%s", i ? " " : "", words);
		g_free(words);
	}
	return g_string_free(text, FALSE);
}
