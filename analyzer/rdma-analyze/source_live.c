/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interfaces, by libpcap. See source_live.h.
 */
#include "analyzer/rdma-analyze/source_live.h"

#include "analyzer/rdma-analyze/erf_record.h"
#include "analyzer/rdma-analyze/interrupt.h"
#include "analyzer/rdma-analyze/source_reader.h"
#include "dissectors/link.h"

#include <pcap/pcap.h>
#include <poll.h>
#include <unistd.h>

enum {
	BLOCK_MS = 100, /* the kernel hands out a block that is not full after so long */
	WAIT_MS = 100,
	SHORT_WAIT_MS = 10,
	BUFFER_KIB = 65536, /* 50 ms of 10 Gbit/s */
	/* packets between two looks at the counts of drops, each of a few system calls; they have
	   32 bits, and no 2^32 packets are dropped meanwhile */
	COUNT_EVERY = 4096,
};

#define HOLD_NS (RDA_LIVE_HOLD_MS * INT64_C(1000000))

struct tap {
	char *name;
	pcap_t *pcap;
	uint16_t link;
	bool nanoseconds; /* the unit of its times; else microseconds */
	bool has;	  /* a packet is at hand: */
	int64_t time_ns;
	struct pcap_pkthdr *header;
	const uint8_t *bytes; /* libpcap's, until the next packet of this tap is asked for */
	char *gone;	      /* why no more come; NULL: they do */
	int64_t gone_ns;      /* since when: what the kernel had by then it hands out later */
	bool over;	      /* and has handed out */
	unsigned dropped, dropped_by_interface; /* as last told */
};

struct live_source {
	struct rda_source source; /* first */
	struct tap *taps;
	struct pollfd *waits; /* one for each tap */
	unsigned count;
	struct tap *told; /* whose packet was handed out last; NULL: none */
	int64_t until_ns; /* a signal came then: later packets are not told; 0: none came */
};

/* The clock by which the kernel stamps packets. */
static int64_t now_ns(void)
{
	return g_get_real_time() * 1000;
}

/* ---- packets --------------------------------------------------------------------------------- */

/* libpcap's counts are of 32 bits and may wrap. */
static void count_drops(struct live_source *s)
{
	for (unsigned i = 0; i < s->count; i++) {
		struct tap *tap = &s->taps[i];
		struct pcap_stat stat;

		if (pcap_stats(tap->pcap, &stat) != 0)
			continue;
		s->source.dropped += (uint32_t)(stat.ps_drop - tap->dropped);
		s->source.dropped += (uint32_t)(stat.ps_ifdrop - tap->dropped_by_interface);
		tap->dropped = stat.ps_drop;
		tap->dropped_by_interface = stat.ps_ifdrop;
	}
}

/*
 * Whether a packet of the tap is at hand. `now` is from before it was asked, here and below: the
 * program may sleep between the two, and what comes meanwhile has to be waited for.
 */
static bool take(struct tap *tap, int64_t now)
{
	const struct pcap_pkthdr *header;
	int status;

	if (tap->has || tap->over)
		return tap->has;
	status = pcap_next_ex(tap->pcap, &tap->header, &tap->bytes);
	if (status == 1) {
		header = tap->header;
		tap->time_ns = rda_source_time(rda_source_seconds(header->ts.tv_sec),
					       (uint32_t)header->ts.tv_usec *
						       (tap->nanoseconds ? 1 : 1000));
		tap->has = true;
	} else if (status == PCAP_ERROR && !tap->gone) { /* it is told once */
		tap->gone = g_strdup_printf("%s: %s", tap->name, pcap_geterr(tap->pcap));
		tap->gone_ns = now;
	}
	tap->over = tap->gone && !tap->has && now - tap->gone_ns > HOLD_NS;
	return tap->has;
}

/* The tap with the oldest packet that none can precede any more; NULL: none yet. */
static struct tap *oldest(struct live_source *s, int64_t now)
{
	struct tap *first = NULL;
	bool all = true;

	for (unsigned i = 0; i < s->count; i++) {
		struct tap *tap = &s->taps[i];

		if (take(tap, now))
			first = first && first->time_ns <= tap->time_ns ? first : tap;
		else
			all &= tap->over;
	}
	if (first && !all && now - first->time_ns < HOLD_NS)
		return NULL;
	return first;
}

/* Until there is something to be read, a signal comes or a moment has passed. */
static void wait_for_more(struct live_source *s)
{
	int wait_ms = WAIT_MS;

	for (unsigned i = 0; i < s->count; i++) {
		struct tap *tap = &s->taps[i];
		int fd = tap->over || tap->has ? -1 : pcap_get_selectable_fd(tap->pcap);

		s->waits[i] = (struct pollfd){.fd = fd, .events = POLLIN};
		/* of one that cannot be waited for, or whose packet has to grow old */
		if (!tap->over && fd < 0)
			wait_ms = SHORT_WAIT_MS;
	}
	poll(s->waits, s->count, wait_ms);
}

static enum rda_source_result end(struct live_source *s, enum rda_source_result result)
{
	GString *reasons = g_string_new(NULL);

	count_drops(s);
	for (unsigned i = 0; i < s->count && result == RDA_SOURCE_DAMAGED; i++)
		if (s->taps[i].gone)
			g_string_append_printf(reasons, "%s%s", reasons->len ? "; " : "",
					       s->taps[i].gone);
	g_free(s->source.error);
	s->source.error = g_string_free(reasons, FALSE);
	s->source.offset = RDA_OFFSET_UNKNOWN;
	return result;
}

static bool any_left(const struct live_source *s)
{
	for (unsigned i = 0; i < s->count; i++)
		if (!s->taps[i].over || s->taps[i].has)
			return true;
	return false;
}

static void fill_frame(struct live_source *s, struct tap *tap, struct rda_meta *meta,
		       struct rda_frame *frame)
{
	meta->time_ns = tap->time_ns;
	meta->number = ++s->source.frames;
	meta->tap = (uint32_t)(tap - s->taps);
	frame->bytes = tap->bytes;
	frame->captured = tap->header->caplen;
	frame->wire = MAX(tap->header->len, tap->header->caplen);
	frame->link = tap->link;
	if (frame->link == RDA_LINK_ERF) /* RDMA devices of libpcap */
		rda_erf_trim(frame->bytes, &frame->captured, &frame->wire);
}

static enum rda_source_result next_frame(struct rda_source *source, struct rda_meta *meta,
					 struct rda_frame *frame)
{
	struct live_source *s = (struct live_source *)source;
	struct tap *tap;
	int64_t now = now_ns();

	if (s->told)
		s->told->has = false;
	s->told = NULL;
	if (rda_interrupt_came() && !s->until_ns)
		s->until_ns = now;
	tap = oldest(s, now);
	if (!tap && any_left(s)) {
		wait_for_more(s);
		now = now_ns();
		tap = oldest(s, now);
	}
	if (s->until_ns && (tap ? tap->time_ns > s->until_ns : now - s->until_ns > HOLD_NS))
		return end(s, RDA_SOURCE_END);
	if (!any_left(s))
		return end(s, RDA_SOURCE_DAMAGED);
	if (!tap || source->frames % COUNT_EVERY == 0)
		count_drops(s);
	if (!tap)
		return RDA_SOURCE_IDLE;
	s->told = tap;
	fill_frame(s, tap, meta, frame);
	return RDA_SOURCE_FRAME;
}

/* ---- opening --------------------------------------------------------------------------------- */

static void close_source(struct rda_source *source)
{
	struct live_source *s = (struct live_source *)source;

	for (unsigned i = 0; i < s->count; i++) {
		if (s->taps[i].pcap)
			pcap_close(s->taps[i].pcap);
		g_free(s->taps[i].name);
		g_free(s->taps[i].gone);
	}
	g_free(s->taps);
	g_free(s->waits);
	g_free(source->file);
	g_free(source->error);
	g_free(s);
}

/* "eth0: No such device exists", with what libpcap says beside it. */
static char *why_not(const struct tap *tap, int status)
{
	const char *more = tap->pcap ? pcap_geterr(tap->pcap) : "";

	if (status == PCAP_ERROR && more[0])
		return g_strdup_printf("%s: %s", tap->name, more);
	return g_strdup_printf("%s: %s%s%s%s", tap->name, pcap_statustostr(status),
			       more[0] ? " (" : "", more, more[0] ? ")" : "");
}

static char *set_filter(struct tap *tap, const char *expression)
{
	struct bpf_program code;
	char *error = NULL;

	if (pcap_compile(tap->pcap, &code, expression, 1, PCAP_NETMASK_UNKNOWN) != 0)
		return g_strdup_printf("--filter: %s: %s", tap->name, pcap_geterr(tap->pcap));
	if (pcap_setfilter(tap->pcap, &code) != 0)
		error = g_strdup_printf("--filter: %s: %s", tap->name, pcap_geterr(tap->pcap));
	pcap_freecode(&code);
	return error;
}

/* NULL, or why it cannot be captured on. */
static char *open_tap(struct tap *tap, const struct rda_options *options)
{
	char text[PCAP_ERRBUF_SIZE] = "";
	uint32_t kib = options->buffer.given ? options->buffer.value : BUFFER_KIB;
	int status;

	tap->pcap = pcap_create(tap->name, text);
	if (!tap->pcap)
		return g_strdup_printf("%s: %s", tap->name, text);
	pcap_set_snaplen(tap->pcap,
			 options->snaplen.given ? (int)options->snaplen.value : RDA_SNAPLEN_MAX);
	pcap_set_promisc(tap->pcap, 1);
	pcap_set_timeout(tap->pcap, BLOCK_MS);
	pcap_set_buffer_size(tap->pcap, (int)(kib * 1024));
	pcap_set_tstamp_precision(tap->pcap, PCAP_TSTAMP_PRECISION_NANO);
	status = pcap_activate(tap->pcap);
	if (status < 0)
		return why_not(tap, status);
	tap->nanoseconds = pcap_get_tstamp_precision(tap->pcap) == PCAP_TSTAMP_PRECISION_NANO;
	tap->link = rda_source_link((unsigned)pcap_datalink(tap->pcap));
	if (pcap_setnonblock(tap->pcap, 1, text) != 0)
		return g_strdup_printf("%s: %s", tap->name, text);
	return options->filter ? set_filter(tap, options->filter) : NULL;
}

struct rda_source *rda_source_live_open(const struct rda_options *options, char **error)
{
	unsigned count = g_strv_length(options->interfaces);
	struct live_source *s = g_new0(struct live_source, 1);

	s->source.next = next_frame;
	s->source.close = close_source;
	s->source.live = true;
	s->source.offset = RDA_OFFSET_UNKNOWN;
	s->source.file = g_strjoinv(", ", options->interfaces);
	s->taps = g_new0(struct tap, count);
	s->waits = g_new0(struct pollfd, count);
	for (*error = NULL; s->count < count && !*error;) {
		struct tap *tap = &s->taps[s->count];

		tap->name = g_strdup(options->interfaces[s->count++]);
		*error = open_tap(tap, options);
	}
	if (!*error)
		return &s->source;
	close_source(&s->source);
	return NULL;
}

const char *rda_source_live_tap(const struct rda_source *source, uint32_t tap)
{
	const struct live_source *s = (const struct live_source *)source;

	return source->next == next_frame && tap < s->count ? s->taps[tap].name : NULL;
}

bool rda_source_live_list(struct rda_output *out, char **error)
{
	char text[PCAP_ERRBUF_SIZE] = "";
	pcap_if_t *list;

	if (pcap_findalldevs(&list, text) != 0) {
		*error = g_strdup(text);
		return false;
	}
	for (const pcap_if_t *one = list; one; one = one->next) {
		/* whoever names an interface may call it what he likes */
		char *name = rda_output_harmless(one->name);
		char *words = rda_output_harmless(one->description ? one->description : "");

		rda_print(out, *words ? "%s (%s)" : "%s", name, words);
		g_free(words);
		g_free(name);
		if (!(one->flags & PCAP_IF_UP))
			rda_print(out, " [down]");
		rda_print(out, "\n");
	}
	pcap_freealldevs(list);
	return true;
}
