/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Taps and their results, once all was read. See run_taps.h.
 */
#include "analyzer/rdma-analyze/run_taps.h"

#include "analyzer/base/address.h"
#include "analyzer/engine/join.h"
#include "analyzer/taps/fates.h"
#include "analyzer/taps/network.h"
#include "analyzer/taps/waited.h"
#include "analyzer/track/flow.h"
#include "analyzer/track/roce/icrc_source.h"
#include "analyzer/track/roce/time_sums.h"
#include "dissectors/aeth.h"
#include "dissectors/icrc.h"
#include "dissectors/outer.h"
#include "dissectors/tcp.h"
#include "dissectors/values.h"

#include <stdlib.h>
#include <string.h>

/* ---- the packets of a tap -------------------------------------------------------------------- */

struct rda_passages *rda_run_new_passages(void)
{
	struct rda_passages *passages = g_new(struct rda_passages, 1);

	rda_passages_init(passages);
	return passages;
}

void rda_run_free_passages(void *passages)
{
	if (passages)
		rda_passages_cleanup(passages);
	g_free(passages);
}

/* Of a reliable service, with one of these roles. */
static bool is_reliable(const struct rda_packet *packet, unsigned roles)
{
	return rda_has(packet, BTH) && packet->opcode->roles & roles &&
	       (packet->opcode->transport == RDA_TRANSPORT_RC ||
		packet->opcode->transport == RDA_TRANSPORT_XRC);
}

/* Waits that have become known, of which the result tells later which cause they were. */
static void take_waits(struct rda_run *run)
{
	unsigned count;
	const struct rda_time_told *told = rda_engine_times(run->engine, &count);

	for (unsigned i = 0; i < count; i++) {
		const struct rda_passage_wait wait = {told[i].begin_ns, told[i].end_ns,
						      told[i].flow->number, told[i].cause,
						      told[i].depth};

		if (told[i].depth || told[i].cause == RDA_TIME_WAITING)
			rda_passages_add_wait(run->at_hand, &wait);
	}
}

/* Whether it fits its ICRC, or TCP's checksum: 1; 0: there is none to check; -1: it does not. */
static int check_of(const struct rda_fingerprint *print, const struct rda_frame *frame,
		    const struct rda_packet *packet)
{
	if (print->is_tcp) {
		enum rda_tcp_check check = rda_tcp_check(frame, packet);

		return (check == RDA_TCP_CHECK_MATCH) - (check == RDA_TCP_CHECK_MISMATCH);
	}
	switch (rda_icrc_check(frame, packet)) {
	case RDA_ICRC_CHECK_NONE: return 0;
	case RDA_ICRC_CHECK_MATCH: return 1;
	default: return -1;
	}
}

/* Class and mark of a packet, in whatever tunnels it is. */
static void take_class(struct rda_passage *passage, const struct rda_frame *frame,
		       const struct rda_packet *packet)
{
	const struct rda_outer outer = rda_outer_of(frame, packet);

	passage->dscp = packet->dscp;
	passage->outer_dscp = outer.dscp;
	passage->ecn = outer.marked ? RDA_ECN_CE : packet->ecn;
	passage->ttl = rda_packet_hop_limit(frame, packet);
	passage->vouched = !outer.tunnels && rda_ip4_checksum_fits(frame, packet);
}

void rda_run_passage(struct rda_run *run, uint64_t place, const struct rda_meta *meta,
		     const struct rda_frame *frame, const struct rda_packet *packet)
{
	const struct rda_flow *flow = rda_engine_flow(run->engine);
	struct rda_fingerprint print;
	struct rda_passage passage;
	bool torn, damaged, checked;
	int check;

	take_waits(run);
	if (!rda_fingerprint_of(&print, frame, packet))
		return;
	check = check_of(&print, frame, packet);
	torn = rda_ip4_checksum_fails(frame, packet);
	damaged = torn || check < 0;
	checked = !torn && check > 0;
	passage = (struct rda_passage){
		.hash = print.hash,
		.time_ns = meta->time_ns,
		.place = place,
		.pair = rda_address_pair(&packet->source, &packet->destination),
		.icrc = print.has_icrc ? print.icrc : 0,
		.flow = flow ? flow->number : RDA_PASSAGE_NO_FLOW,
		.sequence = print.sequence,
		.forward =
			memcmp(&packet->source, &packet->destination, sizeof(packet->source)) < 0,
		.answered = is_reliable(packet, RDA_ROLE_REQUEST),
		.answers = is_reliable(packet, RDA_ROLE_ACK | RDA_ROLE_RESPONSE),
		.refuses = rda_has(packet, AETH) &&
			   rda_syndrome_kind(packet->aeth.syndrome) != RDA_AETH_ACK,
		.damaged = damaged,
		.checked = checked,
		.torn = torn,
		.cut = frame->captured < frame->wire,
	};
	take_class(&passage, frame, packet);
	run->at_hand->lacks_icrc |= !print.is_tcp && !print.has_icrc;
	rda_passages_add(run->at_hand, &passage);
}

struct rda_result *rda_run_tap_result(struct rda_run *run)
{
	struct rda_result *result;
	uint32_t count, *numbers;

	if (!run->at_hand)
		return rda_engine_spend(g_steal_pointer(&run->engine));
	result = rda_engine_result(run->engine);
	count = rda_result_flow_count(result);
	rda_engine_times_left(run->engine, result);
	take_waits(run);
	numbers = g_new(uint32_t, count);
	for (uint32_t i = 0; i < count; i++)
		numbers[i] = rda_result_flow_at(result, i)->number;
	rda_passages_settle(run->at_hand, numbers, count);
	rda_passages_put_in_order(run->at_hand);
	g_free(numbers);
	return result;
}

/* ---- results --------------------------------------------------------------------------------- */

/* Neighbours are joined, then those that came of them: so what is copied grows by few. */
static struct rda_result *join(struct rda_joined *joined, uint32_t count)
{
	struct rda_joined one, two;
	struct rda_result *both, *a, *b;

	if (count == 1)
		return NULL;
	a = join(joined, count / 2);
	b = join(joined + count / 2, count - count / 2);
	one = joined[0];
	if (a)
		one = (struct rda_joined){.result = a};
	two = joined[count / 2];
	if (b)
		two = (struct rda_joined){.result = b};
	both = rda_result_join(&one, &two);
	rda_result_free(a);
	rda_result_free(b);
	return both;
}

/* The taps of a group are held against each other; what is told of each, and what was found. */
static void compare(struct rda_run *run, uint32_t first, uint32_t count, struct rda_joined *joined,
		    const struct rda_network_found *found)
{
	struct rda_network_tap *taps = g_new0(struct rda_network_tap, count);

	for (uint32_t i = 0; i < count; i++) {
		const struct rda_result *result = run->results->pdata[first + i];
		bool *connections = g_new0(bool, rda_result_connection_count(result) + 1);
		bool *hosts = g_new0(bool, rda_result_host_count(result) + 1);

		taps[i] = (struct rda_network_tap){
			.result = result,
			.passages = run->passages->pdata[first + i],
			.facts = &run->taps->taps[first + i],
			.number = first + i,
			.connections = connections,
			.hosts = hosts,
		};
		joined[first + i] = (struct rda_joined){result, connections, hosts};
	}
	rda_network_find(taps, count, found);
	g_free(taps);
}

/* Of each connection the tap that is told, and its hops, in order. */
static gint compare_hops(gconstpointer one, gconstpointer two)
{
	const struct rda_hop *a = one, *b = two;

	if (a->connection != b->connection)
		return a->connection < b->connection ? -1 : 1;
	if (a->flow != b->flow)
		return a->flow < b->flow ? -1 : 1;
	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return (a->to > b->to) - (a->to < b->to);
}

static void settle_hops(struct rda_taps *taps, const GArray *hops, GHashTable *places)
{
	taps->hops = g_new(struct rda_hop, hops->len + 1);
	for (uint32_t i = 0; i < hops->len; i++) {
		const struct rda_network_hop *from =
			&g_array_index(hops, struct rda_network_hop, i);
		struct rda_hop *hop = &taps->hops[taps->hop_count++];

		*hop = from->hop;
		hop->connection = GPOINTER_TO_UINT(g_hash_table_lookup(places, &from->place));
	}
	if (taps->hop_count)
		qsort(taps->hops, taps->hop_count, sizeof(*taps->hops), compare_hops);
}

static void settle_waits(struct rda_taps *taps, const struct rda_network_found *found,
			 GHashTable *places)
{
	taps->waits = g_new(struct rda_taps_waits, found->waits->len + 1);
	taps->parts = g_new(struct rda_taps_part, found->parts->len + 1);
	for (uint32_t i = 0; i < found->waits->len; i++) {
		const struct rda_network_waits *from =
			&g_array_index(found->waits, struct rda_network_waits, i);
		struct rda_taps_waits *waits = &taps->waits[taps->wait_count++];

		*waits = from->waits;
		waits->connection = GPOINTER_TO_UINT(g_hash_table_lookup(places, &from->place));
	}
	for (uint32_t i = 0; i < found->parts->len; i++) {
		const struct rda_network_part *from =
			&g_array_index(found->parts, struct rda_network_part, i);
		struct rda_taps_part *part = &taps->parts[taps->part_count++];

		*part = from->part;
		part->connection = GPOINTER_TO_UINT(g_hash_table_lookup(places, &from->place));
	}
	rda_taps_sort_waits(taps);
}

static void settle(struct rda_taps *taps, const struct rda_result *result,
		   const struct rda_network_found *found)
{
	GHashTable *places = g_hash_table_new(g_int64_hash, g_int64_equal);
	uint32_t count = rda_result_connection_count(result);

	taps->connection_count = count;
	taps->tap_of = g_new0(uint32_t, count + 1);
	for (uint32_t i = 0; i < rda_result_flow_count(result); i++) {
		const struct rda_flow_facts *flow = rda_result_flow_at(result, i);
		uint32_t tap = taps->count;

		while (tap > 1 && taps->taps[tap - 1].first > rda_place_capture(flow->first_place))
			tap--;
		taps->tap_of[flow->connection] = tap - 1;
		g_hash_table_insert(places, (void *)&flow->first_place,
				    GUINT_TO_POINTER(flow->connection));
	}
	settle_hops(taps, found->hops, places);
	settle_waits(taps, found, places);
	g_hash_table_destroy(places);
}

struct rda_result *rda_run_joined(struct rda_run *run)
{
	uint32_t count = run->results->len;
	struct rda_joined *joined = g_new0(struct rda_joined, count);
	struct rda_network_found found = rda_network_found_new();
	struct rda_result *result;
	bool compared = false;

	for (uint32_t i = 0; i < count; i++)
		joined[i].result = run->results->pdata[i];
	for (uint32_t i = 0, taps = 1; run->taps && run->taps->count == count && i < count;
	     i += taps) {
		for (taps = 1; i + taps < count &&
			       run->taps->taps[i + taps].group == run->taps->taps[i].group;
		     taps++)
			continue;
		if (taps > 1) {
			compare(run, i, taps, joined, &found);
			compared = true;
		}
	}
	result = count > 1 ? join(joined, count) : g_steal_pointer(&run->results->pdata[0]);
	if (compared) {
		settle(run->taps, result, &found);
		rda_taps_waited(run->taps, result);
		rda_taps_fates(run->taps, result);
	}
	for (uint32_t i = 0; i < count; i++) {
		g_free((bool *)joined[i].connections);
		g_free((bool *)joined[i].hosts);
	}
	rda_network_found_cleanup(&found);
	g_free(joined);
	return result;
}

/* ---- taps ------------------------------------------------------------------------------------ */

static char *tap_name(const struct rda_surveyed *of)
{
	if (of->by_interface && !of->tap)
		return g_strdup_printf("%s, interface %u", of->file, of->interface);
	return g_strdup(of->tap ? of->tap : of->file);
}

/* Names are without their folders, which sentences that name two of them have no room for, where
 * that tells the taps apart. */
static void shorten_names(struct rda_taps *taps)
{
	GHashTable *names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (uint32_t i = 0; i < taps->count; i++)
		g_hash_table_add(names, g_path_get_basename(taps->taps[i].name));
	for (uint32_t i = 0; g_hash_table_size(names) == taps->count && i < taps->count; i++) {
		char *whole = taps->taps[i].name;

		taps->taps[i].name = g_path_get_basename(whole);
		g_free(whole);
	}
	g_hash_table_unref(names);
}

/* Taps of which a file could be read. */
struct rda_taps *rda_run_taps(const struct rda_run *run)
{
	const struct rda_relation *relation = run->survey->relation;
	struct rda_taps *taps = g_new0(struct rda_taps, 1);

	taps->taps = g_new0(struct rda_tap, run->inputs->len);
	for (unsigned i = 0; i < run->inputs->len; i++) {
		const struct rda_input *input = rda_run_input(run, i);
		const struct rda_relation_seat *seat = &relation->seats[input->seat];
		const struct rda_surveyed *of = &run->survey->inputs[seat->input];
		struct rda_tap *tap;

		if (input->scope != i) {
			taps->taps[taps->count - 1].count++;
			continue;
		}
		tap = &taps->taps[taps->count++];
		*tap = (struct rda_tap){
			.name = tap_name(of),
			.group = seat->group,
			.relation = (uint8_t)rda_relation_of(relation, input->seat),
			.first = i,
			.count = 1,
		};
	}
	taps->group_count = relation->group_count;
	if (!run->options->taps.count)
		shorten_names(taps);
	return taps;
}
