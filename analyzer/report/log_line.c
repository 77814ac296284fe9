/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finding in a line of a log what a capture could hold. See log_line.h.
 */
#include "analyzer/report/log_line.h"

#include <arpa/inet.h>
#include <glib.h>
#include <string.h>

const char *rda_log_kind_name(unsigned kind)
{
	static const char *const names[] = {
#define RDA_K(ID, name, words) name,
		RDA_LOG_KINDS(RDA_K)
#undef RDA_K
	};

	return names[kind];
}

const char *rda_log_kind_words(unsigned kind)
{
	static const char *const all[] = {
#define RDA_K(ID, name, words) words,
		RDA_LOG_KINDS(RDA_K)
#undef RDA_K
	};

	return all[kind];
}

/* ---- statuses -------------------------------------------------------------------------------- */

static const struct status {
	int32_t number;
	uint8_t syndrome;
	const char *name, *words, *marks[2];
} statuses[] = {
#define RDA_S(number, name, words, syndrome, mark, other)                                          \
	{number, syndrome, name, words, {mark, other}},
	RDA_LOG_STATUSES(RDA_S)
#undef RDA_S
};

static const struct status *find_status(int32_t number)
{
	for (unsigned i = 0; i < G_N_ELEMENTS(statuses); i++)
		if (statuses[i].number == number)
			return &statuses[i];
	return NULL;
}

const char *rda_log_status_name(int32_t status)
{
	const struct status *row = find_status(status);

	return row ? row->name : NULL;
}

const char *rda_log_status_words(int32_t status)
{
	const struct status *row = find_status(status);

	return row ? row->words : NULL;
}

static int32_t status_of_syndrome(uint64_t syndrome)
{
	for (unsigned i = 0; i < G_N_ELEMENTS(statuses); i++)
		if (statuses[i].syndrome == syndrome)
			return statuses[i].number;
	return 0;
}

/* `lower` has no capitals. */
static int32_t status_in_words(const char *lower)
{
	for (unsigned i = 0; i < G_N_ELEMENTS(statuses); i++)
		for (unsigned k = 0; k < G_N_ELEMENTS(statuses[i].marks); k++)
			if (strstr(lower, statuses[i].marks[k]))
				return statuses[i].number;
	return 0;
}

/* ---- items ----------------------------------------------------------------------------------- */

const struct rda_log_item *rda_log_line_find(const struct rda_log_line *line, unsigned kind)
{
	for (unsigned i = 0; i < line->count; i++)
		if (line->items[i].kind == kind)
			return &line->items[i];
	return NULL;
}

static void add(struct rda_log_line *line, const struct rda_log_item *item)
{
	for (unsigned i = 0; i < line->count; i++)
		if (line->items[i].kind == item->kind && line->items[i].number == item->number &&
		    memcmp(&line->items[i].address, &item->address, sizeof(item->address)) == 0)
			return;
	if (line->count == RDA_LOG_ITEMS_MAX)
		line->more = true;
	else
		line->items[line->count++] = *item;
}

static void add_number(struct rda_log_line *line, unsigned kind, uint64_t number)
{
	struct rda_log_item item;

	memset(&item, 0, sizeof(item));
	item.kind = (uint8_t)kind;
	item.number = number;
	add(line, &item);
}

/* ---- numbers behind their words -------------------------------------------------------------- */

static bool is_word(char c)
{
	return g_ascii_isalnum(c) || c == '_';
}

/* The longest label that begins here; its kind, or RDA_LOG_KIND_COUNT. */
static unsigned label_at(const char *at, size_t *length)
{
	static const struct {
		const char *label;
		uint8_t kind;
	} labels[] = {
#define RDA_L(label, KIND) {label, RDA_LOG_##KIND},
		RDA_LOG_LABELS(RDA_L)
#undef RDA_L
	};
	unsigned kind = RDA_LOG_KIND_COUNT;

	*length = 0;
	for (unsigned i = 0; i < G_N_ELEMENTS(labels); i++) {
		size_t bytes = strlen(labels[i].label);

		if (bytes > *length && strncmp(at, labels[i].label, bytes) == 0 &&
		    !is_word(at[bytes])) {
			*length = bytes;
			kind = labels[i].kind;
		}
	}
	return kind;
}

/* "0x12bd", "4797", "12bd": a number that ends where its word does. */
static bool read_number(const char *at, uint64_t *number)
{
	size_t length = 0, digits;
	bool hex = at[0] == '0' && at[1] == 'x';
	char text[24];

	at += hex ? 2 : 0;
	while (length < sizeof(text) - 1 && g_ascii_isxdigit(at[length]))
		length++;
	if (length == 0 || is_word(at[length]))
		return false;
	memcpy(text, at, length);
	text[length] = '\0';
	digits = strspn(text, "0123456789");
	if (digits == 0 && !hex) /* "dead" may be a word */
		return false;
	return g_ascii_string_to_unsigned(text, hex || digits < length ? 16 : 10, 0, UINT64_MAX,
					  number, NULL);
}

static bool fits(unsigned kind, uint64_t number)
{
	switch (kind) {
	case RDA_LOG_QPN:
	case RDA_LOG_LOCAL_QPN:
	case RDA_LOG_REMOTE_QPN:
	case RDA_LOG_PSN: return number <= 0xffffff;
	case RDA_LOG_KEY:
	case RDA_LOG_LKEY: return number <= UINT32_MAX;
	case RDA_LOG_STATUS: return number <= 255;
	case RDA_LOG_VENDOR:
	case RDA_LOG_SYNDROME: return number <= UINT32_MAX;
	default: return true;
	}
}

/* "qpn=0x12bd" from the label on; how far it goes, 0: it is none. */
static size_t take_number(struct rda_log_line *line, const char *at)
{
	size_t length, between;
	unsigned kind = label_at(at, &length);
	uint64_t number;

	if (kind == RDA_LOG_KIND_COUNT)
		return 0;
	between = strspn(at + length, " \t:=#\"'([");
	if (between == 0 || between > 4 || !read_number(at + length + between, &number) ||
	    !fits(kind, number))
		return 0;
	add_number(line, kind, number);
	return length + between;
}

/* ---- addresses ------------------------------------------------------------------------------- */

static void add_address(struct rda_log_line *line, const uint8_t bytes[16])
{
	static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff}, nothing[16];
	struct rda_log_item item;

	if (memcmp(bytes, nothing, sizeof(nothing)) == 0)
		return;
	memset(&item, 0, sizeof(item));
	item.kind = RDA_LOG_ADDRESS;
	memcpy(item.address.bytes, bytes, sizeof(item.address.bytes));
	item.address.kind =
		memcmp(bytes, mapped, sizeof(mapped)) == 0 ? RDA_ADDRESS_IP4 : RDA_ADDRESS_IP6;
	add(line, &item);
}

/* Sixteen decimal numbers with ':' between them, as perftest writes a GID. */
static bool read_decimal_gid(const char *text, uint8_t bytes[16])
{
	char **parts = g_strsplit(text, ":", 18);
	bool good = g_strv_length(parts) == 16;

	for (unsigned i = 0; good && i < 16; i++) {
		uint64_t number = 0;

		good = strlen(parts[i]) >= 2 &&
		       g_ascii_string_to_unsigned(parts[i], 10, 0, 255, &number, NULL);
		bytes[i] = (uint8_t)number;
	}
	g_strfreev(parts);
	return good;
}

static bool read_ip4(const char *text, uint8_t bytes[16])
{
	memset(bytes, 0, 16);
	bytes[10] = bytes[11] = 0xff;
	return inet_pton(AF_INET, text, bytes + 12) == 1;
}

/* From a digit or ':' on that no word is before; how far it goes, 0: it is none. */
static size_t take_address(struct rda_log_line *line, const char *at)
{
	size_t length = strspn(at, "0123456789abcdef:."), whole = length;
	char text[80];
	uint8_t bytes[16];

	if (length < 3 || length >= sizeof(text) || g_ascii_isalpha(at[length]))
		return 0;
	while (length > 0 && strchr(".:", at[length - 1]) &&
	       !(length > 1 && at[length - 1] == ':' && at[length - 2] == ':'))
		length--;
	memcpy(text, at, length);
	text[length] = '\0';
	if (read_decimal_gid(text, bytes) || inet_pton(AF_INET6, text, bytes) == 1) {
		add_address(line, bytes);
		return whole;
	}
	text[strcspn(text, ":")] = '\0'; /* the port */
	if (!read_ip4(text, bytes))
		return 0;
	add_address(line, bytes);
	return whole;
}

/* ---- times ----------------------------------------------------------------------------------- */

/* "1795218285.736035": seconds since 1970, of this century */
static size_t take_seconds(struct rda_log_line *line, const char *at)
{
	size_t whole = strspn(at, "0123456789"), digits;
	uint64_t seconds = 0, ns = 0;
	char text[16];

	if (whole != 10 || at[whole] != '.')
		return 0;
	digits = strspn(at + whole + 1, "0123456789");
	if (digits < 3 || digits > 9 || is_word(at[whole + 1 + digits]))
		return 0;
	memcpy(text, at, whole);
	text[whole] = '\0';
	g_ascii_string_to_unsigned(text, 10, 0, UINT64_MAX, &seconds, NULL);
	for (size_t i = 0; i < 9; i++)
		ns = ns * 10 + (i < digits ? (uint64_t)(at[whole + 1 + i] - '0') : 0);
	add_number(line, RDA_LOG_TIME, seconds * 1000000000 + ns);
	return whole + 1 + digits;
}

/* "2026-11-20T23:44:45.736Z", with its zone: without it nobody knows when that is */
static size_t take_date(struct rda_log_line *line, const char *at)
{
	size_t length = strspn(at, "0123456789-:.tz+ ");
	char text[48];
	GDateTime *date;
	bool good;

	if (length < 20 || !g_ascii_isdigit(at[3]) || at[4] != '-' || at[7] != '-' ||
	    !strchr("t ", at[10]))
		return 0;
	length = 11 + strspn(at + 11, "0123456789-:.z+");
	if (length < 20 || length >= sizeof(text))
		return 0;
	memcpy(text, at, length);
	text[length] = '\0';
	for (size_t i = 0; i < length; i++)
		text[i] = g_ascii_toupper(text[i]);
	text[10] = 'T';
	date = g_date_time_new_from_iso8601(text, NULL);
	good = date != NULL && g_date_time_to_unix(date) > 0;
	if (good) {
		const char *point = strchr(text, '.');
		uint64_t ns = 0, unit = 100000000;

		for (const char *c = point ? point + 1 : ""; g_ascii_isdigit(*c) && unit; c++) {
			ns += (uint64_t)(*c - '0') * unit;
			unit /= 10;
		}
		add_number(line, RDA_LOG_TIME,
			   (uint64_t)g_date_time_to_unix(date) * 1000000000 + ns);
	}
	if (date)
		g_date_time_unref(date);
	return good ? length : 0;
}

/* ---- completion entries as bytes ------------------------------------------------------------- */

/* The last 16 bytes of an error CQE of mlx5: "00000000 00008813 08002c4a 0008c4d2". */
static void take_cqe(struct rda_log_line *line, const uint32_t words[4])
{
	unsigned opcode =
		(words[3] & 0xff) >> 4; /* 13: the requester's error, 14: the responder's */
	int32_t status = status_of_syndrome(words[1] & 0xff);

	if ((opcode != 13 && opcode != 14) || !status)
		return;
	add_number(line, RDA_LOG_LOCAL_QPN, words[2] & 0xffffff);
	add_number(line, RDA_LOG_SYNDROME, words[1] & 0xff);
	add_number(line, RDA_LOG_VENDOR, words[1] >> 8 & 0xff);
}

/* Words of 8 hexadecimal digits, or bytes of 2, at the end of the line. */
static void take_dump(struct rda_log_line *line, const char *text)
{
	uint8_t bytes[16];
	unsigned count = 0;
	uint32_t words[4];

	for (const char *at = text; *at;) {
		size_t length = strspn(at, "0123456789abcdef");

		if ((length == 2 || length == 8) && (!at[length] || at[length] == ' ')) {
			for (size_t i = 0; i < length; i += 2) {
				memmove(bytes, bytes + 1, sizeof(bytes) - 1);
				bytes[15] = (uint8_t)(g_ascii_xdigit_value(at[i]) << 4 |
						      g_ascii_xdigit_value(at[i + 1]));
				count++;
			}
		} else if (length || *at != ' ') {
			count = 0;
			length += strcspn(at + length, " ");
		}
		at += length;
		at += strspn(at, " ");
	}
	if (count != 16)
		return;
	for (unsigned i = 0; i < 4; i++)
		words[i] = (uint32_t)bytes[4 * i] << 24 | (uint32_t)bytes[4 * i + 1] << 16 |
			   (uint32_t)bytes[4 * i + 2] << 8 | bytes[4 * i + 3];
	take_cqe(line, words);
}

/* ---- the line -------------------------------------------------------------------------------- */

static const char *program_of(const char *lower)
{
	static const struct {
		const char *name, *mark;
	} programs[] = {
#define RDA_P(name, mark) {name, mark},
		RDA_LOG_PROGRAMS(RDA_P)
#undef RDA_P
	};

	for (unsigned i = 0; i < G_N_ELEMENTS(programs); i++)
		if (strstr(lower, programs[i].mark))
			return programs[i].name;
	return NULL;
}

/* What begins here, with no word before it; how far it goes. */
static size_t take_at(struct rda_log_line *line, const char *at)
{
	static const char glued[] = "remotegids"; /* NCCL: no blank before the address */
	size_t length = take_date(line, at);

	if (g_str_has_prefix(at, glued))
		return strlen(glued) + take_address(line, at + strlen(glued));

	if (!length)
		length = take_seconds(line, at);
	if (!length)
		length = take_address(line, at);
	return length ? length : take_number(line, at);
}

/* What is told of how it ended: the number, else mlx5's syndrome, else words. */
static int32_t status_of(const struct rda_log_line *line, const char *lower)
{
	const struct rda_log_item *number = rda_log_line_find(line, RDA_LOG_STATUS);
	const struct rda_log_item *syndrome = rda_log_line_find(line, RDA_LOG_SYNDROME);
	int32_t status = syndrome ? status_of_syndrome(syndrome->number) : 0;

	if (number && number->number && find_status((int32_t)number->number))
		return (int32_t)number->number;
	return status ? status : status_in_words(lower);
}

void rda_log_line_read(struct rda_log_line *line, const char *text, size_t length)
{
	char lower[RDA_LOG_BYTES_MAX + 1] = "";
	size_t bytes = MIN(length, RDA_LOG_BYTES_MAX);

	memset(line, 0, sizeof(*line));
	line->cut = bytes < length;
	for (size_t i = 0; i < bytes; i++)
		lower[i] = g_ascii_isprint(text[i]) ? g_ascii_tolower(text[i]) : ' ';
	lower[bytes] = '\0';
	for (size_t at = 0; at < bytes;) {
		size_t taken = at && is_word(lower[at - 1]) ? 0 : take_at(line, lower + at);

		at += taken ? taken : 1;
	}
	take_dump(line, lower);
	line->program = program_of(lower);
	line->status = status_of(line, lower);
}
