/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Words of the command line as numbers, times, ports and choices. See value.h.
 */
#include "analyzer/rdma-analyze/value.h"

#include "analyzer/rdma-analyze/machine.h"
#include "analyzer/report/units.h"

#include <string.h>

bool rda_value_choice(int *member, const struct rda_option *option, const char *value,
		      GError **error)
{
	const char *const *words = rda_option_words(option->set);
	bool list = option->kind == RDA_OPTION_LIST;
	char *choices;

	for (int i = 0; words[i]; i++)
		if (strcmp(value, words[i]) == 0) {
			*member = i + list;
			return true;
		}
	choices = g_strjoinv(", ", (char **)words);
	g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--%s: \"%s\" is none of %s",
		    option->name, value, choices);
	g_free(choices);
	return false;
}

bool rda_value_number(struct rda_number *number, const struct rda_option *option, const char *value,
		      GError **error)
{
	uint64_t parsed;

	if (!g_ascii_string_to_unsigned(value, 10, 0, UINT32_MAX, &parsed, NULL)) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "--%s: \"%s\" is no number", option->name, value);
		return false;
	}
	*number = (struct rda_number){true, (uint32_t)parsed};
	return true;
}

/* A number and a unit; seconds need none. */
bool rda_value_period(struct rda_period *period, const struct rda_option *option, const char *value,
		      GError **error)
{
	static const struct {
		const char *unit;
		int64_t ns;
	} units[] = {{"", 1000000000},	   {"s", 1000000000},	 {"ms", 1000000},
		     {"us", 1000},	   {"m", 60000000000},	 {"min", 60000000000},
		     {"h", 3600000000000}, {"d", 86400000000000}};
	size_t digits = strspn(value, "0123456789");
	char *number = g_strndup(value, digits);
	uint64_t parsed;
	bool good = false;

	for (size_t i = 0; i < G_N_ELEMENTS(units) && !good; i++)
		if (strcmp(value + digits, units[i].unit) == 0 &&
		    g_ascii_string_to_unsigned(number, 10, 1,
					       (uint64_t)(INT64_MAX / 4 / units[i].ns), &parsed,
					       NULL)) {
			*period = (struct rda_period){true, (int64_t)parsed * units[i].ns};
			good = true;
		}
	g_free(number);
	if (!good)
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "--%s: \"%s\" is no time: 10s, 500ms, 2m, 1h", option->name, value);
	return good;
}

void rda_value_add_text(char ***texts, const char *value)
{
	guint count = *texts ? g_strv_length(*texts) : 0;

	*texts = g_renew(char *, *texts, count + 2);
	(*texts)[count] = g_strdup(value);
	(*texts)[count + 1] = NULL;
}

bool rda_value_size(uint64_t *bytes, const struct rda_option *option, const char *value,
		    GError **error)
{
	if (!rda_units_size(value, RDA_MEMORY_MIN, bytes))
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "--%s: \"%s\" is no size of at least 64M, such as 512M or 4G",
			    option->name, value);
	return *bytes != 0;
}

bool rda_value_add_port(struct rda_ports *ports, const char *value, GError **error)
{
	uint64_t port;

	if (!g_ascii_string_to_unsigned(value, 10, 1, UINT16_MAX, &port, NULL)) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "--port: \"%s\" is no port number (1 to 65535)", value);
		return false;
	}
	if (ports->count == RDA_PORTS_MAX) {
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
			    "--port: more than %d ports", RDA_PORTS_MAX);
		return false;
	}
	ports->port[ports->count++] = (uint16_t)port;
	return true;
}

void rda_value_text(char **text, const char *value)
{
	g_free(*text);
	*text = g_strdup(value);
}

uint64_t rda_value_memory(const struct rda_options *options)
{
	uint64_t quarter = rda_machine_memory() / 4;

	return options->memory ? options->memory
			       : CLAMP(quarter, RDA_MEMORY_MIN, UINT64_C(4) << 30);
}
