/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A long series of points made short enough to be drawn, in one pass: of each slot of time stay the
 * first, the last, the lowest and the highest point. A line or cloud through what stays covers the
 * same pixels as one through all, as long as a slot is not wider than a pixel; closer up points are
 * missing, but never an extreme one.
 *
 *       y |     high                       slot_ns 0: all points stay
 *         | first .  . .   .
 *         |   . .     . last
 *         |     low
 *         +--|-------------|--- time
 */
#ifndef RDA_THIN_H
#define RDA_THIN_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct rda_point {
	int64_t time_ns; /* since the first frame of all captures */
	int64_t y;
	uint64_t place;	 /* of the frame */
	uint64_t about;	 /* of another frame that it refers to; 0 none */
	uint32_t size;	 /* bytes; of a loss: packets */
	uint16_t name;	 /* index of what it is called */
	uint8_t mark;	 /* enum rda_mark, or what else tells kinds of points apart */
	uint8_t trigger; /* enum rda_trigger */
};

struct rda_thin {
	int64_t slot_ns;
	int64_t slot; /* that is being filled */
	uint32_t seen;
	/* in it: the first, the lowest, the highest, the latest; and the how-manieth each was */
	struct rda_point kept[4];
	uint32_t number[4];
};

/* Points that stay are appended to `to`, an array of struct rda_point, when their slot is over. */
void rda_thin_add(struct rda_thin *thin, const struct rda_point *point, GArray *to);

/* No more points come. */
void rda_thin_end(struct rda_thin *thin, GArray *to);

#endif
