/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Captures into engines, accounts out of them.
 */
#include "tests/simulate/hold.h"

#include "analyzer/track/roce/account.h"
#include "dissectors/link.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>

struct rda_engine *sim_engine_new(void)
{
	return rda_engine_new(NULL);
}

void sim_engine_read(struct rda_engine *engine, const struct sim_capture *capture, uint32_t begin,
		     uint32_t end)
{
	rda_engine_begin_capture(engine);
	for (uint32_t i = begin; i < end; i++) {
		const struct sim_frame *f = &capture->frames[i];
		const struct rda_frame frame = {capture->store + f->offset, f->captured, f->wire,
						RDA_LINK_ETHERNET};
		const struct rda_meta meta = {.time_ns = f->time_ns, .number = i - begin + 1};

		rda_engine_packet(engine, &meta, &frame);
	}
}

static uint64_t count_waiting(const struct rda_account *account)
{
	uint32_t count = 0;

	while (rda_account_waiting(account, count))
		count++;
	return count;
}

bool sim_take(struct sim_found *found, const struct rda_flow *flow)
{
	const struct rda_request_counts *requests = rda_account_counts(flow);
	const struct rda_unexpected_counts *unexpected = rda_account_unexpected(flow);
	const struct rda_response_counts *responses = rda_account_response_counts(flow);

	memset(found, 0, sizeof(*found));
	if (!flow || !flow->account)
		return false;
#define SIM_Q(name, where) found->name = where;
	SIM_QUANTITIES(SIM_Q)
#undef SIM_Q
	return true;
}

bool sim_find(struct sim_found *found, const struct rda_engine *engine, uint32_t dest_qp)
{
	for (unsigned i = 0; i < rda_engine_connection_count(engine); i++)
		for (unsigned side = 0; side < 2; side++) {
			const struct rda_flow *flow = rda_engine_connection(engine, i)->flows[side];

			if (flow && flow->key.dest_qp == dest_qp && sim_take(found, flow))
				return true;
		}
	return sim_take(found, NULL);
}

unsigned sim_hold(const struct sim_found *found, const struct sim_known *known, const char *title)
{
	unsigned wrong = 0;

#define SIM_Q(name, where)                                                                         \
	if (found->name < known->name.least || found->name > known->name.most) {                   \
		fprintf(stderr, "%s: %s is %llu, not %llu to %llu\n", title, #name,                \
			(unsigned long long)found->name, (unsigned long long)known->name.least,    \
			(unsigned long long)known->name.most);                                     \
		wrong++;                                                                           \
	}
	SIM_QUANTITIES(SIM_Q)
#undef SIM_Q
	return wrong;
}

unsigned sim_compare(const struct sim_found *a, const struct sim_found *b, const char *title)
{
	unsigned wrong = 0;

#define SIM_Q(name, where)                                                                         \
	if (a->name != b->name) {                                                                  \
		fprintf(stderr, "%s: %s is %llu, and %llu before\n", title, #name,                 \
			(unsigned long long)b->name, (unsigned long long)a->name);                 \
		wrong++;                                                                           \
	}
	SIM_QUANTITIES(SIM_Q)
#undef SIM_Q
	return wrong;
}
