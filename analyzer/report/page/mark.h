/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a packet, or what it brought about, is to the page's chart of PSNs over time.
 */
#ifndef RDA_MARK_H
#define RDA_MARK_H

#include "analyzer/report/describe.h"
#include "analyzer/report/page/marks.def"

enum rda_mark {
#define RDA_M(ID, name, words, SHAPE, light, dark) RDA_MARK_##ID,
	RDA_MARKS(RDA_M)
#undef RDA_M
		RDA_MARK_COUNT,
	RDA_MARK_NONE = RDA_MARK_COUNT,
};

/* What goes on all the time: of these a chart keeps the extremes only, where there are too many. */
static inline bool rda_mark_is_common(enum rda_mark mark)
{
	return mark <= RDA_MARK_ACK;
}

/* Of a packet or FPDU, apart from CE, which a packet has besides. */
enum rda_mark rda_mark_of(const struct rda_sight *sight);

/* Of a loss that was noticed; NONE: the event is none. */
enum rda_mark rda_mark_of_event(const struct rda_event *event);

/* The table for the page's script: a list of name, words, shape, light, dark. */
void rda_mark_describe_all(struct rda_record *record, const char *name);

#endif
