/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files of counters, and whose they are. See counted.h.
 */
#include "analyzer/rdma-analyze/counted.h"

#include "analyzer/rdma-analyze/complain.h"
#include "analyzer/report/nic_compare.h"
#include "analyzer/taps/taps.h"

#include <string.h>

/* One --counters. */
struct one {
	char *host;   /* "10.0.0.1+fd00::1" or the name of a tap */
	char *device; /* or NULL */
	char **files;
	struct rda_nic_counters counters;
};

struct rda_counted {
	GPtrArray *all; /* of struct one */
};

/* ---- what is read ---------------------------------------------------------------------------- */

static void one_free(void *data)
{
	struct one *one = data;

	if (one->counters.readings)
		rda_nic_counters_cleanup(&one->counters);
	g_strfreev(one->files);
	g_free(one->device);
	g_free(one->host);
	g_free(one);
}

/* "HOST[/DEVICE]=FILE[,FILE]"; false: it is not that. */
static bool take_words(struct one *one, const char *value)
{
	const char *equals = strchr(value, '=');
	char *slash;

	if (!equals || equals == value || !equals[1])
		return false;
	one->host = g_strndup(value, (gsize)(equals - value));
	slash = strchr(one->host, '/');
	if (slash) {
		*slash = '\0';
		one->device = g_strdup(slash + 1);
	}
	/* a file whose name has a comma is one */
	if (g_file_test(equals + 1, G_FILE_TEST_EXISTS))
		one->files = g_strdupv((char *[]){(char *)equals + 1, NULL});
	else
		one->files = g_strsplit(equals + 1, ",", -1);
	return *one->host && (!one->device || *one->device);
}

static char *too_large(const char *file)
{
	return g_strdup_printf("%s: no dump of counters: it has more than %d MiB", file,
			       RDA_COUNTED_BYTES_MAX >> 20);
}

static char *read_file(struct one *one, const char *file)
{
	GError *failure = NULL;
	char *text, *error = NULL;
	gsize length;

	if (!g_file_get_contents(file, &text, &length, &failure)) {
		error = g_strdup(failure->message);
		g_error_free(failure);
		return error;
	}
	if (length > RDA_COUNTED_BYTES_MAX)
		error = too_large(file);
	else
		rda_nic_counters_read(&one->counters, text, length);
	g_free(text);
	return error;
}

/* Of several devices one is to be named. */
static char *check_device(const struct one *one)
{
	char **devices = rda_nic_compare_devices(&one->counters);
	unsigned count = g_strv_length(devices);
	char *names = g_strjoinv(", ", devices), *error = NULL;

	if (one->device && !g_strv_contains((const char *const *)devices, one->device))
		error = g_strdup_printf("%s: no counters of %s are there%s%s", one->files[0],
					one->device, count ? ", but of " : "", names);
	else if (!one->device && count > 1)
		error = g_strdup_printf("%s: it has counters of %s: say which, as in %s/%s=%s",
					one->files[0], names, one->host, devices[0], one->files[0]);
	g_free(names);
	g_strfreev(devices);
	return error;
}

static char *read_one(struct one *one, const char *value)
{
	char *error = NULL;

	if (!take_words(one, value))
		return g_strdup_printf("\"%s\" is no HOST=FILE", value);
	rda_nic_counters_init(&one->counters);
	for (char **file = one->files; *file && !error; file++)
		error = read_file(one, *file);
	if (!error && !one->counters.readings->len)
		error = g_strdup_printf("%s: no counters in it: what ethtool -S, rdma statistic or "
					"grep . on the hw_counters folder printed is understood",
					one->files[0]);
	return error ? error : check_device(one);
}

struct rda_counted *rda_counted_new(const struct rda_options *options, char **error)
{
	struct rda_counted *counted = g_new(struct rda_counted, 1);
	char *reason = NULL;

	counted->all = g_ptr_array_new_with_free_func(one_free);
	for (char **value = options->counters; value && *value && !reason; value++) {
		struct one *one = g_new0(struct one, 1);

		g_ptr_array_add(counted->all, one);
		reason = read_one(one, *value);
	}
	if (!reason)
		return counted;
	*error = g_strdup_printf("--counters: %s", reason);
	g_free(reason);
	rda_counted_free(counted);
	return NULL;
}

void rda_counted_free(struct rda_counted *counted)
{
	if (counted)
		g_ptr_array_unref(counted->all);
	g_free(counted);
}

char **rda_counted_files(const struct rda_options *options)
{
	GPtrArray *files = g_ptr_array_new();

	for (char **value = options->counters; value && *value; value++) {
		struct one *one = g_new0(struct one, 1);

		take_words(one, *value);
		for (char **file = one->files; file && *file; file++)
			g_ptr_array_add(files, g_strdup(*file));
		one_free(one);
	}
	g_ptr_array_add(files, NULL);
	return (char **)(void *)g_ptr_array_free(files, FALSE);
}

/* ---- whose they are -------------------------------------------------------------------------- */

static const struct rda_host *host_called(const struct rda_result *result, const char *name)
{
	char text[RDA_ADDRESS_TEXT];

	for (unsigned i = 0; i < rda_result_host_count(result); i++) {
		const struct rda_host *host = rda_result_host(result, i);

		if (g_ascii_strcasecmp(rda_address_text(text, &host->address), name) == 0)
			return host;
	}
	return NULL;
}

static void add_address(struct rda_address *addresses, unsigned *count,
			const struct rda_address *address)
{
	for (unsigned i = 0; i < *count; i++)
		if (memcmp(&addresses[i], address, sizeof(*address)) == 0)
			return;
	if (*count < RDA_NIC_ADDRESSES_MAX)
		addresses[(*count)++] = *address;
}

/* The hosts that a tap is nearest to: those whose packets pass it first, and others' last. */
static unsigned hosts_at_tap(const struct rda_run *run, uint32_t tap, struct rda_address *addresses)
{
	const struct rda_taps *taps = run->taps;
	unsigned count = 0;

	for (uint32_t i = 0; i < taps->hop_count; i++) {
		const struct rda_hop *hop = &taps->hops[i];
		const struct rda_connection_facts *connection =
			rda_result_connection(run->result, hop->connection);

		if (!hop->ordered)
			continue;
		if (hop->from == tap)
			add_address(addresses, &count, &connection->endpoints[hop->flow].address);
		if (hop->to == tap)
			add_address(addresses, &count, &connection->endpoints[!hop->flow].address);
	}
	return count;
}

/* The name of a tap stands for the host at which it is. */
static char *find_at_tap(const struct rda_run *run, const char *name, struct rda_address *addresses,
			 unsigned *count)
{
	uint32_t tap = 0;

	while (run->taps && tap < run->taps->count && strcmp(run->taps->taps[tap].name, name) != 0)
		tap++;
	if (!run->taps || tap == run->taps->count)
		return g_strdup_printf("%s: no host of this address is in the capture, and no tap "
				       "of this name",
				       name);
	*count = hosts_at_tap(run, tap, addresses);
	if (*count == 1)
		return NULL;
	return g_strdup_printf("%s: which host this tap is at does not follow from the captures: "
			       "name its address",
			       name);
}

/* NULL: they were found. */
static char *find_addresses(const struct rda_run *run, const char *host,
			    struct rda_address *addresses, unsigned *count)
{
	char **names = g_strsplit(host, "+", -1), *error = NULL;

	*count = 0;
	for (char **name = names; *name; name++) {
		const struct rda_host *found = host_called(run->result, *name);

		if (found)
			add_address(addresses, count, &found->address);
	}
	if (!*count)
		error = find_at_tap(run, host, addresses, count);
	g_strfreev(names);
	return error;
}

/* ---- holding --------------------------------------------------------------------------------- */

void rda_counted_hold(struct rda_counted *counted, struct rda_run *run)
{
	for (guint i = 0; i < counted->all->len && run->inputs->len; i++) {
		struct one *one = g_ptr_array_index(counted->all, i);
		struct rda_address addresses[RDA_NIC_ADDRESSES_MAX];
		struct rda_nic_compared *compared;
		unsigned count;
		char *why = find_addresses(run, one->host, addresses, &count);

		if (why) {
			rda_complain("--counters: %s", why);
			run->failed = true;
			g_free(why);
			continue;
		}
		compared = rda_nic_compare(one->host, addresses, count, &one->counters, one->device,
					   run->result, run->options->filter != NULL);
		rda_nic_compared_judge(compared, run->result);
		g_ptr_array_add(run->compared, compared);
	}
}
