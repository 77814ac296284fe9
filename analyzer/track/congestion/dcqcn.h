/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DCQCN as published: what a sender's rate does when CNPs come. Zhu et al., Congestion Control for
 * Large-Scale RDMA Deployments, SIGCOMM 2015, section 3.1 and the parameters of section 5.3.
 *
 *     a CNP           target = rate, rate *= 1 - alpha / 2, alpha = (1 - g) alpha + g;  g = 1/256
 *     55 us without   alpha = (1 - g) alpha, and the first stage of recovery
 *
 * alpha is 1 at a sender that was never told to slow down. Here it begins with 0, so that a sender
 * that follows the law cuts as much as this at least, whatever came before the capture. As long as
 * CNPs follow each other within the 55 us no rate recovers: a row. NICs have parameters of their
 * own, and newer ones other laws, which no capture tells.
 */
#ifndef RDA_DCQCN_H
#define RDA_DCQCN_H

#include <stdbool.h>
#include <stdint.h>

/* The timers' 55 us, with a tenth for how CNPs are delayed on their way. */
#define RDA_DCQCN_TIMER_NS 55000
#define RDA_DCQCN_ROW_NS   60500

/* Fractions are in units of this. */
#define RDA_DCQCN_ONE 1000000000

struct rda_dcqcn {
	uint32_t alpha;	   /* after the latest CNP */
	uint32_t cut;	   /* of the rate, by the latest CNP */
	uint32_t rate;	   /* of what it was before the row */
	int64_t latest_ns; /* of the latest CNP; valid if there was one: */
	bool any;
};

/* A CNP. Returns whether it goes on with the row of those before it. */
bool rda_dcqcn_notice(struct rda_dcqcn *law, int64_t time_ns);

#endif
