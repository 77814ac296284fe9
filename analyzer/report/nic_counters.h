/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters of a NIC, as programs print them: text goes in, and for each counter what it counted
 * between the first time that it was read and the last. The forms:
 *
 *     ethtool -S eth0             "     rx_discards_phy: 3"
 *     rdma statistic show         "link mlx5_0/1 duplicate_request 5 out_of_sequence 2 ..."
 *     either with -j              [{"ifname": "mlx5_0", "port": 1, "duplicate_request": 5}]
 *     grep . .../hw_counters/<*> "/sys/class/infiniband/mlx5_0/ports/1/hw_counters/out_of_buffer:7"
 *     tail -n +1 <*>              "==> out_of_buffer <==" and below it "7"
 *     perfquery, nstat, a table   "PortRcvErrors:....3", "out_of_buffer 7"
 *
 * A counter that is there twice was read twice. One text, or several one after the other, in order
 * of time. A line that begins with '#' and has the word "difference" or "delta" says that the
 * numbers of that text are differences already. The text is untrusted: any bytes. What it is held
 * against is nic_compare.h's business.
 */
#ifndef RDA_NIC_COUNTERS_H
#define RDA_NIC_COUNTERS_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Names of hardware have less; longer ones are no counters. */
#define RDA_NIC_NAME_MAX 95

/* A dump of ethtool has some thousand. */
#define RDA_NIC_READINGS_MAX 65536

/* One counter. Its members are printable ASCII. */
struct rda_nic_reading {
	char *key;	     /* first: which it is, as the text names it */
	char *device, *name; /* "mlx5_0", or "" where the text does not tell; "out_of_buffer" */
	uint64_t first, last;
	uint32_t times; /* that it was read */
};

struct rda_nic_counters {
	GPtrArray *readings; /* of struct rda_nic_reading, in order of the first */
	GHashTable *by_key;
	bool differences;	 /* the numbers are differences, as a text says */
	uint64_t not_understood; /* lines that are no counter, and no heading either */
	uint64_t not_kept;	 /* counters past the most */
};

void rda_nic_counters_init(struct rda_nic_counters *counters);
void rda_nic_counters_cleanup(struct rda_nic_counters *counters);

/* Text of `length` bytes, of a later time than those before. */
void rda_nic_counters_read(struct rda_nic_counters *counters, const char *text, size_t length);

enum rda_nic_change {
	RDA_NIC_CHANGE_KNOWN,
	RDA_NIC_CHANGE_READ_ONCE, /* and it is not 0, so it may have counted before */
	RDA_NIC_CHANGE_WENT_BACK, /* it was set back, or wrapped */
};

/* What it counted meanwhile. */
enum rda_nic_change rda_nic_counters_change(const struct rda_nic_counters *counters,
					    const struct rda_nic_reading *reading,
					    uint64_t *change);

#endif
