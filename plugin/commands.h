/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The commands of upper layers, found by the frames of their requests and answers, of the capture
 * that is open: about 100 bytes each.
 *
 *     frame 8: Read, 4096 bytes        --> answered in 12: status 0, after 93 us
 */
#ifndef RDA_PLUGIN_COMMANDS_H
#define RDA_PLUGIN_COMMANDS_H

#include "analyzer/engine/engine.h"

#include <glib.h>

/* By which of its frames a command is found. */
enum rda_command_frame {
	RDA_COMMAND_ASKED,    /* the first of its request */
	RDA_COMMAND_ANSWERED, /* the last of its answer */
	RDA_COMMAND_TOLD,     /* at which the engine knew of the answer: that, or a later one */
	RDA_COMMAND_FRAMES
};

struct rda_command_record {
	struct rda_command_told told; /* as it was answered; else as it was asked */
	uint64_t asked_bytes;
	uint32_t frame[RDA_COMMAND_FRAMES]; /* 0: none, so far */
	uint32_t next[RDA_COMMAND_FRAMES];  /* of the same frame: number; 0 none */
};

struct rda_commands {
	GArray *list;			       /* struct rda_command_record, by serial; owned */
	GHashTable *first[RDA_COMMAND_FRAMES]; /* frame: number; owned */
};

void rda_commands_init(struct rda_commands *commands);
void rda_commands_cleanup(struct rda_commands *commands);

/* The engine has taken this frame; or it has finished, this being the last one. */
void rda_commands_packet(struct rda_commands *commands, const struct rda_engine *engine,
			 uint64_t frame);

/*
 * Those of a frame, in the order in which they were told: *at is 0 to begin with. NULL: there are
 * no more.
 */
const struct rda_command_record *rda_commands_next(const struct rda_commands *commands,
						   enum rda_command_frame which, uint64_t frame,
						   uint32_t *at);

#endif
