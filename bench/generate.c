/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a capture of RoCEv2 traffic to standard output: RDMA WRITEs of 16 packets on several QPs,
 * in both directions, each answered by one ACK; PSNs in order, some of them wrapping. Packets are
 * cut at 128 bytes as captures of RoCE mostly are, so an ACK (62 bytes) is whole, with a good ICRC.
 * The same arguments give the same bytes.
 *
 *     bench-generate 5000000 > five_million.pcap
 *     bench-generate 1700000 100000 > a_hundred_thousand_connections.pcap
 *     bench-generate 2000000 1000 17 1 > a_thousand_in_bursts_of_17_with_1_percent_of_resends.pcap
 *     bench-generate 1000000 1000 4 0 whole > a_thousand_with_whole_frames_and_good_icrcs.pcap
 *
 * BURST is how many packets of one connection come before the next has its turn. Of resends the
 * second half of a message is sent again, from a packet on that a NAK asks for. Each pair of hosts
 * has up to 64 of the connections.
 */
#include <isa-l.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	QPS = 16, /* connections, by default; the odd ones write from host B to host A */
	QPS_OF_PAIR = 64,
	MESSAGE = 16, /* packets in a message: First, 14 Middle, Last */
	BURST = 4,    /* packets of one connection before the next has its turn, by default */
	MTU = 1024,   /* payload of a packet */
	SNAPLEN = 128,
	FRAME_MAX = 2048,
	GAP_NS = 100, /* between packets: about 88 Gbit/s */
	PSN_MASK = 0xffffff,
};

enum { ETH = 0, IP = 14, UDP = 34, BTH = 42, EXTENDED = 54 };

enum { WRITE_FIRST = 0x06, WRITE_MIDDLE = 0x07, WRITE_LAST = 0x08, ACKNOWLEDGE = 0x11 };

enum { ACK = 0x1f, NAK_SEQUENCE = 0x60 };

struct qp {
	uint32_t psn;	 /* of the next request */
	uint32_t msn;	 /* messages done */
	unsigned packet; /* of the message in progress */
	bool resent;	 /* that message, its second half */
};

static unsigned snaplen = SNAPLEN;
static uint64_t written;
static uint64_t now_ns = UINT64_C(1700000000) * 1000000000;

static void put16(uint8_t *p, unsigned value)
{
	p[0] = (uint8_t)(value >> 8);
	p[1] = (uint8_t)value;
}

static void put24(uint8_t *p, uint32_t value)
{
	p[0] = (uint8_t)(value >> 16);
	put16(p + 1, value & 0xffff);
}

static void put32(uint8_t *p, uint32_t value)
{
	put16(p, value >> 16);
	put16(p + 2, value & 0xffff);
}

static unsigned ip_checksum(const uint8_t *header)
{
	uint32_t sum = 0;

	for (unsigned i = 0; i < 20; i += 2)
		sum += (uint32_t)header[i] << 8 | header[i + 1];
	sum = (sum & 0xffff) + (sum >> 16);
	return ~(sum + (sum >> 16)) & 0xffff;
}

/* Everything up to the end of the BTH; `wire` is the length of the whole frame. */
static void put_headers(uint8_t *frame, unsigned index, bool to_b, unsigned opcode, uint32_t psn,
			bool ack_req, unsigned wire)
{
	uint32_t pair = 0x0a000000 + (index / QPS_OF_PAIR) * 4;

	memset(frame, 0, wire);
	frame[ETH + 0] = frame[ETH + 6] = 0x02; /* locally administered addresses */
	frame[ETH + 5] = to_b ? 2 : 1;
	frame[ETH + 11] = to_b ? 1 : 2;
	put16(frame + ETH + 12, 0x0800);

	frame[IP] = 0x45;
	frame[IP + 1] = 26 << 2 | 2; /* DSCP 26, ECT(0): the usual class of RoCE */
	put16(frame + IP + 2, wire - IP);
	put16(frame + IP + 6, 0x4000);
	frame[IP + 8] = 64;
	frame[IP + 9] = 17;
	put32(frame + IP + 12, pair + (to_b ? 1 : 2));
	put32(frame + IP + 16, pair + (to_b ? 2 : 1));
	put16(frame + IP + 10, ip_checksum(frame + IP));

	put16(frame + UDP, 0xc000 + index % 0x4000);
	put16(frame + UDP + 2, 4791);
	put16(frame + UDP + 4, wire - UDP);

	frame[BTH] = (uint8_t)opcode;
	frame[BTH + 1] = 0x40; /* MigReq */
	put16(frame + BTH + 2, 0xffff);
	put24(frame + BTH + 5, (to_b ? 0x200 : 0x100) + index);
	frame[BTH + 8] = ack_req ? 0x80 : 0;
	put24(frame + BTH + 9, psn & PSN_MASK);
}

/* The ICRC of a frame that ends at `end`: fields that a router may change count as ones. */
static void put_icrc(uint8_t *frame, unsigned end)
{
	uint8_t masked[8 + FRAME_MAX];
	uint8_t *ip = masked + 8;
	uint32_t crc;

	memset(masked, 0xff, 8); /* where native InfiniBand has its LRH */
	memcpy(ip, frame + IP, end - IP);
	ip[1] = ip[8] = ip[10] = ip[11] = 0xff;
	ip[UDP - IP + 6] = ip[UDP - IP + 7] = 0xff;
	ip[BTH - IP + 4] = 0xff;
	crc = crc32_gzip_refl(0, masked, 8 + end - IP);
	for (unsigned i = 0; i < 4; i++)
		frame[end + i] = (uint8_t)(crc >> 8 * i);
}

static void write_record(const uint8_t *frame, unsigned wire)
{
	uint32_t captured = wire < snaplen ? wire : snaplen;
	uint32_t header[4] = {(uint32_t)(now_ns / 1000000000), (uint32_t)(now_ns % 1000000000),
			      captured, wire};

	if (fwrite(header, sizeof(header), 1, stdout) != 1 ||
	    fwrite(frame, captured, 1, stdout) != 1) {
		perror("bench-generate");
		exit(EXIT_FAILURE);
	}
	now_ns += GAP_NS + (++written % 16 == 0); /* all alike they would pass for made up (Q07) */
}

static void write_request(struct qp *qp, unsigned index)
{
	bool first = qp->packet == 0, last = qp->packet == MESSAGE - 1;
	unsigned opcode = first ? WRITE_FIRST : last ? WRITE_LAST : WRITE_MIDDLE;
	unsigned wire = EXTENDED + (first ? 16 : 0) + MTU + 4;
	uint8_t frame[FRAME_MAX];

	put_headers(frame, index, index % 2 == 0, opcode, qp->psn, last, wire);
	if (first) { /* RETH: virtual address, key, length */
		put32(frame + EXTENDED + 4, 0x10000000 + index * 0x100000);
		put32(frame + EXTENDED + 8, 0x1000 + index);
		put32(frame + EXTENDED + 12, MESSAGE * MTU);
	}
	if (snaplen >= wire)
		put_icrc(frame, wire - 4);
	write_record(frame, wire);
	qp->psn++;
	qp->packet++;
}

static void write_response(const struct qp *qp, unsigned index, uint32_t psn, unsigned syndrome)
{
	unsigned wire = EXTENDED + 4 + 4;
	uint8_t frame[FRAME_MAX];

	put_headers(frame, index, index % 2 != 0, ACKNOWLEDGE, psn, false, wire);
	frame[EXTENDED] = (uint8_t)syndrome;
	put24(frame + EXTENDED + 1, qp->msn & PSN_MASK);
	put_icrc(frame, wire - 4);
	write_record(frame, wire);
}

/* The answer to a whole message: an ACK, or a NAK that asks for its second half. */
static void answer(struct qp *qp, unsigned index, bool resend)
{
	if (resend && !qp->resent) {
		qp->packet = MESSAGE / 2;
		qp->psn -= MESSAGE / 2;
		qp->resent = true;
		write_response(qp, index, qp->psn, NAK_SEQUENCE);
		return;
	}
	qp->packet = 0;
	qp->resent = false;
	qp->msn++;
	write_response(qp, index, qp->psn - 1, ACK); /* no credit limit */
}

/* The number that an argument says, or the default where there are fewer arguments. */
static unsigned long number_of(int argc, char **argv, int index, unsigned long otherwise)
{
	return argc > index ? strtoul(argv[index], NULL, 10) : otherwise;
}

int main(int argc, char **argv)
{
	unsigned long left = number_of(argc, argv, 1, 0), messages = 0;
	unsigned count = (unsigned)number_of(argc, argv, 2, QPS);
	unsigned long burst = number_of(argc, argv, 3, BURST);
	unsigned long resends = number_of(argc, argv, 4, 0); /* per cent of the packets */
	/* half a message is sent again: of 50 messages one, for 1 % */
	unsigned long period = resends ? 100 / (2 * resends) : 0;
	/* pcap with nanoseconds, version 2.4, Ethernet */
	uint32_t file_header[6] = {0xa1b23c4d, 2 | 4 << 16, 0, 0, SNAPLEN, 1};
	struct qp *qps = calloc(count ? count : 1, sizeof(*qps));

	if (argc > 6 || left == 0 || count == 0 || burst == 0 || resends > 50 || !qps) {
		fprintf(stderr, "usage: bench-generate PACKETS [CONNECTIONS [BURST [RESENDS "
				"[whole]]]] > FILE\n");
		return 2;
	}
	if (argc > 5)
		file_header[4] = snaplen = FRAME_MAX;
	fwrite(file_header, sizeof(file_header), 1, stdout);
	for (unsigned i = 0; i < count; i++) /* 65536 apart, so that some wrap early */
		qps[i].psn = (PSN_MASK - (count - 1 - i) * 0x10000 - 100) & PSN_MASK;
	for (unsigned turn = 0; left > 0; turn++) {
		unsigned index = turn % count;
		struct qp *qp = &qps[index];

		for (unsigned i = 0; i < burst && left > 0; i++, left--)
			if (qp->packet == MESSAGE)
				answer(qp, index, period && messages++ % period == 0);
			else
				write_request(qp, index);
	}
	free(qps);
	if (fflush(stdout) != 0) {
		perror("bench-generate");
		return EXIT_FAILURE;
	}
	return EXIT_SUCCESS;
}
