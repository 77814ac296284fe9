/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PSNs and times are known by the names of their members, frames among a finding's arguments and
 * its place among the others too. In a text any number may be a PSN or a frame: it has to be the
 * same, or what one of the two has become.
 */
#include "tests/simulate/differ.h"

#include <ctype.h>
#include <glib.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENOUGH = 12, PATH = 200 };

static bool is_one_of(const char *name, const char *const *names)
{
	for (; names && *names; names++)
		if (strcmp(name, *names) == 0)
			return true;
	return false;
}

static int64_t expected(const char *member, int64_t value, const struct sim_rule *rule)
{
	static const char *const psns[] = {"psn", "first_psn_seen", NULL};
	static const char *const times[] = {"time_ns", "first_time_ns", "last_time_ns",
					    "gave_up_time_ns", NULL};

	if (is_one_of(member, psns) || g_str_has_suffix(member, "_psn"))
		return (value + rule->psn_add) & 0xffffff;
	return is_one_of(member, times) ? value + rule->time_add : value;
}

static bool is_same_number(uint64_t before, uint64_t after, const struct sim_rule *rule)
{
	return before == after || ((before + rule->psn_add) & 0xffffff) == after ||
	       (rule->is_frame && rule->is_frame(before, after, rule->context));
}

static bool is_same_text(const char *before, const char *after, const struct sim_rule *rule)
{
	while (*before && *after) {
		char *behind_before, *behind_after;

		if (!isdigit((unsigned char)*before) || !isdigit((unsigned char)*after)) {
			if (*before++ != *after++)
				return false;
			continue;
		}
		if (!is_same_number(strtoull(before, &behind_before, 10),
				    strtoull(after, &behind_after, 10), rule))
			return false;
		before = behind_before;
		after = behind_after;
	}
	return *before == *after;
}

static bool is_same(const char *member, json_object *before, json_object *after,
		    const struct sim_rule *rule)
{
	/* in words: what they are called with _ns tells it too */
	static const char *const words[] = {"time", "first_time", "last_time", "gave_up_time",
					    NULL};

	if (json_object_get_type(before) != json_object_get_type(after))
		return false;
	if (is_one_of(member, words))
		return true;
	if (rule->is_frame && (strcmp(member, "finding") == 0 || strcmp(member, "file") == 0))
		return true; /* of several captures: others come between, or it is another */
	if (rule->is_frame && strcmp(member, "frame") == 0)
		return is_same_number((uint64_t)json_object_get_int64(before),
				      (uint64_t)json_object_get_int64(after), rule);
	if (json_object_is_type(before, json_type_int))
		return expected(member, json_object_get_int64(before), rule) ==
		       json_object_get_int64(after);
	if (json_object_is_type(before, json_type_string) && strcmp(member, "text") == 0)
		return is_same_text(json_object_get_string(before), json_object_get_string(after),
				    rule);
	return json_object_equal(before, after);
}

static unsigned differ(const char *path, const char *member, json_object *before,
		       json_object *after, const struct sim_rule *rule);

static unsigned differ_objects(const char *path, json_object *before, json_object *after,
			       const struct sim_rule *rule)
{
	unsigned wrong = 0;
	char longer[PATH];

	json_object_object_foreach(before, name, value)
	{
		g_snprintf(longer, sizeof(longer), "%s.%s", path, name);
		wrong += differ(longer, name, value, json_object_object_get(after, name), rule);
	}
	json_object_object_foreach(after, other, added)
	{
		if (json_object_object_get_ex(before, other, NULL) ||
		    is_one_of(other, rule->beside))
			continue;
		fprintf(stderr, "%s.%s: %s, and not before\n", path, other,
			json_object_to_json_string(added));
		wrong++;
	}
	return wrong;
}

static unsigned differ_lists(const char *path, json_object *before, json_object *after,
			     const struct sim_rule *rule)
{
	size_t count = MAX(json_object_array_length(before), json_object_array_length(after));
	unsigned wrong = 0;
	char longer[PATH];

	for (size_t i = 0; i < count && wrong < ENOUGH; i++) {
		g_snprintf(longer, sizeof(longer), "%s[%zu]", path, i);
		wrong += differ(longer, "", json_object_array_get_idx(before, i),
				json_object_array_get_idx(after, i), rule);
	}
	return wrong;
}

static unsigned differ(const char *path, const char *member, json_object *before,
		       json_object *after, const struct sim_rule *rule)
{
	if (is_one_of(member, rule->beside))
		return 0;
	if (json_object_is_type(before, json_type_object) &&
	    json_object_is_type(after, json_type_object))
		return differ_objects(path, before, after, rule);
	if (json_object_is_type(before, json_type_array) &&
	    json_object_is_type(after, json_type_array))
		return differ_lists(path, before, after, rule);
	if (is_same(member, before, after, rule))
		return 0;
	fprintf(stderr, "%s: %s, and %s before\n", path, json_object_to_json_string(after),
		json_object_to_json_string(before));
	return 1;
}

unsigned sim_differ(const char *title, json_object *before, json_object *after,
		    const struct sim_rule *rule)
{
	return differ(title, "", before, after, rule);
}

unsigned sim_differ_frame(const char *title, uint32_t number, const struct sim_told *before,
			  const struct sim_told *after)
{
	unsigned wrong = 0;

#define SIM_SAME(member)                                                                           \
	if (before->member != after->member) {                                                     \
		fprintf(stderr, "%s: frame %" PRIu32 ": %s is %lld, and %lld before\n", title,     \
			number, #member, (long long)after->member, (long long)before->member);     \
		wrong++;                                                                           \
	}
	SIM_SAME(relative_known)
	SIM_SAME(icrc)
	SIM_SAME(flow)
	SIM_SAME(connection)
	SIM_SAME(relative_psn)
	SIM_SAME(retransmission_of)
	SIM_SAME(answers)
	SIM_SAME(cause)
	SIM_SAME(message_frame)
	SIM_SAME(events)
	SIM_SAME(trace.standing)
	SIM_SAME(trace.trigger)
	SIM_SAME(trace.message_known)
	SIM_SAME(trace.message)
	SIM_SAME(trace.message_bytes)
	SIM_SAME(trace.flight_known)
	SIM_SAME(trace.psns_in_flight)
	SIM_SAME(trace.bytes_in_flight)
	SIM_SAME(trace.reads_known)
	SIM_SAME(trace.reads_outstanding)
	SIM_SAME(trace.key_known)
	SIM_SAME(trace.key_uses)
#undef SIM_SAME
	return wrong;
}

unsigned sim_differ_frames(const char *title, const struct sim_outcome *before,
			   const struct sim_outcome *after)
{
	unsigned wrong = 0;

	for (uint32_t i = 0; i < before->count && wrong < ENOUGH; i++)
		wrong += sim_differ_frame(title, i + 1, &before->frames[i], &after->frames[i]);
	return wrong;
}

void sim_each_moment(json_object *value, void (*change)(json_object *moment, const void *context),
		     const void *context)
{
	if (json_object_is_type(value, json_type_array)) {
		for (size_t i = 0; i < json_object_array_length(value); i++)
			sim_each_moment(json_object_array_get_idx(value, i), change, context);
		return;
	}
	if (!json_object_is_type(value, json_type_object))
		return;
	if (json_object_object_get_ex(value, "sent", NULL))
		change(value, context);
	json_object_object_foreach(value, name, member)
	{
		(void)name;
		sim_each_moment(member, change, context);
	}
}

/* A finding that another explains names that by its place in the list, where one goes now. */
static void move_up(json_object *list, size_t gone)
{
	for (size_t i = 0; i < json_object_array_length(list); i++) {
		json_object *cause =
			json_object_object_get(json_object_array_get_idx(list, i), "explained_by");
		json_object *place = cause ? json_object_object_get(cause, "finding") : NULL;

		if (place && json_object_get_int64(place) > (int64_t)gone)
			json_object_set_int64(place, json_object_get_int64(place) - 1);
	}
}

void sim_drop(json_object *list, bool (*drop)(json_object *member, const void *context),
	      const void *context)
{
	for (size_t i = json_object_array_length(list); i-- > 0;)
		if (drop(json_object_array_get_idx(list, i), context)) {
			json_object_array_del_idx(list, i, 1);
			move_up(list, i);
		}
}

const char *sim_words(json_object *object, const char *member)
{
	json_object *value = json_object_object_get(object, member);

	return json_object_is_type(value, json_type_string) ? json_object_get_string(value) : "";
}

int64_t sim_number(json_object *object, const char *member, int64_t otherwise)
{
	json_object *value = json_object_object_get(object, member);

	return json_object_is_type(value, json_type_int) ? json_object_get_int64(value) : otherwise;
}
