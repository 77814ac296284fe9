/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * RoCEv2 over IPv4 or IPv6, byte by byte, with a true ICRC where the snap length leaves it.
 */
#include "tests/simulate/capture.h"

#include "analyzer/track/roce/source_port.h"
#include "tests/simulate/random.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>

enum {
	IP = 14,
	UDP = IP + 20,
	FRAME_MAX = UDP + 28 + 12 + 64 + 4096 + 8,
	MAD_TOTAL = 256,
	CM_BODY = 8 + 12 + 8 + 24, /* behind the headers of UDP, BTH, DETH and MAD */
};

struct bytes {
	uint8_t at[FRAME_MAX];
	uint32_t length;
	uint32_t udp; /* where its header begins */
};

static void set(uint8_t *at, uint64_t value, unsigned size)
{
	while (size--) {
		at[size] = (uint8_t)value;
		value >>= 8;
	}
}

static void put(struct bytes *b, uint64_t value, unsigned size)
{
	set(b->at + b->length, value, size);
	b->length += size;
}

static uint32_t crc_update(uint32_t crc, const uint8_t *bytes, uint32_t length)
{
	static uint32_t table[256];

	if (!table[1])
		for (uint32_t i = 0; i < 256; i++) {
			uint32_t value = i;

			for (unsigned bit = 0; bit < 8; bit++)
				value = value >> 1 ^ (value & 1 ? 0xedb88320 : 0);
			table[i] = value;
		}
	for (uint32_t i = 0; i < length; i++)
		crc = crc >> 8 ^ table[(crc ^ bytes[i]) & 0xff];
	return crc;
}

/* Of what lies before the last 4 bytes, which it fills. */
static void put_icrc(struct bytes *b)
{
	static const uint8_t ones[8] = {255, 255, 255, 255, 255, 255, 255, 255};
	uint8_t head[40 + 8 + 12], *udp = head + b->udp - IP;
	uint32_t bth = b->udp + 8, crc;

	memcpy(head, b->at + IP, bth + 12 - IP);
	if (b->udp == UDP) { /* TOS, TTL, checksum */
		head[1] = head[8] = head[10] = head[11] = 255;
	} else { /* traffic class, flow label, hop limit */
		head[0] |= 15;
		head[1] = head[2] = head[3] = head[7] = 255;
	}
	udp[6] = udp[7] = udp[12] = 255; /* checksum, FECN */
	crc = crc_update(0xffffffff, ones, sizeof(ones));
	crc = crc_update(crc, head, bth + 12 - IP);
	crc = ~crc_update(crc, b->at + bth + 12, b->length - 4 - bth - 12);
	for (unsigned i = 0; i < 4; i++) /* least significant byte first */
		b->at[b->length - 4 + i] = (uint8_t)(crc >> 8 * i);
}

static void put_udp(struct bytes *b, uint16_t source_port)
{
	b->udp = b->length;
	put(b, source_port, 2);
	put(b, 4791, 2);
	put(b, 0, 4);
}

static void put_ipv6(struct bytes *b, uint8_t from, bool marked)
{
	b->at[12] = 0x86;
	b->at[13] = 0xdd;
	put(b, marked ? 0x60300000 : 0x60200000, 4);
	put(b, 0, 2);
	put(b, 17 << 8 | 64, 2);
	put(b, UINT64_C(0xfd00) << 48, 8);
	put(b, 1u + from, 8);
	put(b, UINT64_C(0xfd00) << 48, 8);
	put(b, 2u - from, 8);
}

static void put_network(struct bytes *b, const struct sim_plan *plan, uint8_t from, uint16_t ip_id,
			uint16_t source_port, bool marked)
{
	memcpy(b->at, "\2\0\0\0\0\2\2\0\0\0\0\1\x08\0", 14);
	b->at[5] = from ? 1 : 2;
	b->at[11] = from ? 2 : 1;
	b->length = IP;
	if (plan->ipv6) {
		put_ipv6(b, from, marked);
		put_udp(b, source_port);
		return;
	}
	put(b, marked ? 0x4503 : 0x4502, 2);
	put(b, 0, 2);
	put(b, ip_id, 2);
	put(b, 0x40004011, 4); /* DF, TTL 64, UDP */
	put(b, 0, 2);
	put(b, 0x0a000001u + from, 4);
	put(b, 0x0a000002u - from, 4);
	put_udp(b, source_port);
}

/* Lengths and checksums. */
static void close_network(struct bytes *b)
{
	uint32_t sum = 0;

	set(b->at + b->udp + 4, b->length - b->udp, 2);
	if (b->udp != UDP) {
		set(b->at + IP + 4, b->length - b->udp, 2);
		return;
	}
	set(b->at + IP + 2, b->length - IP, 2);
	for (uint32_t i = IP; i < UDP; i += 2)
		sum += (uint32_t)b->at[i] << 8 | b->at[i + 1];
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	set(b->at + IP + 10, ~sum, 2);
}

static void put_bth(struct bytes *b, uint8_t opcode, uint32_t payload, uint32_t dest_qp,
		    bool ack_req, uint32_t psn)
{
	put(b, opcode, 1);
	put(b, (-payload & 3) << 4, 1);
	put(b, 0xffff, 2);
	put(b, dest_qp, 4);
	put(b, ack_req ? 0x80 : 0, 1);
	put(b, psn, 3);
}

void sim_capture_append(struct sim_capture *capture, int64_t time_ns, const uint8_t *bytes,
			uint32_t captured, uint32_t wire)
{
	if (capture->count == capture->allocated) {
		capture->allocated = capture->allocated * 2 + 64;
		capture->frames = g_renew(struct sim_frame, capture->frames, capture->allocated);
	}
	while (capture->used + captured > capture->size) {
		capture->size = capture->size * 2 + FRAME_MAX;
		capture->store = g_realloc(capture->store, capture->size);
	}
	capture->frames[capture->count++] =
		(struct sim_frame){time_ns, capture->used, captured, wire};
	memcpy(capture->store + capture->used, bytes, captured);
	capture->used += captured;
}

static void append(struct sim_capture *capture, struct bytes *b, uint32_t snaplen, int64_t time_ns)
{
	uint32_t captured = snaplen && snaplen < b->length ? snaplen : b->length;

	close_network(b);
	if (captured == b->length)
		put_icrc(b);
	sim_capture_append(capture, SIM_EPOCH_NS + time_ns, b->at, captured, b->length);
}

/* The extended headers of a packet. */
static void put_extended(struct bytes *b, const struct sim_packet *packet)
{
	bool reth = packet->opcode == 0x06 || packet->opcode == 0x0a || packet->opcode == 0x0c;
	bool aeth = packet->response && packet->opcode != 0x0e;

	if (packet->cnp) {
		put(b, 0, 8);
		put(b, 0, 8);
	} else if (reth || packet->opcode == 0x14) {
		put(b, packet->va, 8);
		put(b, packet->rkey, 4);
		put(b, reth ? packet->length : 0, 4);
	}
	if (packet->opcode == 0x14) { /* FetchAdd: the rest of add, and compare */
		put(b, 1, 4);
		put(b, 0, 8);
	}
	if (aeth && !packet->cnp) {
		put(b, packet->syndrome, 1);
		put(b, packet->msn, 3);
	}
	if (packet->opcode == 0x12)
		put(b, (uint64_t)packet->psn, 8);
}

/* Changes a bit of the latest frame somewhere behind the BTH, where the capture has that. */
static void damage(struct sim_capture *capture, const struct bytes *b, uint32_t number)
{
	const struct sim_frame *frame = &capture->frames[capture->count - 1];
	struct sim_random random = {number};
	uint64_t at = b->udp + 8 + 12;

	at += sim_below(&random, b->length - at);
	if (at < frame->captured)
		capture->store[frame->offset + at] ^= (uint8_t)(1u << sim_below(&random, 8));
}

void sim_capture_packet(struct sim_capture *capture, const struct sim_plan *plan,
			const struct sim_packet *packet, int64_t time_ns)
{
	uint32_t psn = (uint32_t)packet->psn + plan->requester[packet->asker].first_psn;
	uint32_t snaplen = plan->tap.snaplen, shown = packet->payload;
	struct bytes b;

	put_network(&b, plan, packet->from, packet->ip_id,
		    plan->source_port ? plan->source_port
				      : rda_source_port_of_qps(plan->qpn[0], plan->qpn[1]),
		    packet->marked);
	put_bth(&b, packet->opcode, packet->payload, plan->qpn[!packet->from], packet->ack_req,
		packet->cnp ? 0 : psn & 0xffffff);
	if (packet->cnp)
		b.at[b.udp + 8 + 4] = 0x40; /* BECN */
	put_extended(&b, packet);
	if (snaplen && b.length + shown > snaplen)
		shown = snaplen > b.length ? snaplen - b.length : 0;
	memset(b.at + b.length, (int)(packet->psn & 0x7f), shown);
	b.length += packet->payload;
	put(&b, 0, -packet->payload & 3);
	b.length += 4;
	append(capture, &b, snaplen, time_ns);
	if (packet->damaged)
		damage(capture, &b, packet->sent);
}

/* ---- the exchange that makes the connection -------------------------------------------------- */

static uint8_t mtu_code(uint32_t mtu)
{
	uint8_t code = 1;

	for (; mtu > 256; mtu /= 2)
		code++;
	return code;
}

/* n, where 4.096 us * 2^n is not longer */
static uint8_t timeout_code(int64_t timeout_ns)
{
	uint8_t code = 1;

	while (code < 31 && INT64_C(4096) << (code + 1) <= timeout_ns)
		code++;
	return code;
}

static uint8_t timeout_told(const struct sim_requester_plan *asks)
{
	return asks->timer == SIM_TIMER_ENDLESS ? timeout_code(asks->timeout_ns)
						: asks->ack_timeout;
}

/* The communication ID of a host: another one in each world, as they may share the host. */
static uint32_t communication_id(const struct sim_plan *plan, uint8_t from)
{
	return 100 + 2 * (uint32_t)(plan->seed >> 32) + from;
}

static void begin_message(struct bytes *b, const struct sim_plan *plan, uint8_t from,
			  uint16_t attribute)
{
	memset(b, 0, sizeof(*b));
	put_network(b, plan, from, attribute, 49152, false);
	put_bth(b, 0x64, 0, 1, false, from);
	put(b, 0x80010000, 4);
	put(b, 1, 4);
	put(b, 0x01070203, 4);
	put(b, 0, 4);
	put(b, plan->seed, 8);
	put(b, attribute, 2);
	b->length = b->udp + 8 + 12 + 8 + MAD_TOTAL + 4;
	set(b->at + b->udp + CM_BODY, communication_id(plan, from), 4);
}

/* Whose connection it is, as RDMA CM puts it into the private data of a REQ. */
static void put_addresses(uint8_t *at, const struct sim_plan *plan)
{
	at[1] = plan->ipv6 ? 0x60 : 0x40;
	set(at + 2, 49152, 2);
	for (unsigned i = 0; i < 2; i++) {
		uint8_t *address = at + 4 + i * 16;

		if (plan->ipv6) {
			set(address, UINT64_C(0xfd00) << 48, 8);
			set(address + 8, 1 + i, 8);
		} else {
			set(address + 12, 0x0a000001 + i, 4);
		}
	}
}

void sim_capture_exchange(struct sim_capture *capture, const struct sim_plan *plan)
{
	const struct sim_requester_plan *asks = &plan->requester[0];
	struct bytes b;
	uint8_t *body = b.at + CM_BODY + (plan->ipv6 ? UDP + 20 : UDP);

	begin_message(&b, plan, 0, 0x10); /* REQ */
	set(body + 8, 0x0000000001061234, 8);
	set(body + 32, plan->qpn[0], 3);
	body[35] = body[39] = 16; /* READs and ATOMICs */
	set(body + 44, plan->requester[1].first_psn & 0xffffff, 3);
	body[47] = (uint8_t)(20 << 3 | (asks->timer == SIM_TIMER_ENDLESS ? 7 : asks->retries));
	set(body + 48, 0xffff, 2);
	body[50] = (uint8_t)(mtu_code(plan->mtu) << 4 | 7);
	body[51] = 15 << 4;
	set(body + 52, 0xffffffff, 4);
	body[95] = (uint8_t)(timeout_told(asks) << 3);
	if (plan->addressed)
		put_addresses(body + 140, plan);
	append(capture, &b, plan->tap.snaplen, -3000000);

	begin_message(&b, plan, 1, 0x13); /* REP */
	set(body + 4, communication_id(plan, 0), 4);
	set(body + 12, plan->qpn[1], 3);
	set(body + 20, plan->requester[0].first_psn & 0xffffff, 3);
	body[24] = body[25] = 16;
	body[27] = 7 << 5;
	append(capture, &b, plan->tap.snaplen, -2000000);

	begin_message(&b, plan, 0, 0x14); /* RTU */
	set(body + 4, communication_id(plan, 1), 4);
	append(capture, &b, plan->tap.snaplen, -1000000);
}

void sim_capture_cleanup(struct sim_capture *capture)
{
	g_free(capture->frames);
	g_free(capture->store);
}

bool sim_capture_write(const struct sim_capture *capture, const char *path)
{
	const uint32_t header[6] = {0xa1b23c4d, 4 << 16 | 2, 0, 0, 262144, 1};
	FILE *file = fopen(path, "wb");
	bool good = file && fwrite(header, sizeof(header), 1, file) == 1;

	for (uint32_t i = 0; good && i < capture->count; i++) {
		const struct sim_frame *frame = &capture->frames[i];
		const uint32_t record[4] = {(uint32_t)(frame->time_ns / 1000000000),
					    (uint32_t)(frame->time_ns % 1000000000),
					    frame->captured, frame->wire};

		good = fwrite(record, sizeof(record), 1, file) == 1 &&
		       fwrite(capture->store + frame->offset, frame->captured, 1, file) == 1;
	}
	return file && fclose(file) == 0 && good;
}
