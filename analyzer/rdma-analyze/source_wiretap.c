/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frames of a capture file, read by libwiretap.
 *
 * What it leaves to us: pseudo headers that it takes off packets (ERF is put together again; other
 * such links are never decoded, and go without), link types that it does not know (looked up in the
 * file itself), and formats that are no captures (never tried).
 */
#include "analyzer/rdma-analyze/wiretap_compat.h"

#include <string.h>

#include "analyzer/rdma-analyze/damage.h"
#include "analyzer/rdma-analyze/erf_record.h"
#include "analyzer/rdma-analyze/records.h"
#include "analyzer/rdma-analyze/source_reader.h"
#include "analyzer/rdma-analyze/wiretap_link.h"
#include "analyzer/rdma-analyze/wiretap_module.h"
#include "dissectors/link.h"

/*
 * The formats to try, by libwiretap's names. Its others are for radios, telephones, buses, logs and
 * text, or guess at files that are no captures at all (MIME, JSON, BER, ELF).
 */
static const char *const formats[] = {
	"Wireshark/tcpdump/... - pcap",
	"Wireshark/... - pcapng",
	"Endace ERF capture",
	"Snoop, Shomiti/Finisar Surveyor",
	"AIX iptrace",
	"Microsoft Network Monitor",
	"Cinco NetXray/Sniffer (Windows)",
	"Sniffer (DOS)",
	"Viavi Observer",
	"Savvius tagged",
};

/*
 * Old variants of pcap with the magic number of pcap. libwiretap finds them by trying which one
 * makes sense of the first records, so that a damaged pcap is taken for one.
 */
static const char *const guessed_formats[] = {"rh6_1pcap", "nokiapcap"};

/* More time units in a second than this, and libwiretap (4.0 to 4.6) computes wrong nanoseconds. */
#define MAX_TIME_UNITS (UINT64_MAX / 1000000000)

struct wiretap_source {
	struct rda_source source; /* first */
	wtap *file;
	struct rda_wiretap_record record;
	uint64_t records; /* read so far: packets and others */
	bool pcapng;
	bool clock_too_fine;		 /* an interface has more than MAX_TIME_UNITS */
	GByteArray *erf;		 /* the last ERF record, put together */
	struct rda_file_records *lookup; /* for links that libwiretap does not know; or NULL */
	bool finished;
	enum rda_source_result result; /* once finished */
};

/* ---- the library ----------------------------------------------------------------------------- */

static bool is_one_of(const char *name, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

static void keep_formats(void)
{
	const struct open_info *routine = open_routines; /* ends with a name of NULL */

	while (routine->name) {
		if (is_one_of(routine->name, formats, G_N_ELEMENTS(formats)))
			routine++;
		else
			wtap_deregister_open_info(routine->name); /* the next one moves here */
	}
}

static void start_library(void)
{
	static bool started;

	if (started)
		return;
	started = true;
	rda_wiretap_quiet();
	wtap_init(FALSE);
	keep_formats();
}

/* ---- frames ---------------------------------------------------------------------------------- */

static void rebuild_erf(struct wiretap_source *w, struct rda_meta *meta, struct rda_frame *frame)
{
	const struct erf_mc_phdr *erf = &w->record.rec.rec_header.packet_header.pseudo_header.erf;
	unsigned headers;

	g_byte_array_set_size(w->erf, RDA_WIRETAP_ERF_MAX + frame->captured);
	headers = rda_wiretap_put_erf(w->erf->data, erf);
	memcpy(w->erf->data + headers, frame->bytes, frame->captured);
	frame->bytes = w->erf->data;
	frame->captured += headers;
	frame->wire += headers;
	if (!w->pcapng)
		meta->tap = rda_erf_port(erf->phdr.flags);
}

/* The link of the packet whose record is at `offset`, from the file. Offsets come in order. */
static uint16_t look_up_link(struct wiretap_source *w, int64_t offset)
{
	char *error = NULL;

	if (w->source.size == 0 || strcmp(w->source.file, "-") == 0)
		return RDA_LINK_UNKNOWN; /* it cannot be read a second time */
	if (!w->lookup)
		w->lookup = rda_records_open(w->source.file, &error);
	g_free(error);
	while (w->lookup && w->lookup->record.offset < offset)
		if (!rda_records_next(w->lookup))
			return RDA_LINK_UNKNOWN;
	if (!w->lookup || w->lookup->record.offset != offset)
		return RDA_LINK_UNKNOWN;
	return rda_source_link(w->lookup->record.link);
}

static void fill_frame(struct wiretap_source *w, int64_t offset, struct rda_meta *meta,
		       struct rda_frame *frame)
{
	const wtap_rec *rec = &w->record.rec;
	const wtap_packet_header *packet = &rec->rec_header.packet_header;
	int encap = packet->pkt_encap;

	meta->time_ns = 0;
	if (rec->presence_flags & WTAP_HAS_TS)
		meta->time_ns =
			rda_source_time(rda_source_seconds(rec->ts.secs), (uint32_t)rec->ts.nsecs);
	meta->number = w->records;
	meta->tap = 0;
	if (rec->presence_flags & WTAP_HAS_INTERFACE_ID)
		meta->tap = packet->interface_id;
	meta->tap += rda_wiretap_section(rec) * RDA_TAPS_PER_SECTION;

	frame->bytes = rda_wiretap_record_bytes(&w->record);
	frame->captured = packet->caplen;
	frame->wire = MAX(packet->len, packet->caplen);
	frame->link = rda_wiretap_link(encap);
	if (encap == WTAP_ENCAP_ERF)
		rebuild_erf(w, meta, frame);
	else if (frame->link == RDA_LINK_UNKNOWN && w->pcapng)
		frame->link = look_up_link(w, offset);
}

/* ---- the end --------------------------------------------------------------------------------- */

static char *words_of(int code, char *detail)
{
	char *words;

	if (code == WTAP_ERR_DECOMPRESS)
		words = g_strdup_printf("the packed data is damaged (%s)", detail ? detail : "");
	else
		words = g_strdup(detail ? detail : wtap_strerror(code));
	g_free(detail);
	return words;
}

/* libwiretap says no more than that there is less than it expected. */
static char *words_of_cut(const char *file, int64_t *offset, bool packed)
{
	char *words = rda_damage_cut(file, offset);

	if (words)
		return words;
	return g_strdup(packed ? "the packed data ends too early"
			       : "the file ends inside a record");
}

/* Packets that interfaces dropped, as statistics at the end of a pcapng file say. */
static uint64_t count_drops(const struct rda_source *source, wtap *file)
{
	wtapng_iface_descriptions_t *list = wtap_file_get_idb_info(file);
	uint64_t sum = 0;

	for (guint i = 0; i < list->interface_data->len; i++) {
		const wtapng_if_descr_mandatory_t *interface = wtap_block_get_mandatory_data(
			g_array_index(list->interface_data, wtap_block_t, i));
		uint64_t most = 0, count;

		/* each statistics block counts from the beginning: the last has the most */
		for (guint j = 0; j < interface->num_stat_entries; j++)
			if (wtap_block_get_uint64_option_value(
				    g_array_index(interface->interface_statistics, wtap_block_t, j),
				    OPT_ISB_IFDROP, &count) == WTAP_OPTTYPE_SUCCESS)
				most = MAX(most, count);
		if (rda_source_counts(source, i))
			sum += most;
	}
	g_free(list);
	return sum;
}

/* Packets that were dropped between this one and the one before. */
static uint64_t drops_before(const wtap_rec *rec)
{
	uint64_t count = 0;

	if (!rec->block || wtap_block_get_uint64_option_value(rec->block, OPT_PKT_DROPCOUNT,
							      &count) != WTAP_OPTTYPE_SUCCESS)
		return 0;
	return count;
}

/* libwiretap sees a block of an odd length; NULL: what it says is the reason. */
static char *words_of_zeros(struct wiretap_source *w, int64_t offset)
{
	char *words = w->pcapng ? rda_damage_cut(w->source.file, &offset) : NULL;

	if (words && strcmp(words, RDA_RECORD_NOT_WRITTEN) == 0)
		return words;
	g_free(words);
	return NULL;
}

static enum rda_source_result finish(struct wiretap_source *w, int code, char *detail,
				     int64_t offset)
{
	bool packed = wtap_get_compression_type(w->file) != WTAP_UNCOMPRESSED;
	char *words;

	w->finished = true;
	w->source.dropped = MAX(w->source.dropped, count_drops(&w->source, w->file));
	if (code == WTAP_ERR_SHORT_READ) {
		g_free(detail);
		words = words_of_cut(w->source.file, &offset, packed);
		w->result = rda_source_damage(&w->source, words, offset, packed);
	} else if (code != 0) {
		words = words_of_zeros(w, offset);
		if (words)
			g_free(detail);
		else
			words = words_of(code, detail);
		w->result = rda_source_damage(&w->source, words, offset, packed);
	} else if (w->records == 0 && wtap_file_encap(w->file) == WTAP_ENCAP_ERF) {
		/* no byte is a correct ERF file, and cut zstd or lz4 data may give none */
		w->result = rda_source_damage(
			&w->source,
			g_strdup(packed ? "nothing can be unpacked from it" : "the file is empty"),
			0, false);
	} else {
		w->result = RDA_SOURCE_END;
	}
	return w->result;
}

/* Looks at the interfaces that were described since the last time. */
static void note_interfaces(struct wiretap_source *w)
{
	wtap_block_t block;

	while ((block = wtap_get_next_interface_description(w->file))) {
		const wtapng_if_descr_mandatory_t *interface = wtap_block_get_mandatory_data(block);

		w->clock_too_fine |= interface->time_units_per_second > MAX_TIME_UNITS;
	}
}

static const char clock_reason[] = "an interface counts its time in less than 0.1 ns, for which "
				   "libwiretap computes wrong times";

static bool is_all_zeros(const wtap_rec *rec)
{
	const wtap_packet_header *header = &rec->rec_header.packet_header;

	return rec->rec_type == REC_TYPE_PACKET && !header->len && !header->caplen &&
	       !rec->ts.secs && !rec->ts.nsecs;
}

static enum rda_source_result next_frame(struct rda_source *source, struct rda_meta *meta,
					 struct rda_frame *frame)
{
	struct wiretap_source *w = (struct wiretap_source *)source;
	int64_t offset = RDA_OFFSET_UNKNOWN;
	char *detail = NULL;
	int code = 0;

	if (w->finished)
		return w->result;
	do {
		wtap_rec_reset(&w->record.rec);
		if (!rda_wiretap_read(w->file, &w->record, &code, &detail, &offset))
			return finish(w, code, detail, offset);
		if (!w->pcapng && is_all_zeros(&w->record.rec))
			return finish(w, WTAP_ERR_BAD_FILE, g_strdup(RDA_RECORD_NOT_WRITTEN),
				      offset);
		w->records++;
		note_interfaces(w);
		if (w->clock_too_fine)
			return finish(w, WTAP_ERR_UNSUPPORTED, g_strdup(clock_reason), offset);
	} while (w->record.rec.rec_type != REC_TYPE_PACKET);
	source->position = wtap_read_so_far(w->file);
	fill_frame(w, offset, meta, frame);
	if (rda_source_counts(source, meta->tap))
		source->dropped += drops_before(&w->record.rec);
	source->frames++;
	return RDA_SOURCE_FRAME;
}

static void close_source(struct rda_source *source)
{
	struct wiretap_source *w = (struct wiretap_source *)source;

	wtap_close(w->file);
	rda_wiretap_record_cleanup(&w->record);
	rda_records_close(w->lookup);
	g_byte_array_free(w->erf, TRUE);
	g_free(source->file);
	g_free(source->error);
	g_free(w);
}

/* Why the reader should not be used for a file that libwiretap has opened; NULL: it should. */
static char *why_not(struct wiretap_source *w)
{
	const char *format = wtap_file_type_subtype_name(wtap_file_type_subtype(w->file));

	if (is_one_of(format, guessed_formats, G_N_ELEMENTS(guessed_formats)))
		return g_strdup_printf("libwiretap guesses that it is of an old format (%s)",
				       format);
	return w->clock_too_fine ? g_strdup(clock_reason) : NULL;
}

static void refuse(const char *file, int code, char *detail, struct rda_refusal *refusal)
{
	if (code == WTAP_ERR_FILE_UNKNOWN_FORMAT) {
		refusal->reason = NULL;
	} else if (code == WTAP_ERR_SHORT_READ) {
		g_free(detail);
		refusal->reason = words_of_cut(file, &refusal->offset, false);
	} else {
		refusal->reason = words_of(code, detail);
		if (code == WTAP_ERR_BAD_FILE)
			refusal->offset = rda_damage_block(file);
	}
}

static struct rda_source *open_source(const char *file, struct rda_refusal *refusal)
{
	struct wiretap_source *w;
	char *detail = NULL;
	int code = 0;
	wtap *opened;

	start_library();
	opened = wtap_open_offline(file, WTAP_TYPE_AUTO, &code, &detail, FALSE);
	refusal->offset = RDA_OFFSET_UNKNOWN;
	if (!opened) {
		refuse(file, code, detail, refusal);
		return NULL;
	}
	w = g_new0(struct wiretap_source, 1);
	w->source.next = next_frame;
	w->source.close = close_source;
	w->file = opened;
	w->pcapng = wtap_file_type_subtype(opened) == wtap_pcapng_file_type_subtype();
	w->erf = g_byte_array_new();
	rda_wiretap_record_init(&w->record);
	note_interfaces(w);
	refusal->reason = why_not(w);
	if (refusal->reason) {
		close_source(&w->source);
		return NULL;
	}
	return &w->source;
}

__attribute__((visibility("default"))) extern const struct rda_wiretap_module rda_wiretap_module;

const struct rda_wiretap_module rda_wiretap_module = {RDA_VERSION, open_source};
