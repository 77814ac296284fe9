/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The yardstick: what reading a capture costs when nothing is done with the packets.
 */
#define _DEFAULT_SOURCE /* u_char and friends, for pcap.h */
#include <inttypes.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	char error[PCAP_ERRBUF_SIZE];
	struct pcap_pkthdr *header;
	const u_char *bytes;
	uint64_t packets = 0, captured = 0;
	pcap_t *pcap;

	if (argc != 2) {
		fprintf(stderr, "usage: bench-pcap-loop FILE\n");
		return 2;
	}
	pcap = pcap_open_offline_with_tstamp_precision(argv[1], PCAP_TSTAMP_PRECISION_NANO, error);
	if (!pcap) {
		fprintf(stderr, "bench-pcap-loop: %s\n", error);
		return 2;
	}
	while (pcap_next_ex(pcap, &header, &bytes) == 1) {
		packets++;
		captured += header->caplen;
	}
	pcap_close(pcap);
	printf("%" PRIu64 " packets, %" PRIu64 " bytes\n", packets, captured);
	return EXIT_SUCCESS;
}
