/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arrays, found by frame number. See records.h.
 */
#include "plugin/records.h"

#include <string.h>

void rda_records_init(struct rda_records *r)
{
	r->index = g_array_new(FALSE, TRUE, sizeof(guint32));
	r->frames = g_array_new(FALSE, TRUE, sizeof(struct rda_frame_record));
	r->messages = g_array_new(FALSE, TRUE, sizeof(struct rda_message_record));
	r->fpdus = g_array_new(FALSE, TRUE, sizeof(struct rda_fpdu_record));
	r->heads = g_byte_array_new();
	r->seen = g_array_new(FALSE, TRUE, sizeof(guint8));
	rda_streams_init(&r->streams);
	r->tail = 0;
}

void rda_records_cleanup(struct rda_records *r)
{
	g_array_free(r->index, TRUE);
	g_array_free(r->frames, TRUE);
	g_array_free(r->messages, TRUE);
	g_array_free(r->fpdus, TRUE);
	g_byte_array_free(r->heads, TRUE);
	g_array_free(r->seen, TRUE);
	rda_streams_cleanup(&r->streams);
}

static struct rda_frame_record *find(const struct rda_records *r, uint64_t number)
{
	guint32 at = number < r->index->len ? g_array_index(r->index, guint32, number) : 0;

	return at ? &g_array_index(r->frames, struct rda_frame_record, at - 1) : NULL;
}

const struct rda_frame_record *rda_records_frame(const struct rda_records *r, uint64_t number)
{
	return find(r, number);
}

static struct rda_message_record *message_of(const struct rda_records *r, uint32_t message)
{
	return message ? &g_array_index(r->messages, struct rda_message_record, message - 1) : NULL;
}

const struct rda_message_record *rda_records_message(const struct rda_records *r, uint32_t message)
{
	return message_of(r, message);
}

static struct rda_fpdu_record *fpdu_of(const struct rda_records *r, uint32_t fpdu)
{
	return fpdu ? &g_array_index(r->fpdus, struct rda_fpdu_record, fpdu - 1) : NULL;
}

const struct rda_fpdu_record *rda_records_fpdu(const struct rda_records *r, uint32_t fpdu)
{
	return fpdu_of(r, fpdu);
}

const uint8_t *rda_records_head(const struct rda_records *r, const struct rda_fpdu_record *fpdu)
{
	return r->heads->data + fpdu->head;
}

/* Made when there is none. Moves the others. */
static struct rda_frame_record *make(struct rda_records *r, uint64_t number, int64_t time_ns)
{
	struct rda_frame_record record = {
		.time_ns = time_ns,
		.standing = RDA_STANDING_NONE,
		.counts_as = RDA_STANDING_NONE,
		.trigger = RDA_TRIGGER_NONE,
	};

	if (number >= r->index->len)
		g_array_set_size(r->index, (guint)number + 1);
	if (!g_array_index(r->index, guint32, number)) {
		g_array_append_val(r->frames, record);
		g_array_index(r->index, guint32, number) = r->frames->len;
	}
	return find(r, number);
}

static uint32_t frame_of(uint64_t place)
{
	return (uint32_t)rda_place_number(place);
}

/* The frame is of a stream; one that waited for others to come before it tells no time. */
static void keep_stream(struct rda_records *r, struct rda_frame_record *record, uint32_t number,
			uint32_t stream)
{
	struct rda_stream_times *one = rda_streams_get(&r->streams, stream);

	if (record->stream)
		return;
	record->stream = stream;
	record->previous = one->last_frame < number ? one->last_frame : 0;
	one->last_frame = MAX(one->last_frame, number);
}

static uint32_t at_most(uint64_t number)
{
	return (uint32_t)MIN(number, UINT32_MAX);
}

/* ---- packets of InfiniBand ------------------------------------------------------------------- */

/* Its message is that of the message's first packet, or a new one. */
static uint32_t keep_message(struct rda_records *r, const struct rda_trace *trace, uint32_t number,
			     bool carries)
{
	uint32_t first = frame_of(trace->message_frame);
	const struct rda_frame_record *before = first == number ? NULL : find(r, first);
	uint32_t message = before ? before->message : 0;
	struct rda_message_record one = {.number = trace->message, .first_frame = first};

	if (!message) {
		g_array_append_val(r->messages, one);
		message = r->messages->len;
	}
	if (carries)
		message_of(r, message)->last_frame = number;
	return message;
}

static void keep_trace(struct rda_records *r, struct rda_frame_record *record,
		       const struct rda_trace *trace, uint32_t number)
{
	struct rda_frame_record *other;

	record->relative_known = trace->relative_known;
	record->relative_psn = trace->relative_psn;
	record->retransmission_of = frame_of(trace->retransmission_of);
	record->answers = frame_of(trace->answers);
	record->cause = frame_of(trace->cause);
	record->standing = trace->standing;
	record->counts_as = trace->counts_as;
	record->trigger = trace->trigger;
	record->message_bytes =
		trace->message_bytes < 0 ? UINT32_MAX : at_most((uint64_t)trace->message_bytes);
	record->flight_known = trace->flight_known;
	record->psns_in_flight = trace->psns_in_flight;
	record->bytes_in_flight = at_most(trace->bytes_in_flight);
	record->reads_outstanding = (uint16_t)MIN(trace->reads_outstanding, UINT16_MAX);
	record->key = trace->key_known ? trace->key + 1 : 0;
	record->key_uses = at_most(trace->key_uses);
	other = record->answers ? find(r, record->answers) : NULL;
	if (other && !other->answered_by)
		other->answered_by = number;
	other = record->retransmission_of ? find(r, record->retransmission_of) : NULL;
	if (other && !other->resent_by)
		other->resent_by = number;
	if (other)
		record->original = other->original ? other->original : record->retransmission_of;
}

/* What the packet tells of earlier ones; and what is missing before it. */
static void keep_event(struct rda_records *r, const struct rda_event *event)
{
	struct rda_frame_record *frame;
	struct rda_message_record *message;
	uint64_t place;
	enum rda_standing standing = rda_event_settles(event, &place);

	if (event->kind == RDA_EVENT_GAP && (frame = find(r, frame_of(event->frame))))
		frame->missing = at_most(event->count);
	frame = find(r, frame_of(place));
	if (!frame)
		return;
	if (standing != RDA_STANDING_NONE) {
		frame->standing = (uint8_t)standing;
		frame->trigger = event->trigger;
		frame->cause = frame_of(event->cause_frame);
	}
	message = event->kind == RDA_EVENT_MESSAGE_DONE ? message_of(r, frame->message) : NULL;
	if (message && !message->done_frame) {
		message->done_frame = frame_of(event->frame);
		message->latency_ns = event->wait_ns;
		message->bytes = event->count;
	}
}

static void keep_packet(struct rda_records *r, const struct rda_engine *engine,
			const struct rda_meta *meta, const struct rda_packet *packet)
{
	struct rda_trace trace = rda_engine_trace(engine);
	uint16_t roles = rda_has(packet, BTH) ? packet->opcode->roles : 0;
	struct rda_frame_record *record = make(r, meta->number, meta->time_ns);
	const struct rda_flow *flow = rda_engine_flow(engine);
	const struct rda_event *events;
	unsigned count;

	if (flow)
		keep_stream(r, record, (uint32_t)meta->number,
			    rda_streams_frame(&r->streams, flow, rda_engine_flow_back(engine),
					      meta->time_ns));
	if (!rda_has(packet, BTH))
		return;
	keep_trace(r, record, &trace, (uint32_t)meta->number);
	if (trace.message_known)
		record->message = keep_message(r, &trace, (uint32_t)meta->number,
					       (roles & (RDA_ROLE_REQUEST | RDA_ROLE_READ)) != 0);
	events = rda_engine_events(engine, &count);
	for (unsigned i = 0; i < count; i++)
		keep_event(r, &events[i]);
}

/* ---- iWARP ----------------------------------------------------------------------------------- */

static void take_fpdu(struct rda_fpdu_record *one, const struct rda_fpdu_told *told)
{
	const struct rda_fpdu_seen *fpdu = &told->fpdu;
	const struct rda_trace *trace = &told->trace;

	one->first_frame = frame_of(fpdu->first_place);
	one->crc = fpdu->crc;
	one->crc_stored = fpdu->crc_stored;
	one->crc_computed = fpdu->crc_computed;
	one->bad_markers = fpdu->bad_markers;
	one->begins_segment = fpdu->begins_segment;
	one->answers = frame_of(trace->answers);
	one->message_known = trace->message_known;
	one->message = trace->message;
	one->message_frame = frame_of(trace->message_frame);
	one->message_bytes = trace->message_bytes;
	one->reads_known = trace->reads_known;
	one->reads_outstanding = trace->reads_outstanding;
}

/* Behind the others of its frame: of the latest, as a rule. */
static void append(struct rda_records *r, uint64_t number, struct rda_frame_record *record,
		   const struct rda_fpdu_record *one)
{
	uint32_t *link = r->tail == number ? &fpdu_of(r, r->fpdus->len)->next : &record->fpdu;

	r->tail = number;
	while (*link)
		link = &fpdu_of(r, *link)->next;
	*link = r->fpdus->len + 1; /* before the array moves */
	g_array_append_val(r->fpdus, *one);
}

/* READs are answered in the order in which they were asked. `place` is the answer's. */
static void keep_answer(struct rda_records *r, uint32_t asked, uint64_t place)
{
	const struct rda_frame_record *frame = find(r, asked);
	struct rda_fpdu_record *fpdu = frame ? fpdu_of(r, frame->fpdu) : NULL;

	for (; fpdu; fpdu = fpdu_of(r, fpdu->next)) {
		const struct rda_rdmap_operation *operation =
			rda_rdmap_operation(rda_records_head(r, fpdu)[3] & 0x0f);

		if (fpdu->is_start || fpdu->answered_by || !(operation->roles & RDA_ROLE_REQUEST) ||
		    !(operation->roles & RDA_ROLE_ANSWERED))
			continue;
		fpdu->answered_by = frame_of(place);
		return;
	}
}

unsigned rda_records_seen(const struct rda_records *r, uint32_t flow)
{
	return flow < r->seen->len ? g_array_index(r->seen, guint8, flow) : 0;
}

static unsigned kind_of(const struct rda_fpdu_told *told)
{
	uint16_t roles;

	if (told->is_start)
		return told->start.is_reply ? RDA_FPDUS_REPLY : RDA_FPDUS_REQUEST;
	if (told->fpdu.ulpdu.present & RDA_HAS(RDMAP_TERMINATE))
		return RDA_FPDUS_TERMINATE;
	roles = rda_rdmap_operation(told->fpdu.ulpdu.opcode)->roles;
	return roles & RDA_ROLE_RESPONSE ? RDA_FPDUS_ANSWERS : RDA_FPDUS_MESSAGES;
}

static void keep_kind(struct rda_records *r, const struct rda_fpdu_told *told)
{
	if (told->flow->index >= r->seen->len)
		g_array_set_size(r->seen, told->flow->index + 1);
	g_array_index(r->seen, guint8, told->flow->index) |= (guint8)kind_of(told);
}

static void keep_fpdu(struct rda_records *r, const struct rda_fpdu_told *told)
{
	uint64_t place = told->is_start ? told->start.place : told->fpdu.place;
	struct rda_fpdu_record one = {
		.flow = told->flow,
		.head = r->heads->len,
		.head_bytes = told->head_bytes,
		.is_start = told->is_start,
		.is_reply = told->is_start && told->start.is_reply,
		.markers = told->markers,
		.first_frame = frame_of(place),
		.message_bytes = -1,
	};
	struct rda_frame_record *record;

	keep_kind(r, told);
	if (!told->is_start)
		take_fpdu(&one, told);
	g_byte_array_append(r->heads, told->head, told->head_bytes);
	record =
		make(r, frame_of(place), told->is_start ? told->start.time_ns : told->fpdu.time_ns);
	append(r, rda_place_number(place), record, &one);
	keep_stream(r, record, frame_of(place),
		    rda_streams_frame(&r->streams, told->flow, told->flow->peer, record->time_ns));
	if (one.answers &&
	    one.message_bytes <= told->fpdu.ulpdu.length) /* not its second segment */
		keep_answer(r, one.answers, place);
}

void rda_records_packet(struct rda_records *r, const struct rda_engine *engine,
			const struct rda_meta *meta, const struct rda_packet *packet)
{
	unsigned count;
	const struct rda_fpdu_told *told = rda_engine_fpdus(engine, &count);

	if (packet && packet->carrier != RDA_CARRIER_NONE)
		keep_packet(r, engine, meta, packet);
	for (unsigned i = 0; i < count; i++)
		keep_fpdu(r, &told[i]);
}

void rda_records_finish(struct rda_records *r)
{
	for (guint i = 0; i < r->frames->len; i++) {
		struct rda_frame_record *record =
			&g_array_index(r->frames, struct rda_frame_record, i);

		if (record->standing == RDA_STANDING_NONE)
			record->standing = record->counts_as;
	}
}
