/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A packet on one stretch of the path.
 */
#include "tests/simulate/link.h"

enum { FLOWLET_NS = 30000 }; /* a pause so long lets a switch choose another path */

static bool loses(struct sim_link *link, struct sim_random *random, const struct sim_packet *packet,
		  int64_t now_ns)
{
	const struct sim_link_plan *plan = link->plan;
	bool nak = packet->opcode == 0x11 && !sim_is_ack(packet->syndrome);

	if (now_ns >= plan->dead_ns && now_ns < plan->alive_ns)
		return true;
	if (nak && sim_chance(random, plan->nak_loss))
		return true;

	if (sim_chance(random, link->burst ? plan->burst_ends : plan->burst_begins))
		link->burst = !link->burst;
	return link->burst || sim_chance(random, plan->loss);
}

static void choose_path(struct sim_link *link, struct sim_random *random,
			const struct sim_packet *packet, int64_t now_ns)
{
	const struct sim_spray_plan *plan = &link->plan->spray;

	if (plan->by == SIM_BY_FLOW)
		link->path = packet->response % plan->paths;
	else if (plan->by == SIM_BY_PACKET || now_ns - link->passed_ns > FLOWLET_NS)
		link->path = (uint32_t)sim_below(random, plan->paths);
	link->passed_ns = now_ns;
}

/* When a packet that keeps its place behind the others of its path arrives. */
static int64_t in_turn(struct sim_link *link, struct sim_random *random, int64_t now_ns)
{
	int64_t at = now_ns + link->plan->delay_ns + sim_between(random, 0, link->plan->jitter_ns);

	if (link->plan->spray.paths) {
		int64_t *latest = &link->latest_on[link->path];

		at = at + link->plan->spray.more_ns[link->path];
		if (at <= *latest)
			at = *latest + 1;
		return *latest = at;
	}

	if (at <= link->latest_ns)
		at = link->latest_ns + 1;
	return link->latest_ns = at;
}

struct sim_passage sim_link_pass(struct sim_link *link, struct sim_random *random,
				 const struct sim_packet *packet, int64_t now_ns)
{
	const struct sim_link_plan *plan = link->plan;
	struct sim_passage passage = {0};

	if (loses(link, random, packet, now_ns))
		return passage;
	passage.copies = 1;
	if (plan->spray.paths)
		choose_path(link, random, packet, now_ns);
	passage.marked = sim_chance(random, plan->marked);
	passage.damaged = sim_chance(random, plan->damaged);
	if (sim_chance(random, plan->late)) {
		passage.late = true;
		passage.arrives_ns[0] =
			now_ns + plan->delay_ns + sim_between(random, 1, plan->late_ns);
	} else {
		passage.arrives_ns[0] = in_turn(link, random, now_ns);
	}
	if (sim_chance(random, plan->twice)) {
		passage.copies = 2;
		passage.arrives_ns[1] = in_turn(link, random, passage.arrives_ns[0]);
		if (plan->twice_ns) /* else it comes as late as another packet would */
			passage.arrives_ns[1] =
				passage.arrives_ns[0] + sim_between(random, 1, plan->twice_ns);
	}
	return passage;
}
