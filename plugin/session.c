/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records by frame number, and the findings of each frame as a sorted list. See session.h.
 */
#include "plugin/session.h"

#include "plugin/completed.h"

#include <glib.h>

struct note {
	uint32_t frame, finding; /* number of the frame, index of the finding */
};

static struct {
	struct rda_engine *engine; /* NULL: no capture is open */
	struct rda_result *result; /* NULL: not finished */
	struct rda_records records;
	struct rda_others others;
	bool any_rdma;
	struct rda_payloads payloads;
	GArray *notes;	 /* struct note, by frame, then weight; once finished */
	uint64_t latest; /* frame that was passed */
	uint64_t last;	 /* it, of the session before this one */
} session;

struct rda_config rda_session_config;

void rda_session_begin(void)
{
	struct rda_config config = rda_session_config;

	config.trace = true;
	config.hash_seed = (uint64_t)g_random_int() << 32 | g_random_int();
	rda_session_end();
	session.engine = rda_engine_new(&config);
	rda_engine_begin_capture(session.engine);
	rda_completed_begin();
	session.latest = 0;
	rda_records_init(&session.records);
	rda_payloads_init(&session.payloads);
	session.notes = g_array_new(FALSE, FALSE, sizeof(struct note));
}

void rda_session_end(void)
{
	if (!session.engine)
		return;
	session.last = session.latest;
	rda_engine_free(session.engine);
	rda_result_free(session.result);
	session.result = NULL;
	rda_completed_end();
	rda_records_cleanup(&session.records);
	rda_others_cleanup(&session.others);
	session.others = (struct rda_others){0};
	session.any_rdma = false;
	rda_payloads_cleanup(&session.payloads);
	g_array_free(session.notes, TRUE);
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
	rda_payloads_packet(&session.payloads, session.engine);
	rda_completed_packet(session.engine, meta->number);
	session.any_rdma |= packet->carrier != RDA_CARRIER_NONE;
	if (!session.any_rdma)
		rda_others_count(&session.others, frame, packet);
	session.latest = meta->number;
	return packet;
}

static int compare_notes(const void *one, const void *two)
{
	const struct note *a = one, *b = two;

	if (a->frame != b->frame)
		return a->frame < b->frame ? -1 : 1;
	return (a->finding > b->finding) - (a->finding < b->finding);
}

void rda_session_finish(void)
{
	if (!session.engine || session.result)
		return;
	rda_engine_end(session.engine);
	session.result = rda_engine_result(session.engine);
	rda_completed_finish(session.engine, session.latest);
	rda_records_packet(&session.records, session.engine, NULL, NULL);
	rda_payloads_packet(&session.payloads, session.engine);
	rda_payloads_finish(&session.payloads);
	for (unsigned i = 0; i < rda_result_finding_count(session.result); i++) {
		const struct rda_finding *finding = rda_result_finding(session.result, i);

		for (unsigned j = 0; j < finding->place_count; j++) {
			struct note note = {(uint32_t)rda_place_number(finding->places[j]), i};

			g_array_append_val(session.notes, note);
		}
	}
	g_array_sort(session.notes, compare_notes);
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

/* The index of the first note of a frame or of a later one. */
static guint first_note(uint64_t number)
{
	guint low = 0, high = session.notes->len;

	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (g_array_index(session.notes, struct note, middle).frame < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct rda_finding *rda_session_finding(uint64_t number, unsigned *next)
{
	const struct note *note;
	guint index;

	if (!rda_session_is_finished())
		return NULL;
	index = first_note(number) + (*next)++;
	if (index >= session.notes->len)
		return NULL;
	note = &g_array_index(session.notes, struct note, index);
	return note->frame == number ? rda_result_finding(session.result, note->finding) : NULL;
}
