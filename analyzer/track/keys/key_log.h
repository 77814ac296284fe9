/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events of memory keys that are kept, because one engine does not see all users of a key: each of
 * several engines that share the packets of a capture among them (those of two hosts go to one) has
 * a log; merged into one, and told to one ledger, they say what one engine would have said.
 *
 *     engine a   ASKED 3 ....... WORKED 9 ...            rda_key_log_merge     ASKED 3, ASKED 5,
 *     engine b   ....... ASKED 5 ........ REFUSED 12  ---------------------->  WORKED 9, REFUSED 12
 *
 * An event takes 88 bytes, a SEND up to RDA_CLEAR_BYTES more, other data 1 or 2 bytes a packet.
 */
#ifndef RDA_KEY_LOG_H
#define RDA_KEY_LOG_H

#include "analyzer/track/keys/key_ledger.h"

struct rda_key_log;

struct rda_key_log *rda_key_log_new(void);
void rda_key_log_free(struct rda_key_log *log); /* may be NULL */

/* Keeps an event; its place is that of the latest kept or behind it. */
void rda_key_log_event(struct rda_key_log *log, const struct rda_key_event *event);

/* Keeps that a host got data in which no key is looked for. */
void rda_key_log_data(struct rda_key_log *log, uint32_t host, uint64_t place);

/* Where the flows and hosts of a log are in what is merged: new indices by the old ones. */
struct rda_key_map {
	const uint32_t *flows, *hosts;
};

/* Adds all of `from` to a log, in order of place; `map` NULL: indices stay. */
void rda_key_log_merge(struct rda_key_log *log, const struct rda_key_log *from,
		       const struct rda_key_map *map);

/*
 * Tells a ledger, which is new, all of a log; `heard` gets each event when the ledger took it. May
 * be called again, with another ledger.
 */
typedef void rda_key_heard(void *context, const struct rda_key_event *event,
			   const struct rda_key_news *news);
void rda_key_log_replay(const struct rda_key_log *log, struct rda_key_ledger *ledger,
			rda_key_heard *heard, void *context);

#endif
