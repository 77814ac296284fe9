/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parted waits, handed to the result. See waited.h.
 */
#include "analyzer/taps/waited.h"

#include "analyzer/checks/hop/hop.h"
#include "analyzer/engine/later.h"
#include "analyzer/engine/result.h"

void rda_taps_waited(const struct rda_taps *taps, struct rda_result *result)
{
	for (uint32_t i = 0, part = 0; i < taps->wait_count; i++) {
		const struct rda_taps_waits *waits = &taps->waits[i];
		struct rda_hop_waits of = {
			.flow = rda_result_connection(result, waits->connection)
					->flows[waits->flow],
			.from = taps->taps[waits->from].name,
			.to = taps->taps[waits->to].name,
			.network_ns = waits->network_ns,
			.responder_ns = waits->responder_ns,
			.unknown_ns = waits->unknown_ns,
		};

		for (;
		     part < taps->part_count && taps->parts[part].connection == waits->connection &&
		     taps->parts[part].flow == waits->flow;
		     part++) {
			of.unlimited_network_ns += taps->parts[part].network_ns;
			of.unlimited_responder_ns += taps->parts[part].responder_ns;
		}
		if (of.flow >= 0)
			rda_result_part_waits(result, &of);
	}
	rda_result_parted_waits(result);
}
