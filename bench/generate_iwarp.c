/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a capture of iWARP to standard output: RDMA WRITEs of 16 FPDUs, each FPDU a TCP segment of
 * its own, on several connections in turn, acknowledged every 16 segments. Nothing is cut. The same
 * arguments give the same bytes.
 *
 *     bench-generate-iwarp 1000000 crc > a_million_segments.pcap
 *     bench-generate-iwarp 1000000 > without_crc.pcap
 */
#include <isa-l.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	CONNECTIONS = 16,
	MESSAGE = 16,	/* FPDUs of a WRITE */
	PAYLOAD = 1424, /* of an FPDU: with all around it the MSS of Ethernet, without options */
	HEADERS = 14,	/* DDP's, tagged */
	FPDU = 2 + HEADERS + PAYLOAD + 4,
	START = 20,
	GAP_NS = 120, /* between segments: about 100 Gbit/s */
};

enum { IP = 14, TCP = 34, DATA = 54, FRAME_MAX = DATA + FPDU };

enum { SYN = 2, ACK = 16 };

struct connection {
	uint32_t sequence[2]; /* of the next byte that each side sends */
	unsigned fpdu;	      /* of the message in progress */
};

static uint64_t now_ns = UINT64_C(1700000000) * 1000000000;

static void put16(uint8_t *p, unsigned value)
{
	p[0] = (uint8_t)(value >> 8);
	p[1] = (uint8_t)value;
}

static void put32(uint8_t *p, uint32_t value)
{
	put16(p, value >> 16);
	put16(p + 2, value & 0xffff);
}

static void write_record(const uint8_t *frame, unsigned length)
{
	uint32_t record[4] = {(uint32_t)(now_ns / 1000000000), (uint32_t)(now_ns % 1000000000),
			      length, length};

	fwrite(record, sizeof(record), 1, stdout);
	fwrite(frame, length, 1, stdout);
	now_ns += GAP_NS;
}

/* A segment of `length` bytes that are in the frame already. */
static void write_segment(uint8_t *frame, struct connection *c, unsigned index, unsigned side,
			  unsigned flags, unsigned length)
{
	memset(frame, 0, DATA);
	put16(frame + 12, 0x0800);
	frame[IP] = 0x45;
	put16(frame + IP + 2, DATA - IP + length);
	frame[IP + 8] = 64;
	frame[IP + 9] = 6;
	put32(frame + IP + 12, 0x0a000001 + side);
	put32(frame + IP + 16, 0x0a000002 - side);
	put16(frame + TCP, side ? 7000 : 40000 + index);
	put16(frame + TCP + 2, side ? 40000 + index : 7000);
	put32(frame + TCP + 4, c->sequence[side]);
	put32(frame + TCP + 8, flags & ACK ? c->sequence[1 - side] : 0);
	frame[TCP + 12] = 0x50;
	frame[TCP + 13] = (uint8_t)flags;
	put16(frame + TCP + 14, 0x8000);
	write_record(frame, DATA + length);
	c->sequence[side] += length + (flags & SYN ? 1 : 0);
}

static void write_start(struct connection *c, unsigned index, bool crc)
{
	uint8_t frame[FRAME_MAX];

	write_segment(frame, c, index, 0, SYN, 0);
	write_segment(frame, c, index, 1, SYN | ACK, 0);
	for (unsigned side = 0; side < 2; side++) {
		memcpy(frame + DATA, side ? "MPA ID Rep Frame" : "MPA ID Req Frame", 16);
		put32(frame + DATA + 16, crc ? 0x40010000 : 0x00010000);
		write_segment(frame, c, index, side, ACK, START);
	}
}

static void write_fpdu(uint8_t *frame, struct connection *c, unsigned index, bool crc)
{
	uint8_t *fpdu = frame + DATA;
	uint32_t sum;

	put16(fpdu, HEADERS + PAYLOAD);
	fpdu[2] = c->fpdu == MESSAGE - 1 ? 0xc1 : 0x81;
	fpdu[3] = 0x40;
	put32(fpdu + 4, 0x1100);
	put32(fpdu + 8, 0x7f00);
	put32(fpdu + 12, c->fpdu * PAYLOAD);
	sum = crc ? ~crc32_iscsi(fpdu, FPDU - 4, ~0u) : 0;
	for (unsigned i = 0; i < 4; i++)
		fpdu[FPDU - 4 + i] = (uint8_t)(sum >> 8 * i);
	c->fpdu = (c->fpdu + 1) % MESSAGE;
	write_segment(frame, c, index, 0, ACK, FPDU);
}

int main(int argc, char **argv)
{
	static const uint32_t file_header[6] = {0xa1b23c4d, 0x00040002, 0, 0, 65535, 1};
	static struct connection connections[CONNECTIONS];
	uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
	bool crc = argc > 2 && strcmp(argv[2], "crc") == 0;
	uint8_t frame[FRAME_MAX];

	if (argc < 2 || argc > 3) {
		fprintf(stderr, "usage: %s SEGMENTS [crc]\n", argv[0]);
		return EXIT_FAILURE;
	}
	for (unsigned i = 0; i < FRAME_MAX; i++)
		frame[i] = (uint8_t)(i * 7);
	fwrite(file_header, sizeof(file_header), 1, stdout);
	for (unsigned i = 0; i < CONNECTIONS; i++)
		write_start(&connections[i], i, crc);
	for (uint64_t i = 0; i < count; i++) {
		struct connection *c = &connections[i / MESSAGE % CONNECTIONS];
		unsigned index = (unsigned)(i / MESSAGE % CONNECTIONS);

		write_fpdu(frame, c, index, crc);
		if (i % MESSAGE == MESSAGE - 1) {
			uint8_t ack[FRAME_MAX];

			write_segment(ack, c, index, 1, ACK, 0);
		}
	}
	return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
