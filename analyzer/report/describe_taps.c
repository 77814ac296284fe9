/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Taps and hops as records.
 */
#include "analyzer/report/describe.h"

#include "analyzer/taps/relation.h"

#include <inttypes.h>

/* {"min": -3, "max": 12} */
static void put_bounds(struct rda_record *record, const char *name,
		       const struct rda_taps_bounds *bounds)
{
	rda_record_open(record, name);
	rda_record_signed_known(record, "min", bounds->has_min, bounds->min);
	rda_record_signed_known(record, "max", bounds->has_max, bounds->max);
	rda_record_close(record);
}

static void put_thousandths(struct rda_record *record, const char *name, bool known,
			    int64_t thousandths)
{
	char digits[32];

	g_snprintf(digits, sizeof(digits), "%s%" PRId64 ".%03d", thousandths < 0 ? "-" : "",
		   ABS(thousandths) / 1000, (int)(ABS(thousandths) % 1000));
	if (known)
		rda_record_decimal(record, name, digits);
	else
		rda_record_null(record, name);
}

/* Parts per million with three digits. */
static void put_ppm(struct rda_record *record, const char *name,
		    const struct rda_taps_bounds *bounds)
{
	rda_record_open(record, name);
	put_thousandths(record, "min", bounds->has_min, bounds->min);
	put_thousandths(record, "max", bounds->has_max, bounds->max);
	rda_record_close(record);
}

void rda_describe_tap(struct rda_record *record, const struct rda_tap *tap)
{
	rda_record_text(record, "name", tap->name);
	rda_record_text(record, "relation", rda_relation_name(tap->relation));
	rda_record_number(record, "group", tap->group);
	rda_record_open_list(record, "captures");
	for (uint32_t i = 0; i < rda_record_count(record, tap->count); i++) {
		if (!record->sink->rows) {
			rda_record_number(record, NULL, tap->first + i);
			continue;
		}
		rda_record_open(record, NULL); /* a row each */
		rda_record_number(record, "capture", tap->first + i);
		rda_record_close(record);
	}
	rda_record_close(record);
	rda_record_number(record, "not_compared", tap->not_compared);
	put_bounds(record, "clock_offset_ns", &tap->offset_ns);
	put_ppm(record, "drift_ppm", &tap->drift_ppb);
}

static void put_hop(struct rda_record *record, const struct rda_taps *taps,
		    const struct rda_hop *hop)
{
	rda_record_text(record, "from", taps ? taps->taps[hop->from].name : NULL);
	rda_record_text(record, "to", taps ? taps->taps[hop->to].name : NULL);
	rda_record_number(record, "flow", hop->flow);
	rda_record_flag(record, "ordered", hop->ordered);
	rda_record_number(record, "packets", hop->packets);
	rda_record_number(record, "lost", hop->lost);
	rda_record_number(record, "missed", hop->missed);
	rda_record_number(record, "duplicated", hop->duplicated);
	rda_record_number(record, "appeared", hop->appeared);
	rda_record_number(record, "reordered", hop->reordered);
	rda_record_number(record, "changed", hop->changed);
	rda_record_number(record, "dscp_changed", hop->dscp_changed);
	rda_record_number(record, "ce_set", hop->ce_set);
	rda_record_number(record, "icrc_broken", hop->icrc_broken);
	rda_record_number(record, "misread", hop->misread);
	rda_record_number(record, "not_compared", hop->not_compared);
	rda_describe_latency(record, "delay_ns", &hop->delay);
	rda_record_signed_known(record, "delay_error_ns", hop->error_ns >= 0, hop->error_ns);
}

static void put_waits(struct rda_record *record, const struct rda_taps *taps,
		      const struct rda_taps_waits *waits)
{
	rda_record_number(record, "flow", waits->flow);
	rda_record_text(record, "from", taps ? taps->taps[waits->from].name : NULL);
	rda_record_text(record, "to", taps ? taps->taps[waits->to].name : NULL);
	rda_record_signed(record, "network_ns", waits->network_ns);
	rda_record_signed(record, "responder_ns", waits->responder_ns);
	rda_record_signed(record, "not_known_ns", waits->unknown_ns);
}

static void describe_waits(struct rda_record *record, const struct rda_taps *taps,
			   uint32_t connection)
{
	static const struct rda_taps_waits nothing;

	rda_record_open_list(record, "waits");
	for (uint8_t flow = 0; flow < 2; flow++) {
		const struct rda_taps_waits *waits = taps   ? rda_taps_waits(taps, connection, flow)
						     : flow ? NULL
							    : &nothing;

		if (!waits)
			continue;
		rda_record_open(record, NULL);
		put_waits(record, taps, waits);
		rda_record_close(record);
	}
	rda_record_close(record);
}

void rda_describe_hops(struct rda_record *record, const struct rda_taps *taps, uint32_t connection)
{
	static const struct rda_hop nothing = {.error_ns = -1};
	const struct rda_hop *hops = &nothing;
	uint32_t count = 1;

	if (taps)
		hops = rda_taps_hops(taps, connection, &count);
	rda_record_text(record, "tap", taps ? taps->taps[taps->tap_of[connection]].name : NULL);
	rda_record_open_list(record, "hops");
	for (uint32_t i = 0; i < count; i++) {
		rda_record_open(record, NULL);
		put_hop(record, taps, &hops[i]);
		rda_record_close(record);
	}
	rda_record_close(record);
	describe_waits(record, taps, connection);
}
