/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When a direction of TCP stood still; tcp_stall.h has the figures.
 */
#include "analyzer/track/iwarp/tcp_stall.h"

static void add(struct rda_tcp_stall *s, int64_t pause_ns)
{
	s->once = !s->open;
	s->once_ns = pause_ns;
	s->count += !s->open; /* a timer that runs out again and again makes one stall */
	s->total_ns += pause_ns;
	s->open = true;
}

/* Whether bytes behind the segment that looked new had been sent before it was: those between it
 * and this one are more than what can have been sent between them. */
static bool is_sent_before(const struct rda_tcp_stall *s, const struct rda_tcp_sent *sent)
{
	int64_t gap = (int32_t)(sent->begin - s->end);
	uint16_t rise = (uint16_t)(sent->ip_id - s->ip_id);

	return sent->ordered && gap > 0 && rise > 0 && (int64_t)(rise - 1) * s->longest < gap;
}

void rda_tcp_stall_sent(struct rda_tcp_stall *s, const struct rda_tcp_sent *sent)
{
	int64_t pause_ns = s->begun ? sent->time_ns - s->latest_ns : 0;
	uint32_t length = sent->end - sent->begin;

	if (s->perhaps && is_sent_before(s, sent)) {
		add(s, s->pause_ns);
		s->once = false;
		s->unseen = true;
	}
	s->perhaps = pause_ns >= RDA_TCP_STALL_NS && !sent->again && sent->ordered;
	s->pause_ns = pause_ns;
	s->ip_id = sent->ip_id;
	s->end = sent->end;
	/* one byte, again and again, asks whether the window is open */
	if (pause_ns >= RDA_TCP_STALL_NS && sent->again && length > 1) {
		add(s, pause_ns);
		s->once_begin = sent->begin;
		s->once_end = sent->end;
	}
	s->longest = length > s->longest ? length : s->longest;
	s->latest_ns = sent->time_ns;
	s->begun = true;
}

void rda_tcp_stall_needless(struct rda_tcp_stall *s, uint32_t begin, uint32_t end)
{
	if (!s->once || begin != s->once_begin || end != s->once_end)
		return;
	s->count--;
	s->total_ns -= s->once_ns;
	s->once = s->open = false;
}

void rda_tcp_stall_acknowledged(struct rda_tcp_stall *s, int64_t time_ns)
{
	s->open = false;
	if (s->begun && time_ns > s->latest_ns)
		s->latest_ns = time_ns;
}
