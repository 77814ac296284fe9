/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * BPF programs, one for each link type. libpcap compiles and runs them. See filter.h.
 */
#include "analyzer/rdma-analyze/filter.h"

#include <glib.h>
#include <pcap/pcap.h>

#include "dissectors/link.h"

#define SNAPLEN 262144 /* that of tcpdump; a filter returns it for "all of the packet" */

struct program {
	uint16_t link;
	char *error; /* NULL: `code` can be run */
	struct bpf_program code;
};

static const uint16_t links[] = {RDA_LINK_ETHERNET, /* first: its reason is the one that is told */
#define RDA_L(ID, value, name) (value),
				 RDA_LINKS(RDA_L)
#undef RDA_L
};

struct rda_filter {
	char *expression;
	GArray *programs; /* of struct program */
	guint last;	  /* index of the one that was used last */
	char *words;	  /* of rda_filter_error; NULL: none yet */
};

/* Raw IP is the one link type of link.h whose number in libpcap differs from that in files. */
static int dlt_of(unsigned link)
{
	return link == RDA_LINK_RAW || link == RDA_LINK_RAW_14 ? DLT_RAW : (int)link;
}

/* Returns libpcap's reason (g_free) when the expression does not compile. */
static char *compile(struct bpf_program *code, const char *expression, unsigned link)
{
	pcap_t *pcap = pcap_open_dead(dlt_of(link), SNAPLEN);
	char *error = NULL;

	if (pcap_compile(pcap, code, expression, 1, PCAP_NETMASK_UNKNOWN) != 0)
		error = g_strdup(pcap_geterr(pcap));
	pcap_close(pcap);
	return error;
}

static const struct program *add_program(struct rda_filter *filter, uint16_t link)
{
	struct program program = {.link = link};

	program.error = compile(&program.code, filter->expression, link);
	g_array_append_val(filter->programs, program);
	return &g_array_index(filter->programs, struct program, filter->programs->len - 1);
}

struct rda_filter *rda_filter_new(const char *expression, char **error)
{
	struct rda_filter *filter = g_new0(struct rda_filter, 1);
	bool any = false;

	filter->expression = g_strdup(expression);
	filter->programs = g_array_new(FALSE, FALSE, sizeof(struct program));
	for (size_t i = 0; i < G_N_ELEMENTS(links); i++)
		any |= !add_program(filter, links[i])->error;
	*error = any ? NULL : g_strdup(g_array_index(filter->programs, struct program, 0).error);
	if (any)
		return filter;
	rda_filter_free(filter);
	return NULL;
}

void rda_filter_free(struct rda_filter *filter)
{
	if (!filter)
		return;
	for (guint i = 0; i < filter->programs->len; i++) {
		struct program *program = &g_array_index(filter->programs, struct program, i);

		if (!program->error)
			pcap_freecode(&program->code);
		g_free(program->error);
	}
	g_array_free(filter->programs, TRUE);
	g_free(filter->expression);
	g_free(filter->words);
	g_free(filter);
}

static const struct program *program_for(struct rda_filter *filter, uint16_t link)
{
	for (filter->last = 0; filter->last < filter->programs->len; filter->last++)
		if (g_array_index(filter->programs, struct program, filter->last).link == link)
			return &g_array_index(filter->programs, struct program, filter->last);
	return add_program(filter, link);
}

enum rda_filter_result rda_filter_frame(struct rda_filter *filter, const struct rda_frame *frame)
{
	const struct program *program =
		&g_array_index(filter->programs, struct program, filter->last);
	struct pcap_pkthdr header = {.caplen = frame->captured, .len = frame->wire};

	if (program->link != frame->link)
		program = program_for(filter, frame->link);
	if (program->error)
		return RDA_FILTER_UNUSABLE;
	return pcap_offline_filter(&program->code, &header, frame->bytes) ? RDA_FILTER_PASS
									  : RDA_FILTER_DROP;
}

const char *rda_filter_error(struct rda_filter *filter)
{
	const struct program *program =
		&g_array_index(filter->programs, struct program, filter->last);
	const char *name = rda_link_name(program->link);

	g_free(filter->words);
	filter->words = name ? g_strdup_printf("for %s frames: %s", name, program->error)
			     : g_strdup_printf("for frames of link type %u: %s", program->link,
					       program->error);
	return filter->words;
}
