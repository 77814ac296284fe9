/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the tap writes: frames as bytes.
 */
#ifndef RDA_SIM_CAPTURE_H
#define RDA_SIM_CAPTURE_H

#include "tests/simulate/packet.h"
#include "tests/simulate/plan.h"

struct sim_frame {
	int64_t time_ns;
	uint64_t offset; /* of its bytes in the store */
	uint32_t captured, wire;
};

struct sim_capture {
	struct sim_frame *frames; /* owned, and the store */
	uint8_t *store;
	uint32_t count, allocated;
	uint64_t used, size;
};

/* Virtual time 0. */
#define SIM_EPOCH_NS INT64_C(1700000000000000000)

void sim_capture_cleanup(struct sim_capture *capture);

/* Appends a frame that took `wire` bytes. */
void sim_capture_append(struct sim_capture *capture, int64_t time_ns, const uint8_t *bytes,
			uint32_t captured, uint32_t wire);

/* Appends the frame of a packet. */
void sim_capture_packet(struct sim_capture *capture, const struct sim_plan *plan,
			const struct sim_packet *packet, int64_t time_ns);

/* The CM exchange that made the connection. */
void sim_capture_exchange(struct sim_capture *capture, const struct sim_plan *plan);

/* Writes it as a pcap file; false when it cannot. */
bool sim_capture_write(const struct sim_capture *capture, const char *path);

#endif
