/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Following a stream. See follow.h.
 *
 * Records of both directions are kept in the order of time. In it each side's requests are in the
 * order of their PSNs, and so are its READ responses, whose PSNs are those of the other side's
 * requests: a packet that came late goes to its place, one whose PSN is there is left out.
 *
 * Of iWARP a direction's order is that of its stream, in which its messages follow each other. A
 * frame may have payload of several FPDUs, and an FPDU of several frames: each has its record.
 */
#include "plugin/protocol.h"

#include "plugin/ends.h"
#include "plugin/session.h"

#include "analyzer/engine/engine.h"

#include <inttypes.h>

/*
 * A record's `seq`: the PSN from the first one of the side that asks, and whose it is. The first
 * request may not be the one with the least PSN; PSNs are never half their range apart.
 */
#define RESPONSE (UINT32_C(1) << 31)
#define BIAS	 (INT64_C(1) << 24)

/* ---- filters -------------------------------------------------------------------------------- */

enum { NOTE_CONNECTION };

void rda_follow_note(packet_info *pinfo, uint32_t connection)
{
	p_add_proto_data(pinfo->pool, pinfo, rda_protocol, NOTE_CONNECTION,
			 GUINT_TO_POINTER(connection + 1));
}

static char *filter_of_index(guint stream, guint sub_stream)
{
	(void)sub_stream;
	return g_strdup_printf("rdma.connection == %u", stream);
}

static char *filter_of_packet(epan_dissect_t *edt, packet_info *pinfo, guint *stream,
			      guint *sub_stream)
{
	void *note = p_get_proto_data(pinfo->pool, pinfo, rda_protocol, NOTE_CONNECTION);

	(void)edt;
	if (!note)
		return NULL;
	*stream = GPOINTER_TO_UINT(note) - 1;
	*sub_stream = 0;
	return filter_of_index(*stream, 0);
}

/* Conversation Filter in the menu Analyze. */
RDA_FILTER_CALLBACK(rda_boolean, has_connection)
{
	RDA_FILTER_CONTEXT;
	return p_get_proto_data(pinfo->pool, pinfo, rda_protocol, NOTE_CONNECTION) != NULL;
}

RDA_FILTER_CALLBACK(char *, filter_of_connection)
{
	void *note = p_get_proto_data(pinfo->pool, pinfo, rda_protocol, NOTE_CONNECTION);

	RDA_FILTER_CONTEXT;
	return note ? filter_of_index(GPOINTER_TO_UINT(note) - 1, 0) : NULL;
}

/* The ports are QPs, or of iWARP ports. */
static char *filter_of_ends(address *one, address *other, int one_port, int other_port)
{
	char *a = address_to_str(NULL, one), *b = address_to_str(NULL, other);
	char *filter = g_strdup_printf(
		"(rdma.endpoint == \"%s 0x%06x\" && rdma.endpoint == \"%s 0x%06x\") || "
		"(rdma.endpoint == \"%s port %d\" && rdma.endpoint == \"%s port %d\")",
		a, (unsigned)one_port, b, (unsigned)other_port, a, one_port, b, other_port);

	wmem_free(NULL, a);
	wmem_free(NULL, b);
	return filter;
}

/* Of a QP or a port: which of the two is not told. */
static char *port_text(wmem_allocator_t *allocator, guint port)
{
	return wmem_strdup_printf(allocator, "%u (0x%06x)", port, port);
}

/* ---- records -------------------------------------------------------------------------------- */

static void free_record(follow_record_t *record)
{
	g_byte_array_free(record->data, TRUE);
	g_free(record);
}

/* Where the packet's PSN is in its side's order; false when that is not known. */
static bool order_of(const struct rda_tapped *tapped, uint32_t *seq)
{
	const struct rda_frame_record *known = rda_session_record(tapped->source.meta.number);
	bool response = tapped->packet->opcode->roles & RDA_ROLE_RESPONSE;

	if (!known || !known->relative_known)
		return false;
	*seq = (uint32_t)(known->relative_psn + BIAS) & ~RESPONSE;
	*seq |= response ? RESPONSE : 0;
	return true;
}

static bool same_order(const follow_record_t *a, const follow_record_t *b)
{
	return a->is_server == b->is_server && ((a->seq ^ b->seq) & RESPONSE) == 0;
}

/*
 * Puts a record, of which the order is known, into the list, newest first. False when its PSN is
 * there. Those after it of the same order are few: as many as it is late.
 */
static bool put_in_order(GList **list, follow_record_t *record)
{
	GList *later = NULL;

	for (GList *at = *list; at; at = at->next) {
		const follow_record_t *other = at->data;

		if (!same_order(other, record) || other->seq < record->seq) {
			if (same_order(other, record))
				break;
			continue;
		}
		if (other->seq == record->seq)
			return false;
		later = at;
	}
	if (later)
		*list = g_list_insert_before(*list, later->next, record);
	else
		*list = g_list_prepend(*list, record);
	return true;
}

static follow_record_t *make_record(packet_info *pinfo, bool is_server)
{
	follow_record_t *record = g_new0(follow_record_t, 1);

	record->packet_num = pinfo->num;
	record->abs_ts = pinfo->abs_ts;
	record->data = g_byte_array_new();
	record->is_server = is_server;
	return record;
}

/* Takes it over. Without bytes, or with such as are there, it is left out. */
static void keep_record(follow_info_t *info, follow_record_t *record, bool ordered)
{
	if (!record->data->len || (ordered && !put_in_order(&info->payload, record))) {
		free_record(record);
		return;
	}
	if (!ordered)
		info->payload = g_list_prepend(info->payload, record);
	info->bytes_written[record->is_server] += record->data->len;
}

/* ---- the tap -------------------------------------------------------------------------------- */

/* Bytes of a message that were captured. */
static uint32_t payload_of(const struct rda_tapped *tapped)
{
	const struct rda_packet *packet = tapped->packet;
	const struct rda_frame *frame = &tapped->source.frame;

	if (!packet->payload_known || !rda_has(packet, BTH) ||
	    !(packet->opcode->roles & (RDA_ROLE_REQUEST | RDA_ROLE_RESPONSE)) ||
	    packet->payload_offset >= frame->captured)
		return 0;
	return MIN(packet->payload_length, frame->captured - packet->payload_offset);
}

static void set_end(address *to, guint *port, const struct rda_endpoint *end)
{
	const struct rda_address *from = &end->address;
	address shallow;

	if (from->kind == RDA_ADDRESS_IP4)
		set_address(&shallow, AT_IPv4, 4, from->bytes + 12);
	else if (from->kind == RDA_ADDRESS_IP6)
		set_address(&shallow, AT_IPv6, 16, from->bytes);
	else
		set_address(&shallow, AT_IB, 2, from->bytes + 14);
	free_address(to);
	copy_address(to, &shallow);
	if (end->qpn != RDA_QPN_UNKNOWN)
		*port = end->qpn;
	else
		*port = end->port >= 0 ? (guint)end->port : 0;
}

/* The payload of a RoCE packet. */
static void follow_packet(follow_info_t *info, packet_info *pinfo, const struct rda_tapped *tapped,
			  bool is_server)
{
	uint32_t length = payload_of(tapped);
	follow_record_t *record;

	if (!length)
		return;
	record = make_record(pinfo, is_server);
	g_byte_array_append(record->data,
			    tapped->source.frame.bytes + tapped->packet->payload_offset, length);
	keep_record(info, record, order_of(tapped, &record->seq));
}

/* What a segment has of the payloads of FPDUs. */
static void follow_segment(follow_info_t *info, packet_info *pinfo, const struct rda_tapped *tapped,
			   bool is_server)
{
	const struct rda_frame *frame = &tapped->source.frame;
	const struct rda_tcp *tcp = &tapped->packet->tcp;
	const struct rda_payloads *payloads = rda_session_payloads();
	const struct rda_payload_part *part = rda_session_part(pinfo->num);
	const struct rda_payload_fpdu *fpdu;
	unsigned next = 0;
	int64_t place;
	uint32_t begin; /* of the part, in the frame: it may have bytes that were there before */

	if (!part)
		return;
	begin = tapped->packet->payload_offset + (uint32_t)part->offset - tcp->sequence - tcp->syn;
	if (begin > frame->captured || part->length > frame->captured - begin)
		return;
	while ((fpdu = rda_payloads_fpdu(payloads, part, &next))) {
		follow_record_t *record = make_record(pinfo, is_server);

		if (!fpdu->damaged) {
			place = rda_payload_append(record->data, fpdu, part, frame->bytes + begin);
			record->seq = (uint32_t)(place - rda_payloads_begin(payloads, part->flow));
		}
		keep_record(info, record, true);
	}
}

RDA_TAP(see, void *context)
{
	const struct rda_tapped *tapped = data;
	follow_info_t *info = context;
	struct rda_ends ends;

	(void)edt;
	RDA_TAP_FLAGS_UNUSED;
	if (!rda_session_is_finished() || !rda_ends_of(tapped, &ends))
		return TAP_PACKET_DONT_REDRAW;
	if (info->client_ip.type == AT_NONE) {
		set_end(&info->client_ip, &info->client_port, ends.reverse ? &ends.to : &ends.from);
		set_end(&info->server_ip, &info->server_port, ends.reverse ? &ends.from : &ends.to);
	}
	if (ends.damaged)
		return TAP_PACKET_DONT_REDRAW;
	if (tapped->packet->carrier == RDA_CARRIER_NONE)
		follow_segment(info, pinfo, tapped, ends.reverse);
	else
		follow_packet(info, pinfo, tapped, ends.reverse);
	return TAP_PACKET_DONT_REDRAW;
}

static uint32_t stream_count(void)
{
	return rda_session_is_finished() ? rda_result_connection_count(rda_session_result()) : 0;
}

void rda_follow_register(void)
{
	(void)stream_count; /* 4.0 does not ask */
	RDA_REGISTER_FOLLOW(rda_protocol, "rdma", filter_of_packet, filter_of_index, filter_of_ends,
			    port_text, see, stream_count);
	RDA_REGISTER_FILTER("rdma", "RDMA", has_connection, filter_of_connection);
}
