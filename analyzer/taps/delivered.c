/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests that were sent once, and acknowledged. See delivered.h.
 */
#include "analyzer/taps/delivered.h"

#include "analyzer/base/psn.h"

#include <glib.h>

/* Of the requests of a flow; PSNs are widened, in the order in which packets are looked at. */
struct asked {
	int64_t near; /* the latest PSN of the flow or of its answers; 0: none */
	int64_t high; /* of requests that were looked at, the highest; or the lowest */
	int64_t acknowledged;
	bool any, any_acknowledged;
};

static int64_t widen(struct asked *of, uint32_t psn)
{
	of->near = of->near ? rda_psn_widen(of->near, psn) : rda_psn_first(psn);
	return of->near;
}

/* What no request with as high a PSN came before. */
static void mark_first(bool *delivered, const struct rda_passages *passages, uint32_t flow_count)
{
	struct asked *flows = g_new0(struct asked, flow_count + 1);

	for (uint32_t i = 0; i < passages->count; i++) {
		const struct rda_passage *packet = &passages->packets[i];
		struct asked *of =
			packet->answered && packet->flow < flow_count ? &flows[packet->flow] : NULL;
		int64_t psn;

		if (!of)
			continue;
		psn = widen(of, packet->sequence);
		delivered[i] = !packet->damaged && (!of->any || psn > of->high);
		of->high = of->any ? MAX(of->high, psn) : psn;
		of->any = true;
	}
	g_free(flows);
}

/* Backwards: the answer to a flow's requests. */
static void acknowledge(struct asked *of, const struct rda_passage *answer)
{
	int64_t psn = widen(of, answer->sequence) - answer->refuses;

	of->acknowledged = of->any_acknowledged ? MAX(of->acknowledged, psn) : psn;
	of->any_acknowledged = true;
}

bool *rda_delivered_find(const struct rda_passages *passages, const uint32_t *back,
			 uint32_t flow_count)
{
	bool *delivered = g_new0(bool, passages->count + 1);
	struct asked *flows = g_new0(struct asked, flow_count + 1);

	if (back)
		mark_first(delivered, passages, flow_count);
	for (uint32_t i = passages->count; back && i-- > 0;) {
		const struct rda_passage *packet = &passages->packets[i];
		uint32_t other =
			packet->flow < flow_count ? back[packet->flow] : RDA_PASSAGE_NO_FLOW;
		struct asked *of;
		int64_t psn;

		if (packet->answers && !packet->damaged && other < flow_count)
			acknowledge(&flows[other], packet);
		if (!packet->answered || packet->flow >= flow_count)
			continue;
		of = &flows[packet->flow];
		psn = widen(of, packet->sequence);
		delivered[i] = delivered[i] && of->any_acknowledged && psn <= of->acknowledged &&
			       (!of->any || psn < of->high);
		of->high = of->any ? MIN(of->high, psn) : psn;
		of->any = true;
	}
	g_free(flows);
	return delivered;
}
