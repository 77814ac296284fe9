/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Captures made into others that tell the same story: with other PSNs, other times, the sides
 * exchanged, less of each frame, beside another capture. Checksums stay as right or wrong as they
 * were.
 */
#ifndef RDA_SIM_REWRITE_H
#define RDA_SIM_REWRITE_H

#include "dissectors/packet.h"
#include "tests/simulate/capture.h"

/* A frame that is being changed. */
struct sim_edit {
	uint8_t *bytes;
	struct rda_frame frame;
	struct rda_packet packet;
	uint32_t error; /* what its ICRC differs by from the right one: 0 of a good one */
	bool checked;	/* it has an ICRC that can be computed */
};

void sim_edit_begin(struct sim_edit *edit, struct sim_capture *capture, uint32_t index);

/* CRCs are linear: what was good is good again, what was damaged is as damaged. */
void sim_edit_end(struct sim_edit *edit);

void sim_copy(struct sim_capture *to, const struct sim_capture *from);

/* A constant added to all PSNs modulo 2^24, those included that were agreed on. */
void sim_shift_psns(struct sim_capture *capture, uint32_t add);

/* A constant added to all times. */
void sim_shift_times(struct sim_capture *capture, int64_t add_ns);

/* Each host takes the other's addresses, and its QPN. */
void sim_swap_sides(struct sim_capture *capture, const uint32_t qpn[2]);

/* At most so many bytes of each frame; `management` too, or all but that. */
void sim_cut(struct sim_capture *capture, uint32_t bytes, bool management);

/*
 * The IPv4 hosts are those of world `number`: 10.0.NUMBER.x, or, where worlds share a
 * host, 10.0.0.1 and 10.0.NUMBER.2; and so are their MAC addresses.
 */
void sim_place_hosts(struct sim_capture *capture, uint8_t number, bool shared);

/* A frame of another protocol at a time before or after all others: the capture was on by then. */
void sim_watch(struct sim_capture *capture, int64_t time_ns);

/*
 * Both by time; of frames of one time those of `a` come first. (*places)[i] is the number of a
 * frame of the result where it came from: 1, 2, ... of a, -1, -2, ... of b; g_free it.
 */
void sim_merge(struct sim_capture *to, const struct sim_capture *a, const struct sim_capture *b,
	       int32_t **places);

#endif
