/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events of memory keys that are kept, because one engine does not see all users of a key: each of
 * several engines that share the packets of a capture among them (those of two hosts go to one) has
 * a log; merged into one, and told to one ledger, they say what one engine would have said.
 *
 *     engine a   ASKED 3 ....... WORKED 9 ...            rda_key_log_merge     ASKED 3, ASKED 5,
 *     engine b   ....... ASKED 5 ........ REFUSED 12  ---------------------->  WORKED 9, REFUSED 12
 *
 * A log is bounded: what it has is the beginning, up to a place from which on nothing is kept, and
 * how many uses of keys came behind. So neither the order nor the grouping of merges matters.
 */
#ifndef RDA_KEY_LOG_H
#define RDA_KEY_LOG_H

#include "analyzer/base/pack.h"
#include "analyzer/track/keys/key_ledger.h"

/*
 * Bytes of a log, as RDA_KEY_LOG_EVENT an event (most take half of that), a SEND its first
 * RDA_CLEAR_BYTES besides, and RDA_KEY_LOG_DATA other data: 11 million accesses.
 */
#define RDA_KEY_LOG_MAX	  (UINT64_C(1) << 30)
#define RDA_KEY_LOG_EVENT 48
#define RDA_KEY_LOG_DATA  4

/* When an event is told that is of no packet: behind all packets, and in order of the flows. */
#define RDA_KEY_LOG_FLUSHED (UINT64_C(1) << 62) /* what waited for gaps in TCP streams */
#define RDA_KEY_LOG_ENDED   (UINT64_C(1) << 63) /* what rda_key_track_end tells */

struct rda_key_log;

/* `cap`: 0 for RDA_KEY_LOG_MAX */
struct rda_key_log *rda_key_log_new(uint64_t cap);
struct rda_key_log *rda_key_log_copy(const struct rda_key_log *log);
void rda_key_log_free(struct rda_key_log *log); /* may be NULL */

/*
 * Keeps an event. `when` is the place of the packet at hand (the event's own may be earlier), or
 * one of the above and the place of a flow's first packet; it counts as what came before if it is
 * less.
 */
void rda_key_log_event(struct rda_key_log *log, uint64_t when, const struct rda_key_event *event);

/* Keeps that a host got data in which no key is looked for. */
void rda_key_log_data(struct rda_key_log *log, uint64_t when, uint32_t host);

/* All that was kept so far, to be given to rda_key_log_free: what comes is kept behind it. */
struct rda_key_log *rda_key_log_take(struct rda_key_log *log);

/* Uses of keys that were not kept. */
uint64_t rda_key_log_not_kept(const struct rda_key_log *log);

/* A log of a capture in which keys were used so often, and nothing was kept of it. */
struct rda_key_log *rda_key_log_of_nothing(uint64_t uses);

/*
 * Where the flows and hosts of a log are in what is merged: new indices by the old ones. Without
 * `flows` those of several parts take turns: flow i of a part is i * parts + part, in 32 bits. So
 * each of 64 parts (RDA_SHARES) may have 2^26 flows, which take more than 32 GiB.
 */
struct rda_key_map {
	const uint32_t *flows, *hosts;
	uint32_t parts, part;
};

/* All of two logs, in order. */
struct rda_key_log *rda_key_log_merge(const struct rda_key_log *a, const struct rda_key_map *map_a,
				      const struct rda_key_log *b, const struct rda_key_map *map_b);

/* Tells a ledger all of several logs, in order; `heard` gets each event but data when the
 * ledger took it. */
typedef void rda_key_heard(void *context, const struct rda_key_event *event,
			   const struct rda_key_news *news);
void rda_key_log_tell(struct rda_key_log *const *logs, const struct rda_key_map *maps,
		      unsigned count, struct rda_key_ledger *ledger, rda_key_heard *heard,
		      void *context);

/* Tells a ledger, which is new, all of a log. May be called again, with another ledger. */
void rda_key_log_replay(const struct rda_key_log *log, struct rda_key_ledger *ledger,
			rda_key_heard *heard, void *context);

/* What the records take. */
uint64_t rda_key_log_bytes(const struct rda_key_log *log);

/* A log that is there, or another process's, which is then to be given to rda_key_log_free. */
void rda_key_log_pack(struct rda_pack *pack, struct rda_key_log **log);

/* Events from `when` on are not kept, but counted. */
void rda_key_log_close(struct rda_key_log *log, uint64_t when);

#endif
