/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What must hold for every seed.
 */
#ifndef RDA_SIM_PROPERTIES_H
#define RDA_SIM_PROPERTIES_H

#include "tests/simulate/hold.h"
#include "tests/simulate/spent.h"

struct sim_property {
	const char *name;
	enum sim_faults faults;
	unsigned seeds; /* by default */
	/* Says on stderr what does not hold; adds the packets of the capture. */
	bool (*holds)(const struct sim_property *property, uint64_t seed, uint64_t *packets);
	bool open; /* it does not hold for every seed yet */
};

extern const struct sim_property sim_properties[]; /* the last has no name */

#endif
