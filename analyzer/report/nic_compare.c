/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Holding a NIC's counters against a capture. See nic_compare.h.
 */
#include "analyzer/report/nic_compare.h"

#include <string.h>

const char *rda_nic_verdict_name(unsigned verdict)
{
	static const char *const names[] = {
#define RDA_V(ID, name, words) name,
		RDA_NIC_VERDICTS(RDA_V)
#undef RDA_V
	};

	return names[verdict];
}

const char *rda_nic_verdict_words(unsigned verdict)
{
	static const char *const all[] = {
#define RDA_V(ID, name, words) words,
		RDA_NIC_VERDICTS(RDA_V)
#undef RDA_V
	};

	return all[verdict];
}

/* ---- the table of names ---------------------------------------------------------------------- */

enum kind { HELD, DROPS, PART, LEFT };

struct known {
	const char *name;
	uint8_t kind, measure;
	const char *with; /* that is added to it; or NULL */
};

/* NULL: it is unknown. */
static const struct known *find_known(const char *name)
{
	static const struct known table[] = {
#define RDA_C(driver, name, kind, measure, with) {name, kind, RDA_NIC_MEASURE_##measure, with},
		RDA_NIC_COUNTERS(RDA_C)
#undef RDA_C
	};

	if (g_str_has_prefix(name, "vport_")) /* mlx5, of a virtual port */
		name += strlen("vport_");
	for (unsigned i = 0; i < G_N_ELEMENTS(table); i++)
		if (strcmp(table[i].name, name) == 0)
			return &table[i];
	return NULL;
}

/* ---- one counter ----------------------------------------------------------------------------- */

static bool is_of(const struct rda_nic_reading *reading, const char *device)
{
	return !device || !*reading->device || strcmp(reading->device, device) == 0;
}

/* The one that is added to another: of the same device and form. */
static uint64_t change_of(const struct rda_nic_counters *counters,
			  const struct rda_nic_reading *beside, const char *name)
{
	char *key = g_strndup(beside->key, strlen(beside->key) - strlen(beside->name)), *whole;
	const struct rda_nic_reading *reading;
	uint64_t change = 0;

	whole = g_strconcat(key, name, NULL);
	reading = g_hash_table_lookup(counters->by_key, whole);
	if (reading && rda_nic_counters_change(counters, reading, &change) != RDA_NIC_CHANGE_KNOWN)
		change = 0;
	g_free(whole);
	g_free(key);
	return change;
}

/* What of the difference has a reason, reason by reason; the rest is returned. */
static uint64_t explain(struct rda_nic_row *row, const struct rda_nic_wire *wire, unsigned measure,
			uint32_t reasons, uint64_t difference)
{
	for (unsigned reason = 0; reason < RDA_NIC_REASON_COUNT && difference; reason++) {
		uint64_t room;

		if (!(reasons & 1u << reason))
			continue;
		room = MIN(rda_nic_wire_room(wire, measure, reason), difference);
		if (!room || row->why_count == RDA_NIC_WHYS_MAX)
			continue;
		row->whys[row->why_count++] = (struct rda_nic_why){(uint8_t)reason, room};
		difference -= room;
	}
	return difference;
}

static void hold(struct rda_nic_row *row, const struct rda_nic_wire *wire, unsigned measure)
{
	const struct rda_nic_measure_row *about = rda_nic_measure_row(measure);

	row->wire = wire->value[measure];
	if (row->wire == RDA_UNKNOWN) {
		row->verdict = RDA_NIC_VERDICT_NO_WIRE;
		return;
	}
	if (row->nic > row->wire)
		row->unexplained = explain(row, wire, measure, about->more | wire->whole,
					   row->nic - row->wire);
	else
		row->unexplained = explain(row, wire, measure, about->less, row->wire - row->nic);
	row->verdict = row->nic == row->wire ? RDA_NIC_VERDICT_SAME
		       : row->unexplained    ? RDA_NIC_VERDICT_DIFFERS
					     : RDA_NIC_VERDICT_EXPLAINED;
	/* that it sent fewer than came by is no loss */
	row->packets &= measure != RDA_NIC_MEASURE_packets_sent || row->nic > row->wire;
}

static void add_row(struct rda_nic_compared *compared, const struct rda_nic_wire *wire,
		    const struct rda_nic_reading *reading, const struct known *known)
{
	const struct rda_nic_measure_row *about = rda_nic_measure_row(known->measure);
	struct rda_nic_row row = {
		.name = known->name,
		.device = reading->device,
		.measure = known->kind == HELD ? about->name : NULL,
		.packets = known->kind == DROPS || about->packets,
		.wire = RDA_UNKNOWN,
		.lost = wire->received[RDA_NIC_REASON_LOST_BEHIND],
	};
	enum rda_nic_change change =
		rda_nic_counters_change(&compared->counters, reading, &row.nic);

	if (change != RDA_NIC_CHANGE_KNOWN) {
		row.nic = RDA_UNKNOWN;
		row.verdict = change == RDA_NIC_CHANGE_READ_ONCE ? RDA_NIC_VERDICT_READ_ONCE
								 : RDA_NIC_VERDICT_WENT_BACK;
	} else if (known->kind == DROPS) {
		row.verdict = row.nic ? RDA_NIC_VERDICT_DROPS : RDA_NIC_VERDICT_SAME;
	} else {
		if (known->with)
			row.nic += change_of(&compared->counters, reading, known->with);
		hold(&row, wire, known->measure);
	}
	g_array_append_val(compared->rows, row);
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* The least that counters of a measure say, as one of them may be of the whole port. */
static uint64_t told_of(const struct rda_nic_counters *counters, const char *device,
			enum rda_nic_measure measure)
{
	uint64_t told = RDA_UNKNOWN;

	for (guint i = 0; i < counters->readings->len; i++) {
		const struct rda_nic_reading *reading = g_ptr_array_index(counters->readings, i);
		const struct known *known = find_known(reading->name);
		uint64_t change;

		if (known && known->kind == HELD && known->measure == measure &&
		    is_of(reading, device) &&
		    rda_nic_counters_change(counters, reading, &change) == RDA_NIC_CHANGE_KNOWN)
			told = MIN(told, change);
	}
	return told;
}

/* Whether a counter has a row already: programs may tell of it twice, in different forms. */
static bool has_row(const struct rda_nic_compared *compared, const struct known *known)
{
	for (guint i = 0; i < compared->rows->len; i++) {
		const struct rda_nic_row *row =
			&g_array_index(compared->rows, struct rda_nic_row, i);

		if (row->name == known->name)
			return true;
	}
	return false;
}

static void take_reading(struct rda_nic_compared *compared, const struct rda_nic_wire *wire,
			 const struct rda_nic_reading *reading)
{
	const struct known *known = find_known(reading->name);

	if (!known || known->kind == LEFT)
		g_ptr_array_add(compared->not_compared, reading->name);
	else if (known->kind != PART && !has_row(compared, known))
		add_row(compared, wire, reading, known);
}

struct rda_nic_compared *rda_nic_compare(const char *host, const struct rda_address *addresses,
					 unsigned address_count, struct rda_nic_counters *counters,
					 const char *device, const struct rda_result *result,
					 bool filtered)
{
	struct rda_nic_compared *compared = g_new0(struct rda_nic_compared, 1);
	struct rda_nic_wire wire;

	compared->host = g_strdup(host);
	compared->address_count = MIN(address_count, RDA_NIC_ADDRESSES_MAX);
	if (compared->address_count)
		memcpy(compared->addresses, addresses,
		       compared->address_count * sizeof(*addresses));
	compared->counters = *counters;
	*counters = (struct rda_nic_counters){0};
	compared->rows = g_array_new(FALSE, FALSE, sizeof(struct rda_nic_row));
	compared->not_compared = g_ptr_array_new();
	rda_nic_wire_of(&wire, result, compared->addresses, compared->address_count, filtered);
	rda_nic_wire_told(&wire, told_of(&compared->counters, device, RDA_NIC_MEASURE_packets_sent),
			  told_of(&compared->counters, device, RDA_NIC_MEASURE_packets_received));
	for (guint i = 0; i < compared->counters.readings->len; i++) {
		const struct rda_nic_reading *reading =
			g_ptr_array_index(compared->counters.readings, i);

		if (is_of(reading, device))
			take_reading(compared, &wire, reading);
	}
	return compared;
}

void rda_nic_compared_free(void *data)
{
	struct rda_nic_compared *compared = data;

	if (!compared)
		return;
	g_array_unref(compared->rows);
	g_ptr_array_unref(compared->not_compared);
	rda_nic_counters_cleanup(&compared->counters);
	g_free(compared->host);
	g_free(compared);
}

char **rda_nic_compare_devices(const struct rda_nic_counters *counters)
{
	GPtrArray *devices = g_ptr_array_new();

	for (guint i = 0; i < counters->readings->len; i++) {
		const struct rda_nic_reading *reading = g_ptr_array_index(counters->readings, i);
		bool known = !*reading->device;

		for (guint k = 0; k < devices->len && !known; k++)
			known = strcmp(g_ptr_array_index(devices, k), reading->device) == 0;
		if (!known)
			g_ptr_array_add(devices, g_strdup(reading->device));
	}
	g_ptr_array_add(devices, NULL);
	return (char **)(void *)g_ptr_array_free(devices, FALSE);
}
