/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters of NICs held against a capture: what the NIC counted, what the capture shows of the
 * same, and why these differ.
 *
 *     counters (nic_counters.h) ─┐
 *     capture (nic_wire.h) ──────┴─► rows: the same | explained | differs ──► findings (N01 ...)
 *
 * A reason explains as much of a difference as it has room for: 5 packets that were lost before the
 * capture point are the reason why a NIC has sent 5 more than were captured, not 6. What is left is
 * a finding. Counters that nothing on the wire is like are named, and not compared.
 */
#ifndef RDA_NIC_COMPARE_H
#define RDA_NIC_COMPARE_H

#include "analyzer/report/nic_counters.h"
#include "analyzer/report/nic_wire.h"

/* RDA_NIC_VERDICTS(V): V(ID, "name in the JSON", "words") */
#define RDA_NIC_VERDICTS(V)                                                                        \
	V(SAME, "same", "the same")                                                                \
	V(EXPLAINED, "explained", "explained")                                                     \
	V(DIFFERS, "differs", "differs")                                                           \
	V(DROPS, "drops", "dropped inside the NIC")                                                \
	V(NO_WIRE, "not_in_capture", "the capture does not tell it")                               \
	V(READ_ONCE, "read_once", "read once: what it counted meanwhile is not known")             \
	V(WENT_BACK, "went_back", "went back: it was reset, or wrapped")

enum rda_nic_verdict {
#define RDA_V(ID, name, words) RDA_NIC_VERDICT_##ID,
	RDA_NIC_VERDICTS(RDA_V)
#undef RDA_V
		RDA_NIC_VERDICT_COUNT
};

const char *rda_nic_verdict_name(unsigned verdict);
const char *rda_nic_verdict_words(unsigned verdict);

/* So much of a difference, for this reason. */
struct rda_nic_why {
	uint8_t reason; /* enum rda_nic_reason */
	uint64_t count;
};

#define RDA_NIC_WHYS_MAX 8

/* A counter that has an equal on the wire, or counts drops. */
struct rda_nic_row {
	const char *name;     /* a literal */
	const char *device;   /* of the counters; "": not told */
	const char *measure;  /* what it is held against; NULL: nothing, it counts drops */
	bool packets;	      /* it counts packets; else events */
	uint8_t verdict;      /* enum rda_nic_verdict */
	uint64_t nic, wire;   /* or RDA_UNKNOWN */
	uint64_t unexplained; /* of the difference */
	uint64_t lost;	      /* DROPS: packets to it that the capture knows to be lost behind it */
	struct rda_nic_why whys[RDA_NIC_WHYS_MAX];
	uint8_t why_count;
};

#define RDA_NIC_ADDRESSES_MAX 16

/* One NIC. */
struct rda_nic_compared {
	char *host; /* as the user names it; owned */
	struct rda_address addresses[RDA_NIC_ADDRESSES_MAX];
	unsigned address_count;
	struct rda_nic_counters counters; /* owned: rows point into it */
	GArray *rows;			  /* of struct rda_nic_row */
	GPtrArray
		*not_compared; /* names, of the counters: unknown ones, and those without a like */
};

/* Takes what the counters own, and compares. `host` is copied. To be given to
 * rda_nic_compared_free, which takes NULL. `device`: its counters only, and those of none; NULL:
 * all. */
struct rda_nic_compared *rda_nic_compare(const char *host, const struct rda_address *addresses,
					 unsigned address_count, struct rda_nic_counters *counters,
					 const char *device, const struct rda_result *result,
					 bool filtered);
void rda_nic_compared_free(void *compared);

/* The devices that counters name, but ""; a list that ends with NULL, to be given to g_strfreev. */
char **rda_nic_compare_devices(const struct rda_nic_counters *counters);

/* The findings (N01 ...) of what differs, added to the result, about hosts. */
void rda_nic_compared_judge(const struct rda_nic_compared *compared, struct rda_result *result);

#endif
