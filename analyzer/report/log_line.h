/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a line of a log says that a capture could hold: QPNs, addresses, memory keys, addresses in
 * memory, statuses, times. No program's lines are known as a whole: numbers are known by the words
 * in front of them (log_forms.def), addresses and times by their form; so a line of an unknown
 * program is read like any other. Completion entries that mlx5 prints as bytes are decoded.
 *
 * A line is untrusted: any bytes, of any length.
 */
#ifndef RDA_LOG_LINE_H
#define RDA_LOG_LINE_H

#include "analyzer/rda.h"
#include "analyzer/report/log_forms.def"

/* Bytes of a line that are looked at, and values that are kept of it. */
#define RDA_LOG_BYTES_MAX 4096
#define RDA_LOG_ITEMS_MAX 24

/* RDA_LOG_KINDS(K): K(ID, "name in the JSON", "words") */
#define RDA_LOG_KINDS(K)                                                                           \
	K(QPN, "qpn", "QP")                                                                        \
	K(LOCAL_QPN, "local_qpn", "local QP")                                                      \
	K(REMOTE_QPN, "remote_qpn", "remote QP")                                                   \
	K(ADDRESS, "address", "address")                                                           \
	K(KEY, "rkey", "r_key")                                                                    \
	K(LKEY, "lkey", "l_key")                                                                   \
	K(MEMORY, "virtual_address", "memory address")                                             \
	K(PSN, "psn", "PSN")                                                                       \
	K(STATUS, "status", "status")                                                              \
	K(VENDOR, "vendor_error", "vendor error")                                                  \
	K(SYNDROME, "syndrome", "syndrome")                                                        \
	K(TIME, "time_ns", "time")

enum rda_log_kind {
#define RDA_K(ID, name, words) RDA_LOG_##ID,
	RDA_LOG_KINDS(RDA_K)
#undef RDA_K
		RDA_LOG_KIND_COUNT
};

const char *rda_log_kind_name(unsigned kind);
const char *rda_log_kind_words(unsigned kind);

struct rda_log_item {
	uint8_t kind;		    /* enum rda_log_kind */
	uint64_t number;	    /* but of ADDRESS; of TIME ns since 1970 */
	struct rda_address address; /* ADDRESS */
};

struct rda_log_line {
	const char *program;			      /* "UCX", ...; NULL: not known */
	struct rda_log_item items[RDA_LOG_ITEMS_MAX]; /* in order, each once */
	unsigned count;
	bool more;	/* than are kept */
	bool cut;	/* it goes on behind what is looked at */
	int32_t status; /* of libibverbs, told as a number, in words or by mlx5's syndrome; 0: none
			 */
};

void rda_log_line_read(struct rda_log_line *line, const char *text, size_t length);

/* The first item of a kind; or NULL. */
const struct rda_log_item *rda_log_line_find(const struct rda_log_line *line, unsigned kind);

/* "transport retry counter exceeded", and what that means; NULL: no such status. */
const char *rda_log_status_name(int32_t status);
const char *rda_log_status_words(int32_t status);

#endif
