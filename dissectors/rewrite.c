/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Frames written anew, header by header of what the dissector finds in them. See rewrite.h.
 */
#include "dissectors/rewrite.h"

#include "dissectors/icrc.h"
#include "dissectors/link.h"
#include "dissectors/tcp.h"

#include <string.h>

/* ---- fields ---------------------------------------------------------------------------------- */

enum { CNP_BYTES = 16 }; /* reserved ones behind its BTH */

/* DDP's Message Offset, of 32, has the name of its Tagged Offset, which is one of memory. */
enum { VA_BITS = 64 };

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
	default: break;
	}
	for (unsigned i = 0; i < sizeof(secrets) / sizeof(*secrets); i++)
		if (strcmp(field->member, secrets[i].member) == 0 &&
		    (secrets[i].kind != RDA_SECRET_VA || field->width == VA_BITS))
			return secrets[i].kind;
	return field->show == RDA_SHOW_BYTES ? RDA_SECRET_DATA : RDA_SECRET_COUNT;
}

enum { MAC_BYTES = 6 };

/* A field of which `have` bytes were captured: what is cut of a secret becomes zeros. */
static void write_field(uint8_t *at, uint32_t have, const struct rda_field *field,
			enum rda_secret kind, const struct rda_rewrite *rewrite)
{
	uint32_t bytes = kind == RDA_SECRET_MAC ? MAC_BYTES : field->width / 8u;

	if (kind == RDA_SECRET_DATA || have < bytes)
		memset(at, 0, have < bytes ? have : bytes);
	else
		rewrite->secret(rewrite->context, kind, at, bytes);
}

static void write_layer(uint8_t *out, const struct rda_frame *frame, const struct rda_layer *layer,
			const struct rda_rewrite *rewrite)
{
	const struct rda_header *row = &rda_headers[layer->header];
	uint8_t *header = out + layer->offset;
	uint32_t have;

	if (layer->offset >= frame->captured)
		return;
	have = frame->captured - layer->offset;
	have = have < row->bytes ? have : row->bytes;
	memcpy(header, frame->bytes + layer->offset, have);
	/* an extension header's first byte says whether another follows */
	for (uint32_t at = RDA_ERF_BYTES;
	     layer->header == RDA_ERF && at < layer->length && layer->offset + at < frame->captured;
	     at += 8)
		header[at] = frame->bytes[layer->offset + at];
	if (layer->header == RDA_TCP)
		rda_tcp_copy_sack(out, frame, layer);
	for (unsigned i = 0; i < row->field_count; i++) {
		const struct rda_field *field = &row->fields[i];
		enum rda_secret kind = kind_of(field);
		uint32_t at = field->bit / 8u;

		/* no width: behind the fixed part, zeros */
		if (kind != RDA_SECRET_COUNT && field->width && at < have)
			write_field(header + at, have - at, field, kind, rewrite);
	}
}

/* ---- checksums of the Internet --------------------------------------------------------------- */

/* What one checksum covers, and where it is; pseudo: the addresses of the IP header before it. */
struct sum {
	uint32_t at, begin, end;
	uint32_t addresses, address_bytes; /* pseudo header; 0 bytes: none */
	uint8_t protocol;
};

static uint64_t pseudo_header(const uint8_t *bytes, const struct sum *sum)
{
	uint64_t total = sum->address_bytes ? sum->protocol + sum->end - sum->begin : 0;

	for (uint32_t i = 0; i < sum->address_bytes; i += 2)
		total += rda_be16(bytes + sum->addresses + i);
	return total;
}

static uint16_t fold(uint64_t total)
{
	while (total >> 16)
		total = (total & 0xffff) + (total >> 16);
	return (uint16_t)total;
}

/* What a host leaves there where the NIC adds the rest. */
static uint16_t offloaded(const uint8_t *bytes, const struct sum *sum)
{
	return fold(pseudo_header(bytes, sum));
}

static uint16_t compute(const uint8_t *bytes, const struct sum *sum)
{
	uint64_t total = pseudo_header(bytes, sum);

	for (uint32_t i = sum->begin; i < sum->end; i += 2) {
		if (i == sum->at)
			continue;
		total += i + 1 < sum->end ? rda_be16(bytes + i) : (uint32_t)bytes[i] << 8;
	}
	return (uint16_t)~fold(total);
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

	if (!stored && sum->protocol == UDP) /* none; of others it is a sum as any */
		return;
	/* both zeros of ones' complement are one number */
	if (stored % 0xffff == compute(frame->bytes, sum) % 0xffff)
		computed = compute(out, sum);
	else if (stored == offloaded(frame->bytes, sum))
		computed = offloaded(out, sum);
	else
		return; /* a wrong one, which stays */
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

/* In the UDP header before the BTH: outer ones are of tunnels. */
static void write_source_port(uint8_t *out, const struct rda_frame *frame,
			      const struct rda_packet *packet, const struct rda_rewrite *rewrite)
{
	const struct rda_layer *udp = NULL;
	uint16_t port;

	for (unsigned i = 0; i < packet->layer_count && packet->layers[i].header != RDA_BTH; i++)
		if (packet->layers[i].header == RDA_UDP)
			udp = &packet->layers[i];
	if (!udp || udp->offset + 2 > frame->captured)
		return;
	port = rewrite->source_port(rewrite->context, packet);
	out[udp->offset] = (uint8_t)(port >> 8);
	out[udp->offset + 1] = (uint8_t)port;
}

static void write_frame(uint8_t *out, const struct rda_frame *frame,
			const struct rda_packet *packet, const struct rda_rewrite *rewrite)
{
	memset(out, 0, frame->captured);
	for (unsigned i = 0; i < packet->layer_count; i++)
		write_layer(out, frame, &packet->layers[i], rewrite);
	if (rewrite->source_port && rda_has(packet, BTH))
		write_source_port(out, frame, packet, rewrite);
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

void rda_rewrite_headers(uint8_t *out, const uint8_t *bytes, uint32_t length,
			 const struct rda_layer *layers, unsigned count,
			 const struct rda_rewrite *rewrite)
{
	const struct rda_frame frame = {bytes, length, length, 0};

	memcpy(out, bytes, length);
	for (unsigned i = 0; i < count; i++)
		write_layer(out, &frame, &layers[i], rewrite);
}

/* A pad that is not zero becomes ones. */
static void write_pad(uint8_t *out, const struct rda_frame *frame, const struct rda_packet *packet,
		      uint32_t at)
{
	bool zeros = true;

	if (at + packet->bth.padcnt > frame->captured)
		return;
	for (unsigned i = 0; i < packet->bth.padcnt; i++)
		zeros = zeros && !frame->bytes[at + i];
	memset(out + at, !zeros, packet->bth.padcnt);
}

static void write_contents(uint8_t *out, const struct rda_frame *frame,
			   const struct rda_packet *packet, const struct rda_rewrite *rewrite)
{
	uint32_t length;
	const uint8_t *payload = rda_packet_payload(frame, packet, &length);
	uint8_t *anew = out + (payload - frame->bytes);

	if (!length)
		return;
	if (rda_has(packet, TCP)) {
		if (rewrite->payload)
			rewrite->payload(rewrite->context, packet, anew, payload, length);
		return;
	}
	if (!rda_has(packet, BTH))
		return;
	if (packet->opcode->roles & RDA_ROLE_CNP)
		memcpy(anew, payload, length < CNP_BYTES ? length : CNP_BYTES);
	else if (packet->opcode->roles & RDA_ROLE_SEND && rewrite->payload)
		rewrite->payload(rewrite->context, packet, anew, payload, length);
	if (rewrite->contents && !anew[length - 1])
		anew[length - 1] = rewrite->contents(rewrite->context, packet, payload, length);
	if (length == packet->payload_length)
		write_pad(out, frame, packet, packet->payload_offset + length);
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
	write_contents(out, frame, &packet, rewrite);
	write_sums(out, frame, &packet);
	write_crcs(out, frame, &packet);
}
