/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * U12: a port of RDS has no room; and what U04 says of RDS.
 */
#include "analyzer/checks/ulp/rds.h"

#include "analyzer/base/meta.h"

void rda_say_rds_unacknowledged(struct rda_judge *judge, struct rda_finding *f,
				const struct rda_ulp *ulp, const struct rda_ulp_command *first,
				uint64_t count, int64_t waited_ns)
{
	const struct rda_flow *asker = ulp->asker;

	rda_finding_say(f, RDA_SAY_U04_UNACKNOWLEDGED, RDA_ARG_NUMBER("commands", count),
			RDA_ARG_ADDRESS("asker",
					first->back ? &asker->key.destination : &asker->key.source),
			RDA_ARG_NUMBER("source_port", first->own.rds.source),
			RDA_ARG_NUMBER("destination_port", first->own.rds.destination),
			RDA_ARG_FRAME("command_frame", first->place),
			RDA_ARG_TIME("waited_ns", waited_ns),
			RDA_ARG_FLAG("disconnected",
				     rda_cm_disconnected(judge->whole.cm, asker, first->asked_ns)));
}

/*
 * U12, of the ports that made the messages of one side wait: those of which a checksum tells, or
 * the others.
 */
static void ports_congested(struct rda_judge *judge, const struct rda_ulp *ulp,
			    const struct rda_ulp_facts *facts, uint8_t side, bool checked)
{
	const struct rda_flow *asker = ulp->asker;
	const struct rda_flow *waiting = side && ulp->answerer ? ulp->answerer : asker;
	const struct rda_ulp_port *longest = NULL;
	struct rda_finding *f = NULL;
	uint64_t count = 0;

	for (uint32_t i = 0; i < facts->port_count; i++) {
		const struct rda_ulp_port *port = &facts->ports[i];

		if (port->side != side || port->unchecked == checked)
			continue;
		f = rda_finding_of_bytes(judge, checked, RDA_CHECK_U12, rda_about_flow(waiting),
					 port->first_place);
		count++;
		if (!longest || port->held_ns > longest->held_ns)
			longest = port;
	}
	if (!f)
		return;
	f->cost_ns = longest->held_ns;
	rda_finding_say(
		f, RDA_SAY_U12_CONGESTED,
		RDA_ARG_ADDRESS("receiver", side ? &asker->key.source : &asker->key.destination),
		RDA_ARG_ADDRESS("sender", side ? &asker->key.destination : &asker->key.source),
		RDA_ARG_NUMBER("ports", count), RDA_ARG_NUMBER("port", longest->port),
		RDA_ARG_NUMBER("times", longest->times), RDA_ARG_TIME("held_ns", longest->held_ns),
		RDA_ARG_FRAME("map_frame", longest->first_place),
		RDA_ARG_FLAG("held", longest->held));
}

void rda_check_rds_connection(struct rda_judge *judge, const struct rda_ulp *ulp)
{
	struct rda_ulp_facts facts;

	if (!ulp->facts.port_count)
		return;
	rda_ulp_facts_of(&facts, ulp, rda_watched_until(judge, ulp->asker->first_place));
	for (uint8_t side = 0; side < 2; side++) {
		ports_congested(judge, ulp, &facts, side, true);
		ports_congested(judge, ulp, &facts, side, false);
	}
	rda_ulp_facts_cleanup(&facts);
}
