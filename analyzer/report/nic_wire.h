/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a capture shows of what a NIC counts, and for how much of a difference it has a reason.
 */
#ifndef RDA_NIC_WIRE_H
#define RDA_NIC_WIRE_H

#include "analyzer/rda.h"
#include "analyzer/report/nic_counters.def"

#include <glib.h>

/* RDA_NIC_REASON_LOST_BEFORE, ... */
enum rda_nic_reason {
#define RDA_R(ID, name, words) RDA_NIC_REASON_##ID,
	RDA_NIC_REASONS(RDA_R)
#undef RDA_R
		RDA_NIC_REASON_COUNT
};

/* "lost_before_tap", and its words. */
const char *rda_nic_reason_name(unsigned reason);
const char *rda_nic_reason_words(unsigned reason);

/* RDA_NIC_MEASURE_packets_sent, ... */
enum rda_nic_measure {
#define RDA_M(name, counts, more, less) RDA_NIC_MEASURE_##name,
	RDA_NIC_MEASURES(RDA_M) RDA_NIC_HOST_MEASURES(RDA_M)
#undef RDA_M
		RDA_NIC_MEASURE_COUNT
};

struct rda_nic_measure_row {
	const char *name;
	bool packets;	     /* it counts packets; else events */
	uint32_t more, less; /* masks of 1 << enum rda_nic_reason */
};

const struct rda_nic_measure_row *rda_nic_measure_row(unsigned measure);

/* One NIC: all its addresses together. */
struct rda_nic_wire {
	uint64_t value[RDA_NIC_MEASURE_COUNT]; /* or RDA_UNKNOWN */
	/* that each reason has, of what was sent, or of what was received; RDA_UNKNOWN: any number
	 */
	uint64_t sent[RDA_NIC_REASON_COUNT], received[RDA_NIC_REASON_COUNT];
	uint32_t whole;	    /* mask of reasons that apply to whatever a NIC counted more */
	uint64_t resent_to; /* request packets that were sent to it again */
	uint64_t runs_on, runs_anew, resent_anew; /* of what it sent (rda.h, doubts) */
	uint64_t doubled_to; /* request packets to it that are in the capture twice */
};

/* Of the hosts at `addresses`; `filtered`: not all frames were read. */
void rda_nic_wire_of(struct rda_nic_wire *wire, const struct rda_result *result,
		     const struct rda_address *addresses, unsigned count, bool filtered);

/* So many packets it says that it sent and received (RDA_UNKNOWN: it does not say): what did not
 * come by, and did not arrive, follows. */
void rda_nic_wire_told(struct rda_nic_wire *wire, uint64_t sent, uint64_t received);

/* How much of a difference a reason has room for. */
uint64_t rda_nic_wire_room(const struct rda_nic_wire *wire, unsigned measure, unsigned reason);

#endif
