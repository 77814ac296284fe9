/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Management datagrams in the line of a packet: the values that matter of each connection
 * management message, and the names of the others.
 */
#include "analyzer/report/packet_lines.h"

#include "analyzer/base/words.h"
#include "analyzer/base/address.h"
#include "analyzer/report/headers_walk.h"
#include "dissectors/mad.h"
#include "dissectors/values.h"

#include <string.h>

/* What is shown of each message, in this order: header, member of headers.def, label. */
#define CM_SHOWN(S)                                                                                \
	S(CM_REQ, local_comm_id, "id")                                                             \
	S(CM_REQ, local_qpn, "qp")                                                                 \
	S(CM_REQ, starting_psn, "psn")                                                             \
	S(CM_REQ, transport, "transport")                                                          \
	S(CM_REQ, path_mtu, "mtu")                                                                 \
	S(CM_REQ, retry_count, "retries")                                                          \
	S(CM_REQ, rnr_retry_count, "RNR retries")                                                  \
	S(CM_REQ, responder_resources, "responder resources")                                      \
	S(CM_REQ, initiator_depth, "initiator depth")                                              \
	S(CM_REQ, service_id, "service")                                                           \
	S(CM_MRA, local_comm_id, "id")                                                             \
	S(CM_MRA, remote_comm_id, "peer id")                                                       \
	S(CM_MRA, message, "of")                                                                   \
	S(CM_MRA, service_timeout, "timeout")                                                      \
	S(CM_REJ, local_comm_id, "id")                                                             \
	S(CM_REJ, remote_comm_id, "peer id")                                                       \
	S(CM_REJ, message, "of")                                                                   \
	S(CM_REJ, reason, "reason")                                                                \
	S(CM_REP, local_comm_id, "id")                                                             \
	S(CM_REP, remote_comm_id, "peer id")                                                       \
	S(CM_REP, local_qpn, "qp")                                                                 \
	S(CM_REP, starting_psn, "psn")                                                             \
	S(CM_REP, rnr_retry_count, "RNR retries")                                                  \
	S(CM_REP, responder_resources, "responder resources")                                      \
	S(CM_REP, initiator_depth, "initiator depth")                                              \
	S(CM_RTU, local_comm_id, "id")                                                             \
	S(CM_RTU, remote_comm_id, "peer id")                                                       \
	S(CM_DREQ, local_comm_id, "id")                                                            \
	S(CM_DREQ, remote_comm_id, "peer id")                                                      \
	S(CM_DREQ, remote_qpn, "peer qp")                                                          \
	S(CM_DREP, local_comm_id, "id")                                                            \
	S(CM_DREP, remote_comm_id, "peer id")                                                      \
	S(CM_SIDR_REQ, request_id, "id")                                                           \
	S(CM_SIDR_REQ, service_id, "service")                                                      \
	S(CM_SIDR_REP, request_id, "id")                                                           \
	S(CM_SIDR_REP, status, "status")                                                           \
	S(CM_SIDR_REP, qpn, "qp")                                                                  \
	S(CM_SIDR_REP, q_key, "qkey")                                                              \
	S(CM_LAP, local_comm_id, "id")                                                             \
	S(CM_LAP, remote_comm_id, "peer id")                                                       \
	S(CM_LAP, remote_qpn, "peer qp")                                                           \
	S(CM_APR, local_comm_id, "id")                                                             \
	S(CM_APR, remote_comm_id, "peer id")                                                       \
	S(CM_APR, status, "status")

static const struct {
	enum rda_header_id header;
	const char *member, *label;
} shown[] = {
#define CM_S(ID, member, label) {RDA_##ID, #member, label},
	CM_SHOWN(CM_S)
#undef CM_S
};

/* "REQ", "SIDR REP" */
static const char *message_name(uint8_t header)
{
	switch (header) {
#define RDA_M(ID, id)                                                                              \
	case RDA_CM_##ID: return #ID;
		RDA_CM_MESSAGES(RDA_M)
#undef RDA_M
	default: return NULL;
	}
}

static void print_value(struct rda_output *out, const struct rda_field_value *value)
{
	if (value->known && value->words)
		rda_print(out, "%s", value->words);
	else
		rda_field_value_text(out->text, value);
}

static void print_service(struct rda_output *out, const struct rda_field_value *value)
{
	const char *protocol = rda_words(RDA_SET_IP_PROTO, value->number >> 16 & 0xff);
	int32_t port = rda_ip_cm_port(value->number);

	if (value->known && port >= 0 && protocol)
		rda_print(out, " (%s port %d)", protocol, port);
}

/* The addresses that an RDMA IP CM request asks for: those of the application. */
static void print_ip_cm(struct rda_output *out, const struct rda_frame *frame,
			const struct rda_packet *packet)
{
	char source[RDA_ADDRESS_TEXT], destination[RDA_ADDRESS_TEXT];
	struct rda_ip_cm ip;
	bool ip4;

	if (!rda_read_ip_cm_of(frame, packet, &ip))
		return;
	ip4 = ip.ip_version == 4; /* in the last four bytes */
	rda_print(out, ", from %s port %u to %s",
		  ip4 ? rda_address_ip4_text(source, ip.source + 12)
		      : rda_address_ip6_text(source, ip.source),
		  ip.source_port,
		  ip4 ? rda_address_ip4_text(destination, ip.destination + 12)
		      : rda_address_ip6_text(destination, ip.destination));
}

static void print_cm(struct rda_output *out, const struct rda_frame *frame,
		     const struct rda_packet *packet, const struct rda_layer *layer)
{
	const char *between = ": ";

	for (unsigned i = 0; i < G_N_ELEMENTS(shown); i++) {
		struct rda_field_value value;

		if (shown[i].header != layer->header)
			continue;
		rda_read_field_value(&value, frame, layer,
				     rda_find_field(shown[i].header, shown[i].member));
		rda_print(out, "%s%s ", between, shown[i].label);
		print_value(out, &value);
		if (value.field->width == 64 && strcmp(value.field->member, "service_id") == 0)
			print_service(out, &value);
		between = ", ";
	}
	print_ip_cm(out, frame, packet);
}

/* What has no words is told by its number. */
static void print_named(struct rda_output *out, const char *words, const char *what, unsigned value)
{
	if (words)
		rda_print(out, "%s", words);
	else
		rda_print(out, "%s 0x%02x", what, value);
}

void rda_print_mad_line(struct rda_output *out, const struct rda_frame *frame,
			const struct rda_packet *packet)
{
	const struct rda_layer *layer = rda_find_layer(packet, RDA_MAD);
	const struct rda_layer *end = packet->layers + packet->layer_count;
	const char *class = rda_words(RDA_SET_MAD_CLASS, packet->mad.mgmt_class);
	const char *method = rda_words(RDA_SET_MAD_METHOD, packet->mad.method);
	const char *attribute = rda_mad_attribute(&packet->mad);
	const char *message = layer + 1 < end ? message_name(layer[1].header) : NULL;

	rda_print(out, ", ");
	rda_style(out, RDA_STYLE_BOLD);
	if (message) {
		char *words = g_strdelimit(g_strdup(message), "_", ' ');

		rda_print(out, "CM %s", words);
		g_free(words);
	} else {
		print_named(out, class, "MAD class", packet->mad.mgmt_class);
		rda_print(out, " ");
		print_named(out, method, "method", packet->mad.method);
		rda_print(out, " ");
		print_named(out, attribute, "attribute", packet->mad.attribute);
	}
	rda_style(out, RDA_STYLE_PLAIN);
	if (message)
		print_cm(out, frame, packet, layer + 1);
}
