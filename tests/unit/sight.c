/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sights made by hand. See sight.h.
 */
#include "tests/unit/sight.h"

void rda_sight_make(struct rda_made_sight *made, uint64_t number, int64_t time_ns, unsigned flow,
		    uint8_t opcode)
{
	*made = (struct rda_made_sight){
		.meta = {.time_ns = time_ns, .number = number},
		.frame = {.captured = 100, .wire = 100, .link = 1},
		.packet = {.carrier = RDA_CARRIER_ROCEV2, .opcode = rda_opcode(opcode)},
	};
	made->packet.present = RDA_HAS(BTH) | made->packet.opcode->headers;
	made->packet.aeth.syndrome = 0x1f;
	made->sight = (struct rda_sight){
		.meta = &made->meta,
		.frame = &made->frame,
		.packet = &made->packet,
		.verdict = {.connection = 0, .flow = (int8_t)flow},
		.trace = rda_trace_of_none(),
	};
}
