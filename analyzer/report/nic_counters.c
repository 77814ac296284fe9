/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading what programs print of a NIC's counters. See nic_counters.h.
 */
#include "analyzer/report/nic_counters.h"

#include <json-c/json.h>
#include <limits.h>
#include <string.h>

/* ---- what is kept ---------------------------------------------------------------------------- */

static void reading_free(void *data)
{
	struct rda_nic_reading *reading = data;

	g_free(reading->key);
	g_free(reading->device);
	g_free(reading->name);
	g_free(reading);
}

void rda_nic_counters_init(struct rda_nic_counters *counters)
{
	*counters = (struct rda_nic_counters){
		.readings = g_ptr_array_new_with_free_func(reading_free),
		.by_key = g_hash_table_new(g_str_hash, g_str_equal),
	};
}

void rda_nic_counters_cleanup(struct rda_nic_counters *counters)
{
	g_hash_table_unref(counters->by_key);
	g_ptr_array_unref(counters->readings);
}

/* The name of a counter or device: printable, short, and no sentence. */
static bool is_name(const char *text, size_t length)
{
	bool letter = false;

	if (length > RDA_NIC_NAME_MAX)
		return false;
	for (size_t i = 0; i < length; i++) {
		if (!g_ascii_isalnum(text[i]) && !strchr("_-.[]: ", text[i]))
			return false;
		letter |= g_ascii_isalpha(text[i]);
	}
	return letter;
}

/*
 * What was read of one counter. `form` is how it was printed: programs that tell of the same one at
 * the same time are no two times.
 */
static void take(struct rda_nic_counters *counters, const char *form, const char *device,
		 const char *name, uint64_t value)
{
	char *key = g_strdup_printf("%s %s/%s", form, device, name);
	struct rda_nic_reading *reading = g_hash_table_lookup(counters->by_key, key);

	if (reading) {
		reading->last = value;
		reading->times++;
		g_free(key);
		return;
	}
	if (counters->readings->len >= RDA_NIC_READINGS_MAX) {
		counters->not_kept++;
		g_free(key);
		return;
	}
	reading = g_new(struct rda_nic_reading, 1);
	*reading = (struct rda_nic_reading){key, g_strdup(device), g_strdup(name), value, value, 1};
	g_ptr_array_add(counters->readings, reading);
	g_hash_table_insert(counters->by_key, key, reading);
}

enum rda_nic_change rda_nic_counters_change(const struct rda_nic_counters *counters,
					    const struct rda_nic_reading *reading, uint64_t *change)
{
	*change = reading->last;
	if (counters->differences)
		return RDA_NIC_CHANGE_KNOWN;
	if (reading->times == 1) /* they only grow: one that is 0 was 0 before */
		return reading->last == 0 ? RDA_NIC_CHANGE_KNOWN : RDA_NIC_CHANGE_READ_ONCE;
	if (reading->last < reading->first)
		return RDA_NIC_CHANGE_WENT_BACK;
	*change = reading->last - reading->first;
	return RDA_NIC_CHANGE_KNOWN;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* What an object of -j has beside its counters. */
static bool is_no_counter(const char *name)
{
	static const char *const others[] = {"port", "ifindex", "cntn", "pid", "lqpn", "qpn"};

	for (unsigned i = 0; i < G_N_ELEMENTS(others); i++)
		if (strcmp(name, others[i]) == 0)
			return true;
	return false;
}

static const char *device_of(json_object *object, const char *otherwise)
{
	json_object *name;

	if (json_object_object_get_ex(object, "ifname", &name) &&
	    json_object_is_type(name, json_type_string) &&
	    is_name(json_object_get_string(name), (size_t)json_object_get_string_len(name)))
		return json_object_get_string(name);
	return otherwise;
}

/* Depth is bounded by the parser's. */
static void take_json(struct rda_nic_counters *counters, json_object *value, const char *device)
{
	if (json_object_is_type(value, json_type_array)) {
		for (size_t i = 0; i < json_object_array_length(value); i++)
			take_json(counters, json_object_array_get_idx(value, i), device);
		return;
	}
	if (!json_object_is_type(value, json_type_object))
		return;
	device = device_of(value, device);
	json_object_object_foreach(value, name, member)
	{
		if (!json_object_is_type(member, json_type_int))
			take_json(counters, member, device);
		else if (is_name(name, strlen(name)) && !is_no_counter(name))
			take(counters, "json", device, name, json_object_get_uint64(member));
	}
}

/* Documents, one behind the other. */
static void read_json(struct rda_nic_counters *counters, const char *text, size_t length)
{
	while (length > 0) {
		json_tokener *tokener = json_tokener_new();
		json_object *document =
			json_tokener_parse_ex(tokener, text, (int)MIN(length, INT_MAX));
		size_t end = json_tokener_get_parse_end(tokener);

		take_json(counters, document, "");
		if (!document) {
			counters->not_understood++;
			end = length;
		}
		json_object_put(document);
		json_tokener_free(tokener);
		text += end;
		length -= end;
		while (length > 0 && g_ascii_isspace(*text)) {
			text++;
			length--;
		}
	}
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Where in the text it is. */
struct place {
	char *name;   /* "==> NAME <==" was read, and its number comes; owned; or NULL */
	char *device; /* of the last "link"; owned; or NULL */
};

/* All of it is one number of 64 bits. */
static bool read_number(const char *text, uint64_t *value)
{
	return g_ascii_string_to_unsigned(text, 10, 0, UINT64_MAX, value, NULL);
}

/* ".../infiniband/mlx5_0/ports/1/hw_counters/NAME" or "NAME" */
static bool take_path(struct rda_nic_counters *counters, const char *path, uint64_t value)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const char *from = strstr(path, "infiniband/");
	char *device;
	bool good;

	from = from ? from + strlen("infiniband/") : "";
	device = g_strndup(from, strcspn(from, "/"));
	good = is_name(name, strlen(name)) && (!*device || is_name(device, strlen(device)));
	if (good)
		take(counters, slash ? "sysfs" : "plain", device, name, value);
	g_free(device);
	return good;
}

/* "link DEVICE/PORT NAME NUMBER NAME NUMBER ..."; words that are no number's name are passed over.
 */
static bool take_link(struct rda_nic_counters *counters, struct place *place, char **words)
{
	bool qp = false;

	g_free(place->device);
	place->device = g_strndup(words[1], strcspn(words[1], "/"));
	for (char **word = words + 2; *word; word++)
		qp |= strcmp(*word, "cntn") == 0; /* of some QPs of the device */
	if (qp || !is_name(place->device, strlen(place->device))) {
		g_clear_pointer(&place->device, g_free);
		return false;
	}
	for (char **word = words + 2; word[0] && word[1]; word++) {
		uint64_t value;

		if (!read_number(word[1], &value) || !is_name(word[0], strlen(word[0])))
			continue;
		take(counters, "rdma", place->device, word[0], value);
		word++;
	}
	return true;
}

/* "NAME NUMBER", also below a "link" (rdma -p). */
static bool take_words(struct rda_nic_counters *counters, struct place *place, const char *line)
{
	char **words = g_strsplit_set(line, " \t", -1), **to = words;
	uint64_t value;
	bool good = false;

	for (char **word = words; *word; word++) /* without the empty ones between blanks */
		if (**word)
			*to++ = *word;
		else
			g_free(*word);
	*to = NULL;
	if (words[0] && words[1] && strcmp(words[0], "link") == 0)
		good = take_link(counters, place, words);
	else if (words[0] && words[1] && !words[2] && read_number(words[1], &value) &&
		 is_name(words[0], strlen(words[0]))) {
		take(counters, place->device ? "rdma" : "plain", place->device ? place->device : "",
		     words[0], value);
		good = true;
	}
	g_strfreev(words);
	return good;
}

/* "NAME: NUMBER", "PATH:NUMBER", "NAME:.....NUMBER"; a heading is "NAME:" alone. */
static bool take_colon(struct rda_nic_counters *counters, char *line)
{
	char *colon = strrchr(line, ':');
	uint64_t value;

	if (!colon)
		return false;
	if (!colon[1])
		return true;
	*colon = '\0';
	if (read_number(colon + 1 + strspn(colon + 1, " \t."), &value) &&
	    take_path(counters, g_strchomp(line), value))
		return true;
	*colon = ':';
	return false;
}

/* "==> NAME <==" */
static bool take_heading(struct place *place, const char *line)
{
	if (!g_str_has_prefix(line, "==> ") || !g_str_has_suffix(line, " <=="))
		return false;
	g_free(place->name);
	place->name = g_strndup(line + 4, strlen(line) >= 8 ? strlen(line) - 8 : 0);
	return true;
}

static bool says_differences(const char *line)
{
	char *lower = g_ascii_strdown(line, -1);
	bool says = strstr(lower, "difference") || strstr(lower, "delta");

	g_free(lower);
	return says;
}

static bool take_line(struct rda_nic_counters *counters, struct place *place, char *line)
{
	char *name = g_steal_pointer(&place->name);
	uint64_t value;
	bool good;

	if (name && read_number(line, &value)) {
		good = take_path(counters, name, value);
		g_free(name);
		return good;
	}
	g_free(name);
	if (line[0] == '#') {
		counters->differences |= says_differences(line);
		return true;
	}
	return take_heading(place, line) || take_colon(counters, line) ||
	       take_words(counters, place, line);
}

void rda_nic_counters_read(struct rda_nic_counters *counters, const char *text, size_t length)
{
	const char *end = text + length, *first = text;
	struct place place = {NULL, NULL};

	while (first < end && g_ascii_isspace(*first))
		first++;
	if (first < end && (*first == '[' || *first == '{')) {
		read_json(counters, first, (size_t)(end - first));
		return;
	}
	while (text < end) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));
		size_t bytes = (size_t)((stop ? stop : end) - text);
		char *line = g_strstrip(g_strndup(text, bytes)); /* up to a byte that is 0 */

		if (*line && !take_line(counters, &place, line))
			counters->not_understood++;
		g_free(line);
		text += bytes + (stop != NULL);
	}
	g_free(place.name);
	g_free(place.device);
}
