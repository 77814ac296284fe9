/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frames written anew, header by header of what the dissector finds in them. See rewrite.h.
 */
#include "dissectors/rewrite.h"

#include "dissectors/icrc.h"
#include "dissectors/link.h"

#include <string.h>

/* ---- fields ---------------------------------------------------------------------------------- */

/* The kind of a field's value; COUNT: it is no secret. */
static enum rda_secret kind_of(const struct rda_field *field)
{
	static const struct {
		const char *member;
		enum rda_secret kind;
	} secrets[] = {
#define RDA_S(member, KIND) {#member, RDA_SECRET_##KIND},
		RDA_SECRET_FIELDS(RDA_S)
#undef RDA_S
	};

	switch ((enum rda_show)field->show) {
	case RDA_SHOW_MAC: return RDA_SECRET_MAC;
	case RDA_SHOW_IP4: return RDA_SECRET_IP4;
	case RDA_SHOW_IP6: return RDA_SECRET_IP6;
	case RDA_SHOW_BYTES:
		return strcmp(field->member, "source") == 0   ? RDA_SECRET_MAC /* cooked */
		       : strcmp(field->member, "family") == 0 ? RDA_SECRET_COUNT
							      : RDA_SECRET_DATA;
	default: break;
	}
	for (unsigned i = 0; i < sizeof(secrets) / sizeof(*secrets); i++)
		if (strcmp(field->member, secrets[i].member) == 0)
			return secrets[i].kind;
	return RDA_SECRET_COUNT;
}

enum { MAC_BYTES = 6 };

static void write_layer(uint8_t *out, const struct rda_frame *frame, const struct rda_layer *layer,
			const struct rda_rewrite *rewrite)
{
	const struct rda_header *row = &rda_headers[layer->header];
	uint8_t *header = out + layer->offset;

	if ((uint64_t)layer->offset + row->bytes > frame->captured)
		return; /* cut: no more than zeros is to be had of it */
	memcpy(header, frame->bytes + layer->offset, row->bytes);
	/* an extension header's first byte says whether another follows */
	for (uint32_t at = RDA_ERF_BYTES;
	     layer->header == RDA_ERF && at < layer->length && layer->offset + at < frame->captured;
	     at += 8)
		header[at] = frame->bytes[layer->offset + at];
	for (unsigned i = 0; i < row->field_count; i++) {
		const struct rda_field *field = &row->fields[i];
		enum rda_secret kind = kind_of(field);
		uint8_t *at = header + field->bit / 8;

		if (kind == RDA_SECRET_COUNT ||
		    field->width == 0) /* behind the fixed part: zeros */
			continue;
		if (kind == RDA_SECRET_DATA)
			memset(at, 0, field->width / 8);
		else
			rewrite->secret(rewrite->context, kind, at,
					kind == RDA_SECRET_MAC ? MAC_BYTES : field->width / 8u);
	}
}

/* ---- checksums of the Internet --------------------------------------------------------------- */

/* What one checksum covers, and where it is; pseudo: the addresses of the IP header before it. */
struct sum {
	uint32_t at, begin, end;
	uint32_t addresses, address_bytes; /* pseudo header; 0 bytes: none */
	uint8_t protocol;
};

static uint16_t compute(const uint8_t *bytes, const struct sum *sum)
{
	uint64_t total = sum->address_bytes ? sum->protocol + sum->end - sum->begin : 0;

	for (uint32_t i = 0; i < sum->address_bytes; i += 2)
		total += rda_be16(bytes + sum->addresses + i);
	for (uint32_t i = sum->begin; i < sum->end; i += 2) {
		if (i == sum->at)
			continue;
		total += i + 1 < sum->end ? rda_be16(bytes + i) : (uint32_t)bytes[i] << 8;
	}
	while (total >> 16)
		total = (total & 0xffff) + (total >> 16);
	return (uint16_t)~total;
}

enum { UDP = 17, TCP = 6, ICMP6 = 58 };

/* The checksum of the layer `index`, the header before it being `ip`; false: it has none. */
static bool find_sum(const struct rda_frame *frame, const struct rda_layer *layer,
		     const struct rda_layer *ip, struct sum *sum)
{
	const uint8_t *header;

	*sum = (struct sum){.begin = layer->offset};
	if (layer->header == RDA_IP4) {
		sum->at = layer->offset + 10;
		sum->end = layer->offset + layer->length;
		return sum->end <= frame->captured;
	}
	if (!ip ||
	    (layer->header != RDA_UDP && layer->header != RDA_TCP && layer->header != RDA_ICMP))
		return false;
	if (ip->offset + RDA_IP6_BYTES > frame->captured)
		return false;
	header = frame->bytes + ip->offset;
	sum->at = layer->offset + (layer->header == RDA_UDP   ? 6u
				   : layer->header == RDA_TCP ? 16u
							      : 2u);
	sum->protocol = layer->header == RDA_UDP ? UDP : layer->header == RDA_TCP ? TCP : ICMP6;
	if (ip->header == RDA_IP4) {
		sum->end = ip->offset + rda_be16(header + 2);
		sum->addresses = ip->offset + 12;
		sum->address_bytes = layer->header == RDA_ICMP ? 0 : 8;
	} else {
		sum->end = ip->offset + RDA_IP6_BYTES + rda_be16(header + 4);
		sum->addresses = ip->offset + 8;
		sum->address_bytes = 32;
	}
	return sum->at + 2 <= sum->end && sum->end <= frame->captured;
}

static void write_sum(uint8_t *out, const struct rda_frame *frame, const struct sum *sum)
{
	uint16_t stored = rda_be16(frame->bytes + sum->at), computed;

	if (!stored || stored != compute(frame->bytes, sum))
		return; /* none, or a wrong one, which stays */
	computed = compute(out, sum);
	if (!computed && sum->protocol == UDP)
		computed = 0xffff;
	out[sum->at] = (uint8_t)(computed >> 8);
	out[sum->at + 1] = (uint8_t)computed;
}

/* From the innermost out: an outer checksum covers the inner ones. */
static void write_sums(uint8_t *out, const struct rda_frame *frame, const struct rda_packet *packet)
{
	for (unsigned i = packet->layer_count; i-- > 0;) {
		const struct rda_layer *ip = NULL;
		struct sum sum;

		for (unsigned j = 0; j < i; j++)
			if (packet->layers[j].header == RDA_IP4 ||
			    packet->layers[j].header == RDA_IP6)
				ip = &packet->layers[j];
		if (find_sum(frame, &packet->layers[i], ip, &sum))
			write_sum(out, frame, &sum);
	}
}

/* ---- CRCs ------------------------------------------------------------------------------------ */

static void put_crc(uint8_t *at, unsigned bytes, uint32_t crc)
{
	for (unsigned i = 0; i < bytes; i++) /* least significant byte first */
		at[i] = (uint8_t)(crc >> 8 * i);
}

/* CRCs are linear: what was good is good again, what was damaged is as damaged. */
static void write_crcs(uint8_t *out, const struct rda_frame *frame, const struct rda_packet *packet)
{
	struct rda_frame anew = *frame;
	struct rda_crc before, after;
	uint32_t end = packet->end_offset;

	anew.bytes = out;
	if (rda_icrc(frame, packet, &before) && rda_icrc(&anew, packet, &after)) {
		if (before.twice)
			after.computed = rda_icrc_twice(&anew, packet);
		put_crc(out + end - 4, 4, after.computed ^ before.computed ^ before.stored);
	}
	if (rda_vcrc(frame, packet, &before) && rda_vcrc(&anew, packet, &after))
		put_crc(out + end, 2, after.computed ^ before.computed ^ before.stored);
}

/* ---- frames ---------------------------------------------------------------------------------- */

static void write_frame(uint8_t *out, const struct rda_frame *frame,
			const struct rda_packet *packet, const struct rda_rewrite *rewrite)
{
	memset(out, 0, frame->captured);
	for (unsigned i = 0; i < packet->layer_count; i++)
		write_layer(out, frame, &packet->layers[i], rewrite);
}

/* What an ICMP error quotes: as much of an IP packet as fits, whatever its length says. */
static void write_quote(uint8_t *out, const struct rda_frame *frame, const struct rda_layer *icmp,
			const struct rda_dissect_config *config, const struct rda_rewrite *rewrite)
{
	uint32_t offset = icmp->offset + RDA_ICMP_BYTES;
	struct rda_frame quote = {.link = RDA_LINK_RAW};
	struct rda_packet packet;

	if (offset >= frame->captured)
		return;
	quote.bytes = frame->bytes + offset;
	quote.captured = frame->captured - offset;
	quote.wire = UINT16_MAX;
	rda_dissect(&packet, &quote, config);
	write_frame(out + offset, &quote, &packet, rewrite);
	write_sums(out + offset, &quote, &packet);
}

static void write_payload(uint8_t *out, const struct rda_frame *frame,
			  const struct rda_packet *packet, const struct rda_rewrite *rewrite)
{
	bool send = rda_has(packet, BTH) && packet->opcode->roles & RDA_ROLE_SEND;
	const uint8_t *payload;
	uint32_t length;

	if (!send && !rda_has(packet, TCP))
		return;
	payload = rda_packet_payload(frame, packet, &length);
	if (length)
		rewrite->payload(rewrite->context, out + (payload - frame->bytes), payload, length);
}

void rda_rewrite(uint8_t *out, const struct rda_frame *frame,
		 const struct rda_dissect_config *config, const struct rda_rewrite *rewrite)
{
	struct rda_packet packet;

	rda_dissect(&packet, frame, config);
	write_frame(out, frame, &packet, rewrite);
	if (!packet.layer_count)
		return;
	if (packet.layers[packet.layer_count - 1].header == RDA_ICMP)
		write_quote(out, frame, &packet.layers[packet.layer_count - 1], config, rewrite);
	if (rewrite->payload)
		write_payload(out, frame, &packet, rewrite);
	write_sums(out, frame, &packet);
	write_crcs(out, frame, &packet);
}
