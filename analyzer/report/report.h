/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What reports are made of, a result and what only who read the captures knows, and what it is
 * printed as.
 */
#ifndef RDA_REPORT_H
#define RDA_REPORT_H

#include "analyzer/engine/result.h"
#include "analyzer/report/choice.h"
#include "analyzer/report/others.h"
#include "analyzer/report/output.h"

#include "analyzer/taps/taps.h"

#include <stdbool.h>
#include <stdint.h>

struct json_object;
struct rda_explain;
struct rda_nic_compared;

/* Where a capture came from. */
struct rda_origin {
	const char *file;   /* as given; "-" is standard input */
	char *damage;	    /* why no more could be read; NULL: it was read to its end */
	int64_t damaged_at; /* byte offset; negative: not known */
	/* why it was not read to its end: "SIGINT", "SIGTERM", "count", "duration"; NULL: it was */
	const char *stopped;
	bool by_interface;    /* one interface of the file is a capture of its own: */
	uint32_t interface;   /* which */
	uint64_t first_frame; /* number of its first frame in a series of files; 0: it is alone */
	struct rda_others others; /* what its frames without RDMA were */
};

/* All is borrowed. */
struct rda_report {
	const struct rda_result *result;
	const struct rda_origin *const *origins; /* one for each capture of the result */
	unsigned origin_count;
	const struct rda_taps *taps;			/* of several files; NULL: there is one */
	const struct rda_nic_compared *const *compared; /* --counters: of NICs */
	unsigned compared_count;
	const struct rda_explain *explain; /* --explain: lines of logs; NULL: none */
	bool keys;			   /* list memory keys in the text */
	bool count_only;		   /* nothing was judged */
	/* of the JSON document only: at most so many records of a kind, 0: all; and of the
	 * connections those with connections[id], NULL: all */
	unsigned most;
	const bool *connections;
	struct rda_choice choice; /* of the text */
};

void rda_report_text(struct rda_output *out, const struct rda_report *report);
/* Parts of it: about connections, where their time went, how CM set them up, hosts, how long
 * messages took, the hosts' NICs, their counters beside the capture, upper layers, memory keys,
 * findings, slow messages, what the capture lacks. */
void rda_report_connections(struct rda_output *out, const struct rda_report *report);
void rda_report_set_up(struct rda_output *out, const struct rda_report *report);
void rda_report_hosts(struct rda_output *out, const struct rda_report *report);
void rda_report_latencies(struct rda_output *out, const struct rda_report *report);
void rda_report_nics(struct rda_output *out, const struct rda_report *report);
void rda_report_time(struct rda_output *out, const struct rda_report *report);
void rda_report_pauses(struct rda_output *out, const struct rda_report *report);
void rda_report_congestion(struct rda_output *out, const struct rda_report *report);
void rda_report_collectives(struct rda_output *out, const struct rda_report *report);
void rda_report_counters(struct rda_output *out, const struct rda_report *report);
void rda_report_ulps(struct rda_output *out, const struct rda_report *report);
void rda_report_keys(struct rda_output *out, const struct rda_report *report);
/* What several files are to each other; all that became of packets between taps. */
void rda_report_relation(struct rda_output *out, const struct rda_report *report);
void rda_report_hops(struct rda_output *out, const struct rda_report *report);
/* Lines of logs, and what the capture has of them. */
void rda_report_explained(struct rda_output *out, const struct rda_report *report);
/* What the captures can tell, in a line. */
void rda_report_quality(struct rda_output *out, const struct rda_report *report);
/* Its words, as those of the verdict. */
char *rda_report_quality_words(const struct rda_report *report);
void rda_report_verdict(struct rda_output *out, const struct rda_report *report);
/* Its words, without line ends (g_free them); NULL: nothing was judged. */
char *rda_report_verdict_words(const struct rda_report *report);
void rda_report_findings(struct rda_output *out, const struct rda_report *report);
void rda_report_slowest(struct rda_output *out, const struct rda_report *report);
void rda_report_limits(struct rda_output *out, const struct rda_report *report);

/* "47" or, where there are several files, "2:47" */
void rda_report_append_place(GString *to, const struct rda_report *report, uint64_t place);

void rda_report_json(struct rda_output *out, const struct rda_report *report);
void rda_report_ndjson(struct rda_output *out, const struct rda_report *report);
void rda_report_csv(struct rda_output *out, const struct rda_report *report);

/* Hands out each record of the JSON document, in its order; `index` is its own in its `list`. */
typedef void rda_take_record(void *context, const char *list, unsigned index,
			     struct json_object *record);
void rda_report_each(const struct rda_report *report, rda_take_record *take, void *context);

/*
 * What the JSON document can have: each list with one element of which nothing is known
 * (rda_record_init_shape). The caller's.
 */
struct json_object *rda_report_shape(void);

#endif
