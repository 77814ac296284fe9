/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The engine, and what is kept beside it. See session.h.
 */
#include "plugin/session.h"

#include "plugin/completed.h"
#include "plugin/ports.h"

#include <glib.h>

static struct {
	struct rda_engine *engine; /* NULL: no capture is open */
	struct rda_result *result; /* NULL: not finished */
	struct rda_dissect_config dissect;
	struct rda_records records;
	struct rda_commands commands;
	struct rda_others others;
	bool any_rdma;
	struct rda_payloads payloads;
	struct rda_notes notes; /* once finished */
	uint64_t latest;	/* frame that was passed */
	uint64_t last;		/* it, of the session before this one */
} session;

struct rda_config rda_session_config;
rda_boolean rda_session_info_column;

void rda_session_begin(void)
{
	struct rda_config config = rda_session_config;

	unsigned over = rda_ports_add(&config.dissect);

	if (over)
		report_warning("%u UDP ports of InfiniBand too many; %u besides 4791 count", over,
			       (unsigned)G_N_ELEMENTS(config.dissect.ports));
	config.trace = true;
	config.hash_seed = (uint64_t)g_random_int() << 32 | g_random_int();
	rda_session_end();
	session.dissect = config.dissect;
	session.engine = rda_engine_new(&config);
	rda_engine_begin_capture(session.engine);
	rda_completed_begin();
	session.latest = 0;
	rda_records_init(&session.records);
	rda_commands_init(&session.commands);
	rda_payloads_init(&session.payloads);
}

void rda_session_end(void)
{
	if (!session.engine)
		return;
	session.last = session.latest;
	if (session.result)
		rda_notes_cleanup(&session.notes);
	rda_engine_free(session.engine);
	rda_result_free(session.result);
	session.result = NULL;
	rda_completed_end();
	rda_records_cleanup(&session.records);
	rda_commands_cleanup(&session.commands);
	rda_others_cleanup(&session.others);
	session.others = (struct rda_others){0};
	session.any_rdma = false;
	rda_payloads_cleanup(&session.payloads);
	session.engine = NULL;
}

const struct rda_packet *rda_session_packet(const struct rda_meta *meta,
					    const struct rda_frame *frame)
{
	const struct rda_packet *packet;

	if (!session.engine || session.result)
		return NULL;
	packet = rda_engine_packet(session.engine, meta, frame);
	rda_records_packet(&session.records, session.engine, meta, packet);
	rda_commands_packet(&session.commands, session.engine, meta->number);
	rda_payloads_packet(&session.payloads, session.engine);
	rda_completed_packet(session.engine, meta->number);
	session.any_rdma |= packet->carrier != RDA_CARRIER_NONE;
	if (!session.any_rdma)
		rda_others_count(&session.others, frame, packet);
	session.latest = meta->number;
	return packet;
}

void rda_session_finish(void)
{
	if (!session.engine || session.result)
		return;
	rda_engine_end(session.engine);
	session.result = rda_engine_result(session.engine);
	rda_completed_finish(session.engine, session.latest);
	rda_records_packet(&session.records, session.engine, NULL, NULL);
	rda_commands_packet(&session.commands, session.engine, session.latest);
	rda_records_finish(&session.records);
	rda_payloads_packet(&session.payloads, session.engine);
	rda_payloads_finish(&session.payloads);
	rda_notes_init(&session.notes, session.result);
}

/*
 * After a change of preferences Wireshark passes all frames again, and does not say when it is
 * through: it is when there are as many as before. A frame may also be looked at while others are
 * still being captured; then the pass is not over.
 */
void rda_session_revisit(void)
{
	if (session.engine && !session.result && session.latest == session.last)
		rda_session_finish();
}

const struct rda_dissect_config *rda_session_dissect(void)
{
	return &session.dissect;
}

bool rda_session_is_finished(void)
{
	return session.result != NULL;
}

struct rda_engine *rda_session_engine(void)
{
	return session.engine;
}

const struct rda_result *rda_session_result(void)
{
	return session.result;
}

const struct rda_others *rda_session_others(void)
{
	return &session.others;
}

const struct rda_records *rda_session_records(void)
{
	return &session.records;
}

const struct rda_commands *rda_session_commands(void)
{
	return &session.commands;
}

const struct rda_frame_record *rda_session_record(uint64_t number)
{
	return session.engine ? rda_records_frame(&session.records, number) : NULL;
}

const struct rda_payloads *rda_session_payloads(void)
{
	return &session.payloads;
}

const struct rda_payload_part *rda_session_part(uint64_t number)
{
	const struct rda_payload_part *part = NULL;
	unsigned next = 0;

	if (rda_session_is_finished())
		part = rda_payloads_part(&session.payloads, number);
	return part && rda_payloads_fpdu(&session.payloads, part, &next) ? part : NULL;
}

const struct rda_flow *rda_session_flow(uint64_t number)
{
	const struct rda_frame_record *record = rda_session_record(number);
	const struct rda_payload_part *part = rda_session_part(number);

	if (record && record->fpdu)
		return rda_records_fpdu(&session.records, record->fpdu)->flow;
	return part ? part->flow : NULL;
}

const uint32_t *rda_session_findings(uint64_t number, struct rda_verdict verdict,
				     const struct rda_address *source, unsigned *count)
{
	const struct rda_frame_record *record = rda_session_record(number);
	const struct rda_noted noted = {
		.place = rda_place_id(0, number),
		.verdict = verdict,
		.standing = record ? record->standing : RDA_STANDING_NONE,
		.trigger = record ? record->trigger : RDA_TRIGGER_NONE,
		.source = source,
	};

	*count = 0;
	return rda_session_is_finished() ? rda_notes_of(&session.notes, &noted, count) : NULL;
}

bool rda_session_is_listed(uint64_t number)
{
	const struct rda_verdict nothing = {RDA_ICRC_NOT_CHECKABLE, -1, -1};
	unsigned count;

	rda_session_findings(number, nothing, NULL, &count);
	return count > 0;
}
