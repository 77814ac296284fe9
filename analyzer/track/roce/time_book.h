/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time of one direction as parts that follow each other without gaps, each with its cause: the
 * latest of them as they are, because a stall may take them back, and sums of all that lie before.
 *
 *     first                  settled_ns                                 mark_ns
 *     | sums ................ | sending | waiting | sending | idle | .... |
 *
 * A connection that pauses has one, so it is small: a part takes 8 bytes, and of the depths of the
 * queue, which are 22, there is room for those up to the deepest that was met. What a part means,
 * and when one begins, is time_ledger.c's.
 */
#ifndef RDA_TIME_BOOK_H
#define RDA_TIME_BOOK_H

#include "analyzer/base/cold.h"
#include "analyzer/track/roce/time_sums.h"

#include <stdint.h>

/* What is kept of the latest time before it is summed. */
#define RDA_TIME_PARTS 24

/* What takes longer, 52 days, is summed at once: no stall takes it back. */
#define RDA_TIME_PART_MOST ((INT64_C(1) << 52) - 1)

/* From the end of the part before it on. */
struct rda_time_part {
	uint32_t ns_low; /* how long */
	unsigned ns_high : 20;
	unsigned cause : 4; /* enum rda_time_cause */
	unsigned depth : 5; /* index in depths and 1; 0 none */
	unsigned kind : 3;  /* enum rda_message; valid with a depth */
};

/* What was summed, and is told of no wait. */
struct rda_time_summed {
	int64_t ns[RDA_TIME_CAUSE_COUNT];
	int64_t kinds[RDA_MESSAGE_COUNT];
};

/* Most connections of a capture of many end before anything is summed, and with few parts. */
struct rda_time_book {
	int64_t settled_ns, mark_ns; /* all before is in the sums; in the sums or the parts */
	uint32_t count, room;	     /* parts */
	struct rda_time_part *parts; /* owned; RDA_TIME_PARTS at most */
	uint32_t idles;		     /* rda_time_sums has what this and the next members are */
	uint32_t depth_count;
	int64_t idle_least_ns, idle_most_ns;
	struct rda_time_summed *summed; /* owned; NULL: nothing */
	struct rda_time_depth *depths;	/* owned; `depth_count` of them */
	struct rda_held *held;		/* owned; RDA_HELD_KINDS; NULL: none was held */
	struct rda_time_log *log;	/* borrowed: what is summed goes there too; NULL: nowhere */
	const struct rda_flow *flow;	/* that parts in the log are of; valid with a log */
};

/* An empty one, from this time on. */
struct rda_time_book *rda_time_book_new(int64_t first_ns);
void rda_time_book_free(struct rda_time_book *book); /* may be NULL */

/* About what it takes; NULL: nothing. */
uint64_t rda_time_book_bytes(const struct rda_time_book *book);

/* All from the mark to `end_ns` is of this cause. */
void rda_time_book_add(struct rda_time_book *book, enum rda_time_cause cause, int64_t end_ns);

/* It is a wait that an answer ended, with so many requests of this kind outstanding. */
void rda_time_book_wait(struct rda_time_book *book, uint64_t requests, enum rda_message kind,
			int64_t end_ns);

/* It is idle: nothing was asked. */
void rda_time_book_idle(struct rda_time_book *book, int64_t end_ns);

/* What there is from `from` to `to`, the end of a stall, is of this cause. */
void rda_time_book_take_back(struct rda_time_book *book, enum rda_time_cause cause, int64_t from,
			     int64_t to);

/* Nothing was sent again so far, as is known by now: what stalls took back was waiting. `book` may
 * be NULL. */
RDA_COLD void rda_time_book_no_stall(struct rda_time_book *book);

/* A link was stopped for `ns`, by this hold: index in rda_time_sums.held. */
void rda_time_book_held(struct rda_time_book *book, unsigned index,
			const struct rda_time_hold *hold, int64_t ns);

/* A book as if its connection had ended, with room for what it owns. */
struct rda_time_ending {
	struct rda_time_book book;
	struct rda_time_part parts[RDA_TIME_PARTS];
	struct rda_time_summed summed;
};

/* The same once more, without its log; NULL: an empty one, from `first_ns` on. */
void rda_time_book_copy(struct rda_time_ending *to, const struct rda_time_book *from,
			int64_t first_ns);

/* All parts are summed; *sums of all. What is left of the copy is freed. */
void rda_time_book_finish(struct rda_time_ending *ending, struct rda_time_sums *sums);

/* One more in a log. */
RDA_COLD void rda_time_log_add(struct rda_time_log *log, struct rda_time_told told);

#endif
