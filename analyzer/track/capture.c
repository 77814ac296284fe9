/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every frame counts for in its capture, RDMA or not.
 */
#include "analyzer/track/capture.h"

#include "analyzer/base/cold.h"
#include "dissectors/icrc.h"
#include "dissectors/link.h"

#include <glib.h>

RDA_COLD static void count_link(struct rda_capture *capture, uint16_t link, uint64_t number)
{
	if (!rda_link_name(link))
		capture->undecoded++;
	for (unsigned i = 0; i < capture->link_count; i++)
		if (capture->links[i] == link)
			return;
	if (capture->link_count == RDA_LINKS_KEPT) {
		capture->more_links = true;
		return;
	}
	capture->link_frames[capture->link_count] = number;
	capture->links[capture->link_count++] = link;
}

/* What plain RoCEv2 has none of. */
RDA_APART static void count_odd(struct rda_capture *capture, const struct rda_packet *packet)
{
	if (packet->fragment)
		capture->fragments++;
	if (packet->faults & 1u << RDA_FAULT_TOO_DEEP)
		capture->too_deep++;
	if (packet->carrier != RDA_CARRIER_NONE) {
		capture->rdma_packets[packet->carrier]++;
		capture->malformed += packet->status == RDA_STATUS_MALFORMED;
	} else if (packet->layer_count) {
		uint8_t last = packet->layers[packet->layer_count - 1].header;

		capture->pause_frames += last == RDA_PAUSE;
		capture->pfc_frames += last == RDA_PFC;
	}
}

RDA_COLD static void goes_back(struct rda_capture *capture, int64_t time_ns)
{
	capture->back_ns = rda_meta_back_ns(capture->back_ns, capture->last_time_ns, time_ns);
	capture->first_time_ns = MIN(capture->first_time_ns, time_ns);
}

void rda_capture_frame(struct rda_capture *capture, const struct rda_meta *meta,
		       const struct rda_frame *frame, const struct rda_packet *packet)
{
	if (capture->packets++ == 0)
		capture->first_time_ns = capture->last_time_ns = meta->time_ns;
	else if (meta->time_ns >= capture->last_time_ns) /* nearly always: one is written */
		capture->last_time_ns = meta->time_ns;
	else
		goes_back(capture, meta->time_ns);
	if (frame->captured < frame->wire && capture->cut_by_snaplen++ == 0)
		capture->first_cut = meta->number;
	/* of a link that is not understood there are no layers */
	if (capture->link_count == 0 || capture->links[0] != frame->link ||
	    packet->layer_count == 0)
		count_link(capture, frame->link, meta->number);
	if (packet->plain)
		capture->rdma_packets[RDA_CARRIER_ROCEV2]++;
	else
		count_odd(capture, packet);
}

RDA_APART bool rda_capture_vcrc(struct rda_capture *capture, const struct rda_frame *frame,
				const struct rda_packet *packet)
{
	struct rda_crc crc;

	if (!rda_vcrc(frame, packet, &crc))
		return false;
	if (crc.stored != crc.computed)
		capture->vcrc_bad++;
	else
		capture->vcrc_good++;
	return crc.stored != crc.computed;
}

int64_t rda_captures_until(const struct rda_capture *captures, uint32_t count, uint64_t place)
{
	uint32_t index = rda_place_capture(place);
	int64_t until, end_ns;

	if (index >= count)
		return 0;
	end_ns = captures[index].last_time_ns;
	until = rda_capture_until(&captures[index]);
	for (index++; index < count; index++) {
		const struct rda_capture *next = &captures[index];

		if (!next->continues &&
		    (!next->packets || !rda_is_next_file(end_ns, next->first_time_ns)))
			break;
		if (next->packets) {
			end_ns = MAX(end_ns, next->last_time_ns);
			until = MAX(until, rda_capture_until(next));
		}
	}
	return until;
}
