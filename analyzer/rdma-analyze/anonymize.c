/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --anonymize: each frame of a run written anew. See anonymize.h.
 */
#include "analyzer/rdma-analyze/anonymize.h"

#include "analyzer/rdma-analyze/capture_out.h"
#include "analyzer/rdma-analyze/complain.h"
#include "analyzer/rdma-analyze/pseudonyms.h"

#include <stdio.h>

struct writer {
	const struct rda_run *run;
	struct rda_capture_out capture;
	struct rda_rewrite rewrite;
	GByteArray *bytes;
};

static bool take(void *context, unsigned input, const struct rda_meta *meta,
		 const struct rda_frame *frame)
{
	struct writer *w = context;
	struct rda_frame anew = *frame;

	(void)input; /* there is one */
	g_byte_array_set_size(w->bytes, MAX(frame->captured, 1));
	rda_rewrite(w->bytes->data, frame, &w->run->config.dissect, &w->rewrite);
	anew.bytes = w->bytes->data;
	rda_capture_out_frame(&w->capture, meta, &anew, NULL);
	return true;
}

/* What only payload tells cannot be told of the new file. */
static void warn(const struct rda_result *result)
{
	unsigned iwarp = 0, ulps = rda_result_ulp_count(result);

	for (unsigned i = 0; i < rda_result_connection_count(result); i++)
		iwarp += rda_result_connection(result, i)->carrier == RDA_CARRIER_IWARP;
	if (iwarp)
		rda_complain("--anonymize: %u iWARP connection%s no contents in the file", iwarp,
			     iwarp == 1 ? " has" : "s have");
	if (ulps)
		rda_complain("--anonymize: commands of upper layers (%u connection%s) are not in "
			     "the file",
			     ulps, ulps == 1 ? "" : "s");
}

bool rda_anonymize_write(struct rda_run *run, struct rda_outfile *file, char **error)
{
	struct rda_pseudonyms *pseudonyms = rda_pseudonyms_new(run->result);
	struct writer writer = {
		.run = run,
		.rewrite = {rda_pseudonyms_secret, rda_pseudonyms_payload, pseudonyms},
		.bytes = g_byte_array_new(),
	};
	int failure;

	warn(run->result);
	rda_capture_out_init(&writer.capture, rda_outfile_fd(file));
	rda_run_again(run, take, &writer);
	failure = rda_capture_out_end(&writer.capture);
	g_byte_array_free(writer.bytes, TRUE);
	rda_pseudonyms_free(pseudonyms);
	return rda_outfile_finish(file, failure, error);
}
