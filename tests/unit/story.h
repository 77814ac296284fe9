/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Little stories of a requester and a responder, as a tap sees them, and the counts they end in.
 *
 *     send 10 11 13-15  nak 12  send 12-16  ack 16
 *
 * send N | A-B   request packets             ack N, nak N   positive, or PSN sequence error
 * copy           the latest one again        rnr N, fatal N the other NAKs
 * damaged N      so many damaged packets     response N | A-B   of a READ
 * read A-B       a READ of these PSNs        atomic N, result N
 * guess N        a READ of 1024 bytes, MTU unknown
 * wait N         milliseconds              agreed N       the set-up says: it begins with this PSN
 * msn N          answers from here on count so many messages; before they count none
 * numbered       IP identifications count up from here on, and one is left between two packets, for
 *                what may be lost there; before they are 0
 *
 * A verb holds until the next one. Every packet takes 10 us. Each story is told at many first PSNs,
 * so that every place of it is where the PSN wraps, and must end in the same counts.
 */
#ifndef RDA_TEST_STORY_H
#define RDA_TEST_STORY_H

#include "analyzer/track/roce/responder.h"

#include <stddef.h>

/* RDA_STORY_COUNTS(C): C(name, where it is) */
#define RDA_STORY_COUNTS(C)                                                                        \
	C(fresh, requester.news)                                                                   \
	C(resent, requester.rare->counts.packets[RDA_REQUEST_RESENT])                              \
	C(reordered, requester.rare->counts.packets[RDA_REQUEST_REORDERED])                        \
	C(mirrored, requester.rare->counts.packets[RDA_REQUEST_MIRRORED])                          \
	C(after_nak, requester.rare->counts.resends[RDA_TRIGGER_NAK])                              \
	C(after_rnr, requester.rare->counts.resends[RDA_TRIGGER_RNR])                              \
	C(after_timeout, requester.rare->counts.resends[RDA_TRIGGER_TIMEOUT])                      \
	C(after_implied, requester.rare->counts.resends[RDA_TRIGGER_IMPLIED])                      \
	C(unexplained, requester.rare->counts.resends[RDA_TRIGGER_UNEXPLAINED])                    \
	C(lost_before, requester.rare->counts.lost_before)                                         \
	C(missing, requester.rare->counts.missing)                                                 \
	C(lost_after, requester.rare->counts.lost_after)                                           \
	C(lost_by_capture, requester.rare->counts.lost_by_capture)                                 \
	C(spurious, requester.rare->counts.spurious)                                               \
	C(selective, requester.rare->counts.selective_repeat)                                      \
	C(duplicates, responder.rare->unexpected.duplicates)                                       \
	C(out_of_sequence, responder.rare->unexpected.out_of_sequence)                             \
	C(implied_naks, responder.rare->counts.implied_naks)                                       \
	C(responses_lost_before, responder.rare->counts.lost_before)                               \
	C(responses_lost_after, responder.rare->counts.lost_after)                                 \
	C(responses_lost_by_capture, responder.rare->counts.lost_by_capture)                       \
	C(waiting, responder.waiting.count)                                                        \
	C(done, events[RDA_EVENT_REQUEST_DONE])                                                    \
	C(ghosts, events[RDA_EVENT_GHOST_ACK])                                                     \
	C(forgotten, requester.window.dropped)                                                     \
	C(forgetting, events[RDA_EVENT_WINDOW_CAP])

struct rda_story {
	const char *name, *script;
#define RDA_C(name, where) uint64_t name;
	RDA_STORY_COUNTS(RDA_C)
#undef RDA_C
	uint32_t cap; /* of the window; 0 the default */
};

/* The two accounts while a story is told. */
struct rda_telling {
	struct rda_requester requester;
	struct rda_responder responder;
	struct rda_event_sink sink;
	struct rda_request latest;
	uint32_t first; /* PSN that stands for the story's 0 */
	int64_t time_ns;
	uint64_t frame, damaged;
	uint64_t events[RDA_EVENT_COUNT];
	uint64_t told_lost_before, told_missing; /* sums of such events */
	uint32_t msn;
	bool numbered;
};

void rda_telling_begin(struct rda_telling *telling, uint32_t first, uint32_t cap);
void rda_telling_end(struct rda_telling *telling);
void rda_tell(struct rda_telling *telling, const char *script);

/* What holds after every packet, whatever it was. */
void rda_telling_check(const struct rda_telling *telling);

/* Tells a story at every first PSN, and compares the counts. */
void rda_story_check(const struct rda_story *story);

#endif
