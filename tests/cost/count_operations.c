/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many steps the engine takes for a capture: basic blocks of the engine and the dissectors,
 * which are built with -fsanitize-coverage=trace-pc for this. They are the same in each run, unlike
 * time. What libraries do (sorting, copying, allocating) is not counted.
 *
 *     count_operations < FILE     pcap, of microseconds, in this host's byte order, Ethernet
 */
#include "analyzer/engine/engine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void __sanitizer_cov_trace_pc(void);

static uint64_t steps;

void __sanitizer_cov_trace_pc(void)
{
	steps++;
}

enum { FILE_HEADER = 24, FRAME_MAX = 65536 };

int main(void)
{
	static uint8_t bytes[FRAME_MAX];
	/* tables are seeded: the same steps each time */
	const struct rda_config config = {.hash_seed = 1};
	struct rda_engine *engine = rda_engine_new(&config);
	struct rda_meta meta = {0};
	uint32_t header[4];

	if (fread(bytes, FILE_HEADER, 1, stdin) != 1)
		return EXIT_FAILURE;
	rda_engine_begin_capture(engine);
	while (fread(header, sizeof(header), 1, stdin) == 1 && header[2] <= FRAME_MAX &&
	       fread(bytes, 1, header[2], stdin) == header[2]) {
		struct rda_frame frame = {bytes, header[2], header[3], 1};

		meta.number++;
		meta.time_ns = header[0] * INT64_C(1000000000) + header[1] * INT64_C(1000);
		rda_engine_packet(engine, &meta, &frame);
	}
	rda_engine_end(engine);
	rda_result_free(rda_engine_result(engine));
	rda_engine_free(engine);
	printf("%" PRIu64 "\n", steps);
	return EXIT_SUCCESS;
}
