/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --anonymize: each frame of a run written anew. See anonymize.h.
 */
#include "analyzer/rdma-analyze/anonymize.h"

#include "analyzer/rdma-analyze/capture_out.h"
#include "analyzer/rdma-analyze/complain.h"
#include "analyzer/rdma-analyze/contents.h"
#include "analyzer/rdma-analyze/pseudonyms.h"
#include "analyzer/rdma-analyze/streams_anew.h"

struct writer {
	const struct rda_run *run;
	struct rda_pseudonyms *pseudonyms;
	struct rda_contents *contents;
	struct rda_streams_anew *streams;
	struct rda_engine *again; /* that lists what is in streams */
	struct rda_capture_out capture;
	struct rda_rewrite rewrite;
	GByteArray *bytes;
	uint64_t place; /* of the frame at hand */
};

/* ---- what is written anew -------------------------------------------------------------------- */

static void secret(void *context, enum rda_secret kind, uint8_t *bytes, unsigned length)
{
	const struct writer *w = context;

	rda_pseudonyms_secret(w->pseudonyms, kind, bytes, length);
}

/* `packet` is NULL for payload of an FPDU. */
static void payload(void *context, const struct rda_packet *packet, uint8_t *out,
		    const uint8_t *bytes, uint32_t length)
{
	const struct writer *w = context;

	if (packet && rda_has(packet, TCP) &&
	    rda_streams_anew_write(w->streams, w->place, &packet->tcp, out, length))
		return;
	rda_pseudonyms_payload(w->pseudonyms, out, bytes, length);
}

static uint16_t source_port(void *context, const struct rda_packet *packet)
{
	const struct writer *w = context;

	return rda_pseudonyms_source_port(w->pseudonyms, packet);
}

static uint8_t contents(void *context, const struct rda_packet *packet, const uint8_t *bytes,
			uint32_t length)
{
	const struct writer *w = context;

	return rda_contents_mark(w->contents, packet, bytes, length);
}

/* ---- frames ---------------------------------------------------------------------------------- */

static void list_streams(struct writer *w)
{
	const struct rda_fpdu_part *parts;
	const struct rda_fpdu_told *told;
	unsigned count;

	parts = rda_engine_fpdu_parts(w->again, &count);
	rda_streams_anew_parts(w->streams, parts, count);
	told = rda_engine_fpdus(w->again, &count);
	rda_streams_anew_fpdus(w->streams, told, count);
	told = rda_engine_fpdus_unfinished(w->again, &count);
	rda_streams_anew_fpdus(w->streams, told, count);
}

static bool list(void *context, unsigned input, const struct rda_meta *meta,
		 const struct rda_frame *frame)
{
	struct writer *w = context;

	(void)input; /* there is one file, and one engine for it */
	rda_engine_packet(w->again, meta, frame);
	list_streams(w);
	return true;
}

static bool write_frame(void *context, unsigned input, const struct rda_meta *meta,
			const struct rda_frame *frame)
{
	struct writer *w = context;
	struct rda_frame anew = *frame;

	(void)input; /* streams are listed by one engine, whatever the interface */
	w->place = rda_place_id(0, meta->number);
	g_byte_array_set_size(w->bytes, MAX(frame->captured, 1));
	rda_rewrite(w->bytes->data, frame, &w->run->config.dissect, &w->rewrite);
	anew.bytes = w->bytes->data;
	rda_capture_out_frame(&w->capture, meta, &anew, NULL);
	return true;
}

/* What only payload tells cannot be told of the new file. */
static void warn(const struct rda_result *result)
{
	unsigned ulps = rda_result_ulp_count(result);

	if (ulps)
		rda_complain("--anonymize: commands of upper layers (%u connection%s) are not in "
			     "the file",
			     ulps, ulps == 1 ? "" : "s");
}

static bool has_iwarp(const struct rda_result *result)
{
	for (unsigned i = 0; i < rda_result_connection_count(result); i++)
		if (rda_result_connection(result, i)->carrier == RDA_CARRIER_IWARP)
			return true;
	return false;
}

/* Reads the frames once more, where there are streams. */
static void find_streams(struct rda_run *run, struct writer *w)
{
	const struct rda_config config = {.dissect = run->config.dissect, .trace = true};

	if (!has_iwarp(run->result))
		return;
	w->again = rda_engine_new(&config);
	rda_engine_begin_capture(w->again);
	rda_run_again_as_filed(run, list, w);
	rda_engine_end(w->again);
	list_streams(w);
	rda_engine_free(w->again);
	rda_streams_anew_settle(w->streams);
}

bool rda_anonymize_write(struct rda_run *run, struct rda_outfile *file, char **error)
{
	struct writer writer = {
		.run = run,
		.pseudonyms = rda_pseudonyms_new(run->result, run->config.hash_seed),
		.contents = rda_contents_new(run->config.hash_seed),
		.rewrite = {secret, payload, source_port, contents, &writer},
		.bytes = g_byte_array_new(),
	};
	int failure;

	warn(run->result);
	writer.streams = rda_streams_anew_new(&writer.rewrite);
	find_streams(run, &writer);
	rda_capture_out_init(&writer.capture, rda_outfile_fd(file));
	rda_run_again_as_filed(run, write_frame, &writer);
	rda_capture_out_dropped(&writer.capture, rda_result_capture(run->result, 0)->dropped);
	failure = rda_capture_out_end(&writer.capture);
	g_byte_array_free(writer.bytes, TRUE);
	rda_streams_anew_free(writer.streams);
	rda_contents_free(writer.contents);
	rda_pseudonyms_free(writer.pseudonyms);
	return rda_outfile_finish(file, failure, error);
}
