/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Times and rates in integers throughout, so that the last digit is the same everywhere.
 */
#include "analyzer/base/words.h"

#include "dissectors/mad.h"
#include "dissectors/values.h"

#include <glib.h>
#include <inttypes.h>
#include <string.h>

static char *put_number(char *to, uint64_t number)
{
	char digits[20];
	unsigned count = 0;

	do
		digits[count++] = (char)('0' + number % 10);
	while (number /= 10);
	while (count)
		*to++ = digits[--count];
	return to;
}

/* `number` thousandths, three digits of them, without zeros behind the point. */
static char *put_three_digits(char *to, uint64_t number)
{
	uint64_t step = number < 10000 ? 10 : number < 100000 ? 100 : 1000, rest;

	number = (number + step / 2) / step * step;
	to = put_number(to, number / 1000);
	rest = number % 1000;
	if (rest)
		*to++ = '.';
	for (; rest; rest = rest * 10 % 1000)
		*to++ = (char)('0' + rest / 100);
	return to;
}

/* So many digits of a number, and what follows them. */
static char *put_digits(char *to, unsigned digits, int64_t number, char behind)
{
	for (unsigned i = digits; i-- > 0; number /= 10)
		to[i] = (char)('0' + number % 10);
	to[digits] = behind;
	return to + digits + 1;
}

const char *rda_words_moment(char text[RDA_WORDS_MOMENT], int64_t ns)
{
	const int64_t per_day = INT64_C(86400000000000);
	int64_t day = ns / per_day - (ns % per_day < 0);
	int64_t rest = ns % per_day + (ns % per_day < 0 ? per_day : 0);
	/* days since 0000-03-01, from which on the leap day is a year's last: of 400 years, of one
	 */
	int64_t since = day + 719468, era = since / 146097, of_era = since % 146097;
	int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
	int64_t month = (5 * of_year + 2) / 153; /* from March on */
	char *to = text;

	to = put_digits(to, 4, era * 400 + year + (month >= 10), '-');
	to = put_digits(to, 2, month < 10 ? month + 3 : month - 9, '-');
	to = put_digits(to, 2, of_year - (153 * month + 2) / 5 + 1, 'T');
	to = put_digits(to, 2, rest / INT64_C(3600000000000), ':');
	to = put_digits(to, 2, rest / INT64_C(60000000000) % 60, ':');
	to = put_digits(to, 2, rest / 1000000000 % 60, '.');
	to = put_digits(to, 9, rest % 1000000000, 'Z');
	*to = '\0';
	return text;
}

const char *rda_words_time(char text[RDA_WORDS_TEXT], int64_t ns)
{
	static const char *const units[] = {" us", " ms", " s"};
	uint64_t number = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns; /* thousandths of the unit */
	const char *unit = " ns";
	char *to = text;

	if (ns < 0)
		*to++ = '-';
	if (number < 1000) {
		to = put_number(to, number);
	} else {
		unsigned i = 0;

		for (; i < G_N_ELEMENTS(units) - 1 && number >= 999500; i++)
			number /= 1000;
		unit = units[i];
		to = put_three_digits(to, number);
	}
	memcpy(to, unit, strlen(unit) + 1);
	return text;
}

const char *rda_words_decimal(char text[RDA_WORDS_TEXT], int64_t number, unsigned digits)
{
	uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number, unit = 1;
	char *to = text;

	for (unsigned i = 0; i < digits; i++)
		unit *= 10;
	if (number < 0)
		*to++ = '-';
	to = put_number(to, rest / unit);
	*to = '.';
	to += digits > 0;
	for (rest %= unit; unit > 1; rest %= unit) {
		unit /= 10;
		*to++ = (char)('0' + rest / unit);
	}
	*to = '\0';
	return text;
}

const char *rda_words_rate(char text[RDA_WORDS_TEXT], uint64_t bits)
{
	static const char *const units[] = {" kbit/s", " Mbit/s", " Gbit/s", " Tbit/s"};
	char *to = text;
	unsigned i = 0;

	if (bits < 1000) {
		to = put_number(to, bits);
		memcpy(to, " bit/s", sizeof(" bit/s"));
		return text;
	}
	for (; i < G_N_ELEMENTS(units) - 1 && bits >= 999500; i++)
		bits /= 1000;
	to = put_three_digits(to, bits);
	memcpy(to, units[i], strlen(units[i]) + 1);
	return text;
}

const char *rda_words_percent(char text[RDA_WORDS_TEXT], uint64_t part, uint64_t whole)
{
	uint64_t number = whole ? part * 100000 / whole : 0; /* thousandths of a per cent */
	char *to = text;

	if (part && number < 10) {
		memcpy(to, "under 0.01", strlen("under 0.01"));
		to += strlen("under 0.01");
	} else {
		to = put_three_digits(to, number);
	}
	memcpy(to, " %", sizeof(" %"));
	return text;
}

/* ---- names ----------------------------------------------------------------------------------- */

const char *rda_words_service(char text[RDA_WORDS_NAME], uint64_t id)
{
	GString *words = g_string_new(NULL);
	const char *protocol = rda_ip_cm_protocol(id);
	gsize length;

	if (!id)
		g_string_append(words, "an unknown service");
	else if (protocol)
		g_string_append_printf(words, "%s port %d", protocol, rda_ip_cm_port(id));
	else
		g_string_append_printf(words, "service ID 0x%016" PRIx64, id);
	length = MIN(words->len, RDA_WORDS_NAME - 1);
	memcpy(text, words->str, length);
	text[length] = 0;
	g_string_free(words, TRUE);
	return text;
}

const char *rda_words_reject(int32_t reason)
{
	switch (reason) {
	case RDA_REJ_REASON_NO_QP:
	case RDA_REJ_REASON_NO_EEC:
	case RDA_REJ_REASON_NO_RESOURCES: return "it has no QP or no memory left for it";
	case RDA_REJ_REASON_TIMEOUT: return "it gave up waiting for the next message";
	case RDA_REJ_REASON_INVALID_COMM_ID: return "it knows of no such conversation";
	case RDA_REJ_REASON_INVALID_SERVICE_ID: return "nobody listens for that there";
	case RDA_REJ_REASON_STALE_CONNECTION:
		return "for it that QP is still part of an earlier connection";
	case RDA_REJ_REASON_PRIMARY_GID:
	case RDA_REJ_REASON_PRIMARY_LID: return "the address that was asked for is not its own";
	case RDA_REJ_REASON_INVALID_MTU: return "it cannot use that path MTU";
	case RDA_REJ_REASON_RESPONDER_RESOURCES:
		return "it wants more READs at once than were offered";
	case RDA_REJ_REASON_CONSUMER: return "the application there does not want it";
	default: return NULL;
	}
}
