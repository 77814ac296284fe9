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
