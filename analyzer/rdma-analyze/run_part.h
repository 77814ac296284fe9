/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files that make a run share.
 */
#ifndef RDA_RUN_PART_H
#define RDA_RUN_PART_H

#include "analyzer/rdma-analyze/run.h"

/* "rdma-analyze: FILE: offset N: REASON" */
void rda_run_complain(struct rda_run *run, const char *file, int64_t offset, const char *reason);
void rda_run_note_damage(struct rda_run *run, struct rda_input *input, int64_t offset,
			 const char *reason);

/* NULL: it cannot be read, as was said. */
struct rda_source *rda_run_open_seat(struct rda_run *run, uint32_t seat);

/* Frames are numbered through all files of a tap. */
static inline void rda_run_number_on(const struct rda_input *input, struct rda_meta *meta)
{
	meta->number += input->before;
}

/* What is known of a file by a frame that was followed; NULL: it is of RoCEv2 at first glance. */
static inline void rda_run_note_packet(struct rda_input *input, const struct rda_frame *frame,
				       const struct rda_packet *packet)
{
	if (!packet || packet->carrier != RDA_CARRIER_NONE)
		input->any_rdma = true;
	else if (!input->any_rdma)
		rda_others_count(&input->origin.others, frame, packet);
}

/* Feeds a file's frames to the engine, to its end or to where it is damaged (run_frames.c). */
void rda_run_read_frames(struct rda_run *run, struct rda_input *input, struct rda_source *source);

/* Read by all processes; `input`: NULL where another one knows what was read. */
void rda_run_read_together(struct rda_run *run, struct rda_input *input, struct rda_source *source);

/* The first process has opened a file, or has not (NULL); what the others do then. */
void rda_run_tell_opened(struct rda_run *run, const struct rda_source *source, bool continues);
void rda_run_follow_file(struct rda_run *run, uint32_t seat);

#endif
