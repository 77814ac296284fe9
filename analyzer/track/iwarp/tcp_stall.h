/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For how long a direction of TCP stood still: bytes were under way, no more of them were
 * acknowledged, and nothing was sent until a timer ran out and some were sent again.
 *
 *     bytes sent    1 2 3                 1
 *     acknowledged                          3
 *                        `---- stall ----'
 *
 * The tap may have seen nothing of what was under way, as all of it was lost before: then what is
 * sent again looks new, and is told by what follows it. Bytes are sent in order the first time:
 *
 *     bytes                1     5    2 3 4     2 to 4 come behind 5: lost, and sent again
 *     identification       7     8    9 ..      nothing was sent between 7 and 8: so 2 to 4 had
 *                                               been sent before 7, and 1 before them: 7 is 1 again
 */
#ifndef RDA_TCP_STALL_H
#define RDA_TCP_STALL_H

#include "analyzer/track/iwarp/iwarp.h"

#include <stdbool.h>
#include <stdint.h>

struct rda_tcp_stall {
	bool begun;
	bool open;	   /* nothing more was acknowledged since the latest stall */
	bool unseen;	   /* some are told by what followed */
	bool perhaps;	   /* the latest segment came behind a pause, and looks new: */
	uint16_t ip_id;	   /* its identification */
	uint32_t end;	   /* and of its bytes */
	int64_t pause_ns;  /* how long that was */
	int64_t latest_ns; /* the latest segment, or that more was acknowledged */
	uint32_t longest;  /* segment */
	uint64_t count;
	int64_t total_ns;
	bool once; /* the latest stall ended with the first segment that was sent again: */
	uint32_t once_begin, once_end;
	int64_t once_ns; /* how long it was */
};

/* A segment with data, its bytes by sequence numbers. */
struct rda_tcp_sent {
	uint32_t begin, end;
	uint16_t ip_id; /* 0: none */
	bool again;	/* it repeats bytes, or fills a gap; and they are not acknowledged */
	bool ordered;	/* identifications tell the order of sending */
	int64_t time_ns;
};

void rda_tcp_stall_sent(struct rda_tcp_stall *stall, const struct rda_tcp_sent *sent);

/*
 * The other side had these bytes when they came again. A pause that ended with them alone is no
 * stall: the acknowledgment came late, or was withheld until a probe of the sender asked for it.
 */
void rda_tcp_stall_needless(struct rda_tcp_stall *stall, uint32_t begin, uint32_t end);

/* The other side has more than before. */
void rda_tcp_stall_acknowledged(struct rda_tcp_stall *stall, int64_t time_ns);

#endif
