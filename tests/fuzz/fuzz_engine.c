/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sequence of frames through the engine, twice with different hash seeds, then everything that
 * the finished engine can be asked.
 *
 *     { link 1 | time step 2, signed | tap and new capture 1 | captured 2 | wire - captured 2 |
 * bytes }*
 *
 * The books must balance: every frame is counted once and for one verdict, the verdicts of a second
 * pass are those that the captures counted, connections and flows name each other, and the seed
 * does not show.
 */
#include "tests/fuzz/must.h"
#include "tests/unit/finish.h"

enum { PREFIX = 8, TAPS = 4, NEW_CAPTURE = 0x80, CAPTURES_MAX = 16, STEP_NS = 1000 };

/*
 * The time of the next frame. Built as fuzz_times (RDA_FUZZ_TIMES) the same two bytes are a time of
 * its own, anywhere within 2^62 (rda.h): m * 2^e, of ten and six bits.
 */
static int64_t time_of(int64_t before, uint16_t bytes)
{
#ifdef RDA_FUZZ_TIMES
	unsigned exponent = bytes & 0x3f;
	int64_t factor = INT64_C(1) << (exponent < 53 ? exponent : 53);

	(void)before;
	return ((int16_t)bytes >> 6) * factor;
#else
	return before + (int64_t)(int16_t)bytes * STEP_NS;
#endif
}

struct input {
	const uint8_t *data;
	size_t size;
	struct rda_meta meta;
	unsigned capture;
	bool new_capture;
};

static struct input input_of(const uint8_t *data, size_t size)
{
	return (struct input){
		.data = data, .size = size, .meta.time_ns = INT64_C(1700000000000000000)};
}

/* The next frame; false at the end. What a record claims and the input does not have is cut off. */
static bool next_frame(struct input *in, struct rda_frame *frame)
{
	uint32_t captured;

	if (in->size < PREFIX)
		return false;
	in->new_capture =
		in->data[3] & NEW_CAPTURE && in->meta.number > 0 && in->capture + 1 < CAPTURES_MAX;
	in->capture += in->new_capture;
	in->meta.number = in->new_capture ? 1 : in->meta.number + 1;
	in->meta.time_ns = time_of(in->meta.time_ns, rda_be16(in->data + 1));
	in->meta.tap = in->data[3] % TAPS;
	captured = rda_be16(in->data + 4);
	if (captured > in->size - PREFIX)
		captured = (uint32_t)(in->size - PREFIX);
	*frame = rda_frame_copy(in->data + PREFIX, captured, captured + rda_be16(in->data + 6),
				rda_link_of_byte(in->data[0]));
	in->data += PREFIX + captured;
	in->size -= PREFIX + captured;
	return true;
}

static struct rda_engine *run(const uint8_t *data, size_t size, uint64_t hash_seed)
{
	struct rda_config config = {.dissect = {.ports = {4790}, .port_count = 1},
				    .hash_seed = hash_seed};
	struct rda_engine *engine = rda_engine_new(&config);
	struct input in = input_of(data, size);
	struct rda_frame frame;

	rda_engine_begin_capture(engine);
	while (next_frame(&in, &frame)) {
		if (in.new_capture)
			rda_engine_begin_capture(engine);
		rda_engine_packet(engine, &in.meta, &frame);
		rda_frame_free(&frame);
	}
	rda_engine_finish(engine);
	RDA_MUST(rda_engine_capture_count(engine) == in.capture + 1);
	return engine;
}

/* ---- the books ------------------------------------------------------------------------------ */

/* What a second pass says of the frames, to be compared with what the first one counted. */
struct count {
	uint64_t packets, rdma, with_flow;
	uint64_t icrc[RDA_ICRC_VERDICTS];
};

static void count_verdict(const struct rda_engine *engine, const struct rda_packet *packet,
			  struct rda_verdict verdict, struct count *count)
{
	const struct rda_connection *connection;

	count->packets++;
	if (packet->carrier == RDA_CARRIER_NONE)
		return;
	count->rdma++;
	RDA_MUST(verdict.icrc < RDA_ICRC_VERDICTS);
	count->icrc[verdict.icrc]++;
	RDA_MUST((verdict.connection < 0) == (verdict.flow < 0));
	if (verdict.connection < 0)
		return;
	count->with_flow++;
	RDA_MUST((unsigned)verdict.connection < rda_engine_connection_count(engine));
	connection = rda_engine_connection(engine, (unsigned)verdict.connection);
	RDA_MUST(connection->flows[verdict.flow] != NULL);
	RDA_MUST(connection->flows[verdict.flow]->key.dest_qp == packet->bth.dest_qp);
}

static void check_capture(const struct rda_capture *capture, const struct count *count)
{
	uint64_t rdma = 0;

	RDA_MUST(capture->packets == count->packets);
	for (unsigned i = 0; i < RDA_CARRIER_COUNT; i++) /* FPDUs are no packets: fuzz_stream.c */
		rdma += i == RDA_CARRIER_IWARP ? 0 : capture->rdma_packets[i];
	RDA_MUST(rdma == count->rdma);
	for (unsigned i = 0; i < RDA_ICRC_VERDICTS; i++)
		RDA_MUST(capture->icrc[i] == count->icrc[i]);
	RDA_MUST(capture->malformed <= rdma && capture->cut_by_snaplen <= capture->packets);
	RDA_MUST(capture->packets == 0 || capture->first_time_ns <= capture->last_time_ns);
}

static uint64_t second_pass(const struct rda_engine *engine, const uint8_t *data, size_t size)
{
	struct input in = input_of(data, size);
	struct count count = {0};
	struct rda_packet packet;
	struct rda_frame frame;
	uint64_t with_flow = 0;

	while (next_frame(&in, &frame)) {
		struct rda_dissect_config config = {.ports = {4790}, .port_count = 1};

		if (in.new_capture) {
			check_capture(rda_engine_capture(engine, in.capture - 1), &count);
			with_flow += count.with_flow;
			count = (struct count){0};
		}
		rda_dissect(&packet, &frame, &config);
		count_verdict(engine, &packet,
			      rda_engine_verdict(engine, in.capture, &in.meta, &frame, &packet),
			      &count);
		rda_frame_free(&frame);
	}
	check_capture(rda_engine_capture(engine, in.capture), &count);
	return with_flow + count.with_flow;
}

static void check_flow(const struct rda_engine *engine, const struct rda_connection *connection,
		       unsigned side)
{
	const struct rda_flow *flow = connection->flows[side];
	/* a damaged FPDU is counted as that alone: its length may be wrong */
	uint64_t damaged =
		connection->carrier == RDA_CARRIER_IWARP ? 0 : rda_flow_rare(flow)->damaged;

	RDA_MUST(rda_engine_connection_of(engine, flow) == connection->id);
	RDA_MUST(flow->packets >=
		 damaged + flow->request_packets + rda_flow_answers(flow)->packets);
	RDA_MUST(flow->requests.count <= RDA_RANGES_CAP &&
		 rda_flow_rare(flow)->responses.count <= RDA_RANGES_CAP);
}

static void check_connections(const struct rda_engine *engine, uint64_t with_flow)
{
	uint64_t packets = 0;

	for (unsigned i = 0; i < rda_engine_connection_count(engine); i++) {
		const struct rda_connection *connection = rda_engine_connection(engine, i);

		RDA_MUST(connection->id == i && connection->flows[0] != NULL);
		RDA_MUST(connection->paired_by < RDA_PAIRED_BY_COUNT);
		RDA_MUST((connection->paired_by != RDA_PAIRED_BY_NONE) ==
			 (connection->flows[1] != NULL));
		for (unsigned side = 0; side < 2; side++) {
			if (!connection->flows[side])
				continue;
			check_flow(engine, connection, side);
			if (connection->carrier != RDA_CARRIER_IWARP)
				packets += connection->flows[side]->packets;
		}
	}
	/* a damaged packet before the first good one of its flow belongs to no flow yet */
	RDA_MUST(packets <= with_flow);
}

/* ---- the seed does not show ------------------------------------------------------------------ */

static void check_same(const struct rda_engine *a, const struct rda_engine *b)
{
	RDA_MUST(rda_engine_connection_count(a) == rda_engine_connection_count(b));
	for (unsigned i = 0; i < rda_engine_connection_count(a); i++) {
		const struct rda_connection *one = rda_engine_connection(a, i);
		const struct rda_connection *two = rda_engine_connection(b, i);

		RDA_MUST(one->service == two->service && one->paired_by == two->paired_by);
		RDA_MUST(one->path_mtu == two->path_mtu);
		for (unsigned side = 0; side < 2; side++) {
			RDA_MUST(one->endpoints[side].qpn == two->endpoints[side].qpn);
			RDA_MUST(!one->flows[side] == !two->flows[side]);
			if (one->flows[side])
				RDA_MUST(memcmp(&one->flows[side]->key, &two->flows[side]->key,
						sizeof(one->flows[side]->key)) == 0);
		}
	}
	RDA_MUST(rda_engine_groups_not_compared(a) == rda_engine_groups_not_compared(b));
	RDA_MUST(rda_engine_host_count(a) == rda_engine_host_count(b));
	for (unsigned i = 0; i < rda_engine_host_count(a); i++)
		RDA_MUST(memcmp(rda_engine_host(a, i), rda_engine_host(b, i),
				sizeof(struct rda_host)) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rda_engine *engine = run(data, size, 0);
	struct rda_engine *other = run(data, size, UINT64_C(0x9e3779b97f4a7c15));

	check_connections(engine, second_pass(engine, data, size));
	check_same(engine, other);
	rda_engine_drop(engine);
	rda_engine_drop(other);
	return 0;
}
