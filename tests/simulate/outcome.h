/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All that the engine says of a capture, as one tree: what the program prints in JSON, what the
 * accounts have besides, what was withheld; and what it says of each frame while it reads.
 *
 * Frames are numbered from 1 over all of what was read, also where it was read as two captures.
 */
#ifndef RDA_SIM_OUTCOME_H
#define RDA_SIM_OUTCOME_H

#include "tests/unit/finish.h"
#include "tests/simulate/capture.h"

#include <json-c/json.h>

/* Of one frame. */
struct sim_told {
	bool relative_known;
	uint8_t icrc;
	int8_t flow;
	int32_t connection;
	int64_t relative_psn;
	uint64_t retransmission_of, answers, cause, message_frame; /* frames; 0 none */
	struct rda_trace trace;					   /* the rest of it */
	uint64_t events; /* a number that tells the events of one frame from those of another */
};

struct sim_outcome {
	json_object *report;
	struct sim_told *frames;
	uint32_t count;
	uint64_t copies; /* frames that are known to be */
};

/* Frames [begin, end), as one capture or, from `split` on, as a second one. */
void sim_outcome_read(struct sim_outcome *outcome, const struct sim_capture *capture,
		      uint32_t begin, uint32_t end, uint32_t split);

static inline void sim_outcome_of(struct sim_outcome *outcome, const struct sim_capture *capture)
{
	sim_outcome_read(outcome, capture, 0, capture->count, capture->count);
}

void sim_outcome_cleanup(struct sim_outcome *outcome);

#endif
